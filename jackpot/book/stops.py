"""Which links are stopped, for every process that serves them: their book was found to deny itself."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from jackpot.book.schema import stops
from jackpot.book.stores import Store

LONGEST = 500


async def stopped_links(store: Store) -> dict[str, str]:
    """Why, by link."""
    async with store.reading() as connection:
        return {row.link: row.why for row in await connection.execute(select(stops.c.link, stops.c.why))}


async def note_stop(store: Store, link: str, why: str, *, at: int) -> None:
    """The first reason stays."""
    async with store.transaction() as connection:
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        row = {"link": link, "at": at, "why": why[:LONGEST]}
        await connection.execute(dialect.insert(stops).values(row).on_conflict_do_nothing())


async def lift_stop(store: Store, link: str) -> None:
    async with store.transaction() as connection:
        await connection.execute(delete(stops).where(stops.c.link == link))
