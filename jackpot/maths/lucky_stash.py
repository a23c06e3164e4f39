"""Lucky Stash, exact: how many markers a box of Free Bet Blackjack uses, by what its player does.

Markers hang on second cards alone. What is drawn beyond them goes by cards already seen, so the second cards
are as likely as any others of the shoe.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from jackpot.maths.side_bets import ACE, TEN, Paid, SideBet

LUCKY_STASH: Mapping[int, int] = {1: 2, 2: 10, 3: 25, 4: 50, 5: 100, 6: 200, 7: 1_000}
"""By the markers used, to 1 (F 3.27)."""
_MOST_HANDS = 4
_FREE_DOUBLES = range(9, 12)
"""Hard totals of two cards (F 3.23.1)."""
_RANKS = range(13)

Markers = Mapping[int, Fraction]
"""The chances of so many markers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """What is left to a player who takes every other marker."""

    words: str
    splits_fives: bool
    """Else they are doubled."""
    splits_tens: bool
    """Pip tens: a picture card is never split for free (F 1.13)."""


POLICIES = (
    Policy(words="5-5 split, pip tens split", splits_fives=True, splits_tens=True),
    Policy(words="5-5 split, tens not", splits_fives=True, splits_tens=False),
    Policy(words="5-5 doubled, tens not", splits_fives=False, splits_tens=False),
)
"""From the most markers to the basic strategy of the main game."""


@dataclass(frozen=True, slots=True)
class _Open:
    """Hands of a split box that wait for their second card."""

    waiting: int
    hands: int
    """Of the box, the finished ones too."""
    alike: int
    """Cards left in the shoe that make a pair with the waiting card."""
    doubling: int
    """Cards left that make a hard 9, 10 or 11 with it, and no pair."""
    pair_doubles: bool
    """Whether the pair itself does: 5-5, once the box has four hands."""
    left: int
    """Cards in the shoe."""


def markers(decks: int, policy: Policy) -> Markers:
    """The chances of 0 to 7 markers."""
    shoe = 52 * decks
    parts = (
        (
            Fraction(4 * decks * (4 * decks - (one == two)), shoe * (shoe - 1)),
            _of_two(one, two, decks, policy),
        )
        for one, two in product(_RANKS, _RANKS)
    )
    found = _mixed(parts)
    return {many: found.get(many, Fraction(0)) for many in range(8)}


def lucky_stash(decks: int, policy: Policy) -> SideBet:
    chances = markers(decks, policy)
    paid = [
        Paid(what=f"{many} marker{'s' * (many > 1)}", pays=pays, chance=chances[many])
        for many, pays in LUCKY_STASH.items()
    ]
    return SideBet(name="lucky_stash", paid=tuple(paid))


def _of_two(one: int, two: int, decks: int, policy: Policy) -> Markers:
    if one == two and _splits(one, policy):
        return _shifted(_of_split(one, decks))
    return {int(_doubles(one, two)): Fraction(1)}


def _splits(rank: int, policy: Policy) -> bool:
    if rank > TEN and rank != ACE:
        return False
    return {TEN: policy.splits_tens, _rank(5): policy.splits_fives}.get(rank, True)


def _of_split(rank: int, decks: int) -> Markers:
    if rank == ACE:
        return {0: Fraction(1)}  # one card each, nothing more (F 3.22.2)
    doubling = sum(_doubles(rank, other) for other in _RANKS if other != rank)
    return _played(
        _Open(
            waiting=2,
            hands=2,
            alike=4 * decks - 2,
            doubling=4 * decks * doubling,
            pair_doubles=_doubles(rank, rank),
            left=52 * decks - 2,
        )
    )


@cache
def _played(box: _Open) -> Markers:
    """The markers that the waiting hands still come to."""
    if not box.waiting:
        return {0: Fraction(1)}
    other = box.left - box.alike - box.doubling
    after = (
        (box.alike, _after_pair(box)),
        (box.doubling, _shifted(_played(_one_less(box, doubling=1))) if box.doubling else {}),
        (other, _played(_one_less(box))),
    )
    return _mixed((Fraction(ways, box.left), found) for ways, found in after if ways)


def _after_pair(box: _Open) -> Markers:
    if not box.alike:
        return {}
    if box.hands == _MOST_HANDS:
        rest = _played(_one_less(box, alike=1))
        return _shifted(rest) if box.pair_doubles else rest
    again = _one_less(box, alike=1)
    return _shifted(_played(_more_hands(again)))


def _one_less(box: _Open, *, alike: int = 0, doubling: int = 0) -> _Open:
    return _Open(
        waiting=box.waiting - 1,
        hands=box.hands,
        alike=box.alike - alike,
        doubling=box.doubling - doubling,
        pair_doubles=box.pair_doubles,
        left=box.left - 1,
    )


def _more_hands(box: _Open) -> _Open:
    """The hand that was split again waits as before, and so does the one that came of it."""
    return _Open(
        waiting=box.waiting + 2,
        hands=box.hands + 1,
        alike=box.alike,
        doubling=box.doubling,
        pair_doubles=box.pair_doubles,
        left=box.left,
    )


def _mixed(parts: Iterable[tuple[Fraction, Markers]]) -> Markers:
    found: dict[int, Fraction] = {}
    for chance, each in parts:
        for many, part in each.items():
            found[many] = found.get(many, Fraction(0)) + chance * part
    return found


def _shifted(chances: Markers) -> Markers:
    """With one marker more."""
    return {many + 1: part for many, part in chances.items()}


def _doubles(one: int, two: int) -> bool:
    if ACE in (one, two):
        return False  # an ace makes it soft
    return _value(one) + _value(two) in _FREE_DOUBLES


def _value(rank: int) -> int:
    return min(rank + 2, 10)


def _rank(value: int) -> int:
    return value - 2
