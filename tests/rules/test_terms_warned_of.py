"""What a cap of a round costs, and the terms that are possible and yet warned of."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from jackpot.cards.chances import Chances
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.games.progressive import RULE_BOOK_LEVELS, Prize
from jackpot.link.awards import RULE_BOOK, Awards, window_warning
from jackpot.link.clocks import CLOCK_ERROR, COUNTS_FOR, LOOSENS_PPM
from jackpot.link.parameters import Parameters
from jackpot.maths.caps import awards_of_a_box, cap_cost, cap_costs, cap_warning
from jackpot.maths.odds import Wager
from jackpot.maths.warnings import warnings

FIVE_DOLLARS = Parameters(seed=50_000_00, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)
FEW_HANDS = Chances(
    12, dict.fromkeys(Hand, 0) | {Hand.FULL_HOUSE: 1, Hand.FLUSH: 2, Hand.STRAIGHT: 3, Hand.ONE_PAIR: 6}
)
"""So few deals that every round of three boxes can be counted."""


def capped(cap: int | None, **more: Any) -> Wager:
    awards = replace(RULE_BOOK, cap=cap)
    return Wager(parameters=replace(FIVE_DOLLARS, awards=awards), **more)


def counted(wager: Wager, boxes: int) -> Fraction:
    """The same by going through every round there can be, each as the rules pay it."""
    awards, bet = wager.parameters.awards, wager.parameters.progressive_bet
    deals = [hand for hand, ways in wager.chances.ways.items() for _ in range(ways)]
    lost = 0
    for round_of_hands in product(deals, repeat=boxes):
        whole = {box: awards.minor_award(hand, bet) for box, hand in enumerate(round_of_hands)}
        together = sum(whole.values())
        lost += together - min(together, awards.cap or together)
    return Fraction(lost, len(deals) ** boxes * boxes)


@pytest.mark.parametrize("boxes", [1, 2, 3])
@pytest.mark.parametrize("cap", [1, 10_000, 15_001, 40_000, 79_999, 119_999, 120_000])
def test_what_a_cap_costs_is_what_counting_every_round_gives(cap: int, boxes: int) -> None:
    wager = capped(cap, chances=FEW_HANDS)
    assert cap_cost(wager, boxes) == counted(wager, boxes)


def test_a_cap_of_one_box_costs_what_its_hands_lose_to_it() -> None:
    """Four of a kind wins SGD 2,000.00 on five dollars: a cap of half of it takes half of it."""
    quads = Fraction(624, 2_598_960)
    assert cap_cost(capped(100_000), 1) == quads * 100_000


def test_no_cap_and_one_that_no_round_reaches_cost_nothing() -> None:
    assert cap_cost(capped(None), 7) == 0
    assert cap_cost(capped(7 * 400 * 500), 7) == 0
    assert 0 < cap_cost(capped(7 * 400 * 500 - 1), 7) < Fraction(1, 10**20)


def test_every_case_of_a_box_is_counted_once() -> None:
    weights = awards_of_a_box(capped(1))
    assert sum(weights.values()) == 2_598_960
    assert weights[400 * 500] == 624
    assert set(weights) == {0, 10_000, 20_000, 40_000, 200_000}, "majors are no fixed awards"


def test_the_more_boxes_a_table_has_the_more_a_bet_loses_to_the_cap() -> None:
    costs = list(cap_costs(capped(200_000), [7, 5, 6, 5]).items())
    assert [boxes for boxes, _ in costs] == [5, 6, 7]
    assert costs == sorted(costs, key=lambda one: one[1])
    assert len({cost for _, cost in costs}) == 3


def test_a_cap_is_told_with_its_price() -> None:
    warning = cap_warning(capped(200_000), [7, 7], "SGD")
    price = float(cap_cost(capped(200_000), 7))
    assert warning == (
        "the cap of SGD 2,000.00 a round costs a bet on average"
        f" SGD {price / 100:.6f} at a full table of 7 boxes"
    )


def test_a_cap_at_tables_of_different_sizes_is_told_as_odds_that_are_not_equal() -> None:
    wager = capped(200_000)
    warning = cap_warning(wager, [7, 5, 1], "SGD")
    assert warning is not None
    five, seven = (float(cap_cost(wager, boxes)) for boxes in (5, 7))
    assert "costs a bet on average nothing at a full table of 1 box and" in warning
    assert f"SGD {five / 100:.6f} at a full table of 5 boxes and SGD {seven / 100:.6f}" in warning
    assert warning.endswith(f"the odds there are not equal, by SGD {seven / 100:.6f} a bet")


def test_a_cap_that_hardly_costs_anything_is_told_as_such() -> None:
    little, next_to_nothing = (cap_warning(capped(cap), [5], "SGD") for cap in (400_000, 800_000))
    assert little is not None
    assert "SGD 0.00000053" in little
    assert next_to_nothing is not None
    assert "less than SGD 0.00000001" in next_to_nothing


@pytest.mark.parametrize(("cap", "boxes"), [(None, [5, 7]), (2_000_000, [5, 7]), (1, [])])
def test_a_cap_that_takes_nothing_is_not_warned_of(cap: int | None, boxes: list[int]) -> None:
    assert cap_warning(capped(cap), boxes, "SGD") is None


# Windows


def test_the_error_of_clocks_is_what_a_bound_loosens_by_before_it_no_longer_counts() -> None:
    assert CLOCK_ERROR == 90 * MILLISECOND == COUNTS_FOR // SECOND * LOOSENS_PPM


@pytest.mark.parametrize("window", [0, 1, 50 * MILLISECOND, CLOCK_ERROR - 1])
def test_a_window_below_the_error_of_clocks_is_warned_of(window: int) -> None:
    warning = window_warning(Awards(window=window))
    assert warning is not None
    assert warning.startswith(f"the window of {window // MILLISECOND} ms is below the error of clocks, 90 ms")
    assert warning.endswith("overlap anyway")


@pytest.mark.parametrize("window", [None, CLOCK_ERROR, SECOND])
def test_no_window_and_a_wider_one_are_not_warned_of(window: int | None) -> None:
    assert window_warning(Awards(window=window)) is None


# All of them


def test_the_rule_book_is_not_warned_of() -> None:
    assert warnings(FIVE_DOLLARS, [5, 7], "SGD") == []


def test_everything_there_is_to_say_is_said() -> None:
    levels = {**RULE_BOOK_LEVELS, Hand.ONE_PAIR: Prize(odds=2)}
    awards = Awards(levels=levels, window=0, cap=100_000)
    told = warnings(replace(FIVE_DOLLARS, awards=awards), [7], "SGD")
    assert [one[: one.index(" ", 4)] for one in told] == ["in the", "the window", "the cap"]
