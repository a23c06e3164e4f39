"""Gaming days over HTTP: reports of days and shifts, and a day that a person closes."""

from __future__ import annotations

import csv
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from jackpot.book.beside.applied_floor import calendar
from jackpot.book.beside.calendar import Calendar
from jackpot.book.writing.rollups import RollUps
from jackpot.core.instants import SECOND
from tests.house import House, a_house, refused

REPORT = "/v1/links/main/report"


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path) as found:
        yield found


async def days(house: House) -> Calendar:
    async with house.service.book.store.reading() as connection:
        return await calendar(connection)


async def today(house: House) -> date:
    return (await days(house)).date_of(house.floor.clock.time)


async def until_shift(house: House, day: date, number: int) -> None:
    """A second into a shift of a day, or of the next."""
    shift = (await days(house)).day(day).shifts[number]
    house.floor.wait((shift.start - house.floor.clock.time) / SECOND + 1)


async def two_shifts(house: House) -> date:
    """A day with three bets in its evening and six in its night; that of its morning are none."""
    day = await today(house) + timedelta(days=1)
    for number, rounds in ((1, 1), (2, 2)):
        await until_shift(house, day, number)
        for _ in range(rounds):
            await house.floor.submit(house.floor.bets("s1", (1, 2, 3)))
            house.floor.wait(1)
    return day


@pytest.mark.parametrize("rolled", [True, False])
async def test_reports_of_shifts_add_up_to_that_of_their_day(house: House, rolled: bool) -> None:
    day = await two_shifts(house)
    await until_shift(house, day + timedelta(days=1), 0)
    await house.floor.submit(house.floor.bets("s1"))
    if rolled:
        await RollUps(house.service.book.store).roll()
    whole = await house.told(REPORT, params={"day": day.isoformat()})
    assert (whole["day"], whole["last_day"], whole["shift"]) == (day.isoformat(), day.isoformat(), None)
    parts = [
        await house.told(REPORT, params={"day": day.isoformat(), "shift": name})
        for name in ("Day", "evening", "Night")
    ]
    assert [one["shift"] for one in parts] == ["Day", "Evening", "Night"]
    assert [one["total"]["bets"] for one in parts] == [0, 3, 6]
    for figure in ("rounds", "bets", "wagered", "pool_units", "house_units", "revenue_units"):
        assert sum(one["total"][figure] for one in parts) == whole["total"][figure]
    assert parts[0]["meter"]["opening_units"] == whole["meter"]["opening_units"]
    assert parts[1]["meter"]["closing_units"] == parts[2]["meter"]["opening_units"]
    assert parts[2]["to"] == whole["to"]
    both = await house.told(
        REPORT, params={"day": day.isoformat(), "last_day": (day + timedelta(days=1)).isoformat()}
    )
    assert both["total"]["bets"] == 10
    assert both["lifetime"]["bets"] == 10
    assert whole["lifetime"]["bets"] == 9, "as it stood at the end of that day"


async def test_a_day_is_told_as_csv_too(house: House) -> None:
    day = await two_shifts(house)
    answer = await house.get(REPORT, headers={"Accept": "text/csv"}, params={"day": day.isoformat()})
    told = {
        (row["section"], row["name"], row["figure"]): row["value"]
        for row in csv.DictReader(answer.text.splitlines())
    }
    assert told["report", "main", "day"] == day.isoformat()
    assert told["total", "main", "bets"] == told["lifetime", "main", "bets"] == "9"
    assert told["lifetime", "main", "accounts_units.wagers"] == f"'{-9 * 500_000_000}"  # no cell is a formula


async def test_days_and_shifts_that_there_are_not_are_refused(house: House) -> None:
    day = (await today(house)).isoformat()
    tomorrow = (await today(house) + timedelta(days=1)).isoformat()
    for params, status, code in (
        ({"day": "2026-02-30"}, 404, "day_unknown"),
        ({"day": tomorrow}, 404, "day_unknown"),
        ({"day": "2001-01-01"}, 404, "day_unknown"),
        ({"day": day, "shift": "Twilight"}, 404, "shift_unknown"),
        ({"shift": "Day"}, 422, "span_wrong"),
        ({"last_day": day}, 422, "span_wrong"),
        ({"day": tomorrow, "last_day": day}, 422, "span_wrong"),
        ({"day": day, "last_day": tomorrow, "shift": "Day"}, 422, "span_wrong"),
        ({"day": day, "from": "2026-01-01T00:00:00Z"}, 422, "span_wrong"),
    ):
        for place in ("links/main", "pits/pit-3"):
            refused(await house.get(f"/v1/{place}/report", params=params), status, code)
