"""Bringing a store to the schema of this release."""

from __future__ import annotations

import asyncio
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_PREPARING = 0x6A61636B706F74
WAITED = 0.1


class SchemaOutdated(Exception):
    """The store was made by another release: `jackpot migrate` brings an older one up to date."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


async def migrate(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = _config()
    _check_not_newer(connection, config)
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _check_not_newer(connection: Connection, config: Config) -> None:
    """Schemas are numbered, and their numbers rise."""
    found = MigrationContext.configure(connection).get_current_revision()
    if (found or "") > (ScriptDirectory.from_config(config).get_current_head() or ""):
        raise SchemaOutdated(f"the store has schema {found}: it was made by a newer release")


async def prepare(engine: AsyncEngine) -> None:
    """Create the schema in an empty store; refuse one of another release."""
    async with engine.begin() as connection:
        if connection.dialect.name == "postgresql":  # several processes may start at once on an empty store
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
    _check_not_newer(connection, _config())
    here = ScriptDirectory.from_config(_config()).get_current_head()
    found = MigrationContext.configure(connection).get_current_revision()
    if found != here:
        raise SchemaOutdated(f"the store has schema {found}, this release needs {here}: run jackpot migrate")
