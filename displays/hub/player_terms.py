"""What players are told of a link before they bet: its terms, each hand's chance, and what a bet returns."""

from __future__ import annotations

from functools import lru_cache
from math import lcm
from typing import Any, NamedTuple

from jackpot.cards.chances import five_cards
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND
from jackpot.core.money import PARTS_PER_MILLION
from jackpot.link.awards import Awards, levels_of
from jackpot.link.parameters import Parameters
from jackpot.maths.odds import Wager


class Return(NamedTuple):
    """The part of a bet that comes back on average at a displayed value: (fixed + of_value * value) / over,
    exactly."""

    fixed: int
    of_value: int
    over: int


def terms_told(terms: Parameters, *, next_seed: int | None, ceiling_hidden: bool) -> dict[str, Any]:
    awards = terms.awards
    return {
        "seed": terms.seed if next_seed is None else next_seed,
        "meter_ppm": terms.meter_ppm,
        "reserve_ppm": terms.reserve_ppm,
        "house_ppm": PARTS_PER_MILLION - terms.meter_ppm - terms.reserve_ppm,
        "ceiling": None if ceiling_hidden else terms.ceiling,
        "ceiling_hidden": ceiling_hidden,
        "top_up_to_seed": terms.top_up_to_seed,
        "policy": awards.policy.value,
        "window_ms": None if awards.window is None else awards.window // MILLISECOND,
        "deals": five_cards().deals,
        "return": return_of(terms)._asdict(),
    }


def ways(hand: Hand) -> int:
    """How many of all deals of five cards are this hand."""
    return five_cards().ways[hand]


def return_of(terms: Parameters) -> Return:
    """Tables are shown anew more often than pay tables change."""
    levels = tuple((hand, prize.share, prize.odds) for hand, prize in terms.awards.levels.items())
    return _return(levels, terms.progressive_bet)


@lru_cache(maxsize=1024)
def _return(levels: tuple[tuple[Hand, int | None, int | None], ...], bet: int) -> Return:
    awards = Awards(levels=levels_of(levels))
    wager = Wager(
        parameters=Parameters(seed=1, progressive_bet=bet, meter_ppm=0, reserve_ppm=0, awards=awards)
    )
    fixed, of_value = wager.minors_return, wager.pool_share / bet
    over = lcm(fixed.denominator, of_value.denominator)
    return Return(int(fixed * over), int(of_value * over), over)
