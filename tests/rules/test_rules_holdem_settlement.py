"""Texas Hold'em: what the main game pays, collects and returns, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from jackpot.games.irregularities import Choice, Resolution
from jackpot.games.lines import Line, Wager
from jackpot.link.rounds import MainGame, RoundState
from jackpot.link.state import Then
from tests.floor import HOLDEM
from tests.house import House, Json, a_house, put, refused
from tests.main_game import (
    FOLDS,
    LEAVES,
    NEIGHBOURS,
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
BOARD = "2c 7d 9s Jc 3h"
NINES = "9h 5d"
JACKS = "Jh Js"
ACE_HIGH = "Ad 4c"
ALL_IN = MainGame(flop=20_00, turn=10_00, river=10_00)
"""Each bet in the size prescribed for an Ante of 10.00."""
CHECKS = MainGame(flop=20_00, turn=0, river=0)
SETTLED: list[Told] = [
    (1, "ante", "returned", 10_00, 10_00, "3.13"),
    (1, "flop", "win", 20_00, 40_00, "3.13"),
    (1, "turn", "win", 10_00, 20_00, "3.13"),
    (1, "bonus", "win", 5_00, 55_00, "4.1"),
    (2, "ante", "lose", 10_00, 0, "3.14"),
    (2, "flop", "lose", 20_00, 0, "3.14"),
    (2, "river", "lose", 10_00, 0, "3.14"),
    (2, "bonus", "lose", 5_00, 0, "4.1"),
    (3, "ante", "lose", 10_00, 0, "3.11.2"),
    (3, "bonus", "lose", 5_00, 0, "3.11.2"),
]
BEFORE_THE_DEALER = [SETTLED[3], *SETTLED[7:]]
"""What the hole cards and a fold decide alone."""


def back(rule: str, *boxes: int) -> list[Told]:
    """All that the boxes of that round have placed."""
    placed = [
        *[(1, "ante", 10_00), (1, "flop", 20_00), (1, "turn", 10_00), (1, "bonus", 5_00)],
        *[(2, "ante", 10_00), (2, "flop", 20_00), (2, "river", 10_00), (2, "bonus", 5_00)],
        *[(3, "ante", 10_00), (3, "bonus", 5_00)],
    ]
    return [(box, wager, "returned", sum_, sum_, rule) for box, wager, sum_ in placed if box in boxes]


ALL_BACK = back("5.21", 1, 2, 3)
UNDONE = [
    (1, "flop", 40_00, 20_00, -20_00),
    (1, "turn", 20_00, 10_00, -10_00),
    (1, "bonus", 55_00, 5_00, -50_00),
    (2, "ante", 0, 10_00, 10_00),
    (2, "flop", 0, 20_00, 20_00),
    (2, "river", 0, 10_00, 10_00),
    (2, "bonus", 0, 5_00, 5_00),
    (3, "ante", 0, 10_00, 10_00),
    (3, "bonus", 0, 5_00, 5_00),
]
PLACED_BEFORE_THE_DEAL = [line for line in ALL_BACK if line[1] in ("ante", "bonus")]


def holdem(hands: Hands, dealer: str, *said: Any, board: str = BOARD, **more: Any) -> tuple[Line, ...]:
    return settled(HOLDEM, hands, *said, dealer=dealer, community=board, **more)


def duel(player: str, dealer: str, board: str) -> str:
    """The outcome of one box's Flop."""
    return holdem({1: player}, dealer, CHECKS, board=board)[1].outcome.value


def bonus(own: str, dealer: str, *said: Any, stake: int = 10_00, **more: Any) -> Line:
    lines = holdem({1: own}, dealer, *(said or (CHECKS,)), bonus=stake, **more)
    return next(line for line in lines if line.wager is Wager.BONUS)


class Played(Table):
    """Each box has an Ante and a Bonus. Box 1 makes three jacks, bets the Turn and checks the River; box 2
    has ace high, checks the Turn and bets the River; box 3 folds. The dealer has a pair of nines."""

    def __init__(self) -> None:
        super().__init__(HOLDEM)
        self.bets({1: 10_00, 2: 10_00, 3: 10_00}, bonus={1: 5_00, 2: 5_00, 3: 5_00})

    def report(self, **more: Any) -> list[Told]:
        said: dict[str, Any] = {"dealer": NINES, "community": BOARD} | more
        return told(self.hands({1: JACKS, 2: ACE_HIGH, 3: "8h 6c"}, self.main, **said).settlement)

    @property
    def main(self) -> dict[int, MainGame]:
        first = MainGame(flop=20_00, turn=10_00, river=0)
        return {1: first, 2: MainGame(decision="bet", turn=0, river=10_00), 3: FOLDS}


@pytest.fixture
def played() -> Played:
    return Played()


# Section 1: what the main game takes from the definitions


@pytest.mark.parametrize(
    ("own", "dealer", "board", "outcome"),
    [
        ("9c 8d", "Kc Kd", "7h 6s 5c Kh 2d", "win"),
        ("Tc 2s", "Kc Kh", "9h 8h 7c 6d Ks", "win"),
        ("2c 3d", "4c 4d", "Ah Kh Qh Jh Th", "stand_off"),
        ("Ac Ad", "2s 3s", "Kh Kd Kc Qh Qs", "win"),
    ],
)
def test_h_1_10_a_hand_is_the_best_five_of_own_and_community_cards(
    own: str, dealer: str, board: str, outcome: str
) -> None:
    assert duel(own, dealer, board) == outcome


def test_h_1_11_a_flop_is_twice_the_ante() -> None:
    lines = holdem({1: JACKS}, NINES, MainGame(decision="bet", turn=0, river=0), ante=35_00)
    assert told(lines)[1:] == [(1, "flop", "win", 70_00, 140_00, "3.13")]


# Section 3: how to play


def test_h_3_1_the_higher_ranking_hand_wins() -> None:
    assert duel("Kc Kd", "Qc Qd", BOARD) == "win"
    assert duel("Qc Qd", "Kc Kd", BOARD) == "lose"
    assert duel("Kc Kd", "7c 3c", BOARD) == "lose"


