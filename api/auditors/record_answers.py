"""What auditors are told: entries of the journal, rounds, readings, receipts, the audit and the report."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field

from api.operators.house_answers import Instant, MinorUnits, Told
from jackpot.book.reading.audit_pages import Audited, Shown
from jackpot.book.reading.history import PastReading
from jackpot.book.reading.meter_chart import Point
from jackpot.book.reading.pages import Recorded
from jackpot.core.instants import spoken_instant
from jackpot.core.money import spoken
from jackpot.link.state import Link


class PitEntryTold(Told):
    sequence: int
    at: Instant
    kind: str
    table: str | None
    round: int | None
    hash: str = Field(description="SHA-256 of the hash before it and the bytes of the entry.")
    entry: dict[str, Any] = Field(
        description="The entry. Its bytes are this as JSON with sorted keys, no spaces, in UTF-8."
    )

    @classmethod
    def of(cls, one: Recorded) -> Self:
        return cls(**cls._of(one))

    @classmethod
    def _of(cls, one: Recorded) -> dict[str, Any]:
        return {
            "sequence": one.sequence,
            "at": spoken_instant(one.at),
            "kind": one.kind,
            "table": one.table,
            "round": one.round,
            "hash": one.hash,
            "entry": one.told(),
        }


class EntryTold(PitEntryTold):
    """Of a link, which has a meter."""

    value: MinorUnits = Field(description="What the meter read after it.")

    @classmethod
    def _of(cls, one: Recorded) -> dict[str, Any]:
        return super()._of(one) | {"value": one.value}


class Journal(Told):
    link: str
    entries: list[EntryTold]
    next: int | None = Field(description="`after` of the next page; null at the end.")


class PitJournal(Told):
    pit: str
    entries: list[PitEntryTold]
    next: int | None = Field(description="`after` of the next page; null at the end.")


class ReadingTold(Told):
    link: str
    at: Instant
    value: MinorUnits
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

    def row(self) -> tuple[object, ...]:
        """In one line, the pending wins by their ids."""
        waiting = " ".join(one["win"] for one in self.pending)
        return tuple((self.model_dump() | {"pending": waiting}).values())


class PointTold(Told):
    sequence: int
    at: Instant
    value: MinorUnits
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
    value: MinorUnits
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
