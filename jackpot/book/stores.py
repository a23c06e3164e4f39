"""SQLite and PostgreSQL behind the same few statements.

A store gives transactions; what is written in one is durable when it ends, or did not happen.
"""

from __future__ import annotations

import fcntl
import os
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

from sqlalchemy import event, insert, make_url, select, text, update
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from jackpot.book.migrating import prepare
from jackpot.book.records import JournalRow, LinkRow, TableRow
from jackpot.book.schema import journal, links, tables

DEFAULT_URL = "sqlite+aiosqlite:///book.db"
STATEMENT_TIMEOUT = 10
CONNECT_TIMEOUT = 3


class StoreRefused(Exception):
    """This store is not safe to serve from."""


class Store(ABC):
    """What both stores share."""

    shared: bool
    """Whether other processes may write to it too."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    async def start(self) -> None:
        await prepare(self.engine)

    async def close(self) -> None:
        await self.engine.dispose()

    @abstractmethod
    async def house_time(self, connection: AsyncConnection, /) -> int: ...

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """One consistent view, in nobody's way."""
        async with self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self.engine.begin() as connection:
            yield connection

    async def load_link(self, connection: AsyncConnection, link: str) -> LinkRow:
        found = select(links.c.version, links.c.state).where(links.c.id == link)
        return LinkRow(*(await connection.execute(found)).one())

    async def load(self, connection: AsyncConnection, link: str) -> tuple[LinkRow, list[TableRow]]:
        row = await self.load_link(connection, link)
        found = await connection.execute(_TABLE_ROWS.where(tables.c.link == link).order_by(tables.c.id))
        return row, [TableRow(*one) for one in found]

    async def changed_since(self, connection: AsyncConnection, link: str, version: int) -> list[TableRow]:
        changed = _TABLE_ROWS.where(tables.c.link == link, tables.c.version > version)
        return [TableRow(*one) for one in await connection.execute(changed)]

    async def add_link(
        self, connection: AsyncConnection, link: str, row: LinkRow, head: str, at: int
    ) -> None:
        values = {"id": link, "sequence": 1, "head": head, "at": at, **row._asdict()}
        await connection.execute(insert(links).values(values))

    async def add_tables(self, connection: AsyncConnection, link: str, rows: Sequence[TableRow]) -> None:
        if rows:
            await connection.execute(insert(tables), [{"link": link, **row._asdict()} for row in rows])

    @abstractmethod
    async def lock(self, connection: AsyncConnection, link: str) -> int | None:
        """The link's version, ours alone until the transaction ends; None if there is no such link."""
        ...

    @abstractmethod
    async def contacts(
        self, connection: AsyncConnection, link: str, names: Sequence[str] | None
    ) -> dict[str, bytes]:
        """What tables last said of themselves; of all tables for None."""
        ...

    @abstractmethod
    async def append(self, connection: AsyncConnection, link: str, rows: Sequence[JournalRow]) -> None: ...

    @abstractmethod
    async def save_tables(self, connection: AsyncConnection, rows: Sequence[TableRow]) -> None: ...

    @abstractmethod
    async def save_contacts(self, connection: AsyncConnection, contacts: dict[str, bytes]) -> None: ...

    async def save_link(self, connection: AsyncConnection, link: str, row: LinkRow, last: JournalRow) -> None:
        values = {"sequence": last.sequence, "at": last.at, "head": last.hash, **row._asdict()}
        await connection.execute(update(links).where(links.c.id == link).values(values))


_TABLE_ROWS = select(tables.c.id, tables.c.version, tables.c.state, tables.c.contact)


class SqliteStore(Store):
    """The embedded default: WAL, synchronous=FULL, one serving process."""

    shared = False

    def __init__(self, url: URL) -> None:
        self._path = url.database or ":memory:"
        self._lock: TextIO | None = None
        engine, self._readers = create_async_engine(url), create_async_engine(url)
        event.listen(engine.sync_engine, "connect", _sqlite_connected)
        event.listen(engine.sync_engine, "begin", _sqlite_begins_writing)
        event.listen(self._readers.sync_engine, "connect", _sqlite_connected)
        event.listen(self._readers.sync_engine, "begin", _sqlite_begins_reading)
        super().__init__(engine)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        async with self._readers.connect() as connection:
            yield connection

    async def start(self) -> None:
        self._lock = _only_process(f"{self._path}.lock")
        await super().start()

    async def close(self) -> None:
        await self._readers.dispose()
        await super().close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def house_time(self, _connection: AsyncConnection, /) -> int:
        return time.time_ns() // 1000

    async def lock(self, connection: AsyncConnection, link: str) -> int | None:
        return (await connection.execute(select(links.c.version).where(links.c.id == link))).scalar()

    async def contacts(
        self, connection: AsyncConnection, link: str, names: Sequence[str] | None
    ) -> dict[str, bytes]:
        found = select(tables.c.id, tables.c.contact).where(tables.c.link == link)
        if names is not None:
            found = found.where(tables.c.id.in_(names))
        return {row.id: row.contact for row in await connection.execute(found)}

    async def append(self, connection: AsyncConnection, link: str, rows: Sequence[JournalRow]) -> None:
        await connection.execute(insert(journal), [{"link": link, **row._asdict()} for row in rows])

    async def save_tables(self, connection: AsyncConnection, rows: Sequence[TableRow]) -> None:
        statement = text(
            "UPDATE tables SET version = :version, state = :state, contact = :contact WHERE id = :id"
        )
        await connection.execute(statement, [row._asdict() for row in rows])

    async def save_contacts(self, connection: AsyncConnection, contacts: dict[str, bytes]) -> None:
        statement = text("UPDATE tables SET contact = :contact WHERE id = :id")
        await connection.execute(
            statement, [{"id": name, "contact": said} for name, said in contacts.items()]
        )