def test_h_3_1_1_all_suits_have_the_same_rank() -> None:
    assert duel("As Qs", "Ac Qc", "Kd 8s 5h 3d 2h") == "stand_off"


@pytest.mark.parametrize(("higher", "lower"), NEIGHBOURS)
def test_h_3_1_1_cards_rank_from_ace_to_two(higher: str, lower: str) -> None:
    board = aside("shdcs", higher, lower)
    first, second = f"{higher}c {higher}d", f"{lower}h {lower}s"
    assert duel(first, second, board) == "win"
    assert duel(second, first, board) == "lose"


def test_h_3_1_1_an_ace_counts_one_in_five_to_ace_and_only_there() -> None:
    board = "5c 4d 3c Kh Kd"
    assert duel("As 2h", "6c 2d", board) == "lose"
    assert duel("As 2h", "Kc Qd", board) == "win"
    assert duel("As Qh", "Ah Jc", "3d 2s Kc 9d 8h") == "win"
    ante = holdem({1: "As Qh"}, "Ah Jc", CHECKS, board="3d 2s Kc 9d 8h")[0]
    assert ante.outcome.value == "returned"


LADDER = [
    ("Ad Kd", "9d 8d", "Qd Jd Td 2c 3s"),
    ("Jc 7c", "8h 8s", "Tc 9c 8c 8d 2s"),
    ("Kd Ks", "Jd 4c", "Kc Kh Js Jh 4d"),
    ("Kc 9d", "Jh 3h", "Kh 9h 5h Ks 2c"),
    ("Ah 3h", "Tc 6d", "9h 8h 7c 2h Kd"),
    ("2h As", "Qh Qd", "5c 4d 3c Qs 9h"),
    ("Qh Qd", "8c 7s", "Qs 8h 3d 7c 2h"),
    ("7h 4h", "Jc Th", "7s 4c Jd Kh 2s"),
    ("Tc 2h", "Qc 4s", "Td Kd 6h 3s 8c"),
]
"""Two hands and a board, by which the first has a royal flush and the second a straight flush; and so on down
the list of 3.1.2 to one pair against five odd cards."""


@pytest.mark.parametrize(("higher", "lower", "board"), LADDER)
def test_h_3_1_2_each_kind_of_hand_beats_the_next(higher: str, lower: str, board: str) -> None:
    assert duel(higher, lower, board) == "win"
    assert duel(lower, higher, board) == "lose"


@pytest.mark.parametrize(
    ("higher", "lower", "board"),
    [
        ("Kd Qs", "8s 7c", "Jc Td 9h 2s 3c"),
        ("5d Kh", "5h Qs", "5c Td 2h 8s 7c"),
        ("Jh 3d", "Ts 4h", "Ac Kd 7h 5s 2c"),
    ],
)
def test_h_3_1_3_hands_of_one_kind_are_told_apart_by_their_cards(higher: str, lower: str, board: str) -> None:
    assert duel(higher, lower, board) == "win"
    assert duel(lower, higher, board) == "lose"


def test_h_3_6_a_flop_without_an_ante_takes_no_part() -> None:
    table = Table(HOLDEM)
    table.bets({1: 0, 2: 10_00})
    answer = table.hands({1: JACKS, 2: "Kc Kd"}, {1: ALL_IN, 2: CHECKS}, dealer=NINES, community=BOARD)
    assert told(answer.settlement) == [
        (1, "flop", "returned", 20_00, 20_00, "3.6"),
        (1, "turn", "returned", 10_00, 10_00, "3.6"),
        (1, "river", "returned", 10_00, 10_00, "3.6"),
        (2, "ante", "returned", 10_00, 10_00, "3.13"),
        (2, "flop", "win", 20_00, 40_00, "3.13"),
    ]


def test_h_3_7_a_hand_not_examined_is_bet_on_blind_and_settled_on_its_own_cards() -> None:
    main = {
        1: MainGame(flop=20_00, turn=0, river=0, examined=True, player="p1"),
        2: MainGame(flop=20_00, turn=0, river=0, examined=False, player="p1"),
        3: MainGame(flop=25_00, turn=0, river=0, examined=False, player="p1"),
    }
    assert told(holdem({1: ACE_HIGH, 2: JACKS, 3: "Kc Kd"}, NINES, main)) == [
        (1, "ante", "lose", 10_00, 0, "3.14"),
        (1, "flop", "lose", 20_00, 0, "3.14"),
        (2, "ante", "returned", 10_00, 10_00, "3.13"),
        (2, "flop", "win", 20_00, 40_00, "3.13"),
        (3, "ante", "returned", 10_00, 10_00, "3.13"),
        (3, "flop", "returned", 5_00, 5_00, "5.3.1"),
        (3, "flop", "win", 20_00, 40_00, "3.13"),
    ]


def test_h_3_9_a_bonus_without_an_ante_goes_back() -> None:
    table = Table(HOLDEM)
    table.bets({1: 0}, bonus={1: 5_00})
    answer = table.hands({1: "Ah As"}, {}, dealer=NINES, community=BOARD)
    assert told(answer.settlement) == [(1, "bonus", "returned", 5_00, 5_00, "3.9")]


def test_h_3_9_the_bonus_does_not_ask_who_wins() -> None:
    board = "2c 7d 9s Tc 3h"
    winner, loser = holdem({1: "Kc Td"}, NINES, CHECKS, bonus=5_00, board=board), bonus("5c 5s", NINES)
    assert outcomes(winner) == [(1, "ante", "returned"), (1, "flop", "win"), (1, "bonus", "lose")]
    assert (loser.outcome.value, loser.pays) == ("win", "3 to 1")
    assert duel("5c 5s", NINES, BOARD) == "lose"


@pytest.mark.parametrize("board", [BOARD[:8], BOARD])
def test_h_3_11_2_a_fold_loses_ante_and_bonus(board: str) -> None:
    assert told(holdem({1: "Ah As"}, "", FOLDS, bonus=5_00, board=board)) == [
        (1, "ante", "lose", 10_00, 0, "3.11.2"),
        (1, "bonus", "lose", 5_00, 0, "3.11.2"),
    ]


