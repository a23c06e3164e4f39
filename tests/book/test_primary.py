"""Which PostgreSQL server a book is written to: one that takes writes, keeps them, and leads."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import wraps
from random import Random
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.book import Book
from jackpot.book.checking.selfcheck import SelfCheck
from jackpot.book.stores import postgres_servers
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.base import StoreRefused
from jackpot.book.stores.postgres_servers import Found, Servers
from jackpot.book.stores.tasks import end
from jackpot.book.writing import writer
from jackpot.book.writing.batch import EntriesLost
from jackpot.book.writing.clock import boot_ticks
from jackpot.book.writing.writer import LinkStopped, Unavailable
from jackpot.machine.execute import Outcome
from tests.book.test_book_failures import cut_all
from tests.book_floor import LINK, checked, furnished_floor
from tests.servers import Postgres, free_port


def hosts(url: str, *others: int, first: bool = True) -> str:
    """The address with further servers beside the real one, before it or after it."""
    before, _, database = url.rpartition("/")
    real = before.rpartition("@")[2]
    silent = [f"127.0.0.1:{port}" for port in others]
    named = [*silent, real] if first else [real, *silent]
    query = "&".join(f"host={one}" for one in named)
    return f"postgresql+asyncpg://postgres@/{database}?{query}&target_session_attrs=read-write"


@pytest.fixture
def silent() -> Iterator[int]:
    """It takes connections, and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        yield int(server.getsockname()[1])


class Connecting:
    """Who asks the silent server has waited long enough at once, unless a test lets him wait."""

    def __init__(self, silent: int) -> None:
        self._silent = silent
        self.waited = True
        self.lines: list[Any] = []

    def instead_of(self, connect: Any) -> Any:
        @wraps(connect)
        async def connecting(*where: str, **more: Any) -> Any:
            if more.get("port") == self._silent and self.waited:
                raise TimeoutError
            self.lines.append(await connect(*where, **more))
            return self.lines[-1]

        return connecting

    def hurry(self) -> None:
        """The lines there are now are given up after a second; those that come have their time."""
        for line in self.lines:
            line._config = line._config._replace(command_timeout=1)


@pytest.fixture
def connecting(silent: int, monkeypatch: pytest.MonkeyPatch) -> Connecting:
    connecting = Connecting(silent)
    monkeypatch.setattr(asyncpg, "connect", connecting.instead_of(asyncpg.connect))
    return connecting


def found(**more: object) -> Found:
    said = {"where": "a:5432", "line": None, "writes": True, "system": 1, "timeline": 1}
    durable = {"fsync": "on", "commits": "on", "standbys": "b", "attached": 1}
    return Found(**(said | durable | more))  # type: ignore[arg-type]


@pytest.mark.parametrize("commits", ["on", "remote_apply", "remote_write"])
def test_a_primary_that_waits_for_its_standby_will_do(commits: str) -> None:
    assert found(commits=commits).objection(standby_required=False) is None


@pytest.mark.parametrize(
    ("said", "objection"),
    [
        ({"fsync": "off"}, "durable"),
        ({"commits": "off"}, "durable"),
        ({"commits": "local"}, "would not wait"),
        ({"attached": 0}, "no synchronous standby is connected"),
    ],
)
def test_a_primary_whose_commits_could_be_lost_or_never_end_will_not(
    said: dict[str, object], objection: str
) -> None:
    assert objection in (found(**said).objection(standby_required=False) or "")


@pytest.mark.parametrize("said", [{"standbys": "", "attached": 0}, {"commits": "remote_write"}])
def test_one_copy_is_enough_unless_a_standby_is_required(said: dict[str, object]) -> None:
    assert found(**said).objection(standby_required=False) is None
    assert "standby is required" in (found(**said).objection(standby_required=True) or "")


async def test_a_service_that_requires_a_standby_does_not_start_without(postgres_url: str) -> None:
    with pytest.raises(StoreRefused, match="a synchronous standby is required"):
        await Book.open(postgres_url, standby_required=True)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("?host=a&host=b", "ports are required"),
        ("?host=a:1&host=b:x", "port"),
        ("?host=a,b&port=1", "don't match"),
        ("?sslmod=require", "'sslmod' is no option"),
        ("?host=a:1&host=b:2&target_session_attrs=standby", "read-write or any"),
    ],
)
def test_a_wrong_address_is_refused_before_anything_is_asked(query: str, message: str) -> None:
    with pytest.raises(StoreRefused, match=message):
        store_of(f"postgresql+asyncpg://postgres@/book{query}")


