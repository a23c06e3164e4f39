"""Heartbeats that change nothing that anybody could see: answered from memory, durable soon after."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest

from jackpot.book.book import Book
from jackpot.book.writing import writer
from jackpot.book.writing.writer import LinkStopped, Unavailable
from jackpot.core.refusals import SentAtFell
from jackpot.link.answers import HeartbeatAnswer
from jackpot.link.commands import CloseTable, Heartbeat
from jackpot.link.state import Contact, TableStatus
from jackpot.link.wins import ClockWord
from tests.book_floor import LINK, BookFloor, furnished_floor
from tests.waiting import eventually

SOON = 0.05


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine, no mark becomes durable by itself while a test looks."""
    monkeypatch.setattr(writer, "MARKED_FOR", 3600.0)
    monkeypatch.setattr(writer, "FRESH", 3600.0)


async def told(floor: BookFloor, beat: Heartbeat) -> HeartbeatAnswer:
    answer = await floor.act(beat)
    assert isinstance(answer, HeartbeatAnswer)
    return answer


async def kept(floor: BookFloor, table: str) -> Contact:
    """Of a table, as the book has it."""
    return (await floor.state()).tables[table].contact


async def again(floor: BookFloor, table: str) -> Heartbeat:
    """A heartbeat that is answered from memory: nothing is committed for it, as for the one before it."""
    await told(floor, floor.heartbeat(table))
    before, beat = await floor.versions(), floor.heartbeat(table)
    await told(floor, beat)
    assert await floor.versions() == before
    return beat


