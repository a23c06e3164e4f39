"""How the last day went at each link and pit: the meter and the rounds, in steps of half an hour.

Read from the journals when somebody asks; of what was read once only what has followed is read.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from sqlalchemy import case, func, select

from jackpot.book.book import Book
from jackpot.book.reading.lookup import last_before
from jackpot.book.stores.schema import journal
from jackpot.book.stores.tasks import end
from jackpot.core.instants import SECOND
from jackpot.link.facts import BetsClosed, names_of
from jackpot.link.pit_facts import PitBetsClosed
from jackpot.link.state import Pit

STEP = 1800 * SECOND
STEPS = 48
PAGE = 20_000
"""Entries of a journal that one statement counts."""
PAUSE = 0.005
"""Seconds between two of them, for everybody else."""
PATIENCE = 2.0
"""Seconds for which who asks waits for what has not been read yet."""
_ROUNDS = names_of(BetsClosed | PitBetsClosed)
_STEP_OF = journal.c.at // STEP


@dataclass(frozen=True, slots=True)
class PlaceDay:
    values: list[int | None]
    """At the end of each step, the oldest first; now, of the last. None before there was any."""
    rounds: list[int]


@dataclass(slots=True)
class _Record:
    read: int
    """The last entry that was counted."""
    opening: int | None
    """What the meter showed before the first step; None if there was none."""
    values: dict[int, int] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)

    def day(self, last: int) -> PlaceDay:
        """Of the steps up to this one; what is older is forgotten."""
        steps = range(last - STEPS + 1, last + 1)
        for old in sorted(step for step in self.values if step < steps.start):
            self.opening = self.values.pop(old)
            self.rounds.pop(old, None)
        values, value = list[int | None](), self.opening
        for step in steps:
            value = self.values.get(step, value)
            values.append(value)
        return PlaceDay(values, [self.rounds.get(step, 0) for step in steps])


class LastDay:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._records: dict[str, _Record] = {}
        self._reading: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        await end(self._reading)

    def start_of(self, now: int) -> int:
        """When the first step of the day before this moment begins."""
        return (now // STEP - STEPS + 1) * STEP

    async def of(self, places: list[Pit]) -> dict[str, PlaceDay]:
        """Of those that have been read so far: a first look at a long day takes a while, and goes on."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._follow(places), name="last day")
        await asyncio.wait({self._reading}, timeout=PATIENCE)
        if self._reading.done():
            self._reading.result()
        last = self._book.clock.now() // STEP
        return {one.id: self._records[one.id].day(last) for one in places if one.id in self._records}

    async def _follow(self, places: list[Pit]) -> None:
        for place in places:
            record = self._records.get(place.id) or await self._begun(place.id)
            while record.read < place.sequence:
                await self._count(place, record)
                await asyncio.sleep(PAUSE)
            self._records[place.id] = record

    async def _begun(self, link: str) -> _Record:
        async with self._book.store.reading() as connection:
            first = await last_before(connection, link, self.start_of(self._book.clock.now()))
            value = select(journal.c.value).where(journal.c.link == link, journal.c.sequence == first)
            return _Record(first, (await connection.execute(value)).scalar())

    async def _count(self, place: Pit, record: _Record) -> None:
        upto = min(place.sequence, record.read + PAGE)
        here = journal.c.link == place.id, journal.c.sequence > record.read, journal.c.sequence <= upto
        rounds = func.sum(case((journal.c.kind.in_(_ROUNDS), 1), else_=0))
        counted = select(_STEP_OF, func.max(journal.c.sequence), rounds).where(*here).group_by(_STEP_OF)
        async with self._book.store.reading() as connection:
            found = (await connection.execute(counted)).all()
            ends = {int(last): int(step) for step, last, _ in found}
            shown = select(journal.c.sequence, journal.c.value).where(
                journal.c.link == place.id, journal.c.sequence.in_(ends)
            )
            values = {ends[row.sequence]: row.value for row in await connection.execute(shown)}
        for step, _, number in found:
            record.rounds[step] = record.rounds.get(step, 0) + int(number)
        record.values |= values
        record.read = upto
