"""What the requests of a run come to, and what of it fails the run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from loadtests.notes import Asked

REPLAY = "events"


class Limits(Struct, frozen=True, kw_only=True):
    errors: int = 0
    slowest: float = 2_000.0
    """Milliseconds that one request in a hundred may exceed, of each kind."""
    slowest_replay: float = 15_000.0
    """The same of a request that carries a part of a spool."""

    def of(self, kind: str) -> float:
        return self.slowest_replay if kind == REPLAY else self.slowest


class Kind(Struct, frozen=True):
    name: str
    count: int
    middle: float
    slowest: float
    """Milliseconds that one in a hundred exceeds."""
    worst: float
    troubles: dict[str, int]


def kinds(asked: Iterable[Asked]) -> list[Kind]:
    times: defaultdict[str, list[float]] = defaultdict(list)
    troubles: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in asked:
        if one.trouble:
            troubles[one.kind][one.trouble] += 1
        else:
            times[one.kind].append(one.ms)
    names = sorted(times.keys() | troubles.keys())
    return [_kind(name, times[name], dict(troubles[name])) for name in names]


def _kind(name: str, times: Sequence[float], troubles: dict[str, int]) -> Kind:
    middle, slowest, worst = np.percentile(times, [50, 99, 100]) if times else (0.0, 0.0, 0.0)
    return Kind(
        name, len(times) + sum(troubles.values()), float(middle), float(slowest), float(worst), troubles
    )


def failures(found: Iterable[Kind], limits: Limits) -> list[str]:
    said = []
    wrong = sum(sum(kind.troubles.values()) for kind in found)
    if wrong > limits.errors:
        named = [f"{kind.name}: {count} x {why}" for kind in found for why, count in kind.troubles.items()]
        said.append(f"{wrong} errors, {limits.errors} allowed: {'; '.join(named[:8])}")
    for kind in found:
        if kind.slowest > limits.of(kind.name):
            limit = limits.of(kind.name)
            said.append(f"{kind.name}: 99th percentile {kind.slowest:.0f} ms, {limit:.0f} allowed")
    return said


def missing(found: Iterable[Kind], expected: Iterable[str]) -> list[str]:
    """Somebody who did nothing had no errors either."""
    done = {kind.name for kind in found if kind.count > sum(kind.troubles.values())}
    return [f"{name}: none succeeded in the whole run" for name in sorted(set(expected) - done)]


class Slice(Struct, frozen=True):
    """A stretch of the run: requests a second, and the percentiles of the tables' messages."""

    at: float
    """Its middle, in seconds after the start."""
    rate: float
    middle: float
    slowest: float


def slices(asked: Sequence[Asked], length: float, kinds: frozenset[str]) -> list[Slice]:
    began = min(one.at for one in asked)
    parts: defaultdict[int, list[Asked]] = defaultdict(list)
    for one in asked:
        parts[int((one.at - began) / length)].append(one)
    return [
        _slice((place + 0.5) * length, len(part) / length, [one.ms for one in part if one.kind in kinds])
        for place, part in sorted(parts.items())
    ]


def _slice(at: float, rate: float, times: list[float]) -> Slice:
    middle, slowest = np.percentile(times, [50, 99]) if times else (0.0, 0.0)
    return Slice(at, rate, float(middle), float(slowest))
