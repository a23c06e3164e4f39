"""What one replica commits is on the displays of the others: by Redis at once, by the book without it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import redis.asyncio
from sqlalchemy import event

from displays import hub as hub_module
from displays.redis_relay import RedisRelay
from displays.relay import METER, News
from tests.callers import Floor, done
from tests.in_process import House, eventually, house
from tests.servers import Redis
from tests.service import Service, full_floor

LINK_METER = "/v1/links/main/meter"
DISPLAY = "/v1/tables/stud-01/display"
WRONG_AT_MOST = 2.0


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


async def test_who_waits_at_the_other_replica_is_told(pair: Pair) -> None:
    here, there = pair
    sequence = (await told(there))["sequence"]
    waiting = asyncio.create_task(there.client.get(f"{LINK_METER}?after={sequence}&wait=20"))
    await asyncio.sleep(0.05)
    await here.close_bets("stud-01", 1)
    assert (await asyncio.wait_for(waiting, 30)).json()["sequence"] > sequence


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


async def test_redis_keeps_the_newest_whatever_comes_last(one_redis: Redis) -> None:
    relay = RedisRelay(one_redis.url, "an-epoch")
    client: Any = redis.asyncio.from_url(one_redis.url, decode_responses=True)
    try:
        for sequence in (7, 9, 8):
            await relay._send(News(METER, "main", sequence, f"reading {sequence}"))
        assert await client.hget("jackpot:an-epoch:meter:main", "sequence") == "9"
        assert 0 < await client.ttl("jackpot:an-epoch:meter:main") <= 24 * 3600
    finally:
        await relay.stop()
        await client.aclose()


@pytest.mark.parametrize(
    "said",
    [
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
    ],
)
async def test_news_that_nobody_of_ours_told_changes_nothing(
    one_redis: Redis, sqlite_url: str, tmp_path: Path, said: str
) -> None:
    async with house(sqlite_url, tmp_path, redis_url=one_redis.url) as at:
        await eventually(lambda: _connected(at))
        before = await told(at)
        client: Any = redis.asyncio.from_url(one_redis.url)
        await client.publish(f"jackpot:{at.service.book.epoch}:news", said)
        await client.aclose()
        await asyncio.sleep(0.1)
        assert await told(at) == before
        await at.close_bets("stud-01", 1)
        assert (await told(at))["value"] == before["value"] + 200
        assert await _connected(at)


async def test_polls_and_pages_ask_the_book_nothing(
    one_redis: Redis, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "ASKED_EVERY", 3600)
    async with house(sqlite_url, tmp_path, redis_url=one_redis.url) as at:
        await at.service.identity.stop()
        await at.service.check.stop()
        asked: list[str] = []
        store: Any = at.service.book.store
        for engine in (store.engine, store._readers):
            event.listen(engine.sync_engine, "before_cursor_execute", lambda *a: asked.append(a[2]))
        pages = ("/signs/main", "/signs/tables/stud-01", "/static/sign.js")
        for path in (LINK_METER, f"{LINK_METER}.txt", DISPLAY, "/v1/tables/stud-01/meter", *pages) * 10:
            assert (await at.client.get(path)).status_code == 200
        assert asked == []


# Redis lost


class Watcher(threading.Thread):
    """Polls one replica as fast as a sign may, and remembers when it first showed each sequence."""

    def __init__(self, service: Service) -> None:
        super().__init__(daemon=True)
        self._service, self._ended = service, threading.Event()
        self.shown: list[tuple[int, float]] = []
        self.failures: list[str] = []
        self.took: list[float] = []
        """Each poll: what the machine itself needs just now."""

    def run(self) -> None:
        while not self._ended.is_set():
            began = time.monotonic()
            try:
                answer = self._service.get(LINK_METER)
                self.took.append(time.monotonic() - began)
                if answer.status_code != 200 or answer.json()["state"] == "stale":
                    self.failures.append(f"{answer.status_code} {answer.text[:200]}")
                self.shown.append((answer.json()["sequence"], time.monotonic()))
            except Exception as error:
                self.failures.append(repr(error))
            time.sleep(0.02)

    def end(self) -> None:
        self._ended.set()
        self.join(timeout=60)

    def delay(self, sequence: int, committed: float) -> float:
        return next(at for known, at in self.shown if known >= sequence) - committed


def _bets_for(floor: Floor, seconds: float) -> list[tuple[int, float]]:
    """The sequence of each bet, and when it was answered."""
    told, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        sequence = done(floor.stud.bets())["meter"]["sequence"]
        told.append((sequence, time.monotonic()))
        time.sleep(0.05)
    return told


@pytest.mark.parametrize("how", ["killed", "silent"])
def test_without_redis_no_sign_is_wrong_for_long_and_no_poll_fails(
    postgres_url: str, own_redis: Redis, tmp_path: Path, how: str
) -> None:
    lose = own_redis.kill if how == "killed" else own_redis.pause
    regain = own_redis.start if how == "killed" else own_redis.resume
    floor_file = full_floor("main")
    folders = [tmp_path / "here", tmp_path / "there"]
    both = []
    for folder in folders:
        folder.mkdir()
        both.append(Service(postgres_url, floor_file, folder, JACKPOT_REDIS_URL=own_redis.url))
    here, there = both
    watcher = Watcher(there)
    try:
        here.start()
        there.start()
        floor = Floor(here, "main")
        watcher.start()
        told = _bets_for(floor, 1.5)
        lose()
        told += _bets_for(floor, 2.5)
        regain()
        told += _bets_for(floor, 2.5)
        back = _bets_for(floor, 1.0)
        time.sleep(WRONG_AT_MOST)
    finally:
        if watcher.is_alive():
            watcher.end()
        for service in both:
            service.close()
    assert watcher.failures == []
    slowest = max(watcher.took)
    assert max(watcher.delay(*one) for one in told + back) < WRONG_AT_MOST + 3 * slowest
    typical = median(watcher.delay(*one) for one in back)
    assert typical < hub_module.ASKED_BESIDES / 2 + slowest, "Redis tells again, not only the book"
    sequences = [sequence for sequence, _ in watcher.shown]
    assert sequences == sorted(sequences), "no sign ever goes back"
