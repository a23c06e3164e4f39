"""The strategy tables, row by row, and what is called where a row cannot be followed."""

from __future__ import annotations

import pytest

from jackpot.cards.cards import NAMES
from jackpot.games.blackjack.points import POINTS, points
from jackpot.maths.blackjack_strategy import FREE, FREE_WITH_TENS, PAID, Call, Strategy, decide

UPS = ("2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Kc", "Ac")
TABLE = """
5 3 | H H H H H H H H H H | H H H H H H H H H H
5 4 | H D D D D H H H H H | F F F F F F F F F F
6 4 | D D D D D D D D H H | F F F F F F F F F F
6 5 | D D D D D D D D D H | F F F F F F F F F F
T 2 | H H S S S H H H H H | H H H S S H H H H H
T 3 | S S S S S H H H H H | H S S S S H H H H H
T 4 | S S S S S H H H R H | S S S S S H H H R H
T 5 | S S S S S H H H R H | S S S S S H H H R H
T 6 | S S S S S H H R R H | S S S S S H H R R H
T 7 | S S S S S S S S S S | S S S S S S S S R S
A 2 | H H H H D H H H H H | H H H H H H H H H H
A 3 | H H H D D H H H H H | H H H H H H H H H H
A 4 | H H H D D H H H H H | H H H H H H H H H H
A 5 | H H D D D H H H H H | H H H H H H H H H H
A 6 | H D D D D H H H H H | H H H H D H H H H H
A 7 | S D D D D S S H H H | S S S D D S S H H H
A A | P P P P P P P P P P | P P P P P P P P P P
2 2 | P P P P P P H H H H | P P P P P P P P P P
3 3 | P P P P P P H H H H | P P P P P P P P P P
4 4 | H H H P P H H H H H | P P P P P P P P P P
5 5 | D D D D D D D D H H | F F F F F F F F F F
6 6 | P P P P P H H H H H | P P P P P P P P P P
7 7 | P P P P P P H H R H | P P P P P P P P P P
8 8 | P P P P P P P P R P | P P P P P P P P P P
9 9 | P P P P P S P P S S | P P P P P P P P P P
T T | S S S S S S S S S S | S S S S S S S S S S
Q T | S S S S S S S S S S | S S S S S S S S S S
A K | S S S S S S S S S S | S S S S S S S S S S
""".strip().splitlines()
"""Two cards, then what is called against 2 to 10 and A where money is paid, and in Free Bet Blackjack."""
LETTERS = {
    "H": Call.DRAW,
    "S": Call.STAND,
    "D": Call.DOUBLE,
    "F": Call.FREE_DOUBLE,
    "R": Call.SURRENDER,
    "P": Call.SPLIT,
}


def hand(ranks: str) -> tuple[str, ...]:
    return tuple(rank + suit for rank, suit in zip(ranks.split(), "dhscdhsc", strict=False))


def row(strategy: Strategy, ranks: str, **where: object) -> str:
    """A letter for each of the dealer's cards; free or paid is told apart at doubles only."""
    called = [decide(strategy, hand(ranks), up, **where) for up in UPS]  # type: ignore[arg-type]
    names = {call: letter for letter, call in LETTERS.items()} | {Call.FREE_SPLIT: "P"}
    return " ".join(names[call] for call in called)


@pytest.mark.parametrize("line", TABLE, ids=[line[:3] for line in TABLE])
def test_two_cards_are_played_as_the_tables_say(line: str) -> None:
    ranks, paid, free = (part.strip() for part in line.split("|"))
    assert row(PAID, ranks) == paid
    assert row(FREE, ranks) == free


def test_splits_cost_money_in_one_game_and_nothing_in_the_other() -> None:
    assert decide(PAID, hand("8 8"), "5c") is Call.SPLIT
    assert decide(FREE, hand("8 8"), "5c") is Call.FREE_SPLIT
    assert decide(FREE, hand("8 8"), "5c", marker_only=True, of_split=True, hands=2) is Call.FREE_SPLIT


def test_with_three_cards_a_double_is_a_draw_but_soft_18_stands() -> None:
    assert row(PAID, "2 3 6") == row(FREE, "2 3 6") == "H H H H H H H H H H"
    assert row(PAID, "A 2 4") == "H H H H H H H H H H"
    assert row(PAID, "A 3 4") == "S S S S S S S H H H"
    assert row(FREE, "A 3 4") == "S S S S S S S H H H"


