"""The service as its callers meet it: a real process on a free port, with a floor file of ours."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import ssl
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import uvloop
from typer.testing import CliRunner

from api.callers.passwords import hash_password
from api.cli import app as cli
from api.serving import serve_until_stopped
from api.settings import Settings
from tests.cheap_passwords import CHEAP
from tests.forking import Command, Said
from tests.servers import free_port
from tests.waiting import PATIENCE, until

Json = dict[str, Any]
JACKPOT = Path(sys.executable).with_name("jackpot")
SEED = 5_000_000
PEOPLE = {
    "ana": "operator",
    "ben": "operator",
    "sue": "supervisor",
    "tom": "supervisor",
    "ada": "auditor",
}
"""Credentials of people by name. Each is a person of that name, but for `ANA_AGAIN`."""
ANA_AGAIN = "ana-desk"
"""A second credential of the person ana, with a supervisor's role."""
SIGN = "sign-1"
SITE, GATEWAY = "marina", "marina-gateway"
"""A site with every table of a floor, and who speaks for them."""
PASSWORD = "correct horse battery staple"  # noqa: S105
HASHED_PASSWORD = CHEAP.hash(PASSWORD)
TRUST = httpx.create_ssl_context()
"""One for all callers: to read the authorities that everybody trusts takes longer than most requests."""


@cache
def costly_password() -> str:
    """The same, as `jackpot password` hashes it."""
    return hash_password(PASSWORD)


GAMES = {"stud": "casino_stud", "holdem": "texas_holdem"}


PIT = "pit-1"
PIT_TABLES: dict[str, Json] = {
    "bj-01": {
        "game": "blackjack",
        "boxes": 7,
        "minimum": 2500,
        "maximum": 500000,
        "side": {"player_pair": {"minimum": 500, "maximum": 50000}},
    },
    "pp-01": {"game": "blackjack_perfect_pairs", "boxes": 7, "minimum": 2500, "maximum": 500000},
    "fb-01": {"game": "free_bet_blackjack", "boxes": 6, "minimum": 2500, "maximum": 500000},
}


def token_of(credential: str, generation: int = 1) -> str:
    return f"{credential}.{sha256(f'{credential} {generation}'.encode()).hexdigest()}"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _lines(entry: Json) -> str:
    return "".join(f"{name} = {_toml(value)}\n" for name, value in entry.items())


@dataclass
class FloorFile:
    """A floor file in the making: its sections as they will be written."""

    link: list[Json] = field(default_factory=list)
    pit: list[Json] = field(default_factory=list)
    table: list[Json] = field(default_factory=list)
    credential: list[Json] = field(default_factory=list)
    loosened: list[Json] = field(default_factory=list)
    top: Json = field(default_factory=dict)
    """The keys of the file itself."""

    def text(self) -> str:
        sections = [
            (kind, entry)
            for kind in ("loosened", "link", "pit", "table", "credential")
            for entry in getattr(self, kind)  # each a list of its own
        ]
        lines = [_lines(self.top)] + [f"[[{kind}]]\n{_lines(entry)}" for kind, entry in sections]
        return "\n".join(lines)

    def without_pits(self) -> FloorFile:
        tables = [one for one in self.table if "pit" not in one]
        named = {one["id"] for one in tables}
        kept = [one for one in self.credential if one.get("table") in {None, *named}]
        return FloorFile(link=self.link, table=tables, credential=kept, loosened=self.loosened, top=self.top)

    def costly_text(self) -> str:
        """For a process that knows nothing of the tests: it refuses passwords that are cheap to guess."""
        return self.text().replace(HASHED_PASSWORD, costly_password())

    def add_link(self, name: str, **settings: Any) -> None:
        """A link with two tables of each game, and a credential for each table."""
        self.link.append(link_entry(name) | settings)
        for table in tables_of(name):
            self.add_table(table, name)

    def add_table(self, table: str, link: str) -> None:
        game = GAMES["holdem" if "holdem" in table else "stud"]
        self.table.append({"id": table, "link": link, "game": game, "boxes": 7})
        self.add_credential(table, "table", table=table)

    def add_pit(self, name: str = PIT) -> None:
        """A pit with a table of each game of blackjack, and a credential for each."""
        self.pit.append({"id": name, "name": "Blackjack", "currency": "SGD"})
        for table, terms in PIT_TABLES.items():
            self.table.append({"id": table, "pit": name, "decks": 8} | terms)
            self.add_credential(table, "table", table=table)

    def add_gateway(self) -> FloorFile:
        """For all tables that are there."""
        self.add_credential(GATEWAY, "gateway", site=SITE, tables=[one["id"] for one in self.table])
        return self

    def add_credential(self, name: str, role: str, **more: Any) -> None:
        hashed = sha256(token_of(name).encode()).hexdigest()
        self.credential.append({"name": name, "role": role, "token_sha256": hashed} | more)

    def add_people(self) -> None:
        for name, role in PEOPLE.items():
            self.add_credential(name, role, password_hash=HASHED_PASSWORD)
        self.add_credential(ANA_AGAIN, "supervisor", person="ana")
        self.add_credential(SIGN, "sign")


