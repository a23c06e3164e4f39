"""Which tables a gateway speaks for."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, String, Text, inspect

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    known = {one["name"] for one in inspect(op.get_bind()).get_columns("credentials")}
    for column in (Column("site", String(40)), Column("tables", Text)):
        if column.name not in known:  # a new book has both from the first migration on
            op.add_column("credentials", column)
