"""The house clock of one process: house time between two looks at the server's clock.

Nobody can set the ticks it goes by, and they go on while the machine is suspended. About once a second the
server is asked for its time. If that is not where the ticks have it, the server's clock was set, or another
server has taken over: house time goes on as before, and the book is told so for all processes.

To a machine that was paused the server's clock seems to have been set, too. So a process raises a doubt in
the book first; whoever has seen the server's clock run on takes it away, and the doubter follows the others.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.base import Store
from jackpot.book.stores.house_time import Kept, Known, Moment
from jackpot.core.instants import SECOND

MEASURED_EVERY = 1.0
"""Seconds between two looks at the server's clock."""
EXCHANGES = 3
DOUBTED_FOR = 5 * SECOND // 2
"""Time for the others to look twice."""
WITNESSED_FOR = 10 * SECOND
"""Only who has kept house time for so long may say that the server's clock was not set just now."""
JOINING = 2.0
"""Seconds in which the others notice that the server's clock was set just before this process came."""
DOUBTS_HEARD = 10.0
pause = asyncio.sleep
"""By its own name, so that a test may wait otherwise here and nowhere else."""
_log = logging.getLogger(__name__)


_TICKING: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def boot_ticks() -> int:
    """Microseconds of a clock that nobody sets; on Linux also those while the machine was suspended."""
    return time.clock_gettime_ns(_TICKING) // 1000


class HouseClock:
    """Until it is started, the clock of this machine."""

    def __init__(self, ticks: Callable[[], int] = boot_ticks) -> None:
        self._ticks = ticks
        self._store: Store | None = None
        self._known = Known(ticks(), time.time_ns() // 1000, 0, Kept())
        self._latest = 0
        """The latest moment that was told: none after it is earlier, unless house time is set."""
        self._began: int | None = None
        self._doubted: int | None = None
        """The tick at which the server's clock was first found to be set."""
        self._asking = asyncio.Lock()

    def moment(self) -> Moment:
        tick, known, latest = self._ticks(), self._known, self._latest
        found = known.house_at(tick)
        if found > latest:
            latest = self._latest = found
        return Moment(latest, known.error_at(tick) + latest - found)

    def now(self) -> int:
        return self.moment().at

    @property
    def error(self) -> int:
        return self.moment().error

    @property
    def difference(self) -> int:
        """House time less the server's clock."""
        tick = self._ticks()
        return self._known.house_at(tick) - self._known.server_at(tick)

    @property
    def differs_since(self) -> int | None:
        """The house time since which it differs from the server's clock by more than its error."""
        if abs(self.difference) <= self.error:
            return None
        return self._known.kept.since + self._known.kept.ahead

    @property
    def offset(self) -> int:
        """Microseconds to add to this machine's clock for the server's."""
        return self._known.server_at(self._ticks()) - time.time_ns() // 1000

    async def start(self, store: Store, *, alone: bool) -> None:
        """Take house time as the book has it. If others keep it, once they have had time to look."""
        self._store, self._began = store, None
        await self.measure()
        if alone:
            return
        deadline = time.monotonic() + DOUBTS_HEARD
        await pause(JOINING)
        await self.measure()
        while self._known.kept.doubt and time.monotonic() < deadline:
            await pause(MEASURED_EVERY / 4)
            await self.measure()

    async def server(self, store: Store, connection: AsyncConnection) -> tuple[int, Kept]:
        """The server's time, and what is kept of house time."""
        return await store.server_clock(connection)

    async def measure(self) -> None:
        """Look at the server's clock. Raises what the store says if it cannot; house time goes on anyway."""
        later = await self._look()
        if self._is_news(later):
            self._follow(later)
        elif not self._known.agrees_with(later):
            await self._doubt(later)
        else:
            self._doubted = None
            if later.error <= self._known.error_at(later.tick) or later.kept != self._known.kept:
                self._follow(later)
            await self._answer_doubt(later)

    async def keep_up(self, broke_at: int) -> None:
        if broke_at > self._known.kept.broke_at:
            later = await self._look()
            if self._is_news(later):
                self._follow(later)

    async def _look(self) -> Known:
        """The exchange with the shortest way there and back tells most; of what is kept, the last does."""
        if self._store is None:
            raise RuntimeError("the house clock was not started")
        async with self._asking:
            found = [(await self._store.exchange(self._ticks)).known() for _ in range(EXCHANGES)]
        return min((one for one in found if one.kept == found[-1].kept), key=lambda one: one.error)

    def _is_news(self, later: Known) -> bool:
        return self._began is None or later.kept.broke_at > self._known.kept.broke_at

    def _follow(self, later: Known) -> None:
        if self._is_news(later):
            self._latest = later.kept.broke_at
            self._began = later.tick
        self._known, self._doubted = later, None

    async def _doubt(self, later: Known) -> None:
        if self._doubted is None:
            if later.kept.doubt or await self._keep(later.kept, later.kept._replace(doubt=later.server)):
                self._doubted = later.tick
        elif not later.kept.doubt:
            _log.warning("this machine was paused: its house time was %d us behind", self._behind(later))
            self._follow(later)
        elif later.tick - self._doubted >= DOUBTED_FOR:
            kept = self._known.continued_in(later)
            if await self._keep(later.kept, kept):
                _log.warning("the server's clock was set: house time is %d us ahead of it", kept.ahead)
                self._follow(later._replace(kept=kept))

    def _behind(self, later: Known) -> int:
        return later.house_at(later.tick) - self._known.house_at(later.tick)

    async def _answer_doubt(self, later: Known) -> None:
        """Somebody's ticks are not where the server's clock is, but ours are, and were before."""
        if later.kept.doubt and self._began is not None and later.tick - self._began >= WITNESSED_FOR:
            await self._keep(later.kept, later.kept._replace(doubt=0))

    async def _keep(self, known: Kept, kept: Kept) -> bool:
        """False if another process was first."""
        if self._store is None:
            return False
        async with self._store.transaction() as connection:
            return await self._store.keep_clock(connection, known, kept)
