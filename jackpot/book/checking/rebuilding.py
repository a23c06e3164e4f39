"""State made anew from the journal: after a migration, and where a stored state cannot be used.

Nothing may serve the book meanwhile. What tables last said of themselves is not in the journal, so every
contact begins empty. A journal that denies itself, or that another release has gone on with, is left alone:
from that nothing can be rebuilt.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, inspect, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.identities import check_names
from jackpot.book.checking.difference import Difference
from jackpot.book.checking.records import stored_history
from jackpot.book.stores.base import Store
from jackpot.book.stores.migrating import links_of_other_layouts
from jackpot.book.stores.packing import unpack
from jackpot.book.stores.rows import (
    LinkRow,
    TableRow,
    contact_bytes,
    entry_bytes,
    hash_of,
    link_bytes,
    table_bytes,
)
from jackpot.book.stores.schema import claims, handovers, journal, links, rollups, tables, wins
from jackpot.book.writing.batch import history_statements
from jackpot.book.writing.rollups import roll_up_all
from jackpot.core.versions import LAYOUT
from jackpot.link.facts import Entry, ForeignEntry, UnknownVersion, read_entry
from jackpot.link.state import Contact, Pit
from jackpot.machine.applying import replayed
from jackpot.machine.invariants import InvariantBroken, check

PAGE = 2_000
Progress = Callable[[str, int, int], None]
"""Told of a link how many more of its entries were read, and how many there are."""
_HISTORIES = (wins, claims, handovers)
_BESIDE = (*_HISTORIES, rollups)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    link: str
    entries: int
    differed: tuple[str, ...]
    """What was stored otherwise than the journal implies, in words."""


async def migrate_book(store: Store, progress: Progress) -> list[Rebuilt]:
    """Bring a store to the schema of this release, and with it every state that another release wrote."""
    async with store.engine.begin() as connection:
        await connection.run_sync(check_names)
        needed = await connection.run_sync(_written_otherwise)
    if not needed:
        await store.migrate()
        return []
    async with store.alone():
        await store.migrate()
        rebuilt = [await rebuild(store, link, progress) for link in needed]
        await roll_up_all(store)
        return rebuilt


def _written_otherwise(connection: Connection) -> list[str]:
    """The links of which a state has another layout than this release's."""
    found = inspect(connection)
    if not found.has_table("links"):
        return []
    if "layout" not in {one["name"] for one in found.get_columns("links")}:
        return sorted(connection.execute(text("SELECT id FROM links")).scalars())
    return links_of_other_layouts(connection)


async def rebuild(store: Store, link: str, progress: Progress) -> Rebuilt:
    """In one transaction: a link is rebuilt as a whole, or left as it was."""
    async with store.transaction() as connection:
        stored = (await connection.execute(select(links).where(links.c.id == link))).one_or_none()
        if stored is None:
            raise Difference(link, None, "the book has no such link")
        work = _Rebuilding(connection, link, stored)
        return await work.carry_out(progress)


