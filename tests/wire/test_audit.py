"""The audit: an act that was allowed is on record when it is answered, with who did it from where."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jackpot.book.writing.notes import Notes
from tests.in_process import LINK, House, bearer, floor_text, house, now
from tests.service import PASSWORD, FloorFile, full_floor, serving

REASON = {"reason": "end of business"}


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A house whose notes are never written: what may come later does not come at all."""

    async def never(_self: Notes) -> None:
        pass

    other = LINK.replace('"main"', '"other"')
    with monkeypatch.context() as delayed:
        delayed.setattr(Notes, "_flush", never)
        async with house(sqlite_url, tmp_path, other + floor_text(), catching=True) as found:
            yield found


def on_record(folder: Path) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Read from the file itself, in this very moment."""
    with closing(sqlite3.connect(folder / "book.db")) as book:
        rows = book.execute("SELECT actor, act, outcome, detail FROM audit ORDER BY at, id").fetchall()
    return [(actor, act, outcome, json.loads(detail)) for actor, act, outcome, detail in rows]


def last(folder: Path) -> tuple[str, str, str]:
    return on_record(folder)[-1][:3]


async def test_acts_of_one_and_of_two_people_are_on_record_when_they_are_answered(
    at: House, tmp_path: Path
) -> None:
    async def does(path: str, who: str, **body: object) -> dict[str, Any]:
        answer = await at.say("POST", path, who, json=body)
        assert answer.status_code < 300, answer.text
        return dict(answer.json())

    await does("/v1/links/main/close", "otto", **REASON)
    assert last(tmp_path) == ("otto", "close_link", "allowed")
    proposal = (await does("/v1/links/main/open", "otto", **REASON))["proposal"]
    assert last(tmp_path) == ("otto", "open_link", "allowed")
    await does(f"/v1/proposals/{proposal}/confirm", "sue")
    assert last(tmp_path) == ("sue", "confirm", "allowed")
    transfer = (await does("/v1/links/main/transfer", "otto", to="other", amount=100, **REASON))["proposal"]
    await does(f"/v1/proposals/{transfer}/confirm", "sue")
    assert last(tmp_path) == ("sue", "confirm", "allowed")
    assert on_record(tmp_path)[-1][3]["path"] == f"/v1/proposals/{transfer}/confirm"
    clock = (await does("/v1/house/clock", "otto", **REASON))["proposal"]
    await does(f"/v1/proposals/{clock}/confirm", "sue")
    assert on_record(tmp_path)[-1][3]["path"] == f"/v1/proposals/{clock}/confirm"


async def test_logins_and_enrolments_are_on_record_when_they_are_answered(at: House, tmp_path: Path) -> None:
    code = (await at.say("POST", "/v1/signs/codes", "otto", json={"sign": "wall"})).json()["code"]
    assert last(tmp_path) == ("otto", "make_code", "allowed")
    assert (await at.client.post("/v1/signs", json={"code": code})).status_code == 201
    assert last(tmp_path) == ("wall", "enrol", "allowed")
    at.client.cookies.clear()
    csrf = (await at.client.post("/v1/sessions", json={"name": "sue", "password": PASSWORD})).json()["csrf"]
    assert last(tmp_path) == ("sue", "log_in", "allowed")
    await at.client.delete("/v1/sessions", headers={"X-CSRF-Token": csrf})
    assert last(tmp_path) == ("sue", "log_out", "allowed")
    assert (await at.say("DELETE", "/v1/sessions", "otto")).status_code == 204
    assert last(tmp_path) == ("otto", "log_out", "allowed"), "also where there was nothing to end"


async def test_an_act_that_cannot_be_audited_is_not_done(at: House, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "book.db")) as book, book:
        book.execute("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END")
    assert (await at.say("POST", "/v1/links/main/close", "otto", json=REASON)).status_code == 503
    assert (await at.say("GET", "/v1/links/main/meter")).json()["state"] == "open"


def test_an_act_stays_on_record_if_the_service_is_killed_with_its_answer(
    sqlite_url: str, tmp_path: Path
) -> None:
    floor: FloorFile = full_floor("main")
    with serving(sqlite_url, floor, tmp_path) as service:
        assert service.post("/v1/links/main/close", "ana", REASON).status_code == 200
        service.kill()
    assert last(tmp_path) == ("ana", "close_link", "allowed")


# What it says


async def test_the_audit_says_from_where_and_by_which_session_or_token(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path) as at:
        close = "/v1/tables/stud-01/close"
        assert (await at.say("POST", close, "otto", json=REASON)).status_code == 200
        assert (await at.say("PUT", "/v1/tables/stud-02/rounds/1/bets", "stud-01")).status_code == 403
        events = {"events": [{"kind": "heartbeat", "sent_at": "never"}]}
        await at.say("POST", "/v1/tables/stud-02/events", "stud-02", json=events)
        for _ in range(2):
            at.client.cookies.clear()
            login = {"name": "sue", "password": PASSWORD}
            csrf = (await at.client.post("/v1/sessions", json=login)).json()["csrf"]
            kept = at.client.cookies["jackpot_session"]
            await at.client.delete("/v1/sessions", headers={"X-CSRF-Token": csrf})
        rows = [(row.actor, row.act, json.loads(row.detail)) for row in await at.acts()]
    told = {(actor, act): detail for actor, act, detail in rows if actor != "floor file"}
    assert {detail["address"] for detail in told.values()} == {"127.0.0.1"}
    for by_token in (("otto", "close_table"), ("stud-01", "close_bets"), ("stud-02", "event")):
        assert len(told[by_token]["token"]) == 16
    opened = [detail["session"] for _, act, detail in rows if act == "log_in"]
    ended = [detail["session"] for _, act, detail in rows if act == "log_out"]
    assert opened == ended
    assert len(set(opened)) == 2
    assert kept not in json.dumps(rows)


async def test_the_audit_has_no_path_of_the_server(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(sqlite_url, tmp_path, catching=True) as at:
        for error in (RuntimeError("/srv/house/book.db is gone"), OSError(2, "gone", "/srv/house/book.db")):

            async def failing(*_: object, error: Exception = error) -> Any:
                raise error

            monkeypatch.setattr(at.service.book, "submit", failing)
            assert (await at.say("POST", "/v1/links/main/close", "otto", json=REASON)).status_code >= 500
        rows = await at.acts(actor="otto")
    assert [row.outcome for row in rows] == ["internal_error", "unavailable"]
    assert not any(b"/srv" in row.detail for row in rows)


# Who is calling


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", "/v1/tables/stud-01/rounds/1/bets"), ("POST", "/v1/tables/stud-01/heartbeat")],
)
async def test_two_authorization_headers_are_refused(
    sqlite_url: str, tmp_path: Path, method: str, path: str
) -> None:
    async with house(sqlite_url, tmp_path) as at:
        twice = [("Authorization", bearer(name)["Authorization"]) for name in ("stud-01", "stud-02")]
        for headers in (twice, twice[::-1], [twice[0]] * 2):
            answer = await at.client.request(method, path, headers=headers, json={"sent_at": now()})
            assert (answer.status_code, answer.json()["code"]) == (400, "authorization_repeated")
