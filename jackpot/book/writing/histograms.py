"""How a writer is doing, in plain integers: whoever watches reads them, nobody waits for them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

COMMIT_BOUNDS = (
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    1_000_000,
    5_000_000,
    10_000_000,
)
BATCH_BOUNDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Histogram:
    """How many were at most each bound; the last count is of those above all."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: Sequence[int]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0

    def observe(self, value: int) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


@dataclass(slots=True)
class Figures:
    commit: Histogram = field(default_factory=lambda: Histogram(COMMIT_BOUNDS))
    """Microseconds from the sending of a batch until it is durable, retries included."""
    batch: Histogram = field(default_factory=lambda: Histogram(BATCH_BOUNDS))
    """Commands in it."""
    failures: int = 0
    """Attempts to commit that the store did not confirm."""
    broken: int = 0
    """Commands after which the link's invariants would not have held."""

    def committed(self, seconds: float, commands: int) -> None:
        self.commit.observe(round(seconds * 1_000_000))
        self.batch.observe(commands)

    @property
    def checks(self) -> int:
        """The invariants are checked once in every batch that is played."""
        return sum(self.batch.counts) + self.broken
