"""House time worked out: the server's clock, and what the book keeps so that it goes on where that is set.

House time is the server's clock plus `ahead`, which the book keeps for all processes. `ahead` changes when
somebody sets the server's clock or another server takes over, so that house time itself does not. Up to ten
seconds of it are taken back, by half a millisecond a second; more than that stays until the server's clock is
right again, or two people set the house clock.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from jackpot.core.instants import SECOND

MILLION = 1_000_000
TAKEN_BACK_PPM = 500
LARGEST_TAKEN_BACK = 10 * SECOND
DRIFT_PPM = 200
"""What this machine's clock and the server's may drift apart between two measurements."""
TOLERATED_PPM = 1_000
"""More than that is no drift, even while one of the two clocks is being slewed: a clock was set."""


class Moment(NamedTuple):
    at: int
    """House time, as well as this process knows it."""
    error: int
    """What that may be wrong by."""


class Timekeeper(Protocol):
    """Who knows house time."""

    def moment(self) -> Moment: ...

    async def keep_up(self, broke_at: int) -> None:
        """House time is known to have been set at that time: know it too, before anything is written."""


class Given(NamedTuple):
    """A moment that was worked out already."""

    given: Moment

    def moment(self) -> Moment:
        return self.given

    async def keep_up(self, broke_at: int) -> None:
        pass


class Kept(NamedTuple):
    """What the book keeps of house time; the columns of `house`."""

    ahead: int = 0
    """House time less the server's clock, when that said `since`."""
    since: int = 0
    doubt: int = 0
    """When a process found the server's clock set, by that clock; 0 if none does."""
    broke_at: int = 0
    """The house time of the last start or setting."""

    def ahead_at(self, server: int) -> int:
        if not self.ahead or abs(self.ahead) > LARGEST_TAKEN_BACK:
            return self.ahead
        taken = parts(max(0, server - self.since), TAKEN_BACK_PPM)
        return max(0, self.ahead - taken) if self.ahead > 0 else min(0, self.ahead + taken)


class Exchange(NamedTuple):
    """The server was asked for its time, and answered; both by this process's ticks."""

    asked: int
    answered: int
    server: int
    kept: Kept

    def known(self) -> Known:
        way = self.answered - self.asked
        return Known(self.asked + way // 2, self.server, way - way // 2, self.kept)


class Known(NamedTuple):
    """What one exchange tells: the server's time at a tick, give or take an error."""

    tick: int
    server: int
    error: int
    kept: Kept

    def server_at(self, tick: int) -> int:
        return self.server + tick - self.tick

    def house_at(self, tick: int) -> int:
        server = self.server_at(tick)
        return server + self.kept.ahead_at(server)

    def error_at(self, tick: int) -> int:
        return self.error + parts(tick - self.tick, DRIFT_PPM)

    def agrees_with(self, later: Known) -> bool:
        """Whether the server's clock simply ran on, or house time went on although it did not."""
        tick = later.tick
        slack = self.error + later.error + parts(tick - self.tick, TOLERATED_PPM)
        ran_on = abs(later.server - self.server_at(tick)) <= slack
        return ran_on or abs(later.house_at(tick) - self.house_at(tick)) <= slack

    def continued_in(self, later: Known) -> Kept:
        """What the book has to keep, so that house time goes on by what `later` tells of the server."""
        ahead = self.house_at(later.tick) - later.server
        return later.kept._replace(ahead=ahead, since=later.server, doubt=0)


def parts(amount: int, per_million: int) -> int:
    """So many parts per million of an amount, rounded up."""
    return -(-amount * per_million // MILLION)