def test_h_3_11_2_who_places_a_flop_is_in_for_the_finish() -> None:
    understood, said = [
        holdem({1: JACKS}, NINES, MainGame(flop=flop, turn=0, river=0, decision="bet"))
        for flop in (None, 20_00)
    ]
    assert understood == said
    assert outcomes(said) == [(1, "ante", "returned"), (1, "flop", "win")]


def won(lines: tuple[Line, ...]) -> list[tuple[str, int]]:
    """The wagers that win, each with its stake."""
    return [(line.wager.value, line.stake) for line in lines if line.outcome.value == "win"]


def with_jacks(turn: int, river: int) -> list[tuple[str, int]]:
    return won(holdem({1: JACKS}, NINES, MainGame(flop=20_00, turn=turn, river=river)))


@pytest.mark.parametrize("dealer", ["", NINES])
def test_h_3_11_2_a_flop_of_nothing_is_a_fold(dealer: str) -> None:
    lines = holdem({1: JACKS}, dealer, MainGame(flop=0), bonus=5_00)
    assert told(lines) == [(1, "ante", "lose", 10_00, 0, "3.11.2"), (1, "bonus", "lose", 5_00, 0, "3.11.2")]


def test_h_3_11_3_a_turn_is_placed_or_the_player_checks() -> None:
    assert with_jacks(10_00, 0) == [("flop", 20_00), ("turn", 10_00)]
    assert with_jacks(0, 0) == [("flop", 20_00)]


def test_h_3_11_4_a_river_is_placed_or_the_player_checks() -> None:
    assert with_jacks(10_00, 10_00) == [("flop", 20_00), ("turn", 10_00), ("river", 10_00)]
    assert with_jacks(0, 10_00) == [("flop", 20_00), ("river", 10_00)]


@pytest.mark.parametrize(("dealer", "board"), [("", BOARD), ("9h", BOARD), (NINES, BOARD[:11])])
def test_h_3_11_6_nothing_is_compared_before_all_cards_are_known(dealer: str, board: str) -> None:
    assert holdem({1: JACKS}, dealer, ALL_IN, board=board, final=False) == ()
    assert len(holdem({1: JACKS}, NINES, ALL_IN)) == 4


def test_h_3_12_3_with_a_shuffler_a_fold_loses_ante_and_bonus_though_all_cards_are_dealt() -> None:
    lines = holdem({1: "Ah As", 2: JACKS}, "Ac Ad", {1: FOLDS, 2: CHECKS}, bonus=5_00)
    assert outcomes(lines)[:3] == [(1, "ante", "lose"), (1, "bonus", "lose"), (2, "ante", "returned")]


def step_by_step(*steps: tuple[MainGame, str]) -> list[tuple[str, int]]:
    """A shuffler has dealt everything, and it is shown card by card: what is told at the end, and before that
    nothing."""
    table = Table(HOLDEM)
    table.bets({1: 10_00})
    for said, shown in steps:
        assert table.hands({1: JACKS}, {1: said}, community=shown).settlement == ()
    return won(table.hands({1: JACKS}, {1: steps[-1][0]}, community=BOARD, dealer=NINES).settlement)


def test_h_3_12_4_with_a_shuffler_a_turn_is_placed_once_the_flop_is_shown_or_the_player_checks() -> None:
    flop = (MainGame(flop=20_00), BOARD[:8])
    placed, checked = [(MainGame(flop=20_00, turn=turn), BOARD[:11]) for turn in (10_00, 0)]
    river = (MainGame(river=0), BOARD)
    assert step_by_step(flop, placed, river) == [("flop", 20_00), ("turn", 10_00)]
    assert step_by_step(flop, checked, river) == [("flop", 20_00)]


def test_h_3_12_5_with_a_shuffler_a_river_is_placed_once_the_turn_is_shown_or_the_player_checks() -> None:
    turn = (MainGame(flop=20_00, turn=0), BOARD[:11])
    placed, checked = [(MainGame(flop=20_00, turn=0, river=river), BOARD) for river in (10_00, 0)]
    assert step_by_step(turn, placed) == [("flop", 20_00), ("river", 10_00)]
    assert step_by_step(turn, checked) == [("flop", 20_00)]


def test_h_3_12_6_the_dealer_compares_with_each_hand() -> None:
    hands = {1: JACKS, 2: ACE_HIGH, 3: "9d 5c"}
    assert outcomes(holdem(hands, NINES, CHECKS)) == [
        (1, "ante", "returned"),
        (1, "flop", "win"),
        (2, "ante", "lose"),
        (2, "flop", "lose"),
        (3, "ante", "stand_off"),
        (3, "flop", "stand_off"),
    ]


@pytest.mark.parametrize(
    ("own", "board", "ante"),
    [
        ("Ad Kd", "Qd Jd Td 2c 3s", "win"),
        ("Jc 7c", "Tc 9c 8c 8d 2s", "win"),
        ("Kd Ks", "Kc Kh Js Jh 4d", "win"),
        ("Kc 9d", "Kh 9h 5h Ks 2c", "win"),
        ("Ah 3h", "9h 8h 7c 2h Kd", "win"),
        ("2h As", "5c 4d 3c Qs 9h", "win"),
        ("Qh Qd", "Qs 8h 3d 7c 2h", "returned"),
        ("7h 4h", "7s 4c Jd Kh 2s", "returned"),
        ("Tc 2h", "Td Kd 6h 3s 8c", "returned"),
        ("As Qh", "Kc 9d 8h 3d 2s", "returned"),
    ],
)
def test_h_3_13_a_winning_ante_is_paid_from_a_straight_up_and_else_goes_back(
    own: str, board: str, ante: str
) -> None:
    lines = holdem({1: own}, "6s 5s", ALL_IN, board=board)
    assert told(lines) == [
        (1, "ante", ante, 10_00, 20_00 if ante == "win" else 10_00, "3.13"),
        (1, "flop", "win", 20_00, 40_00, "3.13"),
        (1, "turn", "win", 10_00, 20_00, "3.13"),
        (1, "river", "win", 10_00, 20_00, "3.13"),
    ]


