"""Streams and long polls: they end with the token or the session they were opened with, and are counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from api.callers import identity
from api.callers.identity import REFRESHED_EVERY
from api.routing import auth, streaming
from api.routing.auth import ASKED_AGAIN_EVERY, COOKIE
from api.routing.streaming import KEEPALIVE
from jackpot.book.beside.identities import revoke_credential
from jackpot.book.stores.schema import sessions
from tests.in_process import LINK, House, bearer, floor_text, held, house
from tests.in_process import streaming as opened
from tests.service import PASSWORD, full_floor, serving
from tests.waiting import until

METER = "/v1/links/main/meter"
STREAM = "/v1/links/main/stream"
TABLE_STREAM = "/v1/tables/stud-01/stream"
HOUSE_STREAM = "/v1/house/stream"
PRIVATE = floor_text().replace(LINK, LINK + "public_readings = false\n")


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(sqlite_url, tmp_path, PRIVATE) as found:
        yield found


async def revoke(at: House, name: str) -> None:
    """As `jackpot token revoke` does, from outside of the service."""
    async with at.service.book.store.transaction() as connection:
        assert await revoke_credential(connection, name, at=at.service.book.clock.now())


async def log_in(at: House, name: str) -> dict[str, str]:
    """The headers of a page of that session."""
    answer = await at.client.post("/v1/sessions", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 201
    cookie = f"{COOKIE}={answer.cookies[COOKIE]}"
    at.client.cookies.clear()
    return {"Cookie": cookie, "X-CSRF-Token": answer.json()["csrf"]}


# The end of a token, and of a session


@pytest.mark.parametrize(
    ("path", "name"), [(STREAM, "sign-1"), (TABLE_STREAM, "stud-01"), (HOUSE_STREAM, "sue")]
)
async def test_a_stream_ends_with_its_token(at: House, path: str, name: str) -> None:
    async with opened(at, path, **bearer(name)) as stream, opened(at, path, **bearer("otto")) as other:
        assert await stream.event() is not None
        assert await other.event() is not None
        await revoke(at, name)
        await stream.ended()
        assert not other.task.done()
    assert (await at.say("GET", path, name)).status_code == 401


async def test_streams_end_when_their_person_logs_out_or_the_session_is_over(at: House) -> None:
    sue = await log_in(at, "sue")
    otto = await log_in(at, "otto")
    async with (
        opened(at, HOUSE_STREAM, Cookie=sue["Cookie"]) as console,
        opened(at, STREAM, Cookie=sue["Cookie"]) as sign,
        opened(at, HOUSE_STREAM, Cookie=otto["Cookie"]) as of_otto,
    ):
        for stream in (console, sign, of_otto):
            assert await stream.event() is not None
        assert (await at.client.delete("/v1/sessions", headers=sue)).status_code == 204
        await console.ended()
        await sign.ended()
        assert not of_otto.task.done()
        async with at.service.book.store.transaction() as connection:
            over = update(sessions).values(expires_at=at.service.book.clock.now())
            await connection.execute(over)
        await of_otto.ended()


async def test_a_poll_that_waits_ends_with_its_token(at: House) -> None:
    sequence = (await at.say("GET", METER, "sign-1")).json()["sequence"]
    path = f"{METER}?after={sequence}&wait=60"
    waiting = asyncio.create_task(at.say("GET", path, "sign-1"))
    other = asyncio.create_task(at.say("GET", path, "sign-other"))
    await held(at, waiting)
    await revoke(at, "sign-1")
    refused = await asyncio.wait_for(waiting, 50)
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
    assert not other.done()
    await at.close_bets("stud-01", 1)
    assert (await asyncio.wait_for(other, 60)).json()["sequence"] > sequence


def test_what_is_waited_for_until_a_stream_ends_is_less_than_five_seconds() -> None:
    """A revocation is seen, the stream says something, and it is time to ask again."""
    assert REFRESHED_EVERY + KEEPALIVE + ASKED_AGAIN_EVERY < 5


async def test_a_stream_that_everybody_may_read_outlives_every_token(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "ASKED_AGAIN_EVERY", 0)
    async with house(sqlite_url, tmp_path) as at, opened(at, STREAM, **bearer("sign-1")) as stream:
        assert await stream.event() is not None
        await revoke(at, "sign-1")
        await at.service.identity.refresh()
        await at.close_bets("stud-01", 1)
        assert await stream.event() is not None


async def test_a_stream_goes_on_while_nobody_can_ask_the_book_who_reads_it(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has to say that its reading is stale."""
    monkeypatch.setattr(streaming, "ASKED_AGAIN_EVERY", 0)
    sue = await log_in(at, "sue")
    async with opened(at, STREAM, Cookie=sue["Cookie"]) as stream:
        assert await stream.event() is not None
        with monkeypatch.context() as trouble:
            trouble.setattr(auth, "_caller_of", _gone)
            assert await stream.chunk() == ": alive\n\n"
        await at.close_bets("stud-01", 1)
        assert await stream.event() is not None


