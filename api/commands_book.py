"""Commands on a book: verify, replay, migrate, backup, and the key for its anchors."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError

from jackpot.book.anchors import Anchor, AnchorForged, new_key, read_anchors, read_public_key
from jackpot.book.backup import BackupRefused, backup
from jackpot.book.migrating import migrate
from jackpot.book.primary import StoreRefused
from jackpot.book.restoring import renew_epoch
from jackpot.book.schema import journal, links
from jackpot.book.stores import DEFAULT_URL, Store, existing_store, store_of
from jackpot.book.verify import Difference, Verifier
from jackpot.instants import spoken_instant
from jackpot.money import spoken
from jackpot.state import Link
from jackpot.views import meter_state

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console()

Database = Annotated[
    str, typer.Option("--database", envvar="JACKPOT_DATABASE_URL", help="The store, as a SQLAlchemy address.")
]


def _fail(message: object) -> typer.Exit:
    console.print(f"[bold red]{message}[/]", soft_wrap=True)
    return typer.Exit(1)


@contextmanager
def _told_clearly() -> Iterator[None]:
    """What can go wrong with a book, in one line."""
    try:
        yield
    except (Difference, AnchorForged, StoreRefused) as failure:
        raise _fail(failure) from failure
    except DBAPIError as trouble:
        raise _fail(f"the store does not answer as a book: {trouble.orig}") from trouble
    except OSError as trouble:
        raise _fail(f"the store cannot be reached: {trouble}") from trouble


@app.command("verify", epilog="Example: jackpot verify --anchors anchors.jsonl --key anchor.pub")
def verify_command(
    database: Database = DEFAULT_URL,
    link: Annotated[str | None, typer.Option(help="Only this link; default: all.")] = None,
    anchors: Annotated[Path | None, typer.Option(help="The file of signed heads.", exists=True)] = None,
    key: Annotated[Path | None, typer.Option(help="The key that proves them.", exists=True)] = None,
) -> None:
    """Compute the chain, the accounts, every payment and the state again; exit 1 at the first difference."""
    with _told_clearly():
        if (anchors is None) != (key is None):
            raise typer.BadParameter("--anchors and --key go together")
        signed = (
            read_anchors(anchors, read_public_key(key)) if anchors is not None and key is not None else []
        )
        asyncio.run(_verify(database, link, signed))


async def _verify(database: str, only: str | None, anchors: list[Anchor]) -> None:
    store = existing_store(database)
    try:
        sizes = await _sizes(store)
        for name in {one.link for one in anchors} - sizes.keys():
            raise Difference(name, None, "an anchor was signed for it, but the book has no such link")
        for name, size in sizes.items():
            if only in (None, name):
                await _verify_link(store, name, size, anchors)
    finally:
        await store.close()


async def _sizes(store: Store) -> dict[str, int]:
    async with store.reading() as connection:
        names = (await connection.execute(select(links.c.id).order_by(links.c.id))).scalars().all()
        entries = select(journal.c.link, func.max(journal.c.sequence)).group_by(journal.c.link)
        counted = {row[0]: row[1] for row in await connection.execute(entries)}
    return {name: counted.get(name, 0) for name in sorted({*names, *counted})}


async def _verify_link(store: Store, name: str, size: int, anchors: list[Anchor]) -> None:
    columns = (TextColumn(f"verifying {name}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("entries", total=size)
        verifier = Verifier(store, name, progress=lambda count: progress.advance(task, count))
        link = await verifier.verify(anchors)
    proved = len([one for one in anchors if one.link == name])
    console.print(
        f"link {name}: {verifier.entries} entries, {proved} anchors, head {link.head[:16]}: verified"
    )


@app.command("replay", epilog="Example: jackpot replay --link main --to 1200")
def replay_command(
    link: Annotated[str, typer.Option(help="Which link.")] = "main",
    to: Annotated[int, typer.Option(min=1, help="The last entry to replay.")] = 2**62,
    database: Database = DEFAULT_URL,
) -> None:
    """The state of a link after an entry of its journal, from its facts alone."""
    with _told_clearly():
        _show(asyncio.run(_replay(database, link, to)))


async def _replay(database: str, link: str, to: int) -> Link:
    store = existing_store(database)
    try:
        return await Verifier(store, link).replay(to)
    finally:
        await store.close()


def _show(link: Link) -> None:
    table = Table(
        "", "", title=f"{link.name} after entry {link.sequence}", title_justify="left", show_header=False
    )
    table.add_row("at", spoken_instant(link.time))
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
    """Bring a store to the schema of this release."""

    async def run() -> None:
        store = store_of(database, hurried=False)
        try:
            await migrate(store.engine)
        finally:
            await store.close()

    with _told_clearly():
        asyncio.run(run())
    console.print("the store has the schema of this release")


@app.command("backup", epilog="Example: jackpot backup book-2026-01-31.db")
def backup_command(target: Annotated[Path, typer.Argument()], database: Database = DEFAULT_URL) -> None:
    """A consistent copy of a SQLite book, also while it is in use."""
    columns = (TextColumn("copying"), BarColumn(), MofNCompleteColumn(), TextColumn("pages"))
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("pages")
            backup(database, target, lambda done, total: progress.update(task, completed=done, total=total))
    except BackupRefused as refused:
        raise _fail(refused) from refused
    console.print(
        f"written to {target}; prove it with: jackpot verify --database sqlite+aiosqlite:///{target}"
    )


@app.command("restored", epilog="Example: jackpot restored")
def restored_command(database: Database = DEFAULT_URL) -> None:
    """After a restore, before serving: give the book a new epoch, so that signs and replicas start afresh."""

    async def run() -> str:
        store = existing_store(database)
        try:
            return await renew_epoch(store, actor=f"command line: {getpass.getuser()}")
        finally:
            await store.close()

    with _told_clearly():
        epoch = asyncio.run(run())
    console.print(f"the book's epoch is {epoch}")


@app.command("anchor-key", epilog="Example: jackpot anchor-key anchor.pem")
def anchor_key_command(file: Annotated[Path, typer.Argument()]) -> None:
    """Make the key that signs anchors, and the public key for auditors beside it."""
    try:
        new_key(file)
    except OSError as refused:
        raise _fail(f"{file} cannot be made: {refused.strerror}") from refused
    console.print(f"{file} signs; give {file.with_suffix('.pub')} to whoever verifies")
