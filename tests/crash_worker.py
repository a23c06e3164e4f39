"""Processes that write to a book until they are killed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from multiprocessing.synchronize import Barrier

from jackpot.book.book import Book
from tests.book_floor import Dealers, Ledger


def write_until_killed(url: str, ledger: str, errors: str, tables: Sequence[str]) -> None:
    """Whatever it has to complain of goes into a file of its own."""
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 2)
    asyncio.run(_write(url, ledger, tables))


async def _write(url: str, ledger: str, tables: Sequence[str]) -> None:
    book = await Book.open(url)
    await Dealers(book, Ledger(ledger).open()).play(tables)


def start_together(url: str, line: Barrier, told: str) -> None:
    """Open the book in the same moment as the others; its epoch is written to a file."""
    line.wait()
    asyncio.run(_start(url, told))


async def _start(url: str, told: str) -> None:
    book = await Book.open(url)
    with open(told, "w") as file:  # noqa: PTH123
        file.write(book.epoch)
    await book.close()
