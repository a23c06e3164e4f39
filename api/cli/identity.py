"""Commands on credentials: tokens of machines and people, passwords of people."""

from __future__ import annotations

import asyncio
import getpass
import secrets
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from api.callers.passwords import SHORTEST, hash_password
from api.cli.failures import fail, told_clearly
from api.floor.file import CredentialEntry
from jackpot.book.beside import identities
from jackpot.book.beside.audit import Act, write_acts
from jackpot.book.beside.identities import Credential, hashed
from jackpot.book.beside.roles import Role
from jackpot.book.stores.addresses import DEFAULT_URL, existing_store
from jackpot.book.stores.schema import credentials, tables
from jackpot.core.instants import spoken_instant
from jackpot.core.texts import spelled_differently

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
tokens = typer.Typer(help="Make, revoke and list credentials.", no_args_is_help=True, add_completion=False)
app.add_typer(tokens, name="token")
console = Console()
T = TypeVar("T")
Database = Annotated[
    str, typer.Option("--database", envvar="JACKPOT_DATABASE_URL", help="The store, as a SQLAlchemy address.")
]


class Impossible(Exception):
    """What was asked cannot be done, and was not."""


def _in_book(database: str, work: Callable[[AsyncConnection, int], Awaitable[T]]) -> T:
    """In one transaction, at a time of the House, beside a service that may be running."""

    async def run() -> T:
        store = existing_store(database)
        try:
            async with store.transaction() as connection:
                return await work(connection, await store.house_time(connection))
        finally:
            await store.close()

    with told_clearly(Impossible):
        try:
            return asyncio.run(run())
        except ValidationError as wrong:
            raise fail(wrong.errors()[0]["msg"]) from wrong


def _act(act: str, at: int, **detail: str | None) -> Act:
    actor = f"command line: {getpass.getuser()}"
    return Act(at=at, actor=actor, act=act, outcome="allowed", detail=detail)


@tokens.command(
    "create",
    epilog="Examples: jackpot token create stud-07 --role table --table stud-07;"
    " jackpot token create marina --role gateway --site marina --table stud-07 --table stud-08",
)
def create(
    name: Annotated[str, typer.Argument(help="Who it is for; a name that was never used.")],
    role: Annotated[Role, typer.Option(help="What it may do.")],
    table: Annotated[
        list[str] | None,
        typer.Option(help="For role table: which; for role gateway: all that it speaks for."),
    ] = None,
    site: Annotated[str | None, typer.Option(help="For role gateway: its site.")] = None,
    person: Annotated[str | None, typer.Option(help="Whose it is; default: the name.")] = None,
    database: Database = DEFAULT_URL,
) -> None:
    """Make a token and print it, once: the book keeps only its hash. A running service knows it soon."""
    token = secrets.token_urlsafe(32)

    async def add(connection: AsyncConnection, at: int) -> None:
        entry = _entry(name, role, table or [], site, person, hashed(token))
        if known := await identities.spellings(connection, name):
            raise Impossible(f"there is, or was, a credential {known[0]}: choose another name")
        people = {one.person for one in await identities.all_credentials(connection)}
        for same in spelled_differently({*people, entry.person or name}):
            raise Impossible(f"{' and '.join(same)} are one person: spell it one way")
        for one in table or []:
            if not await _has_table(connection, one):
                raise Impossible(f"the book has no table {one}")
        made = Credential(
            name=name,
            role=role,
            person=entry.person or name,
            table=entry.table,
            site=entry.site,
            tables=entry.tables,
            token_sha256=entry.token_sha256,
        )
        await identities.put_credentials(connection, [made], at=at)
        await write_acts(
            connection, [_act("credential_added", at, name=name, role=role.value, **_whom(entry))]
        )

    _in_book(database, add)
    sys.stdout.write(f"{token}\n")


def _entry(
    name: str, role: Role, tables: list[str], site: str | None, person: str | None, token_sha256: str
) -> CredentialEntry:
    several = role is Role.GATEWAY
    if not several and len(tables) > 1:
        raise Impossible("one table is named, unless for role gateway")
    whose: dict[str, Any] = {
        "table": None if several or not tables else tables[0],
        "tables": tuple(tables) if several else (),
    }
    return CredentialEntry(name=name, role=role, site=site, person=person, token_sha256=token_sha256, **whose)


def _whom(entry: CredentialEntry) -> dict[str, str | None]:
    """Which table it speaks for, or which."""
    return {"site": entry.site, "tables": " ".join(entry.tables)} if entry.tables else {"table": entry.table}


async def _has_table(connection: AsyncConnection, table: str) -> bool:
    found = await connection.execute(select(tables.c.id).where(tables.c.id == table))
    return found.scalar() is not None


@tokens.command("revoke", epilog="Example: jackpot token revoke stud-07")
def revoke(name: Annotated[str, typer.Argument()], database: Database = DEFAULT_URL) -> None:
    """From the next second on, its token, password and sessions are worth nothing."""

    async def end(connection: AsyncConnection, at: int) -> None:
        known = await identities.spellings(connection, name)
        revoked = [one for one in known if await identities.revoke_credential(connection, one, at=at)]
        if not revoked:
            raise Impossible(f"there is no credential {name} in force")
        await write_acts(connection, [_act("credential_revoked", at, name=one) for one in revoked])

    _in_book(database, end)
    console.print(f"{name} is revoked", markup=False)


@tokens.command("list", epilog="Example: jackpot token list")
def list_tokens(database: Database = DEFAULT_URL) -> None:
    """Every credential there is or was. Secrets are not known, so they are not shown."""

    async def read(connection: AsyncConnection, _at: int) -> list[tuple[str, ...]]:
        rows = await connection.execute(select(credentials).order_by(credentials.c.name))
        return [
            (
                row.name,
                row.role,
                row.tbl or "",
                row.person,
                " and ".join(
                    name for name, it in (("token", row.token_sha256), ("password", row.password_hash)) if it
                ),
                spoken_instant(row.made_at)[:19],
                "" if row.revoked_at is None else spoken_instant(row.revoked_at)[:19],
            )
            for row in rows
        ]

    found = _in_book(database, read)
    shown = Table("name", "role", "table", "person", "by", "made (UTC)", "revoked (UTC)", box=None)
    for row in found:
        shown.add_row(*row)
    console.print(shown)


@tokens.command("hash", epilog="Example: jackpot token hash < token.txt")
def hash_token() -> None:
    """Read a token and print the `token_sha256` of a floor file."""
    sys.stdout.write(f"{hashed(_secret('Token: '))}\n")


@app.command("password", epilog="Example: jackpot password")
def password() -> None:
    """Read a password and print the `password_hash` of a floor file."""
    said = _secret("Password: ")
    if len(said) < SHORTEST:
        raise typer.BadParameter(f"a password has at least {SHORTEST} characters")
    sys.stdout.write(f"{hash_password(said)}\n")


def _secret(prompt: str) -> str:
    """Never from an argument: those are seen by everybody on the machine."""
    said = getpass.getpass(prompt) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if not said:
        raise typer.BadParameter("there is nothing to hash")
    return said
