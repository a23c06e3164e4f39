"""Hands by the million are worth what they are worth one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from jackpot.cards import bulk
from jackpot.cards.cards import DECK
from jackpot.cards.evaluator import CLASSES, Hand, best_of_seven, hand_of, strength, strength_of
from jackpot.cards.suit_classes import every
from jackpot.core.refusals import CardRepeated, CardUnknown, WrongNumberOfCards
from tests.rules.test_evaluator import COUNTS


def dealt(count: int, size: int = 5) -> npt.NDArray[np.uint8]:
    rng = np.random.default_rng(3)
    return np.argsort(rng.random((count, 52)), axis=1)[:, :size].astype(np.uint8)


@pytest.mark.proof
def test_all_hands_are_worth_the_same_in_bulk_and_counted_exactly() -> None:
    hands = every(5)
    found = bulk.strengths(hands)
    one_by_one = np.fromiter((strength_of(*hand) for hand in combinations(DECK, 5)), np.uint16, len(hands))
    assert np.array_equal(found, one_by_one)
    counted = np.bincount(bulk.hand_codes(found), minlength=len(bulk.HANDS))
    assert {hand.value: int(count) for hand, count in zip(bulk.HANDS, counted, strict=True)} == COUNTS
    assert len(np.unique(found)) == CLASSES


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32, np.int64, np.uint64])
def test_any_kind_of_whole_numbers_in_any_order_will_do(kind: npt.DTypeLike) -> None:
    hands = dealt(70_000).astype(kind)
    found = bulk.strengths(hands)
    assert np.array_equal(found, bulk.strengths(np.asfortranarray(hands), checked=False))
    for row in range(0, len(hands), 997):
        assert found[row] == strength([int(card) for card in hands[row]])


def test_a_code_is_the_place_of_a_name() -> None:
    codes = bulk.hand_codes(np.arange(1, CLASSES + 1, dtype=np.uint16))
    assert [bulk.HANDS[code] for code in codes] == [hand_of(number) for number in range(1, CLASSES + 1)]
    assert bulk.HANDS[-1] is Hand.ROYAL_FLUSH


def test_the_best_of_seven_is_the_same_in_bulk() -> None:
    hands = dealt(3_000, 7)
    found = bulk.best_of_seven(hands)
    assert [int(each) for each in found] == [best_of_seven([int(card) for card in hand]) for hand in hands]


def test_few_hands_or_none_will_do() -> None:
    assert bulk.strengths(np.empty((0, 5), np.uint8)).size == 0
    assert bulk.strengths(np.array([[0, 4, 8, 12, 21]])).tolist() == [1]


# What is refused


@pytest.mark.parametrize("unknown", [52, 255, 256, -1, -52, 2**40])
def test_an_unknown_card_is_refused_with_its_row(unknown: int) -> None:
    hands = dealt(70_000).astype(np.int64)
    hands[66_000, 2] = unknown
    with pytest.raises(CardUnknown, match=f"hand 66000: {unknown} is"):
        bulk.strengths(hands)


@pytest.mark.parametrize("pair", list(combinations(range(5), 2)))
def test_a_card_held_twice_is_refused_with_its_row(pair: tuple[int, int]) -> None:
    hands = dealt(70_000)
    hands[69_999, pair[1]] = hands[69_999, pair[0]]
    with pytest.raises(CardRepeated, match=r"hand 69999: .. is in it twice"):
        bulk.strengths(hands)


@pytest.mark.parametrize("shape", [(5,), (3, 4), (3, 6), (1, 3, 5)])
def test_rows_of_other_than_five_cards_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(WrongNumberOfCards):
        bulk.strengths(np.zeros(shape, np.uint8))


def test_numbers_with_fractions_are_no_cards() -> None:
    with pytest.raises(WrongNumberOfCards):
        bulk.strengths(dealt(3).astype(np.float64))
