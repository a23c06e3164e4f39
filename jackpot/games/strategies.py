"""Simple known strategies of the main games: what a player decides who has seen only so many cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from jackpot.cards.cards import parse_all, rank_of, suit_of
from jackpot.cards.evaluator import strength
from jackpot.core.records import frozen


@frozen(kw_only=True)
class Strategy:
    words: str
    stays: Callable[[Sequence[int]], bool]
    """Whether a player with these own cards stays in; otherwise he folds."""
    later: Callable[[Sequence[int], Sequence[int]], tuple[bool, ...]]
    """By own and community cards, which further wagers he places once he is in, in their order."""


BETS_FROM = strength(parse_all(["Ac", "Kd", "Jh", "8s", "3c"]))
"""Casino Stud: BET with a pair or better, or with these odd cards or better."""


def bets_stud(cards: Sequence[int]) -> bool:
    return strength(cards) >= BETS_FROM


def folds_holdem(hole: Sequence[int]) -> bool:
    """A deuce with 3 to 7 of another suit; all else sees the flop."""
    low, high = sorted(hole)
    return rank_of(low) == 0 and 1 <= rank_of(high) <= 5 and suit_of(low) != suit_of(high)


class Later(NamedTuple):
    turn: bool
    river: bool


def later_bets(hole: Sequence[int], community: Sequence[int]) -> Later:
    """Turn and River are bet once a hole card has a pair: in the hand or among the cards seen until then."""
    return Later(turn=_paired(hole, community[:3]), river=_paired(hole, community[:4]))


def _paired(hole: Sequence[int], seen: Sequence[int]) -> bool:
    own = [rank_of(card) for card in hole]
    return own[0] == own[1] or any(rank_of(card) in own for card in seen)
