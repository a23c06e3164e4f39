"""How many bets a second a link takes durably, beside what the store could do without any rules.

Three contestants on one real PostgreSQL with fsync, in the same run: `pgbench` updating one hot row, which is
what a jackpot is to a database; a bare group commit, which writes rows as large as ours into the same tables
but knows no rules; and the book, through the whole core. Callers await durability, as tables do. The figures
that travel are ratios; the CPU time of a bet is this process's own.
"""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from sqlalchemy import text

from api.serving import collect_seldom
from jackpot.book.book import Book
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.base import Store
from jackpot.book.stores.rows import JournalRow, LinkRow, Stand, TableRow, Writing, link_bytes, read_link
from jackpot.book.stores.schema import STATE
from jackpot.games.rulebook import Game
from jackpot.link.commands import AddTable, BoxBets, CloseBets
from jackpot.link.parameters import Parameters
from jackpot.link.state import TableSetup
from tests.bench.timing import machine
from tests.servers import Postgres

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-book.md"
CALLERS = 64
SECONDS = 4.0
TURNS = 3
OLD_FACTS = 2_000_000
PARAMETERS = Parameters(seed=5_000_000, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Measured:
    bets_per_second: float
    cpu_per_bet: float
    """Microseconds."""
    slowest: float
    """Milliseconds that one call in a hundred exceeds."""


async def _callers(call: Callable[[int], Awaitable[None]], bets: int, seconds: float = SECONDS) -> Measured:
    """Each caller calls again as soon as it is answered."""
    end, waits = perf_counter() + seconds, []

    async def run(number: int) -> None:
        while (began := perf_counter()) < end:
            await call(number)
            waits.append(perf_counter() - began)

    began, cpu = perf_counter(), process_time()
    await asyncio.gather(*(run(number) for number in range(CALLERS)))
    taken, cpu = perf_counter() - began, process_time() - cpu
    total = len(waits) * bets
    return Measured(total / taken, cpu / total * 1e6, sorted(waits)[len(waits) * 99 // 100] * 1e3)


async def furnished(url: str) -> Book:
    book = await Book.open(url)
    await book.create("main", "Benchmark", "SGD", PARAMETERS)
    for number in range(CALLERS):
        setup = TableSetup(id=f"t{number}", game=Game.CASINO_STUD, boxes=7)
        await book.submit("main", AddTable(person="floor", setup=setup))
    return book


async def book_rate(book: Book, bets: int, seconds: float = SECONDS) -> Measured:
    boxes = tuple(BoxBets(box=box, ante=2500, progressive=500) for box in range(1, bets + 1))
    async with book.store.reading() as connection:
        link = read_link(*await book.store.load(connection, "main"))
    rounds = [link.tables[f"t{number}"].last_round for number in range(CALLERS)]

    async def call(number: int) -> None:
        rounds[number] += 1
        now = book.clock.now()
        await book.submit(
            "main",
            CloseBets(
                table=f"t{number}",
                round=rounds[number],
                sent_at=now,
                received_at=now,
                closed_at=now,
                boxes=boxes,
            ),
        )

    return await _callers(call, bets, seconds)


class BareGroupCommit:
    """What waits is written together: a journal row and its table's for each call, the link's row once."""

    def __init__(self, store: Store, sample: JournalRow, table: TableRow, link: LinkRow) -> None:
        self._store, self._sample, self._table, self._link = store, sample, table, link
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._bell = asyncio.Event()
        self._sequence = sample.sequence

    async def call(self, number: int) -> None:
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((number, done))
        self._bell.set()
        await done

    async def run(self) -> None:
        while True:
            await self._bell.wait()
            self._bell.clear()
            batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
            rows = [
                self._sample._replace(sequence=self._sequence + step) for step in range(1, len(batch) + 1)
            ]
            tables = [self._table._replace(id=f"t{number}", version=self._sequence) for number, _ in batch]
            known, row = (
                Stand(self._link.versions, self._sample.hash),
                self._link._replace(version=self._link.version + 1),
            )
            await self._store.write_at_once("main", Writing(known, row, rows, [], tables, {}))
            self._link = row
            self._sequence += len(batch)
            for _, done in batch:
                done.set_result(None)


async def bare_rate(book: Book) -> Measured:
    """In a furnished book of its own, whose state it ruins."""
    await book_rate(book, 7, 0.3)
    await book.close()
    store = store_of(str(book.store.engine.url.render_as_string(hide_password=False)))
    async with store.reading() as connection:
        link, tables = await store.load(connection, "main")
        columns = ", ".join(JournalRow._fields)
        newest = f"SELECT {columns} FROM journal ORDER BY sequence DESC LIMIT 1"  # noqa: S608  our own names
        sample = JournalRow(*(await connection.execute(text(newest))).one())
    bare = BareGroupCommit(store, sample, tables[0], link)
    running = asyncio.create_task(bare.run())
    try:
        return await _callers(bare.call, 7)
    finally:
        running.cancel()
        await store.close()


def pgbench_rate(server: Postgres, database: str) -> float:
    """Transactions a second of 16 clients that each insert a bet and raise the one pool."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write("INSERT INTO bet VALUES (1, 500);\nUPDATE hot SET value = value + 200 WHERE id = 1;\n")
        script.flush()
        options = ["-n", "-M", "prepared", "-c", "16", "-j", "2", "-T", str(int(SECONDS)), "-f", script.name]
        command = [str(server.tool("pgbench")), *options, server.dsn(database)]
        told = subprocess.run(command, capture_output=True, text=True, check=True)
    line = next(line for line in told.stdout.splitlines() if line.startswith("tps"))
    return float(line.split()[2])


async def aged(server: Postgres, name: str, facts: int) -> str:
    """A book whose journal holds so many more facts, written as rows as large as real ones."""
    url = await server.create(name)
    book = await furnished(url)
    await book_rate(book, 7, 0.3)
    async with book.store.reading() as connection:
        row, _ = await book.store.load(connection, "main")
    await book.close()
    link = read_link(row, ())
    others = ", ".join(
        field for field in JournalRow._fields if field not in ("sequence", "round", "submitted")
    )
    await server.execute(
        f"INSERT INTO journal (link, hash, reading, sequence, round, submitted, {others}) "  # noqa: S608  our own names
        f"SELECT 'main', '', '', {link.sequence} + n, -n, decode(md5(n::text), 'hex'), {others} "
        f"FROM journal, generate_series(1, {facts}) AS n WHERE sequence = {link.sequence}",
        name,
    )
    await server.execute("VACUUM ANALYZE journal", name)
    link.sequence += facts
    state = link_bytes(link).hex()
    await server.execute(f"UPDATE links SET sequence = {link.sequence}, {STATE} = '\\x{state}'", name)  # noqa: S608
    return url


async def opened(url: str) -> tuple[Book, float]:
    """A book, and how long it takes from nothing to its first answer."""
    began = perf_counter()
    book = await Book.open(url)
    now = book.clock.now()
    bets = (BoxBets(box=1, ante=2500, progressive=500),)
    first = CloseBets(table="t0", round=10**9, sent_at=now, received_at=now, closed_at=now, boxes=bets)
    await book.submit("main", first)
    return book, perf_counter() - began


@dataclass(frozen=True, slots=True)
class Results:
    pgbench: float
    bare: Measured
    seven: Measured
    one: Measured
    sqlite: Measured
    young_cpu: float
    old_cpu: float
    start: float


async def prepare_hot(server: Postgres) -> None:
    await server.create("hot")
    await server.execute(
        "CREATE TABLE hot (id int PRIMARY KEY, value bigint); INSERT INTO hot VALUES (1, 0)", "hot"
    )
    await server.execute("CREATE TABLE bet (box int, amount bigint)", "hot")


async def measured(server: Postgres, tell: Tell) -> Results:
    collect_seldom()
    await prepare_hot(server)
    book = await furnished(await server.create("book"))
    hot: list[float] = []
    found: dict[str, list[Measured]] = {"bare": [], "seven": [], "one": [], "sqlite": []}
    with tempfile.TemporaryDirectory() as folder:
        small = await furnished(f"sqlite+aiosqlite:///{folder}/book.db")
        for turn in range(TURNS):
            tell(
                f"pgbench, a bare group commit, the book on PostgreSQL and SQLite, turn {turn + 1} of {TURNS}"
            )
            hot.append(await asyncio.to_thread(pgbench_rate, server, "hot"))
            found["bare"].append(await bare_rate(await furnished(await server.create(f"bare{turn}"))))
            found["seven"].append(await book_rate(book, 7))
            found["one"].append(await book_rate(book, 1))
            found["sqlite"].append(await book_rate(small, 7))
        await small.close()
    await book.close()
    tell(f"a journal of {OLD_FACTS:,} facts")
    young, old, start = await _ages(server)
    bare, seven, one, sqlite = (_middle(several) for several in found.values())
    return Results(median(hot), bare, seven, one, sqlite, young, old, start)


def _middle(several: list[Measured]) -> Measured:
    return sorted(several, key=lambda one: one.bets_per_second)[len(several) // 2]


async def _ages(server: Postgres) -> tuple[float, float, float]:
    young = await furnished(await server.create("young"))
    old, start = await opened(await aged(server, "old", OLD_FACTS))
    cpu: dict[str, list[float]] = {"young": [], "old": []}
    for _ in range(5):
        cpu["young"].append((await book_rate(young, 7, 2)).cpu_per_bet)
        cpu["old"].append((await book_rate(old, 7, 2)).cpu_per_bet)
    await young.close()
    await old.close()
    return median(cpu["young"]), median(cpu["old"]), start


def page(found: Results) -> str:
    seven, bare, hot = found.seven.bets_per_second, found.bare.bets_per_second, found.pgbench
    rates = [
        ("pgbench, 16 clients, one hot row", hot, None),
        ("bare group commit, 7 bets a call", bare, found.bare),
        ("the book on PostgreSQL, 7 bets a call", seven, found.seven),
        ("the book on PostgreSQL, 1 bet a call", found.one.bets_per_second, found.one),
        ("the book on SQLite, 7 bets a call", found.sqlite.bets_per_second, found.sqlite),
    ]
    old = f"CPU of a bet at {OLD_FACTS:,} facts to that of a young journal"
    ratios = [
        ("the book, 7 bets a call, to the bare group commit", seven / bare, "at least 0.25"),
        ("the book, 7 bets a call, to pgbench", seven / hot, "at least 12"),
        ("the book, 1 bet a call, to pgbench", found.one.bets_per_second / hot, "at least 3"),
        (old, found.old_cpu / found.young_cpu, "at most 1.3"),
    ]
    return "\n".join(
        [
            "# Benchmarks of the book",
            "",
            f"Written by `make bench` on: {machine()}; PostgreSQL with fsync on the same machine. {CALLERS}",
            "callers, each awaiting that its bets are durable before it calls again,",
            f"for {SECONDS:.0f} s a turn; medians of {TURNS} turns.",
            "",
            "| | bets/s | CPU of this process, µs a bet | 99 of 100 answered within, ms |",
            "|---|---:|---:|---:|",
            *(_rate(*row) for row in rates),
            "",
            "| ratio | measured | we aim for |",
            "|---|---:|---|",
            *(f"| {name} | {ratio:.2f} | {aim} |" for name, ratio, aim in ratios),
            "",
            f"From nothing to the first answer at {OLD_FACTS:,} facts: {found.start:.2f} s (aim: under 2 s).",
            "",
        ]
    )


def _rate(name: str, rate: float, more: Measured | None) -> str:
    cpu, wait = ("", "") if more is None else (f"{more.cpu_per_bet:.0f}", f"{more.slowest:.0f}")
    return f"| {name} | {rate:,.0f} | {cpu} | {wait} |"


def main(tell: Tell) -> str:
    server = Postgres()
    try:
        server.start()
        return page(asyncio.run(measured(server, tell)))
    finally:
        server.remove()
