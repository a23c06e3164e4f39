"""How long a report takes: of a day of 2,000,000 entries, of a shift, and of a time between.

Real play is written by the real book; its rows are then written again and again, with the sequence, time and
round of each, until the day is full. Beside it, in the same run, what the report of that day would cost if it
were counted from the journal.
"""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

from api.auditors.report_answers import ReportTold
from api.auditors.spans import Span
from jackpot.book.beside.applied_floor import calendar
from jackpot.book.reading.meters import Row, entries_between
from jackpot.book.reading.pages import current_link
from jackpot.book.reading.report import report
from jackpot.book.stores.addresses import existing_store
from jackpot.book.stores.base import Store
from jackpot.book.stores.packing import pack, unpack
from jackpot.book.writing.rollups import roll_up_all
from jackpot.core.instants import SECOND, parse_instant
from jackpot.figures.meters import Meters
from tests import month
from tests.bench.timing import machine

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-report.md"
ENTRIES = int(os.environ.get("JACKPOT_REPORT_ENTRIES", "2000000"))
ROUNDS, TABLES = 5_000, 100
DAY, FIRST = "2026-10-01", parse_instant("2026-10-01T06:00:00Z", field="at")
TURNS, COUNTED = 5, 100_000
Tell = Callable[[str], None]
_ROUND = re.compile(rb'"(round|settles)":(\d+)')


@dataclass(frozen=True, slots=True)
class Cost:
    seconds: float
    """The best turn; the worst stands beside it."""
    worst: float


def at_of(sequence: int) -> int:
    """Spread over the day, the last entry well within it."""
    return FIRST + sequence * (24 * 3600 - 60) * SECOND // ENTRIES


def filled(file: Path) -> int:
    """Write the rows of the book again until it has so many; how many that is."""
    connection = sqlite3.connect(file)
    names = [row[1] for row in connection.execute("PRAGMA table_info(journal)")]
    rows = [
        dict(zip(names, row, strict=True))
        for row in connection.execute("SELECT * FROM journal ORDER BY sequence")
    ]
    begin = next(place for place, row in enumerate(rows) if row["round"] is not None)
    head, play = rows[:begin], rows[begin:]
    span = max(row["round"] or 0 for row in play)
    for guard in ("update", "delete", "replace"):
        connection.execute(f"DROP TRIGGER journal_no_{guard}")
    connection.execute("DELETE FROM journal")
    values = ", ".join(f":{name}" for name in names)
    with connection:
        connection.executemany(f"INSERT INTO journal VALUES ({values})", _written(head, play, span))  # noqa: S608  its own names
        connection.execute("UPDATE links SET sequence = ?, at = ?", (ENTRIES, at_of(ENTRIES)))
    connection.close()
    return len(play)


def _written(head: list[dict[str, Any]], play: list[dict[str, Any]], span: int) -> Iterator[dict[str, Any]]:
    told = [(row, *unpack(row["data"]).partition(b"\n")) for row in (*head, *play)]
    sequence = turn = 0
    while sequence < ENTRIES:
        for row, data, between, reading in told[len(head) if turn else 0 :]:
            sequence += 1
            if sequence > ENTRIES:
                return
            packed = pack(_renumbered(data, sequence, turn * span) + between + reading)
            number = None if row["round"] is None else row["round"] + turn * span
            yield row | {
                "sequence": sequence,
                "at": at_of(sequence),
                "round": number,
                "data": packed,
                "key": None,
            }
        turn += 1


def _renumbered(data: bytes, sequence: int, more: int) -> bytes:
    """An entry that happened later, and so many rounds."""
    rest = data[data.index(b',"fact"') : data.rindex(b',"sequence"')]
    if more:
        rest = _ROUND.sub(lambda one: b'"%b":%d' % (one[1], int(one[2]) + more), rest)
    return b'{"at":%d%b,"sequence":%d}' % (at_of(sequence), rest, sequence)


async def told(store: Store, since: int, until: int) -> str:
    """As the service tells it."""
    async with store.snapshot() as connection:
        link = await current_link(store, connection, month.LINK)
        found = await report(connection, month.LINK, since=since, until=until)
        return ReportTold.of(link, Span(since, until), found).model_dump_json()


