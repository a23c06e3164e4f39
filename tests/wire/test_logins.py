"""Passwords that are guessed: each attempt is counted before it is tried, for all replicas together."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from api.app import create_app
from api.callers import passwords
from jackpot.book.stores.schema import attempts
from jackpot.core.instants import SECOND
from tests.in_process import House, house
from tests.service import PASSWORD

FREE = 5
SESSIONS = "/v1/sessions"
WRONG = "wrong"
HERE, ELSEWHERE = "10.0.0.1", "10.0.0.2"


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    async with house(sqlite_url, tmp_path) as found:
        stand_still(found, monkeypatch)
        yield found


def stand_still(at: House, monkeypatch: pytest.MonkeyPatch, *, after: float = 0) -> None:
    """House time goes on when the test says so: no pause is over because the machine is slow."""
    now = at.service.book.clock.now() + round(after * SECOND)
    monkeypatch.setattr(at.service.book.clock, "now", lambda: now)


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were hashed."""
    found: list[str] = []
    verify = passwords._verify

    def noted(known: str, given: str) -> bool:
        found.append(given)
        return verify(known, given)

    monkeypatch.setattr(passwords, "_verify", noted)
    return found


def caller(at: House, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(create_app(at.service), client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://house.test")


async def log_in(client: httpx.AsyncClient, name: str = "sue", password: str = WRONG) -> httpx.Response:
    return await client.post(SESSIONS, json={"name": name, "password": password})


def codes(answers: list[httpx.Response]) -> set[str]:
    return {one.json()["code"] for one in answers}


async def test_of_sixty_wrong_logins_at_once_only_the_free_ones_are_tried(
    at: House, tried: list[str]
) -> None:
    answers = await asyncio.gather(*(log_in(at.client) for _ in range(60)))
    assert len(tried) == FREE
    assert sorted(one.status_code for one in answers) == [401] * FREE + [429] * (60 - FREE)
    assert codes(answers) == {"login_failed", "login_throttled", "login_busy"}


async def test_replicas_count_together(
    postgres_url: str, tmp_path: Path, tried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(postgres_url, tmp_path) as one, house(postgres_url, tmp_path) as other:
        for at in (one, other):
            stand_still(at, monkeypatch)
        await asyncio.gather(*(log_in(at.client) for _ in range(20) for at in (one, other)))
    assert len(tried) == FREE


async def test_a_strangers_failures_keep_out_only_the_stranger(at: House) -> None:
    async with caller(at, ELSEWHERE) as stranger, caller(at, HERE) as sue:
        for _ in range(FREE):
            assert (await log_in(stranger)).status_code == 401
        throttled = await log_in(stranger, "SUE", PASSWORD)
        assert (throttled.status_code, throttled.json()["code"]) == (429, "login_throttled")
        assert throttled.headers["retry-after"] == "1"
        assert (await log_in(sue, "sue", PASSWORD)).status_code == 201
        assert (await log_in(stranger, "otto", PASSWORD)).status_code == 201, "other names are not kept out"


async def test_an_address_that_tries_many_names_is_stopped_too(at: House) -> None:
    async with caller(at, ELSEWHERE) as stranger, caller(at, HERE) as sue:
        for number in range(4 * FREE):
            assert (await log_in(stranger, f"person {number}")).status_code == 401
        assert (await log_in(stranger, "ada", PASSWORD)).status_code == 429
        assert (await log_in(sue, "sue", PASSWORD)).status_code == 201


async def test_each_failure_doubles_the_pause_until_all_is_forgotten(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(FREE):
        await log_in(at.client)
    for pause in (1, 2, 4):
        assert (await log_in(at.client)).headers["retry-after"] == str(pause)
        stand_still(at, monkeypatch, after=pause)
        assert (await log_in(at.client)).status_code == 401
    stand_still(at, monkeypatch, after=901)
    assert [(await log_in(at.client)).status_code for _ in range(FREE + 1)] == [401] * FREE + [429]


async def test_what_is_counted_says_nobodys_name_and_is_removed(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await log_in(at.client)
    before = await counted(at)
    assert [one[1] for one in before] == [1, 1]
    assert all(re.fullmatch("[0-9a-f]{64}", one[0]) for one in before)
    stand_still(at, monkeypatch, after=901)
    async with caller(at, ELSEWHERE) as other:
        await log_in(other, "otto")
    assert not {one[0] for one in before} & {one[0] for one in await counted(at)}


async def test_a_login_that_succeeds_was_no_failure(at: House) -> None:
    for _ in range(3):
        for _ in range(FREE - 1):
            assert (await log_in(at.client)).status_code == 401
        assert (await log_in(at.client, "sue", PASSWORD)).status_code == 201
    assert [one[1] for one in await counted(at)] == [3 * (FREE - 1)], "of the address alone"


async def counted(at: House) -> list[Any]:
    async with at.service.book.store.reading() as connection:
        return [tuple(row) for row in await connection.execute(select(attempts))]


async def test_a_login_that_cannot_be_counted_is_not_tried(
    at: House, tried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> Any:
        raise OSError("gone")

    with monkeypatch.context() as trouble:
        trouble.setattr(at.service.book.store, "transaction", gone)
        answer = await log_in(at.client, "sue", PASSWORD)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert tried == []
    assert (await log_in(at.client, "sue", PASSWORD)).status_code == 201


async def test_logins_that_wait_are_few_and_one_address_is_not_all_of_them(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from api.callers.throttle import MOST_AT_ONCE, MOST_OF_ADDRESS

    hashing = threading.Event()
    verify = passwords._verify

    def slow(known: str, given: str) -> bool:
        hashing.wait(60)
        return verify(known, given)

    monkeypatch.setattr(passwords, "_verify", slow)
    waiting: list[asyncio.Task[httpx.Response]] = []

    async def filled(client: httpx.AsyncClient) -> None:
        several = [asyncio.create_task(log_in(client, f"{at}")) for at in range(MOST_OF_ADDRESS + 1)]
        done, _ = await asyncio.wait(several, return_when=asyncio.FIRST_COMPLETED)
        assert [one.result().json()["code"] for one in done] == ["login_busy"]
        waiting.extend(several)

    clients = [caller(at, f"10.0.1.{number}") for number in range(MOST_AT_ONCE // MOST_OF_ADDRESS)]
    try:
        for client in clients:
            await filled(client)
        refused = await log_in(at.client, "sue", PASSWORD)
        assert (refused.status_code, refused.json()["code"]) == (429, "login_busy")
    finally:
        hashing.set()
        await asyncio.gather(*waiting)
        for client in clients:
            await client.aclose()
    assert (await log_in(at.client, "sue", PASSWORD)).status_code == 201