async def _gone(*_: Any) -> Any:
    raise OSError("the store is gone")


# How many an address may have


async def test_who_hangs_up_while_it_is_asked_who_he_is_cuts_no_line_to_the_store(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on, found = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(*_: object) -> None:
        asked.set()
        await go_on.wait()
        found.set()

    monkeypatch.setattr(identity, "find_session", slow)
    asking = asyncio.create_task(at.service.identity.of_session("somebody's"))
    await asked.wait()
    asking.cancel()
    await asyncio.wait({asking})
    go_on.set()
    async with asyncio.timeout(60):
        await found.wait()


async def test_an_address_has_so_many_streams_and_no_more(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, streams_per_address=2) as at, AsyncExitStack() as signs:
        first = await signs.enter_async_context(opened(at, STREAM))
        second = await signs.enter_async_context(opened(at, TABLE_STREAM))
        assert await first.event() is not None
        assert await second.event() is not None
        for path, who in ((STREAM, {}), (TABLE_STREAM, {}), (HOUSE_STREAM, bearer("sue"))):
            async with opened(at, path, **who) as refused:
                said = json.loads(await refused.chunk())
            assert (refused.status, said["code"]) == (429, "too_many_streams")
            assert int(refused.headers["retry-after"]) >= 1
        elsewhere = await signs.enter_async_context(opened(at, STREAM, client="192.0.2.1"))
        assert await elsewhere.event() is not None
        assert (await at.client.get(METER)).status_code == 200
        first.task.cancel()
        await asyncio.wait([first.task])
        again = await signs.enter_async_context(opened(at, STREAM))
        assert await again.event() is not None


def test_a_sign_that_goes_leaves_its_place_to_the_next(sqlite_url: str, tmp_path: Path) -> None:
    """As the server sees it: a connection that was cut."""
    with serving(sqlite_url, full_floor("main"), tmp_path, JACKPOT_STREAMS_PER_ADDRESS="1") as service:
        with service.http.stream("GET", STREAM) as first:
            lines = first.iter_lines()  # kept: a generator that is dropped cuts its connection
            next(lines)
            refused = service.get(STREAM)
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")

        def admitted() -> bool:
            with service.http.stream("GET", STREAM) as next_one:
                return next_one.status_code == 200

        until(admitted)


async def test_addresses_of_one_network_of_ipv6_are_one_callers(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, streams_per_address=1) as at, AsyncExitStack() as signs:
        for client, status in (
            ("2001:db8:1:2::1", 200),
            ("2001:db8:1:2:ffff::2", 429),
            ("2001:db8:1:3::1", 200),
            ("192.0.2.1", 200),
            ("::ffff:192.0.2.1", 429),
        ):
            stream = await signs.enter_async_context(opened(at, STREAM, client=client))
            await stream.chunk()
            assert stream.status == status, client


async def test_an_address_has_so_many_polls_that_wait_and_no_more(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, waits_per_address=2) as at:
        sequence = (await at.client.get(METER)).json()["sequence"]
        path = f"{METER}?after={sequence}&wait=60"
        waiting = [asyncio.create_task(at.client.get(path)) for _ in range(2)]
        for one in waiting:
            await held(at, one)
        answer = await at.client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_waits")
        assert int(answer.headers["retry-after"]) >= 1
        assert (await at.client.get(METER)).status_code == 200, "who does not wait takes no place"
        assert (await at.client.get(f"{METER}?after=0&wait=60")).status_code == 200
        await at.close_bets("stud-01", 1)
        for one in waiting:
            assert (await asyncio.wait_for(one, 60)).status_code == 200
        assert (await at.client.get(f"{METER}?after={sequence + 9}&wait=0.1")).status_code == 200


async def test_without_a_limit_there_is_none(sqlite_url: str, tmp_path: Path) -> None:
    none: dict[str, Any] = {"streams_per_address": 0, "waits_per_address": 0}
    async with house(sqlite_url, tmp_path, **none) as at, AsyncExitStack() as signs:
        for _ in range(20):
            stream = await signs.enter_async_context(opened(at, STREAM))
            assert await stream.event() is not None
