"""What a table's controller counts, what the House counts of the same table, and how far the two agree.

The jackpot's meter is another thing: these are the sums that a table controller keeps of what was played
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from jackpot.core.records import SPARSE, Kept, frozen

KEPT = 4
"""The House remembers its meters after so many of a table's last rounds."""


@frozen(kw_only=True)
class Meters(Kept):
    """Sums over rounds that are over, amounts in minor units. What each of them counts is said in
    docs/table-controllers.md."""

    rounds: int = 0
    bets: int = 0
    returned: int = 0
    awards: int = 0

    def plus(self, other: Meters) -> Meters:
        return Meters(
            rounds=self.rounds + other.rounds,
            bets=self.bets + other.bets,
            returned=self.returned + other.returned,
            awards=self.awards + other.awards,
        )

    def is_sum(self, one: Meters, other: Meters) -> bool:
        """Whether it is `one.plus(other)`, without making that: asked with every heartbeat."""
        return (
            self.rounds == one.rounds + other.rounds
            and self.bets == one.bets + other.bets
            and self.returned == one.returned + other.returned
            and self.awards == one.awards + other.awards
        )

    def less(self, other: Meters) -> Meters:
        return Meters(
            rounds=self.rounds - other.rounds,
            bets=self.bets - other.bets,
            returned=self.returned - other.returned,
            awards=self.awards - other.awards,
        )


@frozen(kw_only=True)
class MetersAfter(Kept):
    """The House's own, once a round was over."""

    round: int
    meters: Meters


@frozen(kw_only=True)
class MetersTold(Kept):
    """What a controller says of itself."""

    round: int
    """The last that it has counted."""
    meters: Meters
    first: int | None = None
    """The first that it has counted: before it, all its meters were zero. None: it goes on as before."""


@frozen(kw_only=True)
class Baseline(Kept):
    """How a controller's meters are compared: they show what the House's show, and `offset`."""

    after: int
    """The round from which on they are compared."""
    offset: Meters
    first: int | None = None


@frozen(kw_only=True)
class Difference(Kept):
    """The controller's meters are not what they should be; it stands until a person has settled it."""

    id: str
    at: int
    after: int
    """The round after which both last agreed."""
    round: int
    """The round after which they differ."""
    house: Meters
    """What the controller should have told then."""
    told: Meters | None = None
    """None: it began to count anew, and nobody has told what the one before it counted."""
    rounds: tuple[int, ...] = field(default=(), metadata=SPARSE)
    """Those between the two that are known by number; there may have been earlier ones."""

    @property
    def offset(self) -> Meters:
        """By how much the controller's meters show more than they should."""
        return Meters() if self.told is None else self.told.less(self.house)

    @property
    def where(self) -> str:
        return rounds_named(self.after, self.round, self.rounds)


def rounds_named(after: int, round: int, rounds: Sequence[int]) -> str:
    """Where a difference began, in words."""
    if tuple(rounds) == (round,):
        return f"round {round}"
    return f"rounds {after + 1} to {round}"
