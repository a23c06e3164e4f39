"""The slips of what is paid. What was paid before has none: a missing one is no error."""

from __future__ import annotations

from alembic import op

from jackpot.book.stores.schema import handovers

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    handovers.create(op.get_bind(), checkfirst=True)  # a new book has it from the first migration on
