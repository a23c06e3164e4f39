"""A consistent copy of a SQLite book while it is being written to."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from jackpot.book.stores.base import BackupRefused, Progress
from jackpot.book.stores.files import make_private

PAGES_AT_A_TIME = 1_000


def copy_book(source: Path, target: Path, progress: Progress | None = None) -> None:
    """With SQLite's own online backup."""
    if not source.is_file():
        raise BackupRefused(f"there is no book at {source}")
    if target.exists():
        raise BackupRefused(f"{target} is there already")
    partial = target.with_name(f"{target.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        make_private(partial)
        _copy(source, partial, progress)
        partial.rename(target)
    except (sqlite3.Error, OSError) as trouble:
        raise BackupRefused(f"the copy could not be made: {trouble}") from trouble
    finally:
        partial.unlink(missing_ok=True)


def _copy(source: Path, target: Path, progress: Progress | None) -> None:
    def told(_status: int, remaining: int, total: int) -> None:
        if progress is not None:
            progress(total - remaining, total)

    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as book,
        closing(sqlite3.connect(target)) as copy,
    ):
        # Of one moment: otherwise each commit meanwhile would have it begin again, and it would never end.
        book.execute("BEGIN")
        book.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        book.backup(copy, pages=PAGES_AT_A_TIME, progress=told)
