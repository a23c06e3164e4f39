"""How many polls of the meter one process answers on one core, beside what else could answer them.

The meter with a token, asked by `wrk` from the other core, beside a plain FastAPI route and, where it is
installed, nginx with a file of the same size. Contestants take turns on one core, medians are compared.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.request import Request, urlopen

from tests.bench.book import Tell
from tests.servers import free_port
from tests.service import Service, token_of

TASKSET, WRK = shutil.which("taskset") or "", shutil.which("wrk") or ""
SECONDS = 4
TURNS = 3


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
        yield Polled(PLAIN, f"http://127.0.0.1:{port}/meter", headers)


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
        yield Polled(FILE, f"http://127.0.0.1:{port}/meter", {})


def has_nginx() -> bool:
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") is not None


Rates = dict[tuple[str, bool], float]
"""Answers a second, by who gives them and whether all are 304."""
OURS, PLAIN, FILE = "the meter, with a token", "a plain FastAPI route on uvicorn", "nginx, a file"


def poll_rates(service: Service, folder: Path, table: str, tell: Tell) -> Rates:
    if not (WRK and TASKSET):
        tell("polls are not measured: wrk and taskset are not installed")
        return {}
    os.sched_setaffinity(service.process.pid, {0})
    for thread in Path(f"/proc/{service.process.pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), {0})
    ours = Polled(
        OURS,
        f"{service.base}/v1/links/main/meter",
        {"Authorization": f"Bearer {token_of(table)}"},
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
                    if unchanged and one.name == PLAIN:
                        continue
                    found.setdefault((one.name, unchanged), []).append(poll_rate(one, unchanged=unchanged))
    return {key: median(rates) for key, rates in found.items()}


def poll_lines(polls: Rates) -> list[str]:
    """For a page: the rates, and how they compare."""
    if not polls:
        return []
    ratios = [("polls to a plain FastAPI route", polls[OURS, False] / polls[PLAIN, False], "at least 4")]
    if (FILE, False) in polls:
        ratios.append(("polls to nginx, 200", polls[OURS, False] / polls[FILE, False], "at least 0.40"))
        ratios.append(("polls to nginx, 304", polls[OURS, True] / polls[FILE, True], "at least 0.25"))
    return [
        "Polls, each contestant on one core, asked from the other:",
        "",
        "| | answers a second | of these 304 |",
        "|---|---:|---|",
        *(f"| {name} | {rate:,.0f} | {'all' if same else 'none'} |" for (name, same), rate in polls.items()),
        "",
        "| ratio | measured | we aim for |",
        "|---|---:|---|",
        *(f"| {name} | {ratio:.2f} | {aim} |" for name, ratio, aim in ratios),
        "",
    ]
