"""The state of every link as the book says now, for metrics: the same at each replica.

It is read at most once a second, however often anybody asks.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.audit import first_id
from jackpot.book.book import Book
from jackpot.book.reading.pages import current, link_names
from jackpot.book.stores.rows import Unreadable
from jackpot.book.stores.schema import journal, receipts
from jackpot.book.writing.writer import TROUBLE
from jackpot.core.instants import SECOND
from jackpot.link.state import Pit

AT_MOST_EVERY = 1.0
PATIENCE = 3.0
TELLING = 300 * SECOND
"""A sign that has told nothing for so long is no longer listened for."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One link or pit, and what its signs told of it."""

    link: Pit
    signs: int
    behind: int
    """Microseconds for which the sign furthest behind has shown an old reading."""


class Watch:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._read_at = -AT_MOST_EVERY
        self._reading = asyncio.Lock()
        self.seen: list[Seen] = []
        self.readable = True
        self._unreadable: set[str] = set()

    async def look(self) -> list[Seen]:
        """What was last seen, if the book cannot be read."""
        async with self._reading:
            if time.monotonic() - self._read_at >= AT_MOST_EVERY:
                await self._look()
                self._read_at = time.monotonic()
        return self.seen

    async def _look(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE), self._book.store.reading() as connection:
                names = await link_names(connection)
                found = [await self._seen_or_before(connection, name) for name in names]
            self.seen = [one for one in found if one is not None]
            self.readable = not self._unreadable
        except TROUBLE:
            self.readable = False

    async def _seen_or_before(self, connection: AsyncConnection, name: str) -> Seen | None:
        """Of a link whose state cannot be read, what was last seen of it; the others are not hurt."""
        try:
            seen = await self._seen(connection, name)
        except Unreadable:
            self._unreadable.add(name)
            return next((one for one in self.seen if one.link.id == name), None)
        self._unreadable.discard(name)
        return seen

    async def _seen(self, connection: AsyncConnection, name: str) -> Seen:
        link = await current(self._book.store, connection, name)
        told, elsewhere = await self._told(connection, name), await self._elsewhere(connection, name)
        oldest = min((told[sign] for sign in told.keys() - elsewhere), default=link.sequence)
        if oldest >= link.sequence:
            return Seen(link, len(told), 0)
        here = journal.c.link == name, journal.c.sequence == oldest + 1
        overtaken = (await connection.execute(select(journal.c.at).where(*here))).scalar()
        return Seen(link, len(told), max(0, self._book.clock.now() - (overtaken or link.time)))

    async def _told(self, connection: AsyncConnection, link: str) -> dict[str, int]:
        """The latest entry that each sign has shown, as far as its token proves it."""
        since = first_id(self._book.clock.now() - TELLING)
        lately = receipts.c.id >= since, receipts.c.link == link, receipts.c.verified
        latest = select(receipts.c.sign, func.max(receipts.c.sequence)).where(*lately)
        return {row[0]: row[1] for row in await connection.execute(latest.group_by(receipts.c.sign))}

    async def _elsewhere(self, connection: AsyncConnection, link: str) -> set[str]:
        """Signs whose turn another link has: they told of it last."""
        since = first_id(self._book.clock.now() - TELLING)
        last = select(receipts.c.sign, func.max(receipts.c.id).label("id")).where(
            receipts.c.id >= since, receipts.c.verified
        )
        newest = last.group_by(receipts.c.sign).subquery()
        others = (
            select(receipts.c.sign).join(newest, receipts.c.id == newest.c.id).where(receipts.c.link != link)
        )
        return set((await connection.execute(others)).scalars())
