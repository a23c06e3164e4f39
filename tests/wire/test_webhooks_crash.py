"""Webhooks while receiver and service are killed: every event at least once, in order, none after a pause."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx
import pytest

from jackpot.book.webhooks.outbox import kinds_of
from jackpot.machine.event import Topic
from tests.callers import done
from tests.effort import times
from tests.receiver import FAILS, HANGS, HANGS_UP, TAKES, Receiver
from tests.service import Forked, Json, Service, full_floor, tables_of
from tests.waiting import until

EVENTS = times(160)
KILLS = min(times(1) + 1, 10)
"""Of the service, and as often of the receiver."""
PAUSED = 16
"""Events in each pause."""
LINKS = ("main", "other")
TOPICS = (Topic.OPENINGS, Topic.WINS)
ENVIRONMENT = {
    "JACKPOT_WEBHOOKS_ALLOW": "127.0.0.1/32",
    "JACKPOT_WEBHOOKS_SECONDS": "1",
    "JACKPOT_WEBHOOKS_RETRY_SECONDS": "0.2",
}


class House:
    """Closes and opens tables, each act until it is answered, whatever becomes of the service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._turns = {table: 0 for link in LINKS for table in tables_of(link)[:2]}

    @contextmanager
    def playing(self, acts: int) -> Iterator[None]:
        """So many acts, each an event, while the block runs; it ends when they are done."""
        each = acts // len(self._turns)
        threads = [threading.Thread(target=self._play, args=(table, each)) for table in self._turns]
        for one in threads:
            one.start()
        yield
        for one in threads:
            one.join()

    def _play(self, table: str, acts: int) -> None:
        for _ in range(acts):
            act, key = ("close", "open")[self._turns[table] % 2], f"{table} {self._turns[table]}"
            until(lambda act=act, key=key: self._acted(table, act, key))  # type: ignore[misc]
            self._turns[table] += 1

    def _acted(self, table: str, act: str, key: str) -> bool:
        body, headers = {"reason": "turn"}, {"Idempotency-Key": key}
        try:
            answer = self._service.post(f"/v1/tables/{table}/{act}", "sue", body, headers=headers)
        except httpx.TransportError:
            return False
        assert answer.status_code in (200, 503), answer.text
        return answer.status_code == 200


def moody(rng: Random) -> int:
    return rng.choices((TAKES, FAILS, HANGS_UP, HANGS), (180, 10, 9, 1))[0]


def journal(service: Service, link: str) -> list[Json]:
    found: list[Json] = []
    after: int | None = 0
    while after is not None:
        page = done(service.get(f"/v1/links/{link}/journal", "ada", params={"after": after, "limit": 500}))
        found, after = found + page["entries"], page["next"]
    return found


def wanted(service: Service, link: str, after: int) -> list[str]:
    """The ids of all events since, as the journal has them."""
    kinds = kinds_of(frozenset(TOPICS))
    told = [one for one in journal(service, link) if one["sequence"] > after and one["kind"] in kinds]
    return [f"{link}.{one['sequence']}.{one['hash'][:8]}" for one in told]


@contextmanager
def served(url: str, folder: Path) -> Iterator[Service]:
    service = Forked(url, full_floor(*LINKS), folder, **ENVIRONMENT)
    try:
        service.start()
        yield service
    finally:
        service.close()


def again(service: Service) -> None:
    service.kill()
    service.start()


def check_nothing_follows_a_pause(
    service: Service, receiver: Receiver, path: str, house: House, *, killed: bool
) -> None:
    """Although much happens, and although the service may be killed and started meanwhile."""
    done(service.post(f"{path}/pause", "tom"))
    heard = len(receiver.heard)
    with house.playing(PAUSED):
        if killed:
            again(service)
    lanes = done(service.get(path, "sue"))["lanes"]
    assert all(one["waiting_since"] is not None for one in lanes)
    assert len(receiver.heard) == heard
    done(service.post(f"{path}/resume", "tom"))


@pytest.mark.timeout(3600)
def test_nothing_is_lost_or_overtaken_whoever_is_killed_and_nothing_follows_a_pause(
    url: str, tmp_path: Path
) -> None:
    rng = Random(f"webhooks {EVENTS}")
    receiver = Receiver(behave=lambda: moody(rng), hangs_for=5).start()
    with served(url, tmp_path) as service:
        body = {"name": "Monitor", "url": receiver.url, "topics": TOPICS, "links": LINKS}
        hook = done(service.post("/v1/webhooks", "sue", body))["webhook"]
        began = {one["link"]: one["sequence"] for one in hook["lanes"]}
        path, house = f"/v1/webhooks/{hook['id']}", House(service)
        for number in range(KILLS):
            mark = len(receiver.heard) + EVENTS // (2 * KILLS)
            with house.playing(EVENTS // KILLS - PAUSED):
                wait_for(lambda: len(receiver.heard), mark)
                again(service)
                receiver.stop()
                time.sleep(rng.uniform(0, 0.5))
                receiver.start()
            check_nothing_follows_a_pause(service, receiver, path, house, killed=number % 2 == 1)
        expected = {link: wanted(service, link, began[link]) for link in LINKS}
        for link, ids in expected.items():
            wait_for(lambda link=link: len(receiver.ids(link)), len(ids))  # type: ignore[misc]
            assert receiver.ids(link) == ids
        until(lambda: all(one["waiting_since"] is None for one in done(service.get(path, "sue"))["lanes"]))
    receiver.stop()
    count, heard = sum(map(len, expected.values())), len(receiver.heard)
    assert count == KILLS * (EVENTS // KILLS // 4 * 4)
    assert heard > count  # some came again, or this proves little
    sys.stdout.write(
        f"{count} events on {len(LINKS)} links, {heard} requests, {KILLS} kills of the service and as many "
        f"of the receiver, {KILLS} pauses: every event at least once, in order, none after a pause\n"
    )


def wait_for(count: Callable[[], int], wanted: int) -> None:
    """However long it takes, as long as more come."""
    while (known := count()) < wanted:
        until(lambda known=known: count() > known)  # type: ignore[misc]
