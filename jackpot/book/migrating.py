"""Bringing a store to the schema of this release."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlalchemy.ext.asyncio import AsyncEngine

_PREPARING = 0x6A61636B706F74


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
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def prepare(engine: AsyncEngine) -> None:
    """Create the schema in an empty store; refuse one of another release."""
    async with engine.begin() as connection:
        await connection.run_sync(_prepare)


def _prepare(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # several processes may start at once on an empty store
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_PREPARING})")
    if not inspect(connection).get_table_names():
        _upgrade(connection)
        return
    here = ScriptDirectory.from_config(_config()).get_current_head()
    found = MigrationContext.configure(connection).get_current_revision()
    if found != here:
        raise SchemaOutdated(f"the store has schema {found}, this release needs {here}: run jackpot migrate")
