"""What displays are shown: the latest reading of each link and the view of each table, in memory.

After a commit of this process its writer tells. What other processes committed is told by the relay, if
there is one, and seen by asking the book for all links at once: four times a second without a relay that
works, once a second with it, and never because somebody polls.

The book's own word wins: what the relay told and the book does not have is taken back at the next look, and
so is what the book itself said before and has no more. Such a relay is not believed for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from displays.hub.encoding import STALE, Shown, TableShown, link_terms, shown, table_shown
from displays.hub.relay import METER, TABLES, News, Relay
from jackpot.book.book import Book
from jackpot.book.stores.committed import Committed
from jackpot.book.stores.rows import LinkRow, TableRow, Unreadable, Versions, read_pit, read_table
from jackpot.book.stores.schema import links
from jackpot.book.stores.tasks import end
from jackpot.book.writing.writer import TROUBLE
from jackpot.core.codec import from_bytes, to_bytes
from jackpot.link.state import TableOfPlay
from jackpot.play.status import MeterState
from jackpot.readings.meter import Reading, reading
from jackpot.readings.table_views import TableView, out_of_order, table_view

STALE_AFTER = 5.0
"""Seconds without the book read, after which what a sign shows may be wrong."""
ASKED_EVERY = 0.25
ASKED_BESIDES = 1.0
"""Seconds between two looks at the book while a relay tells the news."""
DOUBTED_FOR = 3600.0
"""Seconds for which no news is taken after some that the book denied."""
EARLY = 0.01
"""Seconds by which a timer may ring before its time."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Views:
    """The tables of a link as they are told to other replicas."""

    tables: tuple[TableView, ...]


