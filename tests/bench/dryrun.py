"""How fast a link's journal is played again, beside how fast it is verified, in the same run.

A month of a casino: whole rounds of 24 tables with majors, approvals and payments, written by the real book
at the times of a month. One process, as `jackpot dryrun` has it; CPU is that of the process, which the
machine's other work hardly changes.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from api.dryruns.asked import Asked
from api.dryruns.running import found_by
from jackpot.book.stores.addresses import existing_store
from jackpot.dryrun.findings import Findings
from jackpot.link.awards import Policy
from jackpot.link.parameters import Changes
from tests.bench.timing import machine
from tests.bench.verify import Cost, cost_of, verify
from tests.month import LINK, written

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-dryrun.md"
ROUNDS = 40_000
"""`JACKPOT_DRYRUN_ROUNDS` is another number; `JACKPOT_DRYRUN_BOOK` the address of a book that is there."""
TURNS = 2
MONTH = 1_000_000
AIM = 180
"""Seconds for a month of a casino: what we aim for."""
OTHER = Changes(seed=10_000_000, policy=Policy.SPLIT)
Tell = Callable[[str], None]


def played(url: str, overrides: Changes) -> Findings:
    async def run() -> Findings:
        store = existing_store(url)
        try:
            return await found_by(store, Asked(link=LINK, overrides=overrides), lambda *_: None)
        finally:
            await store.close()

    return asyncio.run(run())


def measured(url: str, tell: Tell) -> tuple[int, dict[str, Cost]]:
    """All in turns; of each the turn that cost least."""
    entries = played(url, Changes()).last
    works: dict[str, Callable[[], object]] = {
        "dry run, nothing changed and each fact compared": lambda: played(url, Changes()),
        "dry run, another seed and policy": lambda: played(url, OTHER),
        "`verify`, 1 process": lambda: verify(url, 1, LINK),
    }
    found: dict[str, Cost] = {}
    for turn in range(TURNS):
        for name, work in works.items():
            cost = cost_of(work, entries)
            tell(f"turn {turn + 1}: {name}: {cost.rate:,.0f}/s, {cost.cpu:.1f} us of CPU")
            best = found.setdefault(name, cost)
            found[name] = Cost(max(best.rate, cost.rate), min(best.cpu, cost.cpu))
    return entries, found


def main(tell: Tell) -> str:
    kept = os.environ.get("JACKPOT_DRYRUN_BOOK")
    with tempfile.TemporaryDirectory(prefix="jackpot-dryrun-") as folder:
        url = kept or f"sqlite+aiosqlite:///{folder}/book.db"
        if kept is None:
            tell("writing the book")
            asyncio.run(written(url, rounds=int(os.environ.get("JACKPOT_DRYRUN_ROUNDS", ROUNDS))))
        entries, found = measured(url, tell)
    unit = found["`verify`, 1 process"].cpu
    rows = [
        f"| {name} | {one.rate:,.0f} | {one.cpu:.1f} | {unit / one.cpu:.1f} |" for name, one in found.items()
    ]
    slowest = max(one.cpu for name, one in found.items() if "dry run" in name) * MONTH / 1e6
    head = [
        "# Dry runs",
        "",
        f"Written by `python -m tests.bench dryrun` on: {machine()}.",
        "",
        f"A link of {entries:,} entries in SQLite, mostly bets and final hands of seven boxes, at 24 tables.",
        f"In turns, the best of {TURNS}.",
        "",
        "| | entries/s | CPU us/entry | times as fast as `verify`, by CPU |",
        "|---|---:|---:|---:|",
        *rows,
        "",
        f"At that pace a month of {MONTH:,} entries takes {slowest:,.0f} s of one core; we aim for {AIM} s.",
        f"The load average was {os.getloadavg()[0]:.1f}.",
        "",
    ]
    return "\n".join(head)
