"""Alembic's entry: the connection and the store's guards are handed in by `jackpot.book.stores.migrating`."""

from __future__ import annotations

from alembic import context

from jackpot.book.stores.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
