"""The house clock, and which release wrote a state. The states themselves are rebuilt afterwards."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, inspect

revision = "0003"
down_revision = "0002"
_ADDED = {
    "house": {"ahead": "0", "since": "0", "doubt": "0", "broke_at": "0"},
    "links": {"layout": "1"},
    "tables": {"layout": "1"},
}


def upgrade() -> None:
    for table, columns in _ADDED.items():
        there = {one["name"] for one in inspect(op.get_bind()).get_columns(table)}
        for name, default in columns.items():
            if name not in there:  # a new book has them from the first migration on
                op.add_column(table, Column(name, BigInteger, nullable=False, server_default=default))
