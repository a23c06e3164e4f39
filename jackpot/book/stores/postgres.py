"""A book in PostgreSQL: for production, with any number of serving processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from jackpot.book.stores import postgres_servers
from jackpot.book.stores.base import BackupRefused, Progress, Store, StoreRefused, Ticks, stand_of
from jackpot.book.stores.house_time import Exchange, Kept
from jackpot.book.stores.postgres_servers import BROKEN, Line, Servers, no_nameless_session
from jackpot.book.stores.postgres_statements import (
    FREE,
    GUARDS,
    HABITS,
    LOCK,
    WRITE,
    WRITE_CONTACTS,
    parameters,
)
from jackpot.book.stores.rows import Stand, Versions, Writing

SERVING = 0x6A61636B706F75
"""The lock that every service shares, for as long as it serves."""
_PREPARING = 0x6A61636B706F74
_WAITED = 0.1
"""Seconds between two attempts to get a lock."""
LOOK_AGAIN = 0.1
"""Seconds between two looks at a row that is held."""


class PostgresStore(Store):
    """Processes are ordered by the lock of the link's row."""

    shared = True
    guards = GUARDS
    habits = HABITS
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

    async def _prepare(self, connection: AsyncConnection) -> None:
        """Several processes may start at once on an empty store."""
        await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        await _wait_in_line(connection, _PREPARING)
        await super()._prepare(connection)

    def backup(self, target: Path, progress: Progress | None = None) -> None:  # noqa: ARG002  not ours to make
        raise BackupRefused("back a PostgreSQL book up with pg_basebackup and WAL archiving, or pg_dump")

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        async with super().snapshot() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @asynccontextmanager
    async def in_turn(self, key: int) -> AsyncIterator[None]:
        async with self.transaction() as connection:
            await _wait_in_line(connection, key)
            yield

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
            await asyncio.sleep(_WAITED)
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
        except BROKEN as trouble:
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
        until, held = loop.time() + postgres_servers.LOCK_TIMEOUT, await self._held_now()
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
        return stand_of((await connection.execute(LOCK, {"link": link})).one_or_none())

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
            except (*BROKEN, OSError, TimeoutError):
                direct.terminate()
        self._direct.clear()
        self._watch = None
        await super().close()
        await asyncio.sleep(0)  # a connection that was cut is let go in the loop's next turn


async def _wait_in_line(connection: AsyncConnection, key: int) -> None:
    """Behind those who hold the lock until their transaction ends, as long as that takes. Asked again and
    again: one long wait would be taken for a server that is silent."""
    mine = text("SELECT pg_try_advisory_xact_lock(:key)")
    while not (await connection.execute(mine, {"key": key})).scalar_one():
        await asyncio.sleep(_WAITED)
