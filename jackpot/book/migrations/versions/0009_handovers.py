"""The slips of what was paid. What was paid before has none: a missing one is no error."""

from __future__ import annotations

from alembic import op
from sqlalchemy import inspect

from jackpot.book.stores.schema import handovers

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    connection = op.get_bind()
    if not inspect(connection).has_table(handovers.name):
        handovers.create(connection)
