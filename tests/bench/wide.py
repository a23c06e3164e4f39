"""What a link of many tables costs at the pace of real play: CPU, bytes and disk, by the number of tables.

Each table holds one connection, beats, and plays a round of seven boxes a minute: its bets, then its hands.
Sent when due, whether or not the others were answered. What travels to another machine is the CPU time of a
message and the bytes; the share of a core is this machine's.
"""

from __future__ import annotations

import asyncio
import heapq
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from jackpot.cards.cards import names
from tests.bench.timing import machine
from tests.book_floor import dealt
from tests.callers import BOX, now
from tests.servers import Postgres
from tests.service import FloorFile, Service, link_entry, token_of
from tests.service_load import BOXES, NO_MAJOR

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-wide.md"
SIZES = (100, 1_000, 10_000)
SECONDS, MEASURED_FOR = 40.0, 15.0
ROUND_EVERY = 60.0
BEATS_A_SECOND, ROUNDS_A_SECOND = 200, 20
"""Of all tables together, while the cost of one is measured: the same pace whatever their number."""
HANDS_AFTER = 5.0


@dataclass(frozen=True, slots=True)
class Measured:
    tables: int
    started: float
    """Seconds from the launch until ready, with the tables in the book already."""
    memory: int
    """Bytes of the service, resident."""
    quiet: float
    """The share of one core that the service used while nobody said anything."""
    core: float
    """The same at the pace of real play."""
    database_core: float
    messages: Counter[str]
    beat: float
    """Microseconds of the service for a heartbeat."""
    round: float
    """The same for a round's bets and hands together."""
    slowest: float
    """Milliseconds that one answer in a hundred exceeds."""
    sent: float
    """Bytes to the service a message, and back."""
    answered: float
    entry: float
    """Bytes of the database a journal entry, indices included."""
    logged: float
    """Bytes of write-ahead log a second."""


