"""What the floor file said when it was last applied, so that the next start knows what was changed in it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import delete, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.schema import floor_values
from jackpot.book.stores import Store

Value = Mapping[str, Any]
_APPLYING = 0x666C6F6F72


@asynccontextmanager
async def alone(store: Store) -> AsyncIterator[None]:
    """Of several processes that start at once, one after the other. A SQLite book has only one anyway."""
    if not store.shared:
        yield
        return
    async with store.transaction() as connection:
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _APPLYING})
        yield


async def applied(connection: AsyncConnection) -> dict[tuple[str, str], Value]:
    rows = await connection.execute(select(floor_values))
    return {(row.kind, row.id): json.loads(row.value) for row in rows}


async def apply_value(connection: AsyncConnection, kind: str, id: str, value: Value) -> None:
    await forget_value(connection, kind, id)
    data = json.dumps(value, sort_keys=True).encode()
    await connection.execute(insert(floor_values).values(kind=kind, id=id, value=data))


async def forget_value(connection: AsyncConnection, kind: str, id: str) -> None:
    await connection.execute(delete(floor_values).where(floor_values.c.kind == kind, floor_values.c.id == id))
