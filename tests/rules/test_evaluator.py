"""The lookup evaluator against a plain one, against treys, and against cards that no deck holds."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import chain, combinations, islice, permutations

import numpy as np
import pytest
import treys

from jackpot.cards.cards import DECK, NAMES, parse_all
from jackpot.cards.chances import MadeOf, chances
from jackpot.cards.evaluator import (
    CLASSES,
    Hand,
    best_of_seven,
    hand_of,
    strength,
    strength_of,
    strength_of_names,
)
from jackpot.core.refusals import CardRepeated, CardUnknown, WrongNumberOfCards
from tests import plain_evaluator
from tests.effort import times
from tests.untraced import untraced

COUNTS = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pairs": 123_552,
    "one_pair": 1_098_240,
    "five_odd_cards": 1_302_540,
}
TREYS_CARDS = tuple(treys.Card.new(name) for name in NAMES)
treys_rank = treys.Evaluator().evaluate


@pytest.fixture(scope="module")
@untraced()
def every_strength() -> list[int]:
    """Of all 2,598,960 hands, each in ascending order of its cards."""
    return [strength_of(a, b, c, d, e) for a, b, c, d, e in combinations(DECK, 5)]


def test_all_hands_are_counted_exactly(every_strength: list[int]) -> None:
    by_class = Counter(every_strength)
    assert len(every_strength) == 2_598_960
    assert sorted(by_class) == list(range(1, CLASSES + 1))
    assert CLASSES == 7_462
    by_name: Counter[str] = Counter()
    for number, count in by_class.items():
        by_name[hand_of(number)] += count
    assert by_name == COUNTS


@pytest.mark.proof
def test_all_hands_are_ordered_as_by_a_plain_evaluator(every_strength: list[int]) -> None:
    cards = np.fromiter(chain.from_iterable(combinations(DECK, 5)), np.uint8, 5 * len(every_strength))
    assert every_strength == plain_evaluator.strengths(cards.reshape(-1, 5)).tolist()


@pytest.mark.untraced
def test_the_plain_evaluator_says_the_same_of_one_hand_and_of_many() -> None:
    dealer = random.Random(6)
    hands = [dealer.sample(DECK, 5) for _ in range(times(5_000))]
    hands += [
        [4 * rank + suit for rank in ranks] for suit in range(4) for ranks in combinations(range(13), 5)
    ]
    found = plain_evaluator.strengths(np.array(hands))
    assert found.tolist() == [plain_evaluator.strength(hand) for hand in hands]


def test_all_names_are_those_of_a_plain_evaluator() -> None:
    assert plain_evaluator.CLASSES == CLASSES
    for number in range(1, CLASSES + 1):
        assert hand_of(number).value == plain_evaluator.hand_of(number).value


@pytest.mark.proof
def test_all_hands_are_ordered_as_by_treys(every_strength: list[int]) -> None:
    # Theirs counts from the strongest class, ours from the weakest.
    assert every_strength == [7463 - treys_rank(list(hand), []) for hand in combinations(TREYS_CARDS, 5)]


@pytest.mark.proof
def test_all_hands_pass_the_checks(every_strength: list[int]) -> None:
    assert every_strength == [strength(hand) for hand in combinations(DECK, 5)]


@pytest.mark.proof
def test_all_hands_can_be_read_from_names(every_strength: list[int]) -> None:
    assert every_strength == [strength_of_names(hand) for hand in combinations(NAMES, 5)]


@pytest.mark.proof
def test_the_order_of_the_cards_does_not_matter() -> None:
    dealer = random.Random(5)
    for _ in range(100_000):
        hand = dealer.sample(DECK, 5)
        assert strength(hand) == strength_of(*hand) == plain_evaluator.strength(hand)


@pytest.mark.parametrize(
    "text", ["Ah Kh Qh Jh Th", "5c 4c 3c 2c Ac", "9c 9d 9h 9s Kd", "Kc Kh Ks Jd Js", "Ac 2d 3h 4s 5c"]
)
def test_no_order_of_a_hand_changes_it(text: str) -> None:
    cards = parse_all(text.split())
    found = {strength(order) for order in permutations(cards)}
    assert found == {strength_of(*cards)}


@pytest.mark.proof
def test_best_of_seven_is_that_of_a_plain_evaluator_and_of_treys() -> None:
    """Treys is slow with seven cards, and is asked of every tenth hand."""
    dealer = random.Random(7)
    hands = [dealer.sample(DECK, 7) for _ in range(times(100_000))]
    found = [best_of_seven(hand) for hand in hands]
    assert found == _plain_best(np.array(hands, np.uint8)).tolist()
    assert found[::10] == [
        7463 - treys_rank([TREYS_CARDS[card] for card in hand], []) for hand in hands[::10]
    ]
    _check_sample(Counter(map(hand_of, found)), len(hands))


def _plain_best(hands: plain_evaluator.Many) -> plain_evaluator.Many:
    fives = combinations(range(7), 5)
    return reduce(np.maximum, (plain_evaluator.strengths(hands[:, list(five)]) for five in fives))


def _check_sample(found: Counter[Hand], hands: int) -> None:
    """Each count within six standard deviations of what the exact chances expect."""
    exact = chances(MadeOf.BEST_OF_SEVEN)
    for hand in Hand:
        chance = float(exact.of(hand))
        deviation = (hands * chance * (1 - chance)) ** 0.5
        assert abs(found[hand] - hands * chance) <= 6 * deviation + 1


@pytest.mark.untraced
def test_best_of_seven_is_the_best_of_its_fives() -> None:
    dealer = random.Random(8)
    for _ in range(2_000):
        hand = dealer.sample(DECK, 7)
        assert best_of_seven(hand) == max(plain_evaluator.strength(five) for five in combinations(hand, 5))


# What is refused


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("unknown", [-1, -52, -53, 52, 1000, "Ah", None, 1.5])
def test_a_card_that_no_deck_holds_is_refused_in_any_place(place: int, unknown: object) -> None:
    cards: list[object] = [3, 14, 25, 36, 47]
    cards[place] = unknown
    with pytest.raises(CardUnknown):
        strength(cards)  # type: ignore[arg-type]


def test_a_card_below_zero_is_refused_also_beside_its_pair() -> None:
    with pytest.raises(CardUnknown):
        strength((48, -3, 0, 4, 8))


@pytest.mark.parametrize("pair", list(combinations(range(5), 2)))
def test_a_card_held_twice_is_refused_wherever_it_lies(pair: tuple[int, int]) -> None:
    dealer = random.Random(9)
    for _ in range(500):
        cards = dealer.sample(DECK, 5)
        cards[pair[1]] = cards[pair[0]]
        name = NAMES[cards[pair[0]]]
        with pytest.raises(CardRepeated, match=name):
            strength(cards)
        with pytest.raises(CardRepeated, match=name):
            strength_of_names([NAMES[card] for card in cards])


def test_five_of_a_rank_are_refused() -> None:
    for rank in range(13):
        for suit in range(4):
            cards = [*range(4 * rank, 4 * rank + 4), 4 * rank + suit]
            for order in islice(permutations(cards), 0, 120, 7):
                with pytest.raises(CardRepeated):
                    strength(order)


@pytest.mark.parametrize("count", [0, 1, 4, 6, 7])
def test_a_wrong_number_of_cards_is_refused(count: int) -> None:
    with pytest.raises(WrongNumberOfCards):
        strength(DECK[:count])
    with pytest.raises(WrongNumberOfCards):
        strength_of_names(NAMES[:count])


@pytest.mark.parametrize("name", ["", "A", "1h", "Ahh", "hA", "11h", "Ax", " Ah", "AH "])
def test_a_name_of_no_card_is_refused(name: str) -> None:
    with pytest.raises(CardUnknown):
        strength_of_names(["2c", "3d", name, "4h", "5s"])


@pytest.mark.parametrize("names", ["Ah Kh Qh Jh Th", "ah kh qh jh th", "AH KH QH JH 10H", "aH kH Qh jH 10h"])
def test_names_are_read_in_any_case_and_ten_in_both_spellings(names: str) -> None:
    assert hand_of(strength_of_names(names.split())) is Hand.ROYAL_FLUSH


@pytest.mark.parametrize(
    ("cards", "refusal"),
    [
        ((0, 1, 2, 3, 4, 5), WrongNumberOfCards),
        ((0, 1, 2, 3, 4, 5, 5), CardRepeated),
        ((0, 1, 2, 3, 4, 5, 52), CardUnknown),
        ((-1, 1, 2, 3, 4, 5, 6), CardUnknown),
    ],
)
def test_seven_cards_are_checked(cards: Sequence[int], refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        best_of_seven(cards)


@pytest.mark.parametrize("number", [-1, 0, CLASSES + 1])
def test_there_is_no_name_for_a_strength_that_does_not_exist(number: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 7462"):
        hand_of(number)


# What it costs to have


def test_the_evaluator_takes_less_than_forty_megabytes() -> None:
    program = (
        "import tracemalloc; tracemalloc.start(); import jackpot.cards.evaluator;"
        "print(tracemalloc.get_traced_memory()[1])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 40_000_000


def test_the_rules_and_the_exact_odds_do_without_numpy() -> None:
    program = (
        "import sys, jackpot.machine.execute, jackpot.maths.odds, api.cli; print('numpy' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
