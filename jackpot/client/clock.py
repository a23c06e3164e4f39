"""The table's own clock. How far it is from house time, the House measures."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from jackpot.core.instants import SECOND

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
