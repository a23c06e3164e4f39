"""The Progressive Jackpot Hand (H 1.21, 4.2.1) and what it pays (4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from jackpot.cards.chances import MadeOf
from jackpot.cards.evaluator import Hand, hand_of, strength
from jackpot.core.records import frozen

T = TypeVar("T")


class Level(StrEnum):
    MAJOR = "major"
    MINOR = "minor"


MAJOR, MINOR = Level
"""Bound once: to look up a member costs as much as to make a hand of five cards."""

PERCENT_OF_POOL = {Hand.ROYAL_FLUSH: 100, Hand.STRAIGHT_FLUSH: 10}
TIMES_THE_BET = {Hand.FOUR_OF_A_KIND: 400, Hand.FULL_HOUSE: 80, Hand.FLUSH: 40, Hand.STRAIGHT: 20}


_LEVELS = {**dict.fromkeys(TIMES_THE_BET, MINOR), **dict.fromkeys(PERCENT_OF_POOL, MAJOR)}


def level_of(hand: Hand) -> Level | None:
    return _LEVELS.get(hand)


def minor_award(hand: Hand, bet: int) -> int:
    """Odds are "for 1": the stake is not returned on top of them."""
    return TIMES_THE_BET.get(hand, 0) * bet


@frozen(kw_only=True)
class Progressive:
    """The cards of which a game makes the hand: a box's own and the first so many of the community's."""

    community: int
    """Stud: none. Hold'em: the flop, never turn or river."""
    could_be: frozenset[MadeOf]
    """Of what cards a table could make it, whether or not the link's odds allow it."""

    def cards(self, own: Sequence[T], community: Sequence[T]) -> tuple[T, ...]:
        return (*own, *community[: self.community]) if self.community else tuple(own)

    def hand(self, own: Sequence[int], community: Sequence[int]) -> Hand:
        return hand_of(strength(self.cards(own, community)))
