"""What is told of the whole house at once: each link and pit, and what waits for a person there."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.operators import overview_answers
from api.watching.last_day import STEPS
from displays.pages.console import PAGES, Page
from jackpot.book.beside.roles import Role
from tests.callers import Floor, done, now
from tests.console import late_claim, play, royal
from tests.house import ROYAL, House, a_house, put
from tests.service import PIT, Json, Served

NOTHING = {"wins": 0, "claims": 0, "handovers": 0, "proposals": 0, "malfunctions": 0, "alerts": 0}


def overview(service: Served, by: str = "ada") -> Json:
    return done(service.get("/v1/overview", by))


def place(told: Json, name: str) -> Json:
    return next(one for one in told["places"] if one["id"] == name)


def waiting(told: Json, name: str | None) -> list[tuple[str, str | None, str, str]]:
    return [
        (one["matter"], one["table"], one["what"], one["page"])
        for one in told["waiting"]
        if one["place"] == name and one["matter"] != "alert"
    ]


def test_one_answer_tells_every_link_and_pit_and_what_waits_there(floor: Floor) -> None:
    play(floor)
    assert place(overview(floor.service), floor.link)["waiting"] == NOTHING
    late_claim(floor)
    royal(floor)
    done(floor.post("seed", "ana", {"seed": 6_000_000, "reason": "new season"}))
    scope = {"scope": {"table": floor.stud2.table}, "observed_at": now(), "cards_seen": {}, "then": "close"}
    done(floor.service.post("/v1/malfunctions", "sue", scope | {"note": "lamp"}))
    told = overview(floor.service)
    assert waiting(told, floor.link) == [
        ("claim", floor.stud.table, "straight_flush", "claims"),
        ("win", floor.stud.table, "royal_flush", "wins"),
        ("proposal", None, "ParameterChange", "changes"),
        ("malfunction", floor.stud2.table, "close", "malfunctions"),
    ]
    here = place(told, floor.link)
    assert {name: here["waiting"][name] for name in ("wins", "claims", "proposals", "malfunctions")} == {
        "wins": 1,
        "claims": 1,
        "proposals": 1,
        "malfunctions": 1,
    }
    assert (here["pit"], here["state"], here["tables"]) == (False, "held", len(floor.tables))
    assert here["in_play"] == len(floor.tables) - 1
    pit = place(told, PIT)
    assert (pit["pit"], pit["value"], pit["tables"], pit["waiting"]) == (True, None, 3, NOTHING)


def test_it_agrees_with_what_each_link_and_pit_tells_of_itself(floor: Floor) -> None:
    play(floor)
    royal(floor)
    told = overview(floor.service)
    links = done(floor.service.get("/v1/links", "ada"))["links"]
    pits = done(floor.service.get("/v1/pits", "ada"))["pits"]
    assert [one["id"] for one in told["places"]] == [one["id"] for one in [*links, *pits]]
    here = next(one for one in links if one["id"] == floor.link)
    assert here == done(floor.service.get(f"/v1/links/{floor.link}", "ada"))
    assert pits[0] == done(floor.service.get(f"/v1/pits/{PIT}", "ada"))
    same = ("name", "currency", "state", "value", "display", "sequence", "as_of", "tables", "stopped")
    assert {name: place(told, floor.link)[name] for name in same} == {name: here[name] for name in same}
    assert place(told, floor.link)["waiting"]["wins"] == here["pending"]
    assert told["proposals"] == done(floor.service.get("/v1/proposals", "ada"))["proposals"]
    assert told["malfunctions"] == done(floor.service.get("/v1/malfunctions", "ada"))["malfunctions"]


def test_what_has_ended_waits_no_longer(floor: Floor) -> None:
    win = royal(floor)
    assert place(overview(floor.service), floor.link)["waiting"]["wins"] == 1
    for person in ("ana", "ben"):
        done(floor.approve(win, person))
    assert place(overview(floor.service), floor.link)["waiting"]["wins"] == 0


def test_what_a_role_may_not_look_at_is_neither_listed_nor_counted(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_claim(floor)
    royal(floor)
    monkeypatch.setitem(PAGES, "claims", Page("Late claims", ("supervisor", "auditor")))
    for name, claims in (("ana", 0), ("sue", 1), ("ada", 1)):
        told = overview(floor.service, name)
        assert place(told, floor.link)["waiting"]["claims"] == claims, name
        assert place(told, floor.link)["waiting"]["wins"] == 1
        assert (
            sum(one["matter"] == "claim" and one["place"] == floor.link for one in told["waiting"]) == claims
        )


def test_every_role_that_may_ask_may_look_at_some_page_of_each_matter() -> None:
    people = {Role.OPERATOR, Role.SUPERVISOR, Role.AUDITOR}
    for page in overview_answers.PAGE_OF.values():
        assert set(PAGES[page].roles) & people


async def test_a_silent_table_is_an_alert_once_for_as_long_as_it_is_silent(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with a_house(sqlite_url, tmp_path) as house:
        house.floor.wait(60)
        first, again = [await _alerts(house) for _ in range(2)]
        assert first == again
        assert {one["table"] for one in first if one["place"] == "main"} == {"s1", "s2", "h1"}
        await house.floor.beat("s1")
        assert {one["table"] for one in await _alerts(house)} == {"s2", "h1"}
        house.floor.wait(60)
        (anew,) = (one for one in await _alerts(house) if one["table"] == "s1")
        assert anew["id"] not in {one["id"] for one in first}


async def _alerts(house: House) -> list[Json]:
    told = await house.told("/v1/overview")
    return [one for one in told["waiting"] if one["matter"] == "alert"]


# The last day


async def test_the_last_day_has_the_meter_and_the_rounds_of_each_half_hour(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with a_house(sqlite_url, tmp_path) as house:
        shown, rounds = [], []
        for number in (3, 0, 2):
            for _ in range(number):
                await house.floor.submit(house.floor.bets("s1"))
                await house.floor.submit(house.floor.hands("s1", {1: None}, final=True))
            shown.append((await house.told("/v1/links/main/meter", "sign-1"))["value"])
            rounds.append(number)
            house.floor.wait(1800)
        await put(house, "bj", "bets", {"boxes": [{"box": 1, "bet": 2500}]})
        told = await house.told("/v1/overview/last-day")
        assert (told["complete"], told["step_s"]) == (True, 1800)
        days = {one["id"]: one for one in told["places"]}
        assert set(days) == {"main", "other", "pit-3"}
        assert len(days["main"]["rounds"]) == len(days["main"]["values"]) == STEPS
        assert days["main"]["rounds"][-4:] == [*rounds, 0]
        assert days["main"]["values"][-4:] == [*shown, shown[-1]]
        assert days["main"]["values"][0] is None, "the link was not there yet"
        assert (days["pit-3"]["values"], days["pit-3"]["rounds"][-1]) == ([], 1)


async def test_what_follows_is_counted_once_however_often_somebody_asks(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with a_house(sqlite_url, tmp_path) as house:
        for number in range(1, 4):
            await house.floor.submit(house.floor.bets("s1"))
            await house.floor.submit(house.floor.hands("s1", {1: None}, final=True))
            for _ in range(2):
                told = await house.told("/v1/overview/last-day")
                assert sum(told["places"][0]["rounds"]) == number
        house.floor.wait(24 * 3600)
        await house.floor.submit(house.floor.bets("s1"))
        told = await house.told("/v1/overview/last-day")
        assert told["places"][0]["rounds"] == [0] * (STEPS - 1) + [1]
        value = (await house.told("/v1/links/main/meter", "sign-1"))["value"]
        assert told["places"][0]["values"] == [value - 200] * (STEPS - 1) + [value]


async def test_a_link_whose_rows_cannot_be_read_is_named_and_hides_no_other(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with a_house(sqlite_url, tmp_path) as house:
        await house.floor.wins_major("s1", ROYAL)
        async with house.service.book.store.transaction() as connection:
            spoilt = "UPDATE links SET state_2 = x'00', heard = heard + 1 WHERE id = 'other'"
            await connection.exec_driver_sql(spoilt)
        told = await house.told("/v1/overview")
        assert place(told, "main")["waiting"]["wins"] == 1
        stopped = [one["place"] for one in told["waiting"] if one["what"] == "stopped"]
        assert stopped == ["other"]
