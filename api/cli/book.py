"""Commands on a book: verify, replay, migrate, rebuild, backup, and the key for its anchors."""

from __future__ import annotations

import asyncio
import getpass
import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from api.cli.failures import fail, told_clearly
from jackpot.book.beside.anchors import (
    Anchor,
    AnchorsUnusable,
    incomplete_lines,
    new_key,
    read_anchors,
    read_public_key,
)
from jackpot.book.beside.identities import NamesAlike
from jackpot.book.checking.crew import CrewFailed
from jackpot.book.checking.picture import journal_sizes
from jackpot.book.checking.rebuilding import Progress as JournalProgress
from jackpot.book.checking.rebuilding import Rebuilt, migrate_book, rebuild
from jackpot.book.checking.restoring import renew_epoch
from jackpot.book.checking.verify import Difference, Verifier
from jackpot.book.checking.whole_book import NothingThere, NotSigned, Wanted, planned, verified
from jackpot.book.stores.addresses import DEFAULT_URL, existing_store, store_of
from jackpot.book.stores.base import BackupRefused
from jackpot.book.writing.rollups import roll_up_all
from jackpot.core.instants import spoken_instant
from jackpot.core.money import spoken
from jackpot.link.state import Link, Pit
from jackpot.play.status import meter_state

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console, errors = Console(), Console(stderr=True)

Database = Annotated[
    str, typer.Option("--database", envvar="JACKPOT_DATABASE_URL", help="The store, as a SQLAlchemy address.")
]
LAST = 2**62
"""Beyond every journal."""


def _say(message: str) -> None:
    console.print(message, soft_wrap=True, markup=False, highlight=False)


_VERIFIED_SO = """Examples:

jackpot verify

jackpot verify --anchors anchors.jsonl --key anchor.pub

jackpot verify --since last --anchors anchors.jsonl --key anchor.pub

jackpot verify --link main --since 250000 --anchors anchors.jsonl --key anchor.pub --processes 1"""


@app.command("verify", epilog=_VERIFIED_SO)
def verify_command(
    database: Database = DEFAULT_URL,
    link: Annotated[str | None, typer.Option(help="Only this link; default: all.")] = None,
    anchors: Annotated[Path | None, typer.Option(help="The file of signed heads.", exists=True)] = None,
    key: Annotated[Path | None, typer.Option(help="The key that proves them.", exists=True)] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="SEQUENCE|last", help="Begin at a signed checkpoint, not at the beginning."),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=256, help="How many work on it; default: one for each core.")
    ] = None,
) -> None:
    """Compute the chain, the accounts, every payment and the state again; exit 1 at the first difference."""
    if (anchors is None) != (key is None):
        raise typer.BadParameter("--anchors and --key go together")
    if since is not None and anchors is None:
        raise typer.BadParameter("--since needs --anchors: only a signed state is a beginning")
    begin = _checkpoint(since, link)
    with told_clearly(Difference, AnchorsUnusable, NothingThere, NotSigned, CrewFailed):
        signed = [] if anchors is None or key is None else _proved(anchors, key)
        plans = planned(database, Wanted(link, begin, signed))
        with _Pace(sum(one.found.last - one.since for one in plans)) as pace:
            for one in verified(database, plans, processes=processes, told=pace.told):
                begun = f" since entry {one.since}" if one.since else ""
                proved = f"{one.entries} entries{begun}, {one.anchors} anchors, head {one.head[:16]}"
                _say(f"link {one.link}: {proved}: verified")


def _checkpoint(since: str | None, link: str | None) -> int | None:
    if since is None or since == "last":
        return None if since is None else 0
    if not (since.isascii() and since.isdigit() and 0 < int(since) < LAST):
        raise typer.BadParameter("--since is the number of an entry, or last")
    if link is None:
        raise typer.BadParameter("--since with a number is of one link: --link says which")
    return int(since)