@pytest.mark.usefixtures("connecting")
@pytest.mark.parametrize("first", [True, False])
async def test_servers_that_are_down_or_silent_are_passed_over(
    postgres_url: str, silent: int, first: bool
) -> None:
    async with furnished_floor(hosts(postgres_url, silent, free_port(), first=first)) as floor:
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
        assert await checked(floor.book)


async def test_once_the_primary_is_known_nobody_waits_for_a_silent_server(
    postgres: Postgres,
    postgres_url: str,
    silent: int,
    connecting: Connecting,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with furnished_floor(hosts(postgres_url, silent)) as floor:
        connecting.waited = False
        monkeypatch.setattr(postgres_servers, "CONNECT_TIMEOUT", 3600)
        await cut_all(postgres, postgres_url)
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)


async def test_all_that_is_wrong_is_said_of_each_server_and_logged_once(
    silent: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_servers, "CONNECT_TIMEOUT", 0.2)
    down = free_port()
    store = store_of(f"postgresql+asyncpg://postgres@/book?host=127.0.0.1:{silent}&host=127.0.0.1:{down}")
    for _ in range(3):
        with caplog.at_level(logging.ERROR), pytest.raises(StoreRefused) as refused:
            async with store.transaction():
                pass
    assert f"127.0.0.1:{silent}: TimeoutError" in str(refused.value)
    assert f"127.0.0.1:{down}: " in str(refused.value)
    assert len(caplog.records) == 1


@asynccontextmanager
async def frozen(postgres: Postgres, url: str) -> AsyncIterator[None]:
    """Every backend that serves this book stands still: its connections are there, and nobody answers."""
    name = url.rsplit("/", 1)[1]
    pids = await postgres.ask(
        f"SELECT array_agg(pid) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608  our own
    )
    for pid in pids:
        os.kill(pid, 19)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, 18)


async def test_connections_that_fall_silent_are_dropped_all_at_once(
    postgres: Postgres, postgres_url: str, connecting: Connecting
) -> None:
    """One is found out in seconds; the others are not tried one by one."""
    async with furnished_floor(postgres_url) as floor:
        store = floor.book.store
        async with store.transaction(), store.transaction(), store.transaction(), store.reading():
            pass  # so that there are some
        connecting.hurry()
        dropped = floor.book.store._servers.generation  # type: ignore[attr-defined]
        async with frozen(postgres, postgres_url):
            assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
            assert store._servers.generation == dropped + 1  # type: ignore[attr-defined]
        await checked(floor.book)


async def test_whoever_waits_no_longer_says_nothing_of_the_server(postgres_url: str) -> None:
    """A caller who has gone must not cost the writers their lines."""
    async with furnished_floor(postgres_url) as floor:
        store = floor.book.store
        trusted = store._servers.generation  # type: ignore[attr-defined]
        for way in (store.reading, store.transaction):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2), way() as connection:
                    await connection.execute(text("SELECT pg_sleep(600)"))
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
        assert store._servers.generation == trusted  # type: ignore[attr-defined]
        assert floor.book.writers[LINK].figures.failures == 0


async def test_a_read_that_takes_too_long_says_nothing_of_the_server(
    postgres: Postgres, postgres_url: str, connecting: Connecting
) -> None:
    async with furnished_floor(postgres_url) as floor:
        store = floor.book.store
        trusted = store._servers.generation  # type: ignore[attr-defined]
        async with store.reading() as connection:
            await connection.execute(text("SELECT 1"))
            connecting.hurry()
            async with frozen(postgres, postgres_url):
                with pytest.raises((DBAPIError, TimeoutError)):
                    await connection.execute(text("SELECT 2"))
        assert store._servers.generation == trusted  # type: ignore[attr-defined]


