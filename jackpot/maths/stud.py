"""The main game of Casino Stud, every deal of it: what a player loses with a simple strategy. Needs NumPy
(the extra `math`).

Of the dealer's hands below a given strength those are wanted that share no card with the player's. Hands that
hold given cards are counted by their place in order; inclusion and exclusion over the player's five cards
leaves those that hold none of them. Suits are alike, so 134,459 hands stand for all 2,598,960.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from jackpot.cards import bulk
from jackpot.cards.evaluator import Hand
from jackpot.cards.suit_classes import Numbers, Progress, alike, every
from jackpot.games.paytables import STUD_BET
from jackpot.games.strategies import BETS_FROM
from jackpot.games.stud import QUALIFYING

DEALERS = comb(47, 5)
DEALS = comb(52, 5) * DEALERS
_STRENGTHS = 8192
"""More than there are."""
_BINOMIALS = np.array([[comb(card, place) for card in range(52)] for place in range(5)], np.uint32)


OUR_PAYS: Mapping[Hand, int] = {hand: odds.times for hand, odds in STUD_BET.items()}
"""To 1, on the BET."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """Over all deals, in Antes."""

    won: int
    """Below zero it is lost."""

    @property
    def edge(self) -> Fraction:
        """The part of an Ante that is lost, on average."""
        return Fraction(-self.won, DEALS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Meetings:
    """Every hand of the player, suits being alike, and the dealers that it meets."""

    strengths: bulk.Strengths
    ways: Numbers
    unqualified: Numbers
    """How many dealers do not qualify."""
    below: Numbers
    up_to: Numbers
    """How many are weaker, and how many weaker or equal."""

    def played(self, *, pays: Mapping[Hand, int] = OUR_PAYS, bets_from: int = BETS_FROM) -> Played:
        """With a BET from the given strength up; weaker hands fold."""
        # A hand that bets may itself not qualify; then no qualifying dealer is below it.
        beaten = np.maximum(self.below - self.unqualified, 0)
        losing = DEALERS - np.maximum(self.up_to, self.unqualified)
        times = np.array([pays[hand] for hand in bulk.HANDS])[bulk.hand_codes(self.strengths)]
        bet_wins = self.unqualified + beaten * (1 + 2 * times) - 3 * losing
        bets = self.strengths >= bets_from
        won = np.where(bets, bet_wins, -DEALERS)
        return Played(won=int(self.ways @ won))


def meetings(progress: Progress) -> Meetings:
    hands = every(5)
    kinds = alike(hands)
    player = np.sort(kinds.cards, axis=1)
    own = bulk.strengths(player, checked=False)
    limits = np.stack([np.full_like(own, QUALIFYING), own, own + 1]).astype(np.int64)
    unqualified, below, up_to = _dealers_below(player, limits, hands, progress)
    return Meetings(strengths=own, ways=kinds.ways, unqualified=unqualified, below=below, up_to=up_to)


def _dealers_below(player: Numbers, limits: Numbers, hands: Numbers, progress: Progress) -> Numbers:
    """For each row of limits and each of the player's hands: disjoint hands of a strength below the limit."""
    found = np.zeros_like(limits)
    strengths = bulk.strengths(hands, checked=False)
    for size in range(5):
        in_order = _in_order(size, hands, strengths)
        for held in combinations(range(5), size):
            found += (-1) ** size * _holding(player[:, list(held)], limits, in_order)
        progress((size + 1) / 5)
    own = limits[1]
    found -= own < limits
    return found


def _in_order(size: int, hands: Numbers, strengths: Numbers) -> Numbers:
    """Of every hand and every so many of its cards: these cards and, within them, the strength; rising."""
    chosen = list(combinations(range(5), size))
    together = np.empty((len(chosen), len(hands)), np.uint32)
    for row, held in zip(together, chosen, strict=True):
        row[:] = _number(hands[:, list(held)]) * np.uint32(_STRENGTHS) + strengths
    flat = together.ravel()
    flat.sort()
    return flat


def _number(cards: Numbers) -> Numbers:
    """A number for each set of cards, given in order: its place among all of that size."""
    found: Numbers = np.zeros(len(cards), np.uint32)
    for place, column in enumerate(cards.T, 1):
        found += _BINOMIALS[place].take(column)
    return found


def _holding(cards: Numbers, limits: Numbers, in_order: Numbers) -> Numbers:
    """How many hands that hold these cards are below each limit."""
    number = _number(cards) * np.uint32(_STRENGTHS)
    last = [_below(number + limit.astype(np.uint32), in_order) for limit in limits]
    found: Numbers = np.stack(last) - _below(number, in_order)
    return found


def _below(wanted: Numbers, in_order: Numbers) -> Numbers:
    """How many are smaller than each; looked for in order, which takes a third of the time."""
    order = np.argsort(wanted)
    found: Numbers = np.empty(len(wanted), np.int64)
    found[order] = np.searchsorted(in_order, wanted[order])
    return found
