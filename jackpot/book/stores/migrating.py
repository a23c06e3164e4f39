"""Bringing a store to the schema of this release. Alembic does it; whether there is anything to do is asked
without it, since to import it takes a tenth of a start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, inspect, select, text

from jackpot.book.stores.schema import links, tables
from jackpot.core.versions import LAYOUT

_SCRIPTS = Path(__file__).parent.parent / "migrations"
HEAD = max(script.name.partition("_")[0] for script in _SCRIPTS.glob("versions/[0-9]*.py"))
"""The schema of this release. Schemas are numbered, and their numbers rise."""


class SchemaOutdated(Exception):
    """The store was made by another release: `jackpot migrate` brings an older one up to date."""


def upgrade(connection: Connection, guards: Sequence[str], habits: Sequence[str]) -> None:
    """From whichever schema there is; an empty store gets the guards too."""
    from alembic import command
    from alembic.config import Config

    _check_not_newer(_schema_of(connection))
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.attributes.update(connection=connection, guards=guards, habits=habits)
    command.upgrade(config, "head")


def _schema_of(connection: Connection) -> str | None:
    """As Alembic notes it; None if it never did."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _check_not_newer(found: str | None) -> None:
    if (found or "") > HEAD:
        raise SchemaOutdated(f"the store has schema {found}: it was made by a newer release")


def prepare(connection: Connection, guards: Sequence[str], habits: Sequence[str]) -> None:
    """Create the schema in an empty store; refuse one of another release."""
    if not inspect(connection).get_table_names():
        upgrade(connection, guards, habits)
        return
    check_schema(connection)
    if outdated := links_of_other_layouts(connection):
        raise SchemaOutdated(f"the state of link {outdated[0]} is another release's: run jackpot migrate")


def check_schema(connection: Connection) -> None:
    found = _schema_of(connection)
    _check_not_newer(found)
    if found != HEAD:
        raise SchemaOutdated(f"the store has schema {found}, this release needs {HEAD}: run jackpot migrate")


def links_of_other_layouts(connection: Connection) -> list[str]:
    """Those of which a state was written in another layout than this release's."""
    of_links = select(links.c.id).where(links.c.layout != LAYOUT)
    of_tables = select(tables.c.link).where(tables.c.layout != LAYOUT)
    return sorted(connection.execute(of_links.union(of_tables)).scalars())
