"""Time that passes at once: a loop which, when everybody waits, is at the next moment somebody waits for.

What a test says of time is then exact, however slow the machine. It is for what happens inside one thread: a
loop that skips the waiting cannot wait for sockets or other threads, and refuses them.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from typing import Any

from jackpot.client import Clocks
from jackpot.core.instants import SECOND

START = 1_700_000_000 * SECOND
"""The wall clock when a loop begins, in microseconds."""


class _Skipping(selectors.DefaultSelector):
    """Waits for nothing: it tells how long it would have waited."""

    def __init__(self, passed: Callable[[float], None]) -> None:
        super().__init__()
        self._passed = passed

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        if self.get_map():  # the first is the loop's own
            raise RuntimeError("in virtual time nobody waits for a socket")
        return super().register(fileobj, events, data)

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise RuntimeError("everybody waits, and for nothing that will come")
        self._passed(timeout)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Skipping(self._pass))

    def _pass(self, seconds: float) -> None:
        self._now += seconds

    def time(self) -> float:
        return self._now

    def run_in_executor(self, *_: Any) -> Any:  # type: ignore[override]
        raise RuntimeError("in virtual time nobody waits for a thread")


def passed() -> float:
    """Seconds since the running loop began."""
    return asyncio.get_running_loop().time()


def now() -> int:
    """Microseconds since 1970."""
    return START + round(passed() * SECOND)


def clocks() -> Clocks:
    """The running loop's time, as a client reads it."""
    return Clocks(wall=lambda: now() * 1000, steady=lambda: (now() - START) * 1000)
