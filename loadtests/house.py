"""The servers of a run: PostgreSQL and Redis from their wheels, two replicas of the service, the floor."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from msgspec import structs

from loadtests.plan import Plan, checked, write_plan
from tests.servers import Postgres, Redis
from tests.service import FloorFile, Service, link_entry

REPLICAS = 2
LATE = 120.0
"""Seconds after its time in which a floor must have come to an end."""


class FloorFailed(Exception):
    pass


@dataclass(frozen=True, slots=True)
class House:
    plan: Plan
    postgres: Postgres
    redis: Redis
    services: list[Service]

    @property
    def url(self) -> str:
        return self.services[0].url


def floor_of(plan: Plan) -> FloorFile:
    floor = FloorFile(link=[link_entry("main")])
    floor.add_people()
    for table in plan.table_ids:
        floor.add_table(table, "main")
    return floor


@contextmanager
def house(plan: Plan) -> Iterator[House]:
    with ExitStack() as stack:
        postgres = Postgres()
        stack.callback(postgres.remove)
        postgres.start()
        redis = Redis()
        stack.callback(redis.kill)
        redis.start()
        url = asyncio.run(postgres.create("book"))
        services = []
        for number in range(REPLICAS):
            folder = plan.folder / f"replica-{number + 1}"
            folder.mkdir(parents=True)
            service = Service(url, floor_of(plan), folder, JACKPOT_REDIS_URL=redis.url)
            stack.callback(service.close)
            service.start()
            services.append(service)
        here = structs.replace(plan, urls=tuple(one.base for one in services))
        yield House(checked(here), postgres, redis, services)


@contextmanager
def floor_playing(plan: Plan) -> Iterator[subprocess.Popen[bytes]]:
    """In a process of its own, since locust changes the one it runs in."""
    command = [sys.executable, "-m", "loadtests.playing", str(write_plan(plan))]
    with (plan.folder / "floor.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=LATE)


def finished(plan: Plan, process: subprocess.Popen[bytes]) -> None:
    """Wait until everybody has finished the round they were in."""
    try:
        failed = process.wait(timeout=plan.seconds + LATE) != 0
    except subprocess.TimeoutExpired:
        failed = True
    if failed:
        log = (plan.folder / "floor.log").read_text(errors="replace")
        raise FloorFailed(f"the floor did not end well:\n{log[-3000:]}")
