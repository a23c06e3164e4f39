"""Golden journals: each release keeps one of its own making, which every later release must still verify.

`python -m tests.golden RELEASE` writes the journals of the release at hand: seeded floors, as many as it
takes until every kind of fact has happened. A release that is out is never written again.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

from jackpot.link import facts
from jackpot.simulation.run import Simulation

FOLDER = Path(__file__).parent
STEPS = 400


@dataclass(frozen=True, slots=True)
class Golden:
    """One link's journal as it was written, and what it said at its end."""

    release: str
    seed: int
    entries: tuple[bytes, ...]
    head: str
    accounts: dict[str, int]


def releases() -> list[str]:
    return sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))


def kept(release: str) -> list[Golden]:
    told = json.loads(gzip.decompress((FOLDER / f"{release}.json.gz").read_bytes()))
    return [
        Golden(release, one["seed"], tuple(map(str.encode, one["entries"])), one["head"], one["accounts"])
        for one in told
    ]


def write(release: str) -> list[Golden]:
    made = _journals(release)
    told = [
        {
            "seed": one.seed,
            "head": one.head,
            "accounts": one.accounts,
            "entries": [data.decode() for data in one.entries],
        }
        for one in made
    ]
    text = json.dumps(told, ensure_ascii=False).encode()
    (FOLDER / f"{release}.json.gz").write_bytes(gzip.compress(text, mtime=0))
    return made


def _journals(release: str) -> list[Golden]:
    """Floors one after the other; those that show no new kind of fact are left out."""
    missing, made, seed = set(facts.KINDS), list[Golden](), 0
    while missing:
        seed += 1
        played = Simulation(seed)
        shown = set(played.run(STEPS).facts)
        if shown & missing:
            missing -= shown
            book = played.stage.book
            accounts = {account.value: units for account, units in book.link.pool.accounts.items()}
            entries = tuple(entry.data for entry in book.entries)
            made.append(Golden(release, seed, entries, book.link.head, accounts))
    return made
