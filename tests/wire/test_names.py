"""Names and texts of people: what is written in two ways is one name, and what nobody sees is refused."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.app import _anchors
from api.cli import app as cli
from api.floor.file import check_safe, read_floor
from api.settings import Settings
from jackpot.book.beside.anchors import AnchorsUnusable, new_key
from jackpot.client.spool import Spool
from jackpot.core.refusals import ParameterWrong
from tests.books import SQLITE, OldBook, restore_file
from tests.in_process import LINK, TABLES, House, credential, floor_text, house
from tests.service import HASHED_PASSWORD, PASSWORD

SUE = {"name": "sue", "password": PASSWORD}
SEED = {"seed": 6_000_000, "reason": "season"}
OTHERWISE = ["SUE", "Sue", "\uff33\uff35\uff25"]
"""Also as a keyboard for East Asian text may send it."""


def jackpot(*words: str, database: str) -> tuple[int, str]:
    """On a book that a loop of the test may be serving."""
    ended = CliRunner().invoke(cli, [*words, "--database", database])
    return ended.exit_code, ended.output


@pytest.mark.parametrize("name", OTHERWISE)
async def test_a_person_logs_in_however_the_name_is_written(
    sqlite_url: str, tmp_path: Path, name: str
) -> None:
    async with house(sqlite_url, tmp_path) as at:
        answer = await at.client.post("/v1/sessions", json=SUE | {"name": name})
        assert (answer.status_code, answer.json()["name"]) == (201, "sue")


@pytest.mark.parametrize(
    ("two", "what"),
    [
        (credential("ana", "operator") + credential("Ana", "supervisor"), "Ana and ana are one"),
        (
            credential("desk-1", "operator", person="Ana Lim")
            + credential("desk-2", "supervisor", person="ana  lim"),
            "Ana Lim and ana  lim are one",
        ),
    ],
)
def test_a_floor_file_writes_a_name_in_one_way(tmp_path: Path, two: str, what: str) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(LINK + TABLES + two)
    with pytest.raises(ParameterWrong, match=what):
        read_floor(file)


@pytest.mark.parametrize(
    "unseen", ["\u202e", "\u2066", "\u200b", "\u00ad", "\u3164", "\ufe0f", "\\u0007", "\\n"]
)
def test_a_floor_file_has_no_name_with_characters_that_cannot_be_seen(tmp_path: Path, unseen: str) -> None:
    file = tmp_path / "floor.toml"
    for text in (
        LINK + TABLES + credential("desk", "operator", person=f"ana{unseen}"),
        LINK.replace("Multi-Link", f"Multi{unseen}Link") + TABLES,
    ):
        file.write_text(text)
        with pytest.raises(ParameterWrong, match="cannot be seen: U"):
            read_floor(file)


async def test_a_token_is_made_and_revoked_by_a_name_however_it_is_written(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path):
        pass

    def token(*words: str) -> tuple[int, str]:
        return jackpot("token", *words, database=sqlite_url)

    def all_of_it() -> None:
        assert token("create", "Spare", "--role", "operator", "--person", "Ana")[0] == 0
        status, told = token("create", "SUE", "--role", "operator")
        assert (status, "a credential sue" in told) == (1, True)
        status, told = token("create", "other", "--role", "supervisor", "--person", "ana")
        assert (status, "one person" in told) == (1, True)
        assert token("revoke", "spare")[0] == 0
        assert token("revoke", "spare")[0] == 1

    await asyncio.to_thread(all_of_it)


async def test_a_floor_file_adds_nobody_whom_a_command_has_made(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    made = await asyncio.to_thread(
        jackpot, "token", "create", "extra", "--role", "operator", database=sqlite_url
    )
    assert made[0] == 0
    with pytest.raises(ParameterWrong, match="Extra and extra are one name"):
        async with house(sqlite_url, tmp_path, floor_text() + credential("Extra", "supervisor")):
            pass


async def test_a_sign_takes_no_name_that_differs_in_capitals_only(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path) as at:
        for name in ("SUE", "Sign-1"):
            answer = await at.say("POST", "/v1/signs/codes", "otto", json={"sign": name})
            assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")


def test_migrate_lists_names_that_differ_in_capitals_only_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "book.db"
    url = restore_file(OldBook("0.1", SQLITE), file)
    with closing(sqlite3.connect(file)) as old, old:
        others = [("ANA", "operator", "Ana", 1, None), ("SUE", "supervisor", "SUE", 1, 2)]
        added = "INSERT INTO credentials (name, role, person, made_at, revoked_at) VALUES (?, ?, ?, ?, ?)"
        old.executemany(added, others)
    with closing(sqlite3.connect(file)) as old:
        before = list(old.iterdump())
    status, told = jackpot("migrate", database=url)
    assert status == 1
    assert "ANA and ana" in told
    assert "Ana and ana" in told
    assert "SUE" not in told, "a name that is not in force any more troubles nobody"
    with closing(sqlite3.connect(file)) as old:
        assert list(old.iterdump()) == before
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("UPDATE credentials SET revoked_at = 1 WHERE name = 'ANA'")
    assert jackpot("migrate", database=url)[0] == 0


# Over the wire


async def test_two_credentials_of_one_person_are_not_two_people(sqlite_url: str, tmp_path: Path) -> None:
    text = floor_text() + credential("desk", "supervisor", person="otto")
    async with house(sqlite_url, tmp_path, text) as at:
        proposal = (await at.say("POST", "/v1/links/main/seed", "otto", json=SEED)).json()["proposal"]
        answer = await at.say("POST", f"/v1/proposals/{proposal}/confirm", "desk")
        assert (answer.status_code, answer.json()["code"]) == (403, "same_person")


async def test_an_operator_withdraws_only_own_proposals_and_a_supervisor_any(
    sqlite_url: str, tmp_path: Path
) -> None:
    async def withdrawn(at: House, proposal: str, who: str) -> tuple[int, str | None]:
        answer = await at.say("POST", f"/v1/proposals/{proposal}/withdraw", who)
        return answer.status_code, answer.json().get("code")

    async with house(sqlite_url, tmp_path, floor_text() + credential("oda", "operator")) as at:
        proposals = [
            (await at.say("POST", "/v1/links/main/seed", who, json=SEED | {"seed": seed})).json()["proposal"]
            for seed, who in ((6_000_000, "otto"), (7_000_000, "otto"))
        ]
        assert await withdrawn(at, proposals[0], "oda") == (403, "proposed_by_another")
        assert await withdrawn(at, proposals[0], "otto") == (200, None)
        assert await withdrawn(at, proposals[1], "sue") == (200, None)


@pytest.mark.parametrize("unseen", ["\u202e", "\u200d", "\u2028", "\x1b", "\r"])
async def test_reasons_and_notes_have_only_characters_that_can_be_seen(
    sqlite_url: str, tmp_path: Path, unseen: str
) -> None:
    said = f"paid {unseen}005 twice"
    acts = {
        "/v1/links/main/close": {"reason": said},
        "/v1/links/main/seed": SEED | {"reason": said},
        "/v1/tables/stud-01/close": {"reason": said},
        "/v1/malfunctions": {
            "scope": {"table": "stud-01"},
            "observed_at": "2026-01-01T20:15:00+08:00",
            "then": "close",
            "note": said,
        },
    }
    async with house(sqlite_url, tmp_path) as at:
        for path, body in acts.items():
            answer = await at.say("POST", path, "sue", json=body)
            assert (answer.status_code, answer.json()["code"]) == (422, "text_invisible"), path
        two_lines = {"reason": "end of business\nsee the log: ünïcode, 東京"}
        assert (await at.say("POST", "/v1/links/main/close", "sue", json=two_lines)).status_code == 200


# Passwords


def test_a_new_password_has_twelve_characters() -> None:
    for said, status in (("elevenchars", 2), ("twelve chars", 0)):
        assert CliRunner().invoke(cli, ["password"], input=f"{said}\n").exit_code == status


@pytest.mark.parametrize(
    "weak",
    [
        "$argon2id$v=19$m=65535,t=3,p=4$" + "A" * 22 + "$" + "A" * 43,
        "$argon2id$v=19$m=65536,t=2,p=4$" + "A" * 22 + "$" + "A" * 43,
        "$argon2id$v=19$m=65536,t=3,p=4$" + "A" * 11 + "$" + "A" * 43,
        "$argon2id$v=19$m=65536,t=3,p=4$" + "A" * 22 + "$" + "A" * 22,
        "$argon2id$nonsense",
    ],
)
def test_a_password_that_is_cheap_to_guess_is_refused_outside_a_demo(
    tmp_path: Path, weak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from api.callers import passwords

    for name, least in (("LEAST_MEMORY", 65_536), ("LEAST_PASSES", 3)):
        monkeypatch.setattr(passwords, name, least, raising=False)
    good = "$argon2id$v=19$m=65536,t=3,p=1$" + "A" * 22 + "$" + "A" * 43
    text = floor_text().replace(HASHED_PASSWORD, good)
    file = tmp_path / "floor.toml"
    file.write_text(text)
    check_safe(read_floor(file))
    file.write_text(text.replace(good, weak, 1))
    with pytest.raises(ParameterWrong, match="jackpot password"):
        check_safe(read_floor(file))


# Files


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def test_every_file_that_is_made_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
        key = tmp_path / "anchor.pem"
        assert CliRunner().invoke(cli, ["anchor-key", str(key)]).exit_code == 0
        seen: dict[str, int] = {}

        async def served() -> None:
            async with house(database, tmp_path, anchors=tmp_path / "anchors.jsonl", anchor_key=key):
                seen.update({one.name: mode(one) for one in tmp_path.iterdir()})

        asyncio.run(served())
        assert jackpot("backup", str(tmp_path / "copy.db"), database=database)[0] == 0
        Spool(tmp_path / "spool.db", "stud-01").close()
    finally:
        os.umask(before)
    seen |= {one.name: mode(one) for one in tmp_path.iterdir()}
    del seen["floor.toml"]
    made = {"book.db", "book.db-wal", "book.db-shm", "book.db.lock", "copy.db"}
    assert made | {"anchor.pem", "anchor.pub", "anchors.jsonl", "spool.db"} <= seen.keys()
    assert set(seen.values()) == {0o600}, seen


@pytest.mark.parametrize(
    ("mode", "good"),
    [(0o600, True), (0o400, True), (0o440, True), (0o604, False), (0o660, False), (0o444, False)],
)
def test_an_anchor_key_that_others_can_read_is_refused_outside_a_demo(
    tmp_path: Path, mode: int, good: bool
) -> None:
    key = tmp_path / "anchor.pem"
    new_key(key)
    key.chmod(mode)
    with nullcontext() if good else pytest.raises(AnchorsUnusable, match="is no secret"):
        _anchors(Settings(anchors=tmp_path / "anchors.jsonl", anchor_key=key))
    assert _anchors(Settings(anchors=tmp_path / "anchors.jsonl", anchor_key=key, demo=True)) is not None


def test_an_anchor_key_of_a_group_that_is_not_ours_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "anchor.pem"
    new_key(key)
    key.chmod(0o440)
    ours = key.stat().st_gid
    monkeypatch.setattr(os, "getegid", lambda: ours + 1)
    monkeypatch.setattr(os, "getgroups", lambda: [ours + 2])
    with pytest.raises(AnchorsUnusable, match="a group that is not ours"):
        _anchors(Settings(anchors=tmp_path / "anchors.jsonl", anchor_key=key))
