"""Golden journals: each release keeps some of its own making, which every later release must still verify.

`python -m tests.golden RELEASE` writes the journals of the release at hand: seeded floors and their pits, as
many as it takes until every kind of fact has happened. A journal that is kept is never written again: while a
release is not out, kinds of facts that are new in it come with further journals.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from jackpot.link import facts
from jackpot.machine.memory_book import MemoryBook, MemoryJournal
from jackpot.simulation.pits import PitSimulation
from jackpot.simulation.run import Simulation

FOLDER = Path(__file__).parent
STEPS = 400


@dataclass(frozen=True, slots=True)
class Golden:
    """The journal of a link or a pit as it was written, and what it said at its end."""

    release: str
    seed: int
    entries: tuple[bytes, ...]
    head: str
    accounts: dict[str, int]
    """None in a pit."""

    @property
    def of(self) -> str:
        """The id of its link or pit."""
        return str(json.loads(self.entries[0])["link"])

    @property
    def kinds(self) -> set[str]:
        return {json.loads(data)["fact"]["kind"] for data in self.entries}


def releases() -> list[str]:
    return sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))


def kept(release: str) -> list[Golden]:
    told = json.loads(gzip.decompress((FOLDER / f"{release}.json.gz").read_bytes()))
    return [
        Golden(release, one["seed"], tuple(map(str.encode, one["entries"])), one["head"], one["accounts"])
        for one in told
    ]


def missing(several: list[Golden]) -> set[str]:
    """Kinds of facts that none of them has."""
    return set(facts.KINDS) - {kind for one in several for kind in one.kinds}


def write(release: str) -> list[Golden]:
    """What was added."""
    before = kept(release) if release in releases() else []
    added = _journals(release, missing(before))
    told = [
        {
            "seed": one.seed,
            "head": one.head,
            "accounts": one.accounts,
            "entries": [data.decode() for data in one.entries],
        }
        for one in [*before, *added]
    ]
    text = json.dumps(told, ensure_ascii=False).encode()
    (FOLDER / f"{release}.json.gz").write_bytes(gzip.compress(text, mtime=0))
    return added


def _journals(release: str, missing: set[str]) -> list[Golden]:
    """Floors one after the other; those that show no new kind of fact are left out."""
    made: list[Golden] = []
    for seed in count(1):
        if not missing:
            break
        for book in _played(seed):
            golden = _golden(release, seed, book)
            if golden.kinds & missing:
                missing -= golden.kinds
                made.append(golden)
    return made


def _played(seed: int) -> Iterator[MemoryJournal]:
    floor, pit = Simulation(seed), PitSimulation(seed)
    floor.run(STEPS)
    yield floor.stage.book
    pit.run(STEPS)
    yield pit.stage.book


def _golden(release: str, seed: int, book: MemoryJournal) -> Golden:
    accounts = book.link.pool.accounts if isinstance(book, MemoryBook) else {}
    entries = tuple(entry.data for entry in book.entries)
    told = {account.value: units for account, units in accounts.items()}
    return Golden(release, seed, entries, book.pit.head, told)
