"""The act that ends a gaming day, with what was counted: of a link and of a pit."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request
from pydantic import Field, StrictInt, StrictStr

from api.operators.act import SUPERVISOR, Act, Asked, People, Place, Target, a_link
from api.operators.act_answers import DONE
from api.operators.house import looking, pit_now
from api.operators.wire import Note, Noted, Said
from jackpot.book.beside.applied_floor import calendar
from jackpot.book.beside.calendar import Day
from jackpot.book.reading.meters import check_reach
from jackpot.core.refusals import DayUnknown
from jackpot.link.commands import CloseDay
from jackpot.link.days import Counted


class CountedSaid(Said):
    figure: Annotated[StrictStr, Field(max_length=40, description="As `counted` of the days lists them.")]
    counted: Annotated[StrictInt, Field(description="Minor units, or how many.")]
    note: Note = Field(default="", description="Why it differs; required where it does.")


class DayClosing(Noted):
    counted: Annotated[list[CountedSaid], Field(max_length=20)] = Field(default=[])


async def gaming_day(request: Request, label: str) -> Day:
    """By the calendar of the house, as it is now."""
    async with looking(request) as connection:
        return (await calendar(connection)).named(label)


async def _day_of_link(request: Request, asked: Asked[DayClosing]) -> Target:
    return await _day_at(request, a_link(request, asked.link), asked.id)


async def _day_of_pit(request: Request, asked: Asked[DayClosing]) -> Target:
    async with looking(request) as connection:
        pit = await pit_now(request, connection, asked.link)
    return await _day_at(request, pit.id, asked.id)


async def _day_at(request: Request, name: str, label: str) -> Target:
    async with looking(request) as connection:
        await check_reach(connection, name)  # counted in the act itself, it would hold everybody up
    return Target(name, day=await gaming_day(request, label))


def _closing(asked: Asked[DayClosing]) -> CloseDay:
    if asked.day is None:
        raise DayUnknown("a gaming day is named")
    return CloseDay(
        person=asked.person,
        act_id=asked.key,
        day=asked.day.label,
        start=asked.day.start,
        end=asked.day.end,
        counted=tuple(
            Counted(figure=one.figure, counted=one.counted, note=one.note) for one in asked.said.counted
        ),
        note=asked.said.note,
    )


CLOSE_DAY = Act(
    name="close_day",
    path="/links/{link}/days/{day}/close",
    people=People.ONE,
    roles=SUPERVISOR,
    body=DayClosing,
    example={
        "counted": [{"figure": "wagered", "counted": 125000, "note": "two chips found under stud-01"}],
        "note": "slips complete",
    },
    place=Place(_day_of_link),
    command=_closing,
    preview="close_day",
    reply=DONE,
    summary="Close a gaming day that is over",
    description="""
    The journal keeps what the day came to, and beside it what was counted by people. Days are closed in their
    order, none twice and none left out after the first: 409 `day_closed`, `earlier_day_open`; 409
    `day_not_over` until five seconds after its end; 404 `day_unknown`.
    """,
)

CLOSE_DAY_OF_PIT = Act(
    name="close_day_of_pit",
    path="/pits/{pit}/days/{day}/close",
    people=People.ONE,
    roles=SUPERVISOR,
    body=DayClosing,
    example={"counted": [{"figure": "rounds", "counted": 412, "note": ""}], "note": ""},
    place=Place(_day_of_pit),
    command=_closing,
    preview=None,
    reply=DONE,
    summary="Close a gaming day of a pit that is over",
    description="As that of a link; its preview in a pit has the same name, `close_day`.",
)
