"""How far each webhook is behind: what waits for it, since when, and how often it did not take it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jackpot.book.book import Book
from jackpot.book.webhooks import lanes, subscriptions
from jackpot.book.webhooks.lanes import TESTS, Key, Lane
from jackpot.book.webhooks.outbox import Outbox
from jackpot.book.webhooks.subscriptions import Webhook
from jackpot.book.writing.writer import TROUBLE


@dataclass(frozen=True, slots=True)
class Behind:
    """One webhook."""

    webhook: Webhook
    lag: int
    """Microseconds for which its oldest event has waited; 0 while it is paused."""
    failures: int
    """Attempts that failed in a row, in the lane where they are most."""


class Lags:
    def __init__(self, book: Book, outbox: Outbox) -> None:
        self._book, self._outbox = book, outbox
        self._seen: list[Behind] = []

    async def waiting_since(self, known: Sequence[Webhook], there: Sequence[Lane]) -> dict[Key, int]:
        """The time of the oldest event of every lane that has something to send."""
        webhooks, found = {one.id: one for one in known}, {}
        async with self._book.store.reading() as connection:
            for lane in there:
                webhook = webhooks.get(lane.key.webhook)
                if webhook is None or lane.key.link == TESTS:
                    continue
                first = await self._outbox.after(connection, lane.key.link, lane.cursor, webhook.topics, 1)
                if first:
                    found[lane.key] = first[0].at
        return found

    async def look(self) -> list[Behind]:
        """What was last seen, if the book cannot be read."""
        try:
            async with self._book.store.reading() as connection:
                known = await subscriptions.all_webhooks(connection)
                there = await lanes.all_lanes(connection) if known else []
            active = [one for one in known if one.paused is None]
            waiting, now = await self.waiting_since(active, there), self._book.clock.now()
            self._seen = [_behind(one, there, waiting, now) for one in known]
        except TROUBLE:
            pass
        return self._seen


def _behind(webhook: Webhook, there: Sequence[Lane], waiting: dict[Key, int], now: int) -> Behind:
    mine = [lane for lane in there if lane.key.webhook == webhook.id and lane.key.link != TESTS]
    since = [waiting[lane.key] for lane in mine if lane.key in waiting]
    lag = max(0, now - min(since)) if since else 0
    return Behind(webhook, lag, max((lane.attempts for lane in mine), default=0))