def _sqlite_connected(connection: Any, _record: object) -> None:
    # The driver must not begin transactions by itself: ours begin IMMEDIATE, see below.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _sqlite_begins_writing(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _sqlite_begins_reading(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN")


def _only_process(path: str) -> TextIO:
    lock = Path(path).open("a+")  # noqa: SIM115  it is held for as long as the book is open
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise StoreRefused(f"another process (pid {owner}) serves this book already") from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


class PostgresStore(Store):
    """Production: any number of processes, ordered by the lock of the link's row."""

    shared = True

    def __init__(self, url: URL) -> None:
        timeouts = {"timeout": CONNECT_TIMEOUT, "command_timeout": STATEMENT_TIMEOUT}
        engine = create_async_engine(
            url, pool_size=8, max_overflow=8, connect_args=timeouts, isolation_level="READ COMMITTED"
        )
        super().__init__(engine)

    async def start(self) -> None:
        async with self.engine.connect() as connection:
            durable = (await connection.execute(text("SHOW synchronous_commit"))).scalar_one()
            flushed = (await connection.execute(text("SHOW fsync"))).scalar_one()
        if durable == "off" or flushed == "off":
            raise StoreRefused(
                f"synchronous_commit is {durable}, fsync is {flushed}: a commit would not be durable"
            )
        await super().start()

    async def house_time(self, connection: AsyncConnection, /) -> int:
        clock = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)")
        return int((await connection.execute(clock)).scalar_one())

    async def lock(self, connection: AsyncConnection, link: str) -> int | None:
        statement = text("SELECT version FROM links WHERE id = :link FOR UPDATE")
        return (await connection.execute(statement, {"link": link})).scalar()

    async def contacts(
        self, connection: AsyncConnection, link: str, names: Sequence[str] | None
    ) -> dict[str, bytes]:
        statement = _ALL_CONTACTS if names is None else _SOME_CONTACTS
        known = {"link": link} if names is None else {"link": link, "names": list(names)}
        return {row.id: row.contact for row in await connection.execute(statement, known)}

    async def append(self, connection: AsyncConnection, link: str, rows: Sequence[JournalRow]) -> None:
        columns = dict(zip(JournalRow._fields, map(list, zip(*rows, strict=True)), strict=True))
        await connection.execute(_APPEND, {"link": link, **columns})

    async def save_tables(self, connection: AsyncConnection, rows: Sequence[TableRow]) -> None:
        columns = dict(zip(TableRow._fields, map(list, zip(*rows, strict=True)), strict=True))
        await connection.execute(_SAVE_TABLES, columns)

    async def save_contacts(self, connection: AsyncConnection, contacts: dict[str, bytes]) -> None:
        known = {"id": list(contacts), "contact": list(contacts.values())}
        await connection.execute(_SAVE_CONTACTS, known)


_TYPES = {
    "sequence": "bigint",
    "at": "bigint",
    "round": "bigint",
    "value": "bigint",
    "version": "bigint",
    "data": "bytea",
    "reading": "bytea",
    "state": "bytea",
    "contact": "bytea",
}


def _unnested(fields: Sequence[str]) -> str:
    return ", ".join(f"CAST(:{name} AS {_TYPES.get(name, 'text')}[])" for name in fields)


_APPEND = text(
    f"INSERT INTO journal (link, {', '.join(JournalRow._fields)}) "  # noqa: S608  our own column names
    f"SELECT :link, * FROM unnest({_unnested(JournalRow._fields)})"
)
_SAVE_TABLES = text(
    "UPDATE tables SET version = d.version, state = d.state, contact = d.contact "  # noqa: S608
    f"FROM unnest({_unnested(TableRow._fields)}) AS d(id, version, state, contact) WHERE tables.id = d.id"
)
_SAVE_CONTACTS = text(
    "UPDATE tables SET contact = d.contact "  # noqa: S608
    f"FROM unnest({_unnested(('id', 'contact'))}) AS d(id, contact) WHERE tables.id = d.id"
)
_SOME_CONTACTS = text(
    "SELECT id, contact FROM tables WHERE link = :link AND id = ANY(CAST(:names AS text[]))"
)
_ALL_CONTACTS = text("SELECT id, contact FROM tables WHERE link = :link")


def store_of(url: str) -> Store:
    parsed = make_url(url)
    if parsed.drivername == "sqlite+aiosqlite":
        return SqliteStore(parsed)
    if parsed.drivername == "postgresql+asyncpg":
        return PostgresStore(parsed)
    raise StoreRefused(f"{parsed.drivername} is no store of ours: sqlite+aiosqlite or postgresql+asyncpg")
