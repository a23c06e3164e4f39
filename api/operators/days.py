"""Gaming days: which there are, their shifts, and what each was closed with."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from fastapi import Query, Request
from sqlalchemy.ext.asyncio import AsyncConnection

from api.operators import examples
from api.operators.day_answers import Days, DayTold
from api.operators.house import LinkId, PitId, Reader, link_now, looking, pit_now
from api.routing.auth import guarded_router
from api.service import service_of
from jackpot.book.beside.applied_floor import calendar
from jackpot.book.beside.calendar import Calendar
from jackpot.book.reading.days import closings_since
from jackpot.house.days import SETTLED_AFTER, counted_figures
from jackpot.link.state import Pit

router = guarded_router(prefix="/v1", tags=["records"])
ONE = timedelta(days=1)
Limit = Annotated[int, Query(ge=1, le=100, description="How many days.")]
BeforeDay = Annotated[
    str | None, Query(max_length=40, description="`next` of the answer before.", examples=["2026-01-31"])
]


@router.get("/links/{link}/days", summary="Gaming days, the latest first", responses=examples.DAYS)
async def days_of_link(
    request: Request, link: LinkId, _caller: Reader, before: BeforeDay = None, limit: Limit = 14
) -> Days:
    """From when to when, their shifts, and what each was closed with."""
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
        return await _days(request, connection, found, before, limit)


@router.get("/pits/{pit}/days", summary="Gaming days of a pit, the latest first", responses=examples.DAYS)
async def days_of_pit(
    request: Request, pit: PitId, _caller: Reader, before: BeforeDay = None, limit: Limit = 14
) -> Days:
    """As those of a link."""
    async with looking(request) as connection:
        found = await pit_now(request, connection, pit)
        return await _days(request, connection, found, before, limit)


async def _days(
    request: Request, connection: AsyncConnection, place: Pit, before: str | None, limit: int
) -> Days:
    days, now = await calendar(connection), service_of(request.app).book.clock.now()
    began = days.date_of(place.created_at)
    last = days.date_of(now) if before is None else date.fromisoformat(days.named(before).label)
    first = max(began, last - (limit - 1) * ONE)
    several = days.days(first, last)[::-1]
    closings = await closings_since(connection, place.id, several[-1].end if several else now)
    return Days(
        days=[DayTold.of(one, closings.get(one.label), now=now) for one in several],
        counted=list(counted_figures(place)),
        closable=_closable(days, place, now=now),
        next=(first - ONE).isoformat() if several and first > began else None,
    )


def _closable(days: Calendar, place: Pit, *, now: int) -> str | None:
    closed = place.closed_day
    over = days.at(now - SETTLED_AFTER)
    due = days.date_of(over.start - 1) if closed is None else date.fromisoformat(closed.day) + ONE
    day = days.day(due)
    return day.label if day.end <= over.start and day.end > place.created_at else None
