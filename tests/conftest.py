"""The stores a book is tested on: a file, and a real PostgreSQL that lives as long as its tests."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import shutil
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TypeVar
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser

import jackpot
from api.http import logs
from displays.hub import hub, redis_relay
from jackpot.book.stores import postgres_servers, sqlite_lines
from jackpot.book.stores.addresses import store_of
from jackpot.book.writing import clock, write_probe, writer
from tests.browser import SharedBrowser, shared_chromium
from tests.callers import Floor
from tests.forking import end_server
from tests.garbage import settle_down
from tests.pages import Houses
from tests.servers import Postgres
from tests.service import InThread, Served, full_floor
from tests.untraced import Eyes, traced, untraced
from tests.virtual_time import VirtualLoop

T = TypeVar("T")
LINKS_AT_ONCE = 16
"""Of one service for tests: each more makes its start longer, each start takes its time."""
ANOTHER_EPOCH = "UPDATE house SET epoch = '{}'"
"""No two books have the same, or whoever knows both takes one for the other."""
HERE = Path(__file__).parent
MEASURED = HERE / "rules"
"""Coverage is a matter of the rules; to trace a service or a browser measures nothing, and takes its time."""
EYES = pytest.StashKey[Eyes]()


# How long an example takes says something of the machine, and nothing of the rule it tries.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_sessionstart() -> None:
    logs.configure("info")  # as a service does; structlog by itself shows every variable of a traceback
    logging.getLogger("httpx").setLevel(logging.WARNING)  # the tests' own calls


def pytest_sessionfinish() -> None:
    end_server()


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """For everybody the usual loop, but for who asks for virtual time."""
    virtual = item.get_closest_marker("virtual_time") is not None
    return {"virtual": VirtualLoop} if virtual else {"real": asyncio.new_event_loop}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """The rules are imported under the eyes of coverage, and all the rest of what tests import is not."""
    for module in walk_packages(jackpot.__path__, "jackpot."):
        if not module.name.startswith(("jackpot.book", "jackpot.client")):
            import_module(module.name)
    with untraced(), compiled_once():
        return (yield)


@contextmanager
def compiled_once() -> Iterator[None]:
    """In a new checkout one worker finds the tests first, and the others find them compiled: to compile all
    takes as long as to find them."""
    tests = sorted(MEASURED.glob("test_*.py"))
    if len(list((MEASURED / "__pycache__").glob("test_*-pytest-*.pyc"))) >= len(tests):
        yield
        return
    with Path(__file__).open() as ours:
        try:
            fcntl.flock(ours, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(ours, fcntl.LOCK_SH)
            fcntl.flock(ours, fcntl.LOCK_UN)
        yield


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Neither who hands out the tests is traced nor what is done between two of them."""
    session.config.stash[EYES] = Eyes()
    with untraced():
        return (yield)


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: to look through all of it for garbage took a tenth of
    the time."""
    settle_down()


SECONDS = {
    "screens": 360,
    "book/test_book_contract": 72,
    "book/test_hung_disk": 25,
    "book/test_upgrade": 60,
    "wire/test_faults": 53,
    "wire/test_schemathesis": 46,
    "client/test_client_faults": 44,
    "wire/test_failover": 41,
    "project/test_wheel": 41,
    "book/test_rebuild": 37,
    "wire/test_burst": 37,
    "book/test_book_failures": 36,
    "project/test_alerts": 35,
    "book/test_selfcheck": 34,
    "book/test_book_clock": 33,
    "client/test_blackjack_client": 33,
    "project/test_first_jackpot": 29,
    "wire/test_blackjack_wire": 29,
    "wire/test_hostile_calls": 28,
    "project/test_cli": 28,
    "book/test_book_verify": 28,
    "wire/test_hub_redis": 28,
    "project/test_math_commands": 27,
    "wire/test_service_crash": 26,
    "project/test_helm": 26,
    "wire/test_streams": 26,
    "rules/test_evaluator": 25,
    "rules/test_naive_blackjack": 23,
    "book/test_book_crash": 22,
    "wire/test_house_routes": 22,
    "project/test_helm_pod": 21,
    "wire/test_records": 20,
    "wire/test_service_outage": 20,
    "rules/test_house_edge": 20,
    "project/test_demo": 20,
    "wire/test_hostile_input": 19,
    "book/test_book_replicas": 18,
    "wire/test_house_clock": 18,
    "wire/test_metrics": 17,
    "wire/test_slow_callers": 17,
    "rules/test_blackjack_edge": 17,
    "rules/test_simulation": 16,
    "wire/test_contract_floor_file": 16,
    "book/test_old_books": 15,
    "book/test_house_clock_set": 15,
    "wire/test_pits_house": 15,
    "book/test_primary": 15,
    "wire/test_dishonest_tables": 14,
    "book/test_database_role": 14,
    "wire/test_floor_file": 14,
    "wire/test_hub": 14,
    "book/test_house_time_majors": 14,
    "wire/test_identity": 13,
}
"""Of the files that take longest, roughly, beside others; and of all that share a browser."""
USUAL = 0.3


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each worker gets a part of the list: its share of the long files first, and at the end many short
    tests of the rules, which others take from it when they have nothing left to do."""
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(_file(item), []).append(item)
    seconds = {file: SECONDS.get(file, USUAL * len(tests)) for file, tests in files.items()}
    short = [file for file in files if file.startswith("rules/") and file not in SECONDS]
    shares = [Share() for _ in range(_workers(config))]
    for file in sorted(files.keys() - set(short), key=lambda one: (-seconds[one], one)):
        least = min(shares, key=lambda share: share.seconds)
        least.seconds += seconds[file]
        least.tests += files[file]
    rest = [item for file in short for item in files[file]]
    for left, share in zip(range(len(shares), 0, -1), shares, strict=True):
        waiting = len(rest) + sum(len(one.tests) for one in shares[-left:])
        missing = max(0, waiting // left - len(share.tests))
        share.tests += rest[:missing]
        del rest[:missing]
    items[:] = [*(item for share in shares for item in share.tests), *rest]


@dataclass
class Share:
    seconds: float = 0.0
    tests: list[pytest.Item] = field(default_factory=list)


def _file(item: pytest.Item) -> str:
    name = item.path.relative_to(HERE).with_suffix("").as_posix()
    return "screens" if name.startswith("screens/") else name


def _workers(config: pytest.Config) -> int:
    return int(getattr(config, "workerinput", {}).get("workercount", 1))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    spared = any(item.get_closest_marker(mark) is not None for mark in ("proof", "untraced"))
    measured = item.path.is_relative_to(MEASURED) and not spared
    with traced(item.config.stash[EYES]) if measured else untraced():
        return (yield)


def apart(work: Callable[[], T]) -> T:
    """Do it in another thread: it may run a loop of its own, whatever loop the test has."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


@pytest.fixture(scope="session", autouse=True)
def unhurried() -> Iterator[None]:
    """In this process nobody loses patience because the machine is slow, also between two tests, when a
    service that they share goes on; whose patience is tested sets it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(hub, "STALE_AFTER", 3600.0)
        patched.setattr(clock, "JOINING", 0.0)
        for patient in (redis_relay, write_probe, writer):
            patched.setattr(patient, "PATIENCE", 60.0)
        patched.setattr(write_probe, "HANGS_AFTER", 3600.0)
        for limit in ("CONNECT_TIMEOUT", "READ_TIMEOUT", "WRITE_TIMEOUT", "LOCK_TIMEOUT", "IDLE_TIMEOUT"):
            patched.setattr(postgres_servers, limit, 60)
        for limit in ("READ_TIMEOUT", "WRITE_TIMEOUT"):
            patched.setattr(sqlite_lines, limit, 60)
        yield


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
        await store.migrate()
    finally:
        await store.close()
    return url


# Stores. Each has the schema already, copied from one that was migrated once: that takes a tenth of the time.
# Whoever tests how the schema is made asks for a bare one.


def made_template(server: Postgres) -> str:
    """A database with the schema of a book and nothing else."""

    async def make() -> None:
        await _migrate(await server.create("jackpot_template"))

    apart(lambda: asyncio.run(make()))
    return "jackpot_template"


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> str:
    return made_template(postgres)


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


class Floors:
    """Links for the tests of one worker, each used by one test: a service with a few, and another when
    those are used up. The link `main` is for tests that change nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._served: InThread | None = None

    def service(self) -> InThread:
        if self._served is None:
            self._served = self._started()
        return self._served

    def next_floor(self) -> Floor:
        try:
            return Floor(self.service(), self.service().next_link())
        except StopIteration:
            self.close()
            return self.next_floor()

    def _started(self) -> InThread:
        self._number += 1
        folder = self._folder / str(self._number)
        folder.mkdir()
        links = [f"link-{number}" for number in range(1, LINKS_AT_ONCE + 1)]
        floor = full_floor("main", *links).add_gateway()
        served = InThread(f"sqlite+aiosqlite:///{folder / 'book.db'}", floor, folder)
        served.start()
        assert served.next_link() == "main"
        return served

    def close(self) -> None:
        if self._served is not None:
            self._served.close()
            self._served = None


@pytest.fixture(scope="session")
def floors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floors]:
    made = Floors(tmp_path_factory.mktemp("floors"))
    yield made
    made.close()


@pytest.fixture
def service(floors: Floors) -> InThread:
    return floors.service()


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
def house(houses: Houses, request: pytest.FixtureRequest) -> Served:
    """A service for tests of pages, with a link left for a test that wants one."""
    return houses.with_a_link() if "floor" in request.fixturenames else houses.any()


@pytest.fixture
def floor(floors: Floors) -> Iterator[Floor]:
    """A link of its own for the test; what the service logged meanwhile is told if the test fails."""
    floor = floors.next_floor()
    told = len(floor.service.log())
    yield floor
    said = floor.service.log()[told:]
    sys.stdout.write(said)
    assert "Traceback" not in said
