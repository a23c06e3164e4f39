"""The first book."""

from __future__ import annotations

from uuid import uuid4

from alembic import context, op

from jackpot.book.stores.schema import house, metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    connection = op.get_bind()
    metadata.create_all(connection)
    for statement in context.config.attributes["guards"]:
        connection.exec_driver_sql(statement)
    connection.execute(house.insert().values(id=1, epoch=uuid4().hex))