def test_h_3_14_a_lower_hand_loses_ante_flop_turn_and_river() -> None:
    assert told(holdem({1: ACE_HIGH}, NINES, ALL_IN)) == [
        (1, "ante", "lose", 10_00, 0, "3.14"),
        (1, "flop", "lose", 20_00, 0, "3.14"),
        (1, "turn", "lose", 10_00, 0, "3.14"),
        (1, "river", "lose", 10_00, 0, "3.14"),
    ]


@pytest.mark.parametrize(
    ("own", "dealer", "line"),
    [("9d 5c", NINES, ("lose", 5_00, 0)), ("8c 8s", "8d 8h", ("win", 5_00, 20_00))],
)
def test_h_3_15_equal_hands_stand_off_but_the_bonus_does_not(
    own: str, dealer: str, line: tuple[str, int, int]
) -> None:
    assert told(holdem({1: own}, dealer, ALL_IN, bonus=5_00)) == [
        (1, "ante", "stand_off", 10_00, 10_00, "3.15"),
        (1, "flop", "stand_off", 20_00, 20_00, "3.15"),
        (1, "turn", "stand_off", 10_00, 10_00, "3.15"),
        (1, "river", "stand_off", 10_00, 10_00, "3.15"),
        (1, "bonus", *line, "4.1"),
    ]


# Section 4: settlement


def test_h_4_1_flop_turn_river_and_an_ante_with_a_straight_are_paid_1_to_1() -> None:
    lines = holdem({1: "Th 8c"}, NINES, ALL_IN)
    assert [(line.wager.value, line.pays, line.won) for line in lines] == [
        ("ante", "1 to 1", 10_00),
        ("flop", "1 to 1", 20_00),
        ("turn", "1 to 1", 10_00),
        ("river", "1 to 1", 10_00),
    ]


LOW_PAIRS = ["Th Td", "9c 9d", "8h 8d", "7h 7c", "6h 6d", "5h 5c", "4h 4d", "3d 3c", "2h 2d"]


@pytest.mark.parametrize(
    ("own", "pays", "payout"),
    [
        ("Ah As", "30 to 1", 310_00),
        ("Ah Kh", "25 to 1", 260_00),
        ("Ks As", "25 to 1", 260_00),
        ("Ad Qd", "20 to 1", 210_00),
        ("Jd Ad", "20 to 1", 210_00),
        ("Ah Ks", "15 to 1", 160_00),
        ("Kd Kc", "10 to 1", 110_00),
        ("Qh Qs", "10 to 1", 110_00),
        ("Jh Js", "10 to 1", 110_00),
        ("Ac Qd", "5 to 1", 60_00),
        ("Jd Ah", "5 to 1", 60_00),
        *[(pair, "3 to 1", 40_00) for pair in LOW_PAIRS],
    ],
)
def test_h_4_1_a_bonus_is_paid_by_the_hole_cards(own: str, pays: str, payout: int) -> None:
    found = bonus(own, "9h 5d")
    assert (found.outcome.value, found.stake, found.pays, found.payout) == ("win", 10_00, pays, payout)


def test_h_4_1_two_aces_in_both_hands_are_paid_1000_to_1() -> None:
    both = bonus("Ah As", "Ac Ad")
    assert (both.pays, both.payout, both.rule) == ("1000 to 1", 10_010_00, "4.1")


@pytest.mark.parametrize("own", ["Ah Th", "As 2s", "Kh Qh", "Kh Qs", "Jh Th", "Kd 2h"])
def test_h_4_1_any_other_hole_cards_lose_the_bonus_even_against_aces(own: str) -> None:
    found = bonus(own, "Ac Ad")
    assert (found.outcome.value, found.payout, found.rule) == ("lose", 0, "4.1")


@pytest.mark.parametrize(
    ("own", "dealer", "stake", "payout", "rule"),
    [
        ("Ah As", "Ac Ad", 100_00, 100_100_00, "4.1"),
        ("Ah As", "Ac Ad", 100_01, 100_100_01, "4.1.1"),
        ("Ah As", "9h 5d", 5_000_00, 105_000_00, "4.1.1"),
        ("Ah Kh", "9h 5d", 4_000_00, 104_000_00, "4.1"),
    ],
)
def test_h_4_1_1_a_bonus_wins_no_more_than_100_000_dollars(
    own: str, dealer: str, stake: int, payout: int, rule: str
) -> None:
    found = bonus(own, dealer, stake=stake)
    assert (found.payout, found.rule) == (payout, rule)


def test_h_4_1_1_the_limit_is_for_each_box_and_only_for_the_bonus() -> None:
    stays = MainGame(flop=120_000_00, turn=0, river=0)
    lines = holdem({1: "Ah As", 2: "Kh Kc"}, NINES, stays, ante=60_000_00, bonus=20_000_00)
    assert told(lines) == [
        (1, "ante", "returned", 60_000_00, 60_000_00, "3.13"),
        (1, "flop", "win", 120_000_00, 240_000_00, "3.13"),
        (1, "bonus", "win", 20_000_00, 120_000_00, "4.1.1"),
        (2, "ante", "returned", 60_000_00, 60_000_00, "3.13"),
        (2, "flop", "win", 120_000_00, 240_000_00, "3.13"),
        (2, "bonus", "win", 20_000_00, 120_000_00, "4.1.1"),
    ]


@pytest.mark.parametrize("dealer", ["", NINES])
def test_h_4_3_cards_not_shown_lose_every_bet_as_a_fold_does(dealer: str) -> None:
    assert told(holdem({1: None}, dealer, ALL_IN, bonus=5_00)) == [
        (1, "ante", "lose", 10_00, 0, "4.3"),
        (1, "flop", "lose", 20_00, 0, "4.3"),
        (1, "turn", "lose", 10_00, 0, "4.3"),
        (1, "river", "lose", 10_00, 0, "4.3"),
        (1, "bonus", "lose", 5_00, 0, "4.3"),
    ]


# Section 5: limits and wrong sizes


