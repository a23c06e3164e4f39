"""A key for the news between replicas, the count of failed logins, and a name of its own for the state in
layout 2: whoever writes layout 1 and has missed the migration finds no column to write it to."""

from __future__ import annotations

from secrets import token_hex

from alembic import op
from sqlalchemy import Column, String, inspect

from jackpot.book.stores.schema import attempts, house

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    connection = op.get_bind()
    attempts.create(connection, checkfirst=True)  # a new book has both from the first migration on
    if "news_key" not in {one["name"] for one in inspect(connection).get_columns("house")}:
        op.add_column("house", Column("news_key", String(64), nullable=False, server_default=""))
    for table in ("links", "tables"):
        if "state" in {one["name"] for one in inspect(connection).get_columns(table)}:
            connection.exec_driver_sql(f"ALTER TABLE {table} RENAME COLUMN state TO state_2")
    connection.execute(house.update().values(news_key=token_hex(32)))
