"""More connections than a process may have: tables and people are served first."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from api.http import crowding
from api.http.crowding import OWN, Crowd, close_idle
from tests.callers import Floor, done
from tests.scrapes import metric
from tests.service import TRUST, Served, full_floor, serving, token_of
from tests.waiting import PATIENCE, until

FEW = 256
TOLD = "idle connections are closed, signs and strangers refused"


def test_fewer_connections_are_accepted_than_files_may_be_open() -> None:
    crowd = Crowd()
    assert 0 < crowd.most_connections <= crowd.limit - OWN


def test_a_silent_connection_is_closed_and_one_that_speaks_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowding, "IDLE", 0.3)
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        silent, speaking = (
            opened.enter_context(socket.create_connection(listening.getsockname())) for _ in "12"
        )
        accepted = [opened.enter_context(listening.accept()[0]) for _ in "12"]
        silent.settimeout(PATIENCE)
        until(lambda: _closed(silent, speaking, listening.getsockname()[1]))
        speaking.sendall(b"still here")
        assert accepted[1].recv(100).endswith(b"still here")


def test_of_one_address_the_connections_that_are_silent_longest_are_closed() -> None:
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        where = listening.getsockname()
        mine = [opened.enter_context(socket.create_connection(where, timeout=PATIENCE)) for _ in range(4)]
        accepted = [opened.enter_context(listening.accept()[0]) for _ in mine]
        other = socket.socket()
        other.bind(("127.0.0.2", 0))
        opened.enter_context(other).connect(where)
        accepted.append(opened.enter_context(listening.accept()[0]))
        time.sleep(0.05)  # to the kernel's clock they were all heard at the same time before
        for one in mine[2:]:
            one.sendall(b"still here")
        crowding.close_excess(where[1], 2)
        assert [one.recv(1) for one in mine[:2]] == [b"", b""]
        for number in (2, 3):
            assert accepted[number].recv(100) == b"still here"
        other.sendall(b"here too")
        assert accepted[4].recv(100) == b"here too"
        crowding.close_excess(where[1], 2)
        mine[3].sendall(b".")
        assert accepted[3].recv(1) == b"."


def _closed(silent: socket.socket, speaking: socket.socket, port: int) -> bool:
    speaking.sendall(b".")
    close_idle(port)
    silent.settimeout(0.05)
    try:
        return silent.recv(1) == b""
    except TimeoutError:
        return False


def test_tables_are_served_while_idle_connections_take_all_there_are(sqlite_url: str, tmp_path: Path) -> None:
    with (
        serving(sqlite_url, full_floor("main"), tmp_path, OPEN_FILES=str(FEW)) as service,
        ExitStack() as idle,
    ):
        floor = Floor(service, "main")
        assert metric(service.get("/metrics").text, "jackpot_files_limit") == FEW
        done(floor.stud.bets())

        def crowded() -> bool:
            if metric(service.get("/metrics").text, "jackpot_crowded") == 1:
                return True
            for _ in range(40):
                where = "127.0.0.1", service.port
                idle.enter_context(socket.create_connection(where, timeout=PATIENCE))
            return False

        until(crowded)
        done(floor.stud.hands({}, final=True))
        until(lambda: crowded() and _refused(service, None))
        until(lambda: crowded() and _refused(service, "sign-1"))
        for path, by in (("/healthz", None), ("/v1/links/main/wins", "ada"), ("/v1/links/main/meter", "sue")):
            assert _anew(service, path, by).status_code == 200
        done(floor.stud.bets())
        assert 1 <= service.log().count(TOLD) <= 3  # once a minute
        assert "Too many open files" not in service.log()
        idle.close()
        until(lambda: metric(service.get("/metrics").text, "jackpot_crowded") == 0)
        assert _anew(service, "/v1/links/main/meter", None).status_code == 200
        assert service.stop() == 0, service.log()
        assert service.verify().returncode == 0


def _refused(service: Served, by: str | None) -> bool:
    answer = _anew(service, "/v1/links/main/meter", by)
    if answer.status_code == 200:
        return False
    assert answer.status_code == 503
    assert answer.json()["code"] == "crowded"
    assert answer.headers["retry-after"] == "5"
    assert answer.headers["connection"] == "close"
    return True


def _anew(service: Served, path: str, by: str | None) -> httpx.Response:
    """On a connection of its own."""
    headers = {} if by is None else {"Authorization": f"Bearer {token_of(by)}"}
    return httpx.get(service.base + path, headers=headers, timeout=PATIENCE, verify=TRUST)