async def test_a_heartbeat_that_changes_nothing_is_answered_at_once_and_durable_soon(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MARKED_FOR", SOON)
    async with furnished_floor(url) as floor:
        first = await told(floor, floor.heartbeat("s1"))
        before = await floor.version()
        beat = floor.heartbeat("s1", clock=ClockWord(offset=7, error=9))
        assert await told(floor, beat) == first

        async def durable() -> bool:
            return (await kept(floor, "s1")).word == beat.clock

        await eventually(durable)
        assert (await kept(floor, "s1")).sent_at == beat.sent_at
        assert await floor.version() == before, "no fact was written"


async def test_marks_of_several_tables_become_durable_together(url: str) -> None:
    async with furnished_floor(url) as floor:
        beats = {table: await again(floor, table) for table in ("s1", "s2", "h1")}
        before = await floor.versions()
        (await floor.book.writer(LINK))._bell.set()

        async def durable() -> bool:
            tables = (await floor.state()).tables
            return all(tables[one].contact.sent_at == beat.sent_at for one, beat in beats.items())

        await eventually(durable)
        assert await floor.versions() == before._replace(heard=before.heard + 1)


async def test_nothing_is_durable_before_the_marks_that_it_rests_on(url: str) -> None:
    """A table's clock is known by what was marked; so the marks are in the transaction of the win."""
    async with furnished_floor(url) as floor:
        beats = {table: await again(floor, table) for table in ("s1", "s2")}
        await floor.submit(floor.bets("h1"))
        for table, beat in beats.items():
            assert (await kept(floor, table)).sent_at == beat.sent_at


async def test_what_was_marked_is_kept_when_the_book_is_closed(url: str) -> None:
    async with furnished_floor(url) as floor:
        beat = await again(floor, "s1")
        await floor.reopen()
        assert (await kept(floor, "s1")).sent_at == beat.sent_at


async def test_the_answer_tells_the_meter_as_it_stands(url: str) -> None:
    async with furnished_floor(url) as floor:
        bets = (await floor.act(floor.bets("s2"))).meter
        assert bets is not None
        assert (await told(floor, floor.heartbeat("s1"))).meter == bets
        await floor.act(floor.hands("s2", {1: "9h 8h 7h 6h 5h"}))
        held = (await told(floor, floor.heartbeat("s1"))).meter
        assert held is not None
        assert held.next is not None


async def test_a_table_is_told_what_became_of_it_meanwhile(sqlite_url: str) -> None:
    async with furnished_floor(sqlite_url) as floor:
        await floor.act(CloseTable(person="ana", table="s1", reason="break"))
        closed = await told(floor, floor.heartbeat("s1"))
        assert (closed.table_state, closed.notice) == (TableStatus.CLOSED, "This table is closed.")


async def test_what_another_process_did_to_a_table_is_told_soon(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MARKED_FOR", SOON)
    async with furnished_floor(postgres_url) as floor:
        await told(floor, floor.heartbeat("s1"))
        other = await Book.open(postgres_url, clock=floor.clock)
        try:
            await other.submit(LINK, CloseTable(person="ana", table="s1", reason="break"))

            async def closed() -> bool:
                return (await told(floor, floor.heartbeat("s1"))).table_state is TableStatus.CLOSED

            await eventually(closed)
        finally:
            await other.close()


async def test_leaving_and_coming_back_are_carried_out(sqlite_url: str) -> None:
    async with furnished_floor(sqlite_url) as floor:
        for in_play, state in ((False, TableStatus.AWAY), (True, TableStatus.IN_PLAY)):
            before = await floor.version()
            answer = await told(floor, floor.heartbeat("s1", in_play=in_play))
            assert answer.table_state is state
            assert await floor.version() == before + 1
            before_again = await floor.versions()
            assert (await told(floor, floor.heartbeat("s1", in_play=in_play))).table_state is state
            assert (await floor.versions()).version == before_again.version


async def test_a_number_that_is_taken_is_durable_before_it_is_answered(sqlite_url: str) -> None:
    """Or a process that is killed would tell an honest table of a gap."""
    async with furnished_floor(sqlite_url) as floor:
        await told(floor, floor.heartbeat("s1", seq=4))
        await told(floor, floor.heartbeat("s1", seq=5))
        assert (await kept(floor, "s1")).seq == 5
        before = await floor.versions()
        await told(floor, floor.heartbeat("s1", seq=5))
        assert await floor.versions() == before, "of the same number: from memory"


async def test_a_stamp_that_falls_is_refused_and_marks_nothing(sqlite_url: str) -> None:
    async with furnished_floor(sqlite_url) as floor:
        beat = await again(floor, "s1")
        with pytest.raises(SentAtFell):
            await floor.act(floor.heartbeat("s1", sent_at=beat.sent_at - 1))
        await floor.submit(floor.bets("h1"))
        assert (await kept(floor, "s1")).sent_at == beat.sent_at


async def test_a_heartbeat_does_not_overtake_what_its_table_said_before(url: str) -> None:
    """Or the bets would seem to be from before it, and be refused."""
    async with furnished_floor(url) as floor:
        await again(floor, "s1")
        bets, beat = floor.bets("s1"), floor.heartbeat("s1")
        first = asyncio.create_task(floor.submit(bets))
        await asyncio.sleep(0)
        await told(floor, beat)
        assert first.done()
        assert not (await first).repeated


async def test_nobody_is_answered_from_memory_at_a_stopped_link(sqlite_url: str) -> None:
    async with furnished_floor(sqlite_url) as floor:
        await again(floor, "s1")
        (await floor.book.writer(LINK)).halt("its book denies itself")
        with pytest.raises(LinkStopped):
            await floor.act(floor.heartbeat("s1"))


async def test_while_the_store_is_in_trouble_tables_hear_of_it(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mark of the first cannot be kept; from then on a heartbeat waits for the store like any message."""
    monkeypatch.setattr(writer, "MARKED_FOR", SOON)
    async with furnished_floor(sqlite_url) as floor:

        async def refused() -> bool:
            try:
                await told(floor, floor.heartbeat("s1"))
            except Unavailable:
                return True
            return False

        async def answered() -> bool:
            return not await refused()

        assert await answered()
        path = sqlite_url.removeprefix("sqlite+aiosqlite:///")
        with closing(sqlite3.connect(path, isolation_level=None)) as locker:
            locker.execute("BEGIN IMMEDIATE")
            with monkeypatch.context() as hurried:
                hurried.setattr(writer, "PATIENCE", 0.2)
                hurried.setattr(writer, "LAST_TRY", 0.2)
                await eventually(refused)
            locker.execute("ROLLBACK")
        await eventually(answered)
