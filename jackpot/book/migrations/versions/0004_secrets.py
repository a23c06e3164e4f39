"""A key for the news between replicas, and the count of failed logins."""

from __future__ import annotations

from secrets import token_hex

from alembic import op
from sqlalchemy import Column, String, inspect

from jackpot.book.schema import attempts, house

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    connection = op.get_bind()
    attempts.create(connection, checkfirst=True)  # a new book has both from the first migration on
    if "news_key" not in {one["name"] for one in inspect(connection).get_columns("house")}:
        op.add_column("house", Column("news_key", String(64), nullable=False, server_default=""))
    connection.execute(house.update().values(news_key=token_hex(32)))
