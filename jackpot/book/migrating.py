"""Bringing a store to the schema of this release. Alembic does it; whether there is anything to do is asked
without it, since to import it takes a tenth of a start."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from jackpot.book.schema import links, tables
from jackpot.versions import LAYOUT

_PREPARING = 0x6A61636B706F74
WAITED = 0.1
_SCRIPTS = Path(__file__).parent / "migrations"
HEAD = max(script.name.partition("_")[0] for script in _SCRIPTS.glob("versions/[0-9]*.py"))
"""The schema of this release. Schemas are numbered, and their numbers rise."""


class SchemaOutdated(Exception):
    """The store was made by another release: `jackpot migrate` brings an older one up to date."""


async def migrate(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    _check_not_newer(_schema_of(connection))
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _schema_of(connection: Connection) -> str | None:
    """As Alembic notes it; None if it never did."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _check_not_newer(found: str | None) -> None:
    if (found or "") > HEAD:
        raise SchemaOutdated(f"the store has schema {found}: it was made by a newer release")


async def prepare(engine: AsyncEngine) -> None:
    """Create the schema in an empty store; refuse one of another release."""
    async with engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # several processes may start at once on an empty store
            await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            await wait_in_line(connection, _PREPARING)
        await connection.run_sync(_prepare)


async def wait_in_line(connection: AsyncConnection, key: int) -> None:
    """Behind those who hold a lock of PostgreSQL until their transaction ends, as long as that takes. Asked
    again and again: one long wait would be taken for a server that is silent."""
    mine = text("SELECT pg_try_advisory_xact_lock(:key)")
    while not (await connection.execute(mine, {"key": key})).scalar_one():
        await asyncio.sleep(WAITED)


def _prepare(connection: Connection) -> None:
    if not inspect(connection).get_table_names():
        _upgrade(connection)
        return
    _check_schema(connection)
    if outdated := links_of_other_layouts(connection):
        raise SchemaOutdated(f"the state of link {outdated[0]} is another release's: run jackpot migrate")


async def check_schema(engine: AsyncEngine) -> None:
    """Refuse a store that has another schema than this release's."""
    async with engine.begin() as connection:
        await connection.run_sync(_check_schema)


def _check_schema(connection: Connection) -> None:
    found = _schema_of(connection)
    _check_not_newer(found)
    if found != HEAD:
        raise SchemaOutdated(f"the store has schema {found}, this release needs {HEAD}: run jackpot migrate")


def links_of_other_layouts(connection: Connection) -> list[str]:
    """Those of which a state was written in another layout than this release's."""
    of_links = select(links.c.id).where(links.c.layout != LAYOUT)
    of_tables = select(tables.c.link).where(tables.c.layout != LAYOUT)
    return sorted(connection.execute(of_links.union(of_tables)).scalars())
