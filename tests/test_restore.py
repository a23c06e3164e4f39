"""The manual's way back to a backup, followed to the letter after a crash."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.callers import Floor
from tests.service import JACKPOT, Service, full_floor, serving

MANUAL = Path(__file__).parent.parent / "docs" / "operations.md"
KEPT, LOST = 5, 60
"""Rounds before the backup, and after it: enough for a log that the restored file must not meet."""


def commands(bullet: str) -> str:
    """The block of commands that follows this bullet of the manual."""
    found = re.search(rf"- \*\*{bullet}\*\*.*?```sh\n(.*?)```", MANUAL.read_text(), flags=re.DOTALL)
    assert found is not None
    return found[1]


def follow(script: str, folder: Path) -> None:
    path = f"{JACKPOT.parent}:/usr/bin:/bin"
    subprocess.run(["bash", "-ec", script], cwd=folder, env={"PATH": path}, check=True)  # noqa: S607


def epoch(service: Service) -> str:
    told: str = service.get("/v1/links/main/meter").json()["epoch"]
    return told


def test_a_backup_put_in_place_after_a_kill_is_the_book_again(sqlite_url: str, tmp_path: Path) -> None:
    with serving(sqlite_url, full_floor("main"), tmp_path) as service:
        table = Floor(service, "main").stud
        for _ in range(KEPT):
            assert table.bets().status_code == 201
        assert service.jackpot("backup", "copy.db").returncode == 0
        for _ in range(LOST):
            assert table.bets().status_code == 201
        before = epoch(service)
        service.kill()
        assert (tmp_path / "book.db-wal").stat().st_size > 0
        follow(commands("SQLite"), tmp_path)
        verified = service.verify()
        assert verified.returncode == 0, verified.stdout + verified.stderr
        assert service.jackpot("restored").returncode == 0
        service.start()
        assert epoch(service) != before
        table.round = KEPT
        assert table.bets().status_code == 201
