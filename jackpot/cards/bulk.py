"""Hands by the million: the strengths and names of an array of hands. Needs NumPy (the extra `math`).

Two cards are looked up together and three cards together; what both say is looked up once more. Flushes
are rare, so they are found by their suits and looked up apart.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

from jackpot.cards.cards import NAMES
from jackpot.cards.evaluator import CLASSES, MIXED, SUITED, Hand, hand_of, rank_key
from jackpot.core.refusals import CardRepeated, CardUnknown, WrongNumberOfCards

Cards = npt.NDArray[np.integer[Any]]
Strengths = npt.NDArray[np.uint16]
Codes = npt.NDArray[np.uint8]

HANDS = tuple(Hand)
"""A hand's code is its place in here."""
_CODE_OF = np.array([0, *(HANDS.index(hand_of(number)) for number in range(1, CLASSES + 1))], np.uint8)

PAIRS = np.array(list(combinations(range(52), 2)), np.uint8)
"""Every two cards of the deck, the lower first."""

_CHUNK = 65_536
"""Hands at a time: more would leave the processor's cache, fewer spend their time between the steps."""
_TWOS = tuple(combinations_with_replacement(range(13), 2))
_THREES = tuple(combinations_with_replacement(range(13), 3))
_SUIT_BITS = 16
"""Looked up for two or three cards: their ranks below this bit, and from it on the suit if it is one."""


def _joint() -> Strengths:
    """By the ranks of two cards and the ranks of three others; 0 for five of a rank, which no hand holds."""
    keys = [rank_key(two) + rank_key(three) for two in _TWOS for three in _THREES]
    return np.array([MIXED.get(key, 0) for key in keys], np.uint16)


def _flushes() -> Strengths:
    """By the set of the five ranks, a bit for each."""
    found = np.zeros(1 << 13, np.uint16)
    for key, number in SUITED.items():
        found[sum(1 << rank for rank in range(13) if key >> 3 * rank & 7)] = number
    return found


def _looked_up(size: int, ranks: tuple[tuple[int, ...], ...], step: int) -> npt.NDArray[np.intp]:
    """For every sequence of so many cards: the place of its ranks among all, and a bit if of one suit."""
    cards = np.indices((52,) * size).reshape(size, -1)
    place = np.zeros((13,) * size, np.intp)
    for number, each in enumerate(ranks):
        place[each] = number * step
    in_order = np.sort(cards >> 2, axis=0)
    suits = cards & 3
    one_suit = np.where((suits == suits[0]).all(axis=0), 1 << suits[0], 0)
    found: npt.NDArray[np.intp] = place[tuple(in_order)] | one_suit << _SUIT_BITS
    return found


_JOINT, _FLUSHES = _joint(), _flushes()
_TWO = _looked_up(2, _TWOS, len(_THREES))
_THREE = _looked_up(3, _THREES, 1)


def strengths(hands: Cards, *, checked: bool = True) -> Strengths:
    """The strength of each row of five cards. Unchecked, rows must be known to be five different cards."""
    if hands.ndim != 2 or hands.shape[1] != 5 or hands.dtype.kind not in "iu":
        raise WrongNumberOfCards(
            f"five whole numbers a row are hands, not {hands.dtype} {hands.shape}", field="cards"
        )
    found = np.empty(len(hands), np.uint16)
    for start in range(0, len(hands), _CHUNK):
        part = hands[start : start + _CHUNK]
        if checked:
            _check_known(part, start)
        columns = np.ascontiguousarray(part.T, np.uint8)
        if checked:
            _check_different(columns, start)
        found[start : start + _CHUNK] = _evaluated(columns)
    return found


def best_of_seven(hands: Cards) -> Strengths:
    """The strength of the best five of each row of seven different cards; nothing is checked."""
    found = np.zeros(len(hands), np.uint16)
    for start in range(0, len(hands), _CHUNK):
        columns = np.ascontiguousarray(hands[start : start + _CHUNK].T, np.uint8)
        best = found[start : start + _CHUNK]
        for five in combinations(range(7), 5):
            np.maximum(best, _evaluated(columns[list(five)]), out=best)
    return found


def best_with_pairs(boards: Cards) -> Strengths:
    """The best five of each row of five different cards and each of `PAIRS`: a row of 1,326 a row.

    Nothing is checked. What is said of a pair that holds a card of the row means nothing.
    """
    rows = len(boards)
    found = np.repeat(strengths(boards, checked=False), len(PAIRS)).reshape(rows, -1)
    with_one = _best_with_cards(boards)
    for column in PAIRS.T:
        np.maximum(found, with_one[:, column], out=found)
    two = _TWO.take(PAIRS[:, 0].astype(np.intp) * 52 + PAIRS[:, 1])
    for three in combinations(range(5), 3):
        np.maximum(found, _with_pairs(boards[:, list(three)], two), out=found)
    return found


def _best_with_cards(boards: Cards) -> Strengths:
    """The best hand of four of each row's five cards and each card of the deck."""
    cards = np.tile(np.arange(52, dtype=np.uint8), len(boards))
    best = np.zeros(len(cards), np.uint16)
    for four in combinations(range(5), 4):
        held = np.repeat(boards[:, list(four)], 52, axis=0)
        np.maximum(best, strengths(np.column_stack([held, cards]), checked=False), out=best)
    return best.reshape(len(boards), 52)


def _with_pairs(threes: Cards, two: npt.NDArray[np.intp]) -> Strengths:
    c, d, e = threes.T.astype(np.intp)
    three = _THREE.take((c * 52 + d) * 52 + e)
    below = (1 << _SUIT_BITS) - 1
    found: Strengths = _JOINT.take((three & below)[:, None] + (two & below))
    rows, pairs = np.nonzero((three[:, None] & two) > below)
    ranks = np.column_stack([threes[rows], PAIRS[pairs]]) >> 2
    found[rows, pairs] = _FLUSHES[np.bitwise_or.reduce(1 << ranks.astype(np.intp), axis=1)]
    return found


def hand_codes(strengths: Strengths) -> Codes:
    """The code of each hand's name: its place in `HANDS`."""
    return _CODE_OF[strengths]


def _evaluated(columns: Codes) -> Strengths:
    a, b, c, d, e = columns.astype(np.intp)
    two, three = _TWO.take(a * 52 + b), _THREE.take((c * 52 + d) * 52 + e)
    below = (1 << _SUIT_BITS) - 1
    found: Strengths = _JOINT.take((two & below) + (three & below))
    of_one_suit = np.flatnonzero((two & three) > below)
    if of_one_suit.size:
        ranks = columns[:, of_one_suit] >> 2
        found[of_one_suit] = _FLUSHES[np.bitwise_or.reduce(1 << ranks.astype(np.intp), axis=0)]
    return found


def _check_known(part: Cards, start: int) -> None:
    if part.max(initial=0) > 51 or part.min(initial=0) < 0:
        row, place = np.argwhere((part > 51) | (part < 0))[0]
        card = int(part[row, place])
        raise CardUnknown(f"hand {start + row}: {card} is not one of the 52 cards", field="cards", card=card)


def _check_different(columns: Codes, start: int) -> None:
    repeated = np.zeros(columns.shape[1], np.bool_)
    for one, other in combinations(columns, 2):
        repeated |= one == other
    if repeated.any():
        row = int(repeated.argmax())
        hand = [int(card) for card in columns[:, row]]
        name = next(NAMES[card] for card in hand if hand.count(card) > 1)
        raise CardRepeated(f"hand {start + row}: {name} is in it twice", field="cards", card=name)
