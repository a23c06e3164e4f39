"""The stores a book is tested on: a file, and a real PostgreSQL that lives as long as its tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest

from tests.servers import Postgres

T = TypeVar("T")


def apart(work: Callable[[], T]) -> T:
    """Do it in another thread: it may run a loop of its own, whatever loop the test has."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    try:
        apart(server.start)
        yield server
    finally:
        server.remove()


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
