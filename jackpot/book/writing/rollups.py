"""Rolls up what play has come to, beside the commits: no message waits for it, nor does a report for long.

A roll-up is kept at every end of a shift, and after so many entries in between. It follows from the journal
alone, so several processes may make the same one, and one that dies leaves nothing half done: the next goes
on after the last that is kept.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from random import SystemRandom

import msgspec
from sqlalchemy import func, select

from jackpot.book.beside.applied_floor import calendar
from jackpot.book.beside.calendar import Calendar
from jackpot.book.reading.meters import Counted, Row, entries_between, reached, rolled_up
from jackpot.book.stores.base import Store
from jackpot.book.stores.inserting import insert_new
from jackpot.book.stores.packing import Unpackable, pack
from jackpot.book.stores.rows import Unreadable
from jackpot.book.stores.schema import journal, links, rollups, tables
from jackpot.book.stores.tasks import end
from jackpot.book.writing.writer import TROUBLE
from jackpot.figures.meters import LAYOUT, Meters

EVERY = 5.0
"""Seconds between two looks at what is due, more or less: processes seldom do the same work together."""
LEAST, EACH_TABLE = 2_000, 20
"""Entries between two roll-ups: so many, and more at a wide link. Reports read what lies behind the last."""
SLICE = 5_000
"""Entries at a time: then it is asked whether another process has gone on."""
TOLD_OF = 50_000
"""Entries behind of which the log says how far it is."""
TOLD_EVERY = 10.0
_log = logging.getLogger(__name__)
_random = SystemRandom()


@dataclass(frozen=True, slots=True)
class Pace:
    page: int
    pause: float
    """Seconds after each page, for everybody else."""


BROKEN = Unreadable, Unpackable, msgspec.DecodeError
"""A journal that cannot be read. The self-check stops such a link, and says why."""
GENTLE, AT_ONCE = Pace(100, 0.01), Pace(2_000, 0.0)


@dataclass(frozen=True, slots=True)
class Due:
    """A link or pit that has something to roll up."""

    link: str
    since: int
    """The last roll-up that there is."""
    last: int
    rhythm: int
    bound: int
    """The next end of a shift after the first entry that is not rolled up."""


class RollUps:
    """Of every link and pit of a book."""

    def __init__(self, store: Store, *, pace: Pace = GENTLE) -> None:
        self._store, self._pace = store, pace
        self._told = 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_rolling(), name="roll-ups")

    async def stop(self) -> None:
        await end(self._task)

    async def _keep_rolling(self) -> None:
        while True:
            left = False
            try:
                left = await self.roll()
            except TROUBLE as trouble:
                _log.warning("nothing was rolled up: %s", type(trouble).__name__)
            except Exception:  # whatever it was: nobody else would go on
                _log.exception("nothing was rolled up")
            await asyncio.sleep(0 if left else EVERY * _random.uniform(0.5, 1.5))

    async def roll(self) -> bool:
        """What is due, at most a slice of each link; whether more is."""
        left = False
        for one in await due(self._store):
            self._tell(one)
            with suppress(*BROKEN):
                await roll_up(self._store, one, upto=min(one.last, one.since + SLICE), pace=self._pace)
                left |= one.last - one.since > SLICE
        return left

    def _tell(self, one: Due) -> None:
        if one.last - one.since > TOLD_OF and time.monotonic() > self._told + TOLD_EVERY:
            self._told = time.monotonic()
            _log.info("rolling up %s: %d of %d entries are done", one.link, one.since, one.last)


async def roll_up_all(store: Store) -> None:
    """Everything that is due, at once: while nobody serves."""
    for one in await due(store):
        await roll_up(store, one, upto=one.last, pace=AT_ONCE)


async def due(store: Store) -> list[Due]:
    async with store.reading() as connection:
        found = (await connection.execute(select(links.c.id, links.c.sequence, links.c.at))).all()
        days, several = await calendar(connection), list[Due]()
        for row in found:
            since = await reached(connection, row.id)
            if row.sequence <= since:
                continue
            seats = select(func.count()).where(tables.c.link == row.id)
            rhythm = max(LEAST, EACH_TABLE * (await connection.execute(seats)).scalar_one())
            following = journal.c.link == row.id, journal.c.sequence == since + 1
            at = (await connection.execute(select(journal.c.at).where(*following))).scalar()
            if at is None:
                continue
            bound = days.next_bound(at)
            if row.sequence - since >= rhythm or row.at >= bound:
                several.append(Due(row.id, since, row.sequence, rhythm, bound))
        return several


async def roll_up(store: Store, one: Due, *, upto: int, pace: Pace) -> None:
    async with store.reading() as connection:
        days = await calendar(connection)
        begin = await rolled_up(connection, one.link, one.since)
    work = _Work(store, one, begin, days)
    for start in range(begin.sequence, upto, pace.page):
        async with store.reading() as connection:
            async for page in entries_between(connection, one.link, start, min(upto, start + pace.page)):
                kept = work.count(page)
        await work.keep(kept)
        await asyncio.sleep(pace.pause)


class _Work:
    def __init__(self, store: Store, one: Due, begin: Counted, days: Calendar) -> None:
        self._store, self._due, self._days = store, one, days
        self._bound, self._kept = one.bound, begin.sequence
        self._meters, self._last = begin.meters, begin.sequence

    def count(self, page: list[Row]) -> list[tuple[int, Meters]]:
        """The roll-ups that are to be kept of this page."""
        found: list[tuple[int, Meters]] = []
        for row in page:
            if row.sequence != self._last + 1:
                raise Unreadable(f"entry {self._last + 1} is missing")
            if row.at >= self._bound:
                self._bound = self._days.next_bound(row.at)
                self._note(found)
            row.counted(self._meters)
            self._last = row.sequence
            if row.sequence - self._kept >= self._due.rhythm:
                self._note(found)
        return found

    def _note(self, found: list[tuple[int, Meters]]) -> None:
        if self._last > self._kept:
            found.append((self._last, self._meters.copied()))
            self._kept = self._last

    async def keep(self, found: list[tuple[int, Meters]]) -> None:
        """In the order of the journal: whoever reads one may take it that all before it are there."""
        if not found:
            return
        rows = [
            {
                "link": self._due.link,
                "layout": LAYOUT,
                "sequence": sequence,
                "figures": pack(meters.to_bytes()),
            }
            for sequence, meters in found
        ]
        async with self._store.transaction() as connection:
            await insert_new(connection, rollups, rows)
