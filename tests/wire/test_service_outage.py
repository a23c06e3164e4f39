"""The database goes away and comes back: the service says so, does nothing by halves, and recovers."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.callers import Floor, done, refused
from tests.conftest import apart, started_postgres
from tests.servers import Postgres
from tests.service import SEED, Service, full_floor, serving
from tests.waiting import until


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    with started_postgres() as server:
        yield server


@pytest.fixture
def lonely(own_postgres: Postgres, tmp_path: Path) -> Iterator[Service]:
    url = apart(lambda: asyncio.run(own_postgres.create("book")))
    with serving(url, full_floor("main"), tmp_path) as service:
        yield service


def test_a_book_that_cannot_commit_is_told_shown_and_recovered_from(
    own_postgres: Postgres, lonely: Service
) -> None:
    floor = Floor(lonely, "main")
    done(floor.stud.bets())
    apart(own_postgres.crash)
    body = floor.stud.bets_body()
    answer = floor.stud.send("bets", body, round=2)
    refused(answer, 503)
    assert int(answer.headers["retry-after"]) >= 1
    assert lonely.get("/healthz").status_code == 200
    unready = lonely.get("/readyz")
    assert unready.status_code == 503
    assert "retry-after" in unready.headers
    stale = _state_becomes(floor, "stale")
    assert stale["value"] == SEED + 200
    apart(own_postgres.start)
    lonely.wait_until_ready()
    _state_becomes(floor, "open")
    again = floor.stud.send("bets", body, round=2)
    assert again.status_code in (200, 201)
    assert floor.meter()["value"] == SEED + 400
    assert lonely.verify().returncode == 0


def _state_becomes(floor: Floor, state: str) -> dict[str, object]:
    until(lambda: floor.meter()["state"] == state, lambda: f"{floor.meter()['state']}, not {state}")
    return floor.meter()


def test_a_read_of_the_book_is_refused_while_it_is_away(own_postgres: Postgres, lonely: Service) -> None:
    own_postgres.stop(signal.SIGQUIT)
    for path in ("/v1/links/main/wins", "/v1/links/main/journal", "/v1/audit"):
        refused(lonely.get(path, "sue"), 503)
