"""Others who listen: webhooks, how far each has come with every link, and the alerts that they are told."""

from __future__ import annotations

from alembic import op

from jackpot.book.stores.schema import told_alerts, webhook_lanes, webhook_tries, webhooks

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    for table in (webhooks, webhook_lanes, webhook_tries, told_alerts):
        table.create(op.get_bind(), checkfirst=True)  # a new book has them from the first migration on
