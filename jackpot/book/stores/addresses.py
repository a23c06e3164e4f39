"""Which store an address names. Only that store's driver is imported."""

from __future__ import annotations

from sqlalchemy import make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from jackpot.book.stores.base import Store, StoreRefused

DEFAULT_URL = "sqlite+aiosqlite:///book.db"


def store_of(url: str, *, standby_required: bool = False, hurried: bool = True) -> Store:
    """Hurried: a server or a disk that is silent for seconds is given up. A migration has time."""
    parsed = _parsed(url)
    if parsed.drivername == "sqlite+aiosqlite":
        from jackpot.book.stores.sqlite import SqliteStore

        return SqliteStore(parsed, hurried=hurried)
    if parsed.drivername == "postgresql+asyncpg":
        from jackpot.book.stores.postgres import PostgresStore

        return PostgresStore(parsed, standby_required=standby_required, hurried=hurried)
    raise StoreRefused(f"{parsed.drivername} is no store of ours: sqlite+aiosqlite or postgresql+asyncpg")


def existing_store(url: str) -> Store:
    """For those who only read: a book that is not there must not be made by looking for it."""
    store = store_of(url, hurried=False)
    if not store.is_there():
        raise StoreRefused(f"there is no book at {store.engine.url.database}")
    return store


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # the second: a port that is no number
        raise StoreRefused("that is not the address of a store") from None
