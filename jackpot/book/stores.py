"""SQLite and PostgreSQL behind the same few statements.

A store gives transactions; what is written in one is durable when it ends, or did not happen.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

import asyncpg
from sqlalchemy import event, insert, make_url, or_, select, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from jackpot.book.migrating import prepare
from jackpot.book.records import JournalRow, LinkRow, TableRow, Versions, Writing
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
        found = select(links.c.version, links.c.heard, links.c.state).where(links.c.id == link)
        return LinkRow(*(await connection.execute(found)).one())

    async def load(self, connection: AsyncConnection, link: str) -> tuple[LinkRow, list[TableRow]]:
        row = await self.load_link(connection, link)
        found = await connection.execute(_TABLE_ROWS.where(tables.c.link == link).order_by(tables.c.id))
        return row, [TableRow(*one) for one in found]

    async def changed_since(self, connection: AsyncConnection, link: str, known: Versions) -> list[TableRow]:
        newer = or_(tables.c.version > known.version, tables.c.heard > known.heard)
        changed = _TABLE_ROWS.where(tables.c.link == link, newer)
        return [TableRow(*one) for one in await connection.execute(changed)]

    async def versions(self, connection: AsyncConnection, link: str) -> Versions | None:
        found = (await connection.execute(_VERSIONS.where(links.c.id == link))).one_or_none()
        return None if found is None else Versions(*found)

    async def add_link(self, connection: AsyncConnection, link: str, row: LinkRow, entry: JournalRow) -> None:
        values = {"id": link, "sequence": entry.sequence, "head": entry.hash, "at": entry.at, **row._asdict()}
        await connection.execute(insert(links).values(values))
        await connection.execute(insert(journal).values({"link": link, **entry._asdict()}))

    async def add_tables(self, connection: AsyncConnection, link: str, rows: Sequence[TableRow]) -> None:
        if rows:
            await connection.execute(insert(tables), [{"link": link, **row._asdict()} for row in rows])

    @abstractmethod
    async def lock(self, connection: AsyncConnection, link: str) -> Versions | None:
        """The link's versions, ours alone until the transaction ends; None if there is no such link."""

    @abstractmethod
    async def write(self, connection: AsyncConnection, link: str, writing: Writing) -> bool:
        """Append to the journal, and save the state that it now implies. False, and nothing written, if
        another process has written meanwhile. Added tables are for `add_tables`."""

    @abstractmethod
    async def write_at_once(self, link: str, writing: Writing) -> bool:
        """The same as a transaction of its own, durable when it is done."""


_TABLE_ROWS = select(tables.c.id, tables.c.version, tables.c.heard, tables.c.state, tables.c.contact)
_VERSIONS = select(links.c.version, links.c.heard)


class SqliteStore(Store):
    """The embedded default: WAL, synchronous=FULL, one serving process."""

    shared = False

    def __init__(self, url: URL) -> None:
        self._path = url.database or ":memory:"
        self._lock: TextIO | None = None
        self._turn = asyncio.Lock()
        engine, readers = create_async_engine(url), create_async_engine(url)
        event.listen(engine.sync_engine, "connect", _sqlite_connected)
        event.listen(engine.sync_engine, "begin", _sqlite_begins_writing)
        event.listen(readers.sync_engine, "connect", _sqlite_connected)
        event.listen(readers.sync_engine, "begin", _sqlite_begins_reading)
        super().__init__(engine, readers)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        # SQLite lets one write and the others try again after growing pauses: here they wait in line.
        async with self._turn, super().transaction() as connection:
            yield connection

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

    async def lock(self, connection: AsyncConnection, link: str) -> Versions | None:
        return await self.versions(connection, link)

    async def write(self, connection: AsyncConnection, link: str, writing: Writing) -> bool:
        row, known = writing.row, writing.known
        if writing.entries:
            last = writing.entries[-1]
            values = {"sequence": last.sequence, "at": last.at, "head": last.hash, **row._asdict()}
        else:
            values = {"heard": row.heard}
        same = links.c.id == link, links.c.version == known.version, links.c.heard == known.heard
        found = await connection.execute(update(links).where(*same).values(values))
        if found.rowcount == 0:
            return False
        if writing.entries:
            rows = [{"link": link, **one._asdict()} for one in writing.entries]
            await connection.execute(insert(journal), rows)
        if writing.changed:
            await connection.execute(_SQLITE_SAVE_TABLES, [one._asdict() for one in writing.changed])
        if writing.contacts:
            said = [
                {"id": name, "contact": one, "heard": row.heard} for name, one in writing.contacts.items()
            ]
            await connection.execute(_SQLITE_SAVE_CONTACTS, said)
        return True

    async def write_at_once(self, link: str, writing: Writing) -> bool:
        async with self.transaction() as connection:
            return await self.write(connection, link, writing)


