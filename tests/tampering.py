"""Changing a book by hand, past its guards."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from jackpot.book.book import Book
from jackpot.book.stores.base import Store
from jackpot.book.stores.packing import pack, unpack


async def tamper(book: Book, *statements: Any) -> None:
    """As somebody would who has the database in his hands."""
    await tamper_with(book.store, *statements)


async def tamper_with(store: Store, *statements: Any) -> None:
    async with store.transaction() as connection:
        await connection.run_sync(_unguard)
        for statement in statements:
            await connection.execute(statement)


def _unguard(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        for table in ("journal", "snapshots"):
            for act in ("update", "delete"):
                connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_no_{act}")
    else:
        for table in ("journal", "snapshots"):
            connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER ALL")


def altered(kept: bytes, part: bytes, other: bytes) -> bytes:
    """Packed bytes with another word in what they say, as somebody would forge them who can pack."""
    said = unpack(bytes(kept))
    assert part in said
    return pack(said.replace(part, other))
