"""How long a link cannot commit after a fault: until a bet that is sent then is acknowledged, beside tables
that play. Where nobody can commit, until both replicas say so.

A table of its own sends the bet, first to the replica that goes on, and to each of them once all is mended.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

import httpx

from tests.bench.timing import machine
from tests.callers import BOX, now
from tests.faults import FAULTS, FIRST, PROBE, SECOND, Fault, Replicas, told, two_replicas
from tests.service import Service, token_of
from tests.service_load import Controllers
from tests.waiting import eventually
from tests.wire.test_service_crash import more_answers, playing

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-faults.md"
TURNS = int(os.environ.get("JACKPOT_FAULTS", "5"))
PROMISED = 10
BETWEEN = 0.05
"""Seconds that a table takes from round to round."""
BEFORE = 20
"""Answers to each replica before the next fault."""


@dataclass
class Taken:
    """Seconds, of each turn."""

    meanwhile: list[float] = field(default_factory=list)
    afterwards: list[float] = field(default_factory=list)
    goes_on: bool = True


class Probe:
    """A table whose every bet is a measurement."""

    def __init__(self) -> None:
        self._rounds = count(1)

    async def acknowledged(self, service: Service) -> None:
        """A bet sent now, again and again until it is durable."""
        path = f"/v1/tables/{PROBE}/rounds/{next(self._rounds)}/bets"
        headers = {"Authorization": f"Bearer {token_of(PROBE)}"}
        moment = now()
        body = {"closed_at": moment, "sent_at": moment, "boxes": [BOX]}
        async with httpx.AsyncClient(base_url=service.base, timeout=60) as http:

            async def taken() -> bool:
                try:
                    answer = await http.put(path, json=body, headers=headers)
                except httpx.TransportError:
                    return False
                return answer.status_code in (200, 201)

            await eventually(taken)


async def seconds(work: Awaitable[object]) -> float:
    begun = time.perf_counter()
    await work
    return time.perf_counter() - begun


async def turn(at: Replicas, fault: Fault, probe: Probe, taken: Taken) -> None:
    async with fault(at) as goes_on:
        taken.goes_on = goes_on is not None
        if goes_on is None:
            taken.meanwhile.append(await seconds(asyncio.gather(told(at.first), told(at.second))))
        else:
            taken.meanwhile.append(await seconds(probe.acknowledged(goes_on)))
    mended = time.perf_counter()
    for replica in (at.first, at.second):
        await probe.acknowledged(replica)
    taken.afterwards.append(time.perf_counter() - mended)


async def measured(tell: Callable[[str], object]) -> dict[str, Taken]:
    found = {name: Taken() for name in FAULTS}
    probe = Probe()
    with tempfile.TemporaryDirectory(prefix="jackpot-faults-") as folder:
        async with two_replicas(Path(folder)) as at, AsyncExitStack() as plays:
            several = [
                Controllers(at.first, FIRST, pause=BETWEEN),
                Controllers(at.second, SECOND, pause=BETWEEN),
            ]
            for controllers in several:
                await plays.enter_async_context(playing(controllers))
            for number in range(TURNS):
                tell(f"faults, turn {number + 1} of {TURNS} ...")
                for name, fault in FAULTS.items():
                    for controllers in several:
                        await more_answers(controllers, BEFORE)
                    await turn(at, fault, probe, found[name])
    return found


def page(found: dict[str, Taken]) -> str:
    rows = [
        f"| {name} | {'commits' if one.goes_on else 'told'} | {median(one.meanwhile):.2f} |"
        f" {max(one.meanwhile):.2f} | {median(one.afterwards):.2f} | {max(one.afterwards):.2f} | {PROMISED} |"
        for name, one in found.items()
    ]
    said = (
        f"Written by `make bench`. This machine: {machine()}. Two replicas on PostgreSQL and Redis, four"
        f" tables that play; {TURNS} turns, in each of which everything breaks once. During the fault a"
        " replica that was spared commits a bet that was sent after it, or, where none can, both say on"
        " `/readyz` and on signs that they cannot. Afterwards both commit a bet each. A replica that was"
        " killed has started again by then: a start is not counted. All in seconds."
        f" The load average was {os.getloadavg()[0]:.1f}: these are the seconds of a quiet machine only if it"
        " is well below the number of cores."
    )
    head = [
        "# Faults",
        "",
        said,
        "",
        "| fault | during it | median | worst | after it, median | worst | promised |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    return "\n".join([*head, *rows, ""])


def main(tell: Callable[[str], object]) -> str:
    return page(asyncio.run(measured(tell)))
