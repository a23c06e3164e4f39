"""What auditors are told: entries of the journal, rounds, readings, receipts, the audit and the report."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from api.house_answers import Cents, Instant, Told, Units, plain
from jackpot.book.history import PastReading, RoundEvidence
from jackpot.book.pages import Recorded
from jackpot.book.report import Report
from jackpot.instants import spoken_instant
from jackpot.money import spoken
from jackpot.state import Link, Table


class EntryTold(Told):
    sequence: int
    at: Instant
    kind: str
    table: str | None
    round: int | None
    value: Cents = Field(description="What the meter read after it.")
    hash: str = Field(description="SHA-256 of the hash before it and the bytes of the entry.")
    entry: dict[str, Any] = Field(
        description="The entry. Its bytes are this as JSON with sorted keys, no spaces, in UTF-8."
    )

    @classmethod
    def of(cls, one: Recorded) -> EntryTold:
        return cls(
            sequence=one.sequence,
            at=spoken_instant(one.at),
            kind=one.kind,
            table=one.table,
            round=one.round,
            value=one.value,
            hash=one.hash,
            entry=one.told(),
        )


class Journal(Told):
    link: str
    entries: list[EntryTold]
    next: int | None = Field(description="`after` of the next page; null at the end.")


class BoxTold(Told):
    box: int
    ante: Cents
    bonus: Cents
    progressive: Cents
    returned: bool
    paid: bool
    hand: dict[str, Any] | None = Field(description="As the table reported it.")
    result: dict[str, Any] | None


class RoundTold(Told):
    table: str
    round: int
    link: str
    game: str
    state: str
    open: bool
    closed_at: Instant
    closed_from: Instant = Field(
        description="The earliest house time at which its bets can have been closed."
    )
    promise_broken: bool
    registered_value: Cents | None = Field(
        description="Since a malfunction after cards were seen: what its wins are paid from."
    )
    community: list[str]
    dealer: list[str]
    boxes: list[BoxTold]
    wins: list[str]
    claims: list[str]
    entries: list[EntryTold]

    @classmethod
    def of(cls, link: Link, table: Table, found: RoundEvidence) -> RoundTold:
        one = found.round
        return cls(
            table=table.setup.id,
            round=one.number,
            link=link.id,
            game=table.setup.game,
            state=one.state,
            open=one.open,
            closed_at=spoken_instant(one.closed_at),
            closed_from=spoken_instant(one.closed_from),
            promise_broken=one.promise_broken,
            registered_value=one.registered_value,
            community=list(one.community),
            dealer=list(one.dealer),
            boxes=[
                BoxTold(
                    box=box.number,
                    ante=box.ante,
                    bonus=box.bonus,
                    progressive=box.bet,
                    returned=box.returned,
                    paid=box.paid,
                    hand=None if box.record is None else plain(box.record),
                    result=None if box.result is None else plain(box.result),
                )
                for box in one.boxes.values()
            ],
            wins=one.wins,
            claims=one.claims,
            entries=[EntryTold.of(entry) for entry in found.entries],
        )


class ReadingTold(Told):
    link: str
    at: Instant
    value: Cents
    display: str
    currency: str
    sequence: int
    as_of: Instant = Field(description="When the entry was written that made it read so.")
    held: bool
    pending: list[dict[str, Any]]

    @classmethod
    def of(cls, link: Link, at: int, found: PastReading) -> ReadingTold:
        then = found.reading
        return cls(
            link=link.id,
            at=spoken_instant(at),
            value=then.value,
            display=spoken(then.value, link.currency),
            currency=link.currency,
            sequence=then.sequence,
            as_of=spoken_instant(found.at),
            held=bool(then.pending),
            pending=[{"win": one.win, "hand": one.hand} for one in then.pending],
        )


class Contribution(Told):
    table: str
    rounds: int
    voided: int
    bets: int
    wagered: Cents
    pool_units: Units
    reserve_units: Units
    house_units: Units
    minors: Cents
    majors: Cents


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
    amount: Cents | None
    fact: dict[str, Any]


class ReportTold(Told):
    link: str
    currency: str
    start: Instant = Field(alias="from")
    end: Instant = Field(alias="to")
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


def _ending(one: dict[str, Any]) -> EndingTold:
    return EndingTold(
        sequence=one["sequence"],
        at=spoken_instant(one["at"]),
        kind=one["kind"],
        id=one.get("win") or one["claim"],
        amount=one.get("amount"),
        fact={name: value for name, value in one.items() if name not in ("sequence", "at")},
    )
