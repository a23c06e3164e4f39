"""Links whose book was found to deny itself."""

from __future__ import annotations

from alembic import op

from jackpot.book.stores.schema import stops

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    stops.create(op.get_bind(), checkfirst=True)  # the first book of this release has it already