async def test_a_clock_that_is_not_answered_says_something_of_the_server(
    postgres: Postgres, postgres_url: str, connecting: Connecting
) -> None:
    """So that a replica on which nobody bets drops the lines of a way that was lost, too."""
    async with furnished_floor(postgres_url) as floor:
        store = floor.book.store
        await end(*floor.book._upkeep)
        await store.exchange(boot_ticks)
        trusted = store.generation
        connecting.hurry()
        async with frozen(postgres, postgres_url):
            with pytest.raises(TimeoutError):
                await store.exchange(boot_ticks)
        assert store.generation == trusted + 1
        await store.exchange(boot_ticks)


async def test_whoever_is_told_to_stop_stops_whatever_the_store_was_doing_for_it(url: str) -> None:
    """A line that is dropped must not make a new error of it, which would be tried again."""
    rng, store = Random("stopping"), store_of(url)

    async def ask(way: Callable[[], AbstractAsyncContextManager[AsyncConnection]]) -> None:
        while True:
            async with way() as connection:
                await connection.execute(text("SELECT 1"))

    try:
        for _ in range(12):
            asking = [asyncio.create_task(ask(way)) for way in (store.reading, store.transaction) * 3]
            await asyncio.sleep(rng.uniform(0.01, 0.1))
            for one in asking:
                one.cancel()
            _, going_on = await asyncio.wait(asking, timeout=60)
            assert not going_on
            assert all(one.cancelled() for one in asking)
    finally:
        await store.close()


async def test_a_server_that_would_lose_commits_is_not_written_to_later_either(
    postgres: Postgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failover the settings are those of another server."""
    name = postgres_url.rsplit("/", 1)[1]
    async with furnished_floor(postgres_url) as floor:
        monkeypatch.setattr(writer, "PATIENCE", 0.3)
        await postgres.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        await cut_all(postgres, postgres_url)
        with pytest.raises(Unavailable):
            await floor.submit(bets := floor.bets("s1"))
        await postgres.execute(f"ALTER DATABASE {name} RESET synchronous_commit")
        monkeypatch.setattr(writer, "PATIENCE", 60)
        assert not (await floor.submit(bets)).repeated


async def test_an_older_copy_in_the_books_place_stops_the_link(postgres: Postgres, postgres_url: str) -> None:
    """What was acknowledged is not in it: to go on would deny it."""
    name, copy = postgres_url.rsplit("/", 1)[1], f"copy_{uuid4().hex}"
    async with furnished_floor(postgres_url) as floor:
        await floor.book.store.engine.dispose()
        await cut_all(postgres, postgres_url)
        await _alone(postgres, postgres_url, f"CREATE DATABASE {copy} TEMPLATE {name}")
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
        await _alone(postgres, postgres_url, f"ALTER DATABASE {name} RENAME TO gone_{copy}")
        await postgres.execute(f"ALTER DATABASE {copy} RENAME TO {name}")
        for _ in range(2):
            with pytest.raises(EntriesLost):
                await floor.submit(floor.bets("s2"))
        check = SelfCheck(floor.book, hours=0)
        for _ in range(2):  # that the older journal is right in itself changes nothing
            await check._follow()
            assert "not as it was acknowledged" in check.stopped[LINK]
            await check.check()
        with pytest.raises(LinkStopped):
            await floor.submit(floor.bets("s2"))


async def _alone(postgres: Postgres, url: str, statement: str) -> None:
    """It wants nobody else to be there, and the book looks at its clock now and then."""
    async with asyncio.timeout(60):
        while True:
            await cut_all(postgres, url)
            try:
                await postgres.execute(statement)
                return
            except Exception:  # somebody was
                await asyncio.sleep(0.05)


async def test_a_server_of_another_cluster_or_of_the_past_is_not_followed(postgres_url: str) -> None:
    servers = Servers(store_of(postgres_url).engine.url)
    servers._known = found(system=1, timeline=2)
    other = servers._objection(found(system=3, timeline=9), writing=True)
    past = servers._objection(found(where="b:5432", system=1, timeline=1), writing=True)
    assert other == "a:5432: another database cluster than before"
    assert past == "b:5432: timeline 1, which a:5432 has taken over from"
    assert servers._objection(found(system=1, timeline=3), writing=True) is None