def test_h_5_1_1_ante_and_bonus_over_the_maximum_win_and_lose_on_the_maximum() -> None:
    main = MainGame(flop=160_00, turn=80_00, river=0)
    lines = holdem({1: JACKS, 2: ACE_HIGH}, NINES, main, ante=80_00, bonus=60_00, maximum=50_00)
    assert told(lines) == [
        (1, "ante", "returned", 30_00, 30_00, "5.1.1"),
        (1, "ante", "returned", 50_00, 50_00, "3.13"),
        (1, "flop", "returned", 60_00, 60_00, "5.3.1"),
        (1, "flop", "win", 100_00, 200_00, "3.13"),
        (1, "turn", "returned", 30_00, 30_00, "5.3.1"),
        (1, "turn", "win", 50_00, 100_00, "3.13"),
        (1, "bonus", "returned", 10_00, 10_00, "5.1.1"),
        (1, "bonus", "win", 50_00, 550_00, "4.1"),
        (2, "ante", "returned", 30_00, 30_00, "5.1.1"),
        (2, "ante", "lose", 50_00, 0, "3.14"),
        (2, "flop", "returned", 60_00, 60_00, "5.3.1"),
        (2, "flop", "lose", 100_00, 0, "3.14"),
        (2, "turn", "returned", 30_00, 30_00, "5.3.1"),
        (2, "turn", "lose", 50_00, 0, "3.14"),
        (2, "bonus", "returned", 10_00, 10_00, "5.1.1"),
        (2, "bonus", "lose", 50_00, 0, "4.1"),
    ]


def test_h_5_1_1_a_fold_loses_the_maximum_and_no_more() -> None:
    assert told(holdem({1: JACKS}, "", FOLDS, ante=80_00, maximum=50_00)) == [
        (1, "ante", "returned", 30_00, 30_00, "5.1.1"),
        (1, "ante", "lose", 50_00, 0, "3.11.2"),
    ]


def test_h_5_2_1_bets_under_the_minimum_win_and_lose_as_they_lie() -> None:
    lines = holdem({1: JACKS, 2: ACE_HIGH}, NINES, CHECKS, bonus=5_00, minimum=25_00, maximum=50_00)
    assert [(line.box, line.wager.value, line.stake, line.payout) for line in lines] == [
        (1, "ante", 10_00, 10_00),
        (1, "flop", 20_00, 40_00),
        (1, "bonus", 5_00, 55_00),
        (2, "ante", 10_00, 0),
        (2, "flop", 20_00, 0),
        (2, "bonus", 5_00, 0),
    ]


@pytest.mark.parametrize(
    ("own", "outcome", "rule", "payouts"),
    [
        (JACKS, "win", "3.13", (40_00, 20_00, 20_00)),
        (ACE_HIGH, "lose", "3.14", (0, 0, 0)),
        ("9d 5c", "stand_off", "3.15", (20_00, 10_00, 10_00)),
    ],
)
def test_h_5_3_1_of_a_flop_turn_or_river_too_large_the_excess_goes_back(
    own: str, outcome: str, rule: str, payouts: tuple[int, int, int]
) -> None:
    lines = holdem({1: own}, NINES, MainGame(flop=25_00, turn=12_50, river=30_00))
    flop, turn, river = payouts
    assert told(lines)[1:] == [
        (1, "flop", "returned", 5_00, 5_00, "5.3.1"),
        (1, "flop", outcome, 20_00, flop, rule),
        (1, "turn", "returned", 2_50, 2_50, "5.3.1"),
        (1, "turn", outcome, 10_00, turn, rule),
        (1, "river", "returned", 20_00, 20_00, "5.3.1"),
        (1, "river", outcome, 10_00, river, rule),
    ]


@pytest.mark.parametrize(("own", "payouts"), [(JACKS, [30_00, 8_00, 2_00]), (ACE_HIGH, [0, 0, 0])])
def test_h_5_3_2_a_flop_turn_or_river_too_small_wins_and_loses_as_it_lies(
    own: str, payouts: list[int]
) -> None:
    lines = holdem({1: own}, NINES, MainGame(flop=15_00, turn=4_00, river=1_00))[1:]
    assert [line.stake for line in lines] == [15_00, 4_00, 1_00]
    assert [line.payout for line in lines] == payouts


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        (LEAVES, ["ante", "bonus"]),
        (MainGame(flop=20_00, decision="walk_away"), ["ante", "flop", "bonus"]),
        (MainGame(flop=20_00, turn=10_00, decision="walk_away"), ["ante", "flop", "turn", "bonus"]),
        (MainGame(flop=20_00, turn=0, decision="walk_away"), ["ante", "flop", "bonus"]),
    ],
)
def test_h_5_5_who_walks_away_with_decisions_open_loses_all_he_has_placed(
    said: MainGame, lost: list[str]
) -> None:
    lines = holdem({1: JACKS}, NINES, said, bonus=5_00)
    assert [(line.wager.value, line.outcome.value, line.rule) for line in lines] == [
        (wager, "lose", "5.5") for wager in lost
    ]


@pytest.mark.parametrize(
    ("dealer", "rule", "payouts"),
    [(NINES, "3.13", [10_00, 40_00, 20_00]), ("Tc 8c", "3.14", [0, 0, 0])],
)
def test_h_5_6_who_walks_away_after_the_last_decision_is_settled_like_anybody(
    dealer: str, rule: str, payouts: list[int]
) -> None:
    said = MainGame(flop=20_00, turn=10_00, river=0, decision="walk_away")
    lines = holdem({1: JACKS}, dealer, said)
    assert [(line.payout, line.rule) for line in lines] == [(payout, rule) for payout in payouts]


@pytest.mark.parametrize("placed", [MainGame(flop=20_00, turn=10_00), MainGame(decision="bet", turn=10_00)])
def test_h_5_5_who_is_said_to_leave_before_the_river_loses_the_flop_and_turn_placed_before(
    placed: MainGame,
) -> None:
    lines = in_two_messages(placed, LEAVES)
    lost = [("ante", 10_00), ("flop", 20_00), ("turn", 10_00), ("bonus", 5_00)]
    assert told(lines) == [(1, wager, "lose", stake, 0, "5.5") for wager, stake in lost]


