"""`jackpot dryrun` on a real book: what it shows, what it writes, and what it refuses."""

from __future__ import annotations

import asyncio
import csv
import json
import sqlite3
import xml.etree.ElementTree as ET
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from api.cli import app
from jackpot.book.book import Book
from tests.month import LINK, written
from tests.tampering import altered

run = CliRunner()
Json = dict[str, Any]


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty days of few rounds and much luck: royal and straight flushes, and a pit beside them."""
    file = tmp_path_factory.mktemp("month") / "book.db"

    async def write() -> None:
        await written(url_of(file), rounds=400, tables=4, luck=400)
        book = await Book.open(url_of(file))
        await book.create_pit("pit", "Blackjack", "SGD")
        await book.close()

    asyncio.run(write())
    return file


def url_of(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


def called(month: Path, *arguments: object, link: str = LINK) -> Result:
    return run.invoke(app, ["dryrun", "--database", url_of(month), "--link", link, *map(str, arguments)])


def told(month: Path, tmp_path: Path, *arguments: object) -> Json:
    file = tmp_path / "found.json"
    result = called(month, *arguments, "--json", file)
    assert result.exit_code == 0, result.output
    found: Json = json.loads(file.read_text())
    return found


def test_nothing_changed_is_the_proof(month: Path, tmp_path: Path) -> None:
    found = told(month, tmp_path)
    assert found["proved"]
    assert found["then"] == found["so"]
    assert found["payments"]
    assert all(one["then"] == one["so"] for one in found["payments"])
    assert "every fact came out as it was recorded" in found["notes"][0]


@pytest.mark.parametrize(
    ("part", "other", "said"),
    [
        (
            b'"meter_ppm":400000',
            b'"meter_ppm":400001',
            ": with the journal's own parameters the dry run makes",
        ),
        (b'"table":"stud-01"', b'"table":"stud-77"', " cannot be played, verify the book"),
    ],
)
def test_a_journal_that_was_changed_is_told_with_its_entry(
    month: Path, tmp_path: Path, part: bytes, other: bytes, said: str
) -> None:
    forged = tmp_path / "forged.db"
    forged.write_bytes(month.read_bytes())
    with sqlite3.connect(forged) as book:
        book.execute("DROP TRIGGER journal_no_update")
        bets = "SELECT sequence, data FROM journal WHERE kind = 'BetsClosed' AND tbl = 'stud-01' LIMIT 1"
        place, data = book.execute(bets).fetchone()
        book.execute(
            "UPDATE journal SET data = ? WHERE link = 'main' AND sequence = ?",
            (altered(data, part, other), place),
        )
    result = called(forged)
    assert result.exit_code == 1
    assert f"{place}{said}" in result.stderr


def test_another_seed_and_policy_are_shown_beside_what_was(month: Path, tmp_path: Path) -> None:
    found = told(month, tmp_path, "--seed", 10_000_000, "--policy", "split")
    assert found["changed"] == {"seed": 10_000_000, "policy": "split"}
    assert not found["proved"]
    assert found["so"]["highest"] > found["then"]["highest"]
    assert found["so"]["majors"] == sum(one["so"]["amount"] for one in found["payments"])
    result = called(month, "--seed", 10_000_000, "--policy", "split")
    for said in ("seed 100,000.00, policy split", "Majors and claims paid", "straight flush", "Reserve"):
        assert said in result.output
    assert "Players would have bet differently" in " ".join(result.output.split())


def test_the_files_hold_the_same(month: Path, tmp_path: Path) -> None:
    table, picture = tmp_path / "payments.csv", tmp_path / "meter.svg"
    found = told(month, tmp_path, "--seed", 10_000_000, "--csv", table, "--plot", picture)
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["win"] for row in rows] == [one["win"] for one in found["payments"]]
    assert [int(row["difference"]) for row in rows] == [one["difference"] for one in found["payments"]]
    drawn = ET.fromstring(picture.read_text())  # noqa: S314  our own file
    assert drawn.tag.endswith("svg")
    assert len(drawn.findall(".//{*}circle")) == 2 * len(rows)
    assert "seed 100,000.00" in picture.read_text()


def test_break_even_is_crossed_where_it_says(month: Path, tmp_path: Path) -> None:
    found = told(month, tmp_path, "--seed", 150_000_000)
    first = found["so"]["crossings"][0]
    assert first["above"]
    assert first["value"] > first["break_even"] == found["so"]["break_even"]
    assert found["then"]["crossings"] == []


def test_a_time_is_played_from_the_state_that_the_link_had(month: Path, tmp_path: Path) -> None:
    days = "--from", "2026-10-10T00:00:00Z", "--to", "2026-10-20T00:00:00+08:00"
    found = told(month, tmp_path, *days)
    assert found["proved"]
    assert "2026-10-10" <= found["from"] <= found["to"] < "2026-10-19T16"
    assert found["then"]["began"]["meter"] == found["so"]["began"]["meter"] > 0
    other = told(month, tmp_path, *days, "--meter-ppm", 0, "--reserve-ppm", 0)
    assert other["so"]["ended"]["house"] > other["then"]["ended"]["house"]


def test_nothing_is_written_to_the_book(month: Path, tmp_path: Path) -> None:
    before = sha256(month.read_bytes()).hexdigest()
    told(month, tmp_path, "--seed", 10_000_000)
    assert sha256(month.read_bytes()).hexdigest() == before


def test_levels_of_a_file_are_played(month: Path, tmp_path: Path) -> None:
    file = tmp_path / "levels.toml"
    file.write_text(
        '[[level]]\nhand = "royal_flush"\nshare = 100\n[[level]]\nhand = "straight_flush"\nodds = 2\n'
    )
    found = told(month, tmp_path, "--levels", file)
    assert found["so"]["minors"] < found["then"]["minors"]  # nobody is paid for a flush
    assert {one["hand"] for one in found["payments"] if one["so"]} <= {"royal_flush"}


ROYAL = '[[level]]\nhand = "royal_flush"\nshare = 100\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read: No such file"),
        ("level = [", "is not TOML"),
        ("seed = 5", "has [[level]] entries and nothing else"),
        (ROYAL + "[[level]]\nhand = 'jokers'\nshare = 1", "'jokers' is no hand"),
        (ROYAL + "[[level]]\nhand = 'flush'\nshare = 2.5", "share and odds are whole numbers"),
        (ROYAL + "[[level]]\nhand = 'flush'\nstake = 2", "a level has hand, and share or odds"),
        (ROYAL + ROYAL, "there are two levels for royal_flush"),
        (ROYAL + "[[level]]\nhand = 'flush'\nshare = 101", "must be from 1 to 100 percent, not 101"),
        (ROYAL + "[[level]]\nhand = 'flush'", "flush wins either a share or odds"),
        (ROYAL.replace("100", "99"), "one level wins 100 percent"),
    ],
)
def test_levels_that_cannot_be_are_refused(month: Path, tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "levels.toml"
    if text is not None:
        file.write_text(text)
    result = called(month, "--levels", file)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--from", "2026-10-10"), 2, "does not say its offset from UTC"),
        (("--from", "yesterday"), 2, "is not an RFC 3339 time"),
        (("--from", "2026-10-10T00:00:00Z", "--to", "2026-10-10T00:00:00Z"), 2, "ends before it begins"),
        (("--to", "2020-01-01T00:00:00Z"), 1, "link main has no entries in that time"),
        (("--from", "2030-01-01T00:00:00Z"), 1, "link main has no entries in that time"),
        (("--seed", 0), 2, "seed must be from 1"),
        (("--seed", 10**13), 2, "seed must be from 1"),
        (("--meter-ppm", -1), 2, "meter_ppm must be from 0"),
        (("--meter-ppm", 999_999), 2, "reserve_ppm must be from 0 to 1"),
        (("--ceiling", 4_000_000), 2, "ceiling must be from 5000000"),
        (("--ceiling", 9_000_000, "--no-ceiling"), 2, "either named or taken away"),
        (("--policy", "best"), 2, "'best' is no policy: ordered, split, full_each"),
        (("--window-ms", 60_001), 2, "a window is from 0 to 60,000 ms"),
        (("--cap", 0), 2, "cap must be from 1"),
        (("--plot", "meter.pdf"), 2, "a plot is an .svg file"),
        (("--seed", "much"), 2, "Input should be a valid integer"),
    ],
)
def test_what_cannot_be_played_is_refused(
    month: Path, arguments: tuple[object, ...], code: int, said: str
) -> None:
    result = called(month, *arguments)
    assert (result.exit_code, said in " ".join(result.stderr.split())) == (code, True), result.stderr


def test_only_a_link_with_a_jackpot_is_played(month: Path, tmp_path: Path) -> None:
    nowhere = called(month, link="north")
    assert (nowhere.exit_code, nowhere.stderr) == (1, "the book has no link north\n")
    pit = called(month, link="pit")
    assert (pit.exit_code, pit.stderr) == (1, "pit is a pit: it has no jackpot\n")
    missing = called(tmp_path / "none.db")
    assert missing.exit_code == 1
    assert missing.stderr


def test_a_window_below_the_error_of_the_clocks_is_warned_of(month: Path) -> None:
    narrow = called(month, "--policy", "split", "--window-ms", 1)
    assert narrow.exit_code == 0
    assert "The window of 1 ms is below the clocks' error" in narrow.stderr
    assert "window" not in called(month, "--policy", "split").stderr
