"""A writing process is killed at any moment and started again: nothing acknowledged is lost or done twice."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from jackpot.book.book import Book
from jackpot.link import facts
from tests.book_floor import BookFloor, Ledger, check_acknowledged, checked
from tests.crash_worker import write_until_killed
from tests.effort import times
from tests.floor import STUD
from tests.forking import forked
from tests.waiting import until

CRASHES = times(6)
TABLES = tuple(f"t{number}" for number in range(1, 7))


async def furnish(url: str, tables: tuple[str, ...]) -> None:
    """A book with these tables, closed again."""
    floor = await BookFloor.opened(url)
    floor.clock.time = time.time_ns() // 1000
    await floor.furnish(dict.fromkeys(tables, STUD))
    await floor.book.close()


class Worker:
    """A process of ours that writes to a book."""

    def __init__(self, url: str, ledger: Path, tables: tuple[str, ...]) -> None:
        self._errors = ledger.with_suffix(".errors")
        arguments = (url, str(ledger), str(self._errors), tables)
        self._process = forked.Process(target=write_until_killed, args=arguments)
        self._process.start()

    def check_alive(self) -> None:
        if not self._process.is_alive():
            said = self._errors.read_text() if self._errors.exists() else ""
            pytest.fail(f"the worker ended by itself with {self._process.exitcode}: {said[-3000:]}")

    def kill(self) -> None:
        self._process.kill()
        self._process.join()


@contextmanager
def working(url: str, ledger: Path, tables: tuple[str, ...]) -> Iterator[Worker]:
    worker = Worker(url, ledger, tables)
    try:
        yield worker
        worker.check_alive()
    finally:
        worker.kill()


def wait_for_news(ledger: Ledger, worker: Worker) -> None:
    """Until something is acknowledged that was not before. What a killed process has sent is sent again."""

    def acknowledged() -> int:
        worker.check_alive()
        return len(ledger.read()) if ledger.size else 0

    known = acknowledged()
    until(lambda: acknowledged() > known, "the worker is not answered")


async def test_a_killed_process_loses_nothing_and_does_nothing_twice(url: str, tmp_path: Path) -> None:
    rng = Random(f"crashes {CRASHES}")
    await furnish(url, TABLES)
    path = tmp_path / "ledger"
    ledger, waited = Ledger(path), 0
    for _ in range(CRASHES):
        with working(url, path, TABLES) as worker:
            if rng.random() < 0.8:
                wait_for_news(ledger, worker)
                waited += 1
            time.sleep(rng.uniform(0, 0.4))
    book = await Book.open(url)
    try:
        found = await checked(book)
        check_acknowledged(found, ledger.read())
        assert len(ledger.read()) >= waited > 0
        assert found.count(facts.BetsClosed)
        figures = f"{CRASHES} kills, {len(ledger.read())} acknowledged, {len(found.entries)} entries"
        sys.stdout.write(f"{figures}, {found.count(facts.WinPaid)} majors paid\n")
    finally:
        await book.close()
