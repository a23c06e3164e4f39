"""A service of two replicas on PostgreSQL and Redis, and what may befall it.

Each fault is a context: inside it that replica goes on which is handed out, or nobody can and both say so;
after it all is as it was before.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx

from jackpot.book.beside.anchors import new_key
from tests.conftest import started_postgres
from tests.proxy import Lossy, lossy
from tests.servers import Postgres, Redis
from tests.service import TRUST, FloorFile, Forked, Served, Service, full_floor
from tests.waiting import eventually

FIRST, SECOND = ["stud-01", "stud-02"], ["stud-03", "stud-04"]
"""The tables of each replica."""
PROBE = "stud-05"
"""A table of nobody's, to find out when the link commits again."""
ROW_HELD = b"SELECT 1\0Z\0\0\0\5T"
"""A server's answer: one row, and the transaction goes on. The row may be the link's."""
HOLDS_ROW = """
SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE relation = 'links'::regclass AND mode = 'RowShareLock' AND usename = 'second'
    AND state = 'idle in transaction'
"""
BOOK = "book"


class Volume:
    """Where anchors are kept: a file, or while it hangs a pipe that is full."""

    def __init__(self, folder: Path) -> None:
        self.file, self.key = folder / "anchors.jsonl", folder / "anchor.pem"
        self._disk, self._pipe = folder / "disk.jsonl", folder / "pipe"
        new_key(self.key)
        self._disk.touch()
        os.mkfifo(self._pipe)
        self.mend()

    def _point_to(self, target: Path) -> None:
        link = self.file.with_suffix(".new")
        link.symlink_to(target)
        link.replace(self.file)

    def mend(self) -> None:
        self._point_to(self._disk)

    @contextlib.contextmanager
    def hanging(self) -> Iterator[None]:
        end = os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK)
        try:
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.write(end, b"." * 512)
            self._point_to(self._pipe)
            yield
        finally:
            self.mend()
            with contextlib.suppress(BlockingIOError):
                while os.read(end, 65536):
                    pass
            os.close(end)


@dataclass(frozen=True)
class Replicas:
    postgres: Postgres
    redis: Redis
    way: Lossy
    """Between the second replica and PostgreSQL."""
    volume: Volume
    """Of the first."""
    first: Service
    second: Service

    async def row_is_held(self) -> bool:
        """By the second: its transaction goes on, and the row is nobody else's before it ends."""
        return bool(await self.postgres.ask(HOLDS_ROW, BOOK))


def floor_of_five() -> FloorFile:
    floor = full_floor()
    floor.add_link("main")
    for table in [*FIRST, *SECOND, PROBE]:
        floor.add_table(table, "main")
    return floor


@asynccontextmanager
async def two_replicas(folder: Path) -> AsyncIterator[Replicas]:
    async with AsyncExitStack() as several:
        postgres = several.enter_context(started_postgres())
        await postgres.create(BOOK)
        await postgres.execute("CREATE ROLE second LOGIN SUPERUSER")
        redis = Redis()
        several.callback(redis.kill)
        await asyncio.to_thread(redis.start)
        way = await several.enter_async_context(lossy(postgres.port))
        behind = f"postgresql+asyncpg://second@127.0.0.1:{way.port}/{BOOK}"
        services = []
        volume = Volume(folder)
        anchored = {"JACKPOT_ANCHORS": str(volume.file), "JACKPOT_ANCHOR_KEY": str(volume.key)}
        for name, url, more in (("first", postgres.url(BOOK), anchored), ("second", behind, {})):
            (folder / name).mkdir()
            service = Forked(url, floor_of_five(), folder / name, JACKPOT_REDIS_URL=redis.url, **more)
            several.callback(service.close)
            await asyncio.to_thread(service.start)
            services.append(service)
        yield Replicas(postgres, redis, way, volume, *services)


# What a replica says of itself


async def told(service: Served) -> None:
    """Until it says that it cannot commit, and its signs that they may be wrong."""
    async with httpx.AsyncClient(base_url=service.base, timeout=30, verify=TRUST) as http:

        async def unready() -> bool:
            return (await http.get("/readyz")).status_code == 503

        async def stale() -> bool:
            return bool((await http.get("/v1/links/main/meter")).json()["state"] == "stale")

        await eventually(unready)
        await eventually(stale)


async def anchors_wait(service: Service) -> bool:
    async with httpx.AsyncClient(base_url=service.base, timeout=30, verify=TRUST) as http:
        lines = (await http.get("/metrics")).text.splitlines()
    [waited] = [float(one.split()[1]) for one in lines if one.startswith("jackpot_anchors_waiting_seconds ")]
    return waited > 0


# Faults

Faulty = AbstractAsyncContextManager[Service | None]
"""While a fault lasts; with the replica that still serves, if one does."""


@asynccontextmanager
async def _between(
    begin: Callable[[], object], end: Callable[[], object], serves: Service | None
) -> AsyncIterator[Service | None]:
    await asyncio.to_thread(begin)
    try:
        yield serves
    finally:
        await asyncio.to_thread(end)


def service_killed(at: Replicas) -> Faulty:
    return _between(at.first.kill, at.first.start, at.second)


def service_stopped(at: Replicas) -> Faulty:
    send = at.first.process.send_signal
    return _between(partial(send, signal.SIGSTOP), partial(send, signal.SIGCONT), at.second)


@asynccontextmanager
async def replica_lost_with_the_row(at: Replicas) -> AsyncIterator[Service | None]:
    await at.way.lose_at(ROW_HELD, at.row_is_held)
    try:
        yield at.first
    finally:
        at.way.find()


def postgres_killed(at: Replicas) -> Faulty:
    return _between(at.postgres.crash, at.postgres.start, None)


@asynccontextmanager
async def postgres_stopped(at: Replicas) -> AsyncIterator[Service | None]:
    _signal(at.postgres.processes()[:1], signal.SIGSTOP)  # it makes no more of them
    stopped = at.postgres.processes()
    _signal(stopped, signal.SIGSTOP)
    try:
        yield None
    finally:
        _signal(stopped, signal.SIGCONT)


def _signal(processes: list[int], which: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, which)


def redis_killed(at: Replicas) -> Faulty:
    return _between(at.redis.kill, at.redis.start, at.first)


def redis_stopped(at: Replicas) -> Faulty:
    return _between(at.redis.pause, at.redis.resume, at.first)


@asynccontextmanager
async def anchors_hang(at: Replicas) -> AsyncIterator[Service | None]:
    """Found hanging by a service that starts: its first commit is due to be signed."""
    await asyncio.to_thread(at.first.kill)
    with at.volume.hanging():
        await asyncio.to_thread(at.first.start)
        await eventually(lambda: anchors_wait(at.first))
        yield at.first


Fault = Callable[[Replicas], Faulty]
FAULTS: dict[str, Fault] = {
    "a replica killed (`kill -9`)": service_killed,
    "a replica that stands still (SIGSTOP)": service_stopped,
    "a replica cut off while it holds the link's row": replica_lost_with_the_row,
    "PostgreSQL killed (`kill -9`)": postgres_killed,
    "PostgreSQL that stands still (SIGSTOP)": postgres_stopped,
    "Redis killed (`kill -9`)": redis_killed,
    "Redis that stands still (SIGSTOP)": redis_stopped,
    "a volume of anchors that hangs": anchors_hang,
}