async def cost_of(work: Callable[[], Awaitable[object]]) -> Cost:
    taken: list[float] = []
    for _ in range(TURNS):
        begun = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - begun)
    return Cost(min(taken), max(taken))


async def counted(store: Store) -> float:
    """Microseconds for each entry that is read from the journal and counted."""
    meters, begun = Meters(), time.perf_counter()
    async with store.reading() as connection:
        async for page in entries_between(connection, month.LINK, 0, min(COUNTED, ENTRIES)):
            for row in page:
                Row.counted(row, meters)
    return (time.perf_counter() - begun) / min(COUNTED, ENTRIES) * 1e6


async def measured(url: str, tell: Tell) -> list[str]:
    store = existing_store(url)
    try:
        each = await counted(store)
        used, begun = getrusage(RUSAGE_SELF).ru_utime, time.perf_counter()
        await roll_up_all(store)
        taken = time.perf_counter() - begun
        cpu = (getrusage(RUSAGE_SELF).ru_utime - used) / ENTRIES * 1e6
        tell(f"rolled up in {taken:.0f} s, {cpu:.1f} us of CPU an entry")
        async with store.reading() as connection:
            day = (await calendar(connection)).named(DAY)
        spans = {
            "the day": (day.start, day.end),
            "its evening shift": (day.shifts[1].start, day.shifts[1].end),
            "09:17 to 23:41": (day.start + 197 * 60 * SECOND, day.start + 1061 * 60 * SECOND),
            "the day and the one before it": (day.start - 24 * 3600 * SECOND, day.end),
        }
        rows: list[str] = []
        for name, (since, until) in spans.items():
            cost = await cost_of(lambda since=since, until=until: told(store, since, until))  # type: ignore[misc]
            tell(f"{name}: {cost.seconds:.3f} s, at worst {cost.worst:.3f} s")
            rows.append(f"| report of {name} | {cost.seconds:.3f} | {cost.worst:.3f} |")
        rows.append(f"| the same day counted from its journal | {each * ENTRIES / 1e6:.0f} | |")
        size, journal = await _sizes(store)
        beside = [
            "",
            f"To roll up costs {cpu:.0f} µs of CPU an entry, beside the commits; {size / 1e6:.1f} MB of",
            f"roll-ups stand beside {journal / 1e6:.0f} MB of entries. What a day takes that is counted from",
            f"its journal is reckoned from {min(COUNTED, ENTRIES):,} of its entries, {each:.0f} µs each.",
        ]
        return [*rows, *beside]
    finally:
        await store.close()


async def _sizes(store: Store) -> tuple[int, int]:
    async with store.reading() as connection:
        found = [
            (await connection.exec_driver_sql(f"SELECT sum(length({column})) FROM {table}")).scalar()  # noqa: S608  two of ours
            for table, column in (("rollups", "figures"), ("journal", "data"))
        ]
    return int(found[0] or 0), int(found[1] or 0)


def main(tell: Tell) -> str:
    with tempfile.TemporaryDirectory(prefix="jackpot-report-") as folder:
        file = Path(folder) / "book.db"
        url = f"sqlite+aiosqlite:///{file}"
        tell(f"writing {ROUNDS:,} rounds at {TABLES} tables")
        asyncio.run(month.written(url, rounds=ROUNDS, days=1, tables=TABLES))
        tell(f"and again, until there are {ENTRIES:,} entries")
        played = filled(file)
        table = asyncio.run(measured(url, tell))
    head = [
        "# Reports",
        "",
        f"Written by `python -m tests.bench report` on: {machine()}.",
        "",
        f"A gaming day of {ENTRIES:,} entries at {TABLES} tables, on SQLite: {played:,} entries of real",
        "play, written again with later times and rounds until the day is full. Each report is told as JSON;",
        f"seconds, the best of {TURNS} turns and the worst.",
        "",
        "| | best | worst |",
        "|---|---:|---:|",
    ]
    return "\n".join([*head, *table, ""])
