"""Webhooks of several replicas on one book: events keep their order whoever sends; a pause holds for all."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.callers import done
from tests.receiver import HANGS, TAKES, Receiver
from tests.service import Json, Service, full_floor, serving
from tests.waiting import until

LINK = "main"
TABLES = [f"{LINK}-stud-01", f"{LINK}-stud-02", f"{LINK}-holdem-01"]
ENVIRONMENT = {
    "JACKPOT_WEBHOOKS_ALLOW": "127.0.0.1/32",
    "JACKPOT_WEBHOOKS_SECONDS": "30",
    "JACKPOT_WEBHOOKS_RETRY_SECONDS": "0.2",
}


@pytest.fixture
def replicas(postgres_url: str, tmp_path: Path) -> Iterator[list[Service]]:
    floor = full_floor(LINK)
    with ExitStack() as stack:
        found = []
        for name in ("one", "two", "three"):
            folder = tmp_path / name
            folder.mkdir()
            found.append(stack.enter_context(serving(postgres_url, floor, folder, **ENVIRONMENT)))
        yield found


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver(hangs_for=300).start()
    yield one
    one.stop()


def made(service: Service, receiver: Receiver) -> Json:
    body = {"name": "Monitor", "url": receiver.url, "topics": ["openings"], "links": [LINK]}
    return dict(done(service.post("/v1/webhooks", "sue", body))["webhook"])


def turn(service: Service, table: str) -> None:
    for act in ("close", "open"):
        done(service.post(f"/v1/tables/{table}/{act}", "sue", {"reason": "turn"}))


def test_whichever_replica_sends_each_event_comes_in_the_journals_order(
    replicas: list[Service], receiver: Receiver
) -> None:
    made(replicas[0], receiver)
    for _ in range(4):
        for service, table in zip(replicas, TABLES, strict=True):
            turn(service, table)
    until(lambda: len(receiver.ids(LINK)) == 24)
    sequences = [one["sequence"] for one in receiver.firsts(LINK)]
    assert sequences == sorted(sequences)


def test_a_pause_at_any_replica_ends_what_another_is_sending(
    replicas: list[Service], receiver: Receiver
) -> None:
    """Which of them sends is not known, so each is asked in turn, while its event hangs."""
    path = f"/v1/webhooks/{made(replicas[0], receiver)['id']}"
    for number, service in enumerate(replicas, 1):
        receiver.behave = lambda: HANGS
        known = len(receiver.heard)
        turn(service, TABLES[0])
        until(lambda known=known: len(receiver.heard) > known)  # type: ignore[misc]
        done(service.post(f"{path}/pause", "sue"))
        heard = len(receiver.heard)
        receiver.behave = lambda: TAKES
        turn(service, TABLES[1])
        [lane] = done(replicas[number % 3].get(path, "sue"))["lanes"]
        assert lane["waiting_since"] is not None
        assert len(receiver.heard) == heard
        done(replicas[number % 3].post(f"{path}/resume", "sue"))
        until(lambda number=number: len(receiver.ids(LINK)) == 4 * number)  # type: ignore[misc]


def test_a_replica_that_was_asleep_does_not_send_what_another_has_sent_meanwhile(
    postgres_url: str, receiver: Receiver, tmp_path: Path
) -> None:
    """It is stopped in the middle, for longer than it may be sending, and goes on after a pause."""
    short = ENVIRONMENT | {"JACKPOT_WEBHOOKS_SECONDS": "1"}
    floor = full_floor(LINK)
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with serving(postgres_url, floor, tmp_path / "one", **short) as sleeper:
        path = f"/v1/webhooks/{made(sleeper, receiver)['id']}"
        receiver.behave = lambda: HANGS
        turn(sleeper, TABLES[0])
        until(lambda: len(receiver.heard) > 0)
        with serving(postgres_url, floor, tmp_path / "two", **short) as other:
            os.killpg(sleeper.process.pid, signal.SIGSTOP)
            receiver.behave = lambda: TAKES
            until(lambda: len(receiver.ids(LINK)) == 2)
            until(lambda: done(other.get(path, "sue"))["lanes"][0]["waiting_since"] is None)
            done(other.post(f"{path}/pause", "sue"))
            heard = len(receiver.heard)
            turn(other, TABLES[1])
            os.killpg(sleeper.process.pid, signal.SIGCONT)
            until(sleeper.ready)
            assert len(receiver.heard) == heard
            done(sleeper.post(f"{path}/resume", "sue"))
            until(lambda: len(receiver.ids(LINK)) == 4)
    sequences = [one["sequence"] for one in receiver.firsts(LINK)]
    assert sequences == sorted(sequences)
