"""Texas Hold'em: a round told in pieces, from its bets to its end, and what of it goes back."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.link.commands import CloseTable
from jackpot.link.rounds import RoundState
from jackpot.link.state import Then
from tests.floor import HOLDEM
from tests.main_game import changed, told
from tests.telling import Telling, back

BOARD = "2c 7d 9s Jc 3h"
FLOP = "2c 7d 9s"
NINES = "9h 5d"
JACKS = "Jh Js"
LOW = "8h 6c"
ROYAL, ROYAL_FLOP = "Ah Kh", "Qh Jh Th"
FLUSH, FLUSH_FLOP = "Kc Tc", "2c 7c 9c"
PLAYS = {"cards": JACKS, "flop": 5000, "turn": 2500, "river": 0}
FOLDS = {"cards": LOW, "folded": True}
LOST = [(2, "ante", "lose", 2500, 0, "3.11.2"), (2, "bonus", "lose", 500, 0, "3.11.2")]


@pytest.fixture
def table() -> Telling:
    return Telling(HOLDEM)


# The end of a round


@pytest.mark.parametrize(
    ("first", "shown"),
    [
        ({"cards": JACKS}, {"community": BOARD, "dealer": NINES}),
        (PLAYS, {"community": BOARD}),
        (PLAYS, {"community": BOARD[:11], "dealer": NINES}),
        ({"cards": JACKS, "flop": 5000}, {"community": BOARD, "dealer": NINES}),
        ({"cards": JACKS, "flop": 5000, "turn": 0}, {"community": BOARD, "dealer": NINES}),
    ],
)
def test_h_1_25_a_told_main_game_ends_with_no_wager_open(table: Telling, first: Any, shown: Any) -> None:
    boxes = {1: first, 2: FOLDS}
    refusal = table.refused(table.says, boxes, **shown, final=True)
    assert (refusal.code, refusal.rule) == ("play_incomplete", "1.25")
    assert (refusal.data["box"], refusal.data["wager"], refusal.data["field"]) == (1, "ante", "final")
    table.says(boxes, **shown)
    ended = table.says({1: PLAYS}, community=BOARD, dealer=NINES, final=True)
    assert ended.state is RoundState.SETTLED
    table.audited()


def test_h_1_25_a_table_that_tells_only_the_jackpots_hands_ends_its_rounds_as_before(table: Telling) -> None:
    answer = table.says({1: {"cards": FLUSH}, 2: {"folded": True}}, community=FLUSH_FLOP, final=True)
    assert (answer.state, [one.award for one in answer.results]) == (RoundState.SETTLED, [20_000])


def test_h_1_25_bets_over_open_wagers_are_taken_and_the_house_is_told(table: Telling) -> None:
    table.says({1: {"cards": JACKS, "flop": 5000}}, community=FLOP)
    table.bets()
    assert table.alerts == ["wagers_open"]
    table.says({1: PLAYS, 2: FOLDS}, community=BOARD, dealer=NINES, final=True)
    assert table.alerts == []
    table.audited()


# What is told, and when


def test_h_3_11_2_a_fold_before_the_flop_is_told_without_community_cards(table: Telling) -> None:
    first = table.says({2: FOLDS})
    assert (first.state, first.results, told(first.settlement)) == (RoundState.BETS_CLOSED, (), LOST)
    refusal = table.refused(table.says, {1: {"revealed": False}}, final=True)
    assert (refusal.code, refusal.data["wager"]) == ("play_incomplete", "progressive")
    later = table.says({1: {"revealed": False}}, community="Th 9h 7h")
    assert [(one.box, one.hand) for one in later.results] == [(1, None), (2, "straight")]
    assert later.results[1].award == 10_000
    table.audited()


def test_h_3_11_2_or_stays_open_until_it_is_not_revealed(table: Telling) -> None:
    table.says({2: {"folded": True}})
    assert table.round.open
    table.says({1: {"revealed": False}, 2: {"revealed": False}})
    assert not table.round.open


def test_h_3_11_2_a_fold_is_remembered_like_every_other_decision(table: Telling) -> None:
    table.says({2: {"folded": True}})
    again = table.says({2: {"cards": LOW}}, community=FLOP)
    assert told(again.settlement) == LOST
    assert told(table.says({1: PLAYS}, community=BOARD, dealer=NINES).settlement)[-2:] == LOST


def test_h_3_11_4_no_river_is_decided_before_the_turn(table: Telling) -> None:
    for said in ({"flop": 5000, "river": 0}, {"flop": 5000, "river": 2500}):
        refusal = table.refused(table.says, {1: {"cards": JACKS} | said}, community=BOARD)
        assert (refusal.code, refusal.data["field"]) == ("decision_contradictory", "hands[box 1].turn")
    table.says({1: {"cards": JACKS, "flop": 5000, "turn": 0}}, community=BOARD)
    assert table.says({1: {"river": 2500}}).state is RoundState.BETS_CLOSED


def test_h_5_5_no_bonus_is_told_as_won_that_a_walk_away_could_take_back(table: Telling) -> None:
    assert table.says({1: {"cards": JACKS, "flop": 5000}}, community=FLOP).settlement == ()
    assert table.says({1: {"turn": 2500}}, community=BOARD[:11]).settlement == ()
    left = table.says({1: {"decision": "walk_away"}}, community=BOARD, dealer=NINES)
    assert told(left.settlement) == [
        (1, wager, "lose", stake, 0, "5.5")
        for wager, stake in (("ante", 2500), ("flop", 5000), ("turn", 2500), ("bonus", 500))
    ]


def test_h_5_6_a_bonus_is_told_once_no_decision_is_left_and_a_walk_away_changes_nothing(
    table: Telling,
) -> None:
    first = table.says({1: PLAYS}, community=BOARD)
    assert told(first.settlement) == [(1, "bonus", "win", 500, 5500, "4.1")]
    left = table.says({1: {"decision": "walk_away"}}, dealer=NINES)
    assert told(left.settlement)[-1:] == told(first.settlement)
    assert left.adjustments == ()


def test_h_5_20_what_a_message_leaves_unsaid_stays_as_told(table: Telling) -> None:
    first = table.says({1: PLAYS, 2: FOLDS}, community=BOARD, dealer=NINES)
    second = table.says({2: {"player": "ann"}})
    third = table.says({}, final=True)
    assert first.settlement == second.settlement == third.settlement
    assert first.results == second.results == third.results
    assert (second.adjustments, third.adjustments) == ((), ())
    assert (table.round.dealer, table.round.community) == (tuple(NINES.split()), tuple(BOARD.split()))


@pytest.mark.parametrize("first", [{"folded": True}, {"revealed": False}, {"decision": "walk_away"}])
@pytest.mark.parametrize("then", [{"folded": True}, {"revealed": False}, {"decision": "walk_away"}])
def test_h_4_3_the_reason_told_first_for_a_loss_stays(table: Telling, first: Any, then: Any) -> None:
    before = table.says({1: first}).settlement
    after = table.says({1: then})
    assert (after.settlement, after.adjustments) == (before, ())
    table.audited()


# What is noticed late


def settled(table: Telling) -> None:
    table.says({1: PLAYS, 2: FOLDS}, community=BOARD, dealer=NINES, final=True)


def test_h_5_8_7_noticed_after_settlement_a_supervisor_may_still_void_the_round(table: Telling) -> None:
    settled(table)
    assert table.refused(table.void, "5.8.7").code == "round_stands"
    assert table.refused(table.declare, "5.8.3").code == "round_stands"
    answer = table.declare("5.8.7", reconstructed=False)
    assert (answer.state, table.round.state) == (RoundState.VOIDED, RoundState.VOIDED)
    assert back(answer) == [
        (1, "progressive", 500, "round_voided", "5.21"),
        (2, "progressive", 500, "round_voided", "5.21"),
    ]
    assert back(table.void("5.8.7")) == back(answer)
    table.audited()


def test_h_5_8_7_once_the_next_round_has_begun_it_stands(table: Telling) -> None:
    settled(table)
    table.bets()
    assert table.refused(table.declare, "5.8.7", reconstructed=False, round=1).code == "round_stands"


def test_h_5_15_noticed_after_settlement_a_supervisor_may_still_invalidate_a_hand(table: Telling) -> None:
    settled(table)
    answer = table.declare("5.15", reconstructed=False, boxes=(1,))
    assert (answer.state, table.round.state) == (RoundState.SETTLED, RoundState.SETTLED)
    assert back(answer) == [(1, "progressive", 500, "hand_invalidated", "5.15")]
    assert [(one.wager, one.difference) for one in answer.adjustments] == [
        ("flop", -5000),
        ("turn", -2500),
        ("bonus", -5000),
    ]
    table.audited()


@pytest.mark.parametrize("paragraph", ["5.8.7", "5.15"])
def test_h_5_15_not_once_a_major_of_it_was_paid(table: Telling, paragraph: str) -> None:
    boxes: dict[int, dict[str, Any]] = {1: {"cards": ROYAL}, 2: {"revealed": False}}
    win = table.says(boxes, community=ROYAL_FLOP, final=True).results[0].win
    assert win is not None
    table.floor.approve(win)
    assert table.floor.paid != []
    refusal = table.refused(table.declare, paragraph, reconstructed=False, boxes=(1,))
    assert refusal.code == "win_paid"


# Closed tables and blocked boxes


def test_h_5_17_2a_a_closed_table_takes_no_wager_at_all() -> None:
    table = Telling(HOLDEM, begun=False)
    table.floor.malfunction("t1", then=Then.CLOSE)
    assert back(table.bets((1,))) == [
        (1, "progressive", 500, "table_closed", "5.17.2a"),
        (1, "ante", 2500, "table_closed", "5.17.2a"),
        (1, "bonus", 500, "table_closed", "5.17.2a"),
    ]
    box = table.round.boxes[1]
    assert (box.ante, box.bonus, box.bet, table.round.playing) == (0, 0, 0, [])
    table.audited()


def test_h_5_17_2a_nor_does_one_that_the_house_has_closed() -> None:
    table = Telling(HOLDEM, begun=False)
    table.floor.act(CloseTable(person="ana", table="t1", reason="shift ends"))
    answer = table.bets((), ante={3: 2500})
    assert back(answer) == [(3, "ante", 2500, "table_closed", None)]


def test_h_5_17_2b_a_blocked_box_takes_no_wager_at_all() -> None:
    table = Telling(HOLDEM, begun=False)
    table.floor.malfunction("t1", box=2, then=Then.BLOCK_BOX)
    assert back(table.bets()) == [
        (2, "progressive", 500, "box_blocked", "5.17.2b"),
        (2, "ante", 2500, "box_blocked", "5.17.2b"),
        (2, "bonus", 500, "box_blocked", "5.17.2b"),
    ]
    assert table.round.playing == [1]


def test_h_5_17_2c_with_the_progressive_off_only_that_bet_goes_back() -> None:
    table = Telling(HOLDEM, begun=False)
    table.floor.malfunction("t1", then=Then.PROGRESSIVE_OFF)
    assert back(table.bets((1,))) == [(1, "progressive", 500, "progressive_off", "5.17.2c")]
    assert (table.round.boxes[1].ante, table.round.boxes[1].bonus) == (2500, 500)


# Cards that were seen

SEEN = [
    {"decision": "fold"},
    {"folded": True},
    {"flop": 5000},
    {"decision": "walk_away"},
    {"examined": True},
]


@pytest.mark.parametrize("said", SEEN)
def test_h_5_16_a_round_of_which_cards_were_seen_is_not_voided(table: Telling, said: Any) -> None:
    table.says({1: said})
    refusal = table.refused(table.void, "5.16")
    assert (refusal.code, refusal.rule, refusal.data["field"]) == ("cards_were_seen", "5.17.1", "reason")
    declared = table.refused(table.floor.malfunction, "t1", seen={"t1": False})
    assert (declared.code, declared.data["field"]) == ("cards_were_seen", "cards_seen.t1")
    table.floor.malfunction("t1", seen={"t1": True})


def test_h_5_16_a_table_that_voided_a_seen_round_alone_comes_back_and_the_house_is_told(
    table: Telling,
) -> None:
    table.says({2: {"folded": True}})
    assert table.floor.lost("t1", cards_seen=False).voided is None
    assert (table.round.registered is not None, table.alerts) == (True, ["void_denied"])
    assert table.refused(table.void, "5.16").code == "cards_were_seen"
    table.floor.back("t1")
    table.says({1: PLAYS, 2: {"cards": LOW}}, community=BOARD, dealer=NINES, final=True)
    table.audited()


# What a table may not say


def test_h_5_8_the_bare_paragraph_voids_no_round(table: Telling) -> None:
    assert table.refused(table.void, "5.8").code == "void_reason_unknown"


# What an answer tells


def test_h_5_21_a_void_hands_back_what_was_not_told_before_and_adjusts_the_rest(table: Telling) -> None:
    table.says({1: {"cards": JACKS, "flop": 5000}, 2: FOLDS}, community=FLOP)
    answer = table.void()
    assert back(answer) == [
        (1, "progressive", 500, "round_voided", "5.21"),
        (1, "ante", 2500, "round_voided", "5.21"),
        (1, "flop", 5000, "round_voided", "5.21"),
        (1, "bonus", 500, "round_voided", "5.21"),
        (2, "progressive", 500, "round_voided", "5.21"),
    ]
    assert changed(answer.adjustments) == [(2, "ante", 0, 2500, 2500), (2, "bonus", 0, 500, 500)]
    table.audited()
