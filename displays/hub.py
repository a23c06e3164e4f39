"""What signs are shown: the latest reading of each link, in memory, encoded once however many ask.

After a commit of this process its writer tells. What other processes committed is seen by asking the book
four times a second, for all links at once, and never because somebody polls.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import select

from jackpot.book.batch import Committed
from jackpot.book.book import Book
from jackpot.book.records import read_link
from jackpot.book.schema import links
from jackpot.book.writer import TROUBLE
from jackpot.instants import spoken_instant
from jackpot.money import spoken
from jackpot.views import Reading, reading

STALE = "stale"
STALE_AFTER = 5.0
"""Seconds without the book read, after which what a sign shows may be wrong."""
ASKED_EVERY = 0.25
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Shown:
    """A reading as signs get it."""

    sequence: int
    value: int
    state: str
    tag: str
    """epoch.sequence.state: two readings with the same tag are the same bytes."""
    etag: bytes
    display: str
    body: bytes


class Displays(Protocol):
    """The port: a hub between replicas does the same by other means."""

    def latest(self, link: str) -> Shown | None: ...

    async def newer(self, link: str, than: str, *, within: float) -> Shown | None:
        """The first reading with another tag, or the latest when the time is over."""
        ...

    def close(self) -> None:
        """Nobody waits any longer."""
        ...


@dataclass(slots=True)
class _Channel:
    fresh: Shown
    stale: Shown
    currency: str
    changed: asyncio.Event

    def shown(self, *, stale: bool) -> Shown:
        return self.stale if stale else self.fresh


class Hub:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._channels: dict[str, _Channel] = {}
        self._read_at = time.monotonic()
        self._stale = False
        self._task: asyncio.Task[None] | None = None
        self.closing = False

    async def start(self) -> None:
        await self._look()
        self._task = asyncio.create_task(self._keep_looking(), name="hub")

    async def stop(self) -> None:
        self.close()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def close(self) -> None:
        self.closing = True
        self._wake_all()

    # Asking

    @property
    def links(self) -> list[str]:
        return sorted(self._channels)

    def latest(self, link: str) -> Shown | None:
        channel = self._channels.get(link)
        return None if channel is None else channel.shown(stale=self._stale)

    async def newer(self, link: str, than: str, *, within: float) -> Shown | None:
        deadline = time.monotonic() + within
        while (channel := self._channels.get(link)) is not None:
            shown = channel.shown(stale=self._stale)
            left = deadline - time.monotonic()
            if shown.tag != than or left <= 0 or self.closing:
                return shown
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await channel.changed.wait()
        return None

    async def after(self, link: str, first: Shown, sequence: int, *, within: float) -> Shown:
        """The first reading newer than a sequence, or another state than at first, or the latest when the
        time is over. Behind several replicas a sign may have seen more than this one has."""
        deadline, shown = time.monotonic() + within, first
        while not self.closing and shown.sequence <= sequence and shown.state == first.state:
            left = deadline - time.monotonic()
            found = await self.newer(link, shown.tag, within=left) if left > 0 else None
            if found is None:
                break
            shown = found
        return shown

    # Telling

    def heard(self, committed: Committed) -> None:
        """A listener of the writers: this was committed. A link not seen before is found by the next look."""
        self._was_read()
        known = self._channels.get(committed.link)
        if committed.entries and known is not None:
            self._show(committed.link, known.currency, committed.reading)

    def _show(self, link: str, currency: str, found: Reading) -> None:
        known = self._channels.get(link)
        if known is not None and known.fresh.sequence >= found.sequence:
            return
        fresh = _shown(link, currency, found, found.state.value, self._book.epoch)
        stale = _shown(link, currency, found, STALE, self._book.epoch)
        self._channels[link] = _Channel(fresh, stale, currency, asyncio.Event())
        if known is not None:
            known.changed.set()

    def _was_read(self) -> None:
        self._read_at = time.monotonic()
        if self._stale:
            self._stale = False
            self._wake_all()

    def _wake_all(self) -> None:
        for channel in self._channels.values():
            channel.changed.set()
            channel.changed = asyncio.Event()

    # Looking

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(ASKED_EVERY)
            try:
                async with asyncio.timeout(STALE_AFTER):
                    await self._look()
            except TROUBLE as trouble:
                self._grow_stale(trouble)

    def _grow_stale(self, trouble: BaseException) -> None:
        if not self._stale and time.monotonic() - self._read_at >= STALE_AFTER:
            _log.warning("the book was not read for %s s: %s", STALE_AFTER, type(trouble).__name__)
            self._stale = True
            self._wake_all()

    async def _look(self) -> None:
        async with self._book.store.reading() as connection:
            heads = (await connection.execute(select(links.c.id, links.c.sequence))).all()
            newer = [name for name, sequence in heads if sequence > self._sequence(name)]
            rows = [await self._book.store.load_link(connection, name) for name in newer]
        self._was_read()
        for row in rows:
            link = read_link(row, ())
            self._show(link.id, link.currency, reading(link))

    def _sequence(self, link: str) -> int:
        channel = self._channels.get(link)
        return 0 if channel is None else channel.fresh.sequence


def _shown(link: str, currency: str, found: Reading, state: str, epoch: str) -> Shown:
    display = spoken(found.value, currency)
    body = {
        "link": link,
        "value": found.value,
        "display": display,
        "currency": currency,
        "epoch": epoch,
        "sequence": found.sequence,
        "state": state,
        "pending": [
            {"hand": one.hand.value, "table": one.table, "amount": one.amount} for one in found.pending
        ],
        "next": found.next,
        "as_of": spoken_instant(found.at),
    }
    tag = f"{epoch}.{found.sequence}.{state}"
    data = json.dumps(body, separators=(",", ":")).encode()
    return Shown(found.sequence, found.value, state, tag, f'"{tag}"'.encode(), display, data)
