"""What one replica commits is on the displays of the others: by Redis at once, by the book without it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio
from sqlalchemy import event

from displays.hub import hub as hub_module
from displays.hub import redis_relay as relay_module
from displays.hub.redis_relay import PATIENCE, RedisRelay
from displays.hub.relay import METER, News, Seal
from jackpot.core.codec import to_bytes
from tests.in_process import House, held, house
from tests.servers import Redis
from tests.waiting import eventually

LINK_METER = "/v1/links/main/meter"
DISPLAY = "/v1/tables/stud-01/display"
WRONG_AT_MOST = 2.0
NOBODYS_NEWS = [
    "",
    "not json",
    "[]",
    "7",
    '["meter", "main", 1e9, "{}"]',
    '["meter", "main", 999999, "{}"]',
    '["meter", "main", 999999, "[[["]',
    '["meter", "main", 999999, "{\\"value\\": \\"much\\"}"]',
    '["tables", "main", 999999, "{\\"tables\\": [1]}"]',
    '["meter", "nowhere", 999999, "{}"]',
    '["unknown", "main", 999999, "{}"]',
    "[" * 100_000,
]


@pytest.fixture(scope="module")
def one_redis() -> Iterator[Redis]:
    server = Redis()
    server.start()
    yield server
    server.kill()


@pytest.fixture
def own_redis() -> Iterator[Redis]:
    server = Redis()
    server.start()
    yield server
    server.resume()
    server.kill()


Pair = tuple[House, House]


@pytest.fixture(params=["book", "redis"])
async def pair(
    request: pytest.FixtureRequest, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Pair]:
    """Two replicas. Those with Redis hardly ever look into the book, so that news can only come by it."""
    settings: dict[str, Any] = {}
    if request.param == "redis":
        monkeypatch.setattr(hub_module, "ASKED_BESIDES", 3600)
        settings["redis_url"] = request.getfixturevalue("one_redis").url
    async with replicas(postgres_url, tmp_path, **settings) as both:
        yield both


@asynccontextmanager
async def replicas(url: str, folder: Path, **settings: Any) -> AsyncIterator[Pair]:
    async with house(url, folder, **settings) as here, house(url, folder, **settings) as there:
        if "redis_url" in settings:
            await eventually(lambda: _connected(here, there))
        yield here, there


async def _connected(*houses: House) -> bool:
    relays = [one.service.hub._relay for one in houses]
    return all(one is not None and one.healthy for one in relays)


async def told(at: House, path: str = LINK_METER) -> dict[str, Any]:
    answer = await at.client.get(path)
    assert answer.status_code == 200
    return dict(answer.json())


# The port: whichever way news comes


async def test_a_bet_at_one_replica_is_on_the_meter_of_the_other(pair: Pair) -> None:
    here, there = pair
    for number in range(1, 4):
        told_here = (await here.close_bets("stud-01", number)).json()["meter"]

        async def seen(sequence: int = told_here["sequence"]) -> bool:
            return bool((await told(there))["sequence"] == sequence)

        await eventually(seen)
    assert await told(here) == await told(there)
    for one in pair:
        await one.service.hub._look()
        assert one.service.hub.disagreements == {}


async def test_who_waits_at_the_other_replica_is_told(pair: Pair) -> None:
    here, there = pair
    sequence = (await told(there))["sequence"]
    waiting = asyncio.create_task(there.client.get(f"{LINK_METER}?after={sequence}&wait=60"))
    await held(there, waiting)
    await here.close_bets("stud-01", 1)
    assert (await asyncio.wait_for(waiting, 60)).json()["sequence"] > sequence


async def test_a_table_closed_at_one_replica_says_so_at_the_other(pair: Pair) -> None:
    here, there = pair
    assert (await told(there, DISPLAY))["notice"] is None
    await here.say("POST", "/v1/tables/stud-01/close", "otto", json={"reason": "spilt drink"})

    async def closed() -> bool:
        return bool((await told(there, DISPLAY))["state"] == "closed")

    await eventually(closed)
    assert (await told(there, DISPLAY)) == (await told(here, DISPLAY))


async def test_an_act_of_another_replica_is_shown_by_one_that_writes_itself(pair: Pair) -> None:
    """Its own next commit knows of it, and must not hide it."""
    here, there = pair
    await there.close_bets("stud-02", 1)
    await here.say("POST", "/v1/tables/stud-01/close", "otto", json={"reason": "spilt drink"})
    await there.close_bets("stud-02", 2)

    async def closed() -> bool:
        return bool((await told(there, DISPLAY))["state"] == "closed")

    await eventually(closed)


# Redis itself


async def test_news_that_nobody_of_ours_told_changes_nothing(
    one_redis: Redis, sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(sqlite_url, tmp_path, redis_url=one_redis.url) as at, _client(one_redis) as client:
        await eventually(lambda: _connected(at))
        before, book = await told(at), at.service.book
        reading = replace(at.service.hub._channels["main"].reading, sequence=10**15, value=999_999_999_999)
        plain = json.dumps([METER, "main", 10**15, to_bytes(reading).decode()])
        forged = News(METER, "main", 10**15, to_bytes(reading).decode())
        another_key = Seal(book.epoch, "00" * 32).encode(forged)
        another_book = Seal("another-epoch", book.news_key).encode(forged)
        honest = Seal(book.epoch, book.news_key).encode(News(METER, "main", 1, "{}"))
        every = [plain, another_key, another_book, honest[:64] + another_key[64:], b"\xff\xfe", *NOBODYS_NEWS]
        with caplog.at_level("ERROR"):
            for said in every:
                await client.publish(f"jackpot:{book.epoch}:news", said)

            async def all_heard() -> bool:
                return at.service.hub.news_dropped == len(every)

            await eventually(all_heard)
        assert await told(at) == before
        assert at.service.hub.disagreements == {}
        assert len([one for one in caplog.records if "news was dropped" in one.message]) == 1
        assert f"jackpot_news_dropped_total {float(len(every))}" in (await at.client.get("/metrics")).text
        await at.close_bets("stud-01", 1)
        assert (await told(at))["value"] == before["value"] + 200
        assert await _connected(at)


async def test_nothing_in_redis_silences_news(one_redis: Redis) -> None:
    """What a replica of 0.1 kept there, with a sequence that somebody put in."""
    heard, seal = list[News](), Seal("an-epoch", "a1" * 32)
    here, there = RedisRelay(one_redis.url, seal), RedisRelay(one_redis.url, seal)
    async with _client(one_redis) as client:
        await client.hset("jackpot:an-epoch:meter:main", mapping={"sequence": 10**15, "news": "[]"})
    try:
        await here.start(lambda _: None)
        await there.start(heard.append)

        async def healthy() -> bool:
            return here.healthy and there.healthy

        async def all_heard() -> bool:
            return heard == several

        await eventually(healthy)
        several = list[News]()
        for sequence in (7, 8, 9):
            several.append(News(METER, "main", sequence, f"reading {sequence}"))
            here.tell(several[-1])
            await eventually(all_heard)
        assert there.dropped == 0
    finally:
        await here.stop()
        await there.stop()


async def test_a_false_word_of_another_replica_is_taken_back_within_a_look(
    one_redis: Redis, sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path, redis_url=one_redis.url) as at, _client(one_redis) as client:
        await eventually(lambda: _connected(at))
        before, book = await told(at), at.service.book
        reading = replace(at.service.hub._channels["main"].reading, sequence=10**15, value=999_999_999_999)
        false = News(METER, "main", 10**15, to_bytes(reading).decode())
        await client.publish(f"jackpot:{book.epoch}:news", Seal(book.epoch, book.news_key).encode(false))

        async def denied() -> bool:
            return at.service.hub.disagreements["main"] == 1

        await eventually(denied)
        assert await told(at) == before
        assert at.service.hub.news_dropped == 0


@asynccontextmanager
async def _client(server: Redis) -> AsyncIterator[Any]:
    client: Any = redis.asyncio.from_url(server.url)
    try:
        yield client
    finally:
        await client.aclose()


async def test_polls_and_pages_ask_the_book_nothing(
    one_redis: Redis, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "ASKED_EVERY", 3600)
    async with house(sqlite_url, tmp_path, redis_url=one_redis.url) as at:
        await at.rest()
        asked: list[str] = []
        store: Any = at.service.book.store
        for engine in (store.engine, store._readers):
            event.listen(engine.sync_engine, "before_cursor_execute", lambda *a: asked.append(a[2]))
        pages = ("/signs/main", "/signs/tables/stud-01", "/static/sign.js")
        for path in (LINK_METER, f"{LINK_METER}.txt", DISPLAY, "/v1/tables/stud-01/meter", *pages) * 10:
            assert (await at.client.get(path)).status_code == 200
        assert asked == []


# Redis lost


async def watch(at: House, seen: list[int]) -> None:
    """Poll as a sign does: every poll is answered, and what is shown never goes back."""
    while True:
        sequence = (await told(at))["sequence"]
        assert sequence >= max(seen, default=0)
        seen.append(sequence)
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("how", ["killed", "silent"])
async def test_without_redis_every_bet_is_shown_and_no_poll_fails(
    postgres_url: str, own_redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """While Redis works news come by it alone; while it is away, by the book; and by it again."""
    lose = own_redis.kill if how == "killed" else own_redis.pause
    regain = own_redis.start if how == "killed" else own_redis.resume
    monkeypatch.setattr(hub_module, "ASKED_BESIDES", 3600)
    monkeypatch.setattr(relay_module, "PATIENCE", PATIENCE)
    async with replicas(postgres_url, tmp_path, redis_url=own_redis.url) as (here, there):
        seen: list[int] = []
        async with asyncio.TaskGroup() as signs:
            watching = signs.create_task(watch(there, seen))
            await play(here, there, range(1, 4))
            lose()
            await eventually(lambda: _lost(there))
            await play(here, there, range(4, 7))
            regain()
            await eventually(lambda: _connected(here, there))
            await play(here, there, range(7, 10))
            watching.cancel()
        assert seen[-1] > seen[0]
        assert await told(here) == await told(there)
        assert here.service.hub.disagreements == there.service.hub.disagreements == {}


async def play(here: House, there: House, rounds: range) -> None:
    """Each bet is awaited on the other's meter before the next, so that none is shown by another's look."""
    for number in rounds:
        sequence = (await here.close_bets("stud-01", number)).json()["meter"]["sequence"]

        async def shown(sequence: int = sequence) -> bool:
            return bool((await told(there))["sequence"] == sequence)

        await eventually(shown)


async def _lost(at: House) -> bool:
    return not await _connected(at)


def test_what_is_waited_for_when_redis_is_lost_leaves_no_sign_wrong_for_long() -> None:
    """A ping is due, is given up, and the next look at the book is at most two short waits away."""
    noticed = relay_module.ASKED_EVERY + PATIENCE
    assert noticed + 2 * hub_module.ASKED_EVERY < WRONG_AT_MOST
