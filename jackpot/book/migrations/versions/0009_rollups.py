"""What play has come to, rolled up as the journal grows. Those of the past are made by the services that
serve the book from now on."""

from __future__ import annotations

from alembic import op
from sqlalchemy import inspect

from jackpot.book.stores.schema import rollups

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    connection = op.get_bind()
    if not inspect(connection).has_table(rollups.name):  # a new book has it from the first migration on
        rollups.create(connection)