class _Rebuilding:
    def __init__(self, connection: AsyncConnection, link: str, stored: Any) -> None:
        self._connection, self._link, self._stored = connection, link, stored
        self._differed: list[str] = []

    async def carry_out(self, progress: Progress) -> Rebuilt:
        before = await stored_history(self._connection, self._link)
        for table in _BESIDE:
            await self._connection.execute(delete(table).where(table.c.link == self._link))
        link = await self._replayed(progress)
        await self._put_link(link)
        await self._put_tables(link)
        if before != await stored_history(self._connection, self._link):
            self._differed.append("the record of wins and claims")
        return Rebuilt(self._link, link.sequence, tuple(self._differed))

    async def _replayed(self, progress: Progress) -> Pit:
        link: Pit | None = None
        async for page in self._pages():
            link = self._applied(page, link)
            progress(self._link, len(page), self._stored.sequence)
        if link is None or link.sequence < self._stored.sequence:
            last = 0 if link is None else link.sequence
            missing = f"the journal ends with {last}, but entry {self._stored.sequence} was written"
            raise Difference(self._link, last + 1, missing)
        return link

    def _applied(self, page: list[Entry], link: Pit | None) -> Pit:
        try:
            link = replayed(page, link)
            check(link)
        except (InvariantBroken, ValueError, KeyError, TypeError) as denied:
            raise Difference(self._link, None, f"entries up to {page[-1].sequence}: {denied}") from denied
        return link

    async def _pages(self) -> AsyncIterator[list[Entry]]:
        columns = select(journal.c.sequence, journal.c.data, journal.c.hash, journal.c.digest).order_by(
            journal.c.sequence
        )
        last, head = 0, ""
        while True:
            wanted = columns.where(journal.c.link == self._link, journal.c.sequence > last).limit(PAGE)
            rows = (await self._connection.execute(wanted)).all()
            page: list[Entry] = []
            for row in rows:
                page.append(self._read(row, last + 1, head))
                last, head = page[-1].sequence, page[-1].hash
                for statement in history_statements(self._link, page[-1]):
                    await self._connection.execute(statement)
            if page:
                yield page
            if len(rows) < PAGE:
                return

    def _read(self, row: Any, sequence: int, head: str) -> Entry:
        try:
            entry = read_entry(self._link, entry_bytes(row.data), head)
        except UnknownVersion as unknown:
            written = f"{unknown}: another release wrote it, which this one does not know"
            raise Difference(self._link, row.sequence, written) from unknown
        except (ForeignEntry, ValueError, KeyError, TypeError) as denied:
            raise Difference(self._link, row.sequence, f"{denied}") from denied
        if (entry.sequence, row.sequence) != (sequence, sequence):
            raise Difference(self._link, sequence, f"the journal goes on with {row.sequence}")
        if entry.hash != hash_of(row):
            raise Difference(
                self._link, sequence, "it is not what was hashed: nothing can be rebuilt from it"
            )
        return entry

    async def _put_link(self, link: Pit) -> None:
        stored, row = (
            self._stored,
            LinkRow(self._stored.version + 1, self._stored.heard + 1, link_bytes(link)),
        )
        place = {"sequence": link.sequence, "at": link.time, "head": link.head}
        await self._connection.execute(
            update(links).where(links.c.id == link.id).values(place | row._asdict())
        )
        if (stored.sequence, stored.at, stored.head) != tuple(place.values()):
            self._differed.append("where the journal ends")
        self._compare("the link's state", stored, row)

    async def _put_tables(self, link: Pit) -> None:
        found = await self._connection.execute(select(tables).where(tables.c.link == link.id))
        stored = {row.id: row for row in found}
        versions = self._stored.version + 1, self._stored.heard + 1
        for name in sorted(stored.keys() - link.tables.keys()):
            await self._connection.execute(delete(tables).where(tables.c.id == name))
            self._differed.append(f"table {name}, which the journal does not know")
        for name, table in sorted(link.tables.items()):
            row = TableRow(name, *versions, table_bytes(table), contact_bytes(Contact()))
            if name in stored:
                await self._connection.execute(
                    update(tables).where(tables.c.id == name).values(row._asdict())
                )
                self._compare(f"the state of table {name}", stored[name], row)
            else:
                await self._connection.execute(insert(tables).values(row._asdict() | {"link": link.id}))
                self._differed.append(f"table {name}, which was missing")

    def _compare(self, what: str, stored: Any, row: LinkRow | TableRow) -> None:
        """Only what this release wrote can be compared with what it would write."""
        if stored.layout != LAYOUT:
            self._differed.append(f"{what}: written by another release (layout {stored.layout})")
        elif (names := _fields_that_differ(bytes(stored.state), row.state)) is None:
            self._differed.append(f"{what}: it could not be read")
        elif names:
            self._differed.append(f"{what}: {', '.join(names)}")


def _fields_that_differ(stored: bytes, implied: bytes) -> list[str] | None:
    try:
        was, is_ = json.loads(unpack(stored)), json.loads(unpack(implied))
        return sorted(name for name in was.keys() | is_.keys() if was.get(name) != is_.get(name))
    except (ValueError, AttributeError):
        return None