@dataclass(slots=True)
class _Channel:
    reading: Reading
    fresh: Shown
    stale: Shown
    head: str
    """The hash of the entry that it is the reading of; empty if only the relay says so."""
    taken_back: int = -1
    """The last sequence that was shown and is denied by the book."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    views_of: int = -1
    """The sequence that the views of its tables are of."""
    views: tuple[TableView, ...] = ()

    @property
    def newest(self) -> int:
        return max(self.reading.sequence, self.views_of)

    def shown(self, *, stale: bool) -> Shown:
        return self.stale if stale else self.fresh

    def wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class Hub:
    def __init__(self, book: Book, relay: Relay | None = None, *, ceiling_hidden: bool = False) -> None:
        self._book, self._relay = book, relay
        self._ceiling_hidden = ceiling_hidden
        """Players are not told how high a jackpot may rise."""
        self._channels: dict[str, _Channel] = {}
        self._tables: dict[str, TableShown] = {}
        self._looked: dict[str, Versions] = {}
        self._floor: dict[str, dict[str, TableOfPlay]] = {}
        self._own: dict[str, tuple[Reading, str]] = {}
        """What this process committed since the last look at the book began: the look may have missed it."""
        self._doubted_until = -DOUBTED_FOR
        self.disagreements: Counter[str] = Counter()
        """How often a link was shown what its book denied."""
        self._read_at = time.monotonic()
        self._stale = False
        self._hanging: frozenset[str] = frozenset()
        """Links that cannot commit: what their signs show may be wrong soon, though it was just read."""
        self._stopped: set[str] = set()
        self._unreadable: set[str] = set()
        self._task: asyncio.Task[None] | None = None
        self.closing = False

    async def start(self) -> None:
        await self._look()
        if self._relay is not None:
            await self._relay.start(self._told)
        self._task = asyncio.create_task(self._keep_looking(), name="hub")

    async def stop(self) -> None:
        self.close()
        await end(self._task)
        if self._relay is not None:
            await self._relay.stop()

    def close(self) -> None:
        self.closing = True
        self._wake_all()

    # Asking

    @property
    def links(self) -> list[str]:
        """Those that have a meter."""
        return sorted(name for name, one in self._channels.items() if one.reading.jackpot)

    @property
    def channels(self) -> list[str]:
        """Links and pits: whatever has tables to show."""
        return sorted(self._channels)

    def is_pit(self, name: str) -> bool:
        channel = self._channels.get(name)
        return channel is not None and not channel.reading.jackpot

    @property
    def stale(self) -> bool:
        return self._stale

    @property
    def news_dropped(self) -> int:
        return 0 if self._relay is None else self._relay.dropped

    def latest(self, link: str) -> Shown | None:
        channel = self._channels.get(link)
        if channel is None or not channel.reading.jackpot:
            return None
        return channel.shown(stale=self._is_stale(link))

    def _is_stale(self, link: str) -> bool:
        return self._stale or link in self._hanging

    def table(self, table: str) -> TableShown | None:
        return self._tables.get(table)

    def terms(self, link: str) -> bytes | None:
        """What players are told before they bet; None of a link without tables."""
        channel = self._channels.get(link)
        if channel is None or not channel.views:
            return None
        return link_terms(link, channel.reading, channel.views[0], ceiling_hidden=self._ceiling_hidden)

    async def newer(self, link: str, than: str, *, within: float) -> Shown | None:
        """What is shown, once its key is another than this; or when the time is over."""
        deadline = time.monotonic() + within
        while (channel := self._channels.get(link)) is not None:
            shown = channel.shown(stale=self._is_stale(link))
            left = deadline - time.monotonic()
            if shown.key != than or left <= 0 or self.closing:
                return shown
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await channel.changed.wait()
        return None

    async def after(self, link: str, first: Shown, sequence: int, *, within: float) -> Shown:
        """The first reading newer than a sequence, or another state than at first, or what took the place of
        the first, or the latest when the time is over. Behind several replicas a sign may have seen more than
        this one has."""
        deadline, shown = time.monotonic() + within, first
        while not self.closing and shown.sequence <= sequence and _follows(first, shown):
            left = deadline - time.monotonic()
            found = await self.newer(link, shown.key, within=left) if left > 0 else None
            if found is None:
                break
            shown = found
        return shown

    async def changed(self, link: str, *, within: float) -> None:
        channel = self._channels.get(link)
        if channel is not None and not self.closing:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(within):
                    await channel.changed.wait()

    # Telling

    def heard(self, told: Committed) -> None:
        """A listener of the writers: this was committed."""
        self._was_read()
        self._follow(told)
        if told.entries or told.link not in self._channels:
            head = told.entries[-1].hash if told.entries else ""
            self._own[told.link] = told.reading, head
            self._show(told.link, told.reading, head)
            self._pass_on(News(METER, told.link, told.reading.sequence, to_bytes(told.reading).decode()))
        if told.tables is not None:
            self._show_tables(told.link, told.reading.sequence, told.tables)
            views = to_bytes(_Views(tables=told.tables)).decode()
            self._pass_on(News(TABLES, told.link, told.reading.sequence, views))

    def _follow(self, told: Committed) -> None:
        """Our own commit, next to what was seen and of no moment to displays, need not be looked at."""
        known = self._looked.get(told.link)
        if known is not None and told.tables is None and told.versions.version <= known.version + 1:
            self._looked[told.link] = told.versions

    def _pass_on(self, news: News) -> None:
        if self._relay is not None:
            self._relay.tell(news)

    def _told(self, news: News) -> None:
        """Another replica committed this. Only links that the book has are shown."""
        channel = self._channels.get(news.link)
        if channel is None or self._doubted:
            return
        if news.kind == METER:
            found = from_bytes(Reading, news.data.encode())
            if found.sequence != news.sequence:
                raise ValueError("the reading is of another sequence")
            if found.sequence > channel.reading.sequence:
                self._put(news.link, found, "")
        elif news.kind == TABLES:
            views = from_bytes(_Views, news.data.encode()).tables
            channel.head = ""
            self._show_tables(news.link, news.sequence, views)

    @property
    def _doubted(self) -> bool:
        return time.monotonic() < self._doubted_until

    def _show(self, link: str, found: Reading, head: str) -> None:
        """The book's own word. What is shown already may be newer: told since the book was asked."""
        known = self._channels.get(link)
        if known is None or found.sequence > known.reading.sequence:
            self._put(link, found, head)
        elif found == known.reading:
            known.head = head
        elif self._differs(link, found):
            self._overrule(link, found, head)

    def _differs(self, link: str, found: Reading) -> bool:
        known = self._channels.get(link)
        return known is not None and found.sequence == known.reading.sequence and found != known.reading

    def _overrule(self, link: str, found: Reading, head: str) -> None:
        """What is shown is not in the book, whoever told it; what is, is shown at once."""
        channel = self._channels[link]
        if link in self._own and self._own[link][0].sequence > found.sequence:
            found, head = self._own[link]
        was = f"entry {channel.newest}, value {channel.reading.value}"
        now = f"entry {found.sequence}, value {found.value}"
        _log.error("the book of %s denies what was shown: %s; it has %s", link, was, now)
        self.disagreements[link] += 1
        self._doubted_until = time.monotonic() + DOUBTED_FOR
        channel.taken_back = max(channel.taken_back, channel.reading.sequence)
        channel.views_of = -1
        self._looked.pop(link, None)  # everything of it is looked at again
        self._floor.pop(link, None)
        self._put(link, found, head)

    def _put(self, link: str, found: Reading, head: str) -> None:
        known = self._channels.get(link)
        fresh, stale = self._fresh(link, found), self._face(link, found, STALE)
        if known is None:
            self._channels[link] = _Channel(found, fresh, stale, head)
            return
        known.reading, known.fresh, known.stale, known.head = found, fresh, stale, head
        known.wake()

    def _face(self, link: str, found: Reading, state: str) -> Shown:
        known = self._channels.get(link)
        again = known is not None and found.sequence <= known.taken_back
        return shown(link, found, state, self._book.epoch, again=again)

    def _fresh(self, link: str, found: Reading) -> Shown:
        state = MeterState.OFF if link in self._stopped else found.state
        return self._face(link, found, state.value)

    def stopped(self, link: str, why: str | None) -> None:
        """Nothing is taken for this link, or it is again: its displays say so, whatever the book does."""
        (self._stopped.discard if why is None else self._stopped.add)(link)
        channel = self._channels.get(link)
        if channel is not None:
            channel.fresh = self._fresh(link, channel.reading)
            self._show_tables(link, channel.views_of, channel.views)
            channel.wake()

    def _show_tables(self, link: str, sequence: int, views: Iterable[TableView]) -> None:
        channel = self._channels[link]
        if sequence < channel.views_of:
            return
        channel.views_of, channel.views = sequence, tuple(views)
        seen = map(out_of_order, channel.views) if link in self._stopped else channel.views
        hidden = self._ceiling_hidden
        told = {one.table: table_shown(link, channel.reading, one, ceiling_hidden=hidden) for one in seen}
        if told != {name: one for name, one in self._tables.items() if one.link == link}:
            others = {name: one for name, one in self._tables.items() if one.link != link}
            self._tables = others | told
            channel.wake()

    def _was_read(self) -> None:
        self._read_at = time.monotonic()
        if self._stale:
            self._stale = False
            self._wake_all()

    def _wake_all(self) -> None:
        for channel in self._channels.values():
            channel.wake()

    # Looking

    async def _keep_looking(self) -> None:
        failed = False
        while True:
            await (asyncio.sleep(ASKED_EVERY) if failed else self._wait_to_look())
            try:
                async with asyncio.timeout(self._patience()):
                    await self._look()
                failed = False
            except TROUBLE as trouble:
                self._grow_stale(trouble)
                failed = True
            self._mark_hanging(self._book.pulse.hanging)

    def _mark_hanging(self, hanging: frozenset[str]) -> None:
        changed, self._hanging = hanging ^ self._hanging, hanging
        for link in changed & self._channels.keys():
            _log.warning("link %s %s", link, "cannot commit" if link in hanging else "can commit again")
            self._channels[link].wake()

    def _patience(self) -> float:
        """Until what is shown is stale, so that it is said then; once it has been said, as long again."""
        left = self._read_at + STALE_AFTER - time.monotonic()
        return STALE_AFTER if self._stale else max(left, 0) + EARLY

    async def _wait_to_look(self) -> None:
        """A relay that is lost, or not believed, is noticed within one short wait."""
        until = time.monotonic() + ASKED_BESIDES
        while True:
            await asyncio.sleep(ASKED_EVERY)
            told = self._relay is not None and self._relay.healthy and not self._doubted
            if not told or time.monotonic() >= until:
                return

    def _grow_stale(self, trouble: BaseException) -> None:
        if not self._stale and time.monotonic() - self._read_at >= STALE_AFTER:
            _log.warning("the book was not read for %s s: %s", STALE_AFTER, type(trouble).__name__)
            self._stale = True
            self._wake_all()

    async def _look(self) -> None:
        store = self._book.store
        before = {name: one.newest for name, one in self._channels.items()}
        self._own.clear()
        async with store.reading() as connection:
            heads = (await connection.execute(_HEADS)).all()
            newer = [head for head in heads if self._unseen(head)]
            rows = [
                (
                    await store.load_link(connection, head.id),
                    await store.changed_since(connection, head.id, known),
                )
                for head in newer
                for known in (self._looked.get(head.id, Versions(0, -1)),)
            ]
        self._was_read()
        for head, (row, changed) in zip(newer, rows, strict=True):
            try:
                self._saw(head, row, changed, before.get(head.id, -1))
            except Unreadable as wrong:  # its link is stopped by the check; the others are shown
                self._log_once(head.id, wrong)

    def _saw(self, head: Any, row: LinkRow, changed: list[TableRow], before: int) -> None:
        """Everything that was shown when the book was asked must be in it."""
        name: str = head.id
        link = read_pit(row, ())
        tables = {one.id: read_table(link, one) for one in changed}
        self._unreadable.discard(name)
        found = reading(link)
        if found.sequence < before or self._differs(name, found):
            self._overrule(name, found, head.head)
            return
        self._floor[name] = {
            table: one
            for table, one in (self._floor.get(name, {}) | tables).items()
            if table not in link.departed
        }
        self._looked[name] = Versions(head.version, head.heard)
        self._show(name, found, head.head)
        views = [table_view(link, one) for one in self._floor[name].values()]
        self._show_tables(name, link.sequence, views)

    def _log_once(self, name: str, wrong: Unreadable) -> None:
        if name not in self._unreadable:
            _log.error("link %s is not shown anew: %s", name, wrong)
            self._unreadable.add(name)

    def _unseen(self, head: Any) -> bool:
        """Where no other process writes, what was seen once is told by our own writer from then on."""
        known = self._looked.get(head.id)
        if known is None or self._channels[head.id].head != head.head:
            return True
        return self._book.store.shared and bool(head.version > known.version)


def _follows(first: Shown, later: Shown) -> bool:
    """Whether it is the same, or newer, and no other state; False if the first was taken back."""
    return first.state == later.state and first.again == later.again and first.sequence <= later.sequence


_HEADS = select(links.c.id, links.c.sequence, links.c.version, links.c.heard, links.c.head)
