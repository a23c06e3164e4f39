"""Gaming days over HTTP: reports of days and shifts, and a day that a person closes."""

from __future__ import annotations

import csv
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from jackpot.book.beside.applied_floor import calendar
from jackpot.book.beside.calendar import Calendar
from jackpot.book.checking.cross_journal import Pairs
from jackpot.book.checking.verify import Verifier
from jackpot.book.reading.days import closings_since
from jackpot.book.writing.rollups import RollUps
from jackpot.core.instants import SECOND
from tests.house import House, a_house, put, refused

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


# Closing


def closing(day: date, place: str = "links/main") -> str:
    return f"/v1/{place}/days/{day.isoformat()}/close"


async def a_day_later(house: House, day: date) -> None:
    await until_shift(house, day + timedelta(days=1), 0)
    house.floor.wait(10)


async def test_a_day_is_closed_with_its_figures_and_what_was_counted(house: House) -> None:
    day = await two_shifts(house)
    await a_day_later(house, day)
    listed = await house.told("/v1/links/main/days", "ana")
    assert (listed["closable"], "wagered" in listed["counted"]) == (day.isoformat(), True)
    said = {
        "counted": [
            {"figure": "wagered", "counted": 5000, "note": "a chip found"},
            {"figure": "bets", "counted": 9},
        ],
        "note": "slips complete",
    }
    told = await house.does(
        "/v1/links/main/previews", "sue", {"act": "close_day", "id": day.isoformat(), "said": said}
    )
    assert told["words"] == [f"Gaming day {day} is closed: slips complete. Counted otherwise: wagered."]
    await house.does(closing(day), "sue", said)
    listed = await house.told("/v1/links/main/days")
    current, closed = listed["days"][:2]
    assert (current["state"], closed["state"], listed["closable"]) == ("current", "closed", None)
    told = closed["closing"]
    assert (told["by"], told["note"], told["figures"]["wagered"]) == ("sue", "slips complete", 4500)
    assert told["compared"][0] == {
        "figure": "wagered",
        "recorded": 4500,
        "counted": 5000,
        "difference": 500,
        "note": "a chip found",
    }
    acts = (await house.told("/v1/audit"))["acts"]
    assert ("sue", "close_day") in {(one["actor"], one["act"]) for one in acts}
    await house.floor.submit(house.floor.bets("s2"))
    entry = (await house.told("/v1/links/main/journal", params={"kind": "DayClosed"}))["entries"][0]
    assert entry["sequence"] == told["sequence"]
    await verified(house)


async def test_a_closing_is_refused_while_it_cannot_be(house: House) -> None:
    day = await today(house)
    refused(await house.post(closing(day), "sue"), 409, "day_not_over")
    refused(await house.post(closing(day), "ana"), 403, "forbidden")
    await a_day_later(house, day)
    for label in ("2026-02-30", "yesterday", "2001-01-01"):
        refused(await house.post(f"/v1/links/main/days/{label}/close", "sue"), 404, "day_unknown")
    refused(await house.post(f"/v1/links/nowhere/days/{day}/close", "sue"), 404, "link_unknown")
    refused(await house.post(f"/v1/links/pit-3/days/{day}/close", "sue"), 404, "link_unknown")
    refused(await house.post(closing(day, "pits/main"), "sue"), 404, "pit_unknown")
    luck = {"counted": [{"figure": "luck", "counted": 1, "note": "?"}]}
    refused(await house.post(closing(day), "sue", luck), 422, "figure_unknown")
    unexplained = {"counted": [{"figure": "bets", "counted": 7}]}
    assert (
        refused(await house.post(closing(day), "sue", unexplained), 422, "reason_missing")["field"]
        == "counted.bets"
    )
    half = {"counted": [{"figure": "bets", "counted": 0.5}]}
    refused(await house.post(closing(day), "sue", half), 422, "invalid")
    await house.does(closing(day), "sue", {})
    refused(await house.post(closing(day), "sue"), 409, "day_closed")
    await a_day_later(house, day + timedelta(days=2))
    refused(await house.post(closing(day + timedelta(days=2)), "sue"), 409, "earlier_day_open")


async def test_the_same_closing_with_its_key_is_one(house: House) -> None:
    day = await today(house)
    await a_day_later(house, day)
    key = {"Idempotency-Key": "d1"}
    first = await house.does(closing(day), "sue", {"note": "done"}, headers=key)
    assert await house.does(closing(day), "sue", {"note": "done"}, headers=key) == first
    refused(await house.post(closing(day), "sue", {"note": "other"}, headers=key), 409, "conflict")


async def test_a_day_of_a_pit_is_closed(house: House) -> None:
    day = await today(house)
    await put(house, "bj", "bets", {"boxes": [{"box": 1, "bet": 2500}]})
    await a_day_later(house, day)
    assert (await house.told("/v1/pits/pit-3/days"))["closable"] == day.isoformat()
    said = {"act": "close_day", "id": day.isoformat(), "said": {}}
    assert (await house.does("/v1/pits/pit-3/previews", "sue", said))["words"] == [
        f"Gaming day {day} is closed."
    ]
    await house.does(closing(day, "pits/pit-3"), "sue", {"counted": [{"figure": "rounds", "counted": 1}]})
    told = (await house.told("/v1/pits/pit-3/days"))["days"][1]["closing"]
    assert told["figures"]["rounds"] == 1
    assert told["compared"][0]["difference"] == 0


async def test_days_are_told_in_pages_back_to_the_first(house: House) -> None:
    first = await today(house)
    await a_day_later(house, first + timedelta(days=3))
    found, before = list[str](), None
    while True:
        page = await house.told(
            "/v1/links/main/days", params={"limit": 2} | ({"before": before} if before else {})
        )
        found += [one["day"] for one in page["days"]]
        if (before := page["next"]) is None:
            break
    assert found == [(first + timedelta(days=4 - number)).isoformat() for number in range(5)]


async def test_a_closing_that_says_another_figure_is_found(house: House) -> None:
    day = await two_shifts(house)
    await a_day_later(house, day)
    await house.does(closing(day), "sue", {})
    await RollUps(house.service.book.store).roll()
    store = house.service.book.store
    async with store.reading() as connection:
        [(sequence, _, fact)] = (await closings_since(connection, "main", 0)).values()
    pairs = Pairs("main")
    pairs.hear(fact, sequence)
    assert await pairs.difference(store) is None
    pairs.hear(replace(fact, figures=fact.figures | {"wagered": 1}), sequence)
    found = await pairs.difference(store)
    assert found == (sequence, f"gaming day {day} did not come to what it was closed with")


async def verified(house: House) -> None:
    for name in ("main", "pit-3"):
        await Verifier(house.service.book.store, name).verify()
