"""How long it takes to have a book again: a copy of it, restored, and proved, per million journal entries.

The entries are real ones, written through the rules, since what is restored is verified.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.book import book_rate, furnished
from tests.bench.timing import machine
from tests.servers import Postgres
from tests.service import JACKPOT

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-recovery.md"
ENTRIES = int(os.environ.get("JACKPOT_ENTRIES", "200000"))


async def written(server: Postgres) -> int:
    """A book of so many rounds' bets; how many entries it has."""
    book = await furnished(await server.create("book"))
    try:
        while (count := int(await server.ask("SELECT count(*) FROM journal", "book"))) < ENTRIES:
            await book_rate(book, 7, 5)
    finally:
        await book.close()
    return count


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def run(*command: str | Path) -> None:
    subprocess.run([str(one) for one in command], check=True, capture_output=True)


def verify(url: str) -> None:
    run(JACKPOT, "verify", "--database", url)


def measured(server: Postgres, folder: Path) -> dict[str, float]:
    """Seconds and bytes by name."""
    source, dump = server.dsn("book"), folder / "book.dump"
    copy = f"--dbname={server.dsn('copy')}"
    found = {"dump": timed(lambda: run(server.tool("pg_dump"), "-Fc", "-f", dump, source))}
    found["dump bytes"] = dump.stat().st_size
    asyncio.run(server.create("copy"))
    found["restore"] = timed(lambda: run(server.tool("pg_restore"), copy, dump))
    found["verify"] = timed(lambda: verify(server.url("copy")))
    found["bytes"] = int(asyncio.run(server.ask("SELECT pg_database_size('book')")))
    found["journal bytes"] = int(asyncio.run(server.ask("SELECT pg_total_relation_size('journal')", "book")))
    found |= _standby(server)
    return found


def _standby(server: Postgres) -> dict[str, float]:
    begun = time.perf_counter()
    standby = Postgres(copy_of=server)
    try:
        copied = time.perf_counter() - begun
        started = timed(standby.start)
        promoted = timed(standby.promote)
        proved = timed(lambda: verify(standby.url("book")))
    finally:
        standby.remove()
    return {"basebackup": copied, "start": started, "promote": promoted, "verify standby": proved}


def page(entries: int, found: dict[str, float]) -> str:
    rows = [
        ("`pg_dump -Fc`", found["dump"], True),
        ("`pg_restore` into an empty database", found["restore"], True),
        ("`jackpot verify` of what was restored", found["verify"], True),
        ("`pg_basebackup` of the whole server", found["basebackup"], True),
        ("the copy starts as a standby", found["start"], False),
        ("`pg_ctl promote`", found["promote"], False),
    ]
    lines = [
        f"| {name} | {seconds:.1f} | {f'{seconds * 1e6 / entries:.0f}' if grows else ''} |"
        for name, seconds, grows in rows
    ]
    sizes = [
        f"- the database {found['bytes'] / 1e6:,.0f} MB, its journal {found['journal bytes'] / 1e6:,.0f} MB:",
        f"  {found['journal bytes'] / entries:,.0f} bytes an entry with its indices;",
        f"- the dump {found['dump bytes'] / 1e6:,.0f} MB, {found['dump bytes'] / entries:,.0f} an entry.",
    ]
    head = [
        "# Having a book again",
        "",
        f"Written by `python -m tests.bench.recovery` on: {machine()};",
        f"PostgreSQL with fsync. A book of {entries:,} entries, each the bets of a round on seven boxes.",
        "",
        "| | s | s per million entries |",
        "|---|---:|---:|",
    ]
    return "\n".join([*head, *lines, "", "Sizes:", "", *sizes, ""])


def main() -> None:
    server = Postgres()
    try:
        server.start()
        entries = asyncio.run(written(server))
        with tempfile.TemporaryDirectory(prefix="jackpot-recovery-") as folder:
            text = page(entries, measured(server, Path(folder)))
    finally:
        server.remove()
    PAGE.write_text(text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
