"""A month of a casino, written by the real book at the times of a month, with majors and approvals."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec

from api.controllers import wire
from jackpot.book.book import Book
from jackpot.book.reading.pages import current_link
from jackpot.book.stores.house_time import Moment
from jackpot.book.writing.clock import HouseClock
from jackpot.cards.cards import names
from jackpot.core.instants import SECOND
from jackpot.core.refusals import Refused
from jackpot.games.rulebook import Game
from jackpot.link.answers import Answer, HandsAnswer
from jackpot.link.commands import AddTable, ApproveWin, DecideOrder, HouseAct
from jackpot.link.parameters import Parameters
from jackpot.link.state import TableSetup
from jackpot.pools.payout import clusters
from tests.bench.rounds import Round, holdem_rounds, stud_rounds

LINK = "main"
PARAMETERS = Parameters(seed=5_000_000, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)
START = 1_790_812_800 * SECOND
DAY = 86_400 * SECOND
ROYAL, STRAIGHT = 7 / 649_740, 7 * 36 / 2_598_960
"""How often a round of seven boxes has one."""


class ToldClock(HouseClock):
    """House time as it is told. It goes on by a part of the month with every message."""

    def __init__(self, span: int, messages: int) -> None:
        super().__init__()
        self.told, self.step = START, max(1, span // max(1, messages))

    def moment(self) -> Moment:
        return Moment(self.told, 0)

    async def measure(self) -> None:
        """Nothing is measured."""

    async def keep_up(self, broke_at: int) -> None:
        """It never breaks."""

    def spoken(self) -> str:
        return datetime.fromtimestamp(self.told / SECOND, UTC).isoformat()


def rounds_of(game: Game, chance: random.Random, luck: float, meeting: int | None) -> Iterator[Round]:
    """As they fall, and now and then a major at a box of Casino Stud: `luck` times as often as it is, and a
    royal flush in the round `meeting`. Only half of the tables have any: they have twice as many."""
    ordinary = stud_rounds(chance) if game is Game.CASINO_STUD else holdem_rounds(chance)
    for number, (bets, hands) in enumerate(ordinary, 1):
        drawn = chance.random() / luck
        if number == meeting:
            yield bets, _with_major(hands, chance, royal=True)
        elif game is Game.CASINO_STUD and drawn < 2 * (ROYAL + STRAIGHT):
            yield bets, _with_major(hands, chance, royal=drawn < 2 * ROYAL)
        else:
            yield bets, hands


def _with_major(hands: dict[str, Any], chance: random.Random, *, royal: bool) -> dict[str, Any]:
    """Box 4 has it; the others and the dealer have what is left of the deck."""
    low = 8 if royal else chance.randrange(8)
    suit = chance.choice("cdhs")
    major = [f"{rank}{suit}" for rank in "23456789TJQKA"[low : low + 5]]
    deck = [one for one in names(range(52)) if one not in major]
    chance.shuffle(deck)
    told = [
        one | {"cards": major if one["box"] == 4 else [deck.pop() for _ in range(5)]}
        for one in hands["hands"]
    ]
    bet = [one | {"decision": "bet", "bet": 5000} for one in told]
    return hands | {"hands": bet, "dealer": {"cards": [deck.pop() for _ in range(5)]}}


async def written(
    url: str,
    *,
    rounds: int,
    days: int = 30,
    tables: int = 24,
    luck: float = 1.0,
    seed: int = 20_260_101,
    meeting: int | None = None,
) -> None:
    """A book of so many rounds, half of them of each game: each is two entries. In the round `meeting` of the
    first two tables both have a royal flush."""
    clock = ToldClock(days * DAY, 2 * rounds)
    book, chance = await Book.open(url, clock=clock), random.Random(seed)
    try:
        await book.create(LINK, "Multi-Link Progressive", "SGD", PARAMETERS)
        games = [game for game in Game for _ in range(tables // 2)]
        setups = [
            TableSetup(id=f"{game.value.split('_')[-1]}-{number:02d}", game=game, boxes=7)
            for number, game in enumerate(games, 1)
        ]
        for setup in setups:
            await book.submit(LINK, AddTable(person="floor", setup=setup))
        house, each = House(book), max(1, rounds // len(setups))
        dealt = [
            rounds_of(one.game, chance, luck, meeting if place < 2 else None)
            for place, one in enumerate(setups)
        ]
        together, seats = Meeting(meeting, setups[:2]), zip(setups, dealt, strict=True)
        await asyncio.gather(*[_played(house, clock, together, one, rows, each) for one, rows in seats])
    finally:
        await book.close()


class Meeting:
    """The tables whose hands of one round are dealt at the same time."""

    def __init__(self, round: int | None, setups: Iterable[TableSetup]) -> None:
        self._round, self._tables = round, [one.id for one in setups]
        self._barrier = asyncio.Barrier(len(self._tables))

    async def wait(self, table: str, round: int) -> None:
        if round == self._round and table in self._tables:
            await self._barrier.wait()


class House:
    """Decides what the clocks cannot tell, and approves, as soon as it can."""

    def __init__(self, book: Book) -> None:
        self.book, self._waiting = book, set[str]()

    async def hear(self, answer: Answer) -> None:
        if isinstance(answer, HandsAnswer):
            self._waiting |= {one.win for one in answer.results if one.win is not None}
        if not self._waiting:
            return
        store = self.book.store
        async with store.reading() as connection:
            link = await current_link(store, connection, LINK)
        self._waiting &= link.queue.keys()
        for cluster in clusters(link):
            if not cluster.decided:
                await self._act(DecideOrder(person="sue", wins=cluster.wins, reason="camera footage"))
        for win in link.queue.values():
            for person in sorted({"ana", "ben"} - {one.person for one in win.approvals}):
                await self._act(ApproveWin(person=person, win=win.id))

    async def _act(self, command: HouseAct) -> None:
        with suppress(Refused):  # another coroutine was first, or another win has come
            await self.book.submit(LINK, command)


async def _played(
    house: House,
    clock: ToldClock,
    meeting: Meeting,
    setup: TableSetup,
    rounds: Iterator[Round],
    count: int,
) -> None:
    for number in range(1, count + 1):
        for kind, said in zip((wire.Bets, wire.Hands), next(rounds), strict=True):
            await meeting.wait(setup.id, number)
            clock.told += clock.step
            stamps = {"sent_at": clock.spoken()}
            if kind is wire.Bets:
                stamps["closed_at"] = clock.spoken()
            message: Any = msgspec.convert(said | stamps, kind)
            command = message.command(setup.id, number, wire.Arrived(clock.told, 0))
            outcome = await house.book.submit(LINK, command)
            await house.hear(outcome.answer)
