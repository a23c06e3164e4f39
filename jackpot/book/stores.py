"""SQLite and PostgreSQL behind the same few statements.

A store gives transactions; what is written in one is durable when it ends, or did not happen.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import asyncpg
from sqlalchemy import event, insert, make_url, or_, select, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from jackpot.book import disk, primary
from jackpot.book.files import make_private
from jackpot.book.house_time import Exchange, Kept
from jackpot.book.migrating import WAITED, prepare
from jackpot.book.primary import Line, Servers, StoreRefused, no_nameless_session
from jackpot.book.records import JournalRow, LinkRow, Stand, TableRow, Versions, Writing
from jackpot.book.schema import STATE, house, journal, links, tables
from jackpot.book.statements import FREE, LOCK, WRITE, WRITE_CONTACTS, parameters

SERVING = 0x6A61636B706F75
"""The lock of PostgreSQL that every service shares, for as long as it serves."""
LOOK_AGAIN = 0.1
"""Seconds between two looks at a row that is held."""
Ticks = Callable[[], int]
DEFAULT_URL = "sqlite+aiosqlite:///book.db"


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

    async def moved(self, *, within: float) -> None:
        """Wait until another server keeps the store, or the time is over."""
        await asyncio.sleep(within)

    @abstractmethod
    def alone(self) -> AbstractAsyncContextManager[None]:
        """While no service serves from this store, and none can begin to; refused if one does."""

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
        return _stand((await connection.execute(_STAND.where(links.c.id == link))).one_or_none())

    async def add_link(self, connection: AsyncConnection, link: str, row: LinkRow, entry: JournalRow) -> None:
        values = {"id": link, "sequence": entry.sequence, "head": entry.hash, "at": entry.at, **row._asdict()}
        await connection.execute(insert(links).values(values))
        await connection.execute(insert(journal).values({"link": link, **entry._asdict()}))

    async def add_tables(self, connection: AsyncConnection, link: str, rows: Sequence[TableRow]) -> None:
        if rows:
            await connection.execute(insert(tables), [{"link": link, **row._asdict()} for row in rows])

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


_KEPT = select(*(house.c[name] for name in Kept._fields))
_TABLE_ROWS = select(*(tables.c[name] for name in TableRow._fields))
_STAND = select(links.c.version, links.c.heard, links.c.head)


def _stand(row: Any) -> Stand | None:
    return None if row is None else Stand(Versions(row.version, row.heard), row.head)


def wall_clock() -> int:
    """In microseconds."""
    return time.time_ns() // 1000


class SqliteStore(Store):
    """The embedded default: WAL, synchronous=FULL, one serving process."""

    shared = False

    def __init__(self, url: URL, *, hurried: bool = True) -> None:
        self.wall = wall_clock
        """The server's clock is this machine's."""
        self._path = url.database or ":memory:"
        folder = Path(self._path).parent
        if not folder.is_dir():
            raise StoreRefused(f"there is no folder {folder}")
        self._lock: TextIO | None = None
        self._turn, self._hurried = asyncio.Lock(), hurried
        self._file = file = disk.Disk(url, hurried=hurried)
        engine = create_async_engine(url, async_creator=file.writer)
        readers = create_async_engine(url, async_creator=file.reader)
        for one in (engine, readers):
            event.listen(one.sync_engine, "connect", _sqlite_connected)
            event.listen(one.sync_engine, "checkout", _sqlite_taken)
        event.listen(engine.sync_engine, "begin", _sqlite_begins_writing)
        event.listen(readers.sync_engine, "begin", _sqlite_begins_reading)
        super().__init__(engine, readers)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        # SQLite lets one write and the others try again after growing pauses: here they wait in line.
        async with asyncio.timeout(disk.WRITE_TIMEOUT if self._hurried else None):
            await self._turn.acquire()
        try:
            async with super().transaction() as connection:
                yield connection
        finally:
            self._turn.release()

    async def start(self) -> None:
        self._lock = _only_process(f"{os.path.realpath(self._path)}.lock")
        await super().start()

    async def close(self) -> None:
        await super().close()
        self._let_others()

    def _let_others(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        self._lock = _only_process(f"{os.path.realpath(self._path)}.lock")
        try:
            yield
        finally:
            self._let_others()

    async def join(self) -> bool:
        return True

    async def let_join(self) -> None:
        pass

    async def server_clock(self, connection: AsyncConnection, /) -> tuple[int, Kept]:
        kept = Kept(*(await connection.execute(_KEPT)).one())
        return self.wall(), kept

    async def exchange(self, ticks: Ticks) -> Exchange:
        async with self.reading() as connection:
            kept = Kept(*(await connection.execute(_KEPT)).one())
        asked, server = ticks(), self.wall()
        return Exchange(asked, ticks(), server, kept)

    async def lock(self, connection: AsyncConnection, link: str) -> Stand | None:
        return await self.stand(connection, link)

    async def write(self, connection: AsyncConnection, link: str, writing: Writing) -> bool:
        row, (known, head) = writing.row, writing.known
        if writing.entries:
            last = writing.entries[-1]
            values = {"sequence": last.sequence, "at": last.at, "head": last.hash, **row._asdict()}
        else:
            values = {"heard": row.heard}
        same = links.c.version == known.version, links.c.heard == known.heard, links.c.head == head
        found = await connection.execute(update(links).where(links.c.id == link, *same).values(values))
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
    f"UPDATE tables SET version = :version, heard = :heard, {STATE} = :state, contact = :contact, "  # noqa: S608  our own
    "layout = :layout WHERE id = :id"
)
_SQLITE_SAVE_CONTACTS = text("UPDATE tables SET heard = :heard, contact = :contact WHERE id = :id")


def _sqlite_connected(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=3000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _sqlite_taken(connection: Any, *_: object) -> None:
    if connection.driver_connection.given_up:
        raise DisconnectionError("the line was given up")


def _sqlite_begins_writing(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _sqlite_begins_reading(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN")


def _only_process(path: str) -> TextIO:
    try:
        make_private(Path(path))
        lock = Path(path).open("a+")  # noqa: SIM115  it is held for as long as the book is open
    except OSError as trouble:
        raise StoreRefused(f"the book cannot be opened: {trouble}") from trouble
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
    clock_sql = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"

    def __init__(self, url: URL, *, standby_required: bool = False, hurried: bool = True) -> None:
        self._servers = Servers(url, standby_required=standby_required, hurried=hurried)
        self._direct: dict[str, tuple[int, Line]] = {}
        self._watch: tuple[int, Any] | None = None
        self._serves = False
        # Those who find none free wait: a connection costs more to make than most of what it is asked.
        known: dict[str, Any] = {"isolation_level": "READ COMMITTED", "pool_size": 8, "pool_timeout": 10}
        writing, reading = self._servers.writer, self._servers.reader
        engine = create_async_engine(url, max_overflow=8, async_creator=writing, **known)
        readers = create_async_engine(url, max_overflow=0, async_creator=reading, **known)
        for one in (engine, readers):
            event.listen(one.sync_engine, "connect", self._connected)
            event.listen(one.sync_engine, "checkout", self._taken)
        super().__init__(engine, readers)

    def _connected(self, _connection: Any, record: Any) -> None:
        record.info["generation"] = self._servers.generation

    def _taken(self, connection: Any, record: Any, _proxy: object) -> None:
        """Not asked whether it is still there: a line that was cut is known to be, and a server that may be
        silent, since the line is older than the last trouble, would not answer that either."""
        line = connection.driver_connection
        if line.is_closed() or record.info["generation"] != self._servers.generation:
            line.terminate()
            raise DisconnectionError("the line was cut")

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        with self._distrusting():
            async with super().transaction() as connection:
                yield connection

    @contextmanager
    def _distrusting(self) -> Iterator[None]:
        """A server that did not answer a write, or what its time is. Whoever only stops waiting is cancelled
        instead, and whoever reads may have asked for much: neither says anything of the server."""
        generation = self._servers.generation
        try:
            yield
        except TimeoutError:
            self._servers.distrust(generation)
            raise

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        line = await self._servers.writer()
        try:
            if not await line.fetchval("SELECT pg_try_advisory_lock($1)", SERVING):
                raise StoreRefused("a service serves this book: stop it first")
            await no_nameless_session(line)
            yield
        finally:
            line.terminate()

    async def moved(self, *, within: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._servers.moved.wait()
        self._servers.moved.clear()

    async def join(self) -> bool:
        line = await self._clock_line()
        while not await line.fetchval("SELECT pg_try_advisory_lock($1)", SERVING):
            if await self._shares(line):
                return False
            await asyncio.sleep(WAITED)
        return True

    async def let_join(self) -> None:
        line = await self._clock_line()
        await self._shares(line)
        await line.fetchval("SELECT pg_advisory_unlock($1)", SERVING)

    async def _shares(self, line: Any) -> bool:
        """Whether others can see that this process serves."""
        if not self._serves:
            self._serves = bool(await line.fetchval("SELECT pg_try_advisory_lock_shared($1)", SERVING))
        return self._serves

    def _asked_for_clock(self) -> str:
        return f"SELECT {self.clock_sql} AS server, {', '.join(Kept._fields)} FROM house"  # noqa: S608  our own

    async def server_clock(self, connection: AsyncConnection, /) -> tuple[int, Kept]:
        server, *kept = (await connection.execute(text(self._asked_for_clock()))).one()
        return int(server), Kept(*kept)

    async def exchange(self, ticks: Ticks) -> Exchange:
        """On a line of its own, which also says that this process lives."""
        line = await self._clock_line()
        try:
            with self._distrusting():
                await self._shares(line)
                asked = ticks()
                server, *kept = await line.fetchrow(self._asked_for_clock())
            return Exchange(asked, ticks(), int(server), Kept(*kept))
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as trouble:
            line.terminate()
            raise ConnectionResetError(str(trouble)) from trouble
        except BaseException:
            line.terminate()
            raise

    async def _clock_line(self) -> Any:
        """Not older than the last trouble."""
        if self._watch is not None:
            generation, line = self._watch
            if generation == self._servers.generation and not line.is_closed():
                return line
            line.terminate()
        line = await self._servers.writer()
        self._watch, self._serves = (self._servers.generation, line), False
        return line

    @property
    def generation(self) -> int:
        return self._servers.generation

    async def held_links(self) -> set[str]:
        """Those that are held whenever we look, while their versions stay the same; for as long as a commit
        would wait for them."""
        loop = asyncio.get_running_loop()
        until, held = loop.time() + primary.LOCK_TIMEOUT, await self._held_now()
        while held and loop.time() < until:
            await asyncio.sleep(LOOK_AGAIN)
            still = await self._held_now()
            held = {link: known for link, known in held.items() if still.get(link) == known}
        return set(held)

    async def _held_now(self) -> dict[str, Versions]:
        with self._distrusting():
            async with self.engine.connect() as connection:  # nothing to commit: the rows are free at once
                found = (await connection.execute(FREE)).all()
        return {row.id: Versions(row.version, row.heard) for row in found if not row.free}

    async def lock(self, connection: AsyncConnection, link: str) -> Stand | None:
        return _stand((await connection.execute(LOCK, {"link": link})).one_or_none())

    async def write(self, connection: AsyncConnection, link: str, writing: Writing) -> bool:
        """In one statement: a trip to the server costs as much as several rows."""
        statement = WRITE if writing.entries else WRITE_CONTACTS
        found = await connection.execute(text(statement.named), parameters(link, writing))
        return bool(found.scalar_one())

    async def write_at_once(self, link: str, writing: Writing) -> bool:
        """By the driver itself, on a connection of the link's own: with one statement there is nothing left
        for layers to do, and they cost as much as the rules of a bet."""
        statement, told = WRITE if writing.entries else WRITE_CONTACTS, parameters(link, writing)
        direct = await self._own_line(link)
        try:
            with self._distrusting():
                found = await direct.fetchval(statement.numbered, *[told[one] for one in statement.names])
        except BaseException:
            direct.terminate()
            raise
        self._direct[link] = self._servers.generation, direct
        return bool(found)

    async def _own_line(self, link: str) -> Any:
        if link not in self._direct:
            return await self._servers.writer()
        generation, direct = self._direct.pop(link)
        if generation != self._servers.generation:
            direct.terminate()
            raise ConnectionResetError("an older connection than the last trouble")
        return direct

    async def close(self) -> None:
        lines = [*self._direct.values(), *([self._watch] if self._watch is not None else [])]
        for _, direct in lines:
            try:
                await direct.close(timeout=1)
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
                direct.terminate()
        self._direct.clear()
        self._watch = None
        await super().close()
        await asyncio.sleep(0)  # a connection that was cut is let go in the loop's next turn


def existing_store(url: str) -> Store:
    """For those who only read: a book that is not there must not be made by looking for it."""
    store = store_of(url, hurried=False)
    path = store.engine.url.database
    if not store.shared and not Path(path or "").is_file():
        raise StoreRefused(f"there is no book at {path}")
    return store


def address(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # the second: a port that is no number
        raise StoreRefused("that is not the address of a store") from None


def store_of(url: str, *, standby_required: bool = False, hurried: bool = True) -> Store:
    """Hurried: a server or a disk that is silent for seconds is given up. A migration has time."""
    parsed = address(url)
    if parsed.drivername == "sqlite+aiosqlite":
        return SqliteStore(parsed, hurried=hurried)
    if parsed.drivername == "postgresql+asyncpg":
        return PostgresStore(parsed, standby_required=standby_required, hurried=hurried)
    raise StoreRefused(f"{parsed.drivername} is no store of ours: sqlite+aiosqlite or postgresql+asyncpg")
