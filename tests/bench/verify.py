"""How fast a book is verified: whole rounds of a link and a pit, by one process and by two.

Beside it, in the same run, what could not be left out whatever the rules were: the hash of every entry, and
its bytes parsed once. CPU is that of all processes; the machine's other work hardly changes it.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import select

from api.controllers import pit_wire, wire
from jackpot.book.book import Book
from jackpot.book.checking.whole_book import Wanted, planned, verified
from jackpot.book.stores.addresses import existing_store
from jackpot.book.stores.rows import entry_bytes
from jackpot.book.stores.schema import journal
from jackpot.games.blackjack import BLACKJACK_GAMES, PitGame
from jackpot.games.rulebook import Game
from jackpot.link.commands import AddTable
from jackpot.link.state import PitSetup, TableSetup
from tests.bench.book import PARAMETERS
from tests.bench.rounds import DECKS, Round, blackjack_rounds, holdem_rounds, stud_rounds
from tests.bench.timing import machine
from tests.servers import Postgres

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-verify.md"

LINK, PIT = "main", "pit"
TABLES = 24
"""Of each game of the link; the pit has as many."""
ROUNDS = {"JACKPOT_LINK_ROUNDS": 20_000, "JACKPOT_PIT_ROUNDS": 2_500}
TURNS = 2
Tell = Callable[[str], None]


async def written(url: str, link_rounds: int, pit_rounds: int) -> None:
    """A book of so many rounds, half of the link's of each game: each is two entries."""
    book, chance = await Book.open(url), random.Random(20_260_101)
    rules = BLACKJACK_GAMES[PitGame.BLACKJACK_PERFECT_PAIRS]
    dealt = {Game.CASINO_STUD: stud_rounds(chance), Game.TEXAS_HOLDEM: holdem_rounds(chance)}
    try:
        await book.create(LINK, "Benchmark", "SGD", PARAMETERS)
        await book.create_pit(PIT, "Benchmark", "SGD")
        for game, rounds in dealt.items():
            setups = [TableSetup(id=f"{game.value}-{one:02d}", game=game, boxes=7) for one in range(TABLES)]
            each = max(1, link_rounds // TABLES // len(dealt))
            await _evening(book, LINK, setups, [rounds] * TABLES, each)
        pits = [
            PitSetup(id=f"bj-{one:02d}", game=PitGame.BLACKJACK_PERFECT_PAIRS, boxes=7, decks=DECKS)
            for one in range(TABLES)
        ]
        shoes = [blackjack_rounds(chance, rules) for _ in pits]
        await _evening(book, PIT, pits, shoes, max(1, pit_rounds // TABLES))
    finally:
        await book.close()


async def _evening(
    book: Book,
    link: str,
    setups: Sequence[TableSetup | PitSetup],
    rounds: Sequence[Iterator[Round]],
    count: int,
) -> None:
    """All tables at once, each so many rounds."""
    for setup in setups:
        await book.submit(link, AddTable(person="floor", setup=setup))
    spoken = (wire.Bets, wire.Hands) if link == LINK else (pit_wire.PitBets, pit_wire.PitHands)
    tables = zip(setups, rounds, strict=True)
    await asyncio.gather(*(_played(book, link, setup.id, dealt, count, spoken) for setup, dealt in tables))


async def _played(
    book: Book, link: str, table: str, rounds: Iterator[Round], count: int, spoken: tuple[Any, Any]
) -> None:
    for number in range(1, count + 1):
        bets, hands = next(rounds)
        for kind, said in zip(spoken, (bets | {"closed_at": _now()}, hands), strict=True):
            message = msgspec.convert(said | {"sent_at": _now()}, kind)
            await book.submit(link, message.command(table, number, wire.Arrived(*book.clock.moment())))


def _now() -> str:
    return datetime.now(UTC).isoformat()


@dataclass(frozen=True, slots=True)
class Cost:
    rate: float
    """Entries a second."""
    cpu: float
    """Microseconds an entry, of all processes."""


def cost_of(work: Callable[[], object], entries: int) -> Cost:
    begun, before = time.perf_counter(), _used()
    work()
    taken = time.perf_counter() - begun
    return Cost(entries / taken, (_used() - before) / entries * 1e6)


def _used() -> float:
    known = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(one.ru_utime + one.ru_stime for one in known)


def verify(url: str, processes: int, link: str | None = None) -> None:
    for one in verified(url, planned(url, Wanted(link)), processes=processes, told=lambda *_: None):
        if not one.entries:
            raise AssertionError(one)


async def journal_bytes(url: str) -> list[bytes]:
    store = existing_store(url)
    try:
        async with store.reading() as connection:
            rows = (await connection.execute(select(journal))).all()
        return [entry_bytes(row.data) for row in rows]
    finally:
        await store.close()


def measured(url: str, tell: Tell) -> dict[str, Cost]:
    """By what was done, all in turns; of each the turn that cost least."""
    entries = asyncio.run(journal_bytes(url))
    of_link = sum(b'"link":"main"' in one for one in entries)
    works: dict[str, tuple[Callable[[], object], int]] = {
        "sha256 of every entry": (lambda: [sha256(one).digest() for one in entries], len(entries)),
        "`json.loads` of every entry": (lambda: [json.loads(one) and None for one in entries], len(entries)),
        "the link, 1 process": (lambda: verify(url, 1, LINK), of_link),
        "the pit, 1 process": (lambda: verify(url, 1, PIT), len(entries) - of_link),
        "the book, 2 processes": (lambda: verify(url, 2), len(entries)),
    }
    found: dict[str, Cost] = {}
    for turn in range(TURNS):
        for name, (work, count) in works.items():
            cost = cost_of(work, count)
            tell(f"turn {turn + 1}: {name}: {cost.rate:,.0f}/s, {cost.cpu:.1f} us of CPU")
            best = found.setdefault(name, cost)
            found[name] = Cost(max(best.rate, cost.rate), min(best.cpu, cost.cpu))
    return found


def _table(store: str, found: dict[str, Cost]) -> list[str]:
    unit = found["`json.loads` of every entry"].cpu
    head = [f"## {store}", "", "| | entries/s | CPU us/entry | in `json.loads` |", "|---|---:|---:|---:|"]
    rows = [
        f"| {name} | {one.rate:,.0f} | {one.cpu:.1f} | {one.cpu / unit:.1f} |" for name, one in found.items()
    ]
    return [*head, *rows, ""]


def main(tell: Tell) -> str:
    rounds, pit_rounds = (int(os.environ.get(name, most)) for name, most in ROUNDS.items())
    server = Postgres()
    try:
        server.start()
        with tempfile.TemporaryDirectory(prefix="jackpot-verify-") as folder:
            urls = {
                "PostgreSQL": asyncio.run(server.create("book")),
                "SQLite": f"sqlite+aiosqlite:///{folder}/book.db",
            }
            tables: list[str] = []
            for store, url in urls.items():
                tell(f"{store}: writing the book")
                asyncio.run(written(url, rounds, pit_rounds))
                tables += _table(store, measured(url, tell))
    finally:
        server.remove()
    head = [
        "# Verifying a book",
        "",
        f"Written by `python -m tests.bench verify` on: {machine()}.",
        "",
        f"A link of about {2 * rounds:,} entries and a pit of {2 * pit_rounds:,}: bets and final hands",
        f"of seven boxes, at {TABLES} tables each of Casino Stud, Hold'em and Blackjack Perfect Pairs. In",
        f"turns, the best of {TURNS}; CPU is that of this process and of those it starts, with their start,",
        "and not of the database. What other work the machine has falls on entries a second,",
        "and far less on CPU and on the last column.",
        "",
    ]
    return "\n".join([*head, *tables])
