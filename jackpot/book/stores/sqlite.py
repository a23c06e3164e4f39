"""A book in a SQLite file: the embedded default, for one serving process."""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TextIO

from sqlalchemy import event, insert, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from jackpot.book.stores import sqlite_lines
from jackpot.book.stores.base import KEPT, Progress, Store, StoreRefused, Ticks
from jackpot.book.stores.files import make_private
from jackpot.book.stores.house_time import Exchange, Kept
from jackpot.book.stores.rows import Stand, Writing
from jackpot.book.stores.schema import APPEND_ONLY, STATE, journal, links
from jackpot.book.stores.sqlite_backup import copy_book


def wall_clock() -> int:
    """In microseconds."""
    return time.time_ns() // 1000


_ABORT = "RAISE(ABORT, 'the {} is append-only')"


def _guards() -> list[str]:
    """A journal or an audit that is only ever added to."""
    changing = [
        f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
        f"BEGIN SELECT {_ABORT.format(table)}; END"
        for table in APPEND_ONLY
        for act in ("UPDATE", "DELETE")
    ]
    return [*changing, *_guards_against_replacing()]


def _guards_against_replacing() -> list[str]:
    """INSERT OR REPLACE deletes without asking the guards above. A note that is there already is left as it
    is: whoever is not sure that he wrote it writes it again."""
    ignored = "id = NEW.id", "RAISE(IGNORE)"
    entry = "link = NEW.link AND sequence = NEW.sequence"
    known = {"journal": (entry, _ABORT.format("journal")), "snapshots": (entry, "RAISE(IGNORE)")}
    return [
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "  # noqa: S608  all of it is said here
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE ({same}) OR rowid = NEW.rowid) "
        f"BEGIN SELECT {refusal}; END"
        for table in APPEND_ONLY
        for same, refusal in [known.get(table, ignored)]
    ]


class SqliteStore(Store):
    """WAL, synchronous=FULL, and a lock that other processes find."""

    shared = False
    guards = _guards()
    habits = ()

    def __init__(self, url: URL, *, hurried: bool = True) -> None:
        self.wall = wall_clock
        """The server's clock is this machine's."""
        self._path = url.database or ":memory:"
        folder = Path(self._path).parent
        if not folder.is_dir():
            raise StoreRefused(f"there is no folder {folder}")
        self._lock: TextIO | None = None
        self._turn, self._hurried = asyncio.Lock(), hurried
        self._file = file = sqlite_lines.Disk(url, hurried=hurried)
        engine = create_async_engine(url, async_creator=file.writer)
        readers = create_async_engine(url, async_creator=file.reader)
        for one in (engine, readers):
            event.listen(one.sync_engine, "connect", _connected)
            event.listen(one.sync_engine, "checkout", _taken)
        event.listen(engine.sync_engine, "begin", _begins_writing)
        event.listen(readers.sync_engine, "begin", _begins_reading)
        super().__init__(engine, readers)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        # SQLite lets one write and the others try again after growing pauses: here they wait in line.
        async with asyncio.timeout(sqlite_lines.WRITE_TIMEOUT if self._hurried else None):
            await self._turn.acquire()
        try:
            async with super().transaction() as connection:
                yield connection
        finally:
            self._turn.release()

    async def start(self) -> None:
        self._lock = _only_process(f"{os.path.realpath(self._path)}.lock")
        await super().start()

    def is_there(self) -> bool:
        return Path(self._path).is_file()

    def backup(self, target: Path, progress: Progress | None = None) -> None:
        copy_book(Path(self._path), target, progress)

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

    @asynccontextmanager
    async def in_turn(self, key: int) -> AsyncIterator[None]:  # noqa: ARG002  there is only one process
        yield

    async def join(self) -> bool:
        return True

    async def let_join(self) -> None:
        pass

    async def server_clock(self, connection: AsyncConnection, /) -> tuple[int, Kept]:
        kept = Kept(*(await connection.execute(KEPT)).one())
        return self.wall(), kept

    async def exchange(self, ticks: Ticks) -> Exchange:
        async with self.reading() as connection:
            kept = Kept(*(await connection.execute(KEPT)).one())
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
            await connection.execute(_SAVE_TABLES, [one._asdict() for one in writing.changed])
        if writing.contacts:
            said = [
                {"id": name, "contact": one, "heard": row.heard} for name, one in writing.contacts.items()
            ]
            await connection.execute(_SAVE_CONTACTS, said)
        return True

    async def write_at_once(self, link: str, writing: Writing) -> bool:
        async with self.transaction() as connection:
            return await self.write(connection, link, writing)


_SAVE_TABLES = text(
    f"UPDATE tables SET version = :version, heard = :heard, {STATE} = :state, contact = :contact, "  # noqa: S608  our own
    "layout = :layout WHERE id = :id"
)
_SAVE_CONTACTS = text("UPDATE tables SET heard = :heard, contact = :contact WHERE id = :id")


def _connected(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=3000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _taken(connection: Any, *_: object) -> None:
    if connection.driver_connection.given_up:
        raise DisconnectionError("the line was given up")


def _begins_writing(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begins_reading(connection: Any) -> None:
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
