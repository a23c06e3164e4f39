"""The table's own clock, and how far it is from the House's.

Each heartbeat is an exchange of four stamps: sent and answered by the table's clock, received and replied
by the House's. The offset lies within half of what the way took; of the last exchanges the surest one counts.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from jackpot.instants import SECOND

KEPT = 8
DRIFT_PPM = 200
WRONG_AFTER = 60 * SECOND
"""A clock that is set back by more than this was wrong before, and is to be believed now."""


class Clocks(Struct, frozen=True):
    """The computer's two clocks in nanoseconds: `wall` counts from 1970 and may be set, `steady` may not."""

    wall: Callable[[], int] = time.time_ns
    steady: Callable[[], int] = time.monotonic_ns


class TableClock:
    """Microseconds since 1970 that never fall while it runs, whatever is done to the computer's clock; nor
    between two runs (`last` is the latest stamp of the one before), unless that clock was far ahead then."""

    def __init__(self, clocks: Clocks | None = None, *, last: int = 0) -> None:
        clocks = clocks or Clocks()
        self._steady = clocks.steady
        now = clocks.wall()
        ahead = last * 1000 - now
        self._base = (now + ahead if 0 < ahead <= WRONG_AFTER * 1000 else now) - clocks.steady()

    def now(self) -> int:
        return (self._base + self._steady()) // 1000


class Measured(Struct, frozen=True):
    """House time is table time plus `offset`, give or take `error`; both in microseconds."""

    offset: int
    error: int


class _Exchange(Struct, frozen=True):
    offset: int
    error: int
    at: int

    def aged(self, now: int) -> Measured:
        drift = -(-abs(now - self.at) * DRIFT_PPM // 1_000_000)
        return Measured(self.offset, self.error + drift)


class Measurement:
    def __init__(self) -> None:
        self._kept: deque[_Exchange] = deque(maxlen=KEPT)

    def add(self, sent: int, received: int, replied: int, answered: int) -> None:
        """`sent` and `answered` by the table's clock, `received` and `replied` by the House's."""
        way = (answered - sent) - (replied - received)
        if way < 0 or replied < received:
            return  # no two sound clocks say that
        offset = ((received - sent) + (replied - answered)) // 2
        exchange = _Exchange(offset, way // 2 + 1, answered)
        if self._contradicts(exchange):
            self._kept.clear()
        self._kept.append(exchange)

    def _contradicts(self, exchange: _Exchange) -> bool:
        """One of the clocks was set since the earlier exchanges."""
        best = self.best(exchange.at)
        return best is not None and abs(best.offset - exchange.offset) > best.error + exchange.error

    def best(self, now: int) -> Measured | None:
        # The least error now, not then: an old exchange must have been so much better to count still.
        return min((one.aged(now) for one in self._kept), key=lambda one: one.error, default=None)
