"""The house clock as its callers meet it: told, alerted while it differs, and set by two people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpot.book.stores import sqlite
from jackpot.core.instants import SECOND, parse_instant
from tests.callers import NOTHING, ROYAL, Floor, done, refused
from tests.service import Json, Served, full_floor, in_thread
from tests.waiting import until

WRONG = {"reason": "the server's clock was an hour slow"}
HOUR = 3600 * SECOND
DIFFERENCE = "jackpot_house_clock_difference_seconds"


class Shift:
    def __init__(self) -> None:
        self.by = 0


@pytest.fixture
def shift(monkeypatch: pytest.MonkeyPatch) -> Shift:
    """What somebody sets the server's clock by."""
    found, wall = Shift(), sqlite.wall_clock
    monkeypatch.setattr(sqlite, "wall_clock", lambda: wall() + found.by)
    return found


@pytest.fixture
def served(shift: Shift, tmp_path: Path) -> Iterator[Served]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    with in_thread(url, full_floor("main", "other"), tmp_path) as service:
        assert shift.by == 0
        yield service


def clock(service: Served) -> Json:
    return dict(done(service.get("/v1/links", "ada"))["clock"])


def propose(service: Served, by: str = "ana") -> str:
    answer = service.post("/v1/house/clock", by, WRONG)
    assert answer.status_code == 202
    return str(answer.json()["proposal"])


def confirm(service: Served, proposal: str) -> None:
    done(service.post(f"/v1/proposals/{proposal}/confirm", "sue"))


def set_wrong(service: Served, shift: Shift, by: int) -> Json:
    """Until house time is known to differ."""
    shift.by = by

    def differs() -> Json | None:
        told = clock(service)
        return told if told["alerts"] else None

    return until(differs) or {}


def test_a_clock_that_nobody_set_raises_no_alert(served: Served) -> None:
    told = clock(served)
    assert (told["difference_us"], told["alerts"]) == (0, [])
    assert told["error_us"] < SECOND
    assert f"{DIFFERENCE} 0.0" in served.get("/metrics").text


def test_while_house_time_differs_an_alert_says_so_until_two_people_set_it(
    served: Served, shift: Shift
) -> None:
    before = clock(served)
    told = set_wrong(served, shift, HOUR)
    assert [one["code"] for one in told["alerts"]] == ["house_clock"]
    assert abs(told["difference_us"] + HOUR) < SECOND
    assert parse_instant(told["now"], field="now") - parse_instant(before["now"], field="now") < HOUR
    assert f"{DIFFERENCE} -3" in served.get("/metrics").text
    proposal = propose(served)
    [waiting] = done(served.get("/v1/proposals", "ada"))["proposals"]
    assert (waiting["id"], waiting["change"], waiting["reason"]) == (
        proposal,
        {"kind": "ClockSetting"},
        WRONG["reason"],
    )
    confirm(served, proposal)
    after = clock(served)
    assert (after["difference_us"], after["alerts"]) == (0, [])
    assert parse_instant(after["now"], field="now") - parse_instant(told["now"], field="now") > HOUR
    for link in ("main", "other"):
        entries = done(served.get(f"/v1/links/{link}/journal?kind=HouseTimeBroke", "ada"))["entries"]
        assert [one["entry"]["fact"]["persons"] for one in entries] == [["ana", "sue"]]
    assert served.verify().returncode == 0


def test_a_round_or_a_win_at_any_link_refuses_it_by_name(served: Served) -> None:
    other = Floor(served, "other")
    done(other.stud.bets())
    problem = refused(served.post("/v1/house/clock", "ana", WRONG), 409, "floor_in_play")
    assert (problem["link"], problem["table"]) == ("other", other.stud.table)
    done(other.stud.hands({1: NOTHING}, final=True))
    proposal = propose(served)
    win = other.stud2.wins(ROYAL)
    problem = refused(served.post(f"/v1/proposals/{proposal}/confirm", "sue"), 409, "floor_in_play")
    assert (problem["link"], problem["win"]) == ("other", win)


def test_a_clock_behind_a_journal_refuses_it_and_says_by_how_much(served: Served, shift: Shift) -> None:
    set_wrong(served, shift, -HOUR)
    problem = refused(served.post("/v1/house/clock", "ana", WRONG), 409, "clock_would_fall")
    assert 0 < problem["by_us"] <= HOUR


def test_it_is_proposed_once_and_by_one_who_may_and_confirmed_by_another(served: Served) -> None:
    proposal = propose(served, "sue")
    refused(served.post("/v1/house/clock", "ana", WRONG), 409, "already_proposed")
    refused(served.post(f"/v1/proposals/{proposal}/confirm", "sue"), 403, "same_person")
    refused(served.post("/v1/house/clock", "ada", WRONG), 403)
    refused(served.post("/v1/house/clock", "ana", {}), 422)


def test_what_it_would_do_is_previewed(served: Served) -> None:
    asked = {"act": "clock", "said": WRONG}
    done(served.post("/v1/links/other/previews", "ana", asked))
    done(Floor(served, "main").stud.bets())
    refused(served.post("/v1/links/other/previews", "ana", asked), 409, "floor_in_play")
