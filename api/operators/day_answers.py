"""Gaming days as they are told: from when to when, their shifts, and what each was closed with."""

from __future__ import annotations

from pydantic import Field

from api.operators.house_answers import Instant, Told
from jackpot.book.beside.calendar import Day, Shift
from jackpot.book.reading.days import Closing
from jackpot.core.instants import spoken_instant
from jackpot.link.days import Compared


class ShiftTold(Told):
    name: str
    start: Instant = Field(serialization_alias="from")
    end: Instant = Field(serialization_alias="to")

    @classmethod
    def of(cls, one: Shift) -> ShiftTold:
        return cls(name=one.name, start=spoken_instant(one.start), end=spoken_instant(one.end))


class ComparedTold(Told):
    figure: str
    recorded: int
    counted: int
    difference: int = Field(description="Counted less recorded.")
    note: str

    @classmethod
    def of(cls, one: Compared) -> ComparedTold:
        difference = one.counted - one.recorded
        return cls(
            figure=one.figure,
            recorded=one.recorded,
            counted=one.counted,
            difference=difference,
            note=one.note,
        )


class ClosingTold(Told):
    sequence: int
    at: Instant
    by: str
    note: str
    compared: list[ComparedTold]
    figures: dict[str, int] = Field(description="What the day had come to; `*_units` in units of the pool.")

    @classmethod
    def of(cls, closing: Closing) -> ClosingTold:
        fact = closing.fact
        return cls(
            sequence=closing.sequence,
            at=spoken_instant(closing.at),
            by=fact.person,
            note=fact.note,
            compared=[ComparedTold.of(one) for one in fact.compared],
            figures=fact.figures,
        )


class DayTold(Told):
    day: str
    start: Instant = Field(serialization_alias="from")
    end: Instant = Field(serialization_alias="to")
    zone: str
    shifts: list[ShiftTold]
    state: str = Field(description="current, over or closed.")
    closing: ClosingTold | None

    @classmethod
    def of(cls, day: Day, closing: Closing | None, *, now: int) -> DayTold:
        over = "over" if day.end <= now else "current"
        return cls(
            day=day.label,
            start=spoken_instant(day.start),
            end=spoken_instant(day.end),
            zone=day.zone,
            shifts=[ShiftTold.of(one) for one in day.shifts],
            state=over if closing is None else "closed",
            closing=None if closing is None else ClosingTold.of(closing),
        )


class Days(Told):
    days: list[DayTold] = Field(description="The latest first.")
    counted: list[str] = Field(description="The figures that a person may have counted at the end of a day.")
    closable: str | None = Field(description="The day that comes next to be closed, if one is over.")
    next: str | None = Field(description="Ask for what comes before this day; null if there is nothing.")
