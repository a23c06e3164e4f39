"""A link in the store at one moment: what its journal is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.checking.difference import Difference
from jackpot.book.checking.records import History, stored_history
from jackpot.book.reading.meters import reached
from jackpot.book.stores.base import Store
from jackpot.book.stores.rows import Unreadable, read_pit
from jackpot.book.stores.schema import journal, links
from jackpot.link.state import Pit


@dataclass(frozen=True, slots=True)
class Picture:
    """A link in the store at one moment, whatever is written meanwhile."""

    link: Pit
    row: Any
    last: int
    """The last entry of its journal."""
    history: History
    rolled_up: int
    """The entry of the last roll-up."""


async def picture(store: Store, link: str, *, since: int = 0, past: bool = True) -> Picture:
    """With `since`, of wins, claims and slips only what was open after that entry; without `past` nothing."""
    async with store.snapshot() as connection:
        found = (await connection.execute(select(links).where(links.c.id == link))).one_or_none()
        if found is None:
            raise Difference(link, None, "it has a journal but no row")
        row, tables = await store.load(connection, link)
        try:
            state = read_pit(row, tables)
        except Unreadable as denied:
            raise Difference(link, None, f"{denied}") from denied
        return Picture(
            state,
            found,
            await last_entry(connection, link),
            await stored_history(connection, link, since) if past else History(),
            await reached(connection, link),
        )


async def journal_sizes(store: Store) -> dict[str, int]:
    """The last entry of every link that has a row or a journal."""
    async with store.reading() as connection:
        named = (await connection.execute(select(links.c.id))).scalars().all()
        names = sorted({*named, *await _with_journal(connection)})
        return {name: await last_entry(connection, name) for name in names}


async def _with_journal(connection: AsyncConnection) -> list[str]:
    """From one name to the next: a journal is long, its links are few."""
    found = [""]
    while True:
        after = select(func.min(journal.c.link)).where(journal.c.link > found[-1])
        following = (await connection.execute(after)).scalar()
        if following is None:
            return found[1:]
        found.append(following)


async def last_entry(connection: AsyncConnection, link: str) -> int:
    found = select(func.max(journal.c.sequence)).where(journal.c.link == link)
    return (await connection.execute(found)).scalar() or 0


def compare_state(found: Picture, link: Pit) -> None:
    """Whether the store's state is the one that the journal implies."""
    row = found.row
    if found.rolled_up > link.sequence:
        raise Difference(link.id, found.rolled_up, "it is rolled up, but it is not in the journal")
    if (row.sequence, row.at, row.head) != (link.sequence, link.time, link.head):
        raise Difference(link.id, None, "the link's row is not at the end of its journal")
    stored = found.link
    for name in sorted(stored.tables.keys() | link.tables.keys()):
        if stored.tables.get(name) != link.tables.get(name):
            raise Difference(link.id, None, f"the state of table {name} is not what the journal implies")
    if stored != link:
        raise Difference(link.id, None, "the link's state is not what the journal implies")