@pytest.mark.parametrize(
    ("placed", "leaves"),
    [
        (MainGame(flop=20_00, turn=10_00, river=0), LEAVES),
        (MainGame(decision="bet", turn=10_00), MainGame(decision="walk_away", river=0)),
    ],
)
def test_h_5_6_bets_stay_where_they_lie_when_their_player_is_said_to_leave(
    placed: MainGame, leaves: MainGame
) -> None:
    assert told(in_two_messages(placed, leaves)) == SETTLED[:4]


def in_two_messages(first: MainGame, then: MainGame) -> tuple[Line, ...]:
    """What is told of box 1 after the second."""
    table = Table(HOLDEM)
    table.bets({1: 10_00}, bonus={1: 5_00})
    table.hands({1: JACKS}, {1: first}, community=BOARD)
    return table.hands({1: JACKS}, {1: then}, community=BOARD, dealer=NINES).settlement


# Section 5: what goes wrong, and what becomes of the main game


def test_h_5_7_1_a_bonus_or_a_fold_is_an_outcome_and_the_round_is_concluded(played: Played) -> None:
    assert played.report(dealer="") == BEFORE_THE_DEALER
    assert played.refused(played.floor.void, "t1", "5.7.2") == ("outcome_established", "5.7.1")
    assert played.declare("5.7", note="the lights went out").consequence.rule == "5.7.1"
    assert played.report(final=True) == SETTLED


def test_h_5_7_1_a_won_bonus_is_an_outcome_too() -> None:
    table = Table(HOLDEM)
    table.bets({1: 10_00, 2: 10_00}, bonus={1: 5_00})
    lines = table.hands({1: JACKS, 2: ACE_HIGH}, {1: CHECKS}, community=BOARD).settlement
    assert told(lines) == [SETTLED[3]]
    assert table.refused(table.floor.void, "t1", "5.7.2") == ("outcome_established", "5.7.1")
    assert table.declare("5.7", note="the lights went out").consequence.rule == "5.7.1"


def test_h_5_7_2_with_bets_placed_and_nothing_won_or_lost_all_go_back() -> None:
    table = Table(HOLDEM)
    table.bets({1: 10_00, 2: 10_00}, bonus={1: 5_00})
    main = {1: MainGame(flop=20_00, turn=10_00)}
    assert table.hands({1: "Ah As", 2: ACE_HIGH}, main, community=BOARD).settlement == ()
    answer = table.declare("5.7", note="the lights went out")
    assert (answer.consequence.rule, told(answer.settlement)) == (
        "5.7.2",
        [*back("5.21", 1), (2, "ante", "returned", 10_00, 10_00, "5.21")],
    )


def test_h_5_8_1_a_card_of_no_deck_is_refused_and_the_round_voided(played: Played) -> None:
    played.report()
    assert played.refused(played.report, dealer="9h 1d")[0] == "card_unknown"
    answer = played.declare("5.8.1")
    assert (told(answer.settlement), changed(answer.adjustments)) == (ALL_BACK, UNDONE)


def test_h_5_8_2_two_cards_exposed_before_any_is_seen_void_the_round(played: Played) -> None:
    played.report(dealer="")
    answer = played.declare("5.8.2", cards_seen=False)
    assert told(answer.settlement) == ALL_BACK
    assert [(one.box, one.wager.value) for one in answer.adjustments if one.before] == [(1, "bonus")]


def test_h_5_8_3_a_card_too_many_is_refused_and_the_round_voided(played: Played) -> None:
    played.report()
    assert played.refused(played.report, dealer="Jh 5d")[0] == "card_repeated"
    answer = played.declare("5.8.3")
    assert (told(answer.settlement), changed(answer.adjustments)) == (ALL_BACK, UNDONE)


def test_h_5_8_4_a_hand_that_the_shoe_cannot_complete_is_refused_and_the_round_voided(played: Played) -> None:
    hands = {1: JACKS, 2: "Ad"}
    assert played.refused(played.hands, hands, played.main, community=BOARD) == (
        "wrong_number_of_cards",
        "5.15",
    )
    assert told(played.declare("5.8.4").settlement) == PLACED_BEFORE_THE_DEAL


def test_h_5_8_5_cards_not_shuffled_void_the_round_and_undo_its_settlement(played: Played) -> None:
    assert played.report() == SETTLED
    answer = played.declare("5.8.5")
    assert (told(answer.settlement), changed(answer.adjustments)) == (ALL_BACK, UNDONE)


def test_h_5_8_6_a_wrong_deal_that_nobody_saw_voids_the_round(played: Played) -> None:
    played.report()
    answer = played.declare("5.8.6", cards_seen=False, reconstructed=False)
    assert (told(answer.settlement), changed(answer.adjustments)) == (ALL_BACK, UNDONE)


@pytest.mark.parametrize("wrong", [{"community": f"{BOARD} 4s"}, {"dealer": f"{NINES} 4s"}])
def test_h_5_8_7_too_many_community_or_dealers_cards_void_the_round(
    played: Played, wrong: dict[str, str]
) -> None:
    played.report(dealer="")
    assert played.refused(played.report, **wrong) == ("wrong_number_of_cards", "5.8.7")
    answer = played.declare("5.8.7", reconstructed=False)
    assert (answer.state, told(answer.settlement)) == (RoundState.VOIDED, ALL_BACK)


def test_h_5_9_after_a_missing_burnt_card_each_player_goes_on_or_has_his_bets_back(played: Played) -> None:
    played.report(dealer="")
    choices = {1: CONTINUE, 2: RETURN, 3: CONTINUE}
    played.declare("5.9", cards_seen=False, reconstructed=True, choices=choices)
    main = {1: played.main[1], 3: FOLDS}
    answer = played.hands({1: JACKS, 3: "8h 6c"}, main, dealer=NINES, community=BOARD)
    assert told(answer.settlement) == [*SETTLED[:4], *back("5.10.3", 2), *SETTLED[8:]]


