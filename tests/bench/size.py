"""How many bytes of the database an entry takes, after whole rounds: bets, then final hands with their
settlement, at seven boxes (Free Bet Blackjack has six), of every game, through the book on PostgreSQL.

Everything counts: the journal's heap, TOAST and indices, and what the rows of state grew by while they were
written again and again. With that: what packing costs, and what it costs to look back.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from typing import Any

import asyncpg

from api.controllers import wire
from api.controllers.speech import OF_LINKS, OF_PITS, Speech
from jackpot.book.book import Book
from jackpot.book.reading.evidence import pit_round_evidence, round_evidence
from jackpot.book.reading.history import reading_at
from jackpot.book.reading.lookup import Lookup, Missing
from jackpot.book.reading.pages import current, current_link
from jackpot.book.stores.packing import pack, unpack
from jackpot.core.instants import spoken_instant
from jackpot.games.blackjack import BLACKJACK_GAMES, PitGame
from jackpot.games.rulebook import Game
from jackpot.link.commands import AddTable, Command
from jackpot.link.parameters import Parameters
from jackpot.link.state import PitSetup, TableSetup
from tests.bench.messages import HOLDEM, STUD, Table, players
from tests.bench.rounds import DECKS
from tests.bench.timing import machine
from tests.servers import Postgres

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-size.md"
TABLES, LOOKS = 8, 400
"""Of each game; how often is looked back."""
SECONDS = float(os.environ.get("JACKPOT_BENCH_SECONDS", "0"))
ENTRIES = int(os.environ.get("JACKPOT_ENTRIES", "20000"))
"""How many are written at least; more, if that takes less than so many seconds."""
LINK, PIT = "main", "pit"
RATES = Parameters(seed=5_000_000, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)
Rows = Sequence[Any]


class Controller:
    """One table, whose messages go to the book as the service hands them over."""

    def __init__(self, link: str, table: Table, speech: Speech) -> None:
        self.link, self.table, self._speech = link, table, speech
        self._echo: dict[str, Any] = {}

    async def play(self, book: Book, rounds: int) -> None:
        for _ in range(rounds):
            bets, hands = next(self.table.rounds)
            self.table.number += 1
            now = spoken_instant(book.clock.now())
            await self._say(book, self._speech.bets, {**bets, "closed_at": now})
            await self._say(book, self._speech.hands, hands)

    async def _say(self, book: Book, kind: Any, body: dict[str, Any]) -> None:
        said = json.dumps({**body, **self._echo, "sent_at": spoken_instant(book.clock.now())}).encode()
        arrived = wire.Arrived(book.clock.now(), 500, live=True)
        command: Command = wire.decode(kind, said).command(self.table.name, self.table.number, arrived)
        outcome = await book.submit(self.link, command)
        if outcome.replied_at is not None:
            replied, heard = spoken_instant(outcome.replied_at), spoken_instant(book.clock.now())
            self._echo = {"echo": {"replied_at": replied, "heard_at": heard}}


async def furnished(book: Book) -> list[Controller]:
    await book.create(LINK, "Main", "SGD", RATES)
    await book.create_pit(PIT, "Blackjack", "SGD")
    found: list[Controller] = []
    for game, tables in players(random.Random(1)).items():
        for table in tables[:TABLES]:
            found.append(controller(game, table))
            setup = setup_of(game, table.name)
            await book.submit(found[-1].link, AddTable(person="floor", setup=setup))
    return found


def controller(game: str, table: Table) -> Controller:
    return Controller(LINK, table, OF_LINKS) if game in (STUD, HOLDEM) else Controller(PIT, table, OF_PITS)


def setup_of(game: str, name: str) -> TableSetup | PitSetup:
    if game in (STUD, HOLDEM):
        return TableSetup(id=name, game=Game(game), boxes=7)
    of_pit = PitGame(game)
    return PitSetup(id=name, game=of_pit, boxes=BLACKJACK_GAMES[of_pit].most_boxes or 7, decks=DECKS)


SIZES = """
SELECT c.relname AS name, c.relkind::text AS kind, coalesce(owner.relname, c.relname) AS owner,
       pg_relation_size(c.oid) + pg_relation_size(c.oid, 'fsm') + pg_relation_size(c.oid, 'vm') AS bytes
