"""Gaming days and shifts: by the wall clock, also where it is put forward and back, and after a change."""

from __future__ import annotations

import itertools
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from zoneinfo import available_timezones

import pytest

from jackpot.book.beside.calendar import ALWAYS, DEFAULT, Calendar, DaySetting, ShiftSetting, check_setting
from jackpot.core.instants import SECOND, parse_instant, spoken_instant
from jackpot.core.refusals import DayUnknown, ParameterWrong, ShiftUnknown
from tests.effort import times

HOUR = 3600 * SECOND


def setting(start: str, zone: str, *shifts: str) -> DaySetting:
    told = [ShiftSetting(f"S{number}", time.fromisoformat(one)) for number, one in enumerate(shifts)]
    return DaySetting(
        time.fromisoformat(start), zone, tuple(told) or (ShiftSetting("S", time.fromisoformat(start)),)
    )


def calendar(*eras: tuple[str, DaySetting]) -> Calendar:
    return Calendar((date.fromisoformat(first), one) for first, one in eras)


def at(text: str) -> int:
    return parse_instant(text, field="at")


BERLIN = calendar(("0001-01-01", setting("06:00", "Europe/Berlin", "06:00", "14:00", "22:00")))


def test_a_day_begins_and_ends_by_the_wall_clock_of_the_house() -> None:
    day = BERLIN.named("2026-01-31")
    assert (spoken_instant(day.start), spoken_instant(day.end)) == (
        "2026-01-31T05:00:00.000000Z",
        "2026-02-01T05:00:00.000000Z",
    )
    assert [(one.end - one.start) // HOUR for one in day.shifts] == [8, 8, 8]
    assert BERLIN.at(day.start).label == "2026-01-31"
    assert BERLIN.at(day.start - 1).label == "2026-01-30"


def test_a_day_may_have_23_or_25_hours_and_the_shift_in_which_clocks_change_takes_it() -> None:
    """Clocks are changed at night between Saturday and Sunday: in the night shift of Saturday."""
    short, long = BERLIN.named("2026-03-28"), BERLIN.named("2026-10-24")
    assert ((short.end - short.start) // HOUR, (long.end - long.start) // HOUR) == (23, 25)
    assert [(one.end - one.start) // HOUR for one in short.shifts] == [8, 8, 7]
    assert [(one.end - one.start) // HOUR for one in long.shifts] == [8, 8, 9]


def test_a_shift_that_would_begin_in_the_hour_that_is_left_out_begins_with_the_next() -> None:
    days = calendar(("0001-01-01", setting("00:00", "Europe/Berlin", "00:00", "02:30", "03:00")))
    day = days.named("2026-03-29")
    assert [(one.end - one.start) / HOUR for one in day.shifts] == [2, 0, 21]


def test_another_setting_holds_from_the_next_day_on_and_earlier_days_keep_their_bounds() -> None:
    before, later = setting("06:00", "Asia/Singapore"), setting("08:00", "Asia/Singapore")
    days = calendar(("0001-01-01", before))
    first = days.changed(later, now=at("2026-01-10T12:00:00+08:00"))
    assert first == date(2026, 1, 11)
    changed = Calendar([*days.eras, (first, later)])
    assert changed.named("2026-01-09") == days.named("2026-01-09")
    last = changed.named("2026-01-10")
    assert (last.start, (last.end - last.start) // HOUR) == (days.named("2026-01-10").start, 26)
    assert changed.named("2026-01-11").start == at("2026-01-11T08:00:00+08:00")


def test_a_change_never_begins_in_the_past() -> None:
    """At five in the morning days are to begin at four: today's four is over."""
    days = calendar(("0001-01-01", setting("06:00", "UTC")))
    assert days.changed(setting("04:00", "UTC"), now=at("2026-01-10T05:00:00Z")) == date(2026, 1, 11)
    assert days.changed(setting("04:00", "UTC"), now=at("2026-01-10T03:00:00Z")) == date(2026, 1, 10)


@pytest.mark.parametrize("seed", range(times(20)))
def test_days_and_shifts_follow_one_another_without_gap_whatever_is_set_and_changed(seed: int) -> None:
    chance, zones = Random(seed), sorted(available_timezones() - {"localtime"})
    now = at("2026-01-01T00:00:00Z") + chance.randrange(365 * 24) * HOUR
    days = Calendar([(ALWAYS, any_setting(chance, zones))])
    for _ in range(4):
        wanted = any_setting(chance, zones)
        try:
            first = days.changed(wanted, now=now)
        except ParameterWrong:  # over the date line
            continue
        known = days.days(days.date_of(now) - timedelta(days=3), days.date_of(now))
        eras = [one for one in days.eras if one[0] < first]
        days = Calendar([*eras, (first, wanted)])
        assert days.days(days.date_of(now) - timedelta(days=3), days.date_of(now))[:-1] == known[:-1]
        now += chance.randrange(1, 72) * HOUR
    several = days.days(date(2025, 12, 1), date(2027, 3, 1))
    for day, following in itertools.pairwise(several):
        assert day.start < day.end == following.start
        assert [day.start, *(one.end for one in day.shifts)] == [*(one.start for one in day.shifts), day.end]
        assert all(one.start <= one.end for one in day.shifts)
        middle = chance.randrange(day.start, day.end)
        assert days.at(middle) == day
        assert middle < days.next_bound(middle) <= day.end


def any_setting(chance: Random, zones: list[str]) -> DaySetting:
    minutes = sorted(chance.sample(range(0, 24 * 60, 5), chance.randrange(1, 5)))
    turned = chance.randrange(len(minutes))
    clock = [f"{one // 60:02d}:{one % 60:02d}" for one in [*minutes[turned:], *minutes[:turned]]]
    return setting(clock[0], chance.choice(zones), *clock)


@pytest.mark.parametrize(
    "label", ["2026-02-30", "today", "", "20260131", "2026-W05-6", "0001-01-01", "9999-12-31"]
)
def test_what_is_no_gaming_day_is_said_to_be_none(label: str) -> None:
    with pytest.raises(DayUnknown, match="is not a gaming day"):
        BERLIN.named(label)


def test_shifts_are_found_by_name() -> None:
    day = BERLIN.named("2026-01-31")
    assert day.shift("s1") == day.shifts[1]
    with pytest.raises(ShiftUnknown, match="S0, S1, S2"):
        day.shift("S3")


def test_without_a_setting_days_begin_at_six_in_utc_and_have_three_shifts() -> None:
    day = Calendar().at(at("2026-01-31T07:00:00Z"))
    assert (day.label, [one.name for one in day.shifts]) == ("2026-01-31", ["Day", "Evening", "Night"])
    assert datetime.fromtimestamp(day.start / SECOND, UTC).hour == 6
    assert not check_setting(DEFAULT)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (setting("06:00", "Europe/Atlantis"), "no time zone"),
        (setting("06:00", "../etc/passwd"), "no time zone"),
        (setting("06:00", ""), "no time zone"),
        (setting("06:00", "UTC", "07:00"), "starts with the day"),
        (setting("06:00", "UTC", "06:00", "22:00", "14:00"), "order of the day"),
        (setting("06:00", "UTC", "06:00", "06:00"), "order of the day"),
        (
            DaySetting(time(6), "UTC", (ShiftSetting("Day", time(6)), ShiftSetting("day", time(7)))),
            "name of its own",
        ),
    ],
)
def test_a_setting_that_cannot_be_kept_is_told_why(wrong: DaySetting, why: str) -> None:
    assert any(why in one for one in check_setting(wrong))
