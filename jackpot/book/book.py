"""The book of a house: its links, each with its journal, its state and its one writer in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator

from sqlalchemy import select

from jackpot.book.batch import LinkUnknown
from jackpot.book.clock import HouseClock
from jackpot.book.records import LinkRow, journal_row, link_bytes
from jackpot.book.schema import house, journal, links
from jackpot.book.stores import Store, store_of
from jackpot.book.writer import Writer
from jackpot.commands import Command
from jackpot.facts import Entry, read_entry
from jackpot.link import Outcome, create_link
from jackpot.parameters import Parameters
from jackpot.payout import registered

PAGE = 2_000


class Book:
    """`submit` a command, read what happened `since` an entry."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = HouseClock()
        self.epoch = ""
        self._writers: dict[str, Writer] = {}

    @classmethod
    async def open(cls, url: str) -> Book:
        book = cls(store_of(url))
        await book.store.start()
        await book.clock.measure(book.store)
        async with book.store.engine.connect() as connection:
            book.epoch = (await connection.execute(select(house.c.epoch))).scalar_one()
            names = (await connection.execute(select(links.c.id))).scalars().all()
        for name in names:
            book._serve(name)
        return book

    async def close(self) -> None:
        for writer in self._writers.values():
            await writer.stop()
        await self.store.close()

    @property
    def links(self) -> list[str]:
        return sorted(self._writers)

    def writer(self, link: str) -> Writer:
        if link not in self._writers:
            raise LinkUnknown(link)
        return self._writers[link]

    async def create(self, id: str, name: str, currency: str, parameters: Parameters) -> None:
        link, entry = create_link(id, name, currency, parameters, at=self.clock.now())
        async with self.store.transaction() as connection:
            await self.store.add_link(connection, id, LinkRow(1, link_bytes(link)), entry.hash, entry.at)
            await self.store.append(connection, id, [journal_row(entry, registered(link), None)])
        self._serve(id)

    async def submit(self, link: str, command: Command) -> Outcome:
        return await self.writer(link).submit(command)

    async def since(self, link: str, sequence: int = 0) -> AsyncIterator[Entry]:
        """The journal's entries after one, in order, a page at a time."""
        head = await self._hash_at(link, sequence)
        columns = (
            select(journal.c.sequence, journal.c.data)
            .where(journal.c.link == link)
            .order_by(journal.c.sequence)
        )
        while True:
            async with self.store.engine.connect() as connection:
                page = (
                    await connection.execute(columns.where(journal.c.sequence > sequence).limit(PAGE))
                ).all()
            for row in page:
                entry = read_entry(row.data, head)
                sequence, head = entry.sequence, entry.hash
                yield entry
            if len(page) < PAGE:
                return

    async def _hash_at(self, link: str, sequence: int) -> str:
        if sequence == 0:
            return ""
        found = select(journal.c.hash).where(journal.c.link == link, journal.c.sequence == sequence)
        async with self.store.engine.connect() as connection:
            return str((await connection.execute(found)).scalar_one())

    def _serve(self, link: str) -> None:
        self._writers[link] = Writer(self.store, link, self.clock)
        self._writers[link].start()
