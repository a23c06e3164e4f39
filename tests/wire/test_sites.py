"""A gateway speaks for the tables of its site: many in one message, each answered by itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.callers import BOX, NOTHING, Floor, done, now, refused
from tests.service import GATEWAY, PIT_TABLES, SITE, Json

PATH = f"/v1/sites/{SITE}/events"


def said(floor: Floor, *events: Json) -> list[Json]:
    return list(done(floor.service.post(PATH, GATEWAY, {"events": list(events)}))["answers"])


def beat(table: str, **more: Any) -> Json:
    return {"table": table, "kind": "heartbeat", "sent_at": now()} | more


def bets(table: str, round: int, **more: Any) -> Json:
    stamps = {"sent_at": now(), "closed_at": now()}
    return {"table": table, "kind": "bets", "round": round, "boxes": [BOX]} | stamps | more


def hands(table: str, round: int, **more: Any) -> Json:
    told = [{"box": 1, "cards": NOTHING.split()}]
    return {"table": table, "kind": "hands", "round": round, "sent_at": now(), "hands": told} | more


def tables(floor: Floor) -> tuple[str, str]:
    return floor.stud.table, floor.holdem.table


def test_a_round_of_one_table_and_a_heartbeat_of_another_in_one_message(floor: Floor) -> None:
    stud, holdem = tables(floor)
    told = said(floor, bets(stud, 1), beat(holdem), hands(stud, 1, final=True))
    assert [(one["table"], one["status"]) for one in told] == [(stud, 201), (holdem, 200), (stud, 200)]
    assert told[0]["answer"]["accepted"] == [{"box": 1, "progressive": 500}]
    assert told[1]["answer"]["table_state"] == "in_play"
    assert told[2]["answer"]["results"][0]["hand"] == "five_odd_cards"
    assert all(one["answer"]["replied_at"] for one in told)


def test_what_it_says_is_what_the_table_itself_would_have_said(floor: Floor) -> None:
    """The same bets again, now by the table: answered as the first time."""
    event = bets(floor.stud.table, 1)
    (first,) = said(floor, event)
    body = {name: value for name, value in event.items() if name not in ("table", "kind", "round")}
    again = floor.stud.send("bets", body, round=1)
    assert (first["status"], again.status_code) == (201, 200)
    assert again.json() | {"replied_at": 0} == first["answer"] | {"replied_at": 0}


def test_each_is_refused_by_itself_and_changes_nothing_for_the_others(floor: Floor) -> None:
    stud, holdem = tables(floor)
    told = said(
        floor,
        bets(stud, 1, boxes=[BOX, BOX]),
        {"table": stud, "kind": "song"},
        {"kind": "heartbeat", "sent_at": now()},
        beat("nobody-01"),
        beat(stud, sent_at="yesterday"),
        bets(holdem, 1),
    )
    problems = [one.get("problem", {}).get("code") for one in told]
    assert problems == ["box_repeated", "invalid", "invalid", "other_table", "time_malformed", None]
    assert [one["status"] for one in told] == [422, 422, 422, 403, 422, 201]


def test_numbers_are_each_tables_own(floor: Floor) -> None:
    stud, holdem = tables(floor)
    told = said(floor, bets(stud, 1, seq=7), bets(holdem, 1, seq=1), hands(stud, 1, seq=9))
    assert [one["status"] for one in told] == [201, 201, 409]
    assert (told[2]["problem"]["code"], told[2]["problem"]["expected"]) == ("gap", 8)


def test_a_heartbeat_behind_its_tables_own_message_waits_for_it(floor: Floor) -> None:
    stud, _ = tables(floor)
    done(floor.stud.beat())
    done(floor.stud.beat())
    told = said(floor, bets(stud, 1, seq=1), beat(stud, seq=1))
    assert [one["status"] for one in told] == [201, 200]
    assert told[1]["answer"]["meter"]["sequence"] >= told[0]["answer"]["meter"]["sequence"]


def test_many_heartbeats_are_answered_in_one_message_each_with_its_own_echo(floor: Floor) -> None:
    stud, holdem = tables(floor)
    first = said(floor, beat(stud), beat(holdem))
    echoes = {one["table"]: {"replied_at": one["answer"]["replied_at"], "heard_at": now()} for one in first}
    told = said(floor, *[beat(table, echo=echoes[table]) for table in (stud, holdem) * 50])
    assert [one["status"] for one in told] == [200] * 100
    known = done(floor.service.get(f"/v1/links/{floor.link}/tables", "ana"))["tables"]
    clocks = {one["id"]: one["clock"] for one in known}
    assert all(clocks[table]["offset_from_us"] is not None for table in (stud, holdem)), clocks


def test_heartbeats_answered_from_memory_were_received_when_their_message_was(floor: Floor) -> None:
    stud, holdem = tables(floor)
    for _ in ("they join", "they are told so"):
        said(floor, beat(stud), beat(holdem))
    one, other = (told["answer"] for told in said(floor, beat(stud), beat(holdem)))
    assert one["received_at"] == one["replied_at"] == other["received_at"] == other["replied_at"]


def test_blackjack_tables_are_spoken_for_too(floor: Floor) -> None:
    table = next(iter(PIT_TABLES))
    (told,) = said(floor, beat(table))
    assert told["answer"]["meter"] is None


@pytest.mark.parametrize("by", ["ana", "sign-1", None])
def test_nobody_else_speaks_for_a_site(floor: Floor, by: str | None) -> None:
    response = floor.service.post(PATH, by, {"events": []})
    refused(response, 401 if by is None else 403)


def test_a_gateway_speaks_for_no_other_site(floor: Floor) -> None:
    refused(floor.service.post("/v1/sites/elsewhere/events", GATEWAY, {"events": []}), 403, "other_site")


def test_a_table_is_no_gateway(floor: Floor) -> None:
    refused(floor.service.post(PATH, floor.stud.table, {"events": []}), 403, "forbidden")


@pytest.mark.parametrize("body", [[], {}, {"events": {}}, {"events": [1] * 2001}, {"events": None}])
def test_a_message_of_another_shape_is_refused_whole(floor: Floor, body: object) -> None:
    refused(floor.service.post(PATH, GATEWAY, body), 422)


@pytest.mark.parametrize("event", [1, None, [], "x", {}, {"table": None}, {"table": ["x"], "kind": "bets"}])
def test_an_event_of_another_shape_is_refused_alone(floor: Floor, event: Any) -> None:
    stud, _ = tables(floor)
    wrong, right = said(floor, event, beat(stud))
    assert (wrong["status"], wrong["problem"]["code"]) == (422, "invalid")
    assert right["status"] == 200


def test_a_gateway_replays_what_its_table_did_alone(floor: Floor) -> None:
    """At the table's own address, since only there is told of an outage."""
    done(floor.stud.bets())
    event = {"kind": "hands", "round": 1, "sent_at": now(), "hands": [{"box": 1, "cards": NOTHING.split()}]}
    told = floor.service.post(f"/v1/tables/{floor.stud.table}/events", GATEWAY, {"events": [event]})
    assert done(told)["answers"][0]["status"] == 200
