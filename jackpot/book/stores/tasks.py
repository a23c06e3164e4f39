"""Ending what runs beside the requests."""

from __future__ import annotations

import asyncio
from typing import Any

SAID_AGAIN_AFTER = 5.0
"""Seconds. Whoever is told twice while it closes a line does not close it."""


async def end(*tasks: asyncio.Task[Any] | None, again: float = SAID_AGAIN_AFTER) -> None:
    """Cancel them, and wait until they have ended: one that is left with a line to the store, when the loop
    ends, may keep it from ending. A cancellation that meets a timeout can be lost, so it is said again."""
    running = {one for one in tasks if one is not None}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=again)
