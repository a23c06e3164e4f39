"""How the demo's players play the main game: a simple strategy for each."""

from __future__ import annotations

from jackpot.cards import rank_of
from jackpot.evaluator import Hand, hand_of, strength
from jackpot.games.stud import QUALIFYING

_TEN = 8


def stays_at_stud(cards: tuple[int, ...]) -> bool:
    """BET with Ace-King or better."""
    return strength(cards) >= QUALIFYING


def stays_at_holdem(hole: tuple[int, ...]) -> bool:
    """Flop with a pair, two cards of one suit, or a ten or better."""
    low, high = sorted(hole)
    return rank_of(low) == rank_of(high) or low % 4 == high % 4 or rank_of(high) >= _TEN


def raises_at_holdem(hole: tuple[int, ...], flop: tuple[int, ...]) -> bool:
    """Turn and River with a pair or better after the flop."""
    return hand_of(strength((*hole, *flop))) is not Hand.FIVE_ODD_CARDS
