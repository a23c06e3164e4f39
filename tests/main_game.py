"""A table that tells its main game, in the core or over the wire, and what it is told to pay and collect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import pytest

from jackpot.core.refusals import Refused
from jackpot.games.adjustments import Adjusted
from jackpot.games.lines import Line
from jackpot.games.rulebook import Game
from jackpot.link.answers import HandsAnswer, IrregularityAnswer
from jackpot.link.rounds import MainGame
from tests.floor import Floor
from tests.house import House, Json, answered, put

Told = tuple[int, str, str, int, int, str]
"""Box, wager, outcome, stake, payout, paragraph."""
Hands = Mapping[int, str | tuple[str] | None]

STAYS = MainGame(decision="bet")
FOLDS = MainGame(decision="fold")
LEAVES = MainGame(decision="walk_away")
NEIGHBOURS = list(pairwise("AKQJT98765432"))
"""Of the ranks from the highest to the lowest (3.1.1)."""
_ASIDE = "KJ8632T"
"""Ranks of which any five lie too far apart for a straight."""


def told(lines: Iterable[Line]) -> list[Told]:
    return [(one.box, one.wager.value, one.outcome.value, one.stake, one.payout, one.rule) for one in lines]


def changed(adjustments: Iterable[Adjusted]) -> list[tuple[int, str, int, int, int]]:
    """Box, wager, what it was handed before, what it is due now, and what it is handed for that."""
    return [(one.box, one.wager.value, one.before, one.after, one.difference) for one in adjustments]


def outcomes(lines: Iterable[Line]) -> list[tuple[int, str, str]]:
    """Box, wager and outcome alone."""
    return [(one.box, one.wager.value, one.outcome.value) for one in lines]


def aside(suits: str, *taken: str) -> str:
    """As many cards as suits are named that help no pair of the ranks taken."""
    ranks = [rank for rank in _ASIDE if rank not in taken]
    return " ".join(rank + suit for rank, suit in zip(ranks, suits, strict=False))


class Table:
    """One table. `limits` are `minimum` and `maximum` of its main game."""

    def __init__(self, game: Game, **limits: Any) -> None:
        self.floor = Floor(tables={"t1": game}, **limits)

    def bets(self, antes: Mapping[int, int], **more: Any) -> None:
        self.floor.bets("t1", {}, ante=antes, **more)
        self.floor.wait(1)

    def hands(self, hands: Hands, main: Mapping[int, MainGame], **cards: Any) -> HandsAnswer:
        self.floor.wait(1)
        return self.floor.hands("t1", hands, main=main, **cards)

    def declare(self, paragraph: str, **said: Any) -> IrregularityAnswer:
        self.floor.wait(1)
        return self.floor.irregularity("t1", paragraph, **said)

    def refused(self, act: Any, *given: Any, **said: Any) -> tuple[str, str | None]:
        """The code and the paragraph of a refusal that changed nothing."""
        head = self.floor.link.head
        with pytest.raises(Refused) as refusal:
            act(*given, **said)
        assert self.floor.link.head == head
        return refusal.value.code, refusal.value.rule


def settled(
    game: Game,
    hands: Hands,
    main: MainGame | Mapping[int, MainGame] = STAYS,
    *,
    ante: int = 10_00,
    bonus: int = 0,
    dealer: str = "",
    community: str = "",
    final: bool = True,
    **limits: Any,
) -> tuple[Line, ...]:
    """What a new table is told of a round in which every box has the same Ante and Bonus."""
    table = Table(game, **limits)
    table.bets(dict.fromkeys(hands, ante), bonus=dict.fromkeys(hands, bonus))
    said = dict.fromkeys(hands, main) if isinstance(main, MainGame) else main
    return table.hands(hands, said, dealer=dealer, community=community, final=final).settlement


# Over the wire


async def said_over_the_wire(
    house: House, table: str, bets: list[Json], hands: list[Json], *, dealer: str = "", community: str = ""
) -> list[tuple[Any, ...]]:
    """The first round of a table, a bet and a hand for each box in turn: box, wager, outcome, stake, odds,
    payout, paragraph."""
    boxes = [{"box": box} | bet for box, bet in enumerate(bets, 1)]
    answered(await put(house, table, "bets", {"boxes": boxes}))
    dealt = [{"box": box} | hand | _split(hand) for box, hand in enumerate(hands, 1)]
    body = {"hands": dealt, "dealer": {"cards": dealer.split()}, "community": community.split()}
    return on_the_wire(answered(await put(house, table, "hands", body))["settlement"])


def _split(hand: Json) -> Json:
    return {"cards": hand["cards"].split()} if "cards" in hand else {}


def on_the_wire(lines: list[Json]) -> list[tuple[Any, ...]]:
    names = ("box", "wager", "outcome", "stake", "pays", "payout", "rule")
    return [tuple(line[name] for name in names) for line in lines]
