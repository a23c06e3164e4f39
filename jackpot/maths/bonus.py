"""The Bonus of Texas Hold'em, every deal of it: the hole cards decide, and of two aces the dealer's."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

from jackpot.cards.cards import DECK
from jackpot.games.holdem import holding
from jackpot.games.paytables import ACES, BOTH_ACES, HOLDEM_BONUS


def bonus_edge() -> Fraction:
    """The part of a Bonus that is lost, on average, by a player who folds nothing that it pays."""
    won = sum((_mean(holding(pair)) for pair in combinations(DECK, 2)), Fraction(0))
    return -won / comb(52, 2)


def _mean(held: str) -> Fraction:
    odds = HOLDEM_BONUS.get(held)
    if odds is None:
        return Fraction(-1)
    if held != ACES:
        return Fraction(odds.times)
    both = Fraction(1, comb(50, 2))
    return both * BOTH_ACES.times + (1 - both) * odds.times