def test_h_5_10_1_a_hand_that_goes_on_is_settled_as_it_is(played: Played) -> None:
    played.declare("5.10", boxes=(1, 2), reconstructed=False, choices={1: CONTINUE, 2: CONTINUE})
    assert played.report(final=True) == SETTLED


def test_h_5_10_2_a_reconstructed_hand_is_settled_in_place_of_the_one_reported(played: Played) -> None:
    played.report()
    played.declare("5.10", boxes=(1, 2), reconstructed=True, choices={1: CONTINUE, 2: CONTINUE})
    hands = {1: ACE_HIGH, 2: JACKS, 3: "8h 6c"}
    answer = played.hands(hands, played.main, dealer=NINES, community=BOARD)
    assert changed(answer.adjustments) == [
        (1, "ante", 10_00, 0, -10_00),
        (1, "flop", 40_00, 0, -40_00),
        (1, "turn", 20_00, 0, -20_00),
        (1, "bonus", 55_00, 0, -55_00),
        (2, "ante", 0, 10_00, 10_00),
        (2, "flop", 0, 40_00, 40_00),
        (2, "river", 0, 20_00, 20_00),
        (2, "bonus", 0, 55_00, 55_00),
    ]


def test_h_5_10_3_a_player_has_every_bet_back(played: Played) -> None:
    played.report()
    answer = played.declare("5.10", boxes=(1, 2), reconstructed=False, choices={1: RETURN, 2: RETURN})
    assert told(answer.settlement) == [*back("5.10.3", 1, 2), *SETTLED[8:]]
    assert changed(answer.adjustments) == UNDONE[:7]


@pytest.mark.parametrize(
    ("antes", "bonus"), [({1: 20_00}, {1: 5_00}), ({1: 10_00}, {1: 8_00}), ({1: 10_00}, {})]
)
def test_h_5_11_no_ante_or_bonus_is_raised_or_withdrawn_once_bets_are_closed(
    played: Played, antes: dict[int, int], bonus: dict[int, int]
) -> None:
    rest = {2: 10_00, 3: 10_00}, {2: 5_00, 3: 5_00}
    said = {"ante": antes | rest[0], "bonus": bonus | rest[1]}
    assert played.refused(played.floor.bets, "t1", {}, round=1, **said)[0] == "conflict"
    assert played.report() == SETTLED


def test_h_5_15_a_hand_of_a_wrong_number_of_cards_has_its_bets_back(played: Played) -> None:
    played.report()
    answer = played.declare("5.15", reconstructed=False, boxes=(2,))
    assert told(answer.settlement) == [*SETTLED[:4], *back("5.15", 2), *SETTLED[8:]]
    assert changed(answer.adjustments) == UNDONE[3:7]


def test_h_5_15_a_table_may_say_so_with_the_hands_of_the_others(played: Played) -> None:
    hands: Hands = {1: JACKS, 2: ("5.15",), 3: "8h 6c"}
    answer = played.hands(hands, played.main, dealer=NINES, community=BOARD)
    assert told(answer.settlement) == [*SETTLED[:4], *back("5.15", 2), *SETTLED[8:]]


def test_h_5_16_a_jackpot_out_of_order_before_cards_are_seen_gives_the_bets_back(played: Played) -> None:
    played.floor.malfunction("t1", seen={"t1": False})
    assert told(played.floor.void("t1", "5.16").settlement) == PLACED_BEFORE_THE_DEAL


def test_h_5_17_1_out_of_order_after_that_the_main_game_is_paid_by_its_pay_table(played: Played) -> None:
    played.floor.malfunction("t1", seen={"t1": True})
    assert played.report(final=True) == SETTLED


def test_h_5_17_2c_the_game_goes_on_without_the_jackpot(played: Played) -> None:
    played.report(final=True)
    played.floor.malfunction("t1", then=Then.PROGRESSIVE_OFF)
    answer = played.floor.bets("t1", [1], ante=10_00, bonus={1: 5_00})
    assert [(one.box, one.code) for one in answer.returned] == [(1, "progressive_off")]
    main = {1: played.main[1]}
    again = played.hands({1: JACKS}, main, dealer=NINES, community=BOARD)
    assert told(again.settlement) == SETTLED[:4]


def test_h_5_18_an_additional_hand_examined_has_its_bets_back_and_the_first_is_settled(
    played: Played,
) -> None:
    played.report()
    answer = played.declare("5.18", boxes=(2,), note="looked into both hands")
    assert told(answer.settlement) == [*SETTLED[:4], *back("5.18", 2), *SETTLED[8:]]


def test_h_5_19_a_settled_main_game_stands(played: Played) -> None:
    assert played.report(final=True) == SETTLED
    assert played.refused(played.report, dealer="Tc 8c") == ("round_stands", "5.19")
    played.bets({1: 10_00})
    assert played.refused(played.report, round=1, dealer="Tc 8c") == ("round_stands", "5.19")


def test_h_5_20_a_bonus_is_settled_on_the_box_where_it_lay() -> None:
    table = Table(HOLDEM)
    table.bets({1: 10_00, 2: 30_00}, bonus={2: 5_00})
    answer = table.hands({1: JACKS, 2: ACE_HIGH}, {1: CHECKS, 2: CHECKS}, dealer=NINES, community=BOARD)
    assert [(line.box, line.wager.value, line.stake, line.payout) for line in answer.settlement] == [
        (1, "ante", 10_00, 10_00),
        (1, "flop", 20_00, 40_00),
        (2, "ante", 30_00, 0),
        (2, "flop", 20_00, 0),
        (2, "bonus", 5_00, 0),
    ]


def test_h_5_21_a_void_returns_every_bet_in_full_whatever_it_played_for() -> None:
    table = Table(HOLDEM, maximum=50_00)
    table.bets({1: 80_00}, bonus={1: 60_00})
    main = {1: MainGame(flop=170_00, turn=0, river=90_00)}
    before = table.hands({1: JACKS}, main, dealer=NINES, community=BOARD).settlement
    after = table.floor.void("t1", "5.8.5")
    assert sum(line.payout for line in before) == 80_00 + 270_00 + 140_00 + 560_00
    assert told(after.settlement) == [
        (1, "ante", "returned", 80_00, 80_00, "5.21"),
        (1, "flop", "returned", 170_00, 170_00, "5.21"),
        (1, "river", "returned", 90_00, 90_00, "5.21"),
        (1, "bonus", "returned", 60_00, 60_00, "5.21"),
    ]
    assert [one.difference for one in after.adjustments] == [-100_00, -50_00, -500_00]


