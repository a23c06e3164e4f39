"""Callers who do not finish what they began: they are not waited for, neither at any time nor at a stop."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.serving import _stop_in_time
from tests.forking import forked
from tests.scrapes import metric
from tests.service import InThread, Served, full_floor, in_thread, serving, token_of
from tests.waiting import PATIENCE, until

TABLE = "main-stud-01"
BETS = f"PUT /v1/tables/{TABLE}/rounds/1/bets"
ROUTES = (BETS, f"POST /v1/tables/{TABLE}/heartbeat", "POST /v1/sessions")
"""A short way in, one through FastAPI, and one for strangers."""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    folder = tmp_path_factory.mktemp("hasty")
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, full_floor("main"), folder, head_seconds=1, body_seconds=0.5) as service:
        yield service


def half_sent(service: Served, route: str) -> socket.socket:
    """A connection with the head of a request, and a part of its body."""
    head = f"{route} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"
    return opened(service, f"{head}Authorization: Bearer {token_of(TABLE)}\r\n\r\n{{".encode())


def opened(service: Served, content: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)
    connection.sendall(content)
    return connection


def all_of(connection: socket.socket) -> bytes:
    """Until the service ends the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("route", ROUTES)
def test_a_half_sent_body_is_refused_when_its_time_is_over(hasty: InThread, route: str) -> None:
    with half_sent(hasty, route) as connection:
        head, _, body = all_of(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408")
    assert b"connection: close" in head.lower()
    assert b"application/problem+json" in head.lower()
    assert json.loads(body)["code"] == "body_timeout"


def test_a_body_that_drips_has_no_more_time_than_one_that_stops(hasty: InThread) -> None:
    with half_sent(hasty, BETS) as connection:
        connection.settimeout(0.05)
        until(lambda: _drips_until_answered(connection))


def _drips_until_answered(connection: socket.socket) -> bool:
    try:
        connection.send(b" ")
        return connection.recv(12) == b"HTTP/1.1 408"
    except TimeoutError:
        return False


def test_a_half_sent_head_is_cut_off_when_its_time_is_over(hasty: InThread) -> None:
    with opened(hasty, f"{BETS} HTTP/1.1\r\nHost: x\r\nAuthor".encode()) as connection:
        assert not all_of(connection)


def test_a_stream_outlasts_the_time_of_a_body(hasty: InThread) -> None:
    with hasty.http.stream("GET", "/v1/links/main/stream") as stream:
        said = stream.iter_text()
        alive = ""
        while ": alive" not in alive:  # two seconds later
            alive += next(said)


def test_who_hangs_up_in_a_body_is_no_mistake_of_ours(hasty: InThread) -> None:
    def cut_off() -> float:
        return metric(hasty.get("/metrics").text, "jackpot_refusals_total", code="body_cut_off")

    before, known = cut_off(), hasty.get("/v1/links/main/meter").json()["sequence"]
    for route in ROUTES[:2]:
        half_sent(hasty, route).close()
    until(lambda: cut_off() == before + 2)
    half_sent(hasty, ROUTES[2]).close()
    assert hasty.get("/v1/links/main/meter").json()["sequence"] == known
    assert "unforeseen" not in hasty.log()
    assert "Traceback" not in hasty.log()


def test_a_stop_ends_whatever_callers_have_begun(sqlite_url: str, tmp_path: Path) -> None:
    """The body alone may take longer than the stop."""
    times = {"JACKPOT_BODY_SECONDS": "600", "JACKPOT_HEAD_SECONDS": "600", "JACKPOT_STOP_SECONDS": "10"}
    with serving(sqlite_url, full_floor("main"), tmp_path, **times) as service:
        listing = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
        connections = [
            *(half_sent(service, route) for route in ROUTES),
            opened(service, f"{BETS} HTTP/1.1\r\nHost: x\r\nAuthor".encode()),
            opened(service, b"GET /v1/links/main/stream HTTP/1.1\r\nHost: x\r\n\r\n"),
            opened(service, listing * 200),  # and never reads the answers
        ]
        until(lambda: metric(service.get("/metrics").text, "jackpot_requests_under_way") >= 5)
        assert service.stop() == 0, service.log()
        for connection in connections:
            connection.close()
        assert "requests were not finished" in service.log()
        assert service.verify().returncode == 0


def test_a_stop_that_hangs_is_ended() -> None:
    process = forked.Process(target=_hangs)
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == 1


def _hangs() -> None:
    _stop_in_time(lambda: time.sleep(3600), 0.2)
