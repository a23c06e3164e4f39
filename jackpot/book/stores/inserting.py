"""Inserting what may be there already, in words that both databases understand."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table, TextClause, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

Rows = list[dict[str, Any]]


def inserting(table: Table, otherwise: str) -> TextClause:
    """A whole row, or what is said otherwise if its key is there."""
    names = [column.name for column in table.c]
    values = ", ".join(f":{name}" for name in names)
    added = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({values}) ON CONFLICT {otherwise}"  # noqa: S608  our own names
    return text(added).bindparams(*(bindparam(one.name, type_=one.type) for one in table.c))


async def insert_new(connection: AsyncConnection, table: Table, rows: Rows) -> None:
    """What an earlier attempt may have written is recognised by its key, and left."""
    if rows:
        await connection.execute(inserting(table, "DO NOTHING"), rows)