class Table(asyncio.Protocol):
    """One table on one connection."""

    def __init__(self, name: str, load: Load) -> None:
        self._name, self._load = name, load
        self._round = 0
        self._sent_at = 0.0
        self.waiting = False
        self._transport: asyncio.Transport | None = None
        self._head = (
            f"Host: wide\r\nAuthorization: Bearer {token_of(name)}\r\nContent-Type: application/json\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if not data.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")):
            raise AssertionError(data[:600].decode())
        self.waiting = False
        self._load.waits.append(time.perf_counter() - self._sent_at)
        self._load.answered += len(data)

    def connection_lost(self, _why: Exception | None) -> None:
        """The server closes one that is idle for long; the next message opens another."""
        self._transport, self.waiting = None, False

    def send(self, kind: str) -> bool:
        """False while the last message is not answered."""
        if self._transport is None:
            self._load.reconnect(self)
            return False
        if self.waiting:
            return False
        path, body = getattr(self, f"_{kind}")()
        said = json.dumps(body | {"sent_at": now()})
        method = "POST" if kind == "beat" else "PUT"
        line = f"{method} /v1/tables/{self._name}/{path} HTTP/1.1\r\n"
        whole = f"{line}{self._head}Content-Length: {len(said)}\r\n\r\n{said}".encode()
        self.waiting, self._sent_at = True, time.perf_counter()
        self._transport.write(whole)
        self._load.sent += len(whole)
        self._load.messages[kind] += 1
        return True

    def _beat(self) -> tuple[str, dict[str, object]]:
        return "heartbeat", {"clock": {"offset_us": 0, "error_us": 1000}, "in_play": True}

    def _bets(self) -> tuple[str, dict[str, object]]:
        self._round += 1
        boxes = [BOX | {"box": box} for box in BOXES]
        return f"rounds/{self._round}/bets", {"closed_at": now(), "boxes": boxes}

    def _hands(self) -> tuple[str, dict[str, object]]:
        cards = zip(BOXES, dealt(self._name, NO_MAJOR * self._round), strict=True)
        hands = [{"box": box, "cards": list(names(own))} for box, own in cards]
        return f"rounds/{self._round}/hands", {"hands": hands, "final": True}

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class Load:
    """All tables, and when each says what."""

    def __init__(self, service: Service, names: list[str]) -> None:
        self._service = service
        self.tables = [Table(name, self) for name in names]
        self.messages: Counter[str] = Counter()
        self.waits: list[float] = []
        self.sent = self.answered = 0
        self.lasted = 0.0
        self._connecting: set[asyncio.Task[object]] = set()

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        for table in self.tables:
            await loop.create_connection(lambda made=table: made, "127.0.0.1", self._service.port)  # type: ignore[misc]

    def reconnect(self, table: Table) -> None:
        loop = asyncio.get_running_loop()
        task = loop.create_task(loop.create_connection(lambda: table, "127.0.0.1", self._service.port))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def play(self, seconds: float, *, beats: float = 0, rounds: float = 0) -> float:
        """For so long, so many a second; the CPU time that the service took to answer all of it."""
        cpu, begun = _cpu(self._service.process.pid), time.perf_counter()
        due = self._agenda(begun, {"beat": beats, "bets": rounds})
        while (moment := time.perf_counter()) < begun + seconds:
            while due and due[0][0] <= moment:
                at, number, kind, every = heapq.heappop(due)
                said = self.tables[number].send(kind)
                if every:
                    heapq.heappush(due, (at + every, number, kind, every))
                if kind == "bets" and said:
                    heapq.heappush(due, (at + HANDS_AFTER, number, "hands", 0.0))
            await asyncio.sleep(0.005)
        while any(table.waiting for table in self.tables):
            await asyncio.sleep(0.02)
        self.lasted = time.perf_counter() - begun
        return _cpu(self._service.process.pid) - cpu

    async def cost(self, kind: str, quiet: float, **pace: float) -> float:
        """Seconds of CPU that one of them takes the service."""
        self.forget()
        cpu = await self.play(MEASURED_FOR, **pace)
        return (cpu - self.lasted * quiet) / self.messages[kind]

    def forget(self) -> None:
        self.messages.clear()
        self.waits.clear()
        self.sent = self.answered = 0

    def _agenda(self, begun: float, paces: dict[str, float]) -> list[tuple[float, int, str, float]]:
        rng, count = Random("wide"), len(self.tables)
        due = [
            (begun + rng.uniform(0, count / pace), number, kind, count / pace)
            for kind, pace in paces.items()
            if pace
            for number in range(count)
        ]
        heapq.heapify(due)
        return due

    def close(self) -> None:
        for table in self.tables:
            table.close()


async def measured(server: Postgres, count: int, folder: Path) -> Measured:
    named = [f"stud-{number:05}" for number in range(count)]
    database = f"wide_{count}"
    floor = FloorFile(link=[link_entry("main")])
    for name in named:
        floor.add_table(name, "main")
    service = Service(await server.create(database), floor, folder)
    try:
        first = await asyncio.to_thread(_started, service)
        await asyncio.to_thread(service.stop)
        started = await asyncio.to_thread(_started, service)
        sys.stdout.write(f"{count} tables: first start {first:.1f} s, then {started:.1f} s\n")
        return await _played(server, database, service, named, started)
    finally:
        service.close()


