"""Which links are stopped, for every process that serves them: their book was found to deny itself."""

from __future__ import annotations

from sqlalchemy import delete, select

from jackpot.book.stores.base import Store
from jackpot.book.stores.inserting import insert_new
from jackpot.book.stores.schema import stops

LONGEST = 500


async def stopped_links(store: Store) -> dict[str, str]:
    """Why, by link."""
    async with store.reading() as connection:
        return {row.link: row.why for row in await connection.execute(select(stops.c.link, stops.c.why))}


async def note_stop(store: Store, link: str, why: str, *, at: int) -> None:
    """The first reason stays."""
    async with store.transaction() as connection:
        row = {"link": link, "at": at, "why": why[:LONGEST]}
        await insert_new(connection, stops, [row])


async def lift_stop(store: Store, link: str) -> None:
    async with store.transaction() as connection:
        await connection.execute(delete(stops).where(stops.c.link == link))
