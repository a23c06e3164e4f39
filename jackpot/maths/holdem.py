"""The main game of Texas Hold'em, every deal of it: what a player loses with a simple strategy and at the
least. Needs NumPy (the extra `math`).

Suits are alike, so 134,459 boards stand for all 2,598,960. On each, every pair of hole cards meets every
other; how many of them are weaker is its place in order among all pairs, less its places among those that
share a card with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np
import numpy.typing as npt

from jackpot.cards import bulk
from jackpot.cards.evaluator import CLASSES, Hand, hand_of
from jackpot.cards.suit_classes import Alike, Numbers, Progress, alike, by_suit, every, key, places
from jackpot.games.holdem import holding
from jackpot.games.strategies import folds_holdem

_PAIRS = bulk.PAIRS
_STRAIGHT = next(number for number in range(1, CLASSES + 1) if hand_of(number) is Hand.STRAIGHT)
_AT_ONCE = 64
"""Boards at a time: what is known of them stays in the processor's cache."""
_NO_HAND = np.uint16(65_535)
_TABLE_PART = 0.8
"""Of the whole time, roughly, until every board is known."""

BOARDS = comb(50, 5)
DEALERS = comb(45, 2)
ORDERS = 20
"""A board is turned over as flop, turn and river in so many ways that decisions can tell apart."""
DEALS = comb(52, 2) * BOARDS * DEALERS * ORDERS


@dataclass(frozen=True, kw_only=True, slots=True)
class Holdem:
    """Won or, below zero, lost over all deals, in Antes."""

    simple: int
    optimal: int
    hands: Mapping[str, Fraction]
    """What each kind of hole cards is worth with optimal play, if it does not fold: "32o", "AKs", "77"."""

    @property
    def simple_edge(self) -> Fraction:
        return Fraction(-self.simple, DEALS)

    @property
    def optimal_edge(self) -> Fraction:
        return Fraction(-self.optimal, DEALS)


