"""Which time a report is of: from one instant to another, or whole gaming days and shifts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Query, Request
from sqlalchemy.ext.asyncio import AsyncConnection

from api.http.errors import Invalid
from api.service import service_of
from jackpot.book.beside.applied_floor import calendar
from jackpot.book.beside.calendar import Calendar
from jackpot.core.instants import SECOND, parse_instant, spoken_instant
from jackpot.core.refusals import DayUnknown
from jackpot.link.state import Pit

DATE_TIME = {"format": "date-time"}
From = Annotated[
    str | None,
    Query(alias="from", max_length=40, description="RFC 3339; included.", json_schema_extra=DATE_TIME),
]
To = Annotated[
    str | None,
    Query(alias="to", max_length=40, description="RFC 3339; not included.", json_schema_extra=DATE_TIME),
]
DAY = 24 * 3600 * SECOND
SPAN_TOLD = ("from", "to", "day", "last_day", "shift")


@dataclass(frozen=True, slots=True)
class Span:
    since: int
    until: int
    day: str | None = None
    last_day: str | None = None
    shift: str | None = None

    def told(self) -> dict[str, Any]:
        return {
            "start": spoken_instant(self.since),
            "end": spoken_instant(self.until),
            "day": self.day,
            "last_day": self.last_day,
            "shift": self.shift,
        }


@dataclass(frozen=True, slots=True)
class AskedSpan:
    start: str | None
    end: str | None
    day: str | None = None
    last_day: str | None = None
    shift: str | None = None

    async def of(self, request: Request, connection: AsyncConnection, place: Pit) -> Span:
        if self.day is None:
            if self.last_day is not None or self.shift is not None:
                raise Invalid("`last_day` and `shift` are of a `day`", "day", "span_wrong")
            return Span(*asked_span(request, place, self.start, self.end))
        if self.start is not None or self.end is not None:
            raise Invalid("a report is of days, or `from` one time `to` another", "day", "span_wrong")
        found = self._of_days(await calendar(connection), self.day)
        latest = latest_of(request, place)
        if found.until <= place.created_at or found.since >= latest:
            raise DayUnknown(f"{place.id} has nothing of gaming day {self.day}")
        since, until = max(found.since, place.created_at), min(found.until, latest)
        return Span(since, until, found.day, found.last_day, found.shift)

    def _of_days(self, days: Calendar, day: str) -> Span:
        first, last = days.named(day), days.named(self.last_day or day)
        if self.shift is not None:
            if last.label != first.label:
                raise Invalid("a shift is of one day", "last_day", "span_wrong")
            shift = first.shift(self.shift)
            return Span(shift.start, shift.end, first.label, first.label, shift.name)
        if last.start < first.start:
            raise Invalid("`last_day` lies before `day`", "last_day", "span_wrong")
        return Span(first.start, last.end, first.label, last.label)


def _asked(
    start: From = None,
    end: To = None,
    day: Annotated[
        str | None,
        Query(max_length=40, description="A gaming day instead of times.", examples=["2026-01-31"]),
    ] = None,
    last_day: Annotated[
        str | None, Query(max_length=40, description="The last of several gaming days, included.")
    ] = None,
    shift: Annotated[
        str | None, Query(max_length=40, description="A shift of that day, by its name.")
    ] = None,
) -> AskedSpan:
    return AskedSpan(start, end, day, last_day, shift)


Asked = Annotated[AskedSpan, Depends(_asked)]


def latest_of(request: Request, place: Pit) -> int:
    return max(service_of(request.app).book.clock.now(), place.time) + 1


def asked_span(request: Request, place: Pit, start: str | None, end: str | None) -> tuple[int, int]:
    """The time asked for, cut to that in which the link or pit was there; the last 24 hours by default."""
    latest = latest_of(request, place)
    until = latest if end is None else min(latest, parse_instant(end, field="to"))
    since = until - DAY if start is None else parse_instant(start, field="from")
    since = max(since, place.created_at)
    if since > until:
        raise Invalid("`to` lies after `from`, and after the link or pit was made", "to", "span_wrong")
    return since, until
