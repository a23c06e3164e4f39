"""Rounds of blackjack, dealt in the prescribed order and played by a strategy.

They are told in the records that tables tell them in, so that the rules check and settle them as any others.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, Protocol

from jackpot.cards.cards import NAMES
from jackpot.games.blackjack import Bets, BlackjackRules, BoomBet, BoxBet, BoxHand, Report, Shoe, SplitHand
from jackpot.games.blackjack.points import POINTS, points
from jackpot.maths.blackjack_strategy import ACE, FREE, PAID, Call, Strategy, decide

STAKE = 100
"""Minor units, on each wager: half of it is a whole number of them."""
_PLAYER = "1"
_DOUBLES = (Call.DOUBLE, Call.FREE_DOUBLE)
_SPLITS = (Call.SPLIT, Call.FREE_SPLIT)


class Drawing(Protocol):
    """A shoe."""

    def draw(self) -> str: ...


class Chance(Protocol):
    """What `random.Random` can do, and all that is asked of it."""

    def random(self) -> float: ...


class Round(NamedTuple):
    bets: Bets
    report: Report
    """Final, with the cards as the shoe counted them out."""


def strategy_of(rules: BlackjackRules) -> Strategy:
    return FREE if rules.free_bets else PAID


def deal_round(chance: Chance, rules: BlackjackRules, decks: int, strategy: Strategy | None = None) -> Round:
    """From a fresh shoe, every side bet placed; without insurance or even money."""
    shoe = _FreshShoe(chance, decks)
    first, up, second = shoe.draw(), shoe.draw(), shoe.draw()
    box = BoxPlayed(shoe, strategy or strategy_of(rules), up)
    played = box.play([first, second])
    hand = BoxHand(box=1, cards=played.cards, decision=played.decision, split=played.split)
    dealer = dealers_cards(shoe, rules, up, cards_needed(rules, box, played))
    report = Report(final=True, hands=(hand,), dealer=dealer, shoe=Shoe(drawn=tuple(shoe.drawn)))
    return Round(bets_of(rules), report)


@cache
def bets_of(rules: BlackjackRules) -> Bets:
    """All wagers that can be placed before the deal, by one player on one box."""
    boom = (BoomBet(player=_PLAYER, bet=STAKE),) if rules.table_bet else ()
    return Bets(boxes=(BoxBet(box=1, bet=STAKE, side=dict.fromkeys(rules.side, STAKE)),), boom_busted=boom)


class _FreshShoe:
    """Cards are chosen when they are drawn: a shuffle of eight decks takes longer than a round."""

    __slots__ = ("_chance", "_gone", "_size", "drawn")

    def __init__(self, chance: Chance, decks: int) -> None:
        self._chance = chance.random
        self._size = 52 * decks
        self._gone: set[int] = set()
        self.drawn: list[str] = []

    def draw(self) -> str:
        place = int(self._chance() * self._size)
        while place in self._gone:
            place = int(self._chance() * self._size)
        self._gone.add(place)
        card = NAMES[place % 52]
        self.drawn.append(card)
        return card


class BoxPlayed:
    __slots__ = ("_hands", "_shoe", "_strategy", "open", "up")

    def __init__(self, shoe: Drawing, strategy: Strategy, up: str) -> None:
        self._shoe = shoe
        self._strategy = strategy
        self.up = up
        self._hands = 1
        self.open = False
        """Some hand waits for the dealer's."""

    def play(self, cards: list[str], *, of_split: bool = False, marker_only: bool = False) -> SplitHand:
        """The hand that these cards have begun, and all that comes of it."""
        while True:
            call = decide(
                self._strategy,
                cards,
                self.up,
                of_split=of_split,
                hands=self._hands,
                marker_only=marker_only,
            )
            if call is not Call.DRAW:
                return self._ended(cards, call, of_split=of_split, marker_only=marker_only)
            cards.append(self._shoe.draw())

    def _ended(self, cards: list[str], call: Call, *, of_split: bool, marker_only: bool) -> SplitHand:
        if call in _SPLITS:
            return self._split(cards, call, marker_only=marker_only)
        if call in _DOUBLES:
            cards.append(self._shoe.draw())
        if call is Call.SURRENDER:
            return SplitHand(cards=tuple(cards), decision=call.value)
        total, _ = points(cards)
        natural = total == 21 and len(cards) == 2 and not of_split
        self.open |= total <= 21 and not natural
        return SplitHand(cards=tuple(cards), decision=None if call is Call.STAND else call.value)

    def _split(self, cards: list[str], call: Call, *, marker_only: bool) -> SplitHand:
        """Money stays on the first hand; the second has as much again, or a marker."""
        self._hands += 1
        first = self.play(cards[:1], of_split=True, marker_only=marker_only)
        second = self.play(cards[1:], of_split=True, marker_only=call is Call.FREE_SPLIT)
        return SplitHand(cards=tuple(cards), decision=call.value, split=(first, second))


def cards_needed(rules: BlackjackRules, box: BoxPlayed, played: SplitHand) -> int:
    """How many cards the dealer takes at most: all, if a wager hangs on his hand; a natural hangs on his
    second card, unless his first can make no blackjack."""
    if box.open or rules.table_bet is not None:
        return 52
    natural = played.decision is None and points(played.cards).total == 21
    return 2 if natural and POINTS[box.up] >= ACE - 1 else 1


def dealers_cards(shoe: Drawing, rules: BlackjackRules, up: str, most: int) -> tuple[str, ...]:
    cards = [up]
    while len(cards) < most and not rules.dealer_stands(points(cards)):
        cards.append(shoe.draw())
    return tuple(cards)
