"""What a link did between two times, as it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field

from api.operators.house_answers import Instant, MinorUnits, Told, Units
from jackpot.book.reading.report import Report
from jackpot.core.instants import spoken_instant
from jackpot.link.state import Link


class Contribution(Told):
    table: str
    rounds: int
    voided: int
    bets: int
    wagered: MinorUnits
    pool_units: Units
    reserve_units: Units
    house_units: Units
    minors: MinorUnits
    majors: MinorUnits


class MovementTold(Told):
    kind: str
    count: int
    units: Units


class MeterMoved(Told):
    opening_units: Units
    closing_units: Units
    movements: list[MovementTold] = Field(description="Opening plus all of these is closing, to the unit.")


class EndingTold(Told):
    sequence: int
    at: Instant
    kind: str
    id: str
    amount: MinorUnits | None
    fact: dict[str, Any]


class ReportTold(Told):
    link: str
    currency: str
    start: Instant = Field(serialization_alias="from")
    end: Instant = Field(serialization_alias="to")
    first_sequence: int
    last_sequence: int
    wins: list[EndingTold] = Field(description="Wins and late claims that ended in that time, and how.")
    contributions: list[Contribution]
    meter: MeterMoved
    accounts_units: dict[str, Units] = Field(description="What was posted to each account in that time.")

    @classmethod
    def of(cls, link: Link, start: int, end: int, found: Report) -> ReportTold:
        return cls(
            link=link.id,
            currency=link.currency,
            start=spoken_instant(start),
            end=spoken_instant(end),
            first_sequence=found.first,
            last_sequence=found.last,
            wins=[_ending(one) for one in found.endings],
            contributions=[
                Contribution(table=name, **{figure: getattr(one, figure) for figure in one.__slots__})
                for name, one in sorted(found.tables.items())
            ],
            meter=MeterMoved(
                opening_units=found.opening_units,
                closing_units=found.closing_units,
                movements=[
                    MovementTold(kind=kind, count=one.count, units=one.units)
                    for kind, one in sorted(found.movements.items())
                ],
            ),
            accounts_units=dict(sorted(found.accounts.items())),
        )

    def rows(self) -> Iterator[tuple[str, str, str, object]]:
        """One figure to a row, for spreadsheets."""
        for name in ("link", "currency", "from", "to", "first_sequence", "last_sequence"):
            yield "report", self.link, name, self.model_dump(by_alias=True)[name]
        for win in self.wins:
            for figure, value in {
                "kind": win.kind,
                "at": win.at,
                "amount": win.amount,
                **_plain(win.fact),
            }.items():
                yield "win", win.id, figure, value
        for one in self.contributions:
            for figure, value in one.model_dump(exclude={"table"}).items():
                yield "table", one.table, figure, value
        yield "meter", "opening", "units", self.meter.opening_units
        for moved in self.meter.movements:
            yield "meter", moved.kind, "count", moved.count
            yield "meter", moved.kind, "units", moved.units
        yield "meter", "closing", "units", self.meter.closing_units
        for account, units in self.accounts_units.items():
            yield "account", account, "units", units


def _plain(fact: dict[str, Any]) -> dict[str, Any]:
    """What is no list of things."""
    return {name: value for name, value in fact.items() if not isinstance(value, dict | list)}


def _ending(one: dict[str, Any]) -> EndingTold:
    return EndingTold(
        sequence=one["sequence"],
        at=spoken_instant(one["at"]),
        kind=one["kind"],
        id=one.get("win") or one["claim"],
        amount=one.get("amount"),
        fact={name: value for name, value in one.items() if name not in ("sequence", "at")},
    )
