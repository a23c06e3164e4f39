"""How many rounds and polls one service process takes over HTTP, beside what its parts could do without it.

Rounds: 64 tables over HTTP, each sending its next round as soon as the last is answered, on PostgreSQL
with fsync; in the same run a bare group commit into the same tables and `pgbench` on one hot row. Polls: the
meter with a token, asked by `wrk` from the other core, beside a plain FastAPI route and, where it is
installed, nginx with a file of the same size. Contestants take turns on one core, medians are compared.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from urllib.request import Request, urlopen

from tests.bench.book import CALLERS, Tell, bare_rate, furnished, pgbench_rate, prepare_hot
from tests.bench.timing import machine
from tests.servers import Postgres, free_port
from tests.service import FloorFile, Service, link_entry, serving, token_of

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-service.md"
TASKSET, WRK = shutil.which("taskset") or "", shutil.which("wrk") or ""
SECONDS = 4
TURNS = 3
BOXES = ",".join(f'{{"box":{box},"ante":2500,"progressive":500}}' for box in range(1, 8))


def bench_floor() -> FloorFile:
    floor = FloorFile(link=[link_entry("main")])
    for number in range(CALLERS):
        floor.add_table(f"stud-{number:02d}", "main")
    return floor


# Rounds


class TableConnection(asyncio.Protocol):
    """One table on one connection: the next round goes out when the last is answered."""

    def __init__(self, table: str, end: float, done: asyncio.Future[None]) -> None:
        self._table, self._end, self._done = table, end, done
        self._round = int(time.time() * 100)
        self._sent = 0.0
        self._transport: asyncio.Transport | None = None
        self.waits: list[float] = []
        self._head = (
            f"Host: bench\r\nAuthorization: Bearer {token_of(table)}\r\nContent-Type: application/json\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        if not data.startswith(b"HTTP/1.1 201"):
            self._done.set_exception(AssertionError(data[:1000].decode()))
            return
        now = time.perf_counter()
        self.waits.append(now - self._sent)
        if now < self._end:
            self._send()
        elif not self._done.done():
            self._done.set_result(None)

    def _send(self) -> None:
        assert self._transport is not None
        self._round += 1
        now = datetime.now(UTC).isoformat()
        body = f'{{"sent_at":"{now}","closed_at":"{now}","boxes":[{BOXES}]}}'
        line = f"PUT /v1/tables/{self._table}/rounds/{self._round}/bets HTTP/1.1\r\n"
        self._sent = time.perf_counter()
        self._transport.write(f"{line}{self._head}Content-Length: {len(body)}\r\n\r\n{body}".encode())


@dataclass(frozen=True, slots=True)
class Rounds:
    bets_per_second: float
    cpu_per_round: float
    """Microseconds of the service."""
    slowest: float
    """Milliseconds that one round in a hundred exceeds."""


async def round_rate(service: Service) -> Rounds:
    loop = asyncio.get_running_loop()
    began, cpu = time.perf_counter(), _cpu(service.process.pid)
    tables: list[tuple[TableConnection, asyncio.Future[None]]] = []
    for number in range(CALLERS):
        done: asyncio.Future[None] = loop.create_future()
        table = TableConnection(f"stud-{number:02d}", began + SECONDS, done)
        tables.append((table, done))
        await loop.create_connection(lambda made=table: made, "127.0.0.1", service.port)  # type: ignore[misc]
    await asyncio.gather(*(done for _, done in tables))
    taken, cpu = time.perf_counter() - began, _cpu(service.process.pid) - cpu
    waits = sorted(wait for table, _ in tables for wait in table.waits)
    return Rounds(7 * len(waits) / taken, cpu / len(waits) * 1e6, waits[len(waits) * 99 // 100] * 1e3)


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Polls


@dataclass(frozen=True, slots=True)
class Polled:
    """Something that answers polls, and what to say to it."""

    name: str
    url: str
    headers: dict[str, str]


def poll_rate(polled: Polled, *, unchanged: bool) -> float:
    """Answers a second to 32 connections, by `wrk` on the other core."""
    headers = dict(polled.headers)
    if unchanged:
        headers |= _condition(polled)
    told = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    command = [TASKSET, "-c", "1", WRK, "-t1", "-c32", f"-d{SECONDS}s", *told, polled.url]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in said:
        raise AssertionError(said)
    return float(next(line for line in said.splitlines() if line.startswith("Requests/sec")).split()[1])


def _condition(polled: Polled) -> dict[str, str]:
    with urlopen(Request(polled.url, headers=polled.headers), timeout=5) as answer:  # noqa: S310  loopback
        return {"If-None-Match": answer.headers["ETag"]}


@contextmanager
def on_one_core(command: list[str], port: int, **more: str) -> Iterator[int]:
    process = subprocess.Popen(
        [TASKSET, "-c", "0", *command],
        env=os.environ | more,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _await_port(port)
        yield process.pid
    finally:
        process.terminate()
        process.wait(10)


def _await_port(port: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens on {port}")


@contextmanager
def plain_fastapi() -> Iterator[Polled]:
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "tests.bench.plain:app",
        "--port",
        str(port),
        "--no-access-log",
    ]
    with on_one_core(command, port):
        headers = {"Authorization": "Bearer plain"}
        yield Polled("a plain FastAPI route on uvicorn", f"http://127.0.0.1:{port}/meter", headers)


@contextmanager
def nginx(folder: Path, body: bytes) -> Iterator[Polled]:
    port = free_port()
    (folder / "meter").write_bytes(body)
    (folder / "nginx.conf").write_text(
        f"daemon off; worker_processes 1; pid {folder}/pid; error_log /dev/null; user root;\n"
        "events { worker_connections 512; }\n"
        f"http {{ access_log off; keepalive_requests 100000000; default_type application/json;\n"
        f"  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};\n"
        f"  uwsgi_temp_path {folder}; scgi_temp_path {folder};\n"
        f"  server {{ listen 127.0.0.1:{port}; root {folder}; }} }}\n"
    )
    binary = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    with on_one_core([str(binary), "-c", str(folder / "nginx.conf")], port):
        yield Polled("nginx, a file", f"http://127.0.0.1:{port}/meter", {})


def has_nginx() -> bool:
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") is not None


def poll_rates(service: Service, folder: Path, tell: Tell) -> dict[tuple[str, bool], float]:
    os.sched_setaffinity(service.process.pid, {0})
    for thread in Path(f"/proc/{service.process.pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), {0})
    ours = Polled(
        "the meter, with a token",
        f"{service.base}/v1/links/main/meter",
        {"Authorization": f"Bearer {token_of('stud-00')}"},
    )
    with ExitStack() as others:
        contestants = [ours, others.enter_context(plain_fastapi())]
        if has_nginx():
            body = service.get("/v1/links/main/meter").content
            contestants.append(others.enter_context(nginx(folder, body)))
        found: dict[tuple[str, bool], list[float]] = {}
        for turn in range(TURNS):
            tell(f"polls, turn {turn + 1} of {TURNS}")
            for one in contestants:
                for unchanged in (False, True):
                    if unchanged and one.name.startswith("a plain"):
                        continue
                    found.setdefault((one.name, unchanged), []).append(poll_rate(one, unchanged=unchanged))
    return {key: median(rates) for key, rates in found.items()}


# The page


@dataclass(frozen=True, slots=True)
class Results:
    pgbench: float
    bare: float
    rounds: Rounds
    polls: dict[tuple[str, bool], float]


async def measured(server: Postgres, folder: Path, tell: Tell) -> Results:
    await prepare_hot(server)
    bare: list[float] = []
    hot: list[float] = []
    rounds: list[Rounds] = []
    polls: dict[tuple[str, bool], float] = {}
    url = await server.create("service")
    with serving(url, bench_floor(), folder) as service:
        for turn in range(TURNS):
            tell(f"rounds over HTTP, turn {turn + 1} of {TURNS}")
            hot.append(pgbench_rate(server, "hot"))
            bare.append(
                (await bare_rate(await furnished(await server.create(f"bare{turn}")))).bets_per_second
            )
            rounds.append(await round_rate(service))
        if not (WRK and TASKSET):
            tell("polls are not measured: wrk and taskset are not installed")
        else:
            polls = await asyncio.to_thread(poll_rates, service, folder, tell)
        verified = service.verify()
        if verified.returncode:
            raise AssertionError(verified.stdout + verified.stderr)
    middle = sorted(rounds, key=lambda one: one.bets_per_second)[len(rounds) // 2]
    return Results(median(hot), median(bare), middle, polls)


def page(found: Results) -> str:
    rounds, polls = found.rounds, found.polls
    ratios = [
        ("7-box rounds over HTTP to the bare group commit", rounds.bets_per_second / found.bare, "0.12"),
        ("7-box rounds over HTTP to pgbench", rounds.bets_per_second / found.pgbench, "8"),
    ]
    ours, plain, file = "the meter, with a token", "a plain FastAPI route on uvicorn", "nginx, a file"
    if polls:
        ratios.append(("polls to a plain FastAPI route", polls[ours, False] / polls[plain, False], "4"))
    if (file, False) in polls:
        ratios.append(("polls to nginx, 200", polls[ours, False] / polls[file, False], "0.35"))
        ratios.append(("polls to nginx, 304", polls[ours, True] / polls[file, True], "0.25"))
    return "\n".join(
        [
            "# Benchmarks of the service",
            "",
            f"Written by `make bench` on: {machine()}; PostgreSQL with fsync, one process of the service,",
            f"and what asks it, on the same machine. {CALLERS} tables, {SECONDS} s a turn, medians.",
            "",
            "| | bets/s | CPU of the service, µs a round | 99 of 100 answered within, ms |",
            "|---|---:|---:|---:|",
            f"| pgbench, 16 clients, one hot row | {found.pgbench:,.0f} | | |",
            f"| bare group commit, 7 bets a call | {found.bare:,.0f} | | |",
            _rounds_row(rounds),
            "",
            "Polls, each contestant on one core, asked from the other:",
            "",
            "| | answers/s | of these 304 |",
            "|---|---:|---|",
            *(
                f"| {name} | {rate:,.0f} | {'all' if same else 'none'} |"
                for (name, same), rate in polls.items()
            ),
            "",
            "| ratio | measured | we aim for at least |",
            "|---|---:|---:|",
            *(f"| {name} | {ratio:.2f} | {aim} |" for name, ratio, aim in ratios),
            "",
            "Afterwards `jackpot verify` found no difference in the journal that this wrote.",
            "",
        ]
    )


def _rounds_row(rounds: Rounds) -> str:
    rate, cpu, slowest = rounds.bets_per_second, rounds.cpu_per_round, rounds.slowest
    return f"| 7-box rounds over HTTP | {rate:,.0f} | {cpu:.0f} | {slowest:.0f} |"


def main(tell: Callable[[str], None]) -> str:
    server = Postgres()
    try:
        server.start()
        with tempfile.TemporaryDirectory() as folder:
            return page(asyncio.run(measured(server, Path(folder), tell)))
    finally:
        server.remove()
