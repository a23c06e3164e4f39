"""Who is calling, what they may, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from argon2 import Parameters, extract_parameters
from sqlalchemy import select
from typer.testing import CliRunner

from api.callers import auditor, passwords
from api.cli import app as cli
from api.operators import sessions as sessions_routes
from api.settings import Settings
from jackpot.book.stores.schema import audit, credentials, sessions
from jackpot.core.refusals import kinds
from tests.cheap_passwords import COSTLY_NOBODYS
from tests.in_process import House, bearer, bets, house, now, token, with_costly_passwords
from tests.service import PASSWORD
from tests.waiting import Steady, eventually

BETS = "/v1/tables/stud-01/rounds/1/bets"
HEARTBEAT = "/v1/tables/stud-01/heartbeat"
SESSIONS = "/v1/sessions"


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(sqlite_url, tmp_path) as found:
        yield found


@pytest.fixture
async def costly(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(sqlite_url, tmp_path, with_costly_passwords()) as found:
        yield found


async def log_in(at: House, name: str = "sue", password: str = PASSWORD) -> httpx.Response:
    return await at.say("POST", SESSIONS, json={"name": name, "password": password})


# Tokens


@pytest.mark.parametrize(("method", "path"), [("PUT", BETS), ("POST", HEARTBEAT)])
async def test_who_is_calling_is_asked_before_what_is_said(at: House, method: str, path: str) -> None:
    nonsense: dict[str, Any] = {"content": b"{" * 100_000, "headers": {"content-type": "text/plain"}}
    unknown = await at.client.request(method, path, content=b"{")
    stranger = await at.client.request(method, path, headers={"Authorization": "Bearer nobody"}, content=b"{")
    basic = await at.client.request(method, path, headers={"Authorization": f"Basic {token('stud-01')}"})
    assert [one.status_code for one in (unknown, stranger, basic)] == [401, 401, 401]
    assert unknown.headers["www-authenticate"] == "Bearer"
    for who in ("sign-1", "otto", "sue", "ada"):
        answer = await at.say(method, path, who, **nonsense)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize("table", ["stud-02", "stud-99"])
async def test_a_tables_token_works_for_its_own_table_only(at: House, table: str) -> None:
    ways = [("PUT", "rounds/1/bets"), ("PUT", "rounds/1/hands"), ("POST", "rounds/1/void")]
    for method, way in [*ways, ("POST", "heartbeat"), ("POST", "events")]:
        answer = await at.say(method, f"/v1/tables/{table}/{way}", "stud-01", json=bets())
        assert (answer.status_code, answer.json()["code"]) == (403, "other_table")


async def test_a_token_is_nowhere_in_the_book(at: House) -> None:
    await at.close_bets("stud-01", 1)
    async with at.service.book.store.reading() as connection:
        kept = [
            tuple(row) for table in (credentials, audit) for row in await connection.execute(select(table))
        ]
    said = repr(kept)
    assert "stud-01" in said
    assert token("stud-01") not in said
    assert PASSWORD not in said


async def test_credentials_made_and_revoked_by_command_are_seen_by_a_service(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path) as at:

        async def command(*words: str) -> str:
            done = await asyncio.to_thread(
                CliRunner().invoke, cli, ["token", *words, "--database", sqlite_url]
            )
            assert done.exit_code == 0, done.output
            return done.stdout.strip()

        made = await command("create", "spare", "--role", "table", "--table", "stud-01")
        headers = {"Authorization": f"Bearer {made}"}

        async def answers(status: int) -> bool:
            said = await at.client.post(HEARTBEAT, headers=headers, json={"sent_at": now()})
            return said.status_code == status

        await eventually(lambda: answers(200))
        await command("revoke", "spare")
        await eventually(lambda: answers(401))
        assert [row.act for row in await at.acts() if row.actor.startswith("command line")] == [
            "credential_added",
            "credential_revoked",
        ]
        assert made not in await command("list")


# People


async def test_a_session_is_a_cookie_that_pages_cannot_read(costly: House) -> None:
    answer = await log_in(costly)
    assert answer.status_code == 201
    assert answer.json() | {"csrf": ""} == {"name": "sue", "person": "sue", "role": "supervisor", "csrf": ""}
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    who = await costly.say("GET", SESSIONS)
    assert who.json() == answer.json()


async def test_a_cookie_is_sent_encrypted_only_if_the_house_says_so(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, secure_cookies=True) as at:
        assert "secure" in (await log_in(at)).headers["set-cookie"].lower()


async def test_each_login_has_a_new_session_and_ends_the_one_before(at: House) -> None:
    await log_in(at)
    first = at.client.cookies["jackpot_session"]
    await log_in(at, "otto")
    second = at.client.cookies["jackpot_session"]
    assert first != second
    assert (await at.say("GET", SESSIONS)).json()["name"] == "otto"
    at.client.cookies.clear()
    old = await at.client.get(SESSIONS, headers={"Cookie": f"jackpot_session={first}"})
    assert old.status_code == 401


async def test_a_session_changes_something_only_from_our_own_pages(at: House) -> None:
    csrf = (await log_in(at)).json()["csrf"]
    refused: list[tuple[dict[str, str], str]] = [
        ({}, "csrf"),
        ({"X-CSRF-Token": "0" * 64}, "csrf"),
        ({"X-CSRF-Token": csrf, "Origin": "http://evil.test"}, "cross_origin"),
        ({"X-CSRF-Token": csrf, "Origin": "null"}, "cross_origin"),
        ({"X-CSRF-Token": csrf, "Sec-Fetch-Site": "cross-site"}, "cross_origin"),
        ({"X-CSRF-Token": csrf, "Sec-Fetch-Site": "same-site"}, "cross_origin"),
    ]
    for headers, code in refused:
        answer = await at.say("DELETE", SESSIONS, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert (await at.say("GET", SESSIONS)).status_code == 200
    ours = {"X-CSRF-Token": csrf, "Origin": "http://house.test", "Sec-Fetch-Site": "same-origin"}
    assert (await at.say("DELETE", SESSIONS, headers=ours)).status_code == 204


async def test_after_logging_out_a_kept_cookie_is_worth_nothing(at: House) -> None:
    csrf = (await log_in(at)).json()["csrf"]
    kept = at.client.cookies["jackpot_session"]
    await at.say("DELETE", SESSIONS, headers={"X-CSRF-Token": csrf})
    answer = await at.client.get(SESSIONS, headers={"Cookie": f"jackpot_session={kept}"})
    assert answer.status_code == 401


async def test_a_session_ends_by_itself(at: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions_routes, "HOUR", 10_000)
    await log_in(at)

    async def ended() -> bool:
        return (await at.say("GET", SESSIONS)).status_code == 401

    await eventually(ended)


async def test_a_session_works_at_every_replica(postgres_url: str, tmp_path: Path) -> None:
    async with house(postgres_url, tmp_path) as here, house(postgres_url, tmp_path) as there:
        csrf = (await log_in(here)).json()["csrf"]
        there.client.cookies = here.client.cookies
        assert (await there.say("GET", SESSIONS)).json()["name"] == "sue"
        assert (await there.say("DELETE", SESSIONS, headers={"X-CSRF-Token": csrf})).status_code == 204

        async def seen_here() -> bool:
            return (await here.say("GET", SESSIONS)).status_code == 401

        await eventually(seen_here)


async def test_revoking_a_person_ends_their_sessions(at: House) -> None:
    from jackpot.book.beside.identities import revoke_credential

    await log_in(at)
    async with at.service.book.store.transaction() as connection:
        await revoke_credential(connection, "sue", at=1)
        assert (await connection.execute(select(sessions))).all() == []

    async def ended() -> bool:
        return (await at.say("GET", SESSIONS)).status_code == 401

    await eventually(ended)
    assert (await log_in(at)).status_code == 401


async def test_a_wrong_name_costs_what_a_wrong_password_costs(
    costly: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[Parameters] = []
    verify = passwords._verify

    def counted(known: str, given: str) -> bool:
        worked.append(extract_parameters(known))
        return verify(known, given)

    monkeypatch.setattr(passwords, "_verify", counted)
    monkeypatch.setattr(passwords, "NOBODYS", COSTLY_NOBODYS)
    answers = [await log_in(costly, name, "wrong") for name in ("sue", "nobody", "stud-01")]
    assert len(worked) == 3
    assert worked == [worked[0]] * 3, "the same parameters of argon2"
    assert {(one.status_code, one.json()["code"]) for one in answers} == {(401, "login_failed")}
    assert len({one.json()["detail"] for one in answers}) == 1


# The audit


async def test_acts_are_on_record_allowed_or_refused(at: House) -> None:
    csrf = (await log_in(at)).json()["csrf"]
    await log_in(at, "otto", "wrong")
    await at.say("DELETE", SESSIONS)
    await at.say("DELETE", SESSIONS, headers={"X-CSRF-Token": csrf})
    await at.say("POST", HEARTBEAT, "otto", json={"sent_at": now()})
    assert [(row.actor, row.act, row.outcome) for row in await at.acts() if row.actor != "floor file"] == [
        ("sue", "log_in", "allowed"),
        ("otto", "log_in", "login_failed"),
        ("sue", "log_out", "csrf"),
        ("sue", "log_out", "allowed"),
        ("otto", "heartbeat", "forbidden"),
    ]


async def test_a_tables_refused_message_is_on_record_and_a_taken_one_in_the_journal_only(at: House) -> None:
    assert (await at.close_bets("stud-01", 1)).status_code == 201
    assert (await at.close_bets("stud-01", 1, 2)).status_code == 409
    assert (await at.say("PUT", "/v1/tables/stud-02/rounds/1/bets", "stud-01")).status_code == 403
    rows = await at.acts(actor="stud-01")
    assert [(row.act, row.outcome) for row in rows] == [
        ("close_bets", "conflict"),
        ("close_bets", "other_table"),
    ]


async def test_a_flood_of_refusals_is_counted_not_kept(at: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditor, "time", Steady())
    for _ in range(200):
        await at.say("POST", HEARTBEAT, "otto", json={})
    rows = await at.acts(actor="otto")
    assert len(rows) == auditor.MOST_REFUSALS
    assert at.service.counters.refused["forbidden"] == 200


async def test_strangers_are_counted_but_not_on_record(at: House) -> None:
    before = len(await at.acts())
    for _ in range(5):
        await at.client.post(HEARTBEAT, headers={"Authorization": "Bearer nobody"})
        await log_in(at, "nobody")
    assert len(await at.acts()) == before
    assert at.service.counters.unauthenticated >= 10


async def test_notes_wait_for_a_store_in_trouble(at: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Any:
        raise OSError("gone")

    notes = at.service.notes
    with monkeypatch.context() as trouble:
        trouble.setattr(notes._store, "transaction", gone)
        at.service.auditor.note("otto", "dance", "allowed")
        await notes._flush()
        assert notes._acts
    assert [row.act for row in await at.acts(actor="otto")] == ["dance"]
    assert notes.lost == 0


# Settings


def test_a_demo_is_served_on_this_machine_only() -> None:
    with pytest.raises(ValueError, match="this machine only"):
        Settings(demo=True, host="0.0.0.0")  # noqa: S104
    assert Settings(demo=True, host="127.0.0.1").demo


def test_anchors_need_their_key() -> None:
    with pytest.raises(ValueError, match="go together"):
        Settings(anchors=Path("anchors.jsonl"))


async def test_readings_ask_for_a_token_where_the_floor_says_so(sqlite_url: str, tmp_path: Path) -> None:
    from tests.in_process import floor_text

    text = floor_text().replace("reserve_ppm = 50000", "reserve_ppm = 50000\npublic_readings = false")
    async with house(sqlite_url, tmp_path, text) as at:
        for way in ("meter", "meter.txt", "stream"):
            path = f"/v1/links/main/{way}"
            assert (await at.client.get(path)).status_code == 401
            assert (await at.client.get("/v1/links/side/meter")).status_code == 401
        past = f"/v1/links/main/readings?at={quote(now())}"
        assert (await at.client.get(past)).status_code == 401
        assert (await at.client.get(past, headers=bearer("sign-1"))).status_code == 200
        for who in ("stud-01", "sign-1", "otto", "sue", "ada"):
            answer = await at.client.get("/v1/links/main/meter", headers=bearer(who))
            assert answer.status_code == 200


def test_refusals_have_codes_of_their_own() -> None:
    codes = [kind.code for kind in kinds()]
    assert len(codes) == len(set(codes))