def test_a_surrender_that_is_too_late_is_a_draw_but_hard_17_stands() -> None:
    assert row(PAID, "T 4 2") == row(FREE, "T 4 2") == "S S S S S H H H H H"
    assert row(PAID, "T 6", of_split=True, hands=2) == "S S S S S H H H H H"
    assert row(FREE, "T 2 5") == row(FREE, "T 7", of_split=True, hands=2) == "S S S S S S S S S S"


def test_a_fourth_hand_is_not_split_again() -> None:
    assert row(PAID, "8 8", of_split=True, hands=4) == row(PAID, "T 6", of_split=True, hands=4)
    assert row(PAID, "8 8", of_split=True, hands=3).startswith("P P P")
    assert row(FREE, "5 5", of_split=True, hands=4) == "F F F F F F F F F F"
    assert row(FREE, "4 4", of_split=True, hands=4) == "H H H H H H H H H H"


def test_split_aces_stand_with_their_one_card() -> None:
    for second in NAMES:
        assert decide(PAID, ("Ad", second), "6c", of_split=True, hands=2) is Call.STAND
    assert decide(PAID, ("Ad",), "6c", of_split=True, hands=2) is Call.DRAW


MARKER = {
    "T 4": "H S S S S H H H H H",
    "T 7": "S S S S S H H H S H",
    "5 A": "H H H H D H H H H H",
    "6 A": "H H H H D H H H H H",
    "7 A": "H H D D D S H H H H",
    "8 A": "S S S D D S S S S S",
    "9 A": "S S S S D S S S S S",
    "3 A 4": "H H H H S S H H H H",
    "3 A 2": "H H H H H H H H H H",
    "3 A 5": "S S S S S S S S S S",
    "T 2 5": "S S S S S H H H S H",
    "T 2 2": "H S S S S H H H H H",
}
"""What a hand calls that carries only a marker."""


@pytest.mark.parametrize("ranks", MARKER)
def test_f_1_11_a_hand_that_carries_only_a_marker_has_nothing_to_lose(ranks: str) -> None:
    assert row(FREE, ranks, marker_only=True, of_split=True, hands=2) == MARKER[ranks]


def test_f_1_11_otherwise_a_marker_is_played_like_money() -> None:
    for line in TABLE:
        ranks = line.split("|")[0].strip()[::-1]  # an ace first would be a split ace
        if ranks not in MARKER and ranks[::-1] not in MARKER:
            paid = row(FREE, ranks, of_split=True, hands=2)
            assert row(FREE, ranks, of_split=True, hands=2, marker_only=True) == paid


def test_f_1_13_pip_tens_are_split_for_free_only_by_who_wants_it() -> None:
    assert row(FREE_WITH_TENS, "T T") == "S P P P P P S S S S"
    assert row(FREE_WITH_TENS, "T T", of_split=True, hands=4) == row(FREE, "T T")
    assert row(FREE_WITH_TENS, "T K") == row(FREE_WITH_TENS, "K K") == row(FREE, "T T")
    marker = row(FREE_WITH_TENS, "T T", of_split=True, hands=2, marker_only=True)
    assert marker == "S P P P P P S S S S"


@pytest.mark.parametrize("strategy", [PAID, FREE, FREE_WITH_TENS], ids=["paid", "free", "tens"])
def test_no_call_of_the_strategy_is_against_the_rules(strategy: Strategy) -> None:
    """Any two cards against any: no stand below 12, no double on 21, no surrender to an ace."""
    for one in NAMES:
        for two in NAMES:
            for up in UPS:
                call, total = decide(strategy, (one, two), up), points((one, two)).total
                assert total >= 12 or call is not Call.STAND
                assert total < 21 or call is Call.STAND
                assert call is not Call.SURRENDER or up != "Ac"
                if call in (Call.SPLIT, Call.FREE_SPLIT):
                    assert POINTS[one] == POINTS[two]


def test_a_hand_that_is_over_is_left_alone() -> None:
    assert decide(PAID, hand("T 6 K"), "Kc") is Call.STAND
