"""Which tables reported hands that are not likely to have been dealt, by what the book says of the last day.

Each replica reads it for itself and says the same. A start reads the day before it, page by page; after that
only what is new. Nothing waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

import msgspec
from sqlalchemy import select

from jackpot.book.book import Book
from jackpot.book.reading.lookup import last_before
from jackpot.book.reading.pages import current
from jackpot.book.stores.packing import Unpackable
from jackpot.book.stores.rows import Unreadable, entry_bytes
from jackpot.book.stores.schema import journal, links
from jackpot.book.stores.tasks import end
from jackpot.book.writing.writer import TROUBLE
from jackpot.cards.evaluator import Hand
from jackpot.link.facts import HandsReported
from jackpot.link.state import Table
from jackpot.maths.plausibility import SPAN, SUSPECT, WINDOWS, Record, Reported, Suspicion, in_words
from jackpot.readings.alerts import Alert

LOOKED_EVERY = 10.0
PAGE = 1_000
"""Entries of a journal looked through at once."""
PAUSE = 0.02
"""Seconds between two pages, for everybody else."""
DAY = (max(WINDOWS.values()) + 1) * SPAN
CODE = "hands_implausible"
_log = logging.getLogger(__name__)


class _Result(msgspec.Struct):
    hand: Hand | None = None


class _Fact(msgspec.Struct):
    results: tuple[_Result, ...]


class _Entry(msgspec.Struct):
    """Of a `HandsReported`, in every schema there was: each box that has a hand, or will show none."""

    fact: _Fact


_DECODER = msgspec.json.Decoder(_Entry)


class Suspicions:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._records: dict[str, Record] = {}
        self._read: dict[str, int] = {}
        """The last entry of each link that was looked at."""
        self._found: dict[str, list[Suspicion]] = {}
        self._looking = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_looking(), name="suspicions")

    async def stop(self) -> None:
        await end(self._task)

    def of(self, table: str) -> list[Suspicion]:
        """One for each hand and window; none before it was looked at."""
        return self._found.get(table, [])

    def alerts(self) -> list[Alert]:
        """Of each suspected table, what is least likely."""
        least = {name: min(found, key=lambda one: one.chance) for name, found in self._found.items() if found}
        return [
            Alert(code=CODE, table=name, since=one.since, detail=_told(one))
            for name, one in least.items()
            if one.chance < SUSPECT
        ]

    async def _keep_looking(self) -> None:
        while True:
            try:
                await self.look()
            except TROUBLE as trouble:
                _log.warning("reported hands were not looked at: %s", type(trouble).__name__)
            except Exception:  # whatever it was: nobody else would look
                _log.exception("reported hands were not looked at")
            await asyncio.sleep(LOOKED_EVERY)

    async def look(self) -> None:
        async with self._looking:
            async with self._book.store.reading() as connection:
                ends = (await connection.execute(select(links.c.id, links.c.sequence))).all()
            for link, last in ends:
                with suppress(
                    Unreadable, Unpackable, msgspec.DecodeError
                ):  # the self-check stops such a link, and says why
                    await self._follow(link, last)
            self._found = await asyncio.to_thread(self._judged, self._book.clock.now())

    async def _follow(self, link: str, last: int) -> None:
        store = self._book.store
        if link not in self._read:
            async with store.reading() as connection:
                self._read[link] = await last_before(connection, link, self._book.clock.now() - DAY)
        while (after := self._read[link]) < last:
            upto = min(last, after + PAGE)
            wanted = (
                select(journal.c.tbl, journal.c.round, journal.c.at, journal.c.data)
                .where(journal.c.link == link, journal.c.sequence > after, journal.c.sequence <= upto)
                .where(journal.c.kind == HandsReported.__name__)
                .order_by(journal.c.sequence)
            )
            async with store.reading() as connection:
                rows = (await connection.execute(wanted)).all()
            if any(row.tbl not in self._records for row in rows):
                await self._meet(link)
            reported = [(row.tbl, _reported(row.round, row.at, entry_bytes(row.data))) for row in rows]
            for table, told in reported:
                self._records[table].report(told)
            self._read[link] = upto
            if upto < last:
                await asyncio.sleep(PAUSE)

    async def _meet(self, link: str) -> None:
        """Tables that were not known yet."""
        async with self._book.store.reading() as connection:
            found = await current(self._book.store, connection, link)
        for name, table in found.tables.items():
            if isinstance(table, Table):  # the games that have a jackpot
                self._records.setdefault(name, Record(table.setup.game))

    def _judged(self, now: int) -> dict[str, list[Suspicion]]:
        return {name: list(record.suspicions(now)) for name, record in self._records.items()}


def _reported(number: int, at: int, data: bytes) -> Reported:
    results = _DECODER.decode(data).fact.results
    hands = tuple(one.hand for one in results if one.hand is not None)
    return Reported(number, at, len(results), hands)


def _told(one: Suspicion) -> str:
    hand = one.hand.value.replace("_", " ")
    return f"{one.count} times {hand} or better in the last {one.window}: {in_words(one.chance)}"
