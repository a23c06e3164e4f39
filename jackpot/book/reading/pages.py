"""The journal in pages: what happened, bounded in size, each page saying where the next one begins."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Select, select, text
from sqlalchemy.exc import NoResultFound
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.lookup import last_before, storable
from jackpot.book.stores.base import Store
from jackpot.book.stores.committed import LinkUnknown, PitUnknown
from jackpot.book.stores.rows import entry_bytes, hash_of, read_pit
from jackpot.book.stores.schema import SELDOM, journal, links, tables
from jackpot.core.refusals import TableUnknown
from jackpot.link.facts import BetsClosed, Fact, HandsReported, names_of, read_entry
from jackpot.link.pit_facts import PitBetsClosed, PitCreated, PitHandsReported
from jackpot.link.state import Link, Pit

WINDOW = 20_000
"""How many entries a page looks through for those of one table, so that a rare one costs nobody much."""
READ = 2_000
"""The same, where the entries have to be read to know."""
FREQUENT = names_of(BetsClosed | HandsReported | PitBetsClosed | PitHandsReported)


class Recorded(NamedTuple):
    """An entry as the book keeps it."""

    sequence: int
    at: int
    kind: str
    table: str | None
    round: int | None
    value: int
    hash: str
    data: bytes

    def fact(self, link: str) -> Fact:
        return read_entry(link, self.data, "").fact

    def told(self) -> dict[str, Any]:
        """The entry as it was hashed, parsed."""
        return dict(json.loads(self.data))


_COLUMNS = (
    journal.c.sequence,
    journal.c.at,
    journal.c.kind,
    journal.c.tbl,
    journal.c.round,
    journal.c.value,
    journal.c.hash,
    journal.c.digest,
    journal.c.data,
)


async def current(store: Store, connection: AsyncConnection, link: str) -> Pit:
    """The link or pit as its rows say now, whichever process wrote them."""
    if not storable(link):
        raise LinkUnknown(link)
    try:
        return read_pit(*await store.load(connection, link))
    except NoResultFound:
        raise LinkUnknown(link) from None


async def current_link(store: Store, connection: AsyncConnection, link: str) -> Link:
    """The same of a link; a pit is none."""
    found = await current(store, connection, link)
    if not isinstance(found, Link):
        raise LinkUnknown(link)
    return found


async def current_pit(store: Store, connection: AsyncConnection, name: str) -> Pit:
    """The same of a pit; a link is none here."""
    try:
        found = await current(store, connection, name)
    except LinkUnknown:
        raise PitUnknown(name) from None
    if isinstance(found, Link):
        raise PitUnknown(name)
    return found


async def link_names(connection: AsyncConnection) -> list[str]:
    return list((await connection.execute(select(links.c.id).order_by(links.c.id))).scalars())


async def link_of_table(connection: AsyncConnection, table: str) -> str:
    found = select(tables.c.link).where(tables.c.id == table)
    link = (await connection.execute(found)).scalar() if storable(table) else None
    if link is None:
        raise TableUnknown(f"no link has a table {table[:80]!r}", table=table[:80])
    return str(link)


async def place_of_round(connection: AsyncConnection, table: str, number: int) -> str:
    """The link or pit in which a round was played; where the table plays now, if it was never played."""
    here = await link_of_table(connection, table)
    names = [here, *(name for name in await link_names(connection) if name != here)]
    for name in names if abs(number) < 2**63 else ():
        place = journal.c.link == name, journal.c.tbl == table, journal.c.round == number
        found = select(journal.c.sequence).where(*place).limit(1)
        if (await connection.execute(found)).scalar() is not None:
            return name
    return here


async def is_pit(connection: AsyncConnection, name: str) -> bool:
    first = select(journal.c.kind).where(journal.c.link == name, journal.c.sequence == 1)
    return (await connection.execute(first)).scalar() == PitCreated.__name__


async def links_of_tables(connection: AsyncConnection) -> dict[str, str]:
    """The link of every table there is."""
    return {row.id: row.link for row in await connection.execute(select(tables.c.id, tables.c.link))}


async def recorded(connection: AsyncConnection, found: Select[Any]) -> list[Recorded]:
    """In the order of the journal. Sorted here: asked to sort, SQLite may prefer a slower index."""
    return sorted(_recorded(row) for row in await connection.execute(found))


def _recorded(row: Any) -> Recorded:
    place = row.sequence, row.at, row.kind, row.tbl, row.round
    return Recorded(*place, row.value, hash_of(row), entry_bytes(row.data))


def entries_of(link: str) -> Select[Any]:
    return select(*_COLUMNS).where(journal.c.link == link)


async def entries_at(connection: AsyncConnection, link: str, sequences: Iterable[int]) -> dict[int, Recorded]:
    found = await recorded(connection, entries_of(link).where(journal.c.sequence.in_(set(sequences))))
    return {one.sequence: one for one in found}


async def entries_of_kinds(
    connection: AsyncConnection, link: str, kinds: Sequence[str], *, first: int, last: int
) -> list[Recorded]:
    """Of kinds that are seldom: between two entries, both included."""
    wanted = entries_of(link).where(text(SELDOM), journal.c.kind.in_(kinds))
    return await recorded(connection, wanted.where(journal.c.sequence.between(first, last)))


async def entries_of_round(connection: AsyncConnection, link: str, table: str, number: int) -> list[Recorded]:
    if abs(number) >= 2**63:
        return []
    return await recorded(
        connection, entries_of(link).where(journal.c.tbl == table, journal.c.round == number)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Which entries: after a sequence, of one kind, of one table, from one time up to another, that say
    some text; with `before` the latest of them first."""

    after: int = 0
    before: int | None = None
    kind: str | None = None
    table: str | None = None
    since: int | None = None
    until: int | None = None
    says: str | None = None
    limit: int = 100

    @property
    def window(self) -> int | None:
        """How many entries a page looks through; None if it need not look through any."""
        if self.says is not None:
            return READ
        return None if self.table is None else WINDOW


