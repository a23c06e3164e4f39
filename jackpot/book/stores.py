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
from sqlalchemy.exc import ArgumentError
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

    def __init__(self, engine: AsyncEngine, readers: AsyncEngine) -> None:
        self.engine, self._readers = engine, readers

    async def start(self) -> None:
        await prepare(self.engine)

    async def close(self) -> None:
        await self._readers.dispose()
        await self.engine.dispose()

    @abstractmethod
    async def house_time(self, connection: AsyncConnection, /) -> int: ...

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """One consistent view, in nobody's way."""
        async with self._readers.connect() as connection:
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
    async def lock(
        self, connection: AsyncConnection, link: str, names: Sequence[str] | None
    ) -> tuple[int, dict[str, bytes]] | None:
        """The link's version, ours alone until the transaction ends, and what these tables (all for None)
        last said to other processes; None if there is no such link."""

    @abstractmethod
    async def write(
        self,
        connection: AsyncConnection,
        link: str,
        row: LinkRow,
        entries: Sequence[JournalRow],
        changed: Sequence[TableRow],
    ) -> None:
        """Append to the journal, and save the state that it now implies."""

    @abstractmethod
    async def save_contacts(self, connection: AsyncConnection, contacts: dict[str, bytes]) -> None: ...


_TABLE_ROWS = select(tables.c.id, tables.c.version, tables.c.state, tables.c.contact)


class SqliteStore(Store):
    """The embedded default: WAL, synchronous=FULL, one serving process."""

    shared = False

    def __init__(self, url: URL) -> None:
        self._path = url.database or ":memory:"
        self._lock: TextIO | None = None
        engine, readers = create_async_engine(url), create_async_engine(url)
        event.listen(engine.sync_engine, "connect", _sqlite_connected)
        event.listen(engine.sync_engine, "begin", _sqlite_begins_writing)
        event.listen(readers.sync_engine, "connect", _sqlite_connected)
        event.listen(readers.sync_engine, "begin", _sqlite_begins_reading)
        super().__init__(engine, readers)

    async def start(self) -> None:
        self._lock = _only_process(f"{self._path}.lock")
        await super().start()

    async def close(self) -> None:
        await super().close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def house_time(self, _connection: AsyncConnection, /) -> int:
        return time.time_ns() // 1000

    async def lock(
        self, connection: AsyncConnection, link: str, _names: Sequence[str] | None
    ) -> tuple[int, dict[str, bytes]] | None:
        version = (await connection.execute(select(links.c.version).where(links.c.id == link))).scalar()
        return None if version is None else (version, {})

    async def write(
        self,
        connection: AsyncConnection,
        link: str,
        row: LinkRow,
        entries: Sequence[JournalRow],
        changed: Sequence[TableRow],
    ) -> None:
        await connection.execute(insert(journal), [{"link": link, **one._asdict()} for one in entries])
        if changed:
            await connection.execute(_SQLITE_SAVE_TABLES, [one._asdict() for one in changed])
        last = entries[-1]
        values = {"sequence": last.sequence, "at": last.at, "head": last.hash, **row._asdict()}
        await connection.execute(update(links).where(links.c.id == link).values(values))

    async def save_contacts(self, connection: AsyncConnection, contacts: dict[str, bytes]) -> None:
        said = [{"id": name, "contact": contact} for name, contact in contacts.items()]
        await connection.execute(text("UPDATE tables SET contact = :contact WHERE id = :id"), said)


_SQLITE_SAVE_TABLES = text(
    "UPDATE tables SET version = :version, state = :state, contact = :contact WHERE id = :id"
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
        known: dict[str, Any] = {
            "connect_args": {"timeout": CONNECT_TIMEOUT, "command_timeout": STATEMENT_TIMEOUT},
            "isolation_level": "READ COMMITTED",
        }
        engine = create_async_engine(url, pool_size=8, max_overflow=8, **known)
        # The writer tries again by itself; a reader asks first whether its connection is still there.
        super().__init__(engine, create_async_engine(url, pool_size=4, pool_pre_ping=True, **known))

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

    async def lock(
        self, connection: AsyncConnection, link: str, names: Sequence[str] | None
    ) -> tuple[int, dict[str, bytes]] | None:
        known = {"link": link, "all": names is None, "names": list(names or ())}
        rows = (await connection.execute(_LOCK, known)).all()
        return (
            None
            if not rows
            else (rows[0].version, {row.id: row.contact for row in rows if row.id is not None})
        )

    async def write(
        self,
        connection: AsyncConnection,
        link: str,
        row: LinkRow,
        entries: Sequence[JournalRow],
        changed: Sequence[TableRow],
    ) -> None:
        """In one statement: a trip to the server costs as much as several rows."""
        columns = {f"j_{name}": values for name, values in _columns(JournalRow._fields, entries).items()}
        columns |= {f"t_{name}": values for name, values in _columns(TableRow._fields, changed).items()}
        last = entries[-1]
        state = {"sequence": last.sequence, "at": last.at, "head": last.hash, **row._asdict()}
        await connection.execute(_WRITE, {"link": link, **state, **columns})

    async def save_contacts(self, connection: AsyncConnection, contacts: dict[str, bytes]) -> None:
        known = {"c_id": list(contacts), "c_contact": list(contacts.values())}
        await connection.execute(_SAVE_CONTACTS, known)


def _columns(fields: Sequence[str], rows: Sequence[Any]) -> dict[str, list[Any]]:
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in fields]
    return dict(zip(fields, columns, strict=True))


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


def _unnested(prefix: str, fields: Sequence[str]) -> str:
    arrays = ", ".join(f"CAST(:{prefix}_{name} AS {_TYPES.get(name, 'text')}[])" for name in fields)
    return f"unnest({arrays}) AS {prefix}({', '.join(fields)})"


_LOCK = text(
    "SELECT l.version, t.id, t.contact FROM links AS l LEFT JOIN tables AS t "
    "ON t.link = l.id AND (:all OR t.id = ANY(CAST(:names AS text[]))) WHERE l.id = :link FOR UPDATE OF l"
)
_WRITE = text(
    f"WITH appended AS (INSERT INTO journal (link, {', '.join(JournalRow._fields)}) "  # noqa: S608  our own names
    f"SELECT :link, j.* FROM {_unnested('j', JournalRow._fields)}), "
    "saved AS (UPDATE tables SET version = t.version, state = t.state, contact = t.contact "
    f"FROM {_unnested('t', TableRow._fields)} WHERE tables.id = t.id) "
    "UPDATE links SET version = :version, sequence = :sequence, at = :at, head = :head, state = :state "
    "WHERE id = :link"
)
_SAVE_CONTACTS = text(
    f"UPDATE tables SET contact = c.contact FROM {_unnested('c', ('id', 'contact'))} WHERE tables.id = c.id"  # noqa: S608
)


def existing_store(url: str) -> Store:
    """For those who only read: a book that is not there must not be made by looking for it."""
    store = store_of(url)
    path = store.engine.url.database
    if not store.shared and not Path(path or "").is_file():
        raise StoreRefused(f"there is no book at {path}")
    return store


def store_of(url: str) -> Store:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreRefused("that is not the address of a store") from None
    if parsed.drivername == "sqlite+aiosqlite":
        return SqliteStore(parsed)
    if parsed.drivername == "postgresql+asyncpg":
        return PostgresStore(parsed)
    raise StoreRefused(f"{parsed.drivername} is no store of ours: sqlite+aiosqlite or postgresql+asyncpg")
