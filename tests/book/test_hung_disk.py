"""The disk under a SQLite book hangs: nobody waits for ever, nothing is lost or doubled, and the book goes on
by itself."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from jackpot.book.stores import sqlite_lines
from jackpot.book.stores.addresses import store_of
from jackpot.book.writing import write_probe, writer
from jackpot.book.writing.writer import Unavailable
from jackpot.link import commands, facts
from jackpot.link.state import Scope, Then
from jackpot.machine.execute import Outcome
from tests.book_floor import LINK, checked, furnished_floor
from tests.in_process import House, house
from tests.waiting import eventually

METER = "/v1/links/main/meter"


class Hanging:
    """What every thread of SQLite waits for, before it does something and before it commits."""

    def __init__(self) -> None:
        self._asks, self._commits = Event(), Event()
        self.go_on()

    def hang(self, what: str) -> None:
        self._commits.clear()
        if what == "everything":
            self._asks.clear()

    def go_on(self) -> None:
        self._asks.set()
        self._commits.set()

    def connection(self) -> type[sqlite3.Connection]:
        asks, commits = self._asks, self._commits

        class Cursor(sqlite3.Cursor):
            def execute(self, *arguments: Any) -> Any:
                asks.wait()
                return super().execute(*arguments)

        class Connection(sqlite3.Connection):
            def cursor(self, *_: Any) -> Any:
                return super().cursor(Cursor)

            def commit(self) -> None:
                commits.wait()
                super().commit()

            def close(self) -> None:
                asks.wait()
                super().close()

        return Connection


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> Iterator[Hanging]:  # noqa: ARG001  made before
    found = Hanging()
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=found.connection()))
    # Whoever asked just before it hung waits as long; a test that waits for him waits a minute.
    for limit in ("WRITE_TIMEOUT", "READ_TIMEOUT"):
        monkeypatch.setattr(sqlite_lines, limit, 20)
    yield found
    found.go_on()


@pytest.fixture
def lose_patience(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """To be called when the disk hangs: on a busy machine one that works may take as long."""

    def lose() -> None:
        monkeypatch.setattr(sqlite_lines, "WRITE_TIMEOUT", 0.5)
        monkeypatch.setattr(sqlite_lines, "READ_TIMEOUT", 0.5)
        monkeypatch.setattr(writer, "PATIENCE", 0.5)

    return lose


both = pytest.mark.parametrize("what", ["commits", "everything"])
in_a_minute = partial(asyncio.wait_for, timeout=60)


@both
async def test_a_bet_on_a_hung_disk_is_refused_and_taken_once_when_it_goes_on(
    sqlite_url: str,
    hanging: Hanging,
    lose_patience: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    async with furnished_floor(sqlite_url) as floor:
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
        hanging.hang(what)
        lose_patience()
        bets = floor.bets("s2")
        with pytest.raises(Unavailable):
            await in_a_minute(floor.submit(bets))
        hanging.go_on()
        monkeypatch.setattr(writer, "PATIENCE", 60)
        monkeypatch.setattr(sqlite_lines, "WRITE_TIMEOUT", 60)
        assert isinstance(await in_a_minute(floor.submit(bets)), Outcome)
        assert (await checked(floor.book)).count(facts.BetsClosed) == 2


@both
async def test_a_commit_that_hung_is_looked_for_before_it_is_done_again(
    sqlite_url: str, hanging: Hanging, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The act has no key: only the journal tells whether it was done."""
    async with furnished_floor(sqlite_url) as floor:
        served = floor.book.writers[LINK]
        act = commands.DeclareMalfunction(
            person="sue",
            scope=Scope(table="h1"),
            observed_at=floor.clock.time,
            cards_seen={},
            then=Then.CLOSE,
        )
        hanging.hang(what)
        monkeypatch.setattr(sqlite_lines, "WRITE_TIMEOUT", 0.5)
        under_way = asyncio.create_task(floor.submit(act))

        async def given_up() -> bool:
            return served.figures.failures > 0

        await eventually(given_up)
        monkeypatch.setattr(sqlite_lines, "WRITE_TIMEOUT", 60)
        hanging.go_on()
        assert isinstance(await in_a_minute(under_way), Outcome)
        assert (await checked(floor.book)).count(facts.MalfunctionDeclared) == 1


@both
async def test_a_book_is_closed_though_its_disk_hangs(
    sqlite_url: str, hanging: Hanging, lose_patience: Callable[[], None], what: str
) -> None:
    async with furnished_floor(sqlite_url) as floor:
        await floor.submit(floor.bets("s1"))
        hanging.hang(what)
        lose_patience()
        under_way = asyncio.create_task(floor.submit(floor.bets("s2")))
        await asyncio.sleep(0)
        await in_a_minute(floor.book.close())
        with pytest.raises(Unavailable):
            await under_way
        hanging.go_on()