class Page(NamedTuple):
    entries: list[Recorded]
    next: int | None
    """Ask for what comes after this (or before, backwards); None at the end of what was asked for."""


async def journal_page(connection: AsyncConnection, link: str, wanted: Wanted) -> Page:
    first, last = await span(connection, link, wanted.since, wanted.until)
    after = max(wanted.after, first)
    end = last if wanted.window is None else min(last, after + wanted.window)
    found = _filtered(link, wanted).where(journal.c.sequence > after, journal.c.sequence <= end)
    page = await recorded(connection, found.order_by(journal.c.sequence).limit(wanted.window or wanted.limit))
    page = _saying(page, wanted.says)[: wanted.limit]
    if len(page) == wanted.limit:
        end = page[-1].sequence
    return Page(page, end if end < last else None)


async def journal_page_before(connection: AsyncConnection, link: str, wanted: Wanted) -> Page:
    """Backwards, the latest first."""
    first, last = await span(connection, link, wanted.since, wanted.until)
    before = last + 1 if wanted.before is None else min(last + 1, wanted.before)
    start = first if wanted.window is None else max(first, before - 1 - wanted.window)
    found = _filtered(link, wanted).where(journal.c.sequence > start, journal.c.sequence < before)
    found = found.order_by(journal.c.sequence.desc()).limit(wanted.window or wanted.limit)
    page = _saying(await recorded(connection, found), wanted.says)[::-1][: wanted.limit]
    if len(page) == wanted.limit:
        start = page[-1].sequence - 1
    return Page(page, start + 1 if start > first else None)


def _filtered(link: str, wanted: Wanted) -> Select[Any]:
    found = entries_of(link)
    if wanted.kind is not None:
        found = found.where(journal.c.kind == wanted.kind)
        found = found if wanted.kind in FREQUENT else found.where(text(SELDOM))
    return found if wanted.table is None else found.where(journal.c.tbl == wanted.table)


def _saying(entries: list[Recorded], says: str | None) -> list[Recorded]:
    """Those in which the text stands, in small letters or capitals."""
    if says is None:
        return entries
    wanted = says.casefold()
    return [one for one in entries if wanted in one.data.decode().casefold()]


async def span(
    connection: AsyncConnection, link: str, since: int | None, until: int | None
) -> tuple[int, int]:
    """The entry before the first and the last one of a time from `since` on and before `until`."""
    first = 0 if since is None else await last_before(connection, link, since)
    head = select(links.c.sequence).where(links.c.id == link)
    last = (
        int((await connection.execute(head)).scalar_one())
        if until is None
        else await last_before(connection, link, until)
    )
    return first, last
