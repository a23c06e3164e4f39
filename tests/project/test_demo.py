"""The demo really plays: all five games, through the clients, on the real service."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from api.cli import app
from api.demo.floor import PEOPLE, PIT, PIT_TABLES, TABLES, floor_file
from api.demo.tables import Rig
from api.floor.file import read_floor
from jackpot.cards.evaluator import Hand
from jackpot.games import GAMES
from jackpot.games.blackjack import PitGame
from jackpot.games.rulebook import Game
from jackpot.simulation.dealing import deal_major
from tests.servers import free_port
from tests.service import TRUST
from tests.waiting import PATIENCE

JACKPOT = str(Path(sys.executable).with_name("jackpot"))
BOUNDS = ("offset_from_us", "offset_to_us")
OF_TIME = {"clock_set", "dealt_outside"}
Played = tuple[str, dict[str, Any], int, Path]
"""What the demo told, the last readings, its exit code and its folder."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Until a pair of majors was paid, and every blackjack table has played a round."""
    folder, port = tmp_path_factory.mktemp("demo"), free_port()
    command = [JACKPOT, "demo", "--port", str(port), "--folder", str(folder), "--speed", "2"]
    story = folder / "story"
    with story.open("wb") as told:
        process = subprocess.Popen(command, stdout=told, stderr=told)
    try:
        seen = _until_two_are_paid(f"http://127.0.0.1:{port}", process, story)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
    return story.read_text(), seen, process.returncode, folder


def _until_two_are_paid(url: str, process: subprocess.Popen[bytes], story: Path) -> dict[str, Any]:
    until = time.monotonic() + 4 * PATIENCE
    person = {"Authorization": f"Bearer {PEOPLE[0].token}"}
    with httpx.Client(base_url=url, headers=person, trust_env=False, timeout=PATIENCE, verify=TRUST) as http:
        while time.monotonic() < until and process.poll() is None:
            time.sleep(0.3)
            pit = http.get(f"/v1/pits/{PIT}/tables").json()["tables"] if "meter " in story.read_text() else []
            played = [one for one in pit if one["round"] is not None and one["round"]["round"] > 1]
            if story.read_text().count(" is paid ") < 2 or len(played) < 3:
                continue
            asked = {name: http.get(f"/v1/links/main/{name}") for name in ("wins", "tables", "meter")}
            asked["pit"] = http.get(f"/v1/pits/{PIT}/tables")
            asked["report"] = http.get(f"/v1/pits/{PIT}/report")
            return {name: answer.json() for name, answer in asked.items()}
    pytest.fail(f"no two majors were paid: {story.read_text()}")


def test_majors_of_two_tables_are_ordered_approved_and_paid(played: Played) -> None:
    told, seen, _, _ = played
    first, second = [one for one in seen["wins"]["wins"] if one["state"] == "paid"][-2:]
    assert first["table"] != second["table"]
    for win in (first, second):
        needed = 2 if win["hand"] == "royal_flush" else 1
        assert len({one["person"] for one in win["approvals"]}) == needed
        assert win["amount"] > 0
    assert " is paid " in told
    assert "ana approves" in told


def test_every_table_is_in_play_with_a_measured_clock(played: Played) -> None:
    tables = played[1]["tables"]["tables"]
    assert len(tables) == 6
    assert all(isinstance(one["clock"][bound], int) for one in tables for bound in BOUNDS), tables
    assert {alert["code"] for one in tables for alert in one["alerts"]}.isdisjoint(OF_TIME), tables


def test_each_blackjack_game_is_played_in_the_pit(played: Played) -> None:
    seen = played[1]
    assert {one["game"] for one in seen["pit"]["tables"]} == {game.value for game in PitGame}
    assert all(one["in_play"] for one in seen["pit"]["tables"])
    for table in seen["report"]["tables"]:
        assert {"bet"} <= {one["wager"] for one in table["wagers"]}, table
        assert table["won"] + table["collected"] > 0


def test_the_addresses_and_passwords_are_printed(played: Played) -> None:
    told = played[0]
    for path in ("/v1/links/main/meter", "/signs/main", "/console", "/docs"):
        assert path in told
    for table in PIT_TABLES:
        assert f"/signs/tables/{table.id}" in told
    for person in PEOPLE:
        assert person.password in told


def test_it_ends_quietly_and_its_book_is_in_order(played: Played) -> None:
    told, _, code, folder = played
    assert (code, told.splitlines()[-1]) == (0, "The floor is closed.")
    database = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    verified = CliRunner().invoke(app, ["verify", "--database", database])
    assert verified.exit_code == 0, verified.output


def test_a_dry_run_of_its_book_gives_the_payments_that_were_made(played: Played, tmp_path: Path) -> None:
    database, found = f"sqlite+aiosqlite:///{played[3] / 'book.db'}", tmp_path / "found.json"
    asked = ["dryrun", "--database", database, "--link", "main", "--json", str(found)]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    told = json.loads(found.read_text())
    assert told["proved"]
    assert len(told["payments"]) >= 2
    assert all(one["then"] == one["so"] for one in told["payments"])


def test_a_taken_port_is_told_in_a_line(tmp_path: Path) -> None:
    port = free_port()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        asked = ["demo", "--port", str(port), "--folder", str(tmp_path), "--seconds", "1"]
        done = CliRunner().invoke(app, asked)
    assert done.exit_code == 1
    assert "the service did not start" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_the_floor_is_a_floor(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(floor_file())
    floor = read_floor(file)
    of_links = [Game.CASINO_STUD] * 3 + [Game.TEXAS_HOLDEM] * 3
    assert [one.game for one in floor.table] == [*of_links, *PitGame]
    assert {one["name"] for one in tomllib.loads(floor_file())["credential"]} > {one.id for one in TABLES}


@pytest.mark.parametrize("game", list(Game))
@pytest.mark.parametrize("royal", [False, True])
def test_a_rigged_deal_has_its_major_and_one_deck(game: Game, royal: bool) -> None:
    for seed in range(50):
        cards = deal_major(Random(seed), game, [1, 3, 5], 3, royal=royal)
        hand = GAMES[game].progressive_hand(cards.hands[3], cards.community)
        assert hand is (Hand.ROYAL_FLUSH if royal else Hand.STRAIGHT_FLUSH)
        dealt = [card for own in cards.hands.values() for card in own]
        dealt += [*cards.community, *cards.dealer]
        assert len(dealt) == len(set(dealt))


async def test_two_tables_deal_their_majors_at_the_same_moment() -> None:
    loop = asyncio.get_running_loop()
    rig = Rig(every=100, rng=Random(1), due=loop.time())
    first = asyncio.create_task(rig.turn())
    await asyncio.sleep(0.05)
    assert not first.done()
    second = await rig.turn()
    assert [await first, second is not None] == [False, True]
    assert await rig.turn() is None
