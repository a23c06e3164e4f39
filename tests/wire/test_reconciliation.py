"""Meters of table controllers over HTTP: told, compared, found to differ at a round, and settled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.callers import BOX, NOTHING, QUADS, Controller, Floor, done, now, refused
from tests.service import GATEWAY, PIT, SITE, Json, Served


def over(table: Controller, hand: str = NOTHING) -> None:
    done(table.bets())
    done(table.hands({1: hand}, final=True))


def meters(round: int, **more: Any) -> Json:
    return {"round": round, "rounds": round, "bets": 500 * round, "returned": 0, "awards": 0} | more


def compared(floor: Floor, table: Controller) -> Json:
    told = done(floor.get("reconciliation"))["tables"]
    return dict(next(one for one in told if one["table"] == table.table))


def alerted(floor: Floor, table: Controller) -> list[Json]:
    told = done(floor.get("tables"))["tables"]
    alerts = next(one for one in told if one["id"] == table.table)["alerts"]
    return [one for one in alerts if one["code"] == "meters_differ"]


def test_a_reconciliation_that_fails_at_a_round_is_named_and_mended(floor: Floor) -> None:
    table = floor.stud
    assert compared(floor, table)["state"] == "tells_none"
    for number in (1, 2):
        over(table)
        done(table.beat(meters=meters(number, first=1)))
    agreed = compared(floor, table)
    assert (agreed["state"], agreed["agreed"], agreed["told"]) == ("agrees", 2, agreed["house"])
    over(table, QUADS)
    done(table.beat(meters=meters(3, awards=199_500)))
    found = compared(floor, table)
    difference = found["difference"]
    assert (found["state"], found["agreed"]) == ("differs", 2)
    assert (difference["round"], difference["rounds"], difference["where"]) == (3, [3], "round 3")
    assert difference["difference"] == {"rounds": 0, "bets": 0, "returned": 0, "awards": -500}
    assert [one["detail"] for one in alerted(floor, table)] == ["It began in round 3"]

    path, reason = f"/v1/differences/{difference['id']}/mend", {"reason": "paid by hand, 5.00 short"}
    refused(floor.service.post(path, "ana", reason), 403)
    refused(floor.service.post(path, "sue", {"reason": " "}), 422, "reason_missing")
    key = {"Idempotency-Key": "mended once"}
    assert done(floor.service.post(path, "sue", reason, headers=key))["meter"] is not None
    done(floor.service.post(path, "sue", reason, headers=key))
    refused(floor.service.post(path, "sue", reason), 409, "difference_mended")
    assert alerted(floor, table) == []
    done(table.beat(meters=meters(3, awards=199_500)))
    told = done(floor.get("reconciliation"))
    assert compared(floor, table)["state"] == "agrees"
    assert [(one["where"], one["person"], one["reason"]) for one in told["settled"]] == [
        ("round 3", "sue", reason["reason"])
    ]
    over(table)
    done(table.beat(meters=meters(4, awards=199_500)))
    assert compared(floor, table)["agreed"] == 4


def test_the_journal_and_the_audit_have_who_settled_it_and_why(floor: Floor) -> None:
    over(floor.stud)
    done(floor.stud.beat(meters=meters(1, bets=0, first=1)))
    done(floor.stud.beat(meters=meters(1, bets=0, first=1)))
    found = compared(floor, floor.stud)["difference"]["id"]
    done(floor.service.post(f"/v1/differences/{found}/mend", "sue", {"reason": "camera 4"}))
    entries = done(floor.get("journal", "ada", params={"kind": "MetersDiffered"}))["entries"]
    assert len(entries) == 1
    (ended,) = done(floor.get("journal", "ada", params={"kind": "MetersMended"}))["entries"]
    fact = ended["entry"]["fact"]
    assert (fact["difference"], fact["person"], fact["reason"]) == (found, "sue", "camera 4")
    acts = done(floor.service.get("/v1/audit", "ada", params={"act": "mend_meters"}))["acts"]
    assert [one["actor"] for one in acts][:1] == ["sue"]


def test_settling_can_be_looked_at_before(floor: Floor) -> None:
    over(floor.stud)
    done(floor.stud.beat(meters=meters(1, bets=0, first=1)))
    found = compared(floor, floor.stud)["difference"]["id"]
    asked = {"act": "mend_meters", "id": found, "said": {"reason": "camera 4"}}
    words = done(floor.post("previews", "sue", asked))["words"]
    assert words == ["The difference of the controller's meters is settled: camera 4."]
    assert compared(floor, floor.stud)["state"] == "differs"


@pytest.mark.parametrize("named", ["main.d1", "nowhere.d7", "x", "d"])
def test_a_difference_that_never_was_is_unknown(floor: Floor, named: str) -> None:
    refused(floor.service.post(f"/v1/differences/{named}/mend", "sue", {"reason": "why"}), 404)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"bets": -1}, "meters.bets"),
        ({"bets": 500.5}, "meters.bets"),
        ({"bets": "500"}, "meters.bets"),
        ({"bets": 2**60}, "meters.bets"),
        ({"bets": 2**70}, "meters.bets"),
        ({"bets": None}, "meters.bets"),
        ({"awards": True}, "meters.awards"),
        ({"rounds": -1}, "meters.rounds"),
        ({"round": 0}, "meters.round"),
        ({"first": 2}, "meters.first"),
        ({"first": 0}, "meters.first"),
        ({"rounds": 2, "first": 1}, "meters.rounds"),
        ({"won": 5}, "meters.won"),
    ],
)
def test_meters_that_cannot_be_are_refused_with_their_field(floor: Floor, wrong: Json, field: str) -> None:
    over(floor.stud)
    assert refused(floor.stud.beat(meters=meters(1) | wrong), 422)["field"] == field
    assert compared(floor, floor.stud)["state"] == "tells_none"


def test_meters_of_a_round_that_is_not_over_are_refused(floor: Floor) -> None:
    over(floor.stud)
    done(floor.stud.bets())
    told = refused(floor.stud.beat(meters=meters(2)), 409, "meters_ahead")
    assert (told["last"], told["field"]) == (1, "meters.round")
    refused(floor.stud.beat(meters=[1]), 422)
    refused(floor.stud.beat(meters={}), 422)
    done(floor.stud.beat(meters=None))


def test_meters_of_a_round_that_was_never_played_are_refused(floor: Floor) -> None:
    over(floor.stud)
    floor.stud.round = 3
    done(floor.stud.send("bets", floor.stud.bets_body([BOX])))
    done(floor.stud.hands({1: NOTHING}, final=True))
    refused(floor.stud.beat(meters=meters(2)), 404, "round_unknown")


def test_they_are_told_with_a_spool_and_through_a_gateway_too(floor: Floor) -> None:
    over(floor.stud)
    beat = {"kind": "heartbeat", "sent_at": now(), "meters": meters(1, first=1)}
    assert done(floor.stud.events(beat))["answers"][0]["status"] == 200
    assert compared(floor, floor.stud)["agreed"] == 1


def test_a_gateway_tells_those_of_all_its_tables(service: Served) -> None:
    """One of them wrongly, which the other does not feel."""
    first, second = Controller(service, "main-stud-01"), Controller(service, "main-stud-02")
    for table in (first, second):
        told = done(service.get("/v1/links/main/tables", "sue"))["tables"]
        current = next(one for one in told if one["id"] == table.table)["round"]
        table.round = 0 if current is None else current["round"]
        over(table)
    say = {"kind": "heartbeat", "sent_at": now()}
    events = [
        say | {"table": first.table, "meters": meters(first.round, first=first.round, rounds=1, bets=500)},
        say | {"table": second.table, "meters": meters(second.round, bets=-1)},
        say | {"table": second.table},
    ]
    told = done(service.post(f"/v1/sites/{SITE}/events", GATEWAY, {"events": events}))["answers"]
    assert [one["status"] for one in told] == [200, 422, 200]
    found = done(service.get("/v1/links/main/reconciliation", "sue"))["tables"]
    states = {one["table"]: one["state"] for one in found}
    assert (states[first.table], states[second.table]) == ("agrees", "tells_none")


def test_a_pit_is_compared_by_every_wager(service: Served) -> None:
    found = done(service.get(f"/v1/pits/{PIT}/reconciliation", "ada"))
    assert {one["state"] for one in found["tables"]} <= {"tells_none", "agrees", "differs"}
    refused(service.get("/v1/links/nowhere/reconciliation", "ada"), 404)
    refused(service.get("/v1/pits/main/reconciliation", "ada"), 404)
    refused(service.get(f"/v1/links/{PIT}/reconciliation", "ada"), 404)
