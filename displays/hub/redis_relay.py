"""News by way of Redis. A service that stands alone does not import it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Any

from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from displays.hub.redis_address import RedisServer
from displays.hub.relay import Hear, News, Seal
from jackpot.book.stores.tasks import end

PATIENCE = 0.8
"""Seconds for any one answer. After that Redis counts as lost."""
ASKED_EVERY = 0.4
LOGGED_EVERY = 60.0
"""Seconds between two lines about news that were dropped."""
TROUBLE = (RedisError, OSError, TimeoutError)
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
_log = logging.getLogger(__name__)


class RedisRelay:
    """A channel for those who are there; nothing is kept, since whoever comes later asks the book. Its name
    carries the book's epoch: a restored book is another book."""

    def __init__(self, url: str, seal: Seal) -> None:
        self._server = RedisServer(
            url,
            socket_timeout=PATIENCE,
            socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 0),  # we try again ourselves
        )
        self._redis = self._server.client
        self._seal, self._channel = seal, f"jackpot:{seal.epoch}:news"
        self.dropped = 0
        self._logged_at = -LOGGED_EVERY
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
        try:
            await self._redis.publish(self._channel, self._seal.encode(news))
        except TROUBLE:
            self._unsent.setdefault((news.kind, news.link), news)
            raise

    # Hearing

    async def _listen(self) -> None:
        async with self._redis.pubsub() as channel:
            try:
                await channel.subscribe(self._channel)
                while True:
                    message = await channel.get_message(timeout=ASKED_EVERY)
                    if message is not None and message["type"] == "subscribe":
                        self._hearing = True
                    elif message is not None and message["type"] == "message":
                        self._heard(message["data"])
            finally:
                self._hearing = False

    def _heard(self, told: bytes) -> None:
        if self._hear is None:
            return
        try:
            self._hear(self._seal.decode(told))
        except UNREADABLE as wrong:
            self._drop(wrong)

    def _drop(self, wrong: Exception) -> None:
        self.dropped += 1
        if time.monotonic() - self._logged_at >= LOGGED_EVERY:
            self._logged_at = time.monotonic()
            _log.error("news was dropped, %d so far: %s", self.dropped, type(wrong).__name__)
