"""Fifty tables come back from ten minutes without the service, all at once, and replay their spools."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.book import Book
from jackpot.client import Clocks
from jackpot.core.instants import SECOND
from jackpot.link.commands import ReportOffline
from jackpot.link.facts import BetsClosed, HandsReported, RoundVoided
from jackpot.link.rounds import Promise
from tests.book_floor import BookFloor, Checked, checked
from tests.conftest import apart
from tests.floor import STUD
from tests.servers import Postgres, Redis
from tests.service import TRUST, FloorFile, Forked, Service, link_entry
from tests.table_player import TablePlayer, client_of

TABLES = [f"{game}-{number:02}" for number in range(1, 26) for game in ("stud", "holdem")]
OUTAGE = 600 * SECOND
ROUNDS = 3
"""That each table plays meanwhile, one in some three minutes."""
HOUSE_CLOCK = """
CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$SELECT pg_catalog.clock_timestamp() - current_setting('house.late')::interval$$
"""
SAID = (BetsClosed, HandsReported, RoundVoided)
KINDS = {BetsClosed: "bets", HandsReported: "hands", RoundVoided: "void"}


class Minutes:
    """The time of the tables: it begins before the outage, and ten minutes pass as fast as they play."""

    def __init__(self) -> None:
        self.passed = -OUTAGE

    def clocks(self) -> Clocks:
        return Clocks(
            wall=lambda: time.time_ns() + self.passed * 1000,
            steady=lambda: time.monotonic_ns() + self.passed * 1000,
        )


@pytest.fixture
def late_url(postgres: Postgres, postgres_url: str) -> str:
    """A book on a server whose clock is as late as the tables' clocks are."""
    database = postgres_url.rsplit("/", 1)[1]

    async def prepare() -> None:
        await postgres.execute(HOUSE_CLOCK, database)
        await set_late(postgres, database, OUTAGE)
        # What is named before the server's own functions is called instead of them.
        await postgres.execute(f"ALTER DATABASE {database} SET search_path = public, pg_catalog")

    apart(lambda: asyncio.run(prepare()))
    return postgres_url


async def set_late(postgres: Postgres, database: str, late: int) -> None:
    """For the connections that are made from now on."""
    await postgres.execute(f"ALTER DATABASE {database} SET house.late = '{late // SECOND} s'")


@pytest.fixture
def replicas(late_url: str, tmp_path: Path) -> Iterator[list[Service]]:
    floor = FloorFile(link=[link_entry("main")])
    for table in TABLES:
        floor.add_table(table, "main")
    relay = Redis()
    relay.start()
    served = list[Service]()
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        served.append(Forked(late_url, floor, tmp_path / name, JACKPOT_REDIS_URL=relay.url))
    try:
        for one in served:
            one.start()
        yield served
    finally:
        for one in served:
            one.close()
        relay.kill()


class Signs:
    """One at each replica, from the moment it answers: everything they are told."""

    def __init__(self) -> None:
        self.polls: Counter[str] = Counter()
        self.latest: dict[str, str] = {}
        self.fell = 0

    async def watch(self, service: Service) -> None:
        latest = 0
        async with httpx.AsyncClient(base_url=service.base, timeout=60, verify=TRUST) as http:
            await _answering(http)
            while True:
                reading = (await http.get("/v1/links/main/meter")).json()
                self.polls[service.base] += 1
                self.fell += reading["sequence"] < latest
                latest, self.latest[service.base] = reading["sequence"], reading["state"]
                await asyncio.sleep(0.05)

    @asynccontextmanager
    async def watching(self, services: list[Service]) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self.watch(service)) for service in services]
        try:
            yield
            for task in tasks:
                assert not task.done(), task.exception()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _answering(http: httpx.AsyncClient) -> None:
    while True:
        try:
            await http.get("/healthz")
        except httpx.TransportError:
            await asyncio.sleep(0.02)
        else:
            return


async def until(happens: Callable[[], bool]) -> None:
    """Much has to happen: two minutes at most."""
    async with asyncio.timeout(120):
        while not happens():
            await asyncio.sleep(0.05)


