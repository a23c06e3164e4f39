"""What a link of many tables costs at the pace of real play: CPU, bytes and disk, by the number of tables.

Every hundred tables speak through a gateway. Each table beats every ten seconds and plays a round of seven
boxes a minute: its bets, then its hands, said when they are due, whether or not the others were answered.
What travels to another machine is the CPU time of a message and the bytes; the share of a core is this
machine's.
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
from tests.bench.messages import length_of
from tests.bench.rounds import Json
from tests.bench.timing import cpu_of, machine
from tests.book_floor import dealt
from tests.callers import BOX, now
from tests.servers import Postgres
from tests.service import FloorFile, Service, link_entry, token_of
from tests.service_load import BOXES, NO_MAJOR

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-wide.md"
SIZES = (100, 1_000, 10_000)
SECONDS, MEASURED_FOR = 40.0, 15.0
ROUND_EVERY, BEAT_EVERY = 60.0, 10.0
AT_A_SITE = 100
MOST_EVENTS = 1_000
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
    together: float
    """Events in one message of a gateway."""
    entry: float
    """Bytes of the database a journal entry, indices included."""
    logged: float
    """Bytes of write-ahead log a second."""


class Gateway(asyncio.Protocol):
    """The tables of one site on one connection: what falls due while a message is under way goes together
    into the next."""

    def __init__(self, site: str, load: Load) -> None:
        self._load = load
        self._head = (
            f"POST /v1/sites/{site}/events HTTP/1.1\r\nHost: wide\r\n"
            f"Authorization: Bearer {token_of(site)}\r\nContent-Type: application/json\r\n"
        )
        self._due: list[tuple[str, float]] = []
        """What is to be said next, and since when it waits."""
        self._sent: list[float] = []
        self._heard = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    @property
    def waiting(self) -> bool:
        return bool(self._sent or self._due)

    def say(self, event: Json, due: float) -> None:
        self._due.append((json.dumps(event | {"sent_at": now()}), due))
        self._flush()

    def _flush(self) -> None:
        if self._sent or not self._due or self._transport is None:
            return
        told, self._due = self._due[:MOST_EVENTS], self._due[MOST_EVENTS:]
        self._sent = [since for _, since in told]
        body = f'{{"events":[{",".join(event for event, _ in told)}]}}'
        whole = f"{self._head}Content-Length: {len(body)}\r\n\r\n{body}".encode()
        self._transport.write(whole)
        self._load.sent += len(whole)
        self._load.said += 1

    def data_received(self, data: bytes) -> None:
        self._heard += data
        self._load.answered += len(data)
        head, found, body = self._heard.partition(b"\r\n\r\n")
        if not found or len(body) < length_of(head):
            return
        if not head.startswith(b"HTTP/1.1 200"):
            raise AssertionError(self._heard[:600].decode())
        answers = json.loads(body)["answers"]
        wrong = [one for one in answers if one["status"] not in (200, 201)]
        if wrong:
            raise AssertionError(wrong[0])
        moment = time.perf_counter()
        self._load.waits += [moment - since for since in self._sent]
        self._sent, self._heard = [], b""
        self._flush()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class Load:
    """All tables, and when each says what: when it is due, whether or not the others were answered."""

    def __init__(self, service: Service, sites: dict[str, list[str]]) -> None:
        self._service = service
        self.gateways = [Gateway(site, self) for site in sites]
        several = zip(self.gateways, sites.values(), strict=True)
        self._tables = [(name, gateway) for gateway, names in several for name in names]
        self._rounds: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()
        self.waits: list[float] = []
        self.sent = self.answered = self.said = 0
        self.lasted = 0.0

    async def connect(self) -> None:
        loop = asyncio.get_running_loop()
        for gateway in self.gateways:
            await loop.create_connection(lambda made=gateway: made, "127.0.0.1", self._service.port)  # type: ignore[misc]

    async def play(self, seconds: float, *, beats: float = 0, rounds: float = 0) -> float:
        """For so long, so many a second; the CPU time that the service took to answer all of it."""
        cpu, begun = cpu_of(self._service.process.pid), time.perf_counter()
        due = self._agenda(begun, {"beat": beats, "bets": rounds})
        while (moment := time.perf_counter()) < begun + seconds:
            while due and due[0][0] <= moment:
                at, number, kind, every = heapq.heappop(due)
                self._say(number, kind, at)
                if every:
                    heapq.heappush(due, (at + every, number, kind, every))
                if kind == "bets":
                    heapq.heappush(due, (at + HANDS_AFTER, number, "hands", 0.0))
            await asyncio.sleep(0.01)
        while any(gateway.waiting for gateway in self.gateways):
            await asyncio.sleep(0.02)
        self.lasted = time.perf_counter() - begun
        return cpu_of(self._service.process.pid) - cpu

    def _say(self, number: int, kind: str, due: float) -> None:
        name, gateway = self._tables[number]
        gateway.say({"table": name} | getattr(self, f"_{kind}")(name), due)
        self.messages[kind] += 1

    def _beat(self, _name: str) -> Json:
        return {"kind": "heartbeat", "in_play": True}

    def _bets(self, name: str) -> Json:
        self._rounds[name] += 1
        boxes = [BOX | {"box": box} for box in BOXES]
        return {"kind": "bets", "round": self._rounds[name], "closed_at": now(), "boxes": boxes}

    def _hands(self, name: str) -> Json:
        number = self._rounds[name]
        cards = zip(BOXES, dealt(name, NO_MAJOR * number), strict=True)
        hands = [{"box": box, "cards": list(names(own))} for box, own in cards]
        return {"kind": "hands", "round": number, "hands": hands, "final": True}

    async def cost(self, kind: str, quiet: float, **pace: float) -> float:
        """Seconds of CPU that one of them takes the service."""
        self.forget()
        cpu = await self.play(MEASURED_FOR, **pace)
        return (cpu - self.lasted * quiet) / self.messages[kind]

    def forget(self) -> None:
        self.messages.clear()
        self.waits.clear()
        self.sent = self.answered = self.said = 0

    def _agenda(self, begun: float, paces: dict[str, float]) -> list[tuple[float, int, str, float]]:
        rng, count = Random("wide"), len(self._tables)
        due = [
            (begun + rng.uniform(0, count / pace), number, kind, count / pace)
            for kind, pace in paces.items()
            if pace
            for number in range(count)
        ]
        heapq.heapify(due)
        return due

    def close(self) -> None:
        for gateway in self.gateways:
            gateway.close()


async def measured(server: Postgres, count: int, folder: Path) -> Measured:
    named = [f"stud-{number:05}" for number in range(count)]
    sites = {f"site-{start:05}": named[start : start + AT_A_SITE] for start in range(0, count, AT_A_SITE)}
    database = f"wide_{count}"
    floor = FloorFile(link=[link_entry("main")])
    for name in named:
        floor.table.append({"id": name, "link": "main", "game": "casino_stud", "boxes": 7})
    for site, tables in sites.items():
        floor.add_credential(site, "gateway", site=site, tables=tables)
    service = Service(await server.create(database), floor, folder)
    try:
        first = await asyncio.to_thread(_started, service)
        await asyncio.to_thread(service.stop)
        started = await asyncio.to_thread(_started, service)
        sys.stdout.write(f"{count} tables: first start {first:.1f} s, then {started:.1f} s\n")
        return await _played(server, database, service, sites, started)
    finally:
        service.close()


async def _played(
    server: Postgres, database: str, service: Service, sites: dict[str, list[str]], started: float
) -> Measured:
    load = Load(service, sites)
    await load.connect()
    count = sum(map(len, sites.values()))
    await load.play(5, beats=BEATS_A_SECOND)
    quiet = await load.play(MEASURED_FOR) / MEASURED_FOR
    beat = await load.cost("beat", quiet, beats=BEATS_A_SECOND)
    round_cost = await load.cost("bets", quiet, rounds=ROUNDS_A_SECOND)
    load.forget()
    before, disk = await _sizes(server, database), _server_cpu(server)
    cpu = await load.play(SECONDS, beats=count / BEAT_EVERY, rounds=count / ROUND_EVERY)
    disk = _server_cpu(server) - disk
    after = await _sizes(server, database)
    load.close()
    messages, entries = load.messages, after[0] - before[0]
    return Measured(
        tables=count,
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
        answered=load.answered / messages.total(),
        together=messages.total() / load.said,
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


def _server_cpu(server: Postgres) -> float:
    """Also of those connections that have ended."""
    first, *others = server.processes()
    fields = Path(f"/proc/{first}/stat").read_text().rpartition(")")[2].split()
    total = cpu_of(first) + (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    for pid in others:
        with suppress(FileNotFoundError):  # it has just ended
            total += cpu_of(pid)
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
fsync, one process of the service and the tables share the machine. Every {AT_A_SITE} tables
speak through a gateway, on one connection. The CPU of a heartbeat is measured at
{BEATS_A_SECOND} a second of all tables together, that of a round of seven boxes (its bets, then its hands)
at {ROUNDS_A_SECOND}.
"""
COSTS = (
    "tables",
    "start, s",
    "memory, MB",
    "CPU of a heartbeat, µs",
    "CPU of a round, µs",
    "bytes to the service a message",
    "bytes back",
    "events a message",
    "bytes of the journal an entry",
)
PACE = (
    "tables",
    "heartbeats a second",
    "rounds a second",
    "99 of 100 answered within, ms",
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
            *(f"{value:,.0f}" for value in (one.beat, one.round)),
            *(f"{value:,.0f}" for value in (one.sent, one.answered, one.together, one.entry)),
        )
        for one in found
    ]
    pace = [
        (
            f"{one.tables:,}",
            f"{one.messages['beat'] / SECONDS:,.0f}",
            f"{one.messages['bets'] / SECONDS:,.1f}",
            f"{one.slowest:,.0f}",
            f"{100 * one.quiet:,.0f} %",
            f"{100 * one.core:,.0f} %",
            f"{100 * one.database_core:,.0f} %",
            f"{one.logged / 1e3:,.0f}",
        )
        for one in found
    ]
    told = (
        f"For {SECONDS:.0f} s at the pace of real play: each table plays a round every {ROUND_EVERY:.0f} s\n"
        f"and beats every {BEAT_EVERY:.0f} s. An answer is waited for from when its message was due.\n"
    )
    return "\n".join([HEAD, *_lines(COSTS, costs), "", told, *_lines(PACE, pace), ""])


def _lines(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ("---:",) * len(head), *rows)]


if __name__ == "__main__":
    main()
