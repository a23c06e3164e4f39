"""How long after a bet is acknowledged a sign shows it: a thousand streams, two hundred bets a second.

Real processes on one real PostgreSQL with fsync: `jackpot serve`, alone with all the signs, then two of them
with half the signs each, over a real Redis, where every bet goes to the first. Bets and signs are this
process's, so that one clock measures both ends: from the answer to the bet to the first event whose reading
contains it, at every sign. An event that comes before the answer counts as no time at all. Readings that a
newer one has overtaken may be skipped.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import cast

import numpy as np
import uvloop

from tests.bench.timing import machine
from tests.callers import BOX, now
from tests.servers import Postgres, Redis
from tests.service import FloorFile, Service, token_of

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-signs.md"
SIGNS = 1_000
BETS_A_SECOND = 200
TABLES = 50
SECONDS = 15.0
AIM = 250
"""Milliseconds that at most one in a hundred may exceed."""
Tell = Callable[[str], None]


class Sign(asyncio.Protocol):
    """Remembers the newest sequence of everything it is told, and when."""

    def __init__(self, path: str) -> None:
        self._request = f"GET {path} HTTP/1.1\r\nHost: signs\r\n\r\n".encode()
        self.told: list[tuple[float, int]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(self._request)  # uvloop's are no subclass of it

    def data_received(self, data: bytes) -> None:
        found = data.rfind(b'"sequence":')
        if found >= 0:
            rest = data[found + 11 : found + 30]
            self.told.append((perf_counter(), int(rest[: rest.index(b",")])))


@dataclass
class Table:
    """A controller that sends a round's bets whenever it is told to."""

    name: str
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    round: int = 0
    acknowledged: list[tuple[int, float]] = field(default_factory=list)

    async def bet(self) -> None:
        self.round += 1
        moment = now()
        body = json.dumps({"sent_at": moment, "closed_at": moment, "boxes": [BOX]}).encode()
        head = (
            f"PUT /v1/tables/{self.name}/rounds/{self.round}/bets HTTP/1.1\r\nHost: signs\r\n"
            f"Authorization: Bearer {token_of(self.name)}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        told = json.loads(await self.reader.readexactly(length))
        self.acknowledged.append((told["meter"]["sequence"], perf_counter()))


@dataclass(frozen=True, slots=True)
class Measured:
    median: float
    slowest: float
    """Milliseconds that one in a hundred exceeds."""
    bets: float
    """A second."""
    events: float
    """A second, to all signs together."""


def _floor() -> FloorFile:
    floor = FloorFile()
    floor.add_link("main")
    for number in range(TABLES):
        floor.add_table(f"stud-{number}", "main")
    return floor


async def _measure(bets_to: Service, signs_at: list[Service]) -> Measured:
    loop = asyncio.get_running_loop()
    signs = [Sign("/v1/links/main/stream") for _ in range(SIGNS)]
    for number, sign in enumerate(signs):
        port = signs_at[number % len(signs_at)].port
        await loop.create_connection(lambda sign=sign: sign, "127.0.0.1", port)  # type: ignore[misc]
    tables = [
        Table(f"stud-{number}", *await asyncio.open_connection("127.0.0.1", bets_to.port))
        for number in range(TABLES)
    ]
    began = perf_counter()
    await asyncio.gather(
        *(_play(table, began + number / BETS_A_SECOND) for number, table in enumerate(tables))
    )
    taken = perf_counter() - began
    await asyncio.sleep(1)
    return _figures(tables, signs, taken)


async def _play(table: Table, first: float) -> None:
    """At its own pace, whatever the answers take."""
    every, number = TABLES / BETS_A_SECOND, 0
    while number * every < SECONDS:
        await asyncio.sleep(max(0.0, first + number * every - perf_counter()))
        await table.bet()
        number += 1


def _figures(tables: list[Table], signs: list[Sign], taken: float) -> Measured:
    bets = sorted(one for table in tables for one in table.acknowledged)
    sequences = np.array([sequence for sequence, _ in bets])
    answered = np.array([at for _, at in bets])
    delays = []
    for sign in signs:
        times = np.array([at for at, _ in sign.told])
        first = np.searchsorted(np.array([sequence for _, sequence in sign.told]), sequences)
        if first.max() >= len(times):
            raise RuntimeError("a sign was never told of a bet")
        delays.append(np.maximum(0, times[first] - answered))
    middle, slowest = np.percentile(np.concatenate(delays), [50, 99]) * 1000
    events = sum(len(sign.told) for sign in signs) / taken
    return Measured(float(middle), float(slowest), len(bets) / taken, events)


@contextmanager
def _services(url: str, folder: Path, count: int, **environment: str) -> Iterator[list[Service]]:
    with ExitStack() as stack:
        started = []
        for number in range(count):
            own = folder / str(number)
            own.mkdir(parents=True)
            service = Service(url, _floor(), own, **environment)
            stack.callback(service.close)
            service.start()
            started.append(service)
        yield started


def _run(server: Postgres, tell: Tell) -> dict[str, Measured]:
    found, relay = {}, Redis()
    relay.start()
    try:
        for name, replicas in (("one process", 1), ("two replicas over Redis", 2)):
            tell(f"{name}: {SIGNS:,} signs, {BETS_A_SECOND} bets a second")
            url = asyncio.run(server.create(f"signs_{replicas}"))
            environment = {} if replicas == 1 else {"JACKPOT_REDIS_URL": relay.url}
            folder = Path(tempfile.mkdtemp(prefix="jackpot-bench-"))
            runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
            with _services(url, folder, replicas, **environment) as services, runner:
                found[name] = runner.run(_measure(services[0], services))
    finally:
        relay.kill()
    return found


def main(tell: Tell) -> str:
    server = Postgres()
    try:
        server.start()
        found = _run(server, tell)
    finally:
        server.remove()
    rows = [
        f"| {name} | {one.median:.0f} | {one.slowest:.0f} | {one.bets:.0f} | {one.events:,.0f} |"
        for name, one in found.items()
    ]
    head = (
        "# From the bet to the sign\n\n"
        f"Written by `make bench`. This machine: {machine()}; the database, Redis, the service, the signs"
        " and the tables all share it.\n\n"
        f"{SIGNS:,} event streams and {BETS_A_SECOND} bets a second for {SECONDS:.0f} s. Milliseconds from"
        " the answer to a bet to the first event that contains it, over all bets and all signs. We aim"
        f" for at most {AIM} at the 99th percentile.\n\n"
        "| | median | 99th percentile | bets a second | events a second |\n"
        "|---|---:|---:|---:|---:|"
    )
    return "\n".join([head, *rows, ""])
