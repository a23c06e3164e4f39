"""The index of what is seldom leaves out what each round of a pit brings, as it does with that of links."""

from __future__ import annotations

from alembic import op

from jackpot.book.stores.schema import journal

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.drop_index("journal_seldom", "journal")
    index = next(one for one in journal.indexes if one.name == "journal_seldom")
    index.create(op.get_bind())
