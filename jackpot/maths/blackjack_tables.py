"""Rounds of a whole blackjack table, dealt from a shoe that goes on and played by basic strategy.

Told as a controller tells them: after the initial deal, and when the dealer's hand is finished.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from jackpot.cards.cards import NAMES
from jackpot.games.blackjack import BoxHand, Closing, PlayerWagers, Report, Shoe
from jackpot.games.blackjack.points import POINTS, is_blackjack
from jackpot.maths.blackjack_rounds import BoxPlayed, cards_needed, dealers_cards, strategy_of
from jackpot.maths.blackjack_strategy import ACE

Protects = Callable[[int, str, bool], PlayerWagers | None]
"""With an ace up: what the player on that box says of insurance and even money; whether he has a natural."""


class LongShoe:
    """Shuffled anew when a quarter of it is left. `name` tells it from those that the table had before."""

    def __init__(self, rng: Random, decks: int, name: str) -> None:
        self._rng, self._decks, self._name = rng, decks, name
        self._left: list[str] = []
        self._shuffled = 0
        self.drawn: list[str] = []
        """In the current round."""

    @property
    def id(self) -> str:
        return f"{self._name}.{self._shuffled}"

    def begin_round(self) -> None:
        self.drawn = []
        if len(self._left) * 4 < self._decks * 52:
            self._left = list(NAMES * self._decks)
            self._rng.shuffle(self._left)
            self._shuffled += 1

    def draw(self) -> str:
        self.drawn.append(self._left.pop())
        return self.drawn[-1]


class TableRound(NamedTuple):
    dealt: Report
    """After the second cards, with what players said of an ace."""
    final: Report


def deal_table(shoe: LongShoe, closing: Closing, protects: Protects) -> TableRound:
    """Of bets by which at least one box gets cards."""
    shoe.begin_round()
    rules, boxes = closing.rules, [one.box for one in closing.dealt]
    first = {box: shoe.draw() for box in boxes}
    up = shoe.draw()
    hands = {box: [first[box], shoe.draw()] for box in boxes}
    said = {one.box: _said(one.box, tuple(one.players), hands[one.box], protects) for one in closing.dealt}
    if POINTS[up] != ACE:
        said = dict.fromkeys(boxes, ())
    dealt = Report(
        hands=tuple(BoxHand(box=box, cards=tuple(hands[box]), wagers=said[box]) for box in boxes),
        dealer=(up,),
    )
    most, told = 1, []
    for box in boxes:
        played = BoxPlayed(shoe, strategy_of(rules), up)
        hand = played.play(hands[box])
        insured = any(one.insurance for one in said[box])
        most = max(most, cards_needed(rules, played, hand), 2 if insured else 1)
        told.append(
            BoxHand(box=box, cards=hand.cards, decision=hand.decision, split=hand.split, wagers=said[box])
        )
    dealer = dealers_cards(shoe, rules, up, most)
    drawn = Shoe(id=shoe.id, drawn=tuple(shoe.drawn))
    return TableRound(dealt, Report(final=True, hands=tuple(told), dealer=dealer, shoe=drawn))


def _said(
    box: int, players: tuple[str, ...], cards: list[str], protects: Protects
) -> tuple[PlayerWagers, ...]:
    found = [protects(box, name, is_blackjack(tuple(cards))) for name in players]
    return tuple(one for one in found if one is not None)
