"""What a service holds while it serves for long: memory, connections, tasks; and whether any of it grows."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import asyncpg
import numpy as np
from msgspec import Struct

from loadtests.house import House
from tests.service import Service

WARM = 1 / 6
"""Of the time: caches, pools and the allocator reach their size before anything is compared."""
MEGABYTE = 1024 * 1024
_TASKS = re.compile(r"^jackpot_tasks ([\d.]+)", re.MULTILINE)
_BACKENDS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = 'book'"


class Held(Struct, frozen=True):
    """By one replica."""

    memory: float
    """Megabytes in RAM."""
    files: int
    """Open files and sockets."""
    threads: int
    tasks: int
    """Of its event loop."""


class Sample(Struct, frozen=True):
    seconds: float
    replicas: tuple[Held, ...]
    backends: int
    """Connections that PostgreSQL has of the service."""
    load: float
    """Of the whole machine, whoever else works on it."""


def held(service: Service) -> Held:
    own = Path(f"/proc/{service.process.pid}")
    status = dict(line.split(":", 1) for line in (own / "status").read_text().splitlines() if ":" in line)
    memory = int(status["VmRSS"].split()[0]) * 1024 / MEGABYTE
    return Held(memory, len(list((own / "fd").iterdir())), int(status["Threads"]), _tasks(service))


def _tasks(service: Service) -> int:
    found = _TASKS.search(service.http.get("/metrics").text)
    if found is None:
        raise RuntimeError("the service does not tell how many tasks it has")
    return int(float(found[1]))


async def _backends(house: House) -> int:
    connection = await asyncpg.connect(house.postgres.dsn("postgres"))
    try:
        return int(await connection.fetchval(_BACKENDS))
    finally:
        await connection.close()


def sample(house: House, seconds: float) -> Sample:
    replicas = tuple(held(service) for service in house.services)
    return Sample(seconds, replicas, asyncio.run(_backends(house)), os.getloadavg()[0])


def watch(
    house: House, floor: subprocess.Popen[bytes], every: float, tell: Callable[[Sample], None]
) -> list[Sample]:
    """While the floor plays, and not when it goes home."""
    began, found = time.monotonic(), []
    while (gone := time.monotonic() - began) < house.plan.seconds and floor.poll() is None:
        found.append(sample(house, gone))
        tell(found[-1])
        time.sleep(
            max(0.0, min((len(found) * every) - (time.monotonic() - began), house.plan.seconds - gone))
        )
    return found


class Trend(Struct, frozen=True):
    """Of one thing after the warm-up."""

    name: str
    start: float
    """Its mean in the first part of the same length as the warm-up, and in the last."""
    end: float
    slope: float
    """An hour."""

    def grows(self, share: float, few: float) -> bool:
        """By more than that share, and by more than a few, over what was watched."""
        return self.end - self.start > max(share * self.start, few)


def trend(name: str, seconds: Sequence[float], values: Sequence[float]) -> Trend:
    whole = max(seconds)
    kept = [(at, value) for at, value in zip(seconds, values, strict=True) if at >= WARM * whole]
    first = [value for at, value in kept if at < 2 * WARM * whole] or [kept[0][1]]
    last = [value for at, value in kept if at >= (1 - WARM) * whole]
    times, amounts = [at for at, _ in kept], [value for _, value in kept]
    slope = float(np.polyfit(times, amounts, 1)[0]) if len(kept) > 1 else 0.0
    return Trend(name, float(np.mean(first)), float(np.mean(last)), slope * 3600)


def trends(samples: Sequence[Sample]) -> list[Trend]:
    seconds = [one.seconds for one in samples]
    found = []
    for number in range(len(samples[0].replicas)):
        own = [one.replicas[number] for one in samples]
        for what, values in (
            ("memory, MB", [one.memory for one in own]),
            ("open files and sockets", [float(one.files) for one in own]),
            ("threads", [float(one.threads) for one in own]),
            ("tasks", [float(one.tasks) for one in own]),
        ):
            found.append(trend(f"replica {number + 1}: {what}", seconds, values))
    found.append(trend("connections in PostgreSQL", seconds, [float(one.backends) for one in samples]))
    return found
