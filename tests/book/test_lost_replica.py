"""A node is lost with the replica on it: its link commits again at the others, or says that it cannot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores import postgres_servers
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.postgres_servers import IDLE_TIMEOUT, LOCK_TIMEOUT, READ_TIMEOUT, WRITE_TIMEOUT
from jackpot.book.stores.rows import Stand
from jackpot.link import facts
from jackpot.machine.execute import Outcome
from tests.book_floor import LINK, BookFloor, checked, furnished_floor
from tests.in_process import LINK as MAIN
from tests.in_process import House, floor_text, house
from tests.proxy import Lossy, lossy
from tests.servers import Postgres
from tests.waiting import eventually

PROMISED = 10
"""Seconds within which a link commits again."""


@asynccontextmanager
async def replica_behind(way: Lossy, other: BookFloor) -> AsyncIterator[BookFloor]:
    """Another replica of the same book, on a node that can be lost."""
    server = other.url.rsplit("/", 1)[0].rsplit(":", 1)[0]
    url = f"{server}:{way.port}/{other.url.rsplit('/', 1)[1]}"
    replica = await BookFloor.opened(url, other.clock)
    try:
        yield replica
    finally:
        way.find()
        await replica.book.close()


async def test_a_replica_that_is_lost_while_it_holds_the_row_does_not_hold_up_the_others(
    postgres: Postgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the node is back, what the replica was about to do is done after all, once."""
    monkeypatch.setattr(postgres_servers, "IDLE_TIMEOUT", 1)
    async with (
        furnished_floor(postgres_url) as here,
        lossy(postgres.port) as way,
        replica_behind(way, here) as there,
    ):
        lost, store = asyncio.Event(), there.book.store
        lock = store.lock

        async def locked_and_lost(connection: AsyncConnection, link: str) -> Stand | None:
            found = await lock(connection, link)
            if not lost.is_set():
                lost.set()
                way.lose()
            return found

        monkeypatch.setattr(store, "lock", locked_and_lost)
        under_way = asyncio.create_task(there.submit(here.bets("s1")))
        await lost.wait()
        assert isinstance(await asyncio.wait_for(here.submit(here.bets("s2")), 60), Outcome)
        assert not under_way.done()
        way.find()
        assert isinstance(await asyncio.wait_for(under_way, 60), Outcome)
        assert (await checked(here.book)).count(facts.BetsClosed) == 2


SETTINGS = (
    "statement_timeout",
    "lock_timeout",
    "idle_in_transaction_session_timeout",
    "tcp_user_timeout",
    "tcp_keepalives_idle",
    "tcp_keepalives_interval",
    "tcp_keepalives_count",
    "client_connection_check_interval",
)


async def _told(connection: AsyncConnection) -> list[int]:
    """In milliseconds, but for the keepalives."""
    asked = "SELECT setting FROM pg_settings WHERE name = :name"
    return [int((await connection.execute(text(asked), {"name": one})).scalar_one()) for one in SETTINGS]


async def test_every_line_tells_the_server_when_to_give_it_up(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reads holds no row, and a migration may take its time; but each is noticed when it is lost."""
    for name, seconds in (("WRITE", WRITE_TIMEOUT), ("READ", READ_TIMEOUT)):
        monkeypatch.setattr(postgres_servers, f"{name}_TIMEOUT", seconds)
    monkeypatch.setattr(postgres_servers, "LOCK_TIMEOUT", LOCK_TIMEOUT)
    monkeypatch.setattr(postgres_servers, "IDLE_TIMEOUT", IDLE_TIMEOUT)
    hurried, patient = store_of(postgres_url), store_of(postgres_url, hurried=False)
    alive = [3, 1, 3, 1000]
    try:
        async with hurried.transaction() as writes, hurried.reading() as reads, patient.transaction() as own:
            assert await _told(writes) == [5000, 3000, 4000, 5000, *alive]
            assert await _told(reads) == [10000, 3000, 0, 10000, *alive]
            assert await _told(own) == [0, 0, 0, 0, *alive]
    finally:
        await hurried.close()
        await patient.close()


def test_what_a_lost_replica_held_or_was_about_to_hold_is_free_in_time() -> None:
    """It may have waited for the row, got it, and said nothing more; then the healthy one tries again."""
    assert LOCK_TIMEOUT + IDLE_TIMEOUT < PROMISED
    assert LOCK_TIMEOUT < WRITE_TIMEOUT, "a row that is held says nothing of the server"


async def test_a_row_that_is_held_says_nothing_of_the_server(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lines stay; the commit is tried again, and succeeds when the row is free."""
    monkeypatch.setattr(postgres_servers, "LOCK_TIMEOUT", 1)
    async with furnished_floor(postgres_url) as floor:
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
        served, trusted = floor.book.writers[LINK], floor.book.store.generation
        async with held_row(postgres_url):
            under_way = asyncio.create_task(floor.submit(floor.bets("s2")))

            async def failed() -> bool:
                return served.figures.failures > 0

            await eventually(failed)
        assert isinstance(await asyncio.wait_for(under_way, 60), Outcome)
        assert floor.book.store.generation == trusted


@asynccontextmanager
async def held_row(url: str, link: str = LINK) -> AsyncIterator[None]:
    """By somebody whom no timeout reaches: a person with psql, or a replica of an older release."""
    other = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        async with other.transaction():
            await other.execute("SELECT FROM links WHERE id = $1 FOR UPDATE", link)
            yield
    finally:
        await other.close()


HIGH = MAIN.replace('"main"', '"high"')


async def _state(at: House, link: str) -> str:
    return str((await at.client.get(f"/v1/links/{link}/meter")).json()["state"])


async def _ready(at: House) -> int:
    return (await at.client.get("/readyz")).status_code


async def _waiting(at: House, link: str) -> float:
    lines: Any = (await at.client.get("/metrics")).text.splitlines()
    name = f'jackpot_commit_waiting_seconds{{link="{link}"}} '
    return float(next(one for one in lines if one.startswith(name)).removeprefix(name))


async def test_a_link_whose_row_cannot_be_had_says_so_and_the_others_do_not(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nobody bets, and the store commits everything else."""
    monkeypatch.setattr(postgres_servers, "LOCK_TIMEOUT", 1)
    async with house(postgres_url, tmp_path, HIGH + floor_text()) as at:
        assert await _ready(at) == 200
        async with held_row(postgres_url, "main"):

            async def told() -> bool:
                return (await _ready(at), await _state(at, "main")) == (503, "stale")

            await eventually(told)
            assert await _state(at, "high") == "open"
            assert await _waiting(at, "main") > 0
            assert await _waiting(at, "high") == 0

        async def well() -> bool:
            return (await _ready(at), await _state(at, "main")) == (200, "open")

        await eventually(well)
        assert await _waiting(at, "main") == 0


async def test_a_link_that_others_write_to_all_the_time_is_not_held(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever one looks, somebody has its row; but each time another."""
    monkeypatch.setattr(postgres_servers, "LOCK_TIMEOUT", 0.3)
    async with furnished_floor(postgres_url) as floor:
        store: Any = floor.book.store
        versions, really = iter(range(1, 100)), store._held_now

        async def held_now() -> Any:
            found = await really()
            return {link: (next(versions), one) for link, one in found.items()}

        async with held_row(postgres_url):
            assert await store.held_links() == {LINK}
            monkeypatch.setattr(store, "_held_now", held_now)
            assert await store.held_links() == set()
