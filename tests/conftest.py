"""The stores a book is tested on: a file, and a real PostgreSQL that lives as long as its tests."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest
from playwright.sync_api import Browser

from api import logs
from jackpot.book.migrating import migrate
from jackpot.book.stores import store_of
from tests.browser import chromium
from tests.callers import Floor
from tests.servers import Postgres
from tests.service import Service, full_floor, serving
from tests.untraced import untraced

T = TypeVar("T")
ANOTHER_EPOCH = "UPDATE house SET epoch = '{}'"
"""No two books have the same, or whoever knows both takes one for the other."""
ELSEWHERE = {"service", "small", "browser"}
"""Who uses one of these asks another process: to trace the asking measures nothing, and takes its time."""


def pytest_sessionstart() -> None:
    logs.configure("warning")  # as a service does; structlog by itself shows every variable of a traceback


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    elsewhere = isinstance(item, pytest.Function) and ELSEWHERE & set(item.fixturenames)
    with untraced() if elsewhere else nullcontext():
        return (yield)


def apart(work: Callable[[], T]) -> T:
    """Do it in another thread: it may run a loop of its own, whatever loop the test has."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


@contextmanager
def started_postgres() -> Iterator[Postgres]:
    server = Postgres({"max_wal_size": "'1GB'"}, in_memory=True)
    try:
        apart(server.start)
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with started_postgres() as server:
        yield server


async def _migrate(url: str) -> str:
    store = store_of(url, hurried=False)
    try:
        await migrate(store.engine)
    finally:
        await store.close()
    return url


# Stores. Each has the schema already, copied from one that was migrated once: that takes a tenth of the time.
# Whoever tests how the schema is made asks for a bare one.


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> str:
    """A database with the schema of a book and nothing else."""

    async def make() -> None:
        await _migrate(await postgres.create("jackpot_template"))

    apart(lambda: asyncio.run(make()))
    return "jackpot_template"


async def _copy_of(server: Postgres, template: str) -> str:
    name = f"book_{uuid4().hex}"
    await server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    await server.execute(ANOTHER_EPOCH.format(uuid4().hex), name)
    return server.url(name)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "book.db"
    apart(lambda: asyncio.run(_migrate(_address(file))))
    return file


def _address(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


def _file_of(template: Path, file: Path) -> str:
    shutil.copy(template, file)
    with closing(sqlite3.connect(file)) as book, book:
        book.execute(ANOTHER_EPOCH.format(uuid4().hex))
    return _address(file)


@pytest.fixture
def postgres_url(postgres: Postgres, postgres_template: str) -> str:
    return apart(lambda: asyncio.run(_copy_of(postgres, postgres_template)))


@pytest.fixture
def bare_postgres_url(postgres: Postgres) -> str:
    """Without the schema."""
    return apart(lambda: asyncio.run(postgres.create(f"book_{uuid4().hex}")))


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    return _file_of(sqlite_template, tmp_path / "book.db")


@pytest.fixture
def bare_sqlite_url(tmp_path: Path) -> str:
    """Of a file that is not there yet."""
    return _address(tmp_path / "book.db")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty store of each kind in turn."""
    return str(request.getfixturevalue(f"{request.param}_url"))


def empty_store(request: pytest.FixtureRequest, folder: Path) -> str:
    """Of the kind that a fixture asks for, however long it lives."""
    if request.param == "sqlite":
        return _file_of(request.getfixturevalue("sqlite_template"), folder / "book.db")
    server, template = (request.getfixturevalue(name) for name in ("postgres", "postgres_template"))
    return apart(lambda: asyncio.run(_copy_of(server, template)))


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on each store in turn, with a link for each test that wants one."""
    folder = tmp_path_factory.mktemp("service")
    url = empty_store(request, folder)
    links = [
        f"link-{number}"
        for number, test in enumerate(request.session.items, 1)
        if _wants_a_link(test, request.param)
    ]
    with serving(url, full_floor("main", *links), folder) as service:
        service.next_link()  # main is for tests that change nothing
        yield service


def _wants_a_link(test: pytest.Item, store: str) -> bool:
    return (
        isinstance(test, pytest.Function)
        and {"floor", "service"} <= set(test.fixturenames)
        and store in test.name
    )


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def floor(service: Service) -> Iterator[Floor]:
    """A link of its own for the test; what the service logged meanwhile is told if the test fails."""
    told = len(service.log())
    yield Floor(service, service.next_link())
    said = service.log()[told:]
    sys.stdout.write(said)
    assert "Traceback" not in said
