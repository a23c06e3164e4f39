"""Whether the store can commit: asked by committing."""

from __future__ import annotations

import asyncio

from sqlalchemy import delete, insert

from jackpot.book.schema import pulse
from jackpot.book.stores import Store

PATIENCE = 3.0
KEPT = 24 * 3600 * 1_000_000
"""Microseconds after which the row of a process that is gone goes too."""


async def beat(store: Store, process: str, at: int) -> None:
    """Raises what the store says if it cannot."""
    old = (pulse.c.process == process) | (pulse.c.at < at - KEPT)
    async with asyncio.timeout(PATIENCE), store.transaction() as connection:
        await connection.execute(delete(pulse).where(old))
        await connection.execute(insert(pulse).values(process=process, at=at))
