"""What the floor file said when it was last applied, so that the next start knows what was changed in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.calendar import KIND, Calendar, calendar_of
from jackpot.book.stores.base import Store
from jackpot.book.stores.schema import floor_values

Value = Mapping[str, Any]
_APPLYING = 0x666C6F6F72


def alone(store: Store) -> AbstractAsyncContextManager[None]:
    """Of several processes that start at once, one after the other."""
    return store.in_turn(_APPLYING)


async def applied(connection: AsyncConnection) -> dict[tuple[str, str], Value]:
    rows = await connection.execute(select(floor_values))
    return {(row.kind, row.id): json.loads(row.value) for row in rows}


async def calendar(connection: AsyncConnection) -> Calendar:
    """Gaming days as the floor file sets them, and as it set them before."""
    found = select(floor_values.c.id, floor_values.c.value).where(floor_values.c.kind == KIND)
    rows = await connection.execute(found)
    return calendar_of({(KIND, row.id): json.loads(row.value) for row in rows})


async def apply_values(connection: AsyncConnection, said: Sequence[tuple[str, str, Value]]) -> None:
    """By kind and id."""
    if not said:
        return
    same = floor_values.c.kind == bindparam("known_kind"), floor_values.c.id == bindparam("known_id")
    known = [{"known_kind": kind, "known_id": name} for kind, name, _ in said]
    await connection.execute(delete(floor_values).where(*same), known)
    values = [json.dumps(value, sort_keys=True).encode() for _, _, value in said]
    rows = [{"kind": one[0], "id": one[1], "value": value} for one, value in zip(said, values, strict=True)]
    await connection.execute(insert(floor_values), rows)


async def forget_value(connection: AsyncConnection, kind: str, id: str) -> None:
    await connection.execute(delete(floor_values).where(floor_values.c.kind == kind, floor_values.c.id == id))
