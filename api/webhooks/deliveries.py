"""Sends what others want to hear: each event after the one before it was taken.

Every serving process looks every second which lanes have something to send, and takes a lane in the book
before it sends there. Which of them does so makes no difference, nor what becomes of it meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from api.webhooks.courier import ASKED_EVERY, Busy, Courier
from api.webhooks.lags import Lags
from api.webhooks.terms import Terms
from jackpot.book.book import Book
from jackpot.book.stores.tasks import end
from jackpot.book.webhooks import lanes, outbox, subscriptions
from jackpot.book.webhooks.lanes import TESTS, Cursor, Key, Lane, Tried
from jackpot.book.webhooks.outbox import Outbox
from jackpot.book.webhooks.subscriptions import Webhook, WebhookUnknown
from jackpot.book.writing.writer import TROUBLE

LOOKED_EVERY = 1.0
STOPPED_WITHIN = 2.0
"""Seconds in which what is under way ends by itself."""
T = TypeVar("T")
_log = logging.getLogger(__name__)


class Deliveries:
    def __init__(self, book: Book, terms: Terms) -> None:
        self._book, self.terms = book, terms
        self._outbox = Outbox()
        self._courier = Courier(book, terms, self._outbox)
        self.lags = Lags(book, self._outbox)
        self._running: dict[Key, asyncio.Task[Any]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._quiet: dict[Key, tuple[Cursor, Cursor]] = {}
        """Lanes that had nothing to send: where they stood, and what was the newest that anybody may hear."""

    def start(self) -> None:
        self._looking = asyncio.create_task(self._again(), name="webhooks")

    async def stop(self) -> None:
        await end(self._looking)
        self._courier.drop()
        if self._running:
            await asyncio.wait(self._running.values(), timeout=STOPPED_WITHIN)
        await end(*self._running.values())
        await self._courier.let_go()
        await self._courier.forget(())

    def wake(self) -> None:
        """Something may be due now."""
        self._wake.set()

    async def quiesce(self, webhook: str) -> None:
        """After it was paused in the book: returns once nobody is sending to it any more."""
        self._courier.drop(webhook)
        while True:
            async with self._book.store.reading() as connection:
                if not await lanes.under_way(connection, webhook, self._book.clock.now()):
                    return
            await asyncio.sleep(ASKED_EVERY / 5)

    async def test(self, webhook: Webhook) -> Tried:
        """An event that says nothing, sent once and now."""
        key = Key(webhook.id, TESTS)
        if key in self._running:
            raise Busy
        task = self._run(key, self._courier.test(webhook))
        await asyncio.wait({task})
        if task.cancelled():
            raise Busy
        return task.result()

    async def _again(self) -> None:
        while True:
            try:
                await self._look()
            except TROUBLE as trouble:
                _log.warning("webhooks wait: %s", type(trouble).__name__)
            except Exception:  # whatever it was: nobody else would look
                _log.exception("webhooks wait")
            try:
                async with asyncio.timeout(LOOKED_EVERY):
                    await self._wake.wait()
            except TimeoutError:
                pass
            self._wake.clear()

    async def _look(self) -> None:
        """Begin to send in every lane that has something to send, and in which nobody else does."""
        async with self._book.store.reading() as connection:
            known = {one.id: one for one in await subscriptions.all_webhooks(connection)}
            active = {name: one for name, one in known.items() if one.paused is None}
            heads = await outbox.heads(connection) if active else {}
            there = await lanes.all_lanes(connection) if active else []
            newest = {name: await self._outbox.newest(connection, name, head) for name, head in heads.items()}
        await self._forget(known)
        await self._add_missing(active, heads, there)
        now = self._book.clock.now()
        for lane in there:
            ready = lane.key.webhook in active and lane.free(now) and lane.is_due(now)
            if ready and lane.key.link in newest:
                self._begin(lane, newest[lane.key.link])

    async def _forget(self, known: Collection[str]) -> None:
        await self._courier.forget(known)
        self._quiet = {key: one for key, one in self._quiet.items() if key.webhook in known}

    async def _add_missing(
        self, active: Mapping[str, Webhook], heads: Collection[str], there: Sequence[Lane]
    ) -> None:
        """Lanes of links that were made later: everything of them is new."""
        known = {one.key for one in there}
        for name, webhook in active.items():
            missing = [link for link in heads if webhook.hears(link) and Key(name, link) not in known]
            if missing:
                async with self._book.store.transaction() as connection:
                    await lanes.add_lanes(connection, name, {link: Cursor() for link in missing})
                self.wake()

    def _begin(self, lane: Lane, newest: Cursor) -> None:
        if lane.key not in self._running and self._quiet.get(lane.key) != (lane.cursor, newest):
            self._run(lane.key, self._deliver(lane, newest))

    def _run(self, key: Key, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = self._running[key] = asyncio.create_task(work, name=f"webhook {key.webhook}")
        task.add_done_callback(lambda _: self._running.pop(key, None))
        return task

    async def _deliver(self, lane: Lane, newest: Cursor) -> None:
        try:
            stands = await self._courier.deliver(lane)
        except WebhookUnknown:
            return  # it has been deleted
        except TROUBLE as trouble:
            _log.warning("webhook %s waits: %s", lane.key.webhook, type(trouble).__name__)
            return
        except Exception:  # whatever it was: nobody waits for this
            _log.exception("webhook %s waits", lane.key.webhook)
            return
        if stands is not None:
            self._quiet[lane.key] = stands, newest
