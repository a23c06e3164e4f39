"""What every store does: the port, and the statements that both databases understand.

A store gives transactions; what is written in one is durable when it ends, or did not happen.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from sqlalchemy import insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from jackpot.book.stores.house_time import Exchange, Kept
from jackpot.book.stores.migrating import check_schema, prepare, upgrade
from jackpot.book.stores.rows import JournalRow, LinkRow, Stand, TableRow, Versions, Writing
from jackpot.book.stores.schema import house, journal, links, tables

Ticks = Callable[[], int]
Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


class StoreRefused(Exception):
    """This store is not safe to serve from."""


class BackupRefused(Exception):
    pass


class Store(ABC):
    """Where a book is kept. Nobody outside this room asks which database it is: it asks the store."""

    shared: ClassVar[bool]
    """Whether other processes may write to it too."""
    guards: ClassVar[Sequence[str]]
    """Statements that make the database itself refuse to change what was written."""
    habits: ClassVar[Sequence[str]]
    """Statements that say how the database keeps its tables."""

    def __init__(self, engine: AsyncEngine, readers: AsyncEngine) -> None:
        self.engine, self._readers = engine, readers

    async def start(self) -> None:
        """Create the schema in an empty store; refuse one of another release."""
        async with self.engine.begin() as connection:
            await self._prepare(connection)

    async def _prepare(self, connection: AsyncConnection) -> None:
        await connection.run_sync(prepare, self.guards, self.habits)

    async def migrate(self) -> None:
        """Bring the store to the schema of this release. States are left as they are."""
        async with self.engine.begin() as connection:
            await connection.run_sync(upgrade, self.guards, self.habits)

    async def check_schema(self) -> None:
        """Refuse a store that has another schema than this release's."""
        async with self.engine.begin() as connection:
            await connection.run_sync(check_schema)

    def is_there(self) -> bool:
        """Whether there can be a book, as far as can be said without making one."""
        return True

    @abstractmethod
    def backup(self, target: Path, progress: Progress | None = None) -> None:
        """A consistent copy while the book is being written to; refused if other tools make it."""

    async def close(self) -> None:
        await self._readers.dispose()
        await self.engine.dispose()

    async def moved(self, *, within: float) -> None:
        """Wait until another server keeps the store, or the time is over."""
        await asyncio.sleep(within)

    @abstractmethod
    def alone(self) -> AbstractAsyncContextManager[None]:
        """While no service serves from this store, and none can begin to; refused if one does."""

    @abstractmethod
    def in_turn(self, key: int) -> AbstractAsyncContextManager[None]:
        """Of several processes that do what the key stands for, one after the other."""

    @abstractmethod
    async def join(self) -> bool:
        """Begin to serve: whether no other process does. Then none can begin to before `let_join`."""

    @abstractmethod
    async def let_join(self) -> None: ...

    @abstractmethod
    async def server_clock(self, connection: AsyncConnection, /) -> tuple[int, Kept]:
        """The server's time, and what is kept of house time; both of one moment."""

    @abstractmethod
    async def exchange(self, ticks: Ticks) -> Exchange:
        """The same, with the ticks before and after."""

    async def house_time(self, connection: AsyncConnection, /) -> int:
        """For who has no clock of its own."""
        server, kept = await self.server_clock(connection)
        return server + kept.ahead_at(server)

    async def keep_clock(self, connection: AsyncConnection, known: Kept, kept: Kept) -> bool:
        """False if it is not what was known any more."""
        same = [house.c[name] == value for name, value in known._asdict().items()]
        found = await connection.execute(update(house).where(*same).values(kept._asdict()))
        return found.rowcount == 1

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """One consistent view, in nobody's way."""
        async with self._readers.connect() as connection:
            yield connection

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """One state of the whole book, whatever is written meanwhile."""
        async with self.reading() as connection:
            yield connection

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self.engine.begin() as connection:
            yield connection

    async def load_link(self, connection: AsyncConnection, link: str) -> LinkRow:
        found = select(links.c.version, links.c.heard, links.c.state, links.c.layout).where(
            links.c.id == link
        )
        return LinkRow(*(await connection.execute(found)).one())

    async def load(self, connection: AsyncConnection, link: str) -> tuple[LinkRow, list[TableRow]]:
        row = await self.load_link(connection, link)
        found = await connection.execute(_TABLE_ROWS.where(tables.c.link == link).order_by(tables.c.id))
        return row, [TableRow(*one) for one in found]

    async def changed_since(self, connection: AsyncConnection, link: str, known: Versions) -> list[TableRow]:
        newer = or_(tables.c.version > known.version, tables.c.heard > known.heard)
        changed = _TABLE_ROWS.where(tables.c.link == link, newer)
        return [TableRow(*one) for one in await connection.execute(changed)]

    @property
    def generation(self) -> int:
        """Rises when another server may have taken over."""
        return 0

    async def stand(self, connection: AsyncConnection, link: str) -> Stand | None:
        return stand_of((await connection.execute(_STAND.where(links.c.id == link))).one_or_none())

    async def add_link(self, connection: AsyncConnection, link: str, row: LinkRow, entry: JournalRow) -> None:
        values = {"id": link, "sequence": entry.sequence, "head": entry.hash, "at": entry.at, **row._asdict()}
        await connection.execute(insert(links).values(values))
        await connection.execute(insert(journal).values({"link": link, **entry._asdict()}))

    async def add_tables(self, connection: AsyncConnection, link: str, rows: Sequence[TableRow]) -> None:
        if rows:
            await connection.execute(insert(tables), [{"link": link, **row._asdict()} for row in rows])

    async def take_table(self, connection: AsyncConnection, link: str, row: TableRow) -> bool:
        """One that another link or pit has given up in this transaction: whether it is there."""
        there = update(tables).where(tables.c.id == row.id)
        found = await connection.execute(there.values({"link": link, **row._asdict()}))
        return found.rowcount == 1

    async def held_links(self) -> set[str]:
        """Links that nobody can commit to, because somebody holds their row and does nothing with it."""
        return set()

    @abstractmethod
    async def lock(self, connection: AsyncConnection, link: str) -> Stand | None:
        """Where the link stands, ours alone until the transaction ends; None if there is no such link."""

    @abstractmethod
    async def write(self, connection: AsyncConnection, link: str, writing: Writing) -> bool:
        """Append to the journal, and save the state that it now implies. False, and nothing written, if
        another process has written meanwhile. Added tables are for `add_tables`."""

    @abstractmethod
    async def write_at_once(self, link: str, writing: Writing) -> bool:
        """The same as a transaction of its own, durable when it is done."""


KEPT = select(*(house.c[name] for name in Kept._fields))
_TABLE_ROWS = select(*(tables.c[name] for name in TableRow._fields))
_STAND = select(links.c.version, links.c.heard, links.c.head)


def stand_of(row: Any) -> Stand | None:
    return None if row is None else Stand(Versions(row.version, row.heard), row.head)
