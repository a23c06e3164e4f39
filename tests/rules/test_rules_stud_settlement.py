"""Casino Stud: what the main game pays, collects and returns, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from jackpot.games.irregularities import Choice, Resolution
from jackpot.games.lines import Line
from jackpot.link.rounds import MainGame, RoundState
from jackpot.link.state import Then
from tests.floor import STUD
from tests.house import House, Json, a_house, put, refused
from tests.main_game import (
    FOLDS,
    LEAVES,
    NEIGHBOURS,
    STAYS,
    Hands,
    Table,
    Told,
    aside,
    changed,
    on_the_wire,
    outcomes,
    said_over_the_wire,
    settled,
    told,
)

CONTINUE, RETURN = Choice.CONTINUE, Choice.RETURN
ACE_KING = "Ac Kd 8h 5s 3c"
OUT = "Qs 8c 7c 5h 3d"
NINES = "9c 9d Kh 7s 2d"
QUEEN_HIGH = "Qc Jd 8s 6h 4c"
TEN = {"ante": 10_00}
ROYAL = "Ah Kh Qh Jh Th"
SETTLED: list[Told] = [
    (1, "ante", "win", 10_00, 20_00, "3.14.1"),
    (1, "bet", "win", 20_00, 40_00, "3.14.1"),
    (2, "ante", "lose", 10_00, 0, "3.14.2"),
    (2, "bet", "lose", 20_00, 0, "3.14.2"),
    (3, "ante", "lose", 10_00, 0, "3.12.1"),
]
ALL_BACK: list[Told] = [
    (1, "ante", "returned", 10_00, 10_00, "5.22"),
    (1, "bet", "returned", 20_00, 20_00, "5.22"),
    (2, "ante", "returned", 10_00, 10_00, "5.22"),
    (2, "bet", "returned", 20_00, 20_00, "5.22"),
    (3, "ante", "returned", 10_00, 10_00, "5.22"),
]
UNDONE = [
    (1, "ante", 20_00, 10_00, -10_00),
    (1, "bet", 40_00, 20_00, -20_00),
    (2, "ante", 0, 10_00, 10_00),
    (2, "bet", 0, 20_00, 20_00),
    (3, "ante", 0, 10_00, 10_00),
]


def stud(hands: Hands, dealer: str, *said: Any, **more: Any) -> tuple[Line, ...]:
    return settled(STUD, hands, *said, dealer=dealer, **more)


def duel(player: str, dealer: str) -> set[str]:
    """The outcomes of the Ante and the BET of one box."""
    return {line.outcome.value for line in stud({1: player}, dealer)}


class Played(Table):
    """Box 1 has a pair of nines, box 2 queen high, both stay in; box 3 folds; the dealer has ace-king."""

    def __init__(self) -> None:
        super().__init__(STUD)
        self.bets({1: 10_00, 2: 10_00, 3: 10_00})

    def report(self, **more: Any) -> list[Told]:
        main = {1: STAYS, 2: STAYS, 3: FOLDS}
        said: dict[str, Any] = {"dealer": ACE_KING} | more
        return told(self.hands({1: NINES, 2: QUEEN_HIGH, 3: "Jc 9s 6d 5c 2h"}, main, **said).settlement)


@pytest.fixture
def played() -> Played:
    return Played()


# Section 1: what the main game takes from the definitions


def test_s_1_3_a_bet_is_twice_the_ante() -> None:
    assert told(stud({1: NINES}, ACE_KING, ante=35_00))[1] == (1, "bet", "win", 70_00, 140_00, "3.14.1")


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        ("Ac Kd 4h 3s 2c", True),
        ("Ac Kd Qh Js 9c", True),
        ("2c 2d 5h 4s 3c", True),
        ("Ac Qd Jh Ts 9c", False),
        ("Kc Qd Jh Ts 8c", False),
        ("7c 5d 4h 3s 2c", False),
    ],
)
def test_s_1_14_a_qualifying_hand_is_ace_king_or_better(dealer: str, qualifies: bool) -> None:
    bet = stud({1: "7h 7s 6c 6d 8h"}, dealer)[1]
    assert (bet.outcome.value, bet.payout) == (("win", 60_00) if qualifies else ("returned", 20_00))


# Section 3: how to play


def test_s_2_1_1_a_bonus_is_refused_on_a_layout_that_has_none() -> None:
    table = Table(STUD)
    assert table.refused(table.bets, {1: 10_00}, bonus={1: 5_00}) == ("wager_not_in_game", "2.1.1")


def test_s_3_1_the_higher_ranking_hand_wins() -> None:
    kings, queens, two_pairs = "Kc Kd 8h 5s 3c", "Qc Qd 8s 5h 3d", "4c 4d 3h 3s 2c"
    assert duel(kings, queens) == {"win"}
    assert duel(queens, kings) == {"lose"}
    assert duel("Kc Kd 8h 5s 7c", two_pairs) == {"lose"}


def test_s_3_1_1_all_suits_have_the_same_rank() -> None:
    assert duel("As Ks 8s 5s 3h", "Ac Kc 8c 5c 3d") == {"stand_off"}


@pytest.mark.parametrize(("higher", "lower"), NEIGHBOURS)
def test_s_3_1_1_cards_rank_from_ace_to_two(higher: str, lower: str) -> None:
    first = f"{higher}c {higher}d {aside('cdh', higher, lower)}"
    second = f"{lower}h {lower}s {aside('dhs', higher, lower)}"
    assert duel(first, second) == {"win"}
    assert duel(second, first) == {"lose"}


def test_s_3_1_1_an_ace_counts_one_in_five_to_ace_and_only_there() -> None:
    wheel = "5c 4d 3c 2h As"
    assert duel(wheel, "6c 5d 4h 3s 2c") == {"lose"}
    assert duel(wheel, "Ac Ad Ah Kd Qs") == {"win"}
    round_the_corner = stud({1: "3d 2s As Ks Qd"}, ACE_KING)
    assert [line.pays for line in round_the_corner] == ["1 to 1", "1 to 1"]


LADDER = [
    "Ad Kd Qd Jd Td",
    "Qc Jc Tc 9c 8c",
    "Kc Kh Kd Ks Jh",
    "Qc Qh Qd Js Jd",
    "Kh Jh 9h 5h 2h",
    "5c 4d 3c 2d As",
    "Qs Qh Qd 8h 3d",
    "7s 7h 4c 4h Jd",
    "Tc Th Kd 6h 3s",
    "Ac Ks 6d 4s 2h",
]
"""The examples of 3.1.2; where two neighbours would need the same card, another card of that rank or another
rank, and in the last line an ace and a king, without which no dealer plays."""


@pytest.mark.parametrize(("higher", "lower"), list(pairwise(LADDER)))
def test_s_3_1_2_each_kind_of_hand_beats_the_next(higher: str, lower: str) -> None:
    assert duel(higher, lower) == {"win"}
    assert duel(lower, higher) == {"lose"}


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Kc Qd Jh Ts 9c", "Jc Td 9h 8s 7c"),
        ("5c 5d Kh Ts 2c", "5h 5s Qc Jd Th"),
        ("Ac Kd Jh 5s 2c", "Ad Kh Ts 6c 4d"),
    ],
)
def test_s_3_1_3_hands_of_one_kind_are_told_apart_by_their_cards(higher: str, lower: str) -> None:
    assert duel(higher, lower) == {"win"}
    assert duel(lower, higher) == {"lose"}


def test_s_3_6_a_bet_without_an_ante_takes_no_part() -> None:
    table = Table(STUD)
    table.bets({1: 0, 2: 10_00})
    main = {1: MainGame(bet=20_00), 2: STAYS}
    answer = table.hands({1: ROYAL, 2: "7c 7d 5h 4h 2c"}, main, dealer=ACE_KING)
    assert told(answer.settlement)[:2] == [
        (1, "bet", "returned", 20_00, 20_00, "3.6"),
        (2, "ante", "win", 10_00, 20_00, "3.14.1"),
    ]


def test_s_3_7_a_hand_not_examined_is_bet_on_blind_and_settled_on_its_own_cards() -> None:
    main = {
        1: MainGame(decision="bet", examined=True, player="p1"),
        2: MainGame(decision="bet", examined=False, player="p1"),
        3: MainGame(bet=25_00, examined=False, player="p1"),
    }
    assert told(stud({1: QUEEN_HIGH, 2: NINES, 3: "7c 7d 5h 4h 2c"}, ACE_KING, main)) == [
        (1, "ante", "lose", 10_00, 0, "3.14.2"),
        (1, "bet", "lose", 20_00, 0, "3.14.2"),
        (2, "ante", "win", 10_00, 20_00, "3.14.1"),
        (2, "bet", "win", 20_00, 40_00, "3.14.1"),
        (3, "ante", "win", 10_00, 20_00, "3.14.1"),
        (3, "bet", "returned", 5_00, 5_00, "5.3.1"),
        (3, "bet", "win", 20_00, 40_00, "3.14.1"),
    ]


@pytest.mark.parametrize("dealer", ["", OUT, ACE_KING])
def test_s_3_12_1_a_fold_loses_the_ante_whatever_the_dealer_holds(dealer: str) -> None:
    assert told(stud({1: NINES}, dealer, FOLDS)) == [(1, "ante", "lose", 10_00, 0, "3.12.1")]


@pytest.mark.parametrize("dealer", ["", OUT, ACE_KING])
def test_s_3_12_1_a_bet_of_nothing_is_a_fold(dealer: str) -> None:
    lines = stud({1: NINES}, dealer, MainGame(bet=0))
    assert told(lines) == [(1, "ante", "lose", 10_00, 0, "3.12.1")]


def test_s_3_12_2_who_stays_in_bets_twice_the_ante() -> None:
    understood, said = [stud({1: NINES}, ACE_KING, one) for one in (STAYS, MainGame(bet=20_00))]
    assert understood == said
    assert [(line.wager.value, line.stake) for line in understood] == [("ante", 10_00), ("bet", 20_00)]


@pytest.mark.parametrize("player", [ROYAL, "7d 5d 4h 3s 2c"])
def test_s_3_13_without_a_qualifying_hand_the_ante_wins_and_the_bet_goes_back(player: str) -> None:
    lines = stud({1: player}, OUT)
    assert told(lines) == [
        (1, "ante", "win", 10_00, 20_00, "3.13"),
        (1, "bet", "returned", 20_00, 20_00, "3.13"),
    ]
    assert [line.pays for line in lines] == ["1 to 1", None]


def test_s_3_14_the_dealer_compares_with_each_hand() -> None:
    hands = {1: NINES, 2: QUEEN_HIGH, 3: "As Kc 8d 5c 3h"}
    assert outcomes(stud(hands, ACE_KING)) == [
        (1, "ante", "win"),
        (1, "bet", "win"),
        (2, "ante", "lose"),
        (2, "bet", "lose"),
        (3, "ante", "stand_off"),
        (3, "bet", "stand_off"),
    ]


def test_s_3_14_1_a_higher_hand_wins_ante_and_bet() -> None:
    assert told(stud({1: "7c 7d 7h Ks 2d"}, ACE_KING)) == [
        (1, "ante", "win", 10_00, 20_00, "3.14.1"),
        (1, "bet", "win", 20_00, 80_00, "3.14.1"),
    ]


def test_s_3_14_2_a_lower_hand_loses_ante_and_bet() -> None:
    assert told(stud({1: "As Ks 8s 5h 2d"}, ACE_KING)) == [
        (1, "ante", "lose", 10_00, 0, "3.14.2"),
        (1, "bet", "lose", 20_00, 0, "3.14.2"),
    ]


def test_s_3_14_3_equal_hands_stand_off() -> None:
    assert told(stud({1: "As Ks 8s 5h 3d"}, ACE_KING)) == [
        (1, "ante", "stand_off", 10_00, 10_00, "3.14.3"),
        (1, "bet", "stand_off", 20_00, 20_00, "3.14.3"),
    ]


# Section 4: settlement


@pytest.mark.parametrize(
    ("cards", "pays", "payout"),
    [
        ("Ah Kh Qh Jh Th", "250 to 1", 5_020_00),
        ("9d 8d 7d 6d 5d", "50 to 1", 1_020_00),
        ("9c 9d 9h 9s 2d", "20 to 1", 420_00),
        ("Qc Qd Qh Js Jh", "7 to 1", 160_00),
        ("Kh Jh 9h 5h 2h", "5 to 1", 120_00),
        ("Tc 9d 8s 7h 6h", "4 to 1", 100_00),
        ("4c 4d 4h Js 2d", "3 to 1", 80_00),
        ("7h 7s 4c 4h Jd", "2 to 1", 60_00),
        ("2c 2d 7h 5h 4s", "1 to 1", 40_00),
        ("Ah Ks 9h 5h 2s", "1 to 1", 40_00),
    ],
)
def test_s_4_1_a_winning_bet_is_paid_by_its_hand_and_the_ante_1_to_1(
    cards: str, pays: str, payout: int
) -> None:
    ante, bet = stud({1: cards}, ACE_KING)
    assert (ante.pays, ante.stake, ante.payout) == ("1 to 1", 10_00, 20_00)
    assert (bet.pays, bet.stake, bet.payout) == (pays, 20_00, payout)


def test_s_4_1_against_no_qualifying_hand_the_ante_is_paid_1_to_1() -> None:
    ante, _ = stud({1: QUEEN_HIGH}, OUT, ante=12_50)
    assert (ante.pays, ante.payout, ante.won) == ("1 to 1", 25_00, 12_50)


@pytest.mark.parametrize(
    ("ante", "payout", "rule"),
    [(200_00, 100_400_00, "3.14.1"), (200_01, 100_400_02, "4.1.1"), (500_00, 101_000_00, "4.1.1")],
)
def test_s_4_1_1_a_bet_wins_no_more_than_100_000_dollars(ante: int, payout: int, rule: str) -> None:
    bet = stud({1: ROYAL}, ACE_KING, ante=ante)[1]
    assert (bet.pays, bet.payout, bet.rule) == ("250 to 1", payout, rule)


def test_s_4_1_1_the_limit_is_for_each_box_and_not_for_the_ante() -> None:
    lines = stud({1: ROYAL, 2: "9s 8s 7s 6s 5s"}, "Ac Kd 8h 5d 3c", ante=120_000_00)
    assert told(lines) == [
        (1, "ante", "win", 120_000_00, 240_000_00, "3.14.1"),
        (1, "bet", "win", 240_000_00, 340_000_00, "4.1.1"),
        (2, "ante", "win", 120_000_00, 240_000_00, "3.14.1"),
        (2, "bet", "win", 240_000_00, 340_000_00, "4.1.1"),
    ]


@pytest.mark.parametrize("dealer", ["", OUT, ACE_KING])
def test_s_4_3_cards_not_shown_lose_ante_and_bet_as_a_fold_does(dealer: str) -> None:
    assert told(stud({1: None}, dealer)) == [
        (1, "ante", "lose", 10_00, 0, "4.3"),
        (1, "bet", "lose", 20_00, 0, "4.3"),
    ]


# Section 5: limits and wrong sizes


def test_s_5_1_1_an_ante_over_the_maximum_wins_and_loses_on_the_maximum() -> None:
    assert told(stud({1: NINES, 2: QUEEN_HIGH}, ACE_KING, ante=80_00, maximum=50_00)) == [
        (1, "ante", "returned", 30_00, 30_00, "5.1.1"),
        (1, "ante", "win", 50_00, 100_00, "3.14.1"),
        (1, "bet", "returned", 60_00, 60_00, "5.3.1"),
        (1, "bet", "win", 100_00, 200_00, "3.14.1"),
        (2, "ante", "returned", 30_00, 30_00, "5.1.1"),
        (2, "ante", "lose", 50_00, 0, "3.14.2"),
        (2, "bet", "returned", 60_00, 60_00, "5.3.1"),
        (2, "bet", "lose", 100_00, 0, "3.14.2"),
    ]


def test_s_5_1_1_a_fold_loses_the_maximum_and_no_more() -> None:
    assert told(stud({1: NINES}, "", FOLDS, ante=80_00, maximum=50_00)) == [
        (1, "ante", "returned", 30_00, 30_00, "5.1.1"),
        (1, "ante", "lose", 50_00, 0, "3.12.1"),
    ]


def test_s_5_2_1_an_ante_under_the_minimum_wins_and_loses_as_it_lies() -> None:
    assert told(stud({1: NINES, 2: QUEEN_HIGH}, ACE_KING, minimum=25_00, maximum=50_00)) == [
        (1, "ante", "win", 10_00, 20_00, "3.14.1"),
        (1, "bet", "win", 20_00, 40_00, "3.14.1"),
        (2, "ante", "lose", 10_00, 0, "3.14.2"),
        (2, "bet", "lose", 20_00, 0, "3.14.2"),
    ]


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        (NINES, ("win", 20_00, 40_00, "3.14.1")),
        (QUEEN_HIGH, ("lose", 20_00, 0, "3.14.2")),
        ("As Kc 8d 5c 3h", ("stand_off", 20_00, 20_00, "3.14.3")),
    ],
)
def test_s_5_3_1_of_a_bet_over_twice_the_ante_the_excess_goes_back(
    cards: str, line: tuple[str, int, int, str]
) -> None:
    assert told(stud({1: cards}, ACE_KING, MainGame(bet=27_50)))[1:] == [
        (1, "bet", "returned", 7_50, 7_50, "5.3.1"),
        (1, "bet", *line),
    ]


def test_s_5_3_1_what_is_left_of_it_is_paid_up_to_the_limit() -> None:
    assert told(stud({1: ROYAL}, ACE_KING, MainGame(bet=1_500_00), ante=500_00))[1:] == [
        (1, "bet", "returned", 500_00, 500_00, "5.3.1"),
        (1, "bet", "win", 1_000_00, 101_000_00, "4.1.1"),
    ]


@pytest.mark.parametrize(
    ("cards", "payout", "outcome"), [(NINES, 30_00, "win"), (QUEEN_HIGH, 0, "lose"), ("", 0, "lose")]
)
def test_s_5_3_2_a_bet_under_twice_the_ante_wins_and_loses_as_it_lies(
    cards: str, payout: int, outcome: str
) -> None:
    ante, bet = stud({1: cards or None}, ACE_KING, MainGame(bet=15_00))
    assert (bet.outcome.value, bet.stake, bet.payout) == (outcome, 15_00, payout)
    assert (ante.outcome.value, ante.stake) == (outcome, 10_00)


def test_s_5_3_2_it_too_is_paid_up_to_the_limit() -> None:
    bet = stud({1: ROYAL}, ACE_KING, MainGame(bet=900_00), ante=500_00)[1]
    assert told([bet]) == [(1, "bet", "win", 900_00, 100_900_00, "4.1.1")]


def test_s_5_5_who_walks_away_before_the_bet_loses_the_ante() -> None:
    lines = stud({1: "Ah Ad As Ac Kh", 2: "9c 9d 4h 7s 2d"}, OUT, {1: LEAVES, 2: STAYS})
    assert told(lines)[0] == (1, "ante", "lose", 10_00, 0, "5.5")
    assert outcomes(lines)[1:] == [(2, "ante", "win"), (2, "bet", "returned")]


@pytest.mark.parametrize(
    ("dealer", "lines"),
    [
        (ACE_KING, [("win", 20_00, "3.14.1"), ("win", 40_00, "3.14.1")]),
        (OUT, [("win", 20_00, "3.13"), ("returned", 20_00, "3.13")]),
        ("Tc Td 8h 5s 3c", [("lose", 0, "3.14.2"), ("lose", 0, "3.14.2")]),
    ],
)
def test_s_5_6_who_walks_away_after_the_bet_is_settled_like_anybody(
    dealer: str, lines: list[tuple[str, int, str]]
) -> None:
    found = stud({1: NINES}, dealer, MainGame(bet=20_00, decision="walk_away"))
    assert [(line.outcome.value, line.payout, line.rule) for line in found] == lines


@pytest.mark.parametrize("placed", [MainGame(bet=20_00), STAYS])
def test_s_5_6_a_bet_stays_where_it_lies_when_its_player_is_said_to_leave(placed: MainGame) -> None:
    table = Table(STUD)
    table.bets({1: 10_00})
    table.hands({1: NINES}, {1: placed})
    answer = table.hands({1: NINES}, {1: LEAVES}, dealer=ACE_KING)
    assert told(answer.settlement) == SETTLED[:2]
    assert told(table.floor.void("t1").settlement) == ALL_BACK[:2]


# Section 5: what goes wrong, and what becomes of the main game


def test_s_5_7_1_a_lost_ante_is_an_outcome_and_the_round_is_concluded(played: Played) -> None:
    assert played.report(dealer="") == [SETTLED[-1]]
    assert played.refused(played.floor.void, "t1", "5.7.2") == ("outcome_established", "5.7.1")
    assert played.declare("5.7", note="the lights went out").consequence.rule == "5.7.1"
    assert played.report(final=True) == SETTLED


@pytest.mark.parametrize("dealer", [ACE_KING, OUT])
def test_s_5_7_1_a_won_ante_is_an_outcome_too(dealer: str) -> None:
    table = Table(STUD)
    table.bets({1: 10_00, 2: 10_00})
    lines = table.hands({1: NINES, 2: QUEEN_HIGH}, {1: STAYS}, dealer=dealer).settlement
    assert "lose" not in {line.outcome.value for line in lines}
    assert table.refused(table.floor.void, "t1", "5.7.2") == ("outcome_established", "5.7.1")
    assert table.declare("5.7", note="the lights went out").consequence.rule == "5.7.1"


def test_s_5_7_2_with_bets_placed_and_nothing_won_or_lost_all_go_back() -> None:
    table = Table(STUD)
    table.bets({1: 10_00, 2: 10_00})
    assert table.hands({1: NINES, 2: QUEEN_HIGH}, {1: STAYS}, dealer="Ac").settlement == ()
    answer = table.declare("5.7", note="the lights went out")
    assert (answer.consequence.rule, told(answer.settlement)) == (
        "5.7.2",
        [*ALL_BACK[:2], (2, "ante", "returned", 10_00, 10_00, "5.22")],
    )


def test_s_5_8_1_a_card_of_no_deck_is_refused_and_the_round_voided(played: Played) -> None:
    played.report()
    code, _ = played.refused(played.hands, {1: "9c 9d Kh 7s 1d"}, {1: STAYS}, dealer=ACE_KING)
    answer = played.declare("5.8.1")
    assert (code, told(answer.settlement), changed(answer.adjustments)) == ("card_unknown", ALL_BACK, UNDONE)


def test_s_5_8_2_two_cards_exposed_before_any_is_seen_void_the_round(played: Played) -> None:
    played.report(dealer="Ac")
    answer = played.declare("5.8.2", cards_seen=False)
    assert told(answer.settlement) == ALL_BACK
    assert changed(answer.adjustments) == [(3, "ante", 0, 10_00, 10_00)]


def test_s_5_8_3_a_card_too_many_is_refused_and_the_round_voided(played: Played) -> None:
    played.report()
    code, _ = played.refused(played.report, dealer="9c Kd 8h 5s 3c")
    answer = played.declare("5.8.3")
    assert (code, told(answer.settlement), changed(answer.adjustments)) == ("card_repeated", ALL_BACK, UNDONE)


def test_s_5_8_4_a_hand_that_the_shoe_cannot_complete_is_refused_and_the_round_voided(played: Played) -> None:
    code, rule = played.refused(played.hands, {1: NINES, 2: "Qc Jd 8s"}, {1: STAYS}, dealer=ACE_KING)
    assert (code, rule) == ("wrong_number_of_cards", "5.15")
    antes = [line for line in ALL_BACK if line[1] == "ante"]
    assert told(played.declare("5.8.4").settlement) == antes


def test_s_5_8_5_cards_not_shuffled_void_the_round_and_undo_its_settlement(played: Played) -> None:
    assert played.report() == SETTLED
    answer = played.declare("5.8.5")
    assert (told(answer.settlement), changed(answer.adjustments)) == (ALL_BACK, UNDONE)


def test_s_5_8_6_a_wrong_deal_that_nobody_saw_voids_the_round(played: Played) -> None:
    played.report()
    answer = played.declare("5.8.6", cards_seen=False, reconstructed=False)
    assert (told(answer.settlement), changed(answer.adjustments)) == (ALL_BACK, UNDONE)


def test_s_5_8_7_a_dealer_with_six_cards_voids_the_round(played: Played) -> None:
    played.report(dealer="")
    assert played.refused(played.report, dealer=f"{ACE_KING} 3s") == ("wrong_number_of_cards", "5.8.7")
    answer = played.declare("5.8.7", reconstructed=False)
    assert (answer.state, told(answer.settlement)) == (RoundState.VOIDED, ALL_BACK)


def test_s_5_9_after_a_missing_burnt_card_each_player_goes_on_or_has_his_bets_back(played: Played) -> None:
    played.report(dealer="")
    choices = {1: CONTINUE, 2: RETURN, 3: CONTINUE}
    played.declare("5.9", cards_seen=False, reconstructed=True, choices=choices)
    main = {1: STAYS, 3: FOLDS}
    answer = played.hands({1: NINES, 3: "Jc 9s 6d 5c 2h"}, main, dealer=ACE_KING)
    assert told(answer.settlement) == [
        *SETTLED[:2],
        (2, "ante", "returned", 10_00, 10_00, "5.10.3"),
        (2, "bet", "returned", 20_00, 20_00, "5.10.3"),
        SETTLED[4],
    ]


def test_s_5_10_1_a_hand_that_goes_on_is_settled_as_it_is(played: Played) -> None:
    played.declare("5.10", boxes=(1, 2), reconstructed=False, choices={1: CONTINUE, 2: CONTINUE})
    assert played.report(final=True) == SETTLED


def test_s_5_10_2_a_reconstructed_hand_is_settled_in_place_of_the_one_reported(played: Played) -> None:
    played.report()
    played.declare("5.10", boxes=(1, 2), reconstructed=True, choices={1: CONTINUE, 2: CONTINUE})
    hands = {1: QUEEN_HIGH, 2: NINES, 3: "Jc 9s 6d 5c 2h"}
    answer = played.hands(hands, {1: STAYS, 2: STAYS, 3: FOLDS}, dealer=ACE_KING)
    assert changed(answer.adjustments) == [
        (1, "ante", 20_00, 0, -20_00),
        (1, "bet", 40_00, 0, -40_00),
        (2, "ante", 0, 20_00, 20_00),
        (2, "bet", 0, 40_00, 40_00),
    ]


def test_s_5_10_3_a_player_has_ante_and_bet_back(played: Played) -> None:
    played.report()
    answer = played.declare("5.10", boxes=(1, 2), reconstructed=False, choices={1: RETURN, 2: RETURN})
    assert told(answer.settlement) == [
        (1, "ante", "returned", 10_00, 10_00, "5.10.3"),
        (1, "bet", "returned", 20_00, 20_00, "5.10.3"),
        (2, "ante", "returned", 10_00, 10_00, "5.10.3"),
        (2, "bet", "returned", 20_00, 20_00, "5.10.3"),
        SETTLED[4],
    ]
    assert changed(answer.adjustments) == UNDONE[:4]


@pytest.mark.parametrize("antes", [{1: 20_00, 2: 10_00, 3: 10_00}, {1: 10_00, 2: 10_00}])
def test_s_5_11_no_ante_is_raised_or_withdrawn_once_bets_are_closed(
    played: Played, antes: dict[int, int]
) -> None:
    assert played.refused(played.floor.bets, "t1", {}, round=1, ante=antes)[0] == "conflict"
    assert played.report() == SETTLED


def test_s_5_15_a_hand_of_a_wrong_number_of_cards_has_ante_and_bet_back(played: Played) -> None:
    played.report()
    answer = played.declare("5.15", reconstructed=False, boxes=(2,))
    assert told(answer.settlement) == [
        *SETTLED[:2],
        (2, "ante", "returned", 10_00, 10_00, "5.15"),
        (2, "bet", "returned", 20_00, 20_00, "5.15"),
        SETTLED[4],
    ]
    assert changed(answer.adjustments) == UNDONE[2:4]


def test_s_5_15_a_table_may_say_so_with_the_hands_of_the_others(played: Played) -> None:
    main = {1: STAYS, 2: STAYS, 3: FOLDS}
    answer = played.hands({1: NINES, 2: ("5.15",), 3: None}, main, dealer=ACE_KING)
    assert told(answer.settlement)[2:4] == [
        (2, "ante", "returned", 10_00, 10_00, "5.15"),
        (2, "bet", "returned", 20_00, 20_00, "5.15"),
    ]


def test_s_5_17_a_jackpot_out_of_order_before_cards_are_seen_gives_the_antes_back(played: Played) -> None:
    played.floor.malfunction("t1", seen={"t1": False})
    antes = [line for line in ALL_BACK if line[1] == "ante"]
    assert told(played.floor.void("t1", "5.17").settlement) == antes


def test_s_5_18_1_out_of_order_after_that_the_main_game_is_paid_by_its_pay_table(played: Played) -> None:
    played.floor.malfunction("t1", seen={"t1": True})
    assert played.report(final=True) == SETTLED


def test_s_5_18_2c_the_game_goes_on_without_the_jackpot(played: Played) -> None:
    played.report(final=True)
    played.floor.malfunction("t1", then=Then.PROGRESSIVE_OFF)
    answer = played.floor.bets("t1", [1], ante=10_00)
    assert [(one.box, one.code) for one in answer.returned] == [(1, "progressive_off")]
    assert told(played.hands({1: NINES}, {1: STAYS}, dealer=ACE_KING).settlement) == SETTLED[:2]


def test_s_5_19_an_additional_hand_examined_has_its_bets_back_and_the_first_is_settled(
    played: Played,
) -> None:
    played.report()
    answer = played.declare("5.19", boxes=(2,), note="looked into both hands")
    assert told(answer.settlement)[:4] == [
        *SETTLED[:2],
        (2, "ante", "returned", 10_00, 10_00, "5.19"),
        (2, "bet", "returned", 20_00, 20_00, "5.19"),
    ]


def test_s_5_20_a_settled_main_game_stands(played: Played) -> None:
    assert played.report(final=True) == SETTLED
    assert played.refused(played.report, dealer=OUT) == ("round_stands", "5.20")
    played.bets({1: 10_00})
    assert played.refused(played.report, round=1, dealer=OUT) == ("round_stands", "5.20")


def test_s_5_21_an_ante_is_settled_on_the_box_where_it_lay() -> None:
    table = Table(STUD)
    table.bets({1: 10_00, 2: 30_00})
    lines = table.hands({1: NINES, 2: QUEEN_HIGH}, {1: STAYS, 2: STAYS}, dealer=ACE_KING).settlement
    assert [(line.box, line.stake, line.payout) for line in lines] == [
        (1, 10_00, 20_00),
        (1, 20_00, 40_00),
        (2, 30_00, 0),
        (2, 60_00, 0),
    ]


def test_s_5_22_a_void_returns_every_bet_in_full_whatever_it_played_for() -> None:
    table = Table(STUD, maximum=50_00)
    table.bets({1: 80_00})
    main = {1: MainGame(bet=170_00)}
    before = table.hands({1: NINES}, main, dealer=ACE_KING).settlement
    after = table.floor.void("t1", "5.8.5")
    assert (sum(line.payout for line in before), sum(line.payout for line in after.settlement)) == (
        400_00,
        250_00,
    )
    assert told(after.settlement) == [
        (1, "ante", "returned", 80_00, 80_00, "5.22"),
        (1, "bet", "returned", 170_00, 170_00, "5.22"),
    ]
    assert changed(after.adjustments) == [
        (1, "ante", 130_00, 80_00, -50_00),
        (1, "bet", 270_00, 170_00, -100_00),
    ]


@pytest.mark.parametrize(
    ("resolution", "lines"), [(Resolution.VOID, ALL_BACK), (Resolution.CONTINUE, SETTLED)]
)
def test_s_5_24_the_house_decides_what_becomes_of_the_bets(
    played: Played, resolution: Resolution, lines: list[Told]
) -> None:
    played.report()
    answer = played.declare("5.24", resolution=resolution, note="a cat on the table")
    assert told(answer.settlement) == lines


# The same, over the wire


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path, maximum=50_00) as found:
        yield found


async def test_s_3_14_over_the_wire_each_box_is_told_win_lose_and_stand_off(house: House) -> None:
    hands: list[Json] = [
        {"cards": "7c 7d 4h 4s 2d", "decision": "bet"},
        {"cards": QUEEN_HIGH, "bet": 20_00},
        {"cards": "As Kc 8d 5c 3h", "decision": "bet"},
        {"cards": "Jc 9s 6d 6s 2h", "folded": True},
        {"revealed": False, "decision": "bet"},
    ]
    assert await said_over_the_wire(house, "s1", [TEN] * 5, hands, dealer=ACE_KING) == [
        (1, "ante", "win", 10_00, "1 to 1", 20_00, "3.14.1"),
        (1, "bet", "win", 20_00, "2 to 1", 60_00, "3.14.1"),
        (2, "ante", "lose", 10_00, None, 0, "3.14.2"),
        (2, "bet", "lose", 20_00, None, 0, "3.14.2"),
        (3, "ante", "stand_off", 10_00, None, 10_00, "3.14.3"),
        (3, "bet", "stand_off", 20_00, None, 20_00, "3.14.3"),
        (4, "ante", "lose", 10_00, None, 0, "3.12.1"),
        (5, "ante", "lose", 10_00, None, 0, "4.3"),
        (5, "bet", "lose", 20_00, None, 0, "4.3"),
    ]


async def test_s_5_3_1_over_the_wire_excess_over_maximum_and_twice_the_ante_goes_back(house: House) -> None:
    hands = [{"cards": NINES, "bet": 160_00}, {"cards": "7c 7d 4h 4s 2c", "bet": 25_00}]
    assert await said_over_the_wire(house, "s1", [{"ante": 80_00}, TEN], hands, dealer=ACE_KING) == [
        (1, "ante", "returned", 30_00, None, 30_00, "5.1.1"),
        (1, "ante", "win", 50_00, "1 to 1", 100_00, "3.14.1"),
        (1, "bet", "returned", 60_00, None, 60_00, "5.3.1"),
        (1, "bet", "win", 100_00, "1 to 1", 200_00, "3.14.1"),
        (2, "ante", "win", 10_00, "1 to 1", 20_00, "3.14.1"),
        (2, "bet", "returned", 5_00, None, 5_00, "5.3.1"),
        (2, "bet", "win", 20_00, "2 to 1", 60_00, "3.14.1"),
    ]


async def test_s_5_7_1_over_the_wire_a_round_with_a_lost_ante_is_not_voided(house: House) -> None:
    hands = [{"cards": NINES, "decision": "walk_away"}]
    lines = await said_over_the_wire(house, "s1", [TEN], hands)
    assert lines == [(1, "ante", "lose", 10_00, None, 0, "5.5")]
    problem = refused(await put(house, "s1", "void", {"reason": "5.7.2"}), 409, "outcome_established")
    assert problem["rule"] == "5.7.1"


async def test_s_5_10_3_over_the_wire_a_supervisor_gives_the_bets_back(house: House) -> None:
    hands = [{"cards": NINES, "decision": "bet"}, {"cards": QUEEN_HIGH, "decision": "bet"}]
    before = await said_over_the_wire(house, "s1", [TEN, TEN], hands, dealer=ACE_KING)
    said = {"paragraph": "5.10", "reconstructed": False, "boxes": [1], "choices": {"1": "return"}}
    answer = await house.does("/v1/tables/s1/rounds/1/irregularities", "sue", said)
    assert answer["consequence"]["boxes"][0]["returned"] == [
        {"wager": "ante", "amount": 10_00},
        {"wager": "bet", "amount": 20_00},
    ]
    evidence = await house.told("/v1/tables/s1/rounds/1")
    assert on_the_wire(evidence["settlement"]) == [
        (1, "ante", "returned", 10_00, None, 10_00, "5.10.3"),
        (1, "bet", "returned", 20_00, None, 20_00, "5.10.3"),
        *before[2:],
    ]
    assert [one["difference"] for one in evidence["adjustments"]] == [-10_00, -20_00]
