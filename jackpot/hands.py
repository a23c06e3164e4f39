"""The Progressive Jackpot Hand (H 1.21, 4.2.1) and what it pays (4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from jackpot.evaluator import Hand, hand_of, strength
from jackpot.rulebook import Game


class Level(StrEnum):
    MAJOR = "major"
    MINOR = "minor"


PERCENT_OF_POOL = {Hand.ROYAL_FLUSH: 100, Hand.STRAIGHT_FLUSH: 10}
TIMES_THE_BET = {Hand.FOUR_OF_A_KIND: 400, Hand.FULL_HOUSE: 80, Hand.FLUSH: 40, Hand.STRAIGHT: 20}


def level_of(hand: Hand) -> Level | None:
    if hand in PERCENT_OF_POOL:
        return Level.MAJOR
    return Level.MINOR if hand in TIMES_THE_BET else None


def minor_award(hand: Hand, bet: int) -> int:
    """Odds are "for 1": the stake is not returned on top of them."""
    return TIMES_THE_BET.get(hand, 0) * bet


def progressive_cards(game: Game, own: Sequence[int], community: Sequence[int]) -> tuple[int, ...]:
    """Stud: the box's five cards. Hold'em: hole cards and flop, never turn or river."""
    return tuple(own) if game is Game.CASINO_STUD else (*own, *community[:3])


def progressive_hand(game: Game, own: Sequence[int], community: Sequence[int]) -> Hand:
    return hand_of(strength(progressive_cards(game, own, community)))
