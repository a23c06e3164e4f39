"""Every answered message against the journal: nothing lost, nothing doubled, nothing told otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from sqlalchemy import select

from jackpot.book.stores.addresses import existing_store
from jackpot.book.stores.rows import entry_bytes
from jackpot.book.stores.schema import journal
from jackpot.link.answers import read_said
from jackpot.link.facts import BetsClosed, Fact, WinPaid, WinRegistered, WinRejected, WinWithdrawn, read_entry
from loadtests.notes import Answered
from loadtests.plan import LINK

ANSWERED = ("/bets", "/hands", "/void")
"""Ends of the keys of what is answered to tables. A table's word of its outage is answered to nobody."""
Stamps = defaultdict[str, list[tuple[int, int]]]
"""By the key of a message, the sequence and value that each of its versions was answered with."""


@dataclass
class Told:
    """What messages were answered, as the tables or as the journal have it."""

    stamps: Stamps = field(default_factory=lambda: defaultdict(list))
    staked: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def answers(self) -> int:
        return sum(len(versions) for versions in self.stamps.values())

    @property
    def bets(self) -> int:
        return sum(count for count, _ in self.staked.values())


@dataclass
class Journal(Told):
    entries: int = 0
    rounds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Of each table, in the order of the journal."""
    registered: int = 0
    paid: int = 0
    waiting: dict[str, int] = field(default_factory=dict)
    """Majors that nothing has become of, and when they were registered."""

    def add(self, data: bytes) -> None:
        self.entries += 1
        entry, said = read_entry(LINK, data, ""), read_said(data)
        fact = entry.fact
        if isinstance(fact, BetsClosed):
            stakes = [box.progressive for box in fact.boxes if box.progressive]
            self.staked[f"{fact.table}/{fact.round}/bets"] = (len(stakes), sum(stakes))
            self.rounds[fact.table].append(fact.round)
        self._count_major(fact, entry.at)
        if said is not None and said.key is not None and said.key.endswith(ANSWERED):
            meter = said.answer.reading
            self.stamps[said.key].append((meter.sequence, meter.value))

    def _count_major(self, fact: Fact, at: int) -> None:
        if isinstance(fact, WinRegistered):
            self.registered += 1
            self.waiting[fact.win] = at
        if isinstance(fact, (WinPaid, WinRejected, WinWithdrawn)):
            self.paid += isinstance(fact, WinPaid)
            self.waiting.pop(fact.win, None)


async def read_journal(url: str) -> Journal:
    found, store = Journal(), existing_store(url)
    rows = select(journal.c.data).where(journal.c.link == LINK).order_by(journal.c.sequence)
    try:
        async with store.reading() as connection, connection.stream(rows) as result:
            async for row in result:
                found.add(entry_bytes(row.data))
    finally:
        await store.close()
    return found


def told(answered: Iterable[Answered]) -> Told:
    found = Told()
    for one in answered:
        found.stamps[one.key].append((one.sequence, one.value))
        if one.key.endswith("/bets"):
            found.staked[one.key] = (one.bets, one.amount)
    return found


def unpaid(book: Journal, *, before: int) -> list[str]:
    """Majors that the House has left alone. To those registered later it may not have come."""
    return [f"{win}: registered, and never paid" for win, at in book.waiting.items() if at < before]


def differences(tables: Told, book: Journal) -> list[str]:
    """Between what the tables were told and what the journal has; none if all is well."""
    found = []
    for key in sorted(tables.stamps.keys() | book.stamps.keys()):
        said, kept = sorted(tables.stamps.get(key, [])), sorted(book.stamps.get(key, []))
        if said != kept:
            found.append(f"{key}: answered {said}, in the journal {kept}")
    for key in sorted(tables.staked.keys() | book.staked.keys()):
        if tables.staked.get(key) != book.staked.get(key):
            found.append(f"{key}: accepted {tables.staked.get(key)}, in the journal {book.staked.get(key)}")
    for table, rounds in book.rounds.items():
        if any(later <= earlier for earlier, later in pairwise(rounds)):
            found.append(f"{table}: its rounds do not rise")
    return found
