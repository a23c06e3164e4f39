"""Chips on the layout: what a message does not say of them stays, and what has gone back stays back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jackpot.cards.cards import parse_all
from jackpot.games.lines import Line
from jackpot.link.answers import HandsAnswer
from jackpot.link.commands import HandReport, ReportHands
from jackpot.link.rounds import MainGame, RoundState
from tests.floor import HOLDEM, STUD, Floor
from tests.main_game import FOLDS, LEAVES, STAYS, Hands

PAIR = parse_all(["As", "Ad", "9c", "7h", "4s"])
DEALER = parse_all(["Ac", "Kd", "8h", "5c", "2d"])
OTHER = parse_all(["Ac", "Kd", "8h", "5c", "3d"])
FLOP = "2c 7d 9s"
BET = MainGame(decision="bet", bet=5000)


def floor() -> Floor:
    made = Floor(tables={"t1": STUD})
    made.bets("t1", {1: 500, 2: 500})
    return made


def says(
    floor: Floor, *hands: HandReport, dealer: tuple[int, ...] | None = DEALER, final: bool = False
) -> HandsAnswer:
    floor.wait(1)
    answer = floor.send(
        ReportHands(
            table="t1",
            round=1,
            hands=hands,
            dealer=dealer,
            final=final,
            sent_at=floor.now,
            received_at=floor.now,
        )
    )
    assert isinstance(answer, HandsAnswer)
    return answer


def told(lines: tuple[Line, ...], box: int = 1) -> dict[str, tuple[str, int, int]]:
    return {line.wager: (line.outcome, line.stake, line.payout) for line in lines if line.box == box}


def test_an_invalidated_hand_that_was_examined_gets_its_bet_back_too() -> None:
    at = floor()
    says(at, HandReport(box=1, cards=PAIR, main=BET))
    answer = says(at, HandReport(box=1, invalidated="5.10.3", main=MainGame(examined=True, player="ann")))
    assert told(answer.settlement)["bet"] == ("returned", 5000, 5000)


def test_what_the_house_has_returned_neither_shrinks_nor_grows_by_a_report() -> None:
    at = floor()
    says(at, HandReport(box=1, cards=PAIR, main=BET))
    at.irregularity("t1", "5.19", boxes=(1,))
    for main in (MainGame(examined=True), MainGame(bet=9_900_000), FOLDS, LEAVES, None):
        answer = says(at, HandReport(box=1, invalidated="5.19", main=main))
        assert told(answer.settlement)["bet"] == ("returned", 5000, 5000)
        assert answer.adjustments == ()
    for main in (MainGame(examined=True), FOLDS, None):
        answer = says(at, HandReport(box=1, invalidated="5.19", folded=True, main=main))
        assert told(answer.settlement)["bet"] == ("returned", 5000, 5000)
        assert answer.adjustments == ()


def test_an_invalidated_hand_that_a_later_message_leaves_out_stays_invalid() -> None:
    at = floor()
    says(at, HandReport(box=1, invalidated="5.15"), HandReport(box=2, cards=PAIR))
    answer = says(at, HandReport(box=2, cards=PAIR, main=BET), final=True)
    assert told(answer.settlement)["ante"] == ("returned", 2500, 2500)
    assert answer.adjustments == ()
    assert at.link.tables["t1"].round.boxes[1].returned


def test_a_correction_of_the_dealers_cards_leaves_the_players_bets_where_they_are() -> None:
    at = floor()
    says(at, HandReport(box=1, cards=PAIR, main=BET))
    answer = says(at, HandReport(box=1, cards=PAIR), dealer=OTHER)
    assert told(answer.settlement)["bet"] == ("win", 5000, 10_000)
    voided = at.void("t1")
    assert told(voided.settlement) == {"ante": ("returned", 2500, 2500), "bet": ("returned", 5000, 5000)}


def test_a_void_returns_the_bet_of_a_box_that_the_last_message_left_out() -> None:
    at = floor()
    says(at, HandReport(box=1, cards=PAIR, main=BET))
    says(at, HandReport(box=2, revealed=False))
    voided = at.void("t1")
    assert told(voided.settlement)["bet"] == ("returned", 5000, 5000)


@pytest.mark.parametrize("main", [None, MainGame(player="ann"), MainGame(examined=True), FOLDS, LEAVES])
def test_a_bet_that_a_correction_calls_a_fold_was_none(main: MainGame | None) -> None:
    at = floor()
    says(at, HandReport(box=1, cards=PAIR, main=BET))
    answer = says(at, HandReport(box=1, cards=PAIR, folded=True, main=main))
    assert told(answer.settlement) == {"ante": ("lose", 2500, 0)}
    assert told(at.void("t1").settlement) == {"ante": ("returned", 2500, 2500)}


def test_who_walks_away_may_be_said_with_another_bet_than_before() -> None:
    at = floor()
    says(at, HandReport(box=1, cards=PAIR, main=BET))
    answer = says(at, HandReport(box=1, cards=PAIR, main=replace(LEAVES, bet=4000)))
    assert told(answer.settlement)["bet"] == ("win", 4000, 8000)


def test_who_walked_away_stays_the_player_of_the_box() -> None:
    at = floor()
    says(at, HandReport(box=1, cards=PAIR, main=replace(BET, player="ann", examined=True)))
    says(at, HandReport(box=1, cards=PAIR, main=LEAVES))
    left = at.link.tables["t1"].round.boxes[1].main
    assert left == MainGame(decision="walk_away", bet=5000, player="ann", examined=True)


@pytest.mark.parametrize("gave_up", [FOLDS, LEAVES])
@pytest.mark.parametrize("bonus", [0, 500])
def test_a_box_that_the_last_message_left_out_stays_settled(gave_up: MainGame, bonus: int) -> None:
    """By that message, and when the House resolves something at another box."""
    at = Floor(tables={"t1": HOLDEM})
    at.bets("t1", {}, ante={1: 1000, 2: 1000}, bonus={1: bonus})
    main = {1: gave_up, 2: STAYS}
    first = at.hands("t1", {1: "Kh 4s", 2: "Jh Js"}, main=main, community=FLOP)
    assert {line.box for line in first.settlement} == {1}
    at.wait(1)
    assert at.hands("t1", {2: "Jh Js"}, main={2: STAYS}, community=FLOP).settlement == first.settlement
    declared = at.irregularity("t1", "5.15", reconstructed=False, boxes=(2,))
    assert {line.box for line in declared.settlement} == {1, 2}


# A report that only says it is final


def nothing_but_final(at: Floor, dealer: str = "") -> HandsAnswer:
    at.wait(1)
    return at.hands("t1", {}, final=True, dealer=dealer)


@pytest.mark.parametrize("dealer", ["", "Ac Kd 8h 5c 2d"])
def test_a_report_that_only_says_it_is_final_settles_what_was_told(dealer: str) -> None:
    at = floor()
    told_before = says(at, HandReport(box=1, cards=PAIR, main=BET), HandReport(box=2, revealed=False))
    answer = nothing_but_final(at, dealer)
    assert answer.state is RoundState.SETTLED
    assert (answer.settlement, answer.adjustments) == (told_before.settlement, ())
    assert answer.results == told_before.results
    assert nothing_but_final(at, dealer) == answer


def test_a_report_that_only_says_it_is_final_may_bring_the_dealers_cards() -> None:
    at = floor()
    says(at, HandReport(box=1, cards=PAIR, main=BET), HandReport(box=2, revealed=False), dealer=())
    answer = nothing_but_final(at, "Ac Kd 8h 5c 2d")
    assert told(answer.settlement)["bet"] == ("win", 5000, 10_000)


def test_a_report_that_only_says_it_is_final_keeps_majors_and_invalid_hands() -> None:
    at = Floor(tables={"t1": STUD})
    at.bets("t1", [1, 2, 3])
    main = {1: STAYS, 3: STAYS}
    dealer = "Ac Kd 8h 5c 2c"
    hands: Hands = {1: "Ah Kh Qh Jh Th", 2: ("5.15",), 3: "9c 9d 4h 7s 2d"}
    before = at.hands("t1", hands, main=main, dealer=dealer)
    at.irregularity("t1", "5.19", boxes=(3,))
    answer = nothing_but_final(at)
    assert answer.results == before.results[:2]
    assert list(at.link.queue) == [before.results[0].win]
    assert {(line.box, line.rule) for line in answer.settlement} == {(1, "3.14.1"), (2, "5.15"), (3, "5.19")}
    assert answer.adjustments == ()


def test_a_report_without_hands_leaves_all_of_them_as_they_were_told() -> None:
    at = floor()
    before = says(at, HandReport(box=1, cards=PAIR, main=BET))
    assert (says(at).settlement, says(at).results) == (before.settlement, before.results)


def test_a_first_report_that_only_says_it_is_final_settles_a_round_nobody_showed() -> None:
    at = floor()
    answer = nothing_but_final(at)
    assert (answer.state, answer.results, answer.settlement) == (RoundState.SETTLED, (), ())