async def _played(
    server: Postgres, database: str, service: Service, named: list[str], started: float
) -> Measured:
    load = Load(service, named)
    await load.connect()
    count = len(named)
    await load.play(5, beats=BEATS_A_SECOND)
    quiet = await load.play(MEASURED_FOR) / MEASURED_FOR
    beat = await load.cost("beat", quiet, beats=BEATS_A_SECOND)
    round_cost = await load.cost("bets", quiet, rounds=ROUNDS_A_SECOND)
    load.forget()
    before, disk = await _sizes(server, database), _server_cpu(server)
    beats = min(count, BEATS_A_SECOND)
    cpu = await load.play(SECONDS, beats=beats, rounds=count / ROUND_EVERY)
    disk = _server_cpu(server) - disk
    after = await _sizes(server, database)
    load.close()
    messages, entries = load.messages, after[0] - before[0]
    return Measured(
        tables=len(named),
        started=started,
        memory=_memory(service.process.pid),
        quiet=quiet,
        core=cpu / load.lasted,
        database_core=disk / load.lasted,
        messages=Counter(messages),
        beat=beat * 1e6,
        round=round_cost * 1e6,
        slowest=sorted(load.waits)[len(load.waits) * 99 // 100] * 1e3,
        sent=load.sent / messages.total(),
        answered=load.answered / len(load.waits),
        entry=(after[1] - before[1]) / entries,
        logged=(after[2] - before[2]) / SECONDS,
    )


async def _sizes(server: Postgres, database: str) -> tuple[int, int, int]:
    """Entries, bytes of the journal, bytes of write-ahead log so far."""
    asked = (
        "SELECT max(sequence) FROM journal",
        "SELECT pg_total_relation_size('journal')",
        "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint",
    )
    entries, size, logged = [int(await server.ask(one, database)) for one in asked]
    return entries, size, logged


def _started(service: Service) -> float:
    """Seconds until it is ready, however long."""
    begun = time.perf_counter()
    service.launch()
    while not service.ready():
        assert service.process.poll() is None, service.log()[-4000:]
        time.sleep(0.05)
    return time.perf_counter() - begun


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _server_cpu(server: Postgres) -> float:
    """Also of those connections that have ended."""
    first, *others = server.processes()
    fields = Path(f"/proc/{first}/stat").read_text().rpartition(")")[2].split()
    total = _cpu(first) + (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    for pid in others:
        with suppress(FileNotFoundError):  # it has just ended
            total += _cpu(pid)
    return total


def _memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


# The page


def main() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * max(SIZES) + 1000)), hard))
    found = []
    server = Postgres()
    try:
        server.start()
        for count in SIZES:
            with tempfile.TemporaryDirectory(prefix="jackpot-wide-") as folder:
                found.append(asyncio.run(measured(server, count, Path(folder))))
                sys.stdout.write(f"{found[-1]}\n")
    finally:
        server.remove()
    PAGE.write_text(page(found))


HEAD = f"""# A link of many tables

Written by `python -m tests.bench.wide` on: {machine()}; PostgreSQL with
fsync, one process of the service and the tables share the machine, and other work too. Each table has one
connection. The CPU of a heartbeat is measured at {BEATS_A_SECOND} a second of all tables together, that of a
round of seven boxes (its bets, then its hands) at {ROUNDS_A_SECOND}.
"""
COSTS = (
    "tables",
    "start, s",
    "memory, MB",
    "CPU of a heartbeat, µs",
    "CPU of a round, µs",
    "99 of 100 answered within, ms",
    "bytes to the service a message",
    "bytes back",
    "bytes of disk an entry",
)
PACE = (
    "tables",
    "heartbeats a second",
    "rounds a second",
    "the service when all are silent, of a core",
    "the service, of a core",
    "the database, of a core",
    "write-ahead log, kB a second",
)


def page(found: list[Measured]) -> str:
    costs = [
        (
            f"{one.tables:,}",
            f"{one.started:.1f}",
            f"{one.memory / 1e6:,.0f}",
            *(f"{value:,.0f}" for value in (one.beat, one.round, one.slowest)),
            *(f"{value:,.0f}" for value in (one.sent, one.answered, one.entry)),
        )
        for one in found
    ]
    pace = [
        (
            f"{one.tables:,}",
            f"{one.messages['beat'] / SECONDS:,.0f}",
            f"{one.messages['bets'] / SECONDS:,.1f}",
            f"{100 * one.quiet:,.0f} %",
            f"{100 * one.core:,.0f} %",
            f"{100 * one.database_core:,.0f} %",
            f"{one.logged / 1e3:,.0f}",
        )
        for one in found
    ]
    told = (
        f"For {SECONDS:.0f} s at a pace of real play: each table plays a round every {ROUND_EVERY:.0f} s\n"
        f"and beats once a second, but all together at most {BEATS_A_SECOND} times.\n"
    )
    return "\n".join([HEAD, *_lines(COSTS, costs), "", told, *_lines(PACE, pace), ""])


def _lines(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ("---:",) * len(head), *rows)]


if __name__ == "__main__":
    main()