class _Pace:
    """How far it is: a bar where somebody looks on, a line now and then where not."""

    SILENCE = 10.0
    """Seconds between two lines."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._begun = total, 0, time.monotonic()
        self._told = self._begun
        columns = (TextColumn("verifying {task.fields[link]}"), BarColumn(), MofNCompleteColumn())
        paces = (TextColumn("{task.fields[pace]}"), TimeRemainingColumn())
        self._bar = Progress(*columns, *paces, console=console, disable=not console.is_terminal)
        self._task = self._bar.add_task("entries", total=total, link="", pace="")

    def __enter__(self) -> _Pace:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def told(self, link: str, count: int) -> None:
        self._done += count
        now = time.monotonic()
        pace = self._done / max(now - self._begun, 1e-3)
        self._bar.update(self._task, completed=self._done, link=link, pace=f"{pace:,.0f}/s")
        if not console.is_terminal and now - self._told >= self.SILENCE:
            self._told, left = now, (self._total - self._done) / pace
            far = f"{self._done:,} of {self._total:,} entries, {pace:,.0f} a second, {left:,.0f} s left"
            errors.print(far, soft_wrap=True, markup=False, highlight=False)


def _proved(anchors: Path, key: Path) -> list[Anchor]:
    signed = read_anchors(anchors, read_public_key(key))
    for number in incomplete_lines(anchors):
        _say(f"line {number} of {anchors.name} was cut off while it was written: it proves nothing")
    return signed


@app.command("replay", epilog="Example: jackpot replay --link main --to 1200")
def replay_command(
    link: Annotated[str, typer.Option(help="Which link.")] = "main",
    to: Annotated[int, typer.Option(min=1, max=LAST, help="The last entry to replay.")] = LAST,
    database: Database = DEFAULT_URL,
) -> None:
    """The state of a link after an entry of its journal, from its facts alone."""
    with told_clearly(Difference, NothingThere):
        _show(asyncio.run(_replay(database, link, to)))


async def _replay(database: str, link: str, to: int) -> Pit:
    store = existing_store(database)
    try:
        replayed = await Verifier(store, link).replay(to)
        if to != LAST and replayed.sequence < to:
            raise NothingThere(f"the journal of link {link} ends with entry {replayed.sequence}")
        return replayed
    finally:
        await store.close()


def _show(link: Pit) -> None:
    table = Table(
        "", "", title=f"{link.name} after entry {link.sequence}", title_justify="left", show_header=False
    )
    table.add_row("at", spoken_instant(link.time))
    if isinstance(link, Link):
        table.add_row("displayed", f"{spoken(link.pool.value, link.currency)} ({meter_state(link)})")
        for account, units in link.pool.accounts.items():
            table.add_row(str(account), f"{units:,} units")
        table.add_row("waiting wins", ", ".join(link.queue) or "none")
    table.add_row(
        "tables", ", ".join(f"{name} (round {one.last_round})" for name, one in link.tables.items())
    )
    table.add_row("head", link.head)
    console.print(table)


@app.command("migrate", epilog="Example: jackpot migrate")
def migrate_command(database: Database = DEFAULT_URL) -> None:
    """Bring a store to this release: its schema, and every state made anew from its journal."""

    async def run() -> None:
        store = store_of(database, hurried=False)
        try:
            with _reading_journals() as progress:
                _tell_rebuilt(await migrate_book(store, progress))
        finally:
            await store.close()

    with told_clearly(Difference, NamesAlike):
        asyncio.run(run())
    _say("the store has the schema of this release")


@app.command("rebuild", epilog="Example: jackpot rebuild main")
def rebuild_command(
    link: Annotated[str | None, typer.Argument(help="Only this link; default: all.")] = None,
    database: Database = DEFAULT_URL,
) -> None:
    """Make the stored state anew from the journal, and say what differed. The service must be stopped."""

    async def run() -> None:
        store = existing_store(database)
        try:
            async with store.alone():
                await store.check_schema()
                sizes = await journal_sizes(store)
                if link is not None and link not in sizes:
                    raise NothingThere(f"the book has no link {link}")
                with _reading_journals() as progress:
                    wanted = [name for name in sizes if link in (None, name)]
                    _tell_rebuilt([await rebuild(store, name, progress) for name in wanted])
                await roll_up_all(store)
        finally:
            await store.close()

    with told_clearly(Difference, NothingThere):
        asyncio.run(run())


@contextmanager
def _reading_journals() -> Iterator[JournalProgress]:
    """On standard error, a bar for each link."""
    columns = (TextColumn("rebuilding {task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as progress:
        tasks: dict[str, TaskID] = {}

        def told(link: str, read: int, size: int) -> None:
            if link not in tasks:
                tasks[link] = progress.add_task(link, total=size)
            progress.advance(tasks[link], read)

        yield told


def _tell_rebuilt(several: list[Rebuilt]) -> None:
    for one in several:
        differed = "; ".join(one.differed) or "nothing"
        message = f"link {one.link}: rebuilt from {one.entries} entries; differed: {differed}"
        errors.print(message, soft_wrap=True, markup=False, highlight=False)


@app.command("backup", epilog="Example: jackpot backup book-2026-01-31.db")
def backup_command(target: Annotated[Path, typer.Argument()], database: Database = DEFAULT_URL) -> None:
    """A consistent copy of a SQLite book, also while it is in use."""
    columns = (TextColumn("copying"), BarColumn(), MofNCompleteColumn(), TextColumn("pages"))
    quiet = not console.is_terminal
    with told_clearly(BackupRefused), Progress(*columns, console=console, disable=quiet) as progress:
        task = progress.add_task("pages")
        store_of(database).backup(
            target, lambda done, total: progress.update(task, completed=done, total=total)
        )
    address = shlex.quote(f"sqlite+aiosqlite:///{target}")
    _say(f"written to {target}; prove it with: jackpot verify --database {address}")


@app.command("restored", epilog="Example: jackpot restored")
def restored_command(database: Database = DEFAULT_URL) -> None:
    """After a restore, before serving: give the book a new epoch, so that signs and replicas start afresh."""

    async def run() -> str:
        store = existing_store(database)
        try:
            return await renew_epoch(store, actor=f"command line: {getpass.getuser()}")
        finally:
            await store.close()

    with told_clearly():
        epoch = asyncio.run(run())
    _say(f"the book's epoch is {epoch}")


@app.command("anchor-key", epilog="Example: jackpot anchor-key anchor.pem")
def anchor_key_command(file: Annotated[Path, typer.Argument()]) -> None:
    """Make the key that signs anchors, and the public key for auditors beside it."""
    try:
        new_key(file)
    except OSError as refused:
        raise fail(f"{file} cannot be made: {refused.strerror}") from refused
    _say(f"{file} signs; give {file.with_suffix('.pub')} to whoever verifies")
