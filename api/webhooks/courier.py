"""Carries the events of lanes: takes a lane in the book, sends what is next, and moves its cursor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from uuid import uuid4

from api.webhooks.sending import GONE, Answer, Sender
from api.webhooks.terms import Terms
from jackpot.book.book import Book
from jackpot.book.stores.tasks import end
from jackpot.book.webhooks import lanes, subscriptions
from jackpot.book.webhooks.lanes import TESTS, Cursor, Key, Lane, Tried
from jackpot.book.webhooks.outbox import Outbox, Outgoing, trial_event
from jackpot.book.webhooks.secrets import CannotOpen, in_force
from jackpot.book.webhooks.subscriptions import Paused, Webhook, WebhookUnknown
from jackpot.book.writing.writer import TROUBLE
from jackpot.core.instants import SECOND

ASKED_EVERY = 0.25
"""Seconds after which who is sending asks whether it was paused meanwhile."""
_log = logging.getLogger(__name__)


class Busy(Exception):
    """The webhook is paused, or somebody else is sending in this lane."""


class Courier:
    """Of one process."""

    def __init__(self, book: Book, terms: Terms, outbox: Outbox) -> None:
        self._book, self._terms, self._outbox = book, terms, outbox
        self._owner = uuid4().hex
        self._senders: dict[str, Sender] = {}
        self._sending: dict[Key, asyncio.Task[Answer]] = {}
        self._closing = False

    async def deliver(self, lane: Lane) -> Cursor | None:
        """Everything that is there now, one event after the other, as long as the receiver takes them: where
        the lane stands when nothing is left; None if something is."""
        key, cursor, attempts, until = lane.key, lane.cursor, lane.attempts, 0
        try:
            while page := await self._page(key, cursor):
                webhook, events = page
                for event in events:
                    until = until or await self._take(key, cursor)
                    if until:
                        until = await self._send(webhook, lane.key, cursor, event, attempts, until)
                    if not until:
                        return None
                    cursor, attempts = event.cursor, 0
            return cursor
        finally:
            if until:
                await self.let_go(key)

    async def test(self, webhook: Webhook) -> Tried:
        """An event that says nothing, sent once and now; no other waits for it."""
        key = Key(webhook.id, TESTS)
        async with self._book.store.transaction() as connection:
            await lanes.add_lanes(connection, webhook.id, {TESTS: Cursor()})
        until, event = await self._take(key, Cursor()), trial_event(self._book.clock.now())
        try:
            answer = await self._attempt(webhook, key, event, until) if until else None
            if answer is None:
                raise Busy
            tried = _tried(event, answer, 1, self._book.clock.now())
            async with self._book.store.transaction() as connection:
                await lanes.moved(connection, key, Cursor(), Cursor(), tried, owner=self._owner, until=0)
            return tried
        finally:
            await self.let_go(key)

    def drop(self, webhook: str | None = None) -> None:
        """Hang up on a webhook that was paused, or on all for good. Nothing else is cut short: it ends by
        itself, since a transaction that is cancelled costs its line."""
        self._closing = self._closing or webhook is None
        for key, task in self._sending.items():
            if webhook in (None, key.webhook):
                task.cancel()

    async def let_go(self, key: Key | None = None) -> int:
        """Nothing is being sent in this lane, or in any, by this process."""
        try:
            async with self._book.store.transaction() as connection:
                await lanes.let_go(connection, self._owner, key)
        except TROUBLE:
            pass  # it is free when its time is over
        return 0

    async def forget(self, known: Collection[str]) -> None:
        """The connections to webhooks that are no more."""
        for gone in self._senders.keys() - known:
            await self._senders.pop(gone).close()

    async def _page(self, key: Key, cursor: Cursor) -> tuple[Webhook, list[Outgoing]] | None:
        """What is next, and the webhook as it is now; None at the end."""
        async with self._book.store.reading() as connection:
            webhook = await subscriptions.find_webhook(connection, key.webhook)
            events = await self._outbox.after(connection, key.link, cursor, webhook.topics)
        return (webhook, events) if events else None

    async def _take(self, key: Key, cursor: Cursor) -> int:
        """Until when this process may be sending the next event; 0 if it may not."""
        now = self._book.clock.now()
        until = now + self._terms.lease
        async with self._book.store.transaction() as connection:
            mine = await lanes.take(connection, key, cursor, owner=self._owner, now=now, until=until)
        return until if mine else 0

    async def _send(
        self, webhook: Webhook, key: Key, cursor: Cursor, event: Outgoing, attempts: int, until: int
    ) -> int:
        """Until when the next event may be sent; 0 if none may."""
        answer = await self._attempt(webhook, key, event, until)
        if answer is None:
            return await self.let_go(key)
        now = self._book.clock.now()
        tried = _tried(event, answer, attempts + 1, now)
        if answer.error is not None:
            await self._failed(webhook, key, cursor, answer, tried)
            return await self.let_go(key)
        longer = now + self._terms.lease
        async with self._book.store.transaction() as connection:
            goes_on = await lanes.moved(
                connection, key, cursor, event.cursor, tried, owner=self._owner, until=longer
            )
        return longer if goes_on else await self.let_go(key)

    async def _failed(self, webhook: Webhook, key: Key, cursor: Cursor, answer: Answer, tried: Tried) -> None:
        due = tried.at + self._terms.pause_after(tried.attempt, wished=answer.after)
        async with self._book.store.transaction() as connection:
            if answer.status == GONE:
                await subscriptions.pause(connection, webhook.id, Paused.GONE, by=None, at=tried.at)
            await lanes.failed(connection, key, cursor, tried, owner=self._owner, due=due)
        if answer.status == GONE:
            _log.warning("webhook %s is paused: its receiver says that it is gone", webhook.id)

    async def _attempt(self, webhook: Webhook, key: Key, event: Outgoing, until: int) -> Answer | None:
        """None if it was not tried, or given up because the webhook was paused meanwhile."""
        now = self._book.clock.now()
        if self._closing or now > until - round(self._terms.seconds * SECOND):
            return None  # the process was asleep: somebody else may be sending by now
        try:
            opened = [self._terms.vault.open(webhook.id, one.kept) for one in in_force(webhook.secrets, now)]
        except CannotOpen as closed:
            return Answer(0, error=str(closed))
        sender = self._senders.setdefault(webhook.id, Sender(self._terms.allowed, self._terms.seconds))
        sending = asyncio.create_task(sender.send(webhook.url, event, opened, at=now))
        self._sending[key] = sending
        try:
            while not (await asyncio.wait({sending}, timeout=ASKED_EVERY))[0]:
                if await self._is_paused(webhook.id):
                    return None
            return None if sending.cancelled() else sending.result()
        finally:
            await end(sending)
            self._sending.pop(key, None)

    async def _is_paused(self, id: str) -> bool:
        try:
            async with self._book.store.reading() as connection:
                return (await subscriptions.find_webhook(connection, id)).paused is not None
        except WebhookUnknown:
            return True


def _tried(event: Outgoing, answer: Answer, attempt: int, at: int) -> Tried:
    return Tried(
        at=at,
        event=event.id,
        type=event.type,
        attempt=attempt,
        status=answer.status,
        error=answer.error,
        took=answer.took,
    )
