"""The contract of the floor file: what a start creates, compares, adds, refuses and warns of."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from api.cli import app as cli
from tests.callers import Floor, done, now
from tests.servers import free_port
from tests.service import (
    JACKPOT,
    SEED,
    TRUST,
    FloorFile,
    Forked,
    Json,
    Served,
    full_floor,
    in_thread,
    token_of,
)
from tests.waiting import PATIENCE, until

WINS = "/v1/links/main/wins"


def next_floor() -> FloorFile:
    """The floor file of a second start: something new, something changed, somebody gone."""
    floor = full_floor("main", "side")
    floor.add_table("stud-09", "main")
    floor.add_credential("eve", "operator")
    floor.add_link("private", public_readings=False)
    floor.add_link("generous", meter_ppm=900_000)
    for entry in floor.credential:
        if entry["name"] == "ana":
            entry["token_sha256"] = sha256(token_of("ana", 2).encode()).hexdigest()
    floor.credential = [entry for entry in floor.credential if entry["name"] != "ben"]
    return floor


@pytest.fixture(scope="module")
def restarted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that was started, used, stopped, and started again with the next floor file."""
    folder = tmp_path_factory.mktemp("floor")
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, full_floor("main"), folder) as first:
        main = Floor(first, "main")
        assert main.meter()["value"] == SEED
        assert len(done(main.get("tables", "ada"))["tables"]) == 4
        done(main.stud.bets())
        done(main.post("close", "ana", {"reason": "season"}))
        done(main.agree("seed", {"seed": 6_000_000, "reason": "season", "when": "now"}))
        done(main.agree("open", {"reason": "season"}))
        assert first.get(WINS, "ben").status_code == 200
    with in_thread(url, next_floor(), folder) as service:
        yield service


def with_token(service: Served, path: str, token: str) -> int:
    return service.get(path, headers={"Authorization": f"Bearer {token}"}).status_code


def audited(service: Served, *words: str) -> bool:
    acts = done(service.get("/v1/audit", "ada", params={"limit": 500}))["acts"]
    return any(all(word in str(act) for word in words) for act in acts)


def test_what_happened_and_what_the_house_changed_outlives_a_start(restarted: Served) -> None:
    """The file is compared with itself: it still says the first seed."""
    main = Floor(restarted, "main")
    assert main.meter()["value"] == 6_000_000 + 200
    assert done(restarted.get(f"/v1/tables/{main.stud.table}/rounds/1", "ada"))["round"] == 1


def test_new_links_tables_and_credentials_are_added(restarted: Served) -> None:
    assert Floor(restarted, "side").meter()["value"] == SEED
    beat = restarted.post("/v1/tables/stud-09/heartbeat", "stud-09", {"sent_at": now()})
    assert done(beat)["table_state"] == "in_play"
    assert restarted.get(WINS, "eve").status_code == 200
    assert audited(restarted, "eve")


def test_a_changed_credential_is_rotated(restarted: Served) -> None:
    assert with_token(restarted, WINS, token_of("ana")) == 401
    assert with_token(restarted, WINS, token_of("ana", 2)) == 200
    assert audited(restarted, "ana", "rotat")


def test_a_removed_credential_is_revoked(restarted: Served) -> None:
    assert with_token(restarted, WINS, token_of("ben")) == 401
    assert audited(restarted, "ben", "revok")


def test_readings_demand_a_token_where_the_floor_says_so(restarted: Served) -> None:
    for tail in ("meter", "meter.txt", "stream"):
        assert restarted.get(f"/v1/links/private/{tail}").status_code == 401
    for by in ("sign-1", "ada", "private-stud-01"):
        assert restarted.get("/v1/links/private/meter", by).status_code == 200
    assert restarted.get("/v1/links/main/meter").status_code == 200


def test_a_link_on_which_the_house_loses_starts_with_a_warning_that_names_the_figure(
    restarted: Served,
) -> None:
    warning = next(line for line in restarted.log().splitlines() if "the house loses" in line)
    assert "generous" in warning
    assert "%" in warning
    assert restarted.get("/v1/links/generous/meter").status_code == 200


def test_a_token_is_made_and_revoked_by_command(restarted: Served) -> None:
    made = restarted.jackpot("token", "create", "zoe", "--role", "auditor")
    assert made.returncode == 0, made.stderr
    token = made.stdout.split()[-1]
    until(lambda: with_token(restarted, WINS, token) == 200)
    assert restarted.jackpot("token", "revoke", "zoe").returncode == 0
    until(lambda: with_token(restarted, WINS, token) == 401)


