"""The service under load is killed, or told to stop: what was answered is on record, once."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random

from jackpot.book.book import Book
from tests.book_floor import Checked, checked
from tests.effort import times
from tests.service import FloorFile, Forked, Service, full_floor
from tests.service_load import Controllers, check_answered

CRASHES = times(2)
"""Of the service on each store: few, unless asked for."""
TABLES = [f"stud-{number:02}" for number in range(1, 13)]


def busy_floor() -> FloorFile:
    floor = full_floor()
    floor.add_link("main")
    for table in TABLES:
        floor.add_table(table, "main")
    return floor


@contextmanager
def busy(service: Service) -> Iterator[Service]:
    try:
        service.start()
        yield service
    finally:
        service.close()


@asynccontextmanager
async def playing(controllers: Controllers) -> AsyncIterator[None]:
    """Load, while the block runs. It ends with what is under way."""
    load = asyncio.create_task(controllers.play())
    try:
        yield
    finally:
        controllers.stopping = True
        await load


async def kill_and_start(service: Service) -> None:
    await asyncio.to_thread(service.kill)
    await asyncio.to_thread(service.start)


async def more_answers(controllers: Controllers, count: int) -> None:
    """So that no service is killed before it served."""
    wanted = len(controllers.answered) + count
    async with asyncio.timeout(60):
        while len(controllers.answered) < wanted:
            await asyncio.sleep(0.005)


async def journal_of(url: str) -> Checked:
    book = await Book.open(url)
    try:
        return await checked(book)
    finally:
        await book.close()


async def test_a_killed_service_loses_nothing_it_answered_and_does_nothing_twice(
    url: str, tmp_path: Path
) -> None:
    rng = Random(f"service crashes {CRASHES}")
    with busy(Forked(url, busy_floor(), tmp_path)) as service:
        controllers = Controllers(service, TABLES)
        async with playing(controllers):
            for _ in range(CRASHES):
                await more_answers(controllers, rng.randrange(1, 60))
                await asyncio.sleep(rng.uniform(0, 0.2))
                await kill_and_start(service)
            await more_answers(controllers, len(TABLES))
        service.kill()
    found = await journal_of(url)
    check_answered(found, controllers.answered)
    assert controllers.broken
    figures = f"{CRASHES} kills, {len(controllers.answered)} answered, {len(found.entries)} entries"
    sys.stdout.write(f"{figures}, {sum(controllers.broken.values())} broken connections\n")


async def test_a_service_told_to_stop_answers_everything_it_accepted_and_waits_for_no_stream(
    sqlite_url: str, tmp_path: Path
) -> None:
    """Nothing is in the journal that its table was not told of, and the end is an orderly one."""
    with busy(Service(sqlite_url, busy_floor(), tmp_path)) as service:
        controllers = Controllers(service, TABLES, insist=False)
        with service.http.stream("GET", "/v1/links/main/stream") as stream:
            assert stream.status_code == 200
            async with playing(controllers):
                await more_answers(controllers, 3 * len(TABLES))
                assert await asyncio.to_thread(service.stop) == 0
        assert "Traceback" not in service.log()
    found = await journal_of(sqlite_url)
    check_answered(found, controllers.answered)
    told = {key for key in found.said if not key.startswith("act/")}  # acts are the floor file's
    assert told == controllers.answered.keys()
