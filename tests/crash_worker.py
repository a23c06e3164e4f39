"""A process that writes to a book until it is killed.

python -m tests.crash_worker URL LEDGER TABLE...
"""

from __future__ import annotations

import asyncio
import sys

from jackpot.book.book import Book
from tests.book_floor import Dealers, Ledger


async def work(url: str, ledger: str, tables: list[str]) -> None:
    book = await Book.open(url)
    await Dealers(book, Ledger(ledger).open()).play(tables)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], sys.argv[2], sys.argv[3:]))
