"""The end of a gaming day: a person closes it, with what was counted otherwise than the journal has it.

A day is two instants here; the calendar of the house says which. Days are closed in their order, none twice
and none left out after the first, and only when nothing can happen in them any more.
"""

from __future__ import annotations

import re

from jackpot.core.instants import SECOND
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.refusals import (
    AmountTooLarge,
    DayAlreadyClosed,
    DayNotOver,
    DayUnknown,
    EarlierDayOpen,
    FigureRepeated,
    FigureUnknown,
    ReasonMissing,
)
from jackpot.figures.compared import OF_LINKS, OF_PITS, recorded
from jackpot.link.answers import Done
from jackpot.link.commands import CloseDay
from jackpot.link.days import Compared, Counted, Played
from jackpot.link.execution import Desk, bounded
from jackpot.link.facts import DayClosed
from jackpot.link.state import Link, Pit

SETTLED_AFTER = 5 * SECOND
"""House time that passes after a day before it is closed: no replica can then still write into it."""
_LABEL = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def close_day(desk: Desk, command: CloseDay) -> Done:
    _check_day(desk, command)
    note = bounded(command.note, field="note")
    _check_counted(desk.pit, command.counted)
    played = desk.archive.played(command.start, command.end)
    desk.write(
        DayClosed(
            day=command.day,
            start=command.start,
            end=command.end,
            first=played.first,
            last=played.last,
            person=command.person,
            note=note,
            compared=tuple(_compared(played, one) for one in command.counted),
            figures=played.figures,
            lifetime=played.lifetime,
        )
    )
    return Done()


def _check_day(desk: Desk, command: CloseDay) -> None:
    pit, day = desk.pit, command.day
    if not _LABEL.fullmatch(day) or not command.start < command.end or command.end <= pit.created_at:
        raise DayUnknown(f"{pit.id} has nothing of gaming day {day[:40]!r}")
    closed = pit.closed_day
    if closed is not None and (command.end <= closed.end or day <= closed.day):
        raise DayAlreadyClosed(f"{closed.day} was closed last; {day} lies before it, or is that day", day=day)
    if desk.now - desk.error < command.end + SETTLED_AFTER:
        raise DayNotOver(f"gaming day {day} is not over yet", day=day)
    if closed is not None and command.start != closed.end:
        raise EarlierDayOpen(f"{closed.day} was closed last: the day after it comes first", day=day)


def counted_figures(pit: Pit) -> tuple[str, ...]:
    """What a person may have counted."""
    return OF_LINKS if isinstance(pit, Link) else OF_PITS


def _check_counted(pit: Pit, counted: tuple[Counted, ...]) -> None:
    known, seen = counted_figures(pit), set[str]()
    for one in counted:
        if one.figure not in known:
            raise FigureUnknown(f"{one.figure[:40]!r} is not counted: {', '.join(known)}", field="counted")
        if one.figure in seen:
            raise FigureRepeated(f"{one.figure} is counted twice", field="counted")
        seen.add(one.figure)
        if abs(one.counted) > LARGEST_AMOUNT:
            raise AmountTooLarge(f"nobody counts {one.counted}", field=f"counted.{one.figure}")


def _compared(played: Played, one: Counted) -> Compared:
    """A difference is explained."""
    found, field = recorded(played.figures, one.figure), f"counted.{one.figure}"
    if one.counted != found and not one.note.strip():
        differs = f"{one.figure}: {one.counted} counted, {found} recorded"
        raise ReasonMissing(f"{differs}; a difference needs a note", field=field)
    note = bounded(one.note, field=field)
    return Compared(figure=one.figure, recorded=found, counted=one.counted, note=note)
