"""A consistent copy of a SQLite book while it is being written to."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url

PAGES_AT_A_TIME = 1_000


class BackupRefused(Exception):
    pass


def backup(url: str, target: Path, progress: Callable[[int, int], None] | None = None) -> None:
    """SQLite's own online backup. A PostgreSQL book is backed up with PostgreSQL's tools."""
    parsed = make_url(url)
    if not parsed.drivername.startswith("sqlite"):
        raise BackupRefused("back a PostgreSQL book up with pg_basebackup and WAL archiving, or pg_dump")
    source = Path(parsed.database or "")
    if not source.is_file():
        raise BackupRefused(f"there is no book at {source}")
    if target.exists():
        raise BackupRefused(f"{target} is there already")

    def told(_status: int, remaining: int, total: int) -> None:
        if progress is not None:
            progress(total - remaining, total)

    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as book,
            closing(sqlite3.connect(target)) as copy,
        ):
            book.backup(copy, pages=PAGES_AT_A_TIME, progress=told, sleep=0.01)
    except sqlite3.Error as trouble:
        raise BackupRefused(f"the copy could not be made: {trouble}") from trouble
