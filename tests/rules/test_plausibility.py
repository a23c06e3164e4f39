"""The chance of the hands that a table reported: never told too low, cheap, and for a round as a whole."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import pytest

from jackpot.cards.chances import five_cards
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import SECOND
from jackpot.games.rulebook import Game
from jackpot.maths.plausibility import (
    _FLOPS,
    _ONE,
    LIKELY,
    PAID,
    SPAN,
    SUSPECT,
    Record,
    Reported,
    Suspicion,
    _all_of,
    _moments,
    _spread,
    chance,
    chernoff,
    exact_chance,
)

STUD, HOLDEM = Game.CASINO_STUD, Game.TEXAS_HOLDEM
OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"
ALARMING = Fraction(1, 10**9)
"""Below this chance somebody is called: the alert of the chart has the same."""
TINY = Fraction(1, 2**230)


def of_one_box(hand: Hand) -> Fraction:
    five = five_cards()
    return sum((five.of(one) for one in PAID[PAID.index(hand) :]), Fraction(0))


# The arithmetic


@pytest.mark.parametrize("game", Game)
@pytest.mark.parametrize("hand", PAID)
def test_of_one_box_a_round_the_chance_is_the_binomial_to_seventy_digits(game: Game, hand: Hand) -> None:
    p = of_one_box(hand)
    for rounds, count in ((1, 1), (9, 2), (60, 4), (250, 7)):
        fewer = sum(comb(rounds, many) * p**many * (1 - p) ** (rounds - many) for many in range(count))
        told = exact_chance(game, hand, {1: rounds}, count)
        assert 0 <= told - (1 - fewer) < TINY


@pytest.mark.parametrize("game", Game)
def test_rounds_of_several_boxes_add_up_as_fractions_do(game: Game) -> None:
    rounds = {7: 4, 3: 2, 1: 5}
    sums = {0: Fraction(1)}
    for boxes in Counter(rounds).elements():
        sums = _added(sums, [Fraction(part, _ONE) for part in _spread(game, Hand.FLUSH, boxes)])
    for count in (1, 2, 5, 12):
        expected = sum(part for many, part in sums.items() if many >= count)
        assert 0 <= exact_chance(game, Hand.FLUSH, rounds, count) - expected < TINY


def _added(sums: dict[int, Fraction], spread: list[Fraction]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for many, part in sums.items():
        for more, factor in enumerate(spread):
            found[many + more] = found.get(many + more, Fraction(0)) + part * factor
    return found


# Boxes of one round


@pytest.mark.proof
def test_the_flops_that_make_a_hand_are_counted_from_all_hands() -> None:
    import numpy as np

    from jackpot.cards.bulk import HANDS, hand_codes, strengths
    from jackpot.cards.suit_classes import every

    cards = every(5)
    codes = hand_codes(strengths(cards, checked=False))
    for hand in PAID:
        made = cards[codes >= HANDS.index(hand)].astype(np.int64)
        ways = np.zeros(52**3, np.int64)
        for a, b, c in combinations(range(5), 3):
            np.add.at(ways, (made[:, a] * 52 + made[:, b]) * 52 + made[:, c], 1)
        counted = Counter(ways[ways > 0].tolist())
        counted[0] = comb(52, 3) - counted.total()
        assert _FLOPS[hand] == counted


@pytest.mark.parametrize("hand", PAID)
def test_one_box_has_the_same_chance_in_both_games(hand: Hand) -> None:
    """Hole cards and flop are five cards like any other (H 4.2.1)."""
    assert _all_of(STUD, hand, 1) == _all_of(HOLDEM, hand, 1) == of_one_box(hand)


def test_two_boxes_of_stud_are_no_likelier_than_the_bound() -> None:
    """Counted by which cards two hands would share; two fours of a kind are likelier than if independent."""
    fours = [
        {rank * 4 + suit for suit in range(4)} | {other}
        for rank in range(13)
        for other in range(52)
        if other // 4 != rank
    ]
    ranks = [[(low + step) % 13 for step in range(5)] for low in range(-1, 9)]
    straights = [{rank * 4 + suit for rank in five} for five in ranks for suit in range(4)]
    holding: Counter[frozenset[int]] = Counter()
    for made in (*fours, *straights):
        for size in range(6):
            holding.update(frozenset(part) for part in combinations(sorted(made), size))
    apart = sum((-1) ** len(part) * many**2 for part, many in holding.items())
    truth = Fraction(apart, comb(52, 5) * comb(47, 5))
    assert len(fours) + len(straights) == 664
    assert of_one_box(Hand.FOUR_OF_A_KIND) ** 2 < truth <= _all_of(STUD, Hand.FOUR_OF_A_KIND, 2)


def test_three_flushes_on_one_flop_are_told_at_least_as_likely_as_they_are() -> None:
    """One in 38,000 rounds of seven boxes; as if each had a deck of its own it would be one in 580,000."""
    together = Fraction(4 * comb(13, 3), comb(52, 3))
    of_so_many = []
    for box in range(4):
        together *= Fraction(comb(10 - 2 * box, 2), comb(49 - 2 * box, 2))
        of_so_many.append(comb(7, box + 1) * together)
    truth = of_so_many[2] - 3 * of_so_many[3]  # at least: what comes after these in the sum adds to it
    assert 1 / truth < 38_000
    assert 1 / (comb(7, 3) * of_one_box(Hand.FLUSH) ** 3) > 580_000
    assert truth < chance(HOLDEM, Hand.FLUSH, {7: 1}, 3)


@pytest.mark.parametrize("game", Game)
@pytest.mark.parametrize("hand", PAID)
def test_no_round_is_taken_for_likelier_to_have_few(game: Game, hand: Hand) -> None:
    for boxes in range(1, 21):
        spread = _spread(game, hand, boxes)
        assert sum(spread) == _ONE
        assert min(spread) >= 0
        for number in range(1, boxes + 1):
            bound = comb(boxes, number) * _all_of(game, hand, number)
            assert Fraction(sum(spread[number:]), _ONE) >= min(bound, _all_of(game, hand, boxes))


@pytest.mark.parametrize("game", Game)
@pytest.mark.parametrize("rounds", [1, 10, 45, 1000])
def test_what_is_not_worked_out_would_be_no_alert(game: Game, rounds: int) -> None:
    for hand in PAID:
        mean, variance = _moments(game, hand, {7: rounds})
        most = int(mean + 3 * sqrt(variance))
        assert chance(game, hand, {7: rounds}, most) == LIKELY
        assert exact_chance(game, hand, {7: rounds}, most) > 1000 * SUSPECT
        assert chance(game, hand, {7: rounds}, most + 1) < LIKELY


@pytest.mark.parametrize("game", Game)
def test_what_is_only_bounded_is_never_told_too_low_and_not_much_too_high(game: Game) -> None:
    for hand, count in ((Hand.STRAIGHT, 110), (Hand.FLUSH, 70), (Hand.FOUR_OF_A_KIND, 15)):
        exact = exact_chance(game, hand, {7: 900, 2: 100}, count)
        assert exact <= chernoff(game, hand, {7: 900, 2: 100}, count) < 50 * exact


def test_a_table_cannot_hide_in_a_flood_of_its_own() -> None:
    rounds = {7: 40_000}
    mean, variance = _moments(STUD, Hand.STRAIGHT, rounds)
    assert chance(STUD, Hand.STRAIGHT, rounds, int(mean + 4 * sqrt(variance))) > SUSPECT
    assert chance(STUD, Hand.STRAIGHT, rounds, int(mean + 7 * sqrt(variance))) < ALARMING


def test_more_than_can_be_is_told_as_hardly_less_likely_and_costs_no_more() -> None:
    few, many = (chance(STUD, Hand.STRAIGHT, {7: 1000}, count) for count in (1000, 7000))
    assert few == many < ALARMING**3


# What a table reported

NOW = 1_800_000_000 * SECOND
"""At the beginning of a span."""


def told(record: Record, now: int = NOW) -> dict[tuple[Hand, str], Suspicion]:
    return {(one.hand, one.window): one for one in record.suspicions(now)}


def fours(record: Record, at: int = NOW, *, rounds: int = 20) -> None:
    for number in range(rounds):
        record.report(Reported(number, at, 7, (Hand.FOUR_OF_A_KIND,) * 7))


@pytest.mark.parametrize("game", Game)
def test_140_fours_of_a_kind_are_alarming_in_both_windows(game: Game) -> None:
    record = Record(game)
    fours(record)
    found = told(record)
    assert {one.count for (hand, _), one in found.items() if hand is Hand.FOUR_OF_A_KIND} == {140}
    for window in ("hour", "day"):
        assert found[Hand.FOUR_OF_A_KIND, window].chance < ALARMING
        assert found[Hand.STRAIGHT, window].chance < ALARMING
        assert found[Hand.STRAIGHT_FLUSH, window].chance == LIKELY


def test_one_round_of_seven_fours_is_enough() -> None:
    record = Record(STUD)
    fours(record, rounds=1)
    assert told(record)[Hand.FOUR_OF_A_KIND, "hour"].chance < ALARMING


def test_hands_leave_the_hour_and_then_the_day() -> None:
    record = Record(STUD)
    fours(record)
    hour = told(record, NOW + 13 * SPAN)
    assert hour[Hand.FOUR_OF_A_KIND, "hour"].count == 0
    assert hour[Hand.FOUR_OF_A_KIND, "day"].count == 140
    assert told(record, NOW + 288 * SPAN)[Hand.FOUR_OF_A_KIND, "day"].count == 140
    assert told(record, NOW + 289 * SPAN)[Hand.FOUR_OF_A_KIND, "day"].chance == LIKELY


def test_a_correction_replaces_what_it_corrects() -> None:
    record = Record(STUD)
    record.report(Reported(1, NOW, 2, (Hand.FOUR_OF_A_KIND, Hand.FOUR_OF_A_KIND)))
    again = NOW + SPAN
    for _ in range(5):
        record.report(Reported(1, again, 2, (Hand.FOUR_OF_A_KIND, Hand.ONE_PAIR)))
    assert told(record, again)[Hand.FOUR_OF_A_KIND, "hour"].count == 1
    record.report(Reported(2, again, 2, (Hand.FOUR_OF_A_KIND, Hand.ONE_PAIR)))
    assert told(record, again)[Hand.FOUR_OF_A_KIND, "hour"].count == 2
    assert record._within(NOW)[0] == {2: 2}


def test_boxes_that_nobody_showed_were_dealt_too() -> None:
    seen, unseen = Record(STUD), Record(STUD)
    seen.report(Reported(1, NOW, 1, (Hand.ROYAL_FLUSH,)))
    unseen.report(Reported(1, NOW, 7, (Hand.ROYAL_FLUSH,)))
    one, other = (told(record)[Hand.ROYAL_FLUSH, "hour"].chance for record in (seen, unseen))
    assert one == pytest.approx(Fraction(1, 649_740))
    assert other == pytest.approx(Fraction(7, 649_740))


# How often an honest floor is suspected

HOUR, DAY = 45, 1000
"""Rounds in each window, of seven boxes, around the clock."""


@pytest.mark.proof
def test_an_honest_floor_of_fifty_tables_is_seldom_suspected() -> None:
    """At most: a round raises an alert only if it brings such a hand while the window has nearly enough."""
    text = OPERATIONS.read_text()
    for game in Game:
        for below, name in ((SUSPECT, "one in a million"), (ALARMING, "one in a billion")):
            often = [_raised(game, hand, rounds, below) for hand in PAID for rounds in (HOUR, DAY)]
            a_year = f"{50 * 365 * DAY * sum(often):.2g}"
            assert f"| `{game.value}` | {name} | {a_year} |" in text


def _raised(game: Game, hand: Hand, rounds: int, below: Fraction) -> float:
    mean, variance = _moments(game, hand, {7: rounds})
    count = int(mean + 4 * sqrt(variance)) + 1
    while exact_chance(game, hand, {7: rounds}, count) >= below:
        count += 1
    before = [exact_chance(game, hand, {7: rounds - 1}, count - more) for more in range(min(count, 8))]
    before += [LIKELY] * (8 - len(before))
    spread = _spread(game, hand, 7)
    return float(sum(Fraction(spread[more], _ONE) * before[more] for more in range(1, 8)))