async def play_until_lost(players: list[TablePlayer], replicas: list[Service]) -> None:
    """The replicas are killed while the tables play: each loses them at another point of its round."""
    playing = [asyncio.create_task(player.play()) for player in players]
    await until(lambda: all(player.accepted for player in players))
    for service in replicas:
        service.kill()
    for player in players:
        player.stopping = True
    await asyncio.gather(*playing)


async def play_alone(players: list[TablePlayer], minutes: Minutes) -> None:
    for _ in range(ROUNDS):
        minutes.passed += OUTAGE // ROUNDS
        await asyncio.gather(*(player.round(player.client.last_round + 1) for player in players))


async def come_back(players: list[TablePlayer], replicas: list[Service]) -> Signs:
    signs = Signs()
    async with signs.watching(replicas):
        await asyncio.gather(*(asyncio.to_thread(service.start) for service in replicas))
        await until(lambda: not any(player.client.offline for player in players))
        seen = dict(signs.polls)
        await until(lambda: all(signs.polls[one.base] > seen.get(one.base, 0) + 1 for one in replicas))
        await until(lambda: "stale" not in signs.latest.values())
    return signs


def said_by(found: Checked, table: str) -> list[tuple[str, int]]:
    told = (entry.fact for entry in found.entries if isinstance(entry.fact, SAID))
    return [(KINDS[type(fact)], fact.round) for fact in told if fact.table == table]


def closed_by(found: Checked, table: str) -> list[BetsClosed]:
    return [fact for fact in found.facts(BetsClosed) if fact.table == table]


async def test_fifty_tables_replay_ten_minutes_at_once(
    postgres: Postgres, late_url: str, replicas: list[Service], tmp_path: Path
) -> None:
    minutes = Minutes()
    async with AsyncExitStack() as stack:
        players = [await seated(stack, replicas, place, minutes, tmp_path) for place in range(len(TABLES))]
        await play_until_lost(players, replicas)
        await play_alone(players, minutes)
        assert all(player.client.offline for player in players)
        await set_late(postgres, late_url.rsplit("/", 1)[1], 0)
        signs = await come_back(players, replicas)
        assert [player.client.refused() for player in players] == [[]] * len(TABLES)
    assert signs.fell == 0
    book = await Book.open(late_url)
    try:
        found = await checked(book)
    finally:
        await book.close()
    for table, player in zip(TABLES, players, strict=True):
        assert said_by(found, table) == player.said, table
        rounds = closed_by(found, table)
        assert [one.round for one in rounds] == list(range(1, len(rounds) + 1))
        assert rounds[-1].closed_at - rounds[-ROUNDS].closed_at >= (ROUNDS - 1) * (OUTAGE // ROUNDS)
        assert {box.progressive for one in rounds[1 - ROUNDS :] for box in one.boxes} == {0}


async def seated(
    stack: AsyncExitStack, replicas: list[Service], place: int, minutes: Minutes, folder: Path
) -> TablePlayer:
    table, service = TABLES[place], replicas[place % len(replicas)]
    client = client_of(service.base, table, folder, heartbeat_every=1.0, clocks=minutes.clocks())
    await stack.enter_async_context(client)
    return TablePlayer(client, table, Random(table))


async def test_what_many_tables_ask_of_the_past_is_fetched_together(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each asks for three readings; one at a time the whole batch would be played some forty times."""
    floor = await BookFloor.opened(sqlite_url)
    try:
        await floor.furnish({f"s{number}": STUD for number in range(12)})
        reports = [await _lost(floor, f"s{number}") for number in range(12)]
        floor.wait(600)
        load, loads = floor.book.store.load, Counter[str]()

        async def counted(connection: AsyncConnection, link: str) -> Any:
            loads[link] += 1
            return await load(connection, link)

        monkeypatch.setattr(floor.book.store, "load", counted)
        answers = await asyncio.gather(*(floor.act(report) for report in reports))
        assert [getattr(answer, "confirmed", None) for answer in answers] == [True] * 12
        assert 1 <= loads["main"] <= 4
    finally:
        await floor.book.close()


async def _lost(floor: BookFloor, table: str) -> ReportOffline:
    meter = (await floor.act(floor.bets(table, [1]))).reading
    floor.wait(1)
    told = Promise(value=meter.value, sequence=meter.sequence)
    return ReportOffline(person=table, table=table, since=floor.clock.time, cards_seen=True, registered=told)