@pytest.mark.parametrize(
    ("resolution", "lines"), [(Resolution.VOID, ALL_BACK), (Resolution.CONTINUE, SETTLED)]
)
def test_h_5_23_the_house_decides_what_becomes_of_the_bets(
    played: Played, resolution: Resolution, lines: list[Told]
) -> None:
    played.report()
    answer = played.declare("5.23", resolution=resolution, note="a cat on the table")
    assert told(answer.settlement) == lines


# The same, over the wire


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path, maximum=50_00) as found:
        yield found


TEN_AND_FIVE: Json = {"ante": 10_00, "bonus": 5_00}


async def test_h_3_12_6_over_the_wire_each_box_is_told_win_lose_and_stand_off(house: House) -> None:
    hands: list[Json] = [
        {"cards": "Th 8c", "flop": 20_00, "turn": 10_00, "river": 0},
        {"cards": ACE_HIGH, "decision": "bet", "turn": 0, "river": 10_00},
        {"cards": "9d 5c", "decision": "bet", "turn": 0, "river": 0},
        {"cards": "Kd Kc", "decision": "fold"},
        {"revealed": False, "flop": 20_00},
    ]
    bets = [{"ante": 10_00}, TEN_AND_FIVE, {"ante": 10_00}, TEN_AND_FIVE, TEN_AND_FIVE]
    lines = await said_over_the_wire(house, "h1", bets, hands, dealer=NINES, community=BOARD)
    assert lines == [
        (1, "ante", "win", 10_00, "1 to 1", 20_00, "3.13"),
        (1, "flop", "win", 20_00, "1 to 1", 40_00, "3.13"),
        (1, "turn", "win", 10_00, "1 to 1", 20_00, "3.13"),
        (2, "ante", "lose", 10_00, None, 0, "3.14"),
        (2, "flop", "lose", 20_00, None, 0, "3.14"),
        (2, "river", "lose", 10_00, None, 0, "3.14"),
        (2, "bonus", "lose", 5_00, None, 0, "4.1"),
        (3, "ante", "stand_off", 10_00, None, 10_00, "3.15"),
        (3, "flop", "stand_off", 20_00, None, 20_00, "3.15"),
        (4, "ante", "lose", 10_00, None, 0, "3.11.2"),
        (4, "bonus", "lose", 5_00, None, 0, "3.11.2"),
        (5, "ante", "lose", 10_00, None, 0, "4.3"),
        (5, "flop", "lose", 20_00, None, 0, "4.3"),
        (5, "bonus", "lose", 5_00, None, 0, "4.3"),
    ]


async def test_h_5_3_1_over_the_wire_excess_over_maximum_and_prescribed_sizes_goes_back(house: House) -> None:
    hands: list[Json] = [{"cards": JACKS, "flop": 160_00, "turn": 0, "river": 70_00}]
    bets: list[Json] = [{"ante": 80_00, "bonus": 60_00}]
    lines = await said_over_the_wire(house, "h1", bets, hands, dealer=NINES, community=BOARD)
    assert lines == [
        (1, "ante", "returned", 30_00, None, 30_00, "5.1.1"),
        (1, "ante", "returned", 50_00, None, 50_00, "3.13"),
        (1, "flop", "returned", 60_00, None, 60_00, "5.3.1"),
        (1, "flop", "win", 100_00, "1 to 1", 200_00, "3.13"),
        (1, "river", "returned", 20_00, None, 20_00, "5.3.1"),
        (1, "river", "win", 50_00, "1 to 1", 100_00, "3.13"),
        (1, "bonus", "returned", 10_00, None, 10_00, "5.1.1"),
        (1, "bonus", "win", 50_00, "10 to 1", 550_00, "4.1"),
    ]


async def test_h_5_7_1_over_the_wire_a_round_with_a_lost_ante_is_not_voided(house: House) -> None:
    hands = [{"cards": JACKS, "decision": "walk_away"}]
    lines = await said_over_the_wire(house, "h1", [{"ante": 10_00}], hands, community=BOARD[:8])
    assert lines == [(1, "ante", "lose", 10_00, None, 0, "5.5")]
    problem = refused(await put(house, "h1", "void", {"reason": "5.7.2"}), 409, "outcome_established")
    assert problem["rule"] == "5.7.1"


async def test_h_5_10_3_over_the_wire_a_supervisor_gives_the_bets_back(house: House) -> None:
    stays = {"decision": "bet", "turn": 0, "river": 0}
    hands = [{"cards": JACKS} | stays, {"cards": ACE_HIGH} | stays]
    bets = [TEN_AND_FIVE, TEN_AND_FIVE]
    before = await said_over_the_wire(house, "h1", bets, hands, dealer=NINES, community=BOARD)
    said = {"paragraph": "5.10", "reconstructed": False, "boxes": [1], "choices": {"1": "return"}}
    answer = await house.does("/v1/tables/h1/rounds/1/irregularities", "sue", said)
    assert answer["consequence"]["boxes"][0]["returned"] == [
        {"wager": "ante", "amount": 10_00},
        {"wager": "flop", "amount": 20_00},
        {"wager": "bonus", "amount": 5_00},
    ]
    evidence = await house.told("/v1/tables/h1/rounds/1")
    assert on_the_wire(evidence["settlement"]) == [
        (1, "ante", "returned", 10_00, None, 10_00, "5.10.3"),
        (1, "flop", "returned", 20_00, None, 20_00, "5.10.3"),
        (1, "bonus", "returned", 5_00, None, 5_00, "5.10.3"),
        *before[3:],
    ]
    assert [one["difference"] for one in evidence["adjustments"]] == [-20_00, -50_00]
