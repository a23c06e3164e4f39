"""Waiting for what really happens elsewhere: it ends with the event, on however busy a machine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds: nothing takes so long. Whoever waits in vain is told so, instead of waiting for ever."""
_LOOK_EVERY = 0.02


def until(look: Callable[[], T], what: Callable[[], str] | str = "it did not happen") -> T:
    """What is found, once something is."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < deadline, what if isinstance(what, str) else what()
        time.sleep(_LOOK_EVERY)
    return found


async def eventually(look: Callable[[], Awaitable[T]]) -> T:
    """The same beside a running loop."""
    deadline = time.monotonic() + PATIENCE
    while not (found := await look()):
        assert time.monotonic() < deadline, "it did not happen"
        await asyncio.sleep(_LOOK_EVERY)
    return found


class Steady:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now
