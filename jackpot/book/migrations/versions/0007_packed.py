"""Entries are packed from now on. Those that are there stay as they are, and no row is read or written: the
columns are new and empty, and how tables are kept holds for what is written later."""

from __future__ import annotations

from alembic import context, op
from sqlalchemy import Column, LargeBinary, inspect

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    connection = op.get_bind()
    there = {one["name"] for one in inspect(connection).get_columns("journal")}
    for name in ("digest", "submitted"):
        if name not in there:  # a new book has them from the first migration on
            op.add_column("journal", Column(name, LargeBinary))
    for statement in context.config.attributes["habits"]:
        connection.exec_driver_sql(statement)
