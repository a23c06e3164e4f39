"""Casino Stud: a round told in pieces, from its bets to its end, and what of it goes back."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.link.commands import CloseTable
from jackpot.link.rounds import RoundState
from jackpot.link.state import Then
from tests.floor import STUD
from tests.main_game import changed, told
from tests.telling import Telling, back

NINES = "9c 9d Ks 7s 2d"
ACE_KING = "Ac Kd 8h 5s 3c"
QUEEN_HIGH = "Qc Td 6h 4s 2c"
ROYAL = "Ah Kh Qh Jh Th"
FLUSH = "Kh Jh 9h 5h 2h"
BETS = {"cards": NINES, "bet": 5000}
FOLDS = {"cards": QUEEN_HIGH, "folded": True}


@pytest.fixture
def table() -> Telling:
    return Telling(STUD)


# The end of a round


@pytest.mark.parametrize(
    ("boxes", "dealer", "wager"),
    [
        ({1: {"cards": NINES}, 2: FOLDS}, ACE_KING, "ante"),
        ({1: BETS, 2: FOLDS}, None, "ante"),
        ({1: BETS, 2: FOLDS}, "Ac", "ante"),
        ({1: {"cards": NINES, "decision": "bet"}, 2: FOLDS}, None, "ante"),
        ({2: {"cards": QUEEN_HIGH, "decision": "fold"}}, None, "ante"),
    ],
)
def test_s_1_16_a_told_main_game_ends_with_no_wager_open(
    table: Telling, boxes: Any, dealer: str | None, wager: str
) -> None:
    refusal = table.refused(table.says, boxes, dealer=dealer, final=True)
    assert (refusal.code, refusal.rule) == ("play_incomplete", "1.16")
    assert (refusal.data["box"], refusal.data["wager"], refusal.data["field"]) == (1, wager, "final")
    table.says(boxes, dealer=dealer)
    assert table.says({1: BETS, 2: FOLDS}, dealer=ACE_KING, final=True).state is RoundState.SETTLED
    table.audited()


def test_s_1_16_a_table_that_tells_only_the_jackpots_hands_ends_its_rounds_as_before(table: Telling) -> None:
    answer = table.says({1: {"cards": FLUSH}, 2: {"folded": True}}, final=True)
    assert (answer.state, [one.award for one in answer.results]) == (RoundState.SETTLED, [20_000])


def test_s_1_16_bets_over_open_wagers_are_taken_and_the_house_is_told(table: Telling) -> None:
    table.says({1: BETS, 2: FOLDS})
    table.bets()
    assert table.alerts == ["wagers_open"]
    table.says({1: {"cards": FLUSH}, 2: {"revealed": False}}, final=True)
    assert table.alerts == []
    table.audited()


# What is left unsaid


def test_s_3_12_1_a_fold_is_remembered_like_every_other_decision(table: Telling) -> None:
    first = table.says({2: {"folded": True}})
    again = table.says({2: {"cards": QUEEN_HIGH}})
    assert told(first.settlement) == told(again.settlement) == [(2, "ante", "lose", 2500, 0, "3.12.1")]
    assert told(table.says({1: BETS}, dealer=ACE_KING).settlement)[-1] == told(first.settlement)[0]


def test_s_3_12_1_a_fold_is_retracted_by_saying_so(table: Telling) -> None:
    table.says({2: FOLDS})
    answer = table.says({2: {"folded": False}})
    assert answer.settlement == ()
    assert told(table.says({2: {"bet": 5000}}, dealer="Ac Kd Jh 8s 5d").settlement)[0][:3] == (
        2,
        "ante",
        "lose",
    )


def test_s_5_21_what_a_message_leaves_unsaid_stays_as_told(table: Telling) -> None:
    first = table.says({1: {"cards": FLUSH, "bet": 5000}, 2: {"cards": NINES, "bet": 5000}}, dealer=ACE_KING)
    second = table.says({2: {"player": "ann"}})
    third = table.says({}, final=True)
    assert first.settlement == second.settlement == third.settlement
    assert first.results == second.results == third.results
    assert (second.adjustments, third.adjustments) == ((), ())
    assert table.round.dealer == tuple(ACE_KING.split())


def test_s_5_21_cards_are_retracted_by_saying_that_there_are_none(table: Telling) -> None:
    table.says({1: {"cards": FLUSH, "bet": 5000}, 2: FOLDS}, dealer=ACE_KING)
    answer = table.says({1: {"cards": ""}})
    assert answer.state is RoundState.BETS_CLOSED
    assert [one.box for one in answer.results] == [2]
    assert changed(answer.adjustments) == [
        (1, "ante", 5000, 0, -5000),
        (1, "bet", 30_000, 0, -30_000),
    ]
    assert told(table.says({1: {"cards": FLUSH}}).settlement)[1][:3] == (1, "bet", "win")
    assert told(table.says({}, dealer="").settlement) == [(2, "ante", "lose", 2500, 0, "3.12.1")]


@pytest.mark.parametrize("first", [{"folded": True}, {"revealed": False}, {"decision": "walk_away"}])
@pytest.mark.parametrize("then", [{"folded": True}, {"revealed": False}, {"decision": "walk_away"}])
def test_s_4_3_the_reason_told_first_for_a_loss_stays(table: Telling, first: Any, then: Any) -> None:
    before = table.says({1: first}).settlement
    after = table.says({1: then})
    assert (after.settlement, after.adjustments) == (before, ())
    table.audited()


# What is noticed late


def settled(table: Telling) -> None:
    table.says({1: {"cards": FLUSH, "bet": 5000}, 2: FOLDS}, dealer=ACE_KING, final=True)


def test_s_5_8_7_noticed_after_settlement_a_supervisor_may_still_void_the_round(table: Telling) -> None:
    settled(table)
    assert table.refused(table.void, "5.8.7").code == "round_stands"
    assert table.refused(table.declare, "5.8.3").code == "round_stands"
    answer = table.declare("5.8.7", reconstructed=False)
    assert (answer.state, table.round.state) == (RoundState.VOIDED, RoundState.VOIDED)
    assert back(answer) == [
        (1, "progressive", 500, "round_voided", "5.22"),
        (2, "progressive", 500, "round_voided", "5.22"),
    ]
    assert [(one.box, one.after) for one in answer.adjustments] == [(1, 2500), (1, 5000), (2, 2500)]
    assert back(table.void("5.8.7")) == back(answer)
    table.audited()


def test_s_5_8_7_once_the_next_round_has_begun_it_stands(table: Telling) -> None:
    settled(table)
    table.bets()
    assert table.refused(table.declare, "5.8.7", reconstructed=False, round=1).code == "round_stands"


def test_s_5_15_noticed_after_settlement_a_supervisor_may_still_invalidate_a_hand(table: Telling) -> None:
    settled(table)
    answer = table.declare("5.15", reconstructed=False, boxes=(1,))
    assert (answer.state, table.round.state) == (RoundState.SETTLED, RoundState.SETTLED)
    assert back(answer) == [(1, "progressive", 500, "hand_invalidated", "5.15")]
    assert changed(answer.adjustments) == [
        (1, "ante", 5000, 2500, -2500),
        (1, "bet", 30_000, 5000, -25_000),
    ]
    table.audited()


@pytest.mark.parametrize("paragraph", ["5.8.7", "5.15"])
def test_s_5_15_not_once_a_major_of_it_was_paid(table: Telling, paragraph: str) -> None:
    win = table.says({1: {"cards": ROYAL}, 2: {"revealed": False}}, final=True).results[0].win
    assert win is not None
    table.floor.approve(win)
    assert table.floor.paid != []
    refusal = table.refused(table.declare, paragraph, reconstructed=False, boxes=(1,))
    assert refusal.code == "win_paid"


def test_s_5_8_7_a_claim_that_came_after_settlement_is_withdrawn_with_the_round(table: Telling) -> None:
    table.says({1: {"revealed": False}, 2: {"revealed": False}}, final=True)
    table.says({1: {"cards": ROYAL}})
    assert len(table.floor.link.claims) == 1
    table.declare("5.8.7", reconstructed=False)
    assert table.floor.link.claims == {}


# Closed tables and blocked boxes


def test_s_5_18_2a_a_closed_table_takes_no_wager_at_all() -> None:
    table = Telling(STUD, begun=False)
    table.floor.malfunction("t1", then=Then.CLOSE)
    assert back(table.bets((1,))) == [
        (1, "progressive", 500, "table_closed", "5.18.2a"),
        (1, "ante", 2500, "table_closed", "5.18.2a"),
    ]
    box = table.round.boxes[1]
    assert (box.ante, box.bonus, box.bet, table.round.playing) == (0, 0, 0, [])
    table.audited()


def test_s_5_18_2a_nor_does_one_that_the_house_has_closed() -> None:
    table = Telling(STUD, begun=False)
    table.floor.act(CloseTable(person="ana", table="t1", reason="shift ends"))
    answer = table.bets((), ante={3: 2500})
    assert back(answer) == [(3, "ante", 2500, "table_closed", None)]


def test_s_5_18_2b_a_blocked_box_takes_no_wager_at_all() -> None:
    table = Telling(STUD, begun=False)
    table.floor.malfunction("t1", box=2, then=Then.BLOCK_BOX)
    assert back(table.bets()) == [
        (2, "progressive", 500, "box_blocked", "5.18.2b"),
        (2, "ante", 2500, "box_blocked", "5.18.2b"),
    ]
    assert table.round.playing == [1]
    answer = table.says({1: BETS}, dealer=ACE_KING, final=True)
    assert {line.box for line in answer.settlement} == {1}


def test_s_5_18_2c_with_the_progressive_off_only_that_bet_goes_back() -> None:
    table = Telling(STUD, begun=False)
    table.floor.malfunction("t1", then=Then.PROGRESSIVE_OFF)
    assert back(table.bets((1,))) == [(1, "progressive", 500, "progressive_off", "5.18.2c")]
    assert table.round.boxes[1].ante == 2500


# Cards that were seen

SEEN = [
    {"decision": "fold"},
    {"folded": True},
    {"bet": 5000},
    {"decision": "walk_away"},
    {"cards": NINES, "examined": True},
]


@pytest.mark.parametrize("said", SEEN)
def test_s_5_17_a_round_of_which_cards_were_seen_is_not_voided(table: Telling, said: Any) -> None:
    table.says({1: said})
    refusal = table.refused(table.void, "5.17")
    assert (refusal.code, refusal.rule, refusal.data["field"]) == ("cards_were_seen", "5.18.1", "reason")
    declared = table.refused(table.floor.malfunction, "t1", seen={"t1": False})
    assert (declared.code, declared.data["field"]) == ("cards_were_seen", "cards_seen.t1")
    table.floor.malfunction("t1", seen={"t1": True})


@pytest.mark.parametrize("said", [{"cards": NINES}, {"cards": NINES, "examined": False, "player": "ann"}])
def test_s_5_17_hands_that_only_a_shoe_has_told_need_not_have_been_seen(table: Telling, said: Any) -> None:
    table.says({1: said})
    assert table.void("5.17").state is RoundState.VOIDED


def test_s_5_17_a_table_that_voided_a_seen_round_alone_comes_back_and_the_house_is_told(
    table: Telling,
) -> None:
    table.says({1: {"folded": True}})
    assert table.floor.lost("t1", cards_seen=False).voided is None
    assert (table.round.registered is not None, table.alerts) == (True, ["void_denied"])
    assert table.refused(table.void, "5.17").code == "cards_were_seen"
    table.floor.back("t1")
    table.says({1: {"cards": QUEEN_HIGH}, 2: BETS}, dealer=ACE_KING, final=True)
    table.audited()


# What a table may not say


def test_s_5_8_the_bare_paragraph_voids_no_round(table: Telling) -> None:
    assert table.refused(table.void, "5.8").code == "void_reason_unknown"


# What an answer tells


def test_s_5_22_a_void_hands_back_what_was_not_told_before_and_adjusts_the_rest(table: Telling) -> None:
    table.says({1: {"cards": NINES, "bet": 5000}, 2: FOLDS})
    answer = table.void()
    assert back(answer) == [
        (1, "progressive", 500, "round_voided", "5.22"),
        (1, "ante", 2500, "round_voided", "5.22"),
        (1, "bet", 5000, "round_voided", "5.22"),
        (2, "progressive", 500, "round_voided", "5.22"),
    ]
    assert changed(answer.adjustments) == [(2, "ante", 0, 2500, 2500)]
    table.audited()


def test_s_5_15_an_invalid_hand_hands_back_each_wager_once(table: Telling) -> None:
    table.says({1: {"bet": 5000}})
    answer = table.says({1: {"invalidated": "5.15"}})
    assert back(answer) == [
        (1, "progressive", 500, "hand_invalidated", "5.15"),
        (1, "ante", 2500, "hand_invalidated", "5.15"),
        (1, "bet", 5000, "hand_invalidated", "5.15"),
    ]
    assert answer.adjustments == ()
    again = table.says({1: {"invalidated": "5.15"}, 2: FOLDS})
    assert (back(again), again.adjustments) == ([], ())
    assert again.settlement[:2] == answer.settlement
    table.audited()
