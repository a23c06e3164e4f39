"""What a pit did between two times: rounds by table, and by wager what was laid, won, collected and returned.

A figure moves when a settlement is told, by what it changes in the one before it: what is corrected or voided
later is taken out again then, so that the reports of two days add up to that of both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.pages import entries_of_round
from jackpot.book.reading.report import entries_between, reported_span
from jackpot.games.blackjack import Line, Outcome
from jackpot.link.facts import read_entry
from jackpot.link.pit_facts import PitBetsClosed, PitRoundVoided, PitSettling
from jackpot.link.state import Pit


@dataclass(slots=True)
class WagerFigures:
    """In minor units; of wagers whose outcome was told."""

    laid: int = 0
    won: int = 0
    """What the house added to stakes, markers included."""
    collected: int = 0
    returned: int = 0
    """Stakes that went back without having played to the end."""
    markers: int = 0
    """The part of `won` that Free Bet Markers were paid."""

    def count(self, line: Line, sign: int) -> None:
        self.laid += sign * line.stake
        self.won += sign * line.won
        self.collected += sign * line.collected
        self.returned += sign * (line.stake if line.outcome is Outcome.RETURNED else 0)
        self.markers += sign * (0 if line.marker is None else line.won)

    def add(self, other: WagerFigures) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def _by_wager() -> dict[str, WagerFigures]:
    return defaultdict(WagerFigures)


@dataclass(slots=True)
class PitTableFigures:
    rounds: int = 0
    voided: int = 0
    wagers: dict[str, WagerFigures] = field(default_factory=_by_wager)
    told: tuple[Line, ...] = ()
    """The settlement of its current round as it was last told."""

    def hear(self, fact: PitSettling) -> None:
        if isinstance(fact, PitBetsClosed):
            self.rounds += 1
            self.told = ()
        self.voided += isinstance(fact, PitRoundVoided)
        self._count(self.told, -1)
        self._count(fact.settlement, 1)
        self.told = told_after(fact)

    def _count(self, lines: Iterable[Line], sign: int) -> None:
        for line in lines:
            self.wagers[line.wager].count(line, sign)


def told_after(fact: PitSettling) -> tuple[Line, ...]:
    """What a later settlement of the round replaces. What a closed table handed back stays handed back."""
    return () if isinstance(fact, PitBetsClosed) and fact.table_closed else fact.settlement


@dataclass(slots=True)
class PitReport:
    first: int
    last: int
    tables: dict[str, PitTableFigures]

    @property
    def total(self) -> PitTableFigures:
        found = PitTableFigures()
        for one in self.tables.values():
            found.rounds += one.rounds
            found.voided += one.voided
            for wager, figures in one.wagers.items():
                found.wagers[wager].add(figures)
        return found


async def pit_report(connection: AsyncConnection, pit: Pit, *, since: int, until: int) -> PitReport:
    """From `since` on and before `until`."""
    first, last = await reported_span(connection, pit.id, since=since, until=until)
    tables = {name: PitTableFigures() for name in sorted(pit.tables)}
    heard: set[str] = set()
    async for _, _, data in entries_between(connection, pit.id, first, last):
        fact = read_entry(pit.id, data, "").fact
        if not isinstance(fact, PitSettling):
            continue
        if fact.table not in heard:
            heard.add(fact.table)
            tables[fact.table].told = await _told_before(connection, pit.id, fact, first)
        tables[fact.table].hear(fact)
    return PitReport(first=first + 1, last=last, tables=tables)


async def _told_before(
    connection: AsyncConnection, pit: str, fact: PitSettling, first: int
) -> tuple[Line, ...]:
    """The settlement of a round that was under way when the time began."""
    earlier = [
        told
        for one in await entries_of_round(connection, pit, fact.table, fact.round)
        if one.sequence <= first and isinstance(told := one.fact(pit), PitSettling)
    ]
    return told_after(earlier[-1]) if earlier else ()
