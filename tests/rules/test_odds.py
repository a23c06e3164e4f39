"""The mathematics of the jackpot: against closed forms, against counting, and against simulation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isqrt

import numpy as np
import pytest

from jackpot.cards.chances import MadeOf, _deals_without_flush, best_of_seven, chances, five_cards
from jackpot.cards.evaluator import Hand
from jackpot.core.refusals import UnequalOdds
from jackpot.games import GAMES
from jackpot.games.progressive import RULE_BOOK_LEVELS, Prize
from jackpot.games.rulebook import Game
from jackpot.link.awards import Awards
from jackpot.link.parameters import Parameters
from jackpot.maths.forecast import forecast, quantiles, settled_meter
from jackpot.maths.odds import Pace, Wager, check_equal_odds, house_warning
from tests.rules.test_evaluator import COUNTS

HOUSE_FLOOR = Parameters(seed=50_000_00, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)
DOLLAR = Parameters(seed=10_000_00, progressive_bet=100, meter_ppm=700_000, reserve_ppm=0)
"""A bet of $1, of which $0.70 raises the meter, and a seed of $10,000."""


def dollars(cents: Fraction | int) -> int:
    return round(Fraction(cents) / 100)


def paying(quads: int, full_house: int, flush: int) -> Wager:
    minors = {Hand.FOUR_OF_A_KIND: quads, Hand.FULL_HOUSE: full_house, Hand.FLUSH: flush}
    majors = {hand: prize for hand, prize in RULE_BOOK_LEVELS.items() if prize.share is not None}
    levels = majors | {hand: Prize(odds=times) for hand, times in minors.items()}
    return Wager(parameters=replace(DOLLAR, awards=Awards(levels=levels)))


# Chances


def test_five_cards_are_counted_exactly() -> None:
    assert {hand.value: ways for hand, ways in five_cards().ways.items()} == COUNTS
    assert five_cards().deals == sum(COUNTS.values()) == 2_598_960
    assert sum(five_cards().of(hand) for hand in Hand) == 1


def test_the_best_of_seven_is_counted_exactly() -> None:
    best_of_seven.cache_clear()  # it may have been counted where coverage does not look
    _deals_without_flush.cache_clear()
    counted = [best_of_seven().ways[hand] for hand in reversed(Hand)]
    assert counted[:5] == [4_324, 37_260, 224_848, 3_473_184, 4_047_644]
    assert counted[5:] == [6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460]
    assert sum(counted) == best_of_seven().deals == 133_784_560


def test_a_royal_flush_is_twenty_one_times_as_frequent_among_seven_cards() -> None:
    assert chances(MadeOf.FIVE_CARDS).one_in(Hand.ROYAL_FLUSH) == 649_740
    assert chances(MadeOf.BEST_OF_SEVEN).one_in(Hand.ROYAL_FLUSH) == 30_940


# One bet


def test_the_minors_of_the_rules_return_36_84_percent() -> None:
    returned = Wager(parameters=HOUSE_FLOOR).minors_return
    assert returned == Fraction(400 * 624 + 80 * 3744 + 40 * 5108 + 20 * 10200, 2_598_960)
    assert f"{float(returned):.4f}" == "0.3684"


def test_break_even_meters_of_known_pay_tables() -> None:
    assert dollars(paying(100, 75, 50).break_even) == 263_205
    assert dollars(paying(150, 100, 50).break_even) == 246_784


def test_at_break_even_the_edge_is_exactly_nothing() -> None:
    wager = Wager(parameters=HOUSE_FLOOR)
    assert wager.edge_at(wager.break_even) == 0
    assert wager.edge_at(wager.break_even + 1) < 0 < wager.edge_at(wager.break_even - 1)
    assert wager.return_at(0) == wager.minors_return


# The meter in the long run


def test_mean_and_deviation_of_the_known_example() -> None:
    wager = Wager(parameters=DOLLAR)
    assert dollars(wager.mean_meter) == 244_641
    assert dollars(wager.meter_deviation) == 149_344


def test_the_closed_forms_as_they_are_written() -> None:
    wager = Wager(parameters=DOLLAR)
    p, q = Fraction(4, 2_598_960), Fraction(36, 2_598_960)
    c, seed = Fraction(7, 10), 10_000
    mean = (c + p * seed) / (p + q / 10)
    second = (2 * c * mean + p * seed**2) / (p + Fraction(19, 100) * q)
    assert wager.mean_meter == 100 * mean
    # The written form leaves out the square of one contribution, which makes 39 cents here.
    assert abs(isqrt(int((second - mean**2) * 100**2)) - wager.meter_deviation) <= 40


@pytest.mark.parametrize("parameters", [DOLLAR, HOUSE_FLOOR])
def test_one_more_bet_leaves_mean_and_mean_square_as_they_are(parameters: Parameters) -> None:
    wager = Wager(parameters=parameters)
    p, q = wager.chances.of(Hand.ROYAL_FLUSH), wager.chances.of(Hand.STRAIGHT_FLUSH)
    c, seed, left = wager.contribution, parameters.seed, Fraction(9, 10)
    mean, square = wager.mean_meter, wager.meter_variance + wager.mean_meter**2
    kept = (1 - p - q) * mean + p * seed + q * left * mean
    kept_square = (1 - p - q) * square + p * seed**2 + q * left**2 * square
    assert kept + c == mean
    assert kept_square + 2 * c * kept + c**2 == square


def test_majors_come_on_average_every_so_many_bets_rounds_and_days() -> None:
    wager = Wager(parameters=HOUSE_FLOOR)
    assert wager.bets_between(Hand.ROYAL_FLUSH) == 649_740
    assert wager.bets_between() == 64_974
    pace = Pace(
        tables=5, bets_per_round=Fraction(4), rounds_per_hour=Fraction(40), hours_per_day=Fraction(20)
    )
    assert pace.bets_per_day == 16_000
    assert pace.rounds_for(wager.bets_between()) == Fraction(64_974, 4)
    assert pace.days_for(wager.bets_between()) == Fraction(64_974, 16_000)


# The house in the long run


def test_house_and_players_share_every_bet_without_rest() -> None:
    wager = Wager(parameters=HOUSE_FLOOR)
    assert wager.house_share == wager.edge_at(wager.mean_meter)
    assert wager.seed_cost == Fraction(50_000_00, 649_740)
    assert house_warning(wager) is None


def test_a_house_that_loses_is_warned_with_the_figure() -> None:
    warning = house_warning(Wager(parameters=DOLLAR))
    assert warning is not None
    assert warning.startswith("in the long run the house loses 8.38 % of each bet")
    assert "36.84 %" in warning


def test_the_reserve_misses_the_seed_when_the_royal_comes_too_early() -> None:
    wager = Wager(parameters=HOUSE_FLOOR)
    # 25 cents a bet: the 200,000th bet is the first to complete SGD 50,000.
    assert wager.uncovered_chance() == pytest.approx(1 - (1 - 1 / 649_740) ** 199_999)
    assert wager.uncovered_chance(reserve=50_000_00) == 0
    assert Wager(parameters=DOLLAR).uncovered_chance() == 1
    assert wager.reserve_cover == Fraction(25 * 649_740, 50_000_00)


# Simulation


def test_the_simulated_meter_has_the_mean_and_deviation_of_the_closed_form() -> None:
    wager, runs = Wager(parameters=DOLLAR), 40_000
    meters = settled_meter(wager, runs=runs, seed=3)
    error = wager.meter_deviation / runs**0.5
    assert abs(meters.mean() - float(wager.mean_meter)) < 5 * error
    assert abs(meters.std() - wager.meter_deviation) < 5 * error


def test_the_simulated_reserve_misses_as_many_first_seeds_as_the_exact_chance_says() -> None:
    wager, runs = Wager(parameters=HOUSE_FLOOR), 40_000
    # Only until the reserve could hold one seed: afterwards a second royal may be the one that is missed.
    found = forecast(wager, bets=199_999, runs=runs, seed=4)
    assert found.uncovered_chance == pytest.approx(wager.uncovered_chance(), abs=5 * 0.5 / runs**0.5)
    assert (found.resets == found.uncovered).all()


def test_a_forecast_is_repeated_by_its_seed_and_tells_its_progress() -> None:
    wager = Wager(parameters=HOUSE_FLOOR)
    told: list[float] = []
    first = forecast(wager, bets=1_000_000, runs=500, seed=5, progress=told.append)
    again, other = (forecast(wager, bets=1_000_000, runs=500, seed=seed) for seed in (5, 6))
    assert np.array_equal(first.owed, again.owed)
    assert not np.array_equal(first.owed, other.owed)
    assert told == sorted(told)
    assert told[-1] == 1


def test_the_largest_liability_is_at_least_that_at_the_end() -> None:
    found = forecast(Wager(parameters=HOUSE_FLOOR), bets=3_000_000, runs=2_000)
    assert (found.peak >= found.owed).all()
    at = list(quantiles(found.peak).values())
    assert at == sorted(at)


def test_a_ceiling_keeps_the_meter_down_and_loses_nothing() -> None:
    capped = Parameters(
        seed=50_000_00, progressive_bet=500, meter_ppm=400_000, reserve_ppm=0, ceiling=200_000_00
    )
    found = forecast(Wager(parameters=capped), bets=3_000_000, runs=2_000)
    free = forecast(Wager(parameters=HOUSE_FLOOR), bets=3_000_000, runs=2_000)
    assert found.meter.max() == 200_000_00
    assert found.owed.max() > 200_000_00
    assert found.owed.mean() > free.owed.mean()


def test_a_pool_that_is_topped_up_never_rests_below_its_seed() -> None:
    topped = Parameters(
        seed=500_000_00, progressive_bet=500, meter_ppm=10_000, reserve_ppm=1_000, top_up_to_seed=True
    )
    found = forecast(Wager(parameters=topped), bets=1_000_000, runs=2_000)
    assert found.meter.min() >= 500_000_00
    assert found.topped_up.mean() > 0
    assert found.paid_by_house.mean() > 0


# Equal odds


def test_the_hand_of_both_games_is_five_cards_of_one_deck() -> None:
    assert GAMES[Game.CASINO_STUD].progressive_cards((1, 2, 3, 4, 5), ()) == (1, 2, 3, 4, 5)
    assert GAMES[Game.TEXAS_HOLDEM].progressive_cards((1, 2), (3, 4, 5, 6, 7)) == (1, 2, 3, 4, 5)


def test_stud_and_hold_em_by_hole_cards_and_flop_may_share_a_pool() -> None:
    check_equal_odds({"stud-01": MadeOf.FIVE_CARDS, "holdem-01": MadeOf.FIVE_CARDS}, HOUSE_FLOOR, "SGD")


def test_the_best_of_seven_is_refused_with_both_odds_and_the_price() -> None:
    tables = {"stud-01": MadeOf.FIVE_CARDS, "holdem-01": MadeOf.BEST_OF_SEVEN}
    with pytest.raises(UnequalOdds, match=r"1 in 30,940, and 1 in 649,740") as refused:
        check_equal_odds(tables, HOUSE_FLOOR, "SGD")
    assert refused.value.code == "unequal_odds"
    assert refused.value.data["table"] == "holdem-01"
    assert (refused.value.data["one_in"], refused.value.data["instead_of"]) == (30_940, 649_740)
    fair = Wager(parameters=HOUSE_FLOOR)
    other = Wager(parameters=HOUSE_FLOOR, chances=best_of_seven())
    more = (other.return_at(fair.mean_meter) - fair.return_at(fair.mean_meter)) * 500
    price = refused.value.data["price"]
    assert isinstance(price, int)
    assert abs(price - more) <= 1


def test_a_link_of_nothing_but_the_best_of_seven_is_refused_too() -> None:
    with pytest.raises(UnequalOdds):
        check_equal_odds({"holdem-01": MadeOf.BEST_OF_SEVEN}, HOUSE_FLOOR, "SGD")
