"""Looks what the House is alerted to, and writes for those who listen what was raised and what ended."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from jackpot.book.book import Book
from jackpot.book.stores.tasks import end
from jackpot.book.webhooks.subscriptions import all_webhooks
from jackpot.book.webhooks.told_alerts import AlertBook, Cause, Standing
from jackpot.book.writing.writer import TROUBLE
from jackpot.machine.event import Topic

LOOKED_EVERY = 5.0
Raised = Mapping[str, Mapping[Cause, Standing]]
"""By link or pit."""
_log = logging.getLogger(__name__)


class AlertWatch:
    """While nobody wants to hear of alerts, nobody looks."""

    def __init__(self, book: Book, raised: Callable[[], Awaitable[Raised]]) -> None:
        self._book, self._raised = book, raised
        self._told = AlertBook(book.store)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._again(), name="alerts for webhooks")

    async def stop(self) -> None:
        await end(self._task)

    async def look(self) -> None:
        async with self._book.store.reading() as connection:
            listening = await all_webhooks(connection)
        if not any(Topic.ALERTS in one.topics for one in listening):
            return
        for link, causes in (await self._raised()).items():
            await self._told.tell(link, causes, at=self._book.clock.now())

    async def _again(self) -> None:
        while True:
            await asyncio.sleep(LOOKED_EVERY)
            try:
                await self.look()
            except TROUBLE as trouble:
                _log.warning("alerts were not told: %s", type(trouble).__name__)
            except Exception:  # whatever it was: nobody else would look
                _log.exception("alerts were not told")
