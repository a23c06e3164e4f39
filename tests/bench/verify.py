"""How fast a book is verified: whole rounds of a link and a pit, by one process and by two.

Beside it, in the same run, what could not be left out whatever the rules were: the hash of every entry, and
its bytes parsed once. CPU is that of all processes; the machine's other work hardly changes it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from api.controllers import pit_wire, wire
from jackpot.book.book import Book
from jackpot.games.blackjack import BLACKJACK_GAMES, PitGame
from jackpot.games.rulebook import Game
from jackpot.link.commands import AddTable
from jackpot.link.state import PitSetup, TableSetup
from tests.bench.book import PARAMETERS
from tests.bench.messages import DECKS, Round, blackjack_rounds, holdem_rounds, stud_rounds

LINK, PIT = "main", "pit"
TABLES = 24
"""Of each game of the link; the pit has as many."""
Messages = Iterator[tuple[str, int, Any]]


async def written(url: str, link_rounds: int, pit_rounds: int) -> None:
    """A book of so many rounds, half of the link's of each game: each is two entries."""
    book = await Book.open(url)
    chance = random.Random(20_260_101)
    try:
        await book.create(LINK, "Benchmark", "SGD", PARAMETERS)
        await book.create_pit(PIT, "Benchmark", "SGD")
        games = {Game.CASINO_STUD: stud_rounds(chance), Game.TEXAS_HOLDEM: holdem_rounds(chance)}
        tables: dict[str, Iterator[Round]] = {}
        for game, dealt in games.items():
            for number in range(TABLES):
                name = f"{game.value}-{number:02d}"
                tables[name] = dealt
                setup = TableSetup(id=name, game=game, boxes=7)
                await book.submit(LINK, AddTable(person="floor", setup=setup))
        each = max(1, link_rounds // len(tables))
        spoken = wire.Bets, wire.Hands
        await asyncio.gather(
            *(_played(book, LINK, one, deals, each, spoken) for one, deals in tables.items())
        )
        rules = BLACKJACK_GAMES[PitGame.BLACKJACK_PERFECT_PAIRS]
        pits = {f"bj-{number:02d}": blackjack_rounds(chance, rules) for number in range(TABLES)}
        for name in pits:
            setup_of_pit = PitSetup(id=name, game=PitGame.BLACKJACK_PERFECT_PAIRS, boxes=7, decks=DECKS)
            await book.submit(PIT, AddTable(person="floor", setup=setup_of_pit))
        each = max(1, pit_rounds // len(pits))
        told = pit_wire.PitBets, pit_wire.PitHands
        await asyncio.gather(*(_played(book, PIT, one, deals, each, told) for one, deals in pits.items()))
    finally:
        await book.close()


async def _played(
    book: Book, link: str, table: str, rounds: Iterator[Round], count: int, spoken: tuple[Any, Any]
) -> None:
    for number in range(1, count + 1):
        bets, hands = next(rounds)
        for kind, said in zip(spoken, (bets | {"closed_at": _now()}, hands), strict=True):
            message = msgspec.convert(said | {"sent_at": _now()}, kind)
            await book.submit(link, message.command(table, number, wire.Arrived(*book.clock.moment())))


def _now() -> str:
    return datetime.now(UTC).isoformat()
