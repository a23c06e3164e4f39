"""Majors keep their order and none becomes a late claim, whatever is done to the server's clock."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from jackpot.book.book import Book
from jackpot.book.stores.postgres import PostgresStore
from jackpot.cards.cards import parse_all
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.link import commands, facts
from jackpot.link.answers import HandsAnswer
from jackpot.link.parameters import Basis
from jackpot.link.state import TableSetup
from tests.book.test_book_clock import HOUR, replica
from tests.book_floor import LINK
from tests.floor import DEFAULTS, STRAIGHT_FLUSH, STUD
from tests.worlds import Machine, World, world

__all__ = ["world"]
TABLES = ("s1", "s2")


async def furnished(book: Book) -> None:
    await book.create(LINK, "Multi-Link Progressive", "SGD", DEFAULTS)
    for name in TABLES:
        setup = TableSetup(id=name, game=STUD, boxes=7)
        await book.submit(LINK, commands.AddTable(person="floor", setup=setup))


async def won(book: Book, world: World, table: str, number: int) -> str:
    """A round with a straight flush, its table's clock right; the win's id."""

    def stamps() -> dict[str, Any]:
        moment = book.clock.moment()
        return {"sent_at": world.true, "received_at": moment.at, "error": moment.error}

    box = commands.BoxBets(box=1, ante=2500, progressive=500)
    bets = commands.CloseBets(table=table, round=number, closed_at=world.true, boxes=(box,), **stamps())
    await book.submit(LINK, bets)
    world.wait(0.3)
    hand = commands.HandReport(box=1, cards=parse_all(STRAIGHT_FLUSH["c"].split()), dealt_at=world.true)
    world.wait(0.1)
    told = commands.ReportHands(table=table, round=number, hands=(hand,), final=True, **stamps())
    answer = (await book.submit(LINK, told)).answer
    assert isinstance(answer, HandsAnswer)
    assert answer.results[0].win is not None
    return answer.results[0].win


@pytest.mark.parametrize("step", [HOUR, -HOUR, 2 * SECOND, -2 * SECOND, 300 * MILLISECOND])
async def test_majors_of_two_replicas_keep_their_order_through_a_step_of_the_clock(
    postgres_url: str, world: World, step: int
) -> None:
    """Wrong for forty seconds, as if another server had taken over: connections are cut. Then right again."""
    numbers, played = count(1), []
    machines = Machine(world, ppm=60), Machine(world, ppm=-80)
    async with replica(postgres_url, machines[0]) as one, replica(postgres_url, machines[1]) as other:
        await furnished(one)
        await world.watch(12, one.clock, other.clock)
        for shift, seconds in ((0, 2), (step, 0), (step, 4), (step, 36), (0, 0), (0, 4), (0, 20)):
            if shift != world.shift:
                world.shift = shift
                for book in (one, other):
                    assert isinstance(book.store, PostgresStore)
                    book.store._servers.distrust(book.store.generation)
            await world.watch(seconds, one.clock, other.clock)
            number = next(numbers)
            for book, table in ((one, "s1"), (other, "s2")):
                played.append(await won(book, world, table, number))
                world.wait(0.2)
        for win in played:
            await one.submit(LINK, commands.ApproveWin(person="ana", win=win))
        entries = [entry async for entry in one.since(LINK)]
    paid = [entry.fact for entry in entries if isinstance(entry.fact, facts.WinPaid)]
    assert [fact.win for fact in paid] == played
    assert {fact.basis for fact in paid} == {Basis.WITNESSED}
    assert not [entry for entry in entries if isinstance(entry.fact, facts.ClaimRaised)]
    times = [entry.at for entry in entries]
    assert times == sorted(times)