def enumerated(progress: Progress) -> Holdem:
    boards = alike(every(5))
    table = np.empty((len(boards.cards), len(_PAIRS)), np.int16)
    simple, at_least = np.zeros(len(_PAIRS), np.int64), np.zeros(len(_PAIRS), np.int64)
    for start in range(0, len(table), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        ahead, flop = worth(boards.cards[part])
        table[part] = ahead
        at_least += boards.ways[part] @ flop
        simple += boards.ways[part] @ (flop * ORDERS + ahead * later_bets(boards.cards[part]))
        progress(_TABLE_PART * start / len(table))
    most = at_least * ORDERS + _chosen_bets(boards, table, progress)
    progress(1.0)
    return _summed_up(simple, most)


def _summed_up(simple: Numbers, most: Numbers) -> Holdem:
    """Only the sum over a kind of hole cards has a meaning: each board stands for others of other suits."""
    kinds = [holding((int(low), int(high))) for low, high in _PAIRS]
    hands: dict[str, Fraction] = {}
    played = best = 0
    for name in dict.fromkeys(kinds):
        members = [number for number, each in enumerate(kinds) if each == name]
        deals = len(members) * BOARDS * DEALERS * ORDERS
        hands[name] = Fraction(int(most[members].sum()), deals)
        folded = folds_holdem(tuple(int(card) for card in _PAIRS[members[0]]))
        played += -deals if folded else int(simple[members].sum())
        best += max(-deals, int(most[members].sum()))
    return Holdem(simple=played, optimal=best, hands=hands)


# One board: every pair against every other


def worth(boards: Numbers) -> tuple[Numbers, Numbers]:
    """Of each pair on each board: how many more dealers it beats than beat it, and what Ante and Flop win."""
    strengths = bulk.best_with_pairs(boards)
    possible = _possible(boards)
    strengths[~possible] = _NO_HAND
    wins, losses = _met(strengths)
    wins[~possible] = losses[~possible] = 0
    ahead = wins.astype(np.int32) - losses
    ante = np.where(strengths >= _STRAIGHT, wins, 0) - losses
    return ahead, 2 * ahead + ante


def _possible(boards: Numbers) -> npt.NDArray[np.bool_]:
    left = np.ones((len(boards), 52), np.bool_)
    np.put_along_axis(left, boards.astype(np.intp), values=False, axis=1)
    both: npt.NDArray[np.bool_] = left[:, _PAIRS[:, 0]] & left[:, _PAIRS[:, 1]]
    return both


def _met(strengths: bulk.Strengths) -> tuple[Numbers, Numbers]:
    """How many pairs without a common card are weaker than each, and how many stronger."""
    below, above = _places_in_order(strengths)
    square = np.full((len(strengths), 52, 52), _NO_HAND)
    low, high = _PAIRS.T
    square[:, low, high] = square[:, high, low] = strengths
    beside = _places_in_order(square)
    weaker, stronger = (
        total - each[:, low, high] - each[:, high, low]
        for total, each in zip((below, above), beside, strict=True)
    )
    return weaker, stronger


def _places_in_order(values: bulk.Strengths) -> tuple[Numbers, Numbers]:
    """How many hands of its row are below each, and how many above."""
    order = np.argsort(values, axis=-1, kind="stable")
    in_order = np.take_along_axis(values, order, axis=-1)
    size = values.shape[-1]
    steps = np.arange(size, dtype=np.int16)
    new = np.ones(in_order.shape, np.bool_)
    np.not_equal(in_order[..., 1:], in_order[..., :-1], out=new[..., 1:])
    first = np.maximum.accumulate(np.where(new, steps, 0), axis=-1)
    last_new = np.roll(new, -1, axis=-1)
    last = np.minimum.accumulate(np.where(last_new, steps, size)[..., ::-1], axis=-1)[..., ::-1]
    hands = (in_order != _NO_HAND).sum(axis=-1, keepdims=True, dtype=np.int16)
    below, above = np.empty_like(first), np.empty_like(first)
    np.put_along_axis(below, order, first, axis=-1)
    np.put_along_axis(above, order, hands - 1 - last, axis=-1)
    return below, above


# Turn and River


def later_bets(boards: Numbers) -> Numbers:
    """In how many of the orders Turn and River are bet, added up, once a hole card has a pair."""
    low, high = (_PAIRS >> 2).T
    ranks = (boards >> 2)[:, :, None]
    matching = ((ranks == low) | (ranks == high)).sum(axis=1)
    turn = np.array([ORDERS - 2 * comb(5 - found, 3) for found in range(6)])
    river = np.array([ORDERS - 4 * comb(5 - found, 4) for found in range(6)])
    bets: Numbers = np.where(low == high, 2 * ORDERS, (turn + river)[matching])
    return bets


def _chosen_bets(boards: Alike, table: Numbers, progress: Progress) -> Numbers:
    """What Turn and River win if each is bet just where that is better than to check."""
    won = np.zeros(len(_PAIRS), np.int64)
    flops, moved = alike(every(3)), moved_pairs()
    for number, (flop, ways) in enumerate(zip(flops.cards, flops.ways, strict=True)):
        rivers = by_turn(flop, boards.keys, table, moved)
        turn_bet, river_bets = rivers.sum(axis=0), np.maximum(rivers, 0).sum(axis=0)
        won += int(ways) * (np.maximum(turn_bet, 0) + river_bets)
        progress(_TABLE_PART + (1 - _TABLE_PART) * number / len(flops.cards))
    return won


def by_turn(flop: Numbers, keys: Numbers, table: Numbers, moved: Numbers) -> Numbers:
    """For each turn card and pair, how many more dealers it beats than beat it, over all rivers."""
    left = [card for card in range(52) if card not in flop]
    rest = np.array(list(combinations(range(49), 2)))
    cards = np.hstack([np.broadcast_to(flop, (len(rest), 3)), np.array(left)[rest]])
    masks = by_suit(cards)
    rows = np.searchsorted(keys, key(masks))
    codes = places(masks) @ np.array([64, 16, 4, 1])
    ahead = table[rows[:, None], moved[codes]]
    found = np.zeros((49, len(_PAIRS)), np.int64)
    for place in range(49):
        found[place] = ahead[(rest == place).any(axis=1)].sum(axis=0)
    return found


def moved_pairs() -> Numbers:
    """By the code of a change of suits: the number of the pair that each pair becomes."""
    number = np.zeros((52, 52), np.intp)
    low, high = _PAIRS.T
    number[low, high] = number[high, low] = np.arange(len(_PAIRS))
    moved = np.zeros((256, len(_PAIRS)), np.intp)
    for new in permutations(range(4)):
        becomes = np.array([(card >> 2) * 4 + new[card & 3] for card in range(52)])
        code = int(np.array(new) @ np.array([64, 16, 4, 1]))
        moved[code] = number[becomes[low], becomes[high]]
    return moved
