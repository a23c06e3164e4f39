"""A journal, or a stretch of it, computed again entry by entry beside the book."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from jackpot.book.checking.cross_journal import Pairs
from jackpot.book.checking.difference import Difference
from jackpot.book.checking.records import History
from jackpot.book.checking.rolled import Rolled
from jackpot.book.reading.entries import read_whole
from jackpot.book.stores.base import Store
from jackpot.book.stores.rows import Kept, column_that_differs, read_row
from jackpot.book.stores.schema import journal
from jackpot.link.answers import Said
from jackpot.link.facts import Entry, ForeignEntry, UnknownVersion
from jackpot.link.state import Pit, Registered
from jackpot.machine.applying import apply, unborn
from jackpot.machine.auditing import Denied, audit
from jackpot.machine.invariants import Before, InvariantBroken, check, check_step
from jackpot.pools.payout import registered

PAGE = 2_000
Progress = Callable[[int], None]
"""Told how many more entries were read."""
Signed = Mapping[int, frozenset[str]]
"""Every head that was signed for an entry: after a tail was cut off, its numbers come again."""
_ROWS = select(journal).order_by(journal.c.sequence)
_DENIED = (Denied, InvariantBroken, ForeignEntry, UnknownVersion, ValueError, KeyError, TypeError)


@dataclass(frozen=True, slots=True)
class Pace:
    """How many entries at a time, and how long to leave the process to others after them."""

    page: int = PAGE
    pause: float = 0.0


async def pages(store: Store, link: str, *, since: int, to: int, pace: Pace) -> AsyncIterator[list[Kept]]:
    """The rows of a journal after one entry, up to another."""
    columns, last = _ROWS.where(journal.c.link == link, journal.c.sequence <= to), since
    while True:
        wanted = columns.where(journal.c.sequence > last).limit(pace.page)
        async with store.reading() as connection:
            found: list[Any] = list((await connection.execute(wanted)).all())
        page = [read(link, row) for row in found]
        yield page
        if len(page) < pace.page:
            return
        last = page[-1].sequence
        await asyncio.sleep(pace.pause)


def read(link: str, row: Any) -> Kept:
    try:
        return read_row(row)
    except ValueError as denied:
        raise Difference(link, row.sequence, f"{denied}") from denied


class Replay:
    """From the beginning, or from a state that was reached before. `link` is the state it has come to."""

    def __init__(
        self,
        name: str,
        *,
        base: Pit | None = None,
        signed: Signed | None = None,
        rolled: Rolled | None = None,
    ) -> None:
        """Without `rolled` the roll-ups are not looked at."""
        self._name, self._signed, self._rolled = name, signed or {}, rolled
        self.link = base
        self.entries = 0 if base is None else base.sequence
        self.history = History.of(base)
        self.pairs = Pairs(name)

    @property
    def reached(self) -> Pit:
        if self.link is None:
            raise Difference(self._name, None, "it has no journal")
        return self.link

    async def run(self, several: AsyncIterator[list[Kept]], progress: Progress | None) -> Pit:
        async for page in several:
            self.read(page)
            if progress is not None:
                progress(len(page))
        return self.reached

    def read(self, rows: Iterable[Kept]) -> None:
        for row in rows:
            self._read(row)

    def _read(self, row: Kept) -> None:
        self.entries += 1
        if row.sequence != self.entries:
            raise Difference(self._name, self.entries, f"the journal goes on with {row.sequence}")
        try:
            head = "" if self.link is None else self.link.head
            entry, said = read_whole(self._name, row.data, head)
            link = self._applied(entry)
        except _DENIED as denied:
            raise Difference(self._name, self.entries, f"{denied}") from denied
        compare_row(self._name, row, entry, registered(link), said)
        if self._signed:
            check_head(self._name, self._signed, entry.sequence, entry.hash)
        if said is not None:
            check(link)

    def _applied(self, entry: Entry) -> Pit:
        fact, link = entry.fact, unborn(entry) if self.link is None else self.link
        audit(link, fact, entry.at)
        before = Before.of(link)
        apply(link, fact, entry.stamp)
        link.head = entry.hash
        check_step(link, fact, before)
        if self.link is None:
            check(link)
        self.link = link
        self.history.hear(fact, entry.sequence)
        self.pairs.hear(fact, entry.sequence)
        if self._rolled is not None:
            self._rolled.hear(fact, entry.sequence)
        return link


def check_head(link: str, signed: Signed, sequence: int, head: str) -> None:
    if signed.get(sequence, frozenset()) - {head}:
        raise Difference(link, sequence, "its hash is not the one that was signed")


def compare_row(link: str, row: Kept, entry: Entry, reading: Registered, said: Said | None) -> None:
    """Each column of a row with what its entry says."""
    column = column_that_differs(row, entry, reading, None if said is None else said.key)
    if column is not None:
        raise Difference(link, entry.sequence, f"the column {column} is not what the entry says")
