"""Side bets on the first two cards of a box, and insurance, exact: every pair of cards of a fresh shoe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from jackpot.cards.cards import DECK, rank_of, suit_of

ACE, TEN = 12, 8
"""As `rank_of` numbers them."""
_RED = (1, 2)
"""Diamonds and hearts, as `suit_of` numbers them."""

Kind = Callable[[int, int], str | None]
"""What two cards are to a bet; None if it loses."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Paid:
    """A way to win a bet."""

    what: str
    pays: int
    """To 1."""
    chance: Fraction


@dataclass(frozen=True, kw_only=True, slots=True)
class SideBet:
    """A bet with all the ways to win it; whatever is left loses the stake."""

    name: str
    paid: tuple[Paid, ...]

    @property
    def edge(self) -> Fraction:
        """The part of the stake that is lost, on average."""
        return 1 - sum((way.chance * (way.pays + 1) for way in self.paid), Fraction(0))


def perfect_pairs(decks: int) -> SideBet:
    return _counted("perfect_pairs", decks, _kind_of_pair, {"suited": 25, "coloured": 12, "mixed": 6})


def rws_pairs(decks: int) -> SideBet:
    pays = {"suited aces": 50, "suited": 20, "coloured": 12, "mixed": 6}
    return _counted("rws_pairs", decks, _kind_with_aces, pays)


def player_pair(decks: int) -> SideBet:
    return _counted("player_pair", decks, _any_pair, {"pair": 11})


def under_13(decks: int) -> SideBet:
    return _counted(
        "under_13", decks, lambda one, two: "under" if _sum(one, two) < 13 else None, {"under": 1}
    )


def over_13(decks: int) -> SideBet:
    return _counted("over_13", decks, lambda one, two: "over" if _sum(one, two) > 13 else None, {"over": 1})


def insurance(decks: int) -> SideBet:
    """With an ace up: whoever insures has seen that ace and, as this bet is counted, nothing else."""
    ten = Fraction(16 * decks, 52 * decks - 1)
    return SideBet(name="insurance", paid=(Paid(what="blackjack", pays=2, chance=ten),))


def _counted(name: str, decks: int, kind: Kind, pays: Mapping[str, int]) -> SideBet:
    ways = dict.fromkeys(pays, 0)
    for one in DECK:
        for two in DECK:
            what = kind(one, two)
            if what is not None:
                ways[what] += decks * (decks - (one == two))
    deals = 52 * decks * (52 * decks - 1)
    paid = [Paid(what=what, pays=pays[what], chance=Fraction(ways[what], deals)) for what in pays]
    return SideBet(name=name, paid=tuple(paid))


def _any_pair(one: int, two: int) -> str | None:
    return "pair" if rank_of(one) == rank_of(two) else None


def _kind_of_pair(one: int, two: int) -> str | None:
    if rank_of(one) != rank_of(two):
        return None
    if one == two:
        return "suited"
    return "coloured" if (suit_of(one) in _RED) == (suit_of(two) in _RED) else "mixed"


def _kind_with_aces(one: int, two: int) -> str | None:
    return "suited aces" if one == two and rank_of(one) == ACE else _kind_of_pair(one, two)


def _sum(one: int, two: int) -> int:
    """Aces count 1 here, so a natural counts 11 (B 3.13.2)."""
    return _pips(one) + _pips(two)


def _pips(card: int) -> int:
    return 1 if rank_of(card) == ACE else min(rank_of(card) + 2, 10)
