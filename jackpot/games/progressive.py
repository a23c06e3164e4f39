"""The Progressive Jackpot Hand (H 1.21, 4.2.1) and what it pays (4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

ALL_OF_IT = 100
"""Percent of the displayed value: the level that takes it, after which the pool resets."""


@frozen(kw_only=True)
class Prize:
    """What a hand wins: a share of the displayed value in percent, or odds "for 1"."""

    share: int | None = None
    odds: int | None = None

    @property
    def level(self) -> Level:
        return MINOR if self.share is None else MAJOR


Levels = Mapping[Hand, Prize]
"""The pay table of a link. A hand that is not in it wins nothing."""
RULE_BOOK_LEVELS: Levels = {
    Hand.ROYAL_FLUSH: Prize(share=ALL_OF_IT),
    Hand.STRAIGHT_FLUSH: Prize(share=10),
    Hand.FOUR_OF_A_KIND: Prize(odds=400),
    Hand.FULL_HOUSE: Prize(odds=80),
    Hand.FLUSH: Prize(odds=40),
    Hand.STRAIGHT: Prize(odds=20),
}
"""4.2"""


def shares(levels: Levels) -> dict[Hand, int]:
    """The majors, best first, with their percent of the displayed value."""
    return {hand: levels[hand].share or 0 for hand in _best_first(levels, MAJOR)}


def odds(levels: Levels) -> dict[Hand, int]:
    """The minors, best first, with what they pay for 1."""
    return {hand: levels[hand].odds or 0 for hand in _best_first(levels, MINOR)}


def _best_first(levels: Levels, level: Level) -> list[Hand]:
    return [hand for hand in reversed(Hand) if hand in levels and levels[hand].level is level]


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
