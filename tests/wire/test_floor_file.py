"""The floor file meets the book: at the first start, at later ones, and at several at once."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import time, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from sqlalchemy import select

from api.app import serving
from api.floor.file import (
    CredentialEntry,
    GamingDayEntry,
    LinkEntry,
    LoosenedEntry,
    PitEntry,
    ShiftEntry,
    TableEntry,
    check_safe,
    read_floor,
)
from api.settings import Settings
from jackpot.book.beside.applied_floor import calendar
from jackpot.book.beside.calendar import Calendar
from jackpot.book.beside.identities import hashed, revoke_credential
from jackpot.book.beside.roles import Role
from jackpot.book.book import Book
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.schema import audit, credentials, floor_values, journal, tables
from jackpot.core.refusals import ParameterWrong
from tests.in_process import LINK, credential, floor_text, house, now, people

DOCS = Path(__file__).parents[2] / "docs"
HEARTBEAT = "/v1/tables/stud-01/heartbeat"


async def rows(url: str, *kept: Any) -> list[list[Any]]:
    """Breaks of house time are left out: every start writes one."""
    store = store_of(url)
    try:
        async with store.reading() as connection:
            found = [[tuple(row) for row in await connection.execute(select(one))] for one in kept]
    finally:
        await store.close()
    return [[row for row in several if "HouseTimeBroke" not in row] for several in found]


async def refused(url: str, folder: Path, text: str, **settings: Any) -> str:
    """Why this floor is not served. Nothing may have changed."""
    kept = (journal, credentials, floor_values, audit, tables)
    before = await rows(url, *kept)
    with pytest.raises(ParameterWrong) as refusal:
        async with house(url, folder, text, **settings):
            pass
    assert await rows(url, *kept) == before
    return refusal.value.message


async def test_the_first_start_makes_what_the_file_says(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path) as at:
        assert at.service.book.links == ["main"]
        for table in ("stud-01", "stud-02"):
            answer = await at.say("POST", f"/v1/tables/{table}/heartbeat", table, json={"sent_at": now()})
            assert answer.status_code == 200
        acts = [(row.act, json.loads(row.detail).get("id")) for row in await at.acts(actor="floor file")]
        assert {("link_added", "main"), ("table_added", "stud-01"), ("table_added", "stud-02")} <= set(acts)
        assert len([act for act, _ in acts if act == "credential_added"]) == 7


async def test_the_same_file_again_changes_nothing(sqlite_url: str, tmp_path: Path) -> None:
    kept = (journal, credentials, floor_values, audit)
    async with house(sqlite_url, tmp_path):
        pass
    before = await rows(sqlite_url, *kept)
    async with house(sqlite_url, tmp_path):
        pass
    assert await rows(sqlite_url, *kept) == before


async def test_new_tables_and_credentials_are_added(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    more = '[[table]]\nid = "stud-03"\nlink = "main"\ngame = "casino_stud"\nboxes = 5\n'
    more += credential("stud-03", "table", table="stud-03")
    async with house(sqlite_url, tmp_path, floor_text() + more) as at:
        answer = await at.say("POST", "/v1/tables/stud-03/heartbeat", "stud-03", json={"sent_at": now()})
        assert answer.status_code == 200


async def test_another_gaming_day_holds_from_the_next_one_on(sqlite_url: str, tmp_path: Path) -> None:
    async def days() -> Calendar:
        store = store_of(sqlite_url)
        async with store.reading() as connection:
            found = await calendar(connection)
        await store.close()
        return found

    first = '[gaming_day]\nstart = "04:30"\nzone = "Asia/Singapore"\n'
    async with house(sqlite_url, tmp_path, first + floor_text()) as at:
        today = (await days()).date_of(at.service.book.clock.now())
    before = await days()
    assert [(one.name, one.start) for one in before.latest.shifts] == [("Day", time(4, 30))]
    for zone in ("Asia/Macau", "Asia/Manila"):  # of two changes on a day the second counts
        async with house(sqlite_url, tmp_path, first.replace("Asia/Singapore", zone) + floor_text()) as at:
            changed = [row.detail for row in await at.acts() if row.act.startswith("gaming_day_")]
            assert zone in {json.loads(one)["zone"] for one in changed}
    after = await days()
    assert after.latest.zone == "Asia/Manila"
    assert len(after.eras) == 2
    assert after.day(today - timedelta(days=1)) == before.day(today - timedelta(days=1))
    assert after.day(today).start == before.day(today).start
    assert after.day(today + timedelta(days=2)).zone == "Asia/Manila"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('start = "6:00"', "gaming_day.start"),
        ('zone = "Asia/Atlantis"', "no time zone 'Asia/Atlantis'"),
        ('zone = "Asia/Singapore"\nbegins = "06:00"', "gaming_day.begins"),
        ('shift = [{ name = "Day", start = "07:00" }]', "the first shift starts with the day"),
        ('shift = [{ name = "", start = "06:00" }]', "gaming_day.shift.0.name"),
    ],
)
async def test_a_gaming_day_that_cannot_be_kept_is_refused(
    sqlite_url: str, tmp_path: Path, said: str, why: str
) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    assert why in await refused(sqlite_url, tmp_path, f"[gaming_day]\n{said}\n{floor_text()}")


async def test_a_changed_credential_is_rotated_and_a_removed_one_revoked(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    rotated = floor_text().replace(hashed("stud-01-stud-01"), hashed("another"))
    rotated = rotated.replace(credential("sign-1", "sign"), "")
    async with house(sqlite_url, tmp_path, rotated) as at:
        assert (await at.say("POST", HEARTBEAT, "stud-01", json={"sent_at": now()})).status_code == 401
        new = {"Authorization": "Bearer another"}
        assert (await at.client.post(HEARTBEAT, headers=new, json={"sent_at": now()})).status_code == 200
        assert (await at.say("GET", "/v1/sessions", "sign-1")).status_code == 401
        acts = {row.act: json.loads(row.detail)["name"] for row in await at.acts() if "credential" in row.act}
        assert acts["credential_rotated"] == "stud-01"
        assert acts["credential_revoked"] == "sign-1"


async def test_what_was_revoked_by_command_stays_revoked_at_the_next_start(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path) as at, at.service.book.store.transaction() as connection:
        await revoke_credential(connection, "sue", at=at.service.book.clock.now())
    async with house(sqlite_url, tmp_path) as at:
        assert (await at.say("GET", "/v1/sessions", "sue")).status_code == 401
        assert (await at.say("GET", "/v1/sessions", "otto")).status_code == 200


@pytest.mark.parametrize(
    ("was", "now_says", "how"),
    [
        ("seed = 5000000", "seed = 6000000", "/v1/links/main/seed"),
        ("meter_ppm = 400000", "meter_ppm = 300000", "/v1/links/main/parameters"),
        ("reserve_ppm = 50000", "reserve_ppm = 60000", "/v1/links/main/parameters"),
        ("reserve_ppm = 50000", "reserve_ppm = 50000\nceiling = 9000000", "/v1/links/main/parameters"),
        ("progressive_bet = 500", "progressive_bet = 1000", "once the link exists"),
        ('currency = "SGD"', 'currency = "EUR"', "once the link exists"),
        ('game = "casino_stud"', 'game = "texas_holdem"', "another table"),
    ],
)
async def test_a_changed_parameter_is_refused_and_says_who_may_change_it(
    sqlite_url: str, tmp_path: Path, was: str, now_says: str, how: str
) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    message = await refused(sqlite_url, tmp_path, floor_text().replace(was, now_says, 1))
    assert how in message
    assert was.split(" = ")[0] in message or "ceiling" in message


async def test_a_refused_file_leaves_its_credentials_unapplied_too(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    changed = floor_text().replace("seed = 5000000", "seed = 1") + credential("spy", "supervisor")
    assert "seed" in await refused(sqlite_url, tmp_path, changed)


async def test_the_file_is_compared_with_what_it_said_not_with_what_is_in_force(
    sqlite_url: str, tmp_path: Path
) -> None:
    from jackpot.link.commands import CloseLink, Confirm, Propose
    from jackpot.link.parameters import Changes
    from jackpot.link.proposals import ParameterChange

    async with house(sqlite_url, tmp_path) as at:
        await at.service.book.submit("main", CloseLink(person="sue", reason="a new seed"))
        change = ParameterChange(changes=Changes(seed=6_000_000), now=True)
        answer: Any = (
            await at.service.book.submit("main", Propose(person="sue", change=change, reason="more"))
        ).answer
        await at.service.book.submit("main", Confirm(person="otto", proposal=answer.proposal))
        assert at.service.latest("main").value == 6_000_000
    async with house(sqlite_url, tmp_path) as at:
        assert at.service.latest("main").value == 6_000_000
    await refused(sqlite_url, tmp_path, floor_text().replace("seed = 5000000", "seed = 6000000"))


async def test_public_readings_may_be_changed_in_the_file(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path) as at:
        assert (await at.client.get("/v1/links/main/meter")).status_code == 200
    closed = floor_text().replace("seed = 5000000", "seed = 5000000\npublic_readings = false")
    async with house(sqlite_url, tmp_path, closed) as at:
        assert (await at.client.get("/v1/links/main/meter")).status_code == 401
        assert [row.act for row in await at.acts(act="link_changed")] == ["link_changed"]


async def test_a_link_on_which_the_house_loses_starts_with_a_warning_that_names_the_figure(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    losing = floor_text().replace("meter_ppm = 400000", "meter_ppm = 900000")
    async with house(sqlite_url, tmp_path, losing) as at:
        assert at.service.book.links == ["main"]
    warnings = [one.getMessage() for one in caplog.records if one.levelname == "WARNING"]
    assert len(warnings) == 1
    assert "link main: in the long run the house loses" in warnings[0]
    assert "%" in warnings[0]


@pytest.mark.parametrize(
    ("unsafe", "why"),
    [
        ('[[credential]]\nname = "demo"\nrole = "sign"\ntoken = "demo"\n', "in plain"),
        ('[[credential]]\nname = "demo"\nrole = "operator"\npassword = "demo"\n', "in plain"),
    ],
)
async def test_secrets_in_plain_are_for_a_demo_only(
    sqlite_url: str, tmp_path: Path, unsafe: str, why: str
) -> None:
    assert why in await refused(sqlite_url, tmp_path, floor_text() + unsafe)
    async with house(sqlite_url, tmp_path, floor_text() + unsafe, demo=True) as at:
        headers = {"Authorization": "Bearer demo"}
        expected = 200 if "token" in unsafe else 401
        assert (await at.client.get("/v1/sessions", headers=headers)).status_code == expected


@pytest.mark.parametrize("level", ["straight_flush", "royal_flush"])
async def test_majors_that_nobody_approves_are_for_a_demo_only(
    sqlite_url: str, tmp_path: Path, level: str
) -> None:
    unsafe = LINK + f"approvals = {{ {level} = 0 }}\n" + people()
    assert "approved" in await refused(sqlite_url, tmp_path, unsafe)
    async with house(sqlite_url, tmp_path, unsafe, demo=True) as at:
        assert at.service.book.links == ["main"]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ('[[credential]]\nname = "x"\nrole = "king"\ntoken_sha256 = "0"\n', "role"),
        (credential("x", "table"), "names its table"),
        (credential("x", "sign", table="stud-01"), "names its table"),
        (credential("x", "table", table="stud-99"), "stud-99"),
        (credential("stud-01", "sign"), "2 times"),
        (credential("x", "sign", password_hash="$argon2id$v=19$x"), "only people"),  # noqa: S106
        ('[[credential]]\nname = "x"\nrole = "sign"\n', "needed"),
        ('[[credential]]\nname = "x"\nrole = "sign"\ntoken_sha256 = "abc"\n', "token_sha256"),
        (credential("x", "sign", colour="red"), "colour"),
        ("seeed = 5\n", "seeed"),
    ],
)
async def test_a_file_that_says_something_impossible_is_refused(
    sqlite_url: str, tmp_path: Path, wrong: str, why: str
) -> None:
    assert why in await refused(sqlite_url, tmp_path, floor_text() + wrong)


async def test_a_token_that_another_credential_had_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    without = floor_text().replace(credential("sign-1", "sign"), "")
    async with house(sqlite_url, tmp_path, without):
        pass
    again = without + credential("sign-1", "sign").replace('name = "sign-1"', 'name = "sign-2"')
    assert "another credential" in await refused(sqlite_url, tmp_path, again)


async def test_credentials_may_swap_their_tokens(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    one, other = hashed("stud-01-stud-01"), hashed("stud-02-stud-02")
    swapped = floor_text().replace(one, "?").replace(other, one).replace("?", other)
    async with house(sqlite_url, tmp_path, swapped) as at:
        assert (await at.say("POST", HEARTBEAT, "stud-01", json={"sent_at": now()})).status_code == 403
        assert (await at.say("POST", HEARTBEAT, "stud-02", json={"sent_at": now()})).status_code == 200
        rotated = await at.acts(act="credential_rotated")
        assert {json.loads(row.detail)["name"] for row in rotated} == {"stud-01", "stud-02"}


async def test_a_credential_may_be_renamed_with_its_token_and_back(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    renamed = floor_text().replace('name = "sign-1"', 'name = "sign-2"')
    for text, name, was in ((renamed, "sign-2", "sign-1"), (floor_text(), "sign-1", "sign-2")):
        async with house(sqlite_url, tmp_path, text) as at:
            known = (await at.say("GET", "/v1/sessions", "sign-1")).json()
            assert known["name"] == name
            revoked = await at.acts(act="credential_revoked")
            assert was in {json.loads(row.detail)["name"] for row in revoked}


async def test_a_hash_may_be_written_in_capitals(sqlite_url: str, tmp_path: Path) -> None:
    small = hashed("sign-1-sign-1")
    for text in (floor_text().replace(small, small.upper()), floor_text()):
        async with house(sqlite_url, tmp_path, text) as at:
            assert (await at.say("GET", "/v1/sessions", "sign-1")).status_code == 200
            assert await at.acts(act="credential_rotated") == []


async def test_a_start_that_was_cut_off_is_finished_by_the_next(sqlite_url: str, tmp_path: Path) -> None:
    from api.floor.applying import _add_link, _add_table
    from api.floor.file import read_floor

    file = tmp_path / "floor.toml"
    file.write_text(floor_text())
    floor = read_floor(file)
    book = await Book.open(sqlite_url)
    await _add_link(book, floor.link[0], {})
    await _add_table(book, floor.table[0], {})
    await book.close()
    async with house(sqlite_url, tmp_path) as at:
        answer = await at.say("POST", "/v1/tables/stud-02/heartbeat", "stud-02", json={"sent_at": now()})
        assert answer.status_code == 200
        assert (await at.say("POST", HEARTBEAT, "stud-01", json={"sent_at": now()})).status_code == 200


async def test_several_replicas_may_start_at_once_on_an_empty_store(
    bare_postgres_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(floor_text())
    settings = Settings(floor=file, database_url=bare_postgres_url)

    async def start() -> list[str]:
        async with serving(settings) as service:
            return service.book.links

    started = await asyncio.gather(*[start() for _ in range(4)])
    assert started == [["main"]] * 4
    entries, acts = await rows(bare_postgres_url, journal, audit)
    assert len(entries) == 3, "a link and two tables, each once"
    assert len(acts) == 12, "with seven credentials, the profile and the gaming day, each once"


def test_the_example_floor_can_be_served_and_has_somebody_of_every_role() -> None:
    floor = read_floor(DOCS / "floor.example.toml")
    check_safe(floor)
    assert {one.role for one in floor.credential} == set(Role)
    assert {one.table for one in floor.credential if one.table} == {one.id for one in floor.table}


HEADS: dict[type[BaseModel], str] = {GamingDayEntry: "[gaming_day]", ShiftEntry: "[[gaming_day.shift]]"}
ENTRIES = [LoosenedEntry, GamingDayEntry, ShiftEntry, LinkEntry, PitEntry, TableEntry, CredentialEntry]


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_key_of_the_floor_file_is_in_the_manual(entry: type[BaseModel]) -> None:
    """In the table of its own kind, and nothing else is there."""
    kind = HEADS.get(entry) or f"[[{entry.__name__.removesuffix('Entry').lower()}]]"
    table = (DOCS / "operations.md").read_text().partition(f"| `{kind}` |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines()[2:]))
    assert sorted(named) == sorted(entry.model_fields)
