"""The demo as a whole: the service as a process of its own, its tables, its House, and what is told."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx
from msgspec import Struct

from api.demo.blackjack import DemoBlackjack
from api.demo.floor import CURRENCY, LINK, MACHINES, PEOPLE, PIT_TABLES, TABLES, floor_file
from api.demo.house import DemoHouse
from api.demo.tables import DemoController, Rig
from jackpot.book.stores.files import make_private
from jackpot.core.money import spoken

START_WITHIN = 120.0
ANSWER_WITHIN = 5.0
"""While it starts: whoever has the port already may take the call and say nothing."""
_SERVE = "from api.cli import main; main()"
Tell = Callable[[str], None]


class DemoFailed(Exception):
    pass


class Demo(Struct, frozen=True, kw_only=True):
    folder: Path
    port: int = 8000
    seed: int = 7
    speed: float = 1.0
    seconds: float | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def addresses(demo: Demo) -> list[str]:
    told = [
        f"meter    {demo.url}/v1/links/{LINK}/meter",
        f"sign     {demo.url}/signs/{LINK}",
        f"console  {demo.url}/console",
        f"docs     {demo.url}/docs",
        f"book     {demo.folder / 'book.db'}",
    ]
    people = [f"{one.role:<10} {one.name}  password {one.password}  token {one.token}" for one in PEOPLE]
    displays = [
        f"display  {demo.url}/signs/tables/{one.id}"
        for one in MACHINES
        if one is TABLES[0] or one in PIT_TABLES
    ]
    tables = ", ".join(one.id for one in MACHINES)
    return [*told, *displays, *people, f"tables   {tables}  token demo-TABLE"]


@contextmanager
def served(demo: Demo) -> Iterator[subprocess.Popen[bytes]]:
    """The real service, on a book in the demo's folder."""
    floor, log_file = demo.folder / "floor.toml", demo.folder / "service.log"
    for file in (floor, log_file):
        make_private(file)
    floor.write_text(floor_file())
    given = {"DEMO": "1", "DATABASE_URL": f"sqlite+aiosqlite:///{demo.folder / 'book.db'}"}
    # Settings of a real service in this shell are not for the demo.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("JACKPOT_")}
    environment = inherited | {f"JACKPOT_{name}": value for name, value in given.items()}
    where = ["--floor", str(floor), "--host", "127.0.0.1", "--port", str(demo.port)]
    command = [sys.executable, "-c", _SERVE, "serve", *where]
    with log_file.open("ab") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)  # noqa: S603
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def play(demo: Demo, tell: Tell, show: Tell) -> None:
    """`tell` what happened, line by line, and `show` how things stand."""
    with served(demo) as process:
        async with httpx.AsyncClient(base_url=demo.url, timeout=30, trust_env=False) as http:
            await _ready(demo, process, http)
            for line in addresses(demo):
                tell(line)
            async with _at_work(demo, http) as staff:
                await _watch(demo, process, http, staff, tell, show)


async def _ready(demo: Demo, process: subprocess.Popen[bytes], http: httpx.AsyncClient) -> None:
    until = time.monotonic() + START_WITHIN
    person = {"Authorization": f"Bearer {PEOPLE[0].token}"}
    while process.poll() is None and time.monotonic() < until:
        try:
            # Another service on this port would answer too, but not to our people.
            answer = await http.get(f"/v1/links/{LINK}/wins", headers=person, timeout=ANSWER_WITHIN)
            if answer.status_code == 200:
                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.1)
    raise DemoFailed(f"the service did not start:\n{_end_of_log(demo)}")


def _end_of_log(demo: Demo) -> str:
    return "\n".join((demo.folder / "service.log").read_text(errors="replace").splitlines()[-5:])


@dataclass(frozen=True, slots=True)
class Staff:
    house: DemoHouse
    controllers: list[DemoController | DemoBlackjack]
    work: list[asyncio.Task[None]]

    def check(self) -> None:
        """Nobody may have gone home: raises why, if somebody has."""
        for task in self.work:
            if task.done():
                task.result()

    def standing(self, reading: dict[str, Any]) -> str:
        rounds = sum(one.rounds for one in self.controllers)
        away = sum(one.client.offline for one in self.controllers)
        paid = f"{len(self.house.paid)} majors paid, {spoken(sum(self.house.paid.values()), CURRENCY)}"
        line = f"{reading['display']}  {reading['state']}  {rounds} rounds  {paid}"
        return f"{line}  {away} tables without the service" if away else line


@asynccontextmanager
async def _at_work(demo: Demo, http: httpx.AsyncClient) -> AsyncIterator[Staff]:
    house = DemoHouse(http, look=2.0 / demo.speed)
    due = asyncio.get_running_loop().time() + 6.0 / demo.speed
    rig = Rig(every=25.0 / demo.speed, rng=Random(demo.seed), due=due)  # noqa: S311
    controllers: list[DemoController | DemoBlackjack] = [
        DemoController(table, demo.url, demo.folder, rig, demo.seed, demo.speed) for table in TABLES
    ]
    controllers += [
        DemoBlackjack(table, demo.url, demo.folder, demo.seed, demo.speed) for table in PIT_TABLES
    ]
    work = [asyncio.create_task(one) for one in (house.work(), *(one.play() for one in controllers))]
    try:
        yield Staff(house, controllers, work)
    finally:
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)


async def _watch(
    demo: Demo,
    process: subprocess.Popen[bytes],
    http: httpx.AsyncClient,
    staff: Staff,
    tell: Tell,
    show: Tell,
) -> None:
    began = time.monotonic()
    while demo.seconds is None or time.monotonic() - began < demo.seconds:
        if process.poll() is not None:
            raise DemoFailed(f"the service has stopped:\n{_end_of_log(demo)}")
        staff.check()
        while staff.house.story:
            tell(staff.house.story.pop(0))
        try:
            reading = await http.get(f"/v1/links/{LINK}/meter")
            show(staff.standing(reading.json()))
        except httpx.TransportError as trouble:
            show(f"the service does not answer: {type(trouble).__name__}")
        await asyncio.sleep(0.5)
