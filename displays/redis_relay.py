"""News by way of Redis. A service that stands alone does not import it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from displays.redis_address import RedisServer
from displays.relay import Hear, News
from jackpot.book.tasks import end

PATIENCE = 0.8
"""Seconds for any one answer. After that Redis counts as lost."""
ASKED_EVERY = 0.4
KEPT = 24 * 3600
"""Seconds for which the latest reading of a book that nobody serves any more is kept."""
TROUBLE = (RedisError, OSError, TimeoutError)
_log = logging.getLogger(__name__)
_KEEP_NEWEST = """
local known = tonumber(redis.call('HGET', KEYS[1], 'sequence') or '-1')
if tonumber(ARGV[1]) <= known then return 0 end
redis.call('HSET', KEYS[1], 'sequence', ARGV[1], 'news', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[2])
return 1
"""


class RedisRelay:
    """The newest of each kind and link under a key of its own, so that whoever comes later finds it, and on
    a channel for those who are there. Keys carry the book's epoch: a restored book is another book."""

    def __init__(self, url: str, epoch: str) -> None:
        self._server = RedisServer(
            url,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            decode_responses=True,
            retry=Retry(NoBackoff(), 0),  # we try again ourselves, and then ask what we missed
        )
        self._redis = self._server.client
        self._root = f"jackpot:{epoch}"
        self._keep_newest = self._redis.register_script(_KEEP_NEWEST)
        self._unsent: dict[tuple[str, str], News] = {}
        self._bell = asyncio.Event()
        self._hear: Hear | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._telling = self._hearing = False

    @property
    def healthy(self) -> bool:
        return self._telling and self._hearing

    def tell(self, news: News) -> None:
        """Soon; what a newer one overtakes before it is sent is never sent."""
        self._unsent[news.kind, news.link] = news
        self._bell.set()

    async def start(self, hear: Hear) -> None:
        self._hear = hear
        self._tasks = [
            asyncio.create_task(self._keep(self._tell_all), name="relay, telling"),
            asyncio.create_task(self._keep(self._listen), name="relay, hearing"),
        ]

    async def stop(self) -> None:
        await end(*self._tasks, again=0.1)  # the client's timeouts lose it often
        with contextlib.suppress(*TROUBLE):
            await self._server.close()

    async def _keep(self, work: Callable[[], Any]) -> None:
        """Again and again, whatever happens to the connection."""
        pause = 0.05
        while True:
            was_healthy = self.healthy
            try:
                await work()
            except TROUBLE as trouble:
                if was_healthy:
                    _log.warning("redis is lost, the book is asked instead: %s", type(trouble).__name__)
                    pause = 0.05
            await asyncio.sleep(pause)
            pause = min(0.5, pause * 2)

    # Telling

    async def _tell_all(self) -> None:
        try:
            while True:
                await self._redis.ping()
                self._telling = True
                await self._rung(ASKED_EVERY)
                while self._unsent:
                    await self._send(self._unsent.pop(next(iter(self._unsent))))
        finally:
            self._telling = False

    async def _rung(self, within: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._bell.wait()
        self._bell.clear()

    async def _send(self, news: News) -> None:
        key = f"{self._root}:{news.kind}:{news.link}"
        try:
            await self._keep_newest(
                keys=[key], args=[news.sequence, news.encoded(), KEPT, f"{self._root}:news"]
            )
        except TROUBLE:
            self._unsent.setdefault((news.kind, news.link), news)
            raise

    # Hearing

    async def _listen(self) -> None:
        async with self._redis.pubsub(ignore_subscribe_messages=True) as channel:
            try:
                await channel.subscribe(f"{self._root}:news")
                await self._catch_up()
                while True:
                    self._hearing = True
                    message = await channel.get_message(timeout=ASKED_EVERY)
                    if message is not None:
                        self._heard(message["data"])
            finally:
                self._hearing = False

    async def _catch_up(self) -> None:
        """What was told while nobody here listened."""
        async for key in self._redis.scan_iter(match=f"{self._root}:*:*", count=1000):
            said = await self._redis.hget(key, "news")
            if said is not None:
                self._heard(said)

    def _heard(self, said: str | bytes) -> None:
        if self._hear is None:
            return
        try:
            self._hear(News.read(said))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as wrong:
            _log.warning("news that nobody of ours can have told: %s", type(wrong).__name__)
