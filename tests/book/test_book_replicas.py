"""Several processes write to one link of a PostgreSQL at once, and some are killed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from jackpot.book.book import Book
from jackpot.core import refusals
from jackpot.link import commands, facts
from jackpot.machine.execute import Outcome
from tests.book.test_book_crash import furnish, wait_for_news, working
from tests.book_floor import LINK, BookFloor, Ledger, check_acknowledged, checked, furnished_floor
from tests.crash_worker import start_together
from tests.floor import NOTHING, STRAIGHT_FLUSH
from tests.forking import forked


def wait_until_all_have_played(paths: list[Path]) -> None:
    deadline = time.monotonic() + 60
    while any(not Ledger(path).size or len(Ledger(path).read()) <= 20 for path in paths):
        assert time.monotonic() < deadline, "a process is not answered"
        time.sleep(0.1)


async def test_processes_that_write_at_once_keep_one_gapless_journal(
    postgres_url: str, tmp_path: Path
) -> None:
    """Each has tables of its own and shares others with its neighbours, which send the same rounds."""
    count = 3
    rng = Random(count)
    own = [(f"p{place}a", f"p{place}b") for place in range(count)]
    shared = [f"x{place}" for place in range(count)]
    seated = [(*own[place], shared[place], shared[place - 1]) for place in range(count)]
    await furnish(postgres_url, tuple(sorted({name for names in seated for name in names})))
    paths = [tmp_path / f"ledger{place}" for place in range(count)]
    with ExitStack() as processes:
        for place in range(1, count):
            processes.enter_context(working(postgres_url, paths[place], seated[place]))
        for _ in range(3):
            with working(postgres_url, paths[0], seated[0]) as victim:
                wait_for_news(Ledger(paths[0]), victim)
                time.sleep(rng.uniform(0.2, 0.6))
        with working(postgres_url, paths[0], seated[0]):
            wait_until_all_have_played(paths)
    acknowledged: dict[str, set[tuple[int, int]]] = {}
    heard = [Ledger(path).read() for path in paths]
    for ledger in heard:
        for key, told in ledger.items():
            acknowledged.setdefault(key, set()).update(told)
    book = await Book.open(postgres_url)
    try:
        found = await checked(book)
        check_acknowledged(found, acknowledged)
        twice = [key for key in acknowledged if sum(key in ledger for ledger in heard) > 1]
        assert twice, "no round was sent by two processes"
        assert found.count(facts.BetsClosed) > 5 * count
        assert all(len(ledger) > 10 for ledger in heard)
    finally:
        await book.close()


def test_processes_that_start_at_once_on_an_empty_postgresql_all_start(
    bare_postgres_url: str, tmp_path: Path
) -> None:
    line, files = forked.Barrier(4), [tmp_path / f"epoch{number}" for number in range(4)]
    several = [
        forked.Process(target=start_together, args=(bare_postgres_url, line, str(file))) for file in files
    ]
    for process in several:
        process.start()
    for process in several:
        process.join(60)
    assert [process.exitcode for process in several] == [0, 0, 0, 0]
    assert len({file.read_text() for file in files}) == 1


@asynccontextmanager
async def two_processes(url: str) -> AsyncIterator[tuple[BookFloor, BookFloor]]:
    """Two books on one store know no more of each other than two processes do."""
    async with furnished_floor(url) as one:
        other = await BookFloor.opened(url, one.clock)
        try:
            yield one, other
        finally:
            await other.book.close()


async def test_each_process_sees_what_the_other_wrote(postgres_url: str) -> None:
    """Repeats, corrections, House acts and contacts, each through the process that did not hear the first."""
    async with two_processes(postgres_url) as (one, other):
        await other.beat("s1")
        bets = one.bets("s1", [1, 2])
        first = await one.submit(bets)
        again = await other.submit(bets)
        assert (again.answer, again.repeated) == (first.answer, True)
        hands = one.hands("s1", {1: STRAIGHT_FLUSH["c"], 2: NOTHING})
        told = await other.submit(hands)
        assert (await one.submit(hands)).answer == told.answer
        win = told.answer.results[0].win  # type: ignore[attr-defined]
        approval = commands.ApproveWin(person="ana", win=win, act_id="ok")
        await one.submit(approval)
        assert (await other.submit(approval)).repeated
        # The marks that let it be paid are heard by different processes.
        one.wait(1)
        await one.beat("s1")
        await other.beat("s2")
        await one.beat("h1")
        found = await checked(one.book)
        assert [fact.win for fact in found.facts(facts.WinPaid)] == [win]
        with pytest.raises(refusals.WinAlreadyPaid):
            await other.submit(one.void("s1"))


async def test_the_numbers_of_a_tables_messages_are_counted_across_processes(postgres_url: str) -> None:
    async with two_processes(postgres_url) as (one, other):
        for seq in range(0, 10, 2):
            await one.submit(one.heartbeat("s1", seq=seq))
            await other.submit(one.heartbeat("s1", seq=seq + 1))
        with pytest.raises(refusals.SequenceGap):
            await one.submit(one.heartbeat("s1", seq=11))
        await other.act(commands.CloseTable(person="ana", table="s1", reason="break"))
        await other.act(commands.OpenTable(person="ana", table="s1", reason="new controller"))
        await one.submit(one.heartbeat("s1", seq=0))
        await other.submit(one.heartbeat("s1", seq=1))


async def test_two_processes_take_one_message_once(postgres_url: str) -> None:
    async with two_processes(postgres_url) as (one, other):
        for _ in range(20):
            several = [one.bets(table, [1, 2, 3]) for table in ("s1", "s2", "h1")]
            found = await asyncio.gather(
                *(book.submit(LINK, message) for message in several for book in (one.book, other.book)),
                return_exceptions=True,
            )
            answers = [outcome.answer for outcome in found if isinstance(outcome, Outcome)]
            assert answers[0::2] == answers[1::2]
            assert len(answers) == 6, found
        checks = await checked(one.book)
        assert checks.count(facts.BetsClosed) == 60
