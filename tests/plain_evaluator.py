"""A plain evaluator to prove the fast one against: it counts and sorts ranks, hand by hand.

It shares no code with `jackpot.cards.evaluator` or `jackpot.cards.bulk`, not even the names of the hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

from jackpot.cards.cards import DECK, rank_of, suit_of

ACE, FIVE = 12, 3
WHEEL = (ACE, 3, 2, 1, 0)


class Hand(StrEnum):
    """Ranking of hands from the lowest to the highest, named as on the wire."""

    FIVE_ODD_CARDS = "five_odd_cards"
    ONE_PAIR = "one_pair"
    TWO_PAIRS = "two_pairs"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"


_LOWEST_FIRST = tuple(Hand)
_BY_MULTIPLICITY = {
    (4, 1): Hand.FOUR_OF_A_KIND,
    (3, 2): Hand.FULL_HOUSE,
    (3, 1, 1): Hand.THREE_OF_A_KIND,
    (2, 2, 1): Hand.TWO_PAIRS,
    (2, 1, 1, 1): Hand.ONE_PAIR,
    (1, 1, 1, 1, 1): Hand.FIVE_ODD_CARDS,
}
_Ranks = tuple[int, ...]
Many = npt.NDArray[np.integer[Any]]


def _described(ranks: _Ranks, *, flush: bool) -> tuple[Hand, _Ranks]:
    """The hand and its tie-break: ranks in the order in which two such hands are compared."""
    counted = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    tie_break = tuple(rank for rank, _ in counted)
    hand = _BY_MULTIPLICITY[tuple(count for _, count in counted)]
    if hand is not Hand.FIVE_ODD_CARDS:
        return hand, tie_break
    if tie_break == WHEEL:
        return (Hand.STRAIGHT_FLUSH if flush else Hand.STRAIGHT), (FIVE,)
    if tie_break[0] - tie_break[4] == 4:
        if flush:
            return (Hand.ROYAL_FLUSH if tie_break[0] == ACE else Hand.STRAIGHT_FLUSH), tie_break[:1]
        return Hand.STRAIGHT, tie_break[:1]
    return (Hand.FLUSH if flush else hand), tie_break


def _classes() -> tuple[dict[tuple[_Ranks, bool], int], tuple[Hand, ...]]:
    kinds: dict[tuple[_Ranks, bool], tuple[Hand, _Ranks]] = {}
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) < 5:
            kinds[ranks, False] = _described(ranks, flush=False)
    for ranks in combinations(range(13), 5):
        kinds[ranks, True] = _described(ranks, flush=True)
    ordered = sorted(set(kinds.values()), key=lambda kind: (_LOWEST_FIRST.index(kind[0]), kind[1]))
    strength = {kind: number for number, kind in enumerate(ordered, 1)}
    return {key: strength[kind] for key, kind in kinds.items()}, tuple(hand for hand, _ in ordered)


_STRENGTH, _HAND = _classes()
CLASSES = len(_HAND)


def strength(cards: Sequence[int]) -> int:
    """1 for the weakest of the 7,462 classes of five different cards, 7,462 for a royal flush."""
    flush = len({suit_of(card) for card in cards}) == 1
    return _STRENGTH[tuple(sorted(rank_of(card) for card in cards)), flush]


def strengths(hands: Many) -> Many:
    """Of many hands at once, a row each, by the same table: millions are counted and sorted in a second."""
    suits = _SUITS[hands]
    flush = (suits == suits[:, :1]).all(axis=1)
    ranks = np.sort(_RANKS[hands], axis=1)
    found: Many = _BY_NUMBER[_number(ranks, flush)]
    return found


def _number(ranks: Many, flush: Any) -> Many:
    """Flush and ranks as the digits of a number."""
    found = np.asarray(flush, np.int32)
    for column in ranks.T:
        found = found * 13 + column
    return found


_RANKS = np.array([rank_of(card) for card in DECK], np.uint8)
_SUITS = np.array([suit_of(card) for card in DECK], np.uint8)
_BY_NUMBER = np.zeros(2 * 13**5, np.int16)
_BY_NUMBER[_number(np.array([ranks for ranks, _ in _STRENGTH]), [flush for _, flush in _STRENGTH])] = list(
    _STRENGTH.values()
)


def hand_of(strength: int) -> Hand:
    """
    >>> hand_of(7462)
    <Hand.ROYAL_FLUSH: 'royal_flush'>
    """
    return _HAND[strength - 1]


def best_of_seven(cards: Sequence[int]) -> int:
    """The strength of the best five of seven cards (H 1.10)."""
    return max(strength(five) for five in combinations(cards, 5))