def test_the_book_verifies_after_all_of_it(restarted: Served) -> None:
    assert restarted.verify().returncode == 0


# Starts that are refused


def refuses_to_start(url: str, floor: FloorFile, folder: Path) -> str:
    """What the command says that ends at once with an error."""
    file = folder / "floor.toml"
    file.write_text(floor.text())
    arguments = ["serve", "--floor", str(file), "--port", str(free_port())]
    ended = CliRunner().invoke(cli, arguments, env={"JACKPOT_DATABASE_URL": url})
    assert ended.exit_code == 1
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    return ended.output


def test_a_changed_money_parameter_and_an_older_schema_are_refused_with_the_way_out(
    sqlite_url: str, tmp_path: Path
) -> None:
    floor = full_floor("main")
    with in_thread(sqlite_url, floor, tmp_path):
        pass
    floor.link[0]["seed"] = 6_000_000
    said = refuses_to_start(sqlite_url, floor, tmp_path)
    assert "main" in said
    assert "seed" in said
    with sqlite3.connect(tmp_path / "book.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000_older'")
    assert "jackpot migrate" in refuses_to_start(sqlite_url, full_floor("main"), tmp_path)


def _floor(**changes: Json) -> FloorFile:
    """A floor whose first entry of a kind is another one; None takes a setting away."""
    floor = full_floor("main")
    for kind, change in changes.items():
        entries: list[Json] = getattr(floor, kind)
        entries[0] = {name: value for name, value in (entries[0] | change).items() if value is not None}
    return floor


@pytest.mark.parametrize(
    ("floor", "words"),
    [
        (_floor(link={"approvals": {"straight_flush": 1, "royal_flush": 0}}), "approved"),
        (_floor(credential={"token_sha256": None, "token": "in-plain"}), "token"),
        (_floor(credential={"password_hash": None, "role": "table", "table": "nowhere"}), "nowhere"),
    ],
)
def test_an_unsafe_or_impossible_floor_is_refused_in_a_line_and_makes_nothing(
    sqlite_url: str, tmp_path: Path, floor: FloorFile, words: str
) -> None:
    assert words in refuses_to_start(sqlite_url, floor, tmp_path)
    assert not _links(tmp_path / "book.db")


def _links(book: Path) -> list[Any]:
    if not book.exists():
        return []
    with sqlite3.connect(book) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
        return connection.execute("SELECT id FROM links").fetchall() if "links" in tables else []


def test_floor_host_and_port_may_come_from_the_environment(tmp_path: Path) -> None:
    """And the book is book.db where the service was started, unless told otherwise."""
    (tmp_path / "floor.toml").write_text(full_floor("main").costly_text())
    port = free_port()
    settings = {"JACKPOT_FLOOR": "floor.toml", "JACKPOT_HOST": "127.0.0.1", "JACKPOT_PORT": str(port)}
    others = {name: value for name, value in os.environ.items() if not name.startswith("JACKPOT_")}
    with subprocess.Popen([JACKPOT, "serve"], cwd=tmp_path, env=others | settings) as process:
        try:
            until(lambda: _answers(f"http://127.0.0.1:{port}/readyz"))
            assert (tmp_path / "book.db").exists()
        finally:
            process.terminate()
        assert process.wait(timeout=60) == 0


def _answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=PATIENCE, verify=TRUST).status_code == 200
    except httpx.TransportError:
        return False


def test_a_missing_floor_file_is_told_in_a_line(sqlite_url: str, tmp_path: Path) -> None:
    service = Forked(sqlite_url, FloorFile(), tmp_path)
    ended = service.jackpot("serve", "--floor", "nowhere.toml", "--port", str(free_port()))
    service.close()
    assert ended.returncode != 0
    assert "nowhere.toml" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_only_an_address_that_cannot_be_had_is_called_so(sqlite_url: str, tmp_path: Path) -> None:
    service = Forked(
        sqlite_url, full_floor("main"), tmp_path, JACKPOT_ANCHORS="a.jsonl", JACKPOT_ANCHOR_KEY="no.key"
    )
    service.floor_file.write_text(service.floor.text())
    ended = service.jackpot("serve", "--floor", "floor.toml", "--port", str(free_port()))
    assert ended.returncode == 1
    assert "no.key" in ended.stderr
    assert "cannot serve on" not in ended.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = service.jackpot("serve", "--floor", "floor.toml", "--port", str(port))
    service.close()
    assert ended.returncode == 1
    assert f"cannot serve on 127.0.0.1:{port}" in ended.stderr
