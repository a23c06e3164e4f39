"""Blackjack Perfect Pairs: what is its own, the pairs. All else is in `test_rules_blackjack*.py`.

A bet on the pair is 1.00, an Initial Bet 10.00.
"""

from __future__ import annotations

import pytest

from jackpot.games.blackjack import PERFECT_PAIRS
from tests.blackjack import Json, Told, hand, judged, settled

BOXES: list[Json] = [{"box": 1, "bet": 10_00, "perfect_pairs": 1_00}]
BLACK_AND_RED = ("cs", "dh")


def pair(cards: str) -> Told:
    return settled(PERFECT_PAIRS, hand(1, cards), dealer="9c", boxes=BOXES)[0]


@pytest.mark.parametrize("rank", "23456789TJQKA")
def test_p_1_20_two_cards_of_any_one_rank_are_a_pair(rank: str) -> None:
    assert pair(f"{rank}c {rank}s")[:4] == ("perfect_pairs", "win", 1_00, 13_00)


@pytest.mark.parametrize("cards", ["Tc Kc", "Qh Jh", "6h 7h", "Ah Kd"])
def test_p_3_14_cards_of_two_ranks_lose_also_of_equal_value(cards: str) -> None:
    assert pair(cards) == ("perfect_pairs", "lose", 1_00, 0, "3.14")


def test_p_3_14_the_pair_does_not_touch_the_hand() -> None:
    assert settled(PERFECT_PAIRS, hand(1, "9h 9d"), dealer="9c Td", boxes=BOXES, final=True) == [
        ("perfect_pairs", "win", 1_00, 13_00, "3.14.2"),
        ("bet", "lose", 10_00, 0, "3.24.3"),
    ]
    assert settled(PERFECT_PAIRS, hand(1, "Th 9d"), dealer="9c 9s", boxes=BOXES, final=True) == [
        ("perfect_pairs", "lose", 1_00, 0, "3.14"),
        ("bet", "win", 10_00, 20_00, "3.24.2"),
    ]


@pytest.mark.parametrize("suit", "cdhs")
def test_p_3_14_1_a_perfect_pair_is_of_one_suit(suit: str) -> None:
    assert pair(f"Q{suit} Q{suit}") == ("perfect_pairs", "win", 1_00, 26_00, "3.14.1")
    assert pair(f"A{suit} A{suit}") == ("perfect_pairs", "win", 1_00, 26_00, "3.14.1")


@pytest.mark.parametrize(("one", "other"), BLACK_AND_RED)
def test_p_3_14_2_a_coloured_pair_is_of_one_colour_and_two_suits(one: str, other: str) -> None:
    assert pair(f"Q{one} Q{other}") == ("perfect_pairs", "win", 1_00, 13_00, "3.14.2")
    assert pair(f"5{other} 5{one}") == ("perfect_pairs", "win", 1_00, 13_00, "3.14.2")


@pytest.mark.parametrize(("one", "other"), ["ch", "cd", "sh", "sd"])
def test_p_3_14_3_a_mixed_pair_is_of_two_colours(one: str, other: str) -> None:
    assert pair(f"Q{one} Q{other}") == ("perfect_pairs", "win", 1_00, 7_00, "3.14.3")
    assert pair(f"2{other} 2{one}") == ("perfect_pairs", "win", 1_00, 7_00, "3.14.3")


def test_p_4_1_2_a_perfect_pair_pays_25_a_coloured_one_12_and_a_mixed_one_6_to_1() -> None:
    lines = [
        judged(PERFECT_PAIRS, BOXES, [hand(1, cards)], "9c").lines[0] for cards in ("8h 8h", "8h 8d", "8h 8c")
    ]
    assert [(line.pays, line.won) for line in lines] == [
        ("25 to 1", 25_00),
        ("12 to 1", 12_00),
        ("6 to 1", 6_00),
    ]