def link_entry(name: str) -> Json:
    return {
        "id": name,
        "name": "Multi-Link Progressive",
        "currency": "SGD",
        "seed": SEED,
        "progressive_bet": 500,
        "meter_ppm": 400_000,
        "reserve_ppm": 50_000,
        "approvals": {"straight_flush": 1, "royal_flush": 2},
    }


def tables_of(link: str) -> list[str]:
    return [f"{link}-{table}" for table in ("stud-01", "stud-02", "holdem-01", "holdem-02")]


def full_floor(*links: str) -> FloorFile:
    """Links with their tables, a pit with its tables, and somebody of every role."""
    floor = FloorFile()
    floor.add_people()
    for link in links:
        floor.add_link(link)
    floor.add_pit()
    return floor


class Served(ABC):
    """A service on a port of its own, and who calls it."""

    def __init__(self, url: str, floor: FloorFile, folder: Path, **environment: str) -> None:
        """With JACKPOT_CA its callers speak TLS, and believe that authority."""
        self.url, self.folder, self.floor = url, folder, floor
        self.port, self.ca = free_port(), environment.get("JACKPOT_CA")
        self.base = f"{'http' if self.ca is None else 'https'}://127.0.0.1:{self.port}"
        verify = TRUST if self.ca is None else ssl.create_default_context(cafile=self.ca)
        self.http = httpx.Client(base_url=self.base, timeout=PATIENCE, verify=verify)
        self.log_file = folder / "service.log"
        self._links = iter([str(link["id"]) for link in floor.link])
        self._environment = os.environ | {"JACKPOT_DATABASE_URL": url} | environment

    @property
    def floor_file(self) -> Path:
        return self.folder / "floor.toml"

    def log(self) -> str:
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def ready(self) -> bool:
        try:
            return self.http.get("/readyz").status_code == 200
        except httpx.TransportError:
            return False

    @abstractmethod
    def alive(self) -> bool:
        """Whether it may still become ready."""

    def wait_until_ready(self) -> None:
        def told() -> str:
            return f"{'not ready' if self.alive() else 'it ended'}: {self.log()[-4000:]}"

        assert until(lambda: self.ready() or not self.alive(), told)
        assert self.alive(), told()

    def call(self, method: str, path: str, by: str | None = None, **more: Any) -> httpx.Response:
        """A request with the token of that credential, or without any."""
        headers = dict(more.pop("headers", {}))
        if by is not None:
            headers["Authorization"] = f"Bearer {token_of(by)}"
        return self.http.request(method, path, headers=headers, **more)

    def get(self, path: str, by: str | None = None, **more: Any) -> httpx.Response:
        return self.call("GET", path, by, **more)

    def post(self, path: str, by: str | None = None, body: Any = None, **more: Any) -> httpx.Response:
        return self.call("POST", path, by, json={} if body is None else body, **more)

    def next_link(self) -> str:
        """A link that no test has used yet."""
        return next(self._links)

    def verify(self) -> subprocess.CompletedProcess[str]:
        return self.jackpot("verify")

    def jackpot(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Another command of the program, on the same store."""
        return subprocess.run(
            [JACKPOT, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env=self._environment,
        )


class InThread(Served):
    """The same service behind the same server, in a thread of the tests' own process: it need not import
    anything again. For tests of which a process is not the subject."""

    def __init__(
        self, url: str, floor: FloorFile, folder: Path, *, ca: Path | None = None, **settings: Any
    ) -> None:
        super().__init__(url, floor, folder, **({} if ca is None else {"JACKPOT_CA": str(ca)}))
        self._settings = settings
        self._thread = threading.Thread(target=self._run, name="service", daemon=True)
        self._loop = uvloop.new_event_loop()
        self._stop: Callable[[], None] | None = None
        self._lines = logging.FileHandler(self.log_file)
        self._lines.addFilter(lambda record: record.thread == self._thread.ident)

    def _run(self) -> None:
        where: dict[str, Any] = {"floor": self.floor_file, "database_url": self.url, "port": self.port}
        settings = Settings(**where, **self._settings)
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            try:
                runner.run(serve_until_stopped(settings, self._heed))
            except Exception:
                logging.getLogger(__name__).exception("the service of the tests has ended")

    def _heed(self, stop: Callable[[], None], _renew: Callable[[], None]) -> None:
        self._stop = stop

    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self.floor_file.write_text(self.floor.text())
        logging.getLogger().addHandler(self._lines)
        self._thread.start()
        self.wait_until_ready()

    def jackpot(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Here too, in a thread for the loop that it runs."""
        call = partial(CliRunner().invoke, cli, arguments, env={"JACKPOT_DATABASE_URL": self.url})
        with ThreadPoolExecutor(1) as thread:
            ended = thread.submit(call).result()
        return subprocess.CompletedProcess(arguments, ended.exit_code, ended.stdout, ended.stderr)

    def close(self) -> None:
        self.http.close()
        if self._stop is not None and self.alive():
            self._loop.call_soon_threadsafe(self._stop)
        self._thread.join(PATIENCE)
        logging.getLogger().removeHandler(self._lines)
        self._lines.close()


class Service(Served):
    """`jackpot serve`, started, stopped, killed and started again on the same store."""

    def __init__(self, url: str, floor: FloorFile, folder: Path, **environment: str) -> None:
        super().__init__(url, floor, folder, **environment)
        self._process: subprocess.Popen[bytes] | Command | None = None

    def launch(self) -> None:
        """Start, and do not wait until it serves."""
        self.floor_file.write_text(self._floor_text())
        where = ["--floor", str(self.floor_file), "--host", "127.0.0.1", "--port", str(self.port)]
        self._process = self._launched("serve", *where)

    def _floor_text(self) -> str:
        return self.floor.costly_text()

    def _launched(self, *arguments: str) -> subprocess.Popen[bytes] | Command:
        with self.log_file.open("ab") as log:
            return subprocess.Popen(
                [JACKPOT, *arguments],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=self._environment,
                start_new_session=True,
            )

    def start(self) -> None:
        self.launch()
        self.wait_until_ready()

    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def process(self) -> subprocess.Popen[bytes] | Command:
        assert self._process is not None, "the service was not started"
        return self._process

    def ended(self) -> int:
        """The exit code of a service that ends by itself, such as one that refuses to start."""
        return self.process.wait(timeout=PATIENCE)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def kill(self) -> None:
        """Also what it started: it is a session of its own."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=PATIENCE)

    def close(self) -> None:
        self.http.close()
        if self._process is not None and self._process.poll() is None:
            self.kill()


class Forked(Service):
    """The same without the seconds in which Python starts and imports it. For tests of what becomes of a
    process that serves, not of how it comes to serve."""

    def _floor_text(self) -> str:
        return self.floor.text()

    def _launched(self, *arguments: str) -> Command:
        return Command(arguments, self.folder, self._environment, Said(self.log_file, self.log_file))

    def jackpot(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        with TemporaryDirectory() as folder:
            said = Said(Path(folder) / "out", Path(folder) / "errors")
            status = Command(arguments, self.folder, self._environment, said).wait(PATIENCE)
            return subprocess.CompletedProcess(arguments, status, *(one.read_text() for one in said))


@contextmanager
def serving(url: str, floor: FloorFile, folder: Path, **environment: str) -> Iterator[Service]:
    service = Forked(url, floor, folder, **environment)
    try:
        service.start()
        yield service
    finally:
        service.close()


@contextmanager
def in_thread(url: str, floor: FloorFile, folder: Path, **settings: Any) -> Iterator[InThread]:
    service = InThread(url, floor, folder, **settings)
    try:
        service.start()
        yield service
    finally:
        service.close()
