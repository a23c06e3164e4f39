"""What cards count (3.2): an ace 11 unless the hand is then over 21, pictures 10."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jackpot.cards.cards import NAMES

_BY_RANK = {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}
POINTS = {name: _BY_RANK.get(name[0]) or int(name[0]) for name in NAMES}
"""Of one card; of an ace the more."""
LOW = {name: 1 if worth == 11 else worth for name, worth in POINTS.items()}
"""Of an ace the less."""
PICTURES = frozenset(name for name in NAMES if name[0] in "JQK")
BLACK = frozenset("cs")


class Points(NamedTuple):
    total: int
    soft: bool
    """An ace counts 11."""


def points(cards: Sequence[str]) -> Points:
    """
    >>> points(("Ah", "6d", "5c")), points(("Ah", "Ac"))
    (Points(total=12, soft=False), Points(total=12, soft=True))
    """
    total, ace = 0, False
    for card in cards:
        worth = LOW[card]
        total += worth
        if worth == 1:
            ace = True
    soft = ace and total < 12  # a second ace that counts 11 would be too much
    return Points(total + 10 if soft else total, soft)


def is_blackjack(cards: Sequence[str]) -> bool:
    """Ace and ten in two cards, which are a natural unless they came of a split (1.2)."""
    return len(cards) == 2 and POINTS[cards[0]] + POINTS[cards[1]] == 21


def low_total(first: str, second: str) -> int:
    """Of two cards, aces as 1 (B 3.13.2)."""
    return LOW[first] + LOW[second]


def is_pair(first: str, second: str) -> bool:
    """Of one rank; 10 and K are none."""
    return first[0] == second[0]


def is_suited(first: str, second: str) -> bool:
    return first == second


def is_coloured(first: str, second: str) -> bool:
    return first[0] == second[0] and (first[1] in BLACK) == (second[1] in BLACK)
