"""What a link did between two times: wins, contributions, how the meter moved, and the accounts."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.lookup import reading_at
from jackpot.book.reading.pages import span
from jackpot.book.stores.rows import entry_bytes
from jackpot.book.stores.schema import journal
from jackpot.core.money import UNITS_PER_MINOR_UNIT, Account
from jackpot.link.facts import (
    BetsClosed,
    ClaimDecided,
    HandsInvalidated,
    HandsReported,
    RoundVoided,
    WinPaid,
    WinRejected,
    WinWithdrawn,
    names_of,
)

PAGE = 2_000
MOST_ENTRIES = 250_000
_BETS, _VOID = BetsClosed.__name__, RoundVoided.__name__
_ROUNDS = frozenset(names_of(BetsClosed | HandsReported | HandsInvalidated | RoundVoided))
_PAYMENTS = frozenset(names_of(WinPaid | ClaimDecided))
_ENDINGS = frozenset(names_of(WinPaid | WinRejected | WinWithdrawn | ClaimDecided))


class SpanTooLong(Exception):
    """More happened in that time than one report holds."""


@dataclass(slots=True)
class TableFigures:
    """Of one table: minor units where they are whole, units of the pool where a share need not be."""

    rounds: int = 0
    voided: int = 0
    bets: int = 0
    """Progressive Jackpot Bets accepted."""
    wagered: int = 0
    """Less what was returned."""
    pool_units: int = 0
    reserve_units: int = 0
    house_units: int = 0
    minors: int = 0
    majors: int = 0

    def hear(self, kind: str, fact: dict[str, Any], moves: Counter[str]) -> None:
        self.rounds += kind == _BETS
        self.voided += kind == _VOID
        if kind == _BETS:
            self.bets += sum(box["progressive"] > 0 for box in fact["boxes"])
        # A minor goes from house to prizes in the same moves: what is left of house is its share of bets.
        self.wagered -= moves[Account.WAGERS] // UNITS_PER_MINOR_UNIT
        self.pool_units += moves[Account.METER] + moves[Account.CARRYOVER] + moves[Account.OVERFLOW]
        self.reserve_units += moves[Account.RESERVE]
        self.house_units += moves[Account.HOUSE] + moves[Account.PRIZES]
        self.minors += moves[Account.PRIZES] // UNITS_PER_MINOR_UNIT


@dataclass(slots=True)
class Movement:
    """How facts of one kind moved the meter."""

    count: int = 0
    units: int = 0


@dataclass(slots=True)
class Report:
    first: int
    last: int
    opening_units: int = 0
    closing_units: int = 0
    tables: dict[str, TableFigures] = field(default_factory=lambda: defaultdict(TableFigures))
    movements: dict[str, Movement] = field(default_factory=lambda: defaultdict(Movement))
    accounts: Counter[str] = field(default_factory=Counter)
    endings: list[dict[str, Any]] = field(default_factory=list)
    """Wins paid, rejected or withdrawn and claims decided, as the journal says it."""

    def hear(self, sequence: int, at: int, data: bytes) -> None:
        fact = json.loads(data)["fact"]
        kind, moves = fact["kind"], Counter[str](fact.get("moves") or {})
        for account, units in moves.items():
            self.accounts[account] += units
        if moves[Account.METER]:
            self.movements[kind].count += 1
            self.movements[kind].units += moves[Account.METER]
        if kind in _ROUNDS:
            self.tables[fact["table"]].hear(kind, fact, moves)
        elif kind in _ENDINGS:
            self.endings.append({"sequence": sequence, "at": at, **fact})
            if kind in _PAYMENTS:
                self.tables[fact["table"]].majors += fact["amount"]


async def report(
    connection: AsyncConnection, link: str, *, since: int, until: int, most: int = MOST_ENTRIES
) -> Report:
    """From `since` on and before `until`."""
    first, last = await reported_span(connection, link, since=since, until=until, most=most)
    found = Report(first=first + 1, last=last)
    found.opening_units = await _meter_at(connection, link, first)
    found.closing_units = await _meter_at(connection, link, last)
    async for sequence, at, data in entries_between(connection, link, first, last):
        found.hear(sequence, at, data)
    return found


async def reported_span(
    connection: AsyncConnection, name: str, *, since: int, until: int, most: int = MOST_ENTRIES
) -> tuple[int, int]:
    """The entries of a link or pit in that time: after the first sequence, up to the last."""
    first, last = await span(connection, name, since, until)
    if last - first > most:
        raise SpanTooLong(f"{last - first} entries lie between those times; a report holds {most}")
    return first, last


async def _meter_at(connection: AsyncConnection, link: str, sequence: int) -> int:
    reading = await reading_at(connection, link, sequence)
    return 0 if reading is None else reading.meter


async def entries_between(
    connection: AsyncConnection, link: str, first: int, last: int
) -> AsyncIterator[tuple[int, int, bytes]]:
    columns = select(journal.c.sequence, journal.c.at, journal.c.data).where(journal.c.link == link)
    for start in range(first, last, PAGE):
        here = columns.where(journal.c.sequence > start, journal.c.sequence <= min(last, start + PAGE))
        for row in await connection.execute(here.order_by(journal.c.sequence)):
            yield row.sequence, row.at, entry_bytes(row.data)
