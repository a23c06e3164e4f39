"""The contract of a round told in pieces: what stays as told, how it ends, what goes back; from outside."""

from __future__ import annotations

from typing import Any

import pytest

from tests.callers import NOTHING, QUADS, Controller, Floor, done, now, refused
from tests.service import Json

ACES = "Ac Ad 8h 5s 3c"
BOARD, DEALER = "2c 7d 9s Jc 3h", ["9h", "5d"]
BETS = {"cards": QUADS.split(), "bet": 5000}
Told = list[tuple[Any, ...]]


def back(answer: Json) -> Told:
    return [(one["box"], one["wager"], one["amount"], one["code"]) for one in answer["returned"]]


def paid(answer: Json) -> dict[tuple[int, str], int]:
    return {(one["box"], one["wager"]): one["payout"] for one in answer["settlement"]}


def declare(floor: Floor, table: Controller, said: Json) -> Any:
    path = f"/v1/tables/{table.table}/rounds/{table.round}/irregularities"
    return floor.service.call("POST", path, "sue", json=said)


def test_final_with_a_wager_open_is_422_and_names_it(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    before = floor.mark()
    hands: dict[int, str | Json | None] = {1: BETS, 2: {"cards": NOTHING.split()}}
    said: Json = {"dealer": {"cards": ACES.split()}, "final": True}
    problem = refused(floor.stud.hands(hands, **said), 422, "play_incomplete")
    assert (problem["box"], problem["wager"], problem["rule"]) == (2, "ante", "1.16")
    assert problem["open"] == [{"box": 2, "wager": "ante"}]
    assert floor.mark() == before
    done(floor.stud.hands({1: BETS, 2: {"folded": True}}, **said))


def test_what_a_hands_message_leaves_out_stays_as_told(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    first = done(floor.stud.hands({1: BETS, 2: {"folded": True}}, dealer={"cards": ACES.split()}))
    second = done(floor.stud.hands({2: {"cards": NOTHING.split()}}))
    assert second["settlement"] == first["settlement"]
    assert [one["box"] for one in second["results"]] == [1, 2]
    assert done(floor.stud.hands({}, final=True))["settlement"] == first["settlement"]


def test_cards_and_a_fold_are_retracted_by_saying_so(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    done(floor.stud.hands({1: QUADS, 2: {"folded": True}}))
    answer = done(floor.stud.hands({1: {"cards": []}, 2: {"folded": False}}))
    assert (answer["state"], answer["results"], answer["settlement"]) == ("bets_closed", [], [])
    done(floor.stud.hands({1: QUADS}, dealer={"cards": ACES.split()}))
    done(floor.stud.hands({}, dealer={"cards": []}))


def test_bets_over_open_wagers_are_taken_and_the_house_sees_it(floor: Floor) -> None:
    done(floor.stud.bets([1]))
    done(floor.stud.hands({1: BETS}))
    done(floor.stud.bets([1]))
    tables = done(floor.get("tables"))["tables"]
    codes = [one["code"] for table in tables if table["id"] == floor.stud.table for one in table["alerts"]]
    assert codes == ["wagers_open"]


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ({"paragraph": "5.15", "reconstructed": False, "boxes": [1]}, "settled"),
        ({"paragraph": "5.8.7", "reconstructed": False}, "voided"),
    ],
)
def test_a_supervisor_may_declare_after_final_what_the_table_may_not(
    floor: Floor, said: Json, state: str
) -> None:
    done(floor.stud.bets([1]))
    done(floor.stud.hands({1: BETS}, dealer={"cards": ACES.split()}, final=True))
    refused(floor.stud.void(reason="5.8.7"), 409, "round_stands")
    assert done(declare(floor, floor.stud, said))["state"] == state


def test_a_paid_major_stands_against_a_late_declaration(floor: Floor) -> None:
    win = floor.stud.wins(final=True)
    done(floor.approve(win, "ana"))
    said = {"paragraph": "5.15", "reconstructed": False, "boxes": [1]}
    refused(declare(floor, floor.stud, said), 409, "win_paid")


def test_a_closed_table_hands_every_wager_back(floor: Floor) -> None:
    done(floor.holdem.beat())
    done(floor.service.post(f"/v1/tables/{floor.holdem.table}/close", "ana", {"reason": "shift"}))
    answer = done(floor.holdem.bets([{"box": 1, "ante": 2500, "progressive": 500, "bonus": 300}]))
    assert answer["accepted"] == []
    assert back(answer) == [
        (1, "progressive", 500, "table_closed"),
        (1, "ante", 2500, "table_closed"),
        (1, "bonus", 300, "table_closed"),
    ]


def test_a_blocked_box_takes_no_wager(floor: Floor) -> None:
    done(floor.stud.beat())
    body = {"scope": {"table": floor.stud.table, "box": 2}, "observed_at": now(), "cards_seen": {}}
    done(floor.service.post("/v1/malfunctions", "sue", body | {"then": "block_box", "note": ""}))
    answer = done(floor.stud.bets([1, 2]))
    assert back(answer) == [(2, "progressive", 500, "box_blocked"), (2, "ante", 2500, "box_blocked")]
    assert answer["accepted"] == [{"box": 1, "progressive": 500}]


def test_a_round_of_which_cards_were_seen_is_not_said_to_be_unseen(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    done(floor.stud.hands({1: {"examined": True}}))
    refused(floor.stud.void(reason="5.17"), 422, "cards_were_seen")
    scope = {"scope": {"table": floor.stud.table}, "observed_at": now(), "then": "close", "note": ""}
    seen = {"cards_seen": {floor.stud.table: False}}
    problem = refused(floor.service.post("/v1/malfunctions", "sue", scope | seen), 422, "cards_were_seen")
    assert problem["field"] == f"cards_seen.{floor.stud.table}"


def test_a_table_that_says_unseen_after_an_outage_comes_back_and_its_round_goes_on(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    done(floor.stud.hands({2: {"folded": True}}))
    void = {"kind": "void", "round": 1, "sent_at": now(), "reason": "5.17"}
    offline = {"since": now(), "cards_seen": False, "registered": None}
    (told,) = done(floor.stud.events(void, offline=offline))["answers"]
    assert (told["status"], told["problem"]["code"]) == (422, "cards_were_seen")
    assert done(floor.stud.beat())["progressive"] == "on"
    done(floor.stud.hands({1: QUADS}))


@pytest.mark.parametrize("reason", ["5.8", "5.24", "5.18"])
def test_a_table_voids_by_its_own_paragraphs_only(floor: Floor, reason: str) -> None:
    done(floor.stud.bets())
    code = "supervisor_needed" if reason == "5.24" else "void_reason_unknown"
    refused(floor.stud.void(reason=reason), 422, code)


def test_that_a_hand_was_examined_on_purpose_is_for_a_supervisor_to_say(floor: Floor) -> None:
    done(floor.stud.bets())
    problem = refused(floor.stud.hands({1: {"invalidated": "5.19"}}), 422, "supervisor_needed")
    assert problem["rule"] == "5.19"


def test_wagers_of_another_game_are_422(floor: Floor) -> None:
    bonus = {"box": 1, "ante": 2500, "bonus": 500}
    assert refused(floor.stud.bets([bonus]), 422, "wager_not_in_game")["field"] == "boxes[0].bonus"
    done(floor.stud.bets())
    refused(floor.stud.hands({1: {"flop": 5000}}), 422, "wager_not_in_game")
    done(floor.holdem.bets())
    refused(floor.holdem.hands({1: {"bet": 5000}}), 422, "wager_not_in_game")
    refused(floor.holdem.hands({1: {"flop": 5000, "river": 0}}), 422, "decision_contradictory")


def test_a_fold_before_the_flop_waits_for_it_with_its_progressive_bet(floor: Floor) -> None:
    done(floor.holdem.bets())
    first = done(floor.holdem.hands({1: {"cards": ["8h", "6h"], "folded": True}}))
    assert (first["state"], first["results"], paid(first)) == ("bets_closed", [], {(1, "ante"): 0})
    second = done(floor.holdem.hands({}, community="2h 7h 9h"))
    assert [(one["hand"], one["award"]) for one in second["results"]] == [("flush", 20_000)]


def test_each_chip_is_new_in_one_part_of_an_answer(floor: Floor) -> None:
    bonus = {"ante": 2500, "progressive": 500, "bonus": 300}
    done(floor.holdem.bets([{"box": box} | bonus for box in (1, 2)]))
    plays = {"cards": ["Jh", "Js"], "flop": 5000, "turn": 0, "river": 2500}
    first = done(floor.holdem.hands({1: plays, 2: {"folded": True}}, community=BOARD))
    assert (back(first), first["adjustments"]) == ([], [])
    assert paid(first) == {(1, "bonus"): 3300, (2, "ante"): 0, (2, "bonus"): 0}
    second = done(floor.holdem.hands({2: {"invalidated": "5.15"}}, dealer={"cards": DEALER}))
    assert back(second) == [(2, "progressive", 500, "hand_invalidated")]
    assert [(one["box"], one["wager"], one["difference"]) for one in second["adjustments"]] == [
        (2, "ante", 2500),
        (2, "bonus", 300),
    ]
    void = done(floor.holdem.void())
    assert back(void) == [(1, "progressive", 500, "round_voided")]
    assert {(one["box"], one["wager"]) for one in void["adjustments"]} == {
        (1, "flop"),
        (1, "river"),
        (1, "bonus"),
    }
    assert sum(paid(void).values()) == 2500 + 5000 + 2500 + 300 + 2500 + 300
