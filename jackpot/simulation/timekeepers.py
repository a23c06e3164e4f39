"""Simulated house time: kept by replicas that are wrong by no more than they say, and sometimes broken.

It drifts. When the server's clock is set or another server takes over it goes on, and is then brought back
slowly; at a start without a living replica, and when two people set it, it breaks and leaps ahead.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.link.state import Break

DRIFT_PPM = 100
BROUGHT_BACK_PPM = 500
ERRORS = (0, 0, 200, MILLISECOND, 5 * MILLISECOND, 40 * MILLISECOND)
LEAPS = (0, 0, 300 * MILLISECOND, 7 * SECOND, 3600 * SECOND, 26 * 3600 * SECOND)


class Moment(NamedTuple):
    """House time as one replica knows it."""

    at: int
    error: int


@dataclass(frozen=True, slots=True)
class Broke:
    """House time did not simply go on."""

    cause: Break
    leap: int


class _Replica(NamedTuple):
    wrong: int
    error: int


class _Stretch(NamedTuple):
    """From this true time on house time runs like that."""

    since: int
    house: int
    ppm: int

    def at(self, now: int) -> int:
        return self.house + (now - self.since) + (now - self.since) * self.ppm // 1_000_000


class HouseTime:
    def __init__(self, rng: Random, start: int, *, calm: bool) -> None:
        self._rng, self._calm = rng, calm
        self._stretches = [_Stretch(start, start, self._any_pace(0))]
        self._replicas: list[_Replica] = []
        self.take_over(start)

    def at(self, now: int) -> int:
        """As it truly is, or was, at a true time."""
        place = bisect_right(self._stretches, now, key=lambda one: one.since)
        return self._stretches[max(0, place - 1)].at(now)

    def moment(self, now: int) -> Moment:
        """Of whichever replica has to do with it."""
        replica = self._rng.choice(self._replicas)
        return Moment(self.at(now) + replica.wrong, replica.error)

    def take_over(self, now: int) -> None:
        """Other replicas go on, by another server: its clock is followed slowly."""
        errors = [0] if self._calm else self._rng.choices(ERRORS, k=self._rng.randrange(1, 4))
        self._replicas = [_Replica(self._rng.randrange(-error, error + 1), error) for error in errors]
        self._stretches.append(_Stretch(now, self.at(now), self._any_pace(BROUGHT_BACK_PPM)))

    def begin_anew(self, now: int, *, last: int, leap: int) -> int:
        """Not before the last journal time."""
        house = max(last, self.at(now) + leap)
        self._stretches.append(_Stretch(now, house, self._any_pace(0)))
        return house

    def _any_pace(self, brought_back: int) -> int:
        most = 0 if self._calm else DRIFT_PPM + brought_back
        return self._rng.randrange(-most, most + 1)
