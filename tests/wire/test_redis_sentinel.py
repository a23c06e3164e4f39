"""Redis behind Sentinels: whoever is its master is told and heard, also after the first one is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from pydantic import ValidationError

from api.settings import Settings
from displays.hub.redis_address import Sentinels, read_sentinels
from displays.hub.redis_relay import RedisRelay
from displays.hub.relay import METER, News, Seal
from tests.servers import Redis, Sentinel
from tests.waiting import eventually

NAME, PASSWORD, SENTINELS_PASSWORD = "house", "of-redis", "of-the-sentinels"
HELD = ("--requirepass", PASSWORD, "--masterauth", PASSWORD)


@contextmanager
def _running(server: Redis) -> Iterator[Redis]:
    server.start()
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[tuple[Redis, str]]:
    """A master with a replica and a sentinel, each of them with a password; and the address of all that."""
    with _running(Redis(*HELD)) as master:
        replica = Redis(*HELD, "--replicaof", "127.0.0.1", str(master.port))
        auth = f"sentinel auth-pass {NAME} {PASSWORD}"
        sentinel = Sentinel(tmp_path, NAME, master, auth, f"requirepass {SENTINELS_PASSWORD}")
        with _running(replica), _running(sentinel):
            hosts = f"127.0.0.1:1,127.0.0.1:{sentinel.port}"  # the first of them does not answer
            query = f"sentinel_password={SENTINELS_PASSWORD}"
            yield master, f"redis+sentinel://:{PASSWORD}@{hosts}/{NAME}/0?{query}"


@asynccontextmanager
async def _relay(url: str, heard: list[News]) -> AsyncIterator[RedisRelay]:
    relay = RedisRelay(url, Seal("an-epoch", "a1" * 32))
    await relay.start(heard.append)
    try:
        yield relay
    finally:
        await relay.stop()


async def test_news_go_on_when_another_redis_becomes_the_master(watched: tuple[Redis, str]) -> None:
    master, url = watched
    heard: list[News] = []
    async with _relay(url, []) as here, _relay(url, heard) as there:

        async def connected() -> bool:
            return here.healthy and there.healthy

        async def told(news: News) -> bool:
            """It is told again: nothing is kept for who has not subscribed yet."""
            here.tell(news)
            return news in heard

        async def lost() -> bool:
            return not (here.healthy or there.healthy)

        await eventually(connected)
        before, after = News(METER, "main", 1, "before"), News(METER, "main", 2, "after")
        await eventually(lambda: told(before))
        master.kill()
        await eventually(lost)
        await eventually(connected)
        await eventually(lambda: told(after))
    assert [news.sequence for news in dict.fromkeys(heard)] == [1, 2]


def test_an_address_names_the_sentinels_the_master_and_both_passwords() -> None:
    url = "redis+sentinel://us%40er:p%2Fw@a:1,b,[::1]:3/house/7?sentinel_username=s&sentinel_password=x%26y"
    assert read_sentinels(url) == Sentinels(
        hosts=(("a", 1), ("b", 26379), ("::1", 3)),
        name="house",
        asked_with={"username": "s", "password": "x&y"},
        served_with={"db": 7, "username": "us@er", "password": "p/w"},
    )
    tls = read_sentinels("rediss+sentinel://a/house")
    assert (tls.asked_with, tls.served_with) == ({"ssl": True}, {"db": 0, "ssl": True})


GOOD = [
    "redis://localhost",
    "redis://:secret@localhost:6379/0",
    "rediss://user:secret@localhost:6379/0?ssl_ca_certs=/ca.crt",
    "unix:///run/redis.sock?db=1",
    "redis+sentinel://a:26379,b:26379/mymaster/0",
    "rediss+sentinel://user:secret@a/mymaster?sentinel_password=secret",
]
BAD = [
    "",
    "localhost:6379",
    "http://:secret@localhost",
    "redis://:secret@localhost:port",
    "redis://:secret@localhost:99999",
    "redis://:secret@localhost?unheard_of=1",
    "redis+sentinel://",
    "redis+sentinel://a:26379",
    "redis+sentinel://:secret@a:26379/",
    "redis+sentinel://a,,b/mymaster",
    "redis+sentinel://a:0x1/mymaster",
    "redis+sentinel://a:secret@[::1/mymaster",
    "redis+sentinel://a/mymaster/first",
    "redis+sentinel://a/mymaster/0?unheard_of=secret",
    "redis+sentinel://a/mymaster/0?secret",
]


@pytest.mark.parametrize("url", GOOD)
def test_an_address_is_taken(url: str) -> None:
    taken = Settings(redis_url=url).redis_url  # type: ignore[arg-type]
    assert taken is not None
    assert taken.get_secret_value() == url


@pytest.mark.parametrize("url", BAD)
def test_an_address_that_leads_nowhere_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings(redis_url=url)  # type: ignore[arg-type]
    said = refused.value.errors(include_input=False)[0]["msg"]
    assert "not the address of a Redis" in said
    assert "secret" not in said
