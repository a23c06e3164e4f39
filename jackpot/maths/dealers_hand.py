"""The dealer's finished hand, exact, and Boom Busted, which bets on the number of cards in it.

The dealer's cards are as likely as any others of the shoe however players draw: they stop by cards that they
have seen. So the dealer may be counted alone. In how many orders given cards can come, none of which ends the
hand before the last, depends on no number of decks; how often the shoe has these cards does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import perm

from jackpot.maths.side_bets import Paid, SideBet

Held = tuple[int, ...]
"""How many of each value: aces, twos, up to tens."""
_NONE: Held = (0,) * 10
_VALUES = range(1, 11)

BLACKJACK = "blackjack"
TWENTY_TWO = "22"
BUST = "bust"
ENDS = ("17", "18", "19", "20", "21", BLACKJACK, TWENTY_TWO, BUST)
"""A bust with 22 is told apart: Free Bet Blackjack does not count it as one (F 1.4)."""
BOOM_BUSTED: Mapping[str, tuple[range, int]] = {
    "3 or 4 cards": (range(3, 5), 2),
    "5 cards": (range(5, 6), 4),
    "6 cards": (range(6, 7), 12),
    "7 cards": (range(7, 8), 50),
    "8 or more cards": (range(8, 100), 200),
}
"""The number of cards of a dealer who is bust, and what it pays to 1 (F 3.26)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """How the dealer's hand ends, and with how many cards."""

    chances: Mapping[tuple[str, int], Fraction]

    def chance(self, *ends: str, cards: range = range(2, 100)) -> Fraction:
        found = (part for (end, many), part in self.chances.items() if end in ends and many in cards)
        return sum(found, Fraction(0))


def finished(decks: int, *, draws_to_soft_17: bool) -> Finished:
    shoe = (4 * decks,) * 9 + (16 * decks,)
    ways: Counter[tuple[str, int]] = Counter()
    for held, orders in _orders(draws_to_soft_17).items():
        ways[_end(held), sum(held)] += orders * _ways(shoe, held)
    deals = {many: perm(52 * decks, many) for _, many in ways}
    return Finished(chances={end: Fraction(count, deals[end[1]]) for end, count in ways.items() if count})


def boom_busted(hand: Finished, *, on_22: bool = False) -> SideBet:
    """`on_22`: as if a dealer with 22 were bust, which the rules deny."""
    ends = (BUST, TWENTY_TWO) if on_22 else (BUST,)
    paid = [
        Paid(what=what, pays=pays, chance=hand.chance(*ends, cards=cards))
        for what, (cards, pays) in BOOM_BUSTED.items()
    ]
    return SideBet(name="boom_busted", paid=tuple(paid))


def _ways(shoe: Held, held: Held) -> int:
    """In how many ways these values can be these cards of the shoe."""
    ways = 1
    for have, many in zip(shoe, held, strict=True):
        ways *= perm(have, many)
    return ways


@cache
def _orders(draws_to_soft_17: bool) -> dict[Held, int]:  # noqa: FBT001  a cache wants it by place
    """For every finished hand, in how many orders its values can come without ending the hand before."""
    ended: Counter[Held] = Counter()
    drawing: Counter[Held] = Counter({_NONE: 1})
    while drawing:
        longer: Counter[Held] = Counter()
        for held, orders in drawing.items():
            for more in _one_more(held):
                (longer if _draws(more, draws_to_soft_17) else ended)[more] += orders
        drawing = longer
    return dict(ended)


def _one_more(held: Held) -> Iterator[Held]:
    for place in range(10):
        yield (*held[:place], held[place] + 1, *held[place + 1 :])


def _draws(held: Held, draws_to_soft_17: bool) -> bool:  # noqa: FBT001
    total, soft = _total(held)
    return total < 17 or (draws_to_soft_17 and soft and total == 17)


def _end(held: Held) -> str:
    total, _ = _total(held)
    if total == 21 and sum(held) == 2:
        return BLACKJACK
    return BUST if total > 22 else str(total)


def _total(held: Held) -> tuple[int, bool]:
    total = sum(value * many for value, many in zip(_VALUES, held, strict=True))
    soft = held[0] > 0 and total <= 11
    return (total + 10 if soft else total), soft
