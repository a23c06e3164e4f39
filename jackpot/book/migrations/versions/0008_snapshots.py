"""Whole states of links, to verify from. Those of the past are not made: a missing one is no error."""

from __future__ import annotations

from alembic import context, op
from sqlalchemy import inspect

from jackpot.book.stores.schema import snapshots

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    connection = op.get_bind()
    if inspect(connection).has_table(snapshots.name):
        return  # a new book has them, and their guards, from the first migration on
    snapshots.create(connection)
    for statement in context.config.attributes["guards"]:
        if f" ON {snapshots.name} " in statement:
            connection.exec_driver_sql(statement)
