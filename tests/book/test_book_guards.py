"""What a SQLite book refuses by itself: to have what was written replaced, and to be served twice."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jackpot.book.book import Book
from jackpot.book.stores.base import StoreRefused
from tests.book_floor import BookFloor, furnished_floor

NOTE = "INTO audit (id, at, actor, act, outcome) VALUES ('1', {}, 'ana', 'login', 'allowed')"
COLUMNS = "link, sequence, at, kind, data, hash, value, reading"


def _forged(book: sqlite3.Connection, act: str, *, rowid: str = "", sequence: str = "sequence") -> None:
    columns = COLUMNS.replace("sequence", sequence).replace("value", "value + 1")
    into = f"journal ({'rowid, ' if rowid else ''}{COLUMNS})"
    book.execute(f"{act} {into} SELECT {rowid}{columns} FROM journal WHERE sequence = 2")  # noqa: S608  our own


@pytest.mark.parametrize("act", ["INSERT OR REPLACE INTO", "REPLACE INTO", "INSERT INTO"])
async def test_an_entry_is_not_replaced(sqlite_url: str, tmp_path: Path, act: str) -> None:
    async with furnished_floor(sqlite_url):
        pass
    with closing(sqlite3.connect(tmp_path / "book.db")) as book:
        before = book.execute("SELECT * FROM journal").fetchall()
        with pytest.raises(sqlite3.IntegrityError, match="the journal is append-only"):
            _forged(book, act)
        with pytest.raises(sqlite3.IntegrityError, match="the journal is append-only"):
            _forged(book, act, rowid="rowid, ", sequence="sequence + 1000")
        assert book.execute("SELECT * FROM journal").fetchall() == before


async def test_a_note_is_not_replaced(sqlite_url: str, tmp_path: Path) -> None:
    async with furnished_floor(sqlite_url):
        pass
    with closing(sqlite3.connect(tmp_path / "book.db")) as book:
        for act in ("INSERT", "INSERT OR REPLACE", "INSERT"):
            book.execute(f"{act} {NOTE.format(len(act))}")
        assert book.execute("SELECT at FROM audit WHERE id = '1'").fetchall() == [(len("INSERT"),)]


async def test_a_book_is_served_once_by_whatever_name(sqlite_url: str, tmp_path: Path) -> None:
    floor = await BookFloor.opened(sqlite_url)
    (tmp_path / "other.db").symlink_to(tmp_path / "book.db")
    with pytest.raises(StoreRefused, match="serves this book already"):
        await Book.open(f"sqlite+aiosqlite:///{tmp_path / 'other.db'}")
    await floor.book.close()