_SQLITE_SAVE_TABLES = text(
    "UPDATE tables SET version = :version, heard = :heard, state = :state, contact = :contact WHERE id = :id"
)
_SQLITE_SAVE_CONTACTS = text("UPDATE tables SET heard = :heard, contact = :contact WHERE id = :id")


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
        self._direct: dict[str, Any] = {}
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

    async def lock(self, connection: AsyncConnection, link: str) -> Versions | None:
        found = (await connection.execute(_LOCK, {"link": link})).one_or_none()
        return None if found is None else Versions(*found)

    async def write(self, connection: AsyncConnection, link: str, writing: Writing) -> bool:
        """In one statement: a trip to the server costs as much as several rows."""
        statement = _WRITE if writing.entries else _WRITE_CONTACTS
        found = await connection.execute(text(statement.named), _told(link, writing))
        return bool(found.scalar_one())

    async def write_at_once(self, link: str, writing: Writing) -> bool:
        """By the driver itself, on a connection of the link's own: with one statement there is nothing left
        for layers to do, and they cost as much as the rules of a bet."""
        statement, told = _WRITE if writing.entries else _WRITE_CONTACTS, _told(link, writing)
        direct = self._direct.pop(link, None) or await self._connected()
        try:
            written = bool(await direct.fetchval(statement.numbered, *[told[one] for one in statement.names]))
        except BaseException:
            direct.terminate()
            raise
        self._direct[link] = direct
        return written

    async def _connected(self) -> Any:
        plain = self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        return await asyncpg.connect(plain, timeout=CONNECT_TIMEOUT, command_timeout=STATEMENT_TIMEOUT)

    async def close(self) -> None:
        for direct in self._direct.values():
            try:
                await direct.close(timeout=1)
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
                direct.terminate()
        self._direct.clear()
        await super().close()
        await asyncio.sleep(0)  # a connection that was cut is let go in the loop's next turn


def _told(link: str, writing: Writing) -> dict[str, Any]:
    row, known = writing.row, writing.known
    told: dict[str, Any] = {"link": link, "known_version": known.version, "known_heard": known.heard}
    if not writing.entries:
        said = writing.contacts
        return told | {"heard": row.heard, "c_id": list(said), "c_contact": list(said.values())}
    last = writing.entries[-1]
    told |= {"sequence": last.sequence, "at": last.at, "head": last.hash, **row._asdict()}
    told |= {f"j_{name}": one for name, one in _columns(JournalRow._fields, writing.entries).items()}
    return told | {f"t_{name}": one for name, one in _columns(TableRow._fields, writing.changed).items()}


def _columns(fields: Sequence[str], rows: Sequence[Any]) -> dict[str, list[Any]]:
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in fields]
    return dict(zip(fields, columns, strict=True))


_TYPES = {
    "sequence": "bigint",
    "at": "bigint",
    "round": "bigint",
    "value": "bigint",
    "version": "bigint",
    "heard": "bigint",
    "data": "bytea",
    "reading": "bytea",
    "state": "bytea",
    "contact": "bytea",
}


def _unnested(prefix: str, fields: Sequence[str]) -> str:
    arrays = ", ".join(f"CAST(:{prefix}_{name} AS {_TYPES.get(name, 'text')}[])" for name in fields)
    return f"unnest({arrays}) AS {prefix}({', '.join(fields)})"


class Statement:
    """With named parameters, as SQLAlchemy takes it, and with numbered ones, as the driver does."""

    def __init__(self, named: str) -> None:
        self.named = named
        self.names = list(dict.fromkeys(_PARAMETER.findall(named)))
        self.numbered = _PARAMETER.sub(lambda found: f"${self.names.index(found[1]) + 1}", named)


_PARAMETER = re.compile(r":(\w+)")
_LOCK = text("SELECT version, heard FROM links WHERE id = :link FOR UPDATE")
_SAME = "WHERE id = :link AND version = :known_version AND heard = :known_heard RETURNING id"
_WRITE = Statement(
    "WITH moved AS (UPDATE links SET version = :version, heard = :heard, sequence = :sequence, at = :at, "  # noqa: S608  our own names
    f"head = :head, state = :state {_SAME}), "
    f"appended AS (INSERT INTO journal (link, {', '.join(JournalRow._fields)}) "
    f"SELECT moved.id, j.* FROM moved, {_unnested('j', JournalRow._fields)}), "
    "saved AS (UPDATE tables SET version = t.version, heard = t.heard, state = t.state, contact = t.contact "
    f"FROM moved, {_unnested('t', TableRow._fields)} WHERE tables.id = t.id) "
    "SELECT count(*) FROM moved"
)
_WRITE_CONTACTS = Statement(
    f"WITH moved AS (UPDATE links SET heard = :heard {_SAME}), "  # noqa: S608  our own names
    "saved AS (UPDATE tables SET heard = :heard, contact = c.contact "
    f"FROM moved, {_unnested('c', ('id', 'contact'))} WHERE tables.id = c.id) "
    "SELECT count(*) FROM moved"
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
