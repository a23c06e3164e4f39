"""What auditors are told: entries of the journal, rounds, readings, receipts, the audit and the report."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from api.house_answers import Cents, Instant, Told, plain
from api.irregularity_answers import IrregularityTold
from api.settlement_answers import told_adjustments, told_lines
from jackpot.book.acts import Audited, Shown
from jackpot.book.curve import Point
from jackpot.book.history import PastReading, RoundEvidence
from jackpot.book.pages import Recorded
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
    invalidated: str | None = Field(description="The paragraph by which the House invalidated its hand.")
    paid: bool
    hand: dict[str, Any] | None = Field(description="As the table reported it.")
    result: dict[str, Any] | None


class LineTold(Told):
    box: int
    wager: str
    outcome: str
    stake: Cents
    pays: str | None = Field(description='The odds of a win: "7 to 1".')
    payout: Cents = Field(description="All that the player is handed.")
    won: Cents
    collected: Cents
    rule: str


class AdjustmentTold(Told):
    box: int
    wager: str
    before: Cents
    after: Cents
    difference: Cents


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
    settlement: list[LineTold] = Field(description="Of the main game; provisional until the round stands.")
    adjustments: list[AdjustmentTold] = Field(
        description="What the latest report, or the void, changed in what had been handed out."
    )
    wins: list[str]
    claims: list[str]
    irregularities: list[IrregularityTold]
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
                    invalidated=box.invalidated,
                    paid=box.paid,
                    hand=None if box.record is None else plain(box.record),
                    result=None if box.result is None else plain(box.result),
                )
                for box in one.boxes.values()
            ],
            settlement=[LineTold(**line) for line in told_lines(one.settlement)],
            adjustments=[AdjustmentTold(**each) for each in told_adjustments(one.adjustments)],
            wins=one.wins,
            claims=one.claims,
            irregularities=IrregularityTold.all_of(link.id, link.currency, found.entries),
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


class PointTold(Told):
    sequence: int
    at: Instant
    value: Cents
    kind: str


class CurveTold(Told):
    link: str
    currency: str
    start: Instant = Field(serialization_alias="from")
    end: Instant = Field(serialization_alias="to")
    points: list[PointTold]

    @classmethod
    def of(cls, link: Link, start: int, end: int, points: list[Point]) -> CurveTold:
        return cls(
            link=link.id,
            currency=link.currency,
            start=spoken_instant(start),
            end=spoken_instant(end),
            points=[
                PointTold(sequence=one.sequence, at=spoken_instant(one.at), value=one.value, kind=one.kind)
                for one in points
            ],
        )


class ReceiptTold(Told):
    id: str
    sign: str
    sequence: int
    value: Cents
    shown_at: Instant
    received_at: Instant
    verified: bool = Field(description="Told by that sign itself, as far as its token proves it.")

    @classmethod
    def of(cls, one: Shown) -> ReceiptTold:
        return cls(
            id=one.id,
            sign=one.sign,
            sequence=one.sequence,
            value=one.value,
            shown_at=spoken_instant(one.shown_at),
            received_at=spoken_instant(one.received_at),
            verified=one.verified,
        )


class Receipts(Told):
    receipts: list[ReceiptTold]
    next: str | None = Field(description="`after` of the next page; null on the last.")


class ActTold(Told):
    id: str
    at: Instant
    actor: str
    act: str
    outcome: str = Field(description="allowed, or the code of the refusal.")
    detail: dict[str, Any]

    @classmethod
    def of(cls, one: Audited) -> ActTold:
        return cls(
            id=one.id,
            at=spoken_instant(one.at),
            actor=one.actor,
            act=one.act,
            outcome=one.outcome,
            detail=one.told(),
        )


class Audit(Told):
    acts: list[ActTold]
    next: str | None = Field(description="`after` of the next page; null on the last.")
