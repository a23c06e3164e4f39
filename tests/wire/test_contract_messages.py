"""The contract of table messages whatever they say: clocks, numbers, spools, optional fields."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.callers import BOX, NOTHING, STRAIGHT_FLUSH, Floor, done, now, refused
from tests.service import SEED, Json

HOUR = 3600


def test_house_time_is_table_time_plus_offset(floor: Floor) -> None:
    """A table an hour slow, which knows it, deals a straight flush now, not an hour ago."""
    slow = {"sent_at": now(-HOUR), "clock": {"offset_us": HOUR * 10**6, "error_us": 2000}}
    done(floor.stud.beat(**slow))
    done(floor.stud.bets(closed_at=now(-HOUR), sent_at=now(-HOUR)))
    hand = {"cards": STRAIGHT_FLUSH.split(), "dealt_at": now(-HOUR)}
    answer = done(floor.stud.hands({1: hand}, sent_at=now(-HOUR)))
    interval = floor.waiting(answer["results"][0]["win"])["interval"]
    for end in ("from", "to"):
        assert abs(datetime.fromisoformat(interval[end]) - datetime.now(UTC)) < timedelta(seconds=5)


def test_the_interval_of_a_deal_is_its_stamp_and_what_the_house_measured_of_the_clock(floor: Floor) -> None:
    done(floor.stud.beat(clock={"offset_us": 0, "error_us": 50}))
    told = done(floor.get(f"wins/{floor.stud.wins()}"))
    evidence, interval, witnessed = told["evidence"], told["interval"], told["witnessed"]
    dealt = datetime.fromisoformat(evidence["dealt_at"])
    start, end = (
        dealt + timedelta(microseconds=evidence[name]) for name in ("offset_from_us", "offset_to_us")
    )
    assert datetime.fromisoformat(interval["from"]) == max(start, datetime.fromisoformat(witnessed["from"]))
    assert datetime.fromisoformat(interval["to"]) == min(end, datetime.fromisoformat(witnessed["to"]))
    assert witnessed["to"] >= evidence["received_at"]


def test_stamps_made_in_the_order_of_the_fields_are_taken(floor: Floor) -> None:
    """`{"sent_at": now(), "closed_at": now()}`: the second is a few microseconds later."""
    done(floor.stud.beat())
    done(floor.stud.bets(sent_at=now(), closed_at=now(0.00002)))
    sent_at = datetime.now(UTC)
    dealt_at = (sent_at + timedelta(microseconds=5)).isoformat()
    hand = {"cards": STRAIGHT_FLUSH.split(), "dealt_at": dealt_at}
    answer = done(floor.stud.hands({1: hand}, sent_at=sent_at.isoformat()))
    win = answer["results"][0]["win"]
    interval, evidence = floor.waiting(win)["interval"], done(floor.get(f"wins/{win}"))["evidence"]
    assert interval["from"] <= interval["to"]
    assert datetime.fromisoformat(evidence["dealt_at"]) == sent_at + timedelta(microseconds=5)
    again = done(floor.stud.hands({1: hand}))
    assert again["results"] == answer["results"]


def test_stamps_a_little_crossed_are_taken_from_a_spool_too(floor: Floor) -> None:
    bets = {"kind": "bets", "round": 1, "sent_at": now(), "closed_at": now(0.00002), "boxes": [BOX]}
    hand = {"box": 1, "cards": STRAIGHT_FLUSH.split(), "dealt_at": now(-0.1)}
    hands = {"kind": "hands", "round": 1, "sent_at": now(), "hands": [hand]}
    early = answers(done(floor.stud.events(bets, hands)))
    assert early[1]["results"][0]["hand"] == "straight_flush"


def test_stamps_that_cannot_be_are_refused_with_their_field(floor: Floor) -> None:
    problem = refused(floor.stud.bets(closed_at=now(3)), 422, "bets_closed_after_sent")
    assert problem["field"] == "closed_at"
    done(floor.stud.bets(round=1))
    for seconds, code in ((-3, "dealt_before_bets_closed"), (3, "dealt_after_sent")):
        hand = {"cards": NOTHING.split(), "dealt_at": now(seconds)}
        refused(floor.stud.hands({1: hand}, round=1), 422, code)


def test_a_missing_deal_time_is_unknown_within_the_possible(floor: Floor) -> None:
    done(floor.stud.beat())
    done(floor.stud.bets())
    answer = done(floor.stud.hands({1: {"cards": STRAIGHT_FLUSH.split()}}))
    win = floor.waiting(answer["results"][0]["win"])
    assert win["interval"] == win["witnessed"]


def test_deal_order_rises_with_the_box(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    hands = {1: NOTHING, 2: "Qd Ts 6c 4h 2d"}
    orders = {box: {"cards": cards.split(), "deal_order": 3 - box} for box, cards in hands.items()}
    refused(floor.stud.hands(orders), 422, "deal_order_wrong")
    done(floor.stud.hands({box: hand | {"deal_order": box} for box, hand in orders.items()}))


def test_a_gap_in_the_numbers_is_told_with_the_number_expected(floor: Floor) -> None:
    done(floor.stud.beat(seq=7))
    before = floor.mark()
    problem = refused(floor.stud.bets(seq=9), 409, "gap")
    assert problem["expected"] == 8
    assert floor.mark() == before
    done(floor.stud.bets(round=1, seq=8))


def test_every_kind_of_message_may_carry_its_number(floor: Floor) -> None:
    done(floor.stud.beat(seq=1))
    done(floor.stud.bets(seq=2))
    done(floor.stud.hands({1: NOTHING}, seq=3))
    done(floor.stud.void(seq=4))
    event = {"kind": "heartbeat", "sent_at": now(), "seq": 5}
    done(floor.stud.events(event))
    refused(floor.stud.beat(seq=7), 409, "gap")


def test_without_numbers_the_time_of_sending_must_not_fall(floor: Floor) -> None:
    done(floor.stud.beat())
    before = floor.mark()
    refused(floor.stud.beat(sent_at=now(-1)), 409, "sent_at_fell")
    assert floor.mark() == before


def test_a_time_without_offset_or_sense_is_refused_with_its_field(floor: Floor) -> None:
    before = floor.mark()
    for time in ("2026-01-01T08:00:00", "yesterday", "2026-13-01T00:00:00Z", "2026-01-01", ""):
        assert refused(floor.stud.bets(closed_at=time), 422)["field"] == "closed_at"
    assert floor.mark() == before


def test_times_may_have_any_offset_and_microseconds(floor: Floor) -> None:
    for zone in ("Z", "+00:00", "+08:00", "-03:30"):
        sign = -1 if zone[0] == "-" else 1
        minutes = 0 if zone == "Z" else sign * (int(zone[1:3]) * 60 + int(zone[4:]))
        here = datetime.now(UTC).replace(tzinfo=None) + timedelta(minutes=minutes)
        done(floor.stud.beat(sent_at=f"{here.isoformat(timespec='microseconds')}{zone}"))


def test_a_spool_is_replayed_in_order_with_an_answer_per_event(floor: Floor) -> None:
    moment = now()
    bets = {"kind": "bets", "round": 1, "sent_at": moment, "closed_at": moment, "boxes": [BOX]}
    hands = {"kind": "hands", "round": 1, "sent_at": moment, "final": True}
    hands |= {"hands": [{"box": 1, "cards": NOTHING.split()}]}
    second = bets | {"round": 2}
    void = {"kind": "void", "round": 2, "sent_at": moment, "reason": "5.8.1"}
    beat = {"kind": "heartbeat", "sent_at": moment, "in_play": True}
    told = answers(done(floor.stud.events(bets, hands, second, void, beat, offline=None)))
    states = [one.get("state", one.get("table_state")) for one in told]
    assert states == ["bets_closed", "settled", "bets_closed", "voided", "in_play"]
    assert floor.meter()["value"] == SEED + 200


def timeless(told: list[Json]) -> list[Json]:
    """A repeat is answered as the first time but for its own `replied_at`."""
    return [one | {"replied_at": None} for one in told]


def test_a_spool_replayed_twice_does_nothing_twice(floor: Floor) -> None:
    moment = now()
    bets = {"kind": "bets", "round": 1, "sent_at": moment, "closed_at": moment, "boxes": [BOX]}
    first = done(floor.stud.events(bets))
    before = floor.mark()
    assert timeless(answers(done(floor.stud.events(bets)))) == timeless(answers(first))
    assert floor.mark() == before


def test_a_numbered_spool_replayed_twice_is_answered_twice(floor: Floor) -> None:
    bets = {"kind": "bets", "round": 1, "seq": 3, "boxes": [BOX], "closed_at": now(), "sent_at": now()}
    first, second, last = ({"kind": "heartbeat", "sent_at": now(), "seq": number} for number in (1, 2, 4))
    spool: list[Json] = [first, second, bets, last]
    done(floor.stud.events(*spool))
    before = floor.mark()
    assert [one["status"] for one in done(floor.stud.events(*spool))["answers"]] == [200] * 4
    assert floor.mark() == before


def test_content_is_alike_for_put_and_events(floor: Floor) -> None:
    body = floor.stud.bets_body([1])
    first = done(floor.stud.send("bets", body, round=1))
    before = floor.mark()
    told = answers(done(floor.stud.events({"kind": "bets", "round": 1} | body)))
    assert told[0]["accepted"] == first["accepted"]
    assert told[0]["meter"] == first["meter"]
    assert floor.mark() == before


def test_a_refused_event_is_told_in_its_place(floor: Floor) -> None:
    moment = now()
    bets = {"kind": "bets", "round": 1, "sent_at": moment, "closed_at": moment, "boxes": [BOX]}
    told = done(floor.stud.events(bets, bets | {"boxes": [BOX | {"box": 2}]}))["answers"]
    assert (told[0]["status"], told[0]["answer"]["state"]) == (201, "bets_closed")
    assert (told[1]["status"], told[1]["problem"]["code"]) == (409, "conflict")


def answers(told: Json) -> list[Json]:
    """The answers to events, in order, all of which had to be taken."""
    assert all(one["status"] in (200, 201) for one in told["answers"]), told
    return [one["answer"] for one in told["answers"]]


def test_what_a_table_promised_offline_is_replayed(floor: Floor) -> None:
    done(floor.stud.beat())
    closed = floor.stud.bets_body([1])
    meter = done(floor.stud.send("bets", closed, round=1))["meter"]
    offline = {"since": now(), "cards_seen": True, "registered": meter}
    hands = {"kind": "hands", "round": 1, "sent_at": now(), "final": True}
    hands |= {"hands": [{"box": 1, "cards": NOTHING.split()}]}
    told = answers(done(floor.stud.events(hands, offline=offline)))
    assert told[-1]["state"] == "settled"


def test_fields_of_the_main_game_are_taken(floor: Floor) -> None:
    done(floor.stud.bets([BOX]))
    stud = {"cards": NOTHING.split(), "bet": 5000, "decision": "bet", "examined": False, "player": "anon"}
    done(floor.stud.hands({1: stud}))
    done(floor.holdem.bets([BOX | {"bonus": 1000}]))
    holdem = {"cards": ["Ah", "Kd"], "flop": 5000, "turn": 2500, "river": 2500}
    done(floor.holdem.hands({1: holdem}, community="2c 7d 9s Jc 3h"))


def test_a_card_seen_twice_is_refused_and_changes_nothing(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    before = floor.mark()
    refused(floor.stud.hands({1: NOTHING, 2: "Qc Ts 6c 4h 2d"}), 422, "card_repeated")
    assert floor.mark() == before


def test_bets_carry_on_from_a_settled_round_without_a_final_word(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    done(floor.stud.hands({1: NOTHING}))
    done(floor.stud.bets([1]))
    evidence = done(floor.service.get(f"/v1/tables/{floor.stud.table}/rounds/1", "ada"))
    assert "settled" in str(evidence)


def test_round_numbers_rise_by_table(floor: Floor) -> None:
    done(floor.stud.bets(round=5))
    before = floor.mark()
    refused(floor.stud.bets(round=4), 409, "round_passed")
    assert floor.mark() == before
    done(floor.stud2.bets(round=4))
