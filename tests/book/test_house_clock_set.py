"""Two people set the house clock: at every link or at none, only on a quiet floor, and never back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jackpot.book.book import Book
from jackpot.book.checking.verify import Verifier
from jackpot.book.writing.writer import LinkStopped
from jackpot.cards.cards import parse_all
from jackpot.core.instants import SECOND
from jackpot.core.refusals import ClockWouldFall, FloorInPlay, ReceiverMissing, SamePerson
from jackpot.link import commands, facts
from jackpot.link.answers import ProposalAnswer
from jackpot.link.proposals import ClockSetting, Retirement
from jackpot.link.state import Break, TableSetup
from tests.floor import DEFAULTS, NOTHING, STUD
from tests.worlds import Machine, World, world

__all__ = ["world"]
HOUR = 3600 * SECOND
WRONG = "the server's clock was an hour slow"


@asynccontextmanager
async def two_links(url: str, world: World) -> AsyncIterator[Book]:
    """A table at each, and house time an hour behind a server whose clock was just put right."""
    book = await Book.open(url, clock=Machine(world).clock())
    try:
        for link, table in (("main", "s1"), ("other", "s2")):
            await book.create(link, link, "SGD", DEFAULTS)
            setup = TableSetup(id=table, game=STUD, boxes=7)
            await book.submit(link, commands.AddTable(person="floor", setup=setup))
        await world.watch(11, book.clock)
        world.shift = HOUR
        await world.watch(5, book.clock)
        assert book.clock.difference == -HOUR
        yield book
    finally:
        await book.close()


async def proposed(book: Book, link: str = "main") -> str:
    answer = (
        await book.submit(link, commands.Propose(person="ana", change=ClockSetting(), reason=WRONG))
    ).answer
    assert isinstance(answer, ProposalAnswer)
    return answer.proposal


async def confirmed(book: Book, proposal: str, by: str = "sue", key: str | None = None) -> None:
    command = commands.Confirm(person=by, proposal=proposal, act_id=key)
    await book.submit(proposal.rpartition(".")[0], command)


async def journal(book: Book, link: str) -> list[tuple[int, str]]:
    return [(one.at, type(one.fact).__name__) async for one in book.since(link)]


async def bets(book: Book, world: World, link: str, table: str, number: int = 1) -> None:
    boxes = (commands.BoxBets(box=1, ante=2500, progressive=500),)
    sent, received = world.true, book.clock.now()
    closed = commands.CloseBets(
        table=table, round=number, boxes=boxes, sent_at=sent, received_at=received, closed_at=sent
    )
    await book.submit(link, closed)


async def hands(book: Book, world: World, link: str, table: str, cards: str) -> None:
    report = commands.HandReport(box=1, cards=parse_all(cards.split()))
    sent, received = world.true, book.clock.now()
    told = commands.ReportHands(
        table=table, round=1, hands=(report,), final=True, sent_at=sent, received_at=received
    )
    await book.submit(link, told)


async def test_it_is_set_at_every_link_by_two_people(url: str, world: World) -> None:
    async with two_links(url, world) as book:
        world.wait(1)
        before = book.clock.now()
        await confirmed(book, await proposed(book))
        assert (book.clock.difference, book.clock.now()) == (0, world.server())
        for link in ("main", "other"):
            last = [one async for one in book.since(link)][-1]
            assert last.at == world.server()
            assert last.fact == facts.HouseTimeBroke(
                cause=Break.SET, before=before, difference=0, persons=("ana", "sue"), reason=WRONG
            )
            assert (await Verifier(book.store, link).verify()).broke_at == world.server()
        # Nothing was written by the new time before the break.
        assert (await journal(book, "main"))[-2] == (before, "ProposalConfirmed")


async def test_what_is_taken_afterwards_is_written_by_the_new_time(postgres_url: str, world: World) -> None:
    """Also by another process that has not looked at the clock since."""
    async with two_links(postgres_url, world) as book:
        other = await Book.open(postgres_url, clock=Machine(world).clock())
        try:
            await bets(other, world, "other", "s2")
            await hands(other, world, "other", "s2", NOTHING)
            await confirmed(book, await proposed(book))
            assert other.clock.difference == -HOUR
            world.wait(1)
            await bets(other, world, "other", "s2", 2)
            assert other.clock.difference == 0
            assert (await journal(book, "other"))[-1] == (world.server(), "BetsClosed")
        finally:
            await other.close()


async def test_house_time_that_is_ahead_is_set_once_the_server_is_past_every_journal(
    url: str, world: World
) -> None:
    async with two_links(url, world) as book:
        world.shift = -30 * SECOND
        await world.watch(5, book.clock)
        assert book.clock.difference == 30 * SECOND
        with pytest.raises(ClockWouldFall) as refused:
            await proposed(book)
        assert (refused.value.code, refused.value.data["link"]) == ("clock_would_fall", "main")
        world.wait(20)
        proposal = await proposed(book)
        with pytest.raises(ClockWouldFall) as refused:
            await confirmed(book, proposal)
        assert refused.value.data == {"link": "main", "by_us": 30 * SECOND}
        world.wait(31)
        before = book.clock.now()
        await confirmed(book, proposal)
        assert book.clock.now() == world.server() < before
        times = [at for at, _ in await journal(book, "main")]
        assert times == sorted(times)
        await world.watch(5, book.clock)
        assert book.clock.now() == world.server()


@pytest.mark.parametrize("link", ["main", "other"])
async def test_an_open_round_at_any_link_refuses_it(url: str, world: World, link: str) -> None:
    table = {"main": "s1", "other": "s2"}[link]
    async with two_links(url, world) as book:
        waiting = await proposed(book)
        await bets(book, world, link, table)
        for attempt in (proposed(book), confirmed(book, waiting)):
            with pytest.raises(FloorInPlay) as refused:
                await attempt
            assert refused.value.data == {"link": link, "table": table}
        assert "HouseTimeBroke" not in [kind for _, kind in await journal(book, link)]
        assert book.clock.difference == -HOUR
        await hands(book, world, link, table, NOTHING)
        await confirmed(book, waiting)
        assert book.clock.difference == 0


async def test_a_win_that_waits_at_any_link_refuses_it(url: str, world: World) -> None:
    async with two_links(url, world) as book:
        waiting = await proposed(book)
        await bets(book, world, "other", "s2")
        await hands(book, world, "other", "s2", "Ah Kh Qh Jh Th")
        with pytest.raises(FloorInPlay) as refused:
            await confirmed(book, waiting)
        assert refused.value.data == {"link": "other", "win": "s2.1.1.1"}


async def test_it_takes_another_person_and_is_done_once(url: str, world: World) -> None:
    async with two_links(url, world) as book:
        proposal = await proposed(book)
        with pytest.raises(SamePerson):
            await confirmed(book, proposal, by="ana")
        for _ in range(2):
            await confirmed(book, proposal, key="once")
        for link in ("main", "other"):
            kinds = [kind for _, kind in await journal(book, link)]
            assert kinds.count("HouseTimeBroke") == 1


async def test_one_link_alone_does_not_confirm_it(sqlite_url: str, world: World) -> None:
    async with two_links(sqlite_url, world) as book:
        proposal = await proposed(book)
        writer = await book.writer("main")
        with pytest.raises(ReceiverMissing):
            await writer.submit(commands.Confirm(person="sue", proposal=proposal))


async def test_a_link_that_is_stopped_refuses_it(sqlite_url: str, world: World) -> None:
    async with two_links(sqlite_url, world) as book:
        proposal = await proposed(book)
        (await book.writer("other")).halt("for a reason")
        with pytest.raises(LinkStopped, match="for a reason"):
            await confirmed(book, proposal)
        assert book.clock.difference == -HOUR


async def test_a_retired_link_is_left_alone(sqlite_url: str, world: World) -> None:
    async with two_links(sqlite_url, world) as book:
        await book.submit("other", commands.CloseLink(person="ana", reason="the end"))
        change = commands.Propose(person="ana", change=Retirement(to=None), reason="the end")
        answer = (await book.submit("other", change)).answer
        assert isinstance(answer, ProposalAnswer)
        await confirmed(book, answer.proposal)
        entries = await journal(book, "other")
        await confirmed(book, await proposed(book))
        assert await journal(book, "other") == entries
