"""Gaming days and their shifts: from which instant to which, in the house's time zone.

A setting holds from a day on. Days before it keep the bounds they had, so a change never moves figures from
one day to another. Shifts follow the wall clock: a day may have 23 or 25 hours.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from jackpot.core.refusals import DayUnknown, ParameterWrong, ShiftUnknown

KIND = "gaming_day"
"""As what its settings are kept."""
ALWAYS = date(1, 1, 1)
"""The first day of the first setting."""
ONE = timedelta(days=1)
_FIRST, _LAST = date(1970, 1, 2), date(9998, 12, 31)


@dataclass(frozen=True, slots=True)
class ShiftSetting:
    name: str
    start: time


@dataclass(frozen=True, slots=True)
class DaySetting:
    start: time
    zone: str
    """By its IANA name."""
    shifts: tuple[ShiftSetting, ...]
    """In the order of the day, the first with its start."""

    def told(self) -> dict[str, Any]:
        shifts = [{"name": one.name, "start": f"{one.start:%H:%M}"} for one in self.shifts]
        return {"start": f"{self.start:%H:%M}", "zone": self.zone, "shift": shifts}

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> DaySetting:
        shifts = tuple(ShiftSetting(one["name"], _clock(one["start"])) for one in told["shift"])
        return cls(_clock(told["start"]), told["zone"], shifts)

    def begins(self, day: date, at: time | None = None) -> int:
        """When that day comes to a time of the wall clock; its own start, if none is named."""
        on = day if at is None or at >= self.start else day + ONE
        moment = datetime.combine(on, at or self.start, _zone(self.zone))
        return (moment.astimezone(UTC) - _EPOCH) // _MICROSECOND


DEFAULT = DaySetting(
    time(6),
    "UTC",
    (ShiftSetting("Day", time(6)), ShiftSetting("Evening", time(14)), ShiftSetting("Night", time(22))),
)
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def _clock(text: str) -> time:
    return time.fromisoformat(text)


@cache
def _zone(name: str) -> tzinfo:
    """UTC also on a machine that has no zones."""
    return UTC if name == DEFAULT.zone else ZoneInfo(name)


@dataclass(frozen=True, slots=True)
class Shift:
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Day:
    """From its start on and before its end."""

    label: str
    start: int
    end: int
    zone: str
    shifts: tuple[Shift, ...]

    def shift(self, name: str) -> Shift:
        for one in self.shifts:
            if one.name.casefold() == name.casefold():
                return one
        names = ", ".join(one.name for one in self.shifts)
        raise ShiftUnknown(f"gaming day {self.label} has no shift {name[:40]!r}: {names}")


class Calendar:
    def __init__(self, eras: Iterable[tuple[date, DaySetting]] = ()) -> None:
        told = sorted(eras, key=lambda one: one[0])
        self.set = bool(told)
        """Whether the house has ever said when its days begin."""
        self.eras = told or [(ALWAYS, DEFAULT)]
        self._first = [first for first, _ in self.eras]

    @property
    def latest(self) -> DaySetting:
        """The setting that was made last; it may hold only from tomorrow on."""
        return self.eras[-1][1]

    def setting(self, day: date) -> DaySetting:
        return self.eras[max(0, bisect_right(self._first, day) - 1)][1]

    def day(self, day: date) -> Day:
        setting = self.setting(day)
        start, end = setting.begins(day), self._start(day + ONE)
        starts, following = list[int](), end
        for one in reversed(setting.shifts[1:]):  # where clocks are put forward, two may begin at once
            following = max(start, min(following, setting.begins(day, one.start)))
            starts.insert(0, following)
        starts, ends = [start, *starts], [*starts, end]
        shifts = tuple(
            Shift(one.name, begins, over)
            for one, begins, over in zip(setting.shifts, starts, ends, strict=True)
        )
        return Day(day.isoformat(), start, end, setting.zone, shifts)

    def named(self, label: str) -> Day:
        try:
            day = date.fromisoformat(label)
        except ValueError:
            raise DayUnknown(f"{label[:40]!r} is not a gaming day: say 2026-01-31") from None
        if not _FIRST <= day <= _LAST or day.isoformat() != label:
            raise DayUnknown(f"{label[:40]!r} is not a gaming day: say 2026-01-31")
        return self.day(day)

    def date_of(self, instant: int) -> date:
        """The gaming day in which an instant lies."""
        day = (_EPOCH + timedelta(microseconds=instant)).date()
        while self._start(day) > instant:
            day -= ONE
        while self._start(day + ONE) <= instant:
            day += ONE
        return day

    def at(self, instant: int) -> Day:
        return self.day(self.date_of(instant))

    def days(self, first: date, last: date) -> list[Day]:
        """From the first to the last, both included."""
        return [self.day(first + timedelta(days=number)) for number in range((last - first).days + 1)]

    def next_bound(self, instant: int) -> int:
        """The next end of a shift."""
        return min(one.end for one in self.at(instant).shifts if one.end > instant)

    def changed(self, setting: DaySetting, *, now: int) -> date:
        """The first day of another setting: the day under way, and what was before it, keep their bounds."""
        today = self.date_of(now)
        for day in (today + number * ONE for number in (1, 2, 3)):
            if setting.begins(day) > max(now, self._start(day - ONE)):
                return day
        raise ParameterWrong(
            f"gaming days cannot go on in {setting.zone}: a day would begin before the one before it",
            field="gaming_day",
        )

    def _start(self, day: date) -> int:
        return self.setting(day).begins(day)


def calendar_of(known: Mapping[tuple[str, str], Mapping[str, Any]]) -> Calendar:
    """As the floor file has set it, and what it set before; by kind and id."""
    return Calendar(
        (date.fromisoformat(name), DaySetting.of(one)) for (kind, name), one in known.items() if kind == KIND
    )


def check_setting(setting: DaySetting) -> Sequence[str]:
    """What is wrong with it, in words."""
    wrong: list[str] = []
    try:
        _zone(setting.zone)
    except (OSError, ValueError, LookupError):
        wrong.append(f"there is no time zone {setting.zone[:60]!r}: say its IANA name, as Asia/Singapore")
    if not setting.shifts or setting.shifts[0].start != setting.start:
        wrong.append("the first shift starts with the day")
    ahead = [_since(setting.start, one.start) for one in setting.shifts]
    if ahead != sorted(set(ahead)):
        wrong.append("shifts stand in the order of the day, each with a start of its own")
    names = [one.name.casefold() for one in setting.shifts]
    if len(names) != len(set(names)):
        wrong.append("each shift has a name of its own")
    return wrong


def _since(start: time, other: time) -> int:
    minutes = (other.hour - start.hour) * 60 + other.minute - start.minute
    return minutes % (24 * 60)
