"""The stores a book is tested on: a file, and a real PostgreSQL that lives as long as its tests."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest
from playwright.sync_api import Browser

from api import logs
from tests.browser import SharedBrowser, shared_chromium
from tests.callers import Floor
from tests.pages import Houses
from tests.servers import Postgres
from tests.service import Service, full_floor, serving
from tests.untraced import untraced

T = TypeVar("T")
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


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    return apart(lambda: asyncio.run(postgres.create(f"book_{uuid4().hex}")))


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty store of each kind in turn."""
    return str(request.getfixturevalue(f"{request.param}_url"))


def empty_store(request: pytest.FixtureRequest, folder: Path) -> str:
    """Of the kind that a fixture asks for, however long it lives."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{folder / 'book.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return apart(lambda: asyncio.run(server.create(f"book_{uuid4().hex}")))


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


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[SharedBrowser]:
    with shared_chromium() as shared:
        yield shared


@pytest.fixture
def browser(shared_browser: SharedBrowser) -> Iterator[Browser]:
    """The worker's only Chromium."""
    with shared_browser.in_use() as browser:
        yield browser


@pytest.fixture(scope="session")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houses]:
    houses = Houses(lambda: tmp_path_factory.mktemp("pages"))
    yield houses
    houses.close()


@pytest.fixture
def house(houses: Houses, request: pytest.FixtureRequest) -> Service:
    """A service for tests of pages, with a link left for a test that wants one."""
    return houses.with_a_link() if "floor" in request.fixturenames else houses.any()


@pytest.fixture
def floor(service: Service) -> Iterator[Floor]:
    """A link of its own for the test; what the service logged meanwhile is told if the test fails."""
    told = len(service.log())
    yield Floor(service, service.next_link())
    said = service.log()[told:]
    sys.stdout.write(said)
    assert "Traceback" not in said
