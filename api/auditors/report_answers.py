"""What a link did between two times, as it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field

from api.auditors.figures_told import LinkFigures, accounts, counts, figures, rows
from api.auditors.spans import SPAN_TOLD, Span
from api.operators.house_answers import Instant, MinorUnits, Told, Units
from jackpot.book.reading.report import Report
from jackpot.core.instants import spoken_instant
from jackpot.figures.counters import parts
from jackpot.link.state import Link


class Contribution(LinkFigures):
    table: str


class LifetimeTold(LinkFigures):
    """Since the link began, up to the end of that time."""

    accounts_units: dict[str, Units] = Field(description="As each account stood.")
    counts: dict[str, int]


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
    day: str | None = Field(description="The gaming day, or the first of several, if days were asked for.")
    last_day: str | None
    shift: str | None
    wins: list[EndingTold] = Field(description="Wins and late claims that ended in that time, and how.")
    contributions: list[Contribution]
    total: LinkFigures = Field(description="Of all tables together.")
    meter: MeterMoved
    accounts_units: dict[str, Units] = Field(description="What was posted to each account in that time.")
    counts: dict[str, int] = Field(description="Entries of the journal in that time, by kind of fact.")
    lifetime: LifetimeTold

    @classmethod
    def of(cls, link: Link, span: Span, found: Report) -> ReportTold:
        counted, lifetime = found.figures.totals, found.figures.lifetime
        return cls(
            link=link.id,
            currency=link.currency,
            **span.told(),
            first_sequence=found.first,
            last_sequence=found.last,
            wins=[_ending(one) for one in found.endings],
            contributions=[
                Contribution(table=name, **figures(one)) for name, one in found.figures.tables.items()
            ],
            total=LinkFigures(**figures(counted)),
            meter=MeterMoved(
                opening_units=found.opening_units,
                closing_units=found.closing_units,
                movements=[
                    MovementTold(kind=kind, count=one.get("count", 0), units=one.get("units", 0))
                    for kind, one in sorted(parts(counted, "moved").items())
                ],
            ),
            accounts_units=accounts(counted),
            counts=counts(counted),
            lifetime=LifetimeTold(
                accounts_units=accounts(lifetime), counts=counts(lifetime), **figures(lifetime)
            ),
        )

    def rows(self) -> Iterator[tuple[str, str, str, object]]:
        """One figure to a row, for spreadsheets."""
        told = self.model_dump(by_alias=True)
        for name in ("link", "currency", *SPAN_TOLD, "first_sequence", "last_sequence"):
            yield "report", self.link, name, told[name]
        for win in self.wins:
            for figure, value in {
                "kind": win.kind,
                "at": win.at,
                "amount": win.amount,
                **_plain(win.fact),
            }.items():
                yield "win", win.id, figure, value
        for one in told["contributions"]:
            yield from rows("table", one["table"], one)
        yield from rows("total", self.link, told["total"])
        yield "meter", "opening", "units", self.meter.opening_units
        for moved in self.meter.movements:
            yield "meter", moved.kind, "count", moved.count
            yield "meter", moved.kind, "units", moved.units
        yield "meter", "closing", "units", self.meter.closing_units
        for account, units in self.accounts_units.items():
            yield "account", account, "units", units
        for kind, count in self.counts.items():
            yield "count", kind, "count", count
        yield from rows("lifetime", self.link, told["lifetime"])


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
