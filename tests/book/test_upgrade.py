"""0.1 beside this release during an upgrade: real processes of both on one book, and the way back."""

from __future__ import annotations

import asyncio
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from jackpot.book.checking.rebuilding import Progress, migrate_book
from jackpot.book.stores.addresses import store_of
from tests.books import FOLDER
from tests.callers import BOX, done, now
from tests.conftest import apart
from tests.servers import Postgres
from tests.service import SEED, Forked, Served, Service, full_floor

TABLE, OTHER_TABLE = "main-stud-01", "main-stud-02"
A_BET = 200
"""What the bets of a round add to the meter."""
Opened = Callable[..., Service]


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """0.1 as it was released."""
    folder = tmp_path_factory.mktemp("release")
    with zipfile.ZipFile(FOLDER / "0.1" / "service.zip") as kept:
        kept.extractall(folder)
    return folder


@pytest.fixture
def opened(tmp_path: Path, code: Path) -> Iterator[Opened]:
    """Makes services of 0.1 (`old=True`) or of this release on an address; none is left behind."""
    with ExitStack() as several:

        def made(url: str, *, old: bool = False) -> Service:
            folder = tmp_path / uuid4().hex
            folder.mkdir()
            floor = full_floor("main").without_pits()  # which 0.1 does not know
            service = Service(url, floor, folder, PYTHONPATH=str(code)) if old else Forked(url, floor, folder)
            several.callback(service.close)
            return service

        yield made


def bets(service: Served, round: int, table: str = TABLE) -> httpx.Response:
    """By hand: what tables send today 0.1 would refuse."""
    moment = now()
    body = {"closed_at": moment, "sent_at": moment, "boxes": [BOX]}
    return service.call("PUT", f"/v1/tables/{table}/rounds/{round}/bets", table, json=body)


def value(service: Served) -> int:
    return int(service.get("/v1/links/main/meter").json()["value"])


def refused_to_migrate(service: Service, why: str) -> None:
    """And nothing has changed for who serves."""
    ended = service.jackpot("migrate")
    assert (ended.returncode, why in ended.stderr) == (1, True), ended.stderr


def verified(service: Service) -> None:
    ended = service.verify()
    assert ended.returncode == 0, ended.stdout + ended.stderr


def refused_to_start(service: Service) -> None:
    service.launch()
    assert service.ended() != 0
    assert "made by a newer release" in service.log()


# An upgrade and the way back


def test_an_upgrade_waits_until_0_1_is_stopped_and_can_be_given_up(
    postgres: Postgres, bare_postgres_url: str, opened: Opened, tmp_path: Path
) -> None:
    old, new = opened(bare_postgres_url, old=True), opened(bare_postgres_url)
    old.start()
    done(bets(old, 1))
    refused_to_migrate(new, "stop it first")
    done(bets(old, 2))
    assert old.stop() == 0
    dump = tmp_path / "book.dump"
    _run(postgres, "pg_dump", "-Fc", "-f", str(dump), _address(bare_postgres_url))
    assert new.jackpot("migrate").returncode == 0
    new.start()
    done(bets(new, 3))
    assert value(new) == SEED + 3 * A_BET
    refused_to_start(old)
    done(bets(new, 4))
    assert new.stop() == 0
    verified(new)
    copy = apart(lambda: asyncio.run(postgres.create(f"book_{uuid4().hex}")))
    _run(postgres, "pg_restore", "-d", _address(copy), str(dump))
    goes_on_with_0_1(opened(copy, old=True))


def _address(url: str) -> str:
    return url.replace("+asyncpg", "")


def _run(server: Postgres, tool: str, *arguments: str) -> None:
    subprocess.run([server.tool(tool), *arguments], check=True, capture_output=True)


def goes_on_with_0_1(copy: Service) -> None:
    assert copy.jackpot("restored").returncode == 0
    copy.start()
    assert value(copy) == SEED + 2 * A_BET, "what the new release acknowledged is not in the copy"
    done(bets(copy, 3))
    assert copy.stop() == 0
    verified(copy)


def test_an_upgrade_of_a_file_waits_until_0_1_is_stopped(
    bare_sqlite_url: str, opened: Opened, tmp_path: Path
) -> None:
    old, new = opened(bare_sqlite_url, old=True), opened(bare_sqlite_url)
    old.start()
    done(bets(old, 1))
    refused_to_migrate(new, "serves this book already")
    done(bets(old, 2))
    assert old.stop() == 0
    assert new.jackpot("backup", str(tmp_path / "copy.db")).returncode == 0
    assert new.jackpot("migrate").returncode == 0
    verified(new)
    verified(opened(f"sqlite+aiosqlite:///{tmp_path / 'copy.db'}", old=True))


# A replica of 0.1 that nobody could see


def test_a_replica_of_0_1_that_comes_back_during_or_after_the_migration_writes_nothing(
    postgres: Postgres, bare_postgres_url: str, opened: Opened
) -> None:
    """It was cut off from the database while it was looked for. It is back while the states are made anew,
    each from what its journal was when that began."""
    role, database = f"old_{uuid4().hex}", bare_postgres_url.rpartition("/")[2]

    def tell(statement: str) -> None:
        apart(lambda: asyncio.run(postgres.execute(statement, database)))

    tell(f"CREATE ROLE {role} LOGIN SUPERUSER")
    old = opened(bare_postgres_url.replace("postgres@", f"{role}@"), old=True)
    new = opened(bare_postgres_url)
    old.start()
    done(bets(old, 1))
    tell(f"ALTER ROLE {role} NOLOGIN")
    tell(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'")  # noqa: S608
    answers: list[int] = []

    def comes_back(*_progress: object) -> None:
        tell(f"ALTER ROLE {role} LOGIN")
        answers.append(bets(old, 2).status_code)

    apart(lambda: asyncio.run(_migrated(bare_postgres_url, comes_back)))
    verified(new)
    answers.append(bets(old, 2).status_code)
    new.start()
    done(bets(new, 2))
    answers += [bets(old, 3).status_code, bets(old, 1, OTHER_TABLE).status_code]
    assert answers == [503] * 4
    done(bets(new, 3))
    assert value(new) == SEED + 3 * A_BET
    verified(new)


async def _migrated(url: str, progress: Progress) -> None:
    store = store_of(url, hurried=False)
    try:
        await migrate_book(store, progress)
    finally:
        await store.close()
