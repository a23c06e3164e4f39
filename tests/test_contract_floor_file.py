"""The contract of the floor file: what a start creates, compares, adds, refuses and warns of."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.callers import Floor, done, now
from tests.servers import free_port
from tests.service import JACKPOT, SEED, FloorFile, Json, Service, full_floor, link_entry, serving, token_of


@contextmanager
def started(url: str, floor: FloorFile, folder: Path, **environment: str) -> Iterator[Service]:
    """A service on the store, stopped in the end as an operator would."""
    with serving(url, floor, folder, **environment) as service:
        yield service
        assert service.stop() == 0


def refuses_to_start(url: str, floor: FloorFile, folder: Path) -> str:
    """What a service says that ends at once with an error."""
    service = Service(url, floor, folder)
    told = len(service.log())
    try:
        service.launch()
        assert service.ended() not in (0, None)
        return service.log()[told:]
    finally:
        service.close()


def with_token(service: Service, path: str, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return service.get(path, headers=headers).status_code


def audit(service: Service) -> str:
    return str(done(service.get("/v1/audit", "ada", params={"limit": 200})))


def test_the_first_start_creates_links_tables_and_credentials(url: str, tmp_path: Path) -> None:
    with started(url, full_floor("main", "side"), tmp_path) as service:
        for link in ("main", "side"):
            assert Floor(service, link).meter()["value"] == SEED
            tables = done(service.get(f"/v1/links/{link}/tables", "ada"))["tables"]
            assert len(tables) == 4
        assert service.verify().returncode == 0


def test_a_second_start_changes_nothing_and_keeps_what_happened(url: str, tmp_path: Path) -> None:
    floor = full_floor("main")
    with started(url, floor, tmp_path) as service:
        done(Floor(service, "main").stud.bets())
        before = Floor(service, "main").mark()
    with started(url, floor, tmp_path) as service:
        assert Floor(service, "main").mark() == before


def test_new_entries_are_added(url: str, tmp_path: Path) -> None:
    with started(url, full_floor("main"), tmp_path):
        pass
    floor = full_floor("main", "side")
    floor.add_table("stud-09", "main")
    floor.add_credential("eve", "operator")
    with started(url, floor, tmp_path) as service:
        assert Floor(service, "side").meter()["value"] == SEED
        assert service.post("/v1/tables/stud-09/heartbeat", "stud-09", {"sent_at": now()}).is_success
        assert service.get("/v1/links/main/wins", "eve").status_code == 200
        for words in ("stud-09", "eve"):
            assert words in audit(service)


def test_a_changed_credential_is_rotated_and_a_removed_one_revoked(url: str, tmp_path: Path) -> None:
    floor = full_floor("main")
    with started(url, floor, tmp_path) as service:
        assert service.get("/v1/links/main/wins", "ben").status_code == 200
    by_name = {entry["name"]: entry for entry in floor.credential}
    by_name["ana"]["token_sha256"] = sha256(token_of("ana", 2).encode()).hexdigest()
    floor.credential = [entry for entry in floor.credential if entry["name"] != "ben"]
    with started(url, floor, tmp_path) as service:
        path = "/v1/links/main/wins"
        assert with_token(service, path, token_of("ana")) == 401
        assert with_token(service, path, token_of("ana", 2)) == 200
        assert with_token(service, path, token_of("ben")) == 401
        told = audit(service)
        for words in ("ana", "ben", "rotat", "revok"):
            assert words in told, words


@pytest.mark.parametrize(
    ("setting", "value"),
    [("seed", 6_000_000), ("meter_ppm", 300_000), ("reserve_ppm", 60_000), ("progressive_bet", 1000)],
)
def test_a_changed_money_parameter_is_refused_with_a_clear_message(
    sqlite_url: str, tmp_path: Path, setting: str, value: int
) -> None:
    floor = full_floor("main")
    with started(sqlite_url, floor, tmp_path):
        pass
    floor.link[0][setting] = value
    said = refuses_to_start(sqlite_url, floor, tmp_path)
    assert setting in said
    assert "main" in said
    assert "Traceback" not in said


def test_the_file_is_compared_with_itself_and_not_with_what_the_house_changed(
    url: str, tmp_path: Path
) -> None:
    floor = full_floor("main")
    with started(url, floor, tmp_path) as service:
        main = Floor(service, "main")
        done(main.post("close", "ana", {"reason": "season"}))
        done(main.agree("seed", {"seed": 6_000_000, "reason": "season", "when": "now"}))
    with started(url, floor, tmp_path) as service:
        assert Floor(service, "main").meter()["value"] == 6_000_000


def test_a_link_on_which_the_house_loses_starts_with_a_warning_that_names_the_figure(
    sqlite_url: str, tmp_path: Path
) -> None:
    floor = full_floor()
    floor.add_link("main", meter_ppm=900_000)
    with started(sqlite_url, floor, tmp_path) as service:
        log = service.log()
    assert "main" in log
    assert "the house loses" in log
    assert "%" in log


def _wrong(**changes: Any) -> FloorFile:
    floor = full_floor("main")
    for kind, change in changes.items():
        entries: list[Json] = getattr(floor, kind)
        entries[0] = {name: value for name, value in (entries[0] | change).items() if value is not None}
    return floor


@pytest.mark.parametrize(
    ("floor", "words"),
    [
        (_wrong(link={"approvals": {"straight_flush": 1, "royal_flush": 0}}), "approved"),
        (_wrong(credential={"token_sha256": None, "token": "in-plain"}), "token"),
        (_wrong(credential={"password_hash": None, "password": "in-plain"}), "password"),
        (_wrong(credential={"role": "king"}), "role"),
        (_wrong(credential={"password_hash": None, "role": "table", "table": "nowhere"}), "nowhere"),
        (_wrong(link={"sead": 1}), "sead"),
    ],
)
def test_an_unsafe_or_impossible_floor_is_refused_in_a_line(
    sqlite_url: str, tmp_path: Path, floor: FloorFile, words: str
) -> None:
    said = refuses_to_start(sqlite_url, floor, tmp_path)
    assert words in said
    assert "Traceback" not in said
    assert not (tmp_path / "book.db").exists() or not _links(tmp_path / "book.db")


def _links(book: Path) -> list[Any]:
    with sqlite3.connect(book) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
        return connection.execute("SELECT id FROM links").fetchall() if "links" in tables else []


def test_two_credentials_of_one_name_are_refused(sqlite_url: str, tmp_path: Path) -> None:
    floor = full_floor("main")
    floor.add_credential("ana", "auditor")
    assert "ana" in refuses_to_start(sqlite_url, floor, tmp_path)


def test_readings_demand_a_token_where_the_floor_says_so(sqlite_url: str, tmp_path: Path) -> None:
    floor = full_floor("main")
    floor.add_link("private", public_readings=False)
    with started(sqlite_url, floor, tmp_path) as service:
        for tail in ("meter", "meter.txt", "stream"):
            assert service.get(f"/v1/links/private/{tail}").status_code == 401
        for by in ("sign-1", "ada", "private-stud-01"):
            assert service.get("/v1/links/private/meter", by).status_code == 200
        assert service.get("/v1/links/main/meter").status_code == 200


def test_an_older_schema_is_refused_with_the_way_out(sqlite_url: str, tmp_path: Path) -> None:
    floor = full_floor("main")
    with started(sqlite_url, floor, tmp_path):
        pass
    with sqlite3.connect(tmp_path / "book.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000_older'")
    said = refuses_to_start(sqlite_url, floor, tmp_path)
    assert "jackpot migrate" in said
    assert "Traceback" not in said


def test_floor_host_and_port_may_come_from_the_environment(tmp_path: Path) -> None:
    """And the book is book.db where the service was started, unless told otherwise."""
    (tmp_path / "floor.toml").write_text(full_floor("main").text())
    port = free_port()
    settings = {"JACKPOT_FLOOR": "floor.toml", "JACKPOT_HOST": "127.0.0.1", "JACKPOT_PORT": str(port)}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JACKPOT_")} | settings
    with subprocess.Popen([JACKPOT, "serve"], cwd=tmp_path, env=environment) as process:
        try:
            assert _answers(f"http://127.0.0.1:{port}/readyz")
            assert (tmp_path / "book.db").exists()
        finally:
            process.terminate()
        assert process.wait(timeout=30) == 0


def _answers(address: str) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            return httpx.get(address).status_code == 200
        except httpx.TransportError:
            time.sleep(0.05)
    return False


def test_a_missing_floor_file_is_told_in_a_line(sqlite_url: str, tmp_path: Path) -> None:
    service = Service(sqlite_url, FloorFile(), tmp_path)
    ended = service.jackpot("serve", "--floor", "nowhere.toml", "--port", str(free_port()))
    service.close()
    assert ended.returncode != 0
    assert "nowhere.toml" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_token_is_made_and_revoked_by_command(sqlite_url: str, tmp_path: Path) -> None:
    floor = full_floor("main")
    assert link_entry("main") in floor.link
    with started(sqlite_url, floor, tmp_path) as service:
        made = service.jackpot("token", "create", "--name", "zoe", "--role", "auditor")
        assert made.returncode == 0, made.stderr
        token = made.stdout.split()[-1]
        assert _within_seconds(lambda: with_token(service, "/v1/links/main/wins", token), 200)
        assert service.jackpot("token", "revoke", "zoe").returncode == 0
        assert _within_seconds(lambda: with_token(service, "/v1/links/main/wins", token), 401)


def _within_seconds(look: Any, wanted: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if look() == wanted:
            return True
        time.sleep(0.1)
    return False
