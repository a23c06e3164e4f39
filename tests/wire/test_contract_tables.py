"""The contract of the table controllers: bets, hands, voids and heartbeats, from outside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from tests.callers import BOX, NOTHING, QUADS, ROYAL, STRAIGHT_FLUSH, Floor, done, now, refused
from tests.service import SEED

HANDS = {
    ROYAL: ("royal_flush", "major", None),
    STRAIGHT_FLUSH: ("straight_flush", "major", None),
    QUADS: ("four_of_a_kind", "minor", 200_000),
    "Kc Kh Ks Jd Js": ("full_house", "minor", 40_000),
    "Kh Jh 9h 5h 2h": ("flush", "minor", 20_000),
    "5c 4d 3c 2h As": ("straight", "minor", 10_000),
    "7c 7d 7h Ks 2d": ("three_of_a_kind", None, None),
    "7c 7d Kh Ks 2d": ("two_pairs", None, None),
    "7c 7d Qh Ks 2d": ("one_pair", None, None),
    NOTHING: ("five_odd_cards", None, None),
}


def test_bets_are_closed_with_201_and_every_field_of_the_answer(floor: Floor) -> None:
    response = floor.stud.bets([1, 2])
    assert response.status_code == 201
    answer = response.json()
    assert (answer["table"], answer["round"], answer["state"]) == (floor.stud.table, 1, "bets_closed")
    assert answer["accepted"] == [{"box": 1, "progressive": 500}, {"box": 2, "progressive": 500}]
    assert answer["returned"] == []
    assert answer["meter"] == {"value": SEED + 400, "sequence": floor.meter()["sequence"], "next": None}


def test_a_bet_that_may_not_stand_is_returned_with_code_and_rule(floor: Floor) -> None:
    bets = [
        {"box": 1, "progressive": 500},
        {"box": 2, "ante": 0, "progressive": 500},
        {"box": 3, "ante": 2500, "progressive": 700},
        {"box": 4, "ante": 2500, "progressive": 300},
    ]
    answer = done(floor.stud.bets(bets))
    assert answer["returned"] == [
        {"box": 1, "amount": 500, "code": "no_ante", "rule": "5.4", "wager": "progressive"},
        {"box": 2, "amount": 500, "code": "no_ante", "rule": "5.4", "wager": "progressive"},
        {"box": 3, "amount": 200, "code": "over_prescribed", "rule": "5.1", "wager": "progressive"},
        {"box": 4, "amount": 300, "code": "under_prescribed", "rule": "3.4", "wager": "progressive"},
    ]
    assert answer["accepted"] == [{"box": 3, "progressive": 500}]


def test_the_same_bets_again_are_answered_as_the_first_time_with_200(floor: Floor) -> None:
    body = floor.stud.bets_body([1, 2])
    first = floor.stud.send("bets", body, round=1)
    again = floor.stud.send("bets", body | {"sent_at": now(), "seq": 1}, round=1)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json() | {"replied_at": first.json()["replied_at"]}
    assert first.json()["replied_at"] < again.json()["replied_at"]


def test_the_same_bets_in_another_order_are_answered_as_the_first_time(floor: Floor) -> None:
    body = floor.stud.bets_body([1, 2, 3])
    first = done(floor.stud.send("bets", body, round=1))
    again = floor.stud.send("bets", body | {"boxes": body["boxes"][::-1]}, round=1)
    assert (again.status_code, again.json() | {"replied_at": first["replied_at"]}) == (200, first)


def test_other_bets_of_the_same_round_are_a_conflict(floor: Floor) -> None:
    done(floor.stud.bets([1]))
    before = floor.mark()
    refused(floor.stud.bets([1, 2], round=1), 409, "conflict")
    assert floor.mark() == before


def test_bets_are_compared_after_parsing(floor: Floor) -> None:
    body = floor.stud.bets_body([{"box": 1, "ante": 2500, "progressive": 500, "bonus": 0}])
    done(floor.stud.send("bets", body, round=1))
    east = datetime.fromisoformat(body["closed_at"]).astimezone(timezone(timedelta(hours=8)))
    other_words = {"sent_at": now(), "closed_at": east.isoformat(), "boxes": [BOX]}
    assert floor.stud.send("bets", other_words, round=1).status_code == 200


def test_a_refused_message_claims_no_key(floor: Floor) -> None:
    refused(floor.stud.bets([{"box": 8, "ante": 2500, "progressive": 500}]), 422, "box_unknown")
    assert floor.stud.bets([1], round=1).status_code == 201


def test_bets_that_cannot_be_are_refused_whole(floor: Floor) -> None:
    before = floor.mark()
    for boxes, code in (
        ([BOX, BOX], "box_repeated"),
        ([BOX | {"box": 0}], "box_unknown"),
        ([BOX | {"box": 8}], "box_unknown"),
        ([BOX | {"ante": -1}], None),
        ([BOX | {"progressive": 50_001}], "amount_unreasonable"),
        ([BOX | {"ante": 10**12 + 1}], None),
        ([BOX | {"bonus": 10**12 + 1}], None),
    ):
        problem = refused(floor.stud.bets(boxes), 422, code)
        assert problem["field"].startswith("boxes")
    assert floor.mark() == before


def test_an_ante_of_ten_to_the_twelfth_is_taken(floor: Floor) -> None:
    done(floor.stud.bets([BOX | {"ante": 10**12}]))


def test_every_hand_has_its_name_its_level_and_its_award(floor: Floor) -> None:
    for cards, (hand, level, award) in HANDS.items():
        done(floor.stud.bets())
        answer = done(floor.stud.hands({1: cards}))
        result = answer["results"][0]
        assert (result["box"], result["hand"], result["level"], result["award"]) == (1, hand, level, award)
        assert (result["win"] is not None) == (level == "major")
        assert answer["state"] == "hands_known"
        assert isinstance(answer["settlement"], list)
        assert answer["meter"]["value"] == SEED + 200  # frozen by the first of them


def test_cards_are_rank_then_suit_in_any_case(floor: Floor) -> None:
    for cards in ("Ah Td 10s 2c 9h", "AH tD 10S 2C 9H", "ah td 10s 2c 9h"):
        done(floor.stud.bets())
        assert done(floor.stud.hands({1: cards}))["results"][0]["hand"] == "one_pair"


def test_a_holdem_hand_is_the_hole_cards_and_the_flop(floor: Floor) -> None:
    done(floor.holdem.bets())
    answer = done(floor.holdem.hands({1: "Ah Kh"}, community="Qh Jh 2c Th 3h"))
    assert answer["results"][0]["hand"] == "five_odd_cards"
    assert done(floor.holdem.hands({1: "Ah Kh"}, community="Qh Jh Th"))["results"][0]["level"] == "major"


def test_three_to_five_community_cards_are_told(floor: Floor) -> None:
    done(floor.holdem.bets())
    for community in ("Qh Jh", "Qh Jh 2c Th 3h 4h"):
        refused(floor.holdem.hands({1: "Ah Kh"}, community=community), 422, "wrong_number_of_cards")


def test_a_box_may_say_that_it_was_not_revealed(floor: Floor) -> None:
    done(floor.stud.bets())
    answer = done(floor.stud.hands({1: None}))
    assert (answer["state"], answer["results"][0]["hand"]) == ("hands_known", None)


def test_a_box_may_be_invalidated_by_its_paragraph_and_gets_its_bets_back(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    answer = done(floor.stud.hands({1: {"invalidated": "5.15"}, 2: NOTHING}))
    assert answer["results"][0]["hand"] is None
    assert answer["meter"]["value"] == SEED + 200


def test_a_final_report_settles_the_round(floor: Floor) -> None:
    done(floor.stud.bets())
    assert done(floor.stud.hands({1: NOTHING}, final=True))["state"] == "settled"


def test_a_round_is_open_until_every_bet_has_a_hand(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    assert done(floor.stud.hands({1: NOTHING}))["state"] == "bets_closed"


def test_the_dealers_cards_may_be_told(floor: Floor) -> None:
    done(floor.stud.bets())
    done(floor.stud.hands({1: NOTHING}, dealer={"cards": ["Kc", "Kd", "3h", "4d", "9s"]}))


def test_the_same_hands_again_are_answered_as_before(floor: Floor) -> None:
    done(floor.stud.bets())
    body = floor.stud.hands_body({1: QUADS})
    first = done(floor.stud.send("hands", body))
    again = floor.stud.send("hands", body | {"sent_at": now()})
    assert (again.status_code, again.json() | {"replied_at": first["replied_at"]}) == (200, first)


def test_other_hands_correct_the_round_while_it_is_current(floor: Floor) -> None:
    done(floor.stud.bets())
    done(floor.stud.hands({1: QUADS}))
    result = done(floor.stud.hands({1: "9c 9d 9h 8s Kd"}))["results"][0]
    assert (result["hand"], result["award"]) == ("three_of_a_kind", None)


def test_other_hands_after_settlement_find_that_the_round_stands(floor: Floor) -> None:
    done(floor.stud.bets())
    done(floor.stud.hands({1: QUADS}, final=True))
    before = floor.mark()
    refused(floor.stud.hands({1: NOTHING}), 409, "round_stands")
    assert floor.mark() == before


def test_a_void_returns_the_bets_and_lowers_the_meter(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    answer = done(floor.stud.void(note="the shoe broke"))
    assert answer["state"] == "voided"
    assert [(one["box"], one["wager"], one["amount"]) for one in answer["returned"]] == [
        (1, "progressive", 500),
        (1, "ante", 2500),
        (2, "progressive", 500),
        (2, "ante", 2500),
    ]
    assert answer["meter"]["value"] == SEED


def test_a_void_of_an_earlier_round_finds_that_it_stands(floor: Floor) -> None:
    done(floor.stud.bets())
    done(floor.stud.bets())
    before = floor.mark()
    problem = refused(floor.stud.void(round=1), 409, "round_stands")
    assert problem["rule"]
    assert floor.mark() == before


def test_a_heartbeat_tells_the_times_the_state_and_the_meter(floor: Floor) -> None:
    before = datetime.now(UTC)
    answer = done(floor.stud.beat())
    received, replied = (datetime.fromisoformat(answer[name]) for name in ("received_at", "replied_at"))
    assert before - timedelta(seconds=1) < received <= replied < datetime.now(UTC) + timedelta(seconds=1)
    assert (answer["table_state"], answer["progressive"], answer["notice"]) == ("in_play", "on", None)
    assert answer["meter"]["value"] == SEED


def test_a_heartbeat_of_a_closed_table_tells_that_the_progressive_is_off(floor: Floor) -> None:
    done(floor.stud.beat())
    done(floor.service.post(f"/v1/tables/{floor.stud.table}/close", "ana", {"reason": "end of shift"}))
    answer = done(floor.stud.beat())
    assert (answer["table_state"], answer["progressive"]) == ("closed", "off")
    assert answer["notice"]


def test_a_table_leaves_play_by_its_own_word(floor: Floor) -> None:
    done(floor.stud.beat())
    assert done(floor.stud.beat(in_play=False))["table_state"] == "away"
