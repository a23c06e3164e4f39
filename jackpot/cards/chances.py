"""How often each hand comes, exactly, by counting deals: of five cards, and of the best five of seven.

Hole cards plus flop are five cards of one shuffled deck like any other five, so Hold'em under H 4.2.1 has
the chances of Stud. The best five of seven are something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod

from jackpot.cards.evaluator import MIXED, STRAIGHTS, SUITED, Hand, hand_of
from jackpot.core.records import frozen


class MadeOf(StrEnum):
    """The cards of which a Progressive Jackpot Hand is made."""

    FIVE_CARDS = "five_cards"
    BEST_OF_SEVEN = "best_of_seven"


@frozen()
class Chances:
    deals: int
    ways: Mapping[Hand, int]

    def of(self, hand: Hand) -> Fraction:
        return Fraction(self.ways[hand], self.deals)

    def one_in(self, hand: Hand) -> Fraction:
        return 1 / self.of(hand)


def chances(made_of: MadeOf) -> Chances:
    """
    >>> chances(MadeOf.FIVE_CARDS).one_in(Hand.ROYAL_FLUSH)
    Fraction(649740, 1)
    """
    return five_cards() if made_of is MadeOf.FIVE_CARDS else best_of_seven()


_CHOICES_OF_SUITS = tuple(comb(4, count) for count in range(5))
"""For so many cards of one rank. Every start of the service counts five cards: looked up, not worked out."""


@cache
def five_cards() -> Chances:
    ways: Counter[Hand] = Counter()
    for key, number in MIXED.items():
        of_any_suits = prod([_CHOICES_OF_SUITS[key >> 3 * rank & 7] for rank in range(13)])
        of_one_suit = 4 if of_any_suits == 4**5 else 0
        ways[hand_of(number)] += of_any_suits - of_one_suit
    for number in SUITED.values():
        ways[hand_of(number)] += 4
    return Chances(comb(52, 5), ways)


@cache
def best_of_seven() -> Chances:
    """Five of a suit leave two cards, too few for a full house or four of a kind: flushes count apart."""
    ways: Counter[Hand] = Counter()
    for ranks in combinations_with_replacement(range(13), 7):
        held = Counter(ranks)
        if max(held.values()) <= 4:
            ways[_without_flush(held)] += _deals_without_flush(tuple(sorted(held.values())))
    for count in (5, 6, 7):
        for suited in combinations(range(13), count):
            ways[_of_a_suit(frozenset(suited))] += 4 * comb(39, 7 - count)
    return Chances(comb(52, 7), ways)


_STRAIGHT_SETS = tuple(frozenset(ranks) for ranks in STRAIGHTS)


def _without_flush(held: Counter[int]) -> Hand:
    most, second = sorted([*held.values(), 0], reverse=True)[:2]
    if most == 4:
        return Hand.FOUR_OF_A_KIND
    if most == 3 and second > 1:
        return Hand.FULL_HOUSE
    if any(straight <= held.keys() for straight in _STRAIGHT_SETS):
        return Hand.STRAIGHT
    if most == 3:
        return Hand.THREE_OF_A_KIND
    if most == 2:
        return Hand.TWO_PAIRS if second == 2 else Hand.ONE_PAIR
    return Hand.FIVE_ODD_CARDS


def _of_a_suit(ranks: frozenset[int]) -> Hand:
    if _STRAIGHT_SETS[-1] <= ranks:
        return Hand.ROYAL_FLUSH
    return Hand.STRAIGHT_FLUSH if any(straight <= ranks for straight in _STRAIGHT_SETS) else Hand.FLUSH


@cache
def _deals_without_flush(held: tuple[int, ...]) -> int:
    """The suits that so many cards of each rank can have, without five cards of one suit."""
    of_a_suit = [1]
    """How many choices of suits put 0, 1, 2 ... cards into a given suit."""
    for count in held:
        outside, inside = comb(3, count), comb(3, count - 1)
        padded = [0, *of_a_suit, 0]
        of_a_suit = [outside * same + inside * fewer for fewer, same in pairwise(padded)]
    return prod(comb(4, count) for count in held) - 4 * sum(of_a_suit[5:])