FROM pg_class c
LEFT JOIN LATERAL (
    SELECT t.relname FROM pg_class t WHERE t.reltoastrelid = c.oid OR t.oid IN (
        SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = c.oid)
    OR t.reltoastrelid IN (SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = c.oid)
    ORDER BY t.relkind LIMIT 1) owner ON true
WHERE owner.relname IN ('journal', 'links', 'tables') OR c.relname IN ('journal', 'links', 'tables')
"""
TOTALS = """
SELECT pg_database_size('book') AS whole, (SELECT count(*) FROM journal) AS entries,
       pg_current_wal_lsn() - '0/0' AS logged
"""
UPDATES = """
SELECT relname, n_tup_upd, n_tup_hot_upd, n_dead_tup FROM pg_stat_user_tables
WHERE relname IN ('links', 'tables') ORDER BY relname
"""
ROWS = """
SELECT split_part(tbl, '-', 1) AS game, kind, count(*) AS entries, avg(octet_length(data))::int AS data,
       avg(pg_column_size(journal.*))::int AS row
FROM journal WHERE round IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 50 ORDER BY 1, 2
"""


async def asked(server: Postgres, question: str) -> list[Any]:

    connection = await asyncpg.connect(server.dsn("book"))
    try:
        found: list[Any] = await connection.fetch(question)
        return found
    finally:
        await connection.close()


@dataclass(frozen=True, slots=True)
class Size:
    """Of a database at one moment."""

    whole: int
    parts: dict[str, int]
    """Bytes by what they are for."""
    entries: int
    logged: int
    """Bytes of write-ahead log since the server was made."""

    @classmethod
    async def now(cls, server: Postgres) -> Size:
        parts: dict[str, int] = {}
        for row in await asked(server, SIZES):
            part = _part(row["name"], row["kind"], row["owner"])
            parts[part] = parts.get(part, 0) + int(row["bytes"])
        [told] = await asked(server, TOTALS)
        return cls(int(told["whole"]), parts, int(told["entries"]), int(told["logged"]))


def _part(name: str, kind: str, owner: str) -> str:
    if name.startswith("pg_toast"):
        return f"{owner}: TOAST"
    return f"{owner}: index {name}" if kind == "i" else f"{owner}: heap"


@dataclass(frozen=True, slots=True)
class Measured:
    before: Size
    after: Size
    updates: Rows
    rows: Rows
    seconds: float
    packing: tuple[float, float, float]
    back: dict[str, float]
    """Microseconds of CPU by what is looked for."""


async def measured(server: Postgres) -> Measured:
    url = await server.create("book")
    book = await Book.open(url)
    try:
        controllers = await furnished(book)
        await asyncio.gather(*(one.play(book, 1) for one in controllers))
        before, began, entries = await Size.now(server), monotonic(), 0
        while entries < ENTRIES or monotonic() - began < SECONDS:
            await asyncio.gather(*(one.play(book, 10) for one in controllers))
            entries += 20 * len(controllers)
        taken = monotonic() - began
        back = await looked_back(book, controllers)
    finally:
        await book.close()
    updates, rows = await asked(server, UPDATES), await asked(server, ROWS)
    return Measured(before, await Size.now(server), updates, rows, taken, await packing(server), back)


async def looked_back(book: Book, controllers: list[Controller]) -> dict[str, float]:
    """For rounds long past: what an auditor asks of one, and what a repeat of its message has looked up."""
    chance, spent = random.Random(2), dict[str, list[float]]()
    async with book.store.reading() as connection:
        link, pit = (
            await current_link(book.store, connection, LINK),
            await current(book.store, connection, PIT),
        )
        for _ in range(LOOKS):
            one = chance.choice(controllers)
            table, number = one.table.name, chance.randint(2, one.table.number - 2)
            began = process_time()
            if one.link == LINK:
                await round_evidence(connection, link, table, number)
            else:
                await pit_round_evidence(connection, pit, table, number)
            spent.setdefault("a round with everything about it", []).append(process_time() - began)
            began = process_time()
            await Lookup().fetch(connection, pit, [Missing(key=f"{table}/{number}/hands")])
            spent.setdefault("what a message was answered", []).append(process_time() - began)
            began = process_time()
            await reading_at(connection, one.link, link.time - chance.randrange(10**7))
            spent.setdefault("what a meter read at a time", []).append(process_time() - began)
    return {name: median(times) * 1e6 for name, times in spent.items()}


async def packing(server: Postgres) -> tuple[float, float, float]:
    """Microseconds of CPU to pack an entry with its reading, and to unpack it; and its canonical bytes."""
    found = await asked(
        server, "SELECT data FROM journal WHERE round IS NOT NULL ORDER BY at DESC LIMIT 4000"
    )
    kept = [bytes(row["data"]) for row in found]
    said = [unpack(one) for one in kept]
    packed, unpacked = [], []
    for _ in range(5):
        began = process_time()
        for one in said:
            pack(one)
        packed.append(process_time() - began)
        began = process_time()
        for one in kept:
            unpack(one)
        unpacked.append(process_time() - began)
    each = 1e6 / len(kept)
    return median(packed) * each, median(unpacked) * each, sum(map(len, said)) / len(said)


def page(found: Measured) -> str:
    entries = found.after.entries - found.before.entries
    grown = {name: size - found.before.parts.get(name, 0) for name, size in found.after.parts.items()}
    whole = found.after.whole - found.before.whole
    logged = found.after.logged - found.before.logged
    pack_cpu, unpack_cpu, canonical = found.packing
    parts = [f"| {name} | {size / entries:.1f} |" for name, size in sorted(grown.items()) if size]
    parts += [
        f"| everything else | {(whole - sum(grown.values())) / entries:.1f} |",
        f"| **the whole database** | **{whole / entries:.0f}** |",
    ]
    rows = [f"| {one['game']} | {one['kind']} | {one['data']:,} | {one['row']:,} |" for one in found.rows]
    states = [
        f"| {one['relname']} | {found.after.parts[one['relname'] + ': heap'] / 1024:,.0f} kB"
        f" | {one['n_tup_upd']:,} | {one['n_tup_hot_upd'] / one['n_tup_upd']:.2%} | {one['n_dead_tup']:,} |"
        for one in found.updates
    ]
    return "\n".join(
        [
            "# Bytes of a book",
            "",
            f"Written by `python -m tests.bench size` on: {machine()}; PostgreSQL with fsync.",
            f"{entries:,} entries of whole rounds at {TABLES} tables of each of five games, written in",
            f"{found.seconds:,.0f} s; `JACKPOT_BENCH_SECONDS` makes it longer.",
            "",
            "By how many bytes the database grew for each entry:",
            "",
            "| | bytes an entry |",
            "|---|---:|",
            *parts,
            "",
            f"An entry has {canonical:,.0f} canonical bytes with its reading.",
            f"To pack them costs {pack_cpu:.1f} µs of CPU, to unpack them {unpack_cpu:.1f} µs.",
            f"The write-ahead log has {logged / entries:,.0f} bytes an entry.",
            "",
            "| game | kind of entry | bytes packed | bytes of its row |",
            "|---|---|---:|---:|",
            *rows,
            "",
            "The rows of state, written with every batch, after all that:",
            "",
            "| | heap | updates | in place (HOT) | dead rows |",
            "|---|---:|---:|---:|---:|",
            *states,
            "",
            "To look back, in the same process:",
            "",
            "| what is asked for | µs of CPU |",
            "|---|---:|",
            *[f"| {name} | {cpu:,.0f} |" for name, cpu in found.back.items()],
            "",
        ]
    )


def main(say: Any) -> str:
    server = Postgres()
    try:
        server.start()
        say(f"writing {ENTRIES:,} entries")
        return page(asyncio.run(measured(server)))
    finally:
        server.remove()
