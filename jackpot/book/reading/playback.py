"""The facts of a link's journal for whoever plays them again, and the state from which they went on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.entries import read_fact
from jackpot.book.reading.lookup import storable
from jackpot.book.reading.pages import is_pit, span
from jackpot.book.stores import snapshots
from jackpot.book.stores.base import Store
from jackpot.book.stores.committed import LinkUnknown
from jackpot.book.stores.rows import entry_bytes
from jackpot.book.stores.schema import SELDOM, journal, links
from jackpot.dryrun.alternative import Recorded
from jackpot.dryrun.run import readings_asked_for
from jackpot.link.facts import Entry, RoundContinued, Stamp
from jackpot.link.state import Link, Pit
from jackpot.machine.applying import apply, unborn

PAGE = 2_000


class NoJackpot(Exception):
    """A pit has no meter to play again."""


class NothingHappened(Exception):
    """The journal has no entry in that time."""


class Stretch(NamedTuple):
    """Entries of a journal, from the first to the last."""

    link: str
    first: int
    last: int
    cut: int
    """The last entry before it of which a snapshot is kept; 0 for none. A snapshot is taken as it is: whoever
    doubts it verifies the book."""
    readings: frozenset[int]
    """The entries to whose reading a malfunction of the stretch falls back."""

    @property
    def entries(self) -> int:
        return self.last - self.first + 1

    @property
    def to_read(self) -> int:
        """With those that lead to its beginning."""
        return self.last - self.cut


async def stretch(store: Store, link: str, since: int | None, until: int | None) -> Stretch:
    """The entries of a time, from `since` on and before `until`."""
    async with store.reading() as connection:
        if not storable(link) or not (await connection.execute(_KNOWN.where(links.c.id == link))).scalar():
            raise LinkUnknown(link)
        if await is_pit(connection, link):
            raise NoJackpot(f"{link} is a pit: it has no jackpot")
        before, last = await span(connection, link, since, until)
        if last <= before:
            raise NothingHappened(f"link {link} has no entries in that time")
        cuts = [one for one in await snapshots.kept(connection, link) if one <= before]
        readings = await _readings(connection, link, before, last)
        return Stretch(link, before + 1, last, max(cuts, default=0), readings)


_KNOWN = select(links.c.id)


async def _readings(connection: AsyncConnection, link: str, before: int, last: int) -> frozenset[int]:
    kind = RoundContinued.__name__
    found = (
        select(journal.c.data)
        .where(journal.c.link == link, text(SELDOM), journal.c.kind == kind)
        .where(journal.c.sequence > before, journal.c.sequence <= last)
    )
    rows = (await connection.execute(found)).scalars()
    return readings_asked_for([read_fact(link, kind, entry_bytes(row))[0] for row in rows])


async def begin(store: Store, found: Stretch, progress: Callable[[int], None]) -> Link | None:
    """The state before its first entry; None if that creates the link. `progress` is told how many more
    entries it took to make it."""
    state: Pit | None = None
    if found.cut:
        async with store.reading() as connection:
            state = snapshots.read_state(await snapshots.load(connection, found.link, found.cut))
    async for page in recorded(store, found.link, found.cut + 1, found.first - 1):
        for one in page:
            if state is None:
                state = unborn(Entry(one.stamp.sequence, one.stamp.at, one.fact, b"", ""))
            apply(state, one.fact, one.stamp)
        progress(len(page))
    return state if isinstance(state, Link) else None


async def recorded(store: Store, link: str, first: int, last: int) -> AsyncIterator[list[Recorded]]:
    """In pages, from the first entry to the last."""
    columns = journal.c.sequence, journal.c.at, journal.c.kind, journal.c.data
    wanted = select(*columns).where(journal.c.link == link).order_by(journal.c.sequence).limit(PAGE)
    while first <= last:
        here = wanted.where(journal.c.sequence >= first, journal.c.sequence <= last)
        async with store.reading() as connection:
            rows: list[Any] = list((await connection.execute(here)).all())
        if not rows:
            return
        yield [_recorded(link, row) for row in rows]
        first = rows[-1].sequence + 1


def _recorded(link: str, row: Any) -> Recorded:
    fact, rules, ends = read_fact(link, row.kind, entry_bytes(row.data))
    return Recorded(fact, Stamp(row.sequence, row.at, rules), ends)