async def test_whoever_waits_no_longer_leaves_though_the_disk_hangs(
    sqlite_url: str, hanging: Hanging
) -> None:
    """He is cancelled once, and that is enough."""
    store = store_of(sqlite_url)
    try:
        for way in (store.reading, store.transaction) * 2:
            async with way() as connection:
                await connection.execute(text("SELECT 1"))
            hanging.hang("everything")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1), way() as connection:
                    await connection.execute(text("SELECT 2"))
            hanging.go_on()
    finally:
        await in_a_minute(store.close())


async def test_a_disk_that_hangs_for_long_is_not_asked_by_ever_more_threads(
    sqlite_url: str, hanging: Hanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_lines, "MOST_GIVEN_UP", 3)
    monkeypatch.setattr(sqlite_lines, "READ_TIMEOUT", 0.05)
    store: Any = store_of(sqlite_url)

    async def asked() -> bool:
        try:
            async with store.reading() as connection:
                await connection.execute(text("SELECT 1"))
        except DBAPIError as trouble:
            return not isinstance(trouble.orig, sqlite_lines.DiskSilent)
        return True

    try:
        hanging.hang("everything")
        for _ in range(10):
            assert not await in_a_minute(asked())
        assert len(store._file._given_up) == 3
        monkeypatch.setattr(sqlite_lines, "READ_TIMEOUT", 60)
        hanging.go_on()
        await eventually(asked)
    finally:
        await store.close()


# The service


async def _state(at: House) -> str:
    return str((await at.client.get(METER)).json()["state"])


@both
async def test_a_service_whose_disk_hangs_says_so_and_goes_on_by_itself(
    sqlite_url: str,
    tmp_path: Path,
    hanging: Hanging,
    lose_patience: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    async with house(sqlite_url, tmp_path) as at:
        assert (await at.close_bets("stud-01", 1)).status_code == 201
        hanging.hang(what)
        lose_patience()
        monkeypatch.setattr(write_probe, "PATIENCE", 0.5)
        monkeypatch.setattr(write_probe, "HANGS_AFTER", 0.5)
        refused = await in_a_minute(at.close_bets("stud-01", 2))
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        assert int(refused.headers["retry-after"]) >= 1
        assert (await in_a_minute(at.client.get("/readyz"))).status_code == 503

        async def stale() -> bool:
            return await _state(at) == "stale"

        await eventually(stale)
        for limit in ("WRITE_TIMEOUT", "READ_TIMEOUT"):
            monkeypatch.setattr(sqlite_lines, limit, 60)
        monkeypatch.setattr(write_probe, "PATIENCE", 60)
        hanging.go_on()

        async def well() -> bool:
            return (await at.client.get("/readyz")).status_code == 200 and await _state(at) == "open"

        await eventually(well)
        monkeypatch.setattr(writer, "PATIENCE", 60)
        assert (await at.close_bets("stud-02", 1)).status_code == 201


@both
async def test_a_service_stops_though_its_disk_hangs(
    sqlite_url: str, tmp_path: Path, hanging: Hanging, lose_patience: Callable[[], None], what: str
) -> None:
    async def served() -> None:
        async with house(sqlite_url, tmp_path) as at:
            assert (await at.close_bets("stud-01", 1)).status_code == 201
            hanging.hang(what)
            lose_patience()
            assert (await at.close_bets("stud-01", 2)).status_code == 503

    await in_a_minute(served())


ENDS = """
import asyncio, sqlite3, sys
from functools import partial
from tests.book.test_hung_disk import Hanging
from jackpot.book.stores import sqlite_lines
from jackpot.book.stores.addresses import store_of
from sqlalchemy import text

async def main():
    sqlite_lines.WRITE_TIMEOUT = sqlite_lines.READ_TIMEOUT = 0.2
    hanging = Hanging()
    sqlite3.connect = partial(sqlite3.connect, factory=hanging.connection())
    store = store_of(sys.argv[1])
    async with store.reading() as connection:
        await connection.execute(text("SELECT 1"))
        hanging.hang("everything")
        try:
            await connection.execute(text("SELECT 2"))
        except Exception as silent:
            print(type(silent.orig).__name__)
    await store.close()

asyncio.run(main())
"""


def test_a_process_ends_though_its_disk_hangs(sqlite_url: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ENDS, sqlite_url], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stdout) == (0, "DiskSilent\n"), ended.stderr
