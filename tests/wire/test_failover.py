"""The primary of two PostgreSQL servers dies under load: nothing answered is lost or doubled, and the service
goes on with the standby by itself."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from tests.book.test_book_failures import cut_all
from tests.callers import refused
from tests.servers import Postgres
from tests.service import TRUST, Forked, Service
from tests.service_load import Controllers, check_answered
from tests.wire.test_service_crash import TABLES, busy_floor, journal_of, more_answers, playing

PATIENCE = 90.0
BACK_WITHIN = 10.0
CALM = 0.1
"""Seconds that a table takes from round to round, once the crash has met all of them at work."""
JOURNAL = "SELECT count(*) FROM journal"
ATTACHED = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
STREAMING = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"


async def until(true: Callable[[], Awaitable[object]], what: str) -> float:
    """Wait for it; the seconds it took."""
    begun = time.monotonic()
    while not await true():
        assert time.monotonic() < begun + PATIENCE, f"not in {PATIENCE} s: {what}"
        await asyncio.sleep(0.02)
    return time.monotonic() - begun


async def joined(primary: Postgres) -> Postgres:
    """A standby that every commit of this primary waits for, from now on."""
    standby = await asyncio.to_thread(Postgres, copy_of=primary)
    try:
        await asyncio.to_thread(standby.start)
        await until(lambda: primary.ask(STREAMING), "the standby streams")
        await primary.wait_for_standbys("*")
        await until(lambda: primary.ask(ATTACHED), "the standby is synchronous")
    except BaseException:
        await asyncio.to_thread(standby.remove)
        raise
    return standby


@asynccontextmanager
async def two_servers() -> AsyncIterator[tuple[Postgres, Postgres]]:
    primary = await asyncio.to_thread(Postgres)
    try:
        await asyncio.to_thread(primary.start)
        await primary.create("book")
        standby = await joined(primary)
        try:
            yield primary, standby
        finally:
            await asyncio.to_thread(standby.remove)
    finally:
        await asyncio.to_thread(primary.remove)


def address(*servers: Postgres) -> str:
    hosts = "&".join(f"host=127.0.0.1:{one.port}" for one in servers)
    return f"postgresql+asyncpg://postgres@/book?{hosts}&target_session_attrs=read-write"


@asynccontextmanager
async def under_load(url: str, folder: Path) -> AsyncIterator[tuple[Service, Controllers]]:
    """At the end every answer is in the journal once, and the journal is right."""
    service = Forked(url, busy_floor(), folder)
    try:
        await asyncio.to_thread(service.start)
        controllers = Controllers(service, TABLES)
        async with playing(controllers):
            await more_answers(controllers, 100)
            yield service, controllers
            await more_answers(controllers, 100)
        assert await asyncio.to_thread(service.stop) == 0
        assert (verified := await asyncio.to_thread(service.verify)).returncode == 0, verified.stdout
        check_answered(await journal_of(url), controllers.answered)
        assert "Traceback" not in service.log()
    finally:
        service.close()


class Watch:
    """What the service says of itself meanwhile."""

    def __init__(self, service: Service) -> None:
        self._http = httpx.AsyncClient(base_url=service.base, timeout=30, verify=TRUST)

    async def ready(self) -> bool:
        answer = await self._http.get("/readyz")
        if answer.status_code != 200:
            refused(answer, 503, "unavailable")
            assert int(answer.headers["retry-after"]) >= 1
        return answer.status_code == 200

    async def unready(self) -> bool:
        return not await self.ready()

    async def stale(self) -> bool:
        return bool((await self._http.get("/v1/links/main/meter")).json()["state"] == "stale")

    async def close(self) -> None:
        await self._http.aclose()


async def test_a_failover_under_load_loses_and_doubles_nothing(tmp_path: Path) -> None:
    async with (
        two_servers() as (first, second),
        under_load(address(first, second), tmp_path) as (
            service,
            controllers,
        ),
    ):
        watch = Watch(service)
        try:
            await asyncio.to_thread(first.crash)
            controllers.pause = CALM
            await until(watch.unready, "not ready without a primary")
            await until(watch.stale, "signs are stale")
            acknowledged = len(controllers.answered)
            await asyncio.to_thread(second.promote)
            promoted = time.monotonic()
            await more_answers(controllers, 1)
            back = time.monotonic() - promoted
            await until(watch.ready, "ready again")
            await the_old_primary_is_left_alone(first, second, controllers)
            await commits_wait_for_a_standby_until_told_not_to(second, watch, controllers)
            await a_new_standby_is_waited_for(second, controllers)
        finally:
            await watch.close()
        sys.stdout.write(f"{acknowledged} answered before, back {back:.1f} s after the promotion\n")
        assert back <= BACK_WITHIN


async def the_old_primary_is_left_alone(old: Postgres, new: Postgres, controllers: Controllers) -> None:
    """Somebody starts it again, as it was. It takes writes, but its time is over."""
    await asyncio.to_thread(old.start)
    try:
        before = await old.ask(JOURNAL, "book")
        await cut_all(new, new.url("book"))
        await more_answers(controllers, 50)
        assert await old.ask(JOURNAL, "book") == before
        assert await new.ask(JOURNAL, "book") >= before + 50
    finally:
        await asyncio.to_thread(old.crash)


async def commits_wait_for_a_standby_until_told_not_to(
    primary: Postgres, watch: Watch, controllers: Controllers
) -> None:
    """What waits is not to be seen either, however impatient the one who sent it."""
    await primary.wait_for_standbys("*")
    await until(watch.unready, "not ready without a standby")
    acknowledged = max(sequence for sequence, _ in controllers.answered.values())
    assert await primary.ask("SELECT max(sequence) FROM journal", "book") == acknowledged
    await primary.wait_for_standbys("")
    await more_answers(controllers, 50)
    await until(watch.ready, "ready again without a standby")


async def a_new_standby_is_waited_for(primary: Postgres, controllers: Controllers) -> None:
    standby = await joined(primary)
    try:
        await more_answers(controllers, 50)
        acknowledged = max(sequence for sequence, _ in controllers.answered.values())
        await until(lambda: _has(standby, acknowledged), "the standby has what was answered")
    finally:
        await primary.wait_for_standbys("")
        await asyncio.to_thread(standby.remove)


async def _has(server: Postgres, sequence: int) -> bool:
    return bool(await server.ask(f"SELECT max(sequence) >= {sequence} FROM journal", "book"))  # noqa: S608
