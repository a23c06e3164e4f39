"""The manual's way back to a backup, followed to the letter after a crash."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path

from typer.testing import CliRunner

from api.app import serving as serving_here
from api.cli import app
from api.controllers.delivery import take
from api.controllers.wire import Bets, BoxBets
from api.settings import Settings
from tests.callers import Floor, now
from tests.service import JACKPOT, full_floor, serving

MANUAL = Path(__file__).parents[2] / "docs" / "operations.md"
TABLE = "main-stud-01"
KEPT, LOST = 5, 60
"""Rounds before the backup, and after it: enough for a log that the restored file must not meet."""
run = CliRunner()


def commands(bullet: str) -> str:
    """The block of commands that follows this bullet of the manual."""
    found = re.search(rf"- \*\*{bullet}\*\*.*?```sh\n(.*?)```", MANUAL.read_text(), flags=re.DOTALL)
    assert found is not None
    return found[1]


def follow(script: str, folder: Path) -> None:
    path = f"{JACKPOT.parent}:/usr/bin:/bin"
    subprocess.run(["bash", "-ec", script], cwd=folder, env={"PATH": path}, check=True)  # noqa: S607


def jackpot(command: str, url: str, *arguments: str) -> None:
    ended = run.invoke(app, [command, "--database", url, *arguments])
    assert ended.exit_code == 0, ended.output


async def goes_on(url: str, folder: Path) -> str:
    """The restored book takes the round after the last that was kept; its epoch."""
    async with serving_here(Settings(floor=folder / "floor.toml", database_url=url)) as service:
        bets = Bets(sent_at=now(), closed_at=now(), boxes=[BoxBets(box=1, ante=2500, progressive=500)])
        status, _ = await take(service, TABLE, KEPT + 1, bets)
        assert status == 201
        return service.book.epoch


def test_a_backup_put_in_place_after_a_kill_is_the_book_again(sqlite_url: str, tmp_path: Path) -> None:
    with serving(sqlite_url, full_floor("main"), tmp_path) as service:
        table = Floor(service, "main").stud
        for _ in range(KEPT):
            assert table.bets().status_code == 201
        jackpot("backup", sqlite_url, str(tmp_path / "copy.db"))
        for _ in range(LOST):
            assert table.bets().status_code == 201
        before = service.get("/v1/links/main/meter").json()["epoch"]
        service.kill()
    assert (tmp_path / "book.db-wal").stat().st_size > 0
    follow(commands("SQLite"), tmp_path)
    jackpot("verify", sqlite_url)
    jackpot("restored", sqlite_url)
    assert asyncio.run(goes_on(sqlite_url, tmp_path)) != before
