"""What five cards are worth (3.1.1 to 3.1.3): the strength of a hand among all 7,462, and its name.

A hand is looked up card by card: `table[a][b][c][d][e]`. The tuple reached after some cards stands for
all hands that the remaining cards complete alike: for the ranks so far and, while every card so far is
of one suit, for that suit. So 6,735 tuples serve 311,875,200 deals, and stay in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations, combinations_with_replacement
from typing import Any, NoReturn

from jackpot.cards.cards import CARD_OF, DECK, NAMES, parse_all
from jackpot.core.refusals import CardRepeated, CardUnknown, WrongNumberOfCards


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


_Ranks = tuple[int, ...]
_RANKS = range(13)
_WHEEL = (12, 3, 2, 1, 0)
STRAIGHTS = (_WHEEL, *(tuple(range(high, high - 5, -1)) for high in range(4, 13)))


def _kickers(count: int, *others: int) -> list[_Ranks]:
    """Side cards of ranks that differ from these and from each other, the weakest first."""
    left = [rank for rank in reversed(_RANKS) if rank not in others]
    return sorted(combinations(left, count))


def _classes() -> Iterator[tuple[Hand, _Ranks]]:
    """Every class of hands from the weakest to the royal flush, with its ranks."""
    odd = [ranks for ranks in _kickers(5) if ranks not in STRAIGHTS]
    yield from ((Hand.FIVE_ODD_CARDS, ranks) for ranks in odd)
    yield from ((Hand.ONE_PAIR, (r, r, *side)) for r in _RANKS for side in _kickers(3, r))
    yield from (
        (Hand.TWO_PAIRS, (r, r, s, s, *side)) for r in _RANKS for s in range(r) for side in _kickers(1, r, s)
    )
    yield from ((Hand.THREE_OF_A_KIND, (r, r, r, *side)) for r in _RANKS for side in _kickers(2, r))
    yield from ((Hand.STRAIGHT, ranks) for ranks in STRAIGHTS)
    yield from ((Hand.FLUSH, ranks) for ranks in odd)
    yield from ((Hand.FULL_HOUSE, (r, r, r, s, s)) for r in _RANKS for (s,) in _kickers(1, r))
    yield from ((Hand.FOUR_OF_A_KIND, (r, r, r, r, s)) for r in _RANKS for (s,) in _kickers(1, r))
    yield from ((Hand.STRAIGHT_FLUSH, ranks) for ranks in STRAIGHTS[:-1])
    yield Hand.ROYAL_FLUSH, STRAIGHTS[-1]


_ONE_SUIT = frozenset({Hand.FLUSH, Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH})
_UNITS = tuple(8**rank for rank in _RANKS)
"""Ranks are counted in three bits each: the sum of the units of some cards names their ranks."""


def rank_key(ranks: Sequence[int]) -> int:
    return sum([_UNITS[rank] for rank in ranks])


def _numbered() -> tuple[tuple[Hand, ...], dict[int, int], dict[int, int]]:
    named: list[Hand] = []
    mixed: dict[int, int] = {}
    suited: dict[int, int] = {}
    for number, (hand, ranks) in enumerate(_classes(), 1):
        named.append(hand)
        (suited if hand in _ONE_SUIT else mixed)[rank_key(ranks)] = number
    return tuple(named), mixed, suited


_HANDS, MIXED, SUITED = _numbered()
"""The names by strength; the strength by the key of the ranks, of several suits and of one suit."""
CLASSES = len(_HANDS)
_REPEATS_ABOVE = _HANDS.index(Hand.ONE_PAIR)
"""No hand up to this strength holds a rank twice, so none of them can hold a card twice."""
_Mixed = dict[int, Any]
_Suited = dict[int, Sequence[Any]]


def _before(size: int, mixed: _Mixed, suited: _Suited) -> tuple[_Mixed, _Suited]:
    """The tuples for so many cards, from those (or the strengths) for one card more."""
    rows: _Mixed = {}
    for ranks in combinations_with_replacement(_RANKS, size):
        key = rank_key(ranks)
        after = [mixed[key + unit] for unit in _UNITS]
        rows[key] = tuple([node for node in after for _suit in range(4)])
    of_suit: _Suited = {}
    for ranks in combinations(_RANKS, size):
        key = rank_key(ranks)
        of_suit[key] = [_suited_row(key, suit, rows[key], suited) for suit in range(4)]
    return rows, of_suit


def _suited_row(key: int, suit: int, row: tuple[Any, ...], suited: _Suited) -> tuple[Any, ...]:
    changed = list(row)
    for rank, unit in enumerate(_UNITS):
        if key + unit in suited:
            changed[4 * rank + suit] = suited[key + unit][suit]
    return tuple(changed)


_Row = tuple[int, ...]
_Table = tuple[tuple[tuple[tuple[_Row, ...], ...], ...], ...]


def _table() -> _Table:
    # Five of one rank hold a card twice: any strength will do at which that is looked for.
    five_of_a_rank = {5 * unit: CLASSES for unit in _UNITS}
    mixed: _Mixed = MIXED | five_of_a_rank
    suited: _Suited = {key: [number] * 4 for key, number in SUITED.items()}
    for size in (4, 3, 2, 1):
        mixed, suited = _before(size, mixed, suited)
    return tuple([node for unit in _UNITS for node in suited[unit]])


_TABLE = _table()


def strength_of(a: int, b: int, c: int, d: int, e: int) -> int:
    """The strength of five cards that are known to be different cards: nothing is checked."""
    return _TABLE[a][b][c][d][e]


def strength(cards: Sequence[int]) -> int:
    """1 for the weakest of the 7,462 classes of five different cards, 7,462 for a royal flush."""
    try:
        a, b, c, d, e = cards
        found = _TABLE[a][b][c][d][e]
    except (IndexError, TypeError, ValueError):
        _refuse(cards, 5)
    # Spelled out because loops and sets cost more than the look-up itself.
    if found > _REPEATS_ABOVE and (
        a == b or a == c or a == d or a == e or b == c or b == d or b == e or c == d or c == e or d == e
    ):
        _refuse(cards, 5)
    if a < 0 or b < 0 or c < 0 or d < 0 or e < 0:
        _refuse(cards, 5)
    return found


def strength_of_names(names: Sequence[str]) -> int:
    """
    >>> strength_of_names(["Ah", "Kh", "QH", "jh", "10h"])
    7462
    """
    try:
        first, second, third, fourth, fifth = names
        a, b, c, d, e = CARD_OF[first], CARD_OF[second], CARD_OF[third], CARD_OF[fourth], CARD_OF[fifth]
    except (KeyError, TypeError, ValueError):
        _refuse(parse_all(names), 5)
    found = _TABLE[a][b][c][d][e]
    if found > _REPEATS_ABOVE and (
        a == b or a == c or a == d or a == e or b == c or b == d or b == e or c == d or c == e or d == e
    ):
        _refuse((a, b, c, d, e), 5)
    return found


def hand_of(strength: int) -> Hand:
    """
    >>> hand_of(7462)
    <Hand.ROYAL_FLUSH: 'royal_flush'>
    """
    if not 1 <= strength <= CLASSES:
        raise ValueError(f"strengths are from 1 to {CLASSES}, not {strength}")
    return _HANDS[strength - 1]


class Board:
    """Five cards that all hands of a table share (H 1.7): the ways through the table that begin with them are
    found once, so that the best five of each further two cards cost a third of looking up all 21 hands."""

    __slots__ = ("_five", "_fours", "_shared", "_threes")

    def __init__(self, cards: Sequence[int]) -> None:
        if len(cards) != 5 or len(set(cards)) != 5 or not _KNOWN.issuperset(cards):
            _refuse(cards, 5)
        a, b, c, d, e = self._shared = tuple(cards)
        of_a, of_b = _TABLE[a], _TABLE[b]
        ab, ac, bc = of_a[b], of_a[c], of_b[c]
        abc, abd, acd, bcd = ab[c], ab[d], ac[d], bc[d]
        self._threes = (abc, abd, ab[e], acd, ac[e], of_a[d][e], bcd, bc[e], of_b[d][e], _TABLE[c][d][e])
        self._fours = (abc[d], abc[e], abd[e], acd[e], bcd[e])
        self._five = abc[d][e]

    def best_with(self, own: Sequence[int]) -> int:
        """The strength of the best five of these five cards and two more (H 1.10)."""
        seven = (*self._shared, *own)
        if len(seven) != 7 or len(set(seven)) != 7 or not _KNOWN.issuperset(own):
            _refuse(seven, 7)
        x, y = own
        abc, abd, abe, acd, ace, ade, bcd, bce, bde, cde = self._threes
        abcd, abce, abde, acde, bcde = self._fours
        with_a = max(abc[x][y], abd[x][y], abe[x][y], acd[x][y], ace[x][y], ade[x][y])
        without_a = max(bcd[x][y], bce[x][y], bde[x][y], cde[x][y])
        with_x = max(abcd[x], abce[x], abde[x], acde[x], bcde[x])
        with_y = max(abcd[y], abce[y], abde[y], acde[y], bcde[y])
        return max(self._five, with_a, without_a, with_x, with_y)


def best_of_seven(cards: Sequence[int]) -> int:
    """The strength of the best five of seven cards (H 1.10)."""
    if len(cards) != 7 or len(set(cards)) != 7:
        _refuse(cards, 7)
    return Board(cards[:5]).best_with(cards[5:])


_KNOWN = frozenset(DECK)


def _refuse(cards: Sequence[int], expected: int) -> NoReturn:
    """Say what is wrong with cards of which something is known to be wrong."""
    if len(cards) != expected:
        raise WrongNumberOfCards(f"a hand is {expected} cards, not {len(cards)}", field="cards")
    for card in cards:
        if card not in DECK:
            raise CardUnknown(f"{card!r:.20} is not one of the 52 cards", field="cards", card=card)
    name = next(NAMES[card] for place, card in enumerate(cards) if card in cards[:place])
    raise CardRepeated(f"{name} is in this hand twice", field="cards", card=name)
