"""Irregularities over the wire: the consequence before it is carried out, carried out, and as evidence."""

from __future__ import annotations

import httpx
import pytest

from tests.callers import ROYAL, Floor, done, refused
from tests.service import Json
from tests.waiting import until

NOTHING = "Qc Td 6s 4s 2c"
FLUSH = "9d 8d 6d 4d 2d"
BETS = [{"wager": "progressive", "amount": 500}, {"wager": "ante", "amount": 2500}]
RETURNED = {"paragraph": "5.10", "reconstructed": False, "boxes": [1], "choices": {"1": "return"}}


def declare(
    floor: Floor, said: Json, by: str = "sue", *, round: int = 1, key: str | None = None
) -> httpx.Response:
    path = f"/v1/tables/{floor.stud.table}/rounds/{round}/irregularities"
    headers = {} if key is None else {"Idempotency-Key": key}
    return floor.service.call("POST", path, by, json=said, headers=headers)


def preview(floor: Floor, said: Json, *, round: int = 1) -> Json:
    body = {"act": "irregularity", "id": floor.stud.table, "round": round, "said": said}
    return done(floor.post("previews", "sue", body))


def evidence(floor: Floor, round: int = 1) -> Json:
    path = f"/v1/tables/{floor.stud.table}/rounds/{round}"
    return done(floor.service.call("GET", path, "ada"))


@pytest.fixture
def dealt(floor: Floor) -> Floor:
    done(floor.stud.bets([1, 2]))
    done(floor.stud.hands({1: FLUSH, 2: NOTHING}))
    return floor


def test_the_consequence_is_told_before_it_is_carried_out_and_the_same_after(dealt: Floor) -> None:
    mark = dealt.mark()
    told = preview(dealt, RETURNED)
    assert dealt.mark() == mark
    whole, first = told["consequence"]["words"]
    assert whole == "The round continues with the boxes whose players chose to (5.10)."
    assert first.startswith("Box 1 (5.10.3): progressive SGD 5.00, ante SGD 25.00 to be returned.")
    assert first.endswith("Its award of SGD 200.00 is taken back.")
    answer = done(declare(dealt, RETURNED))
    assert answer["consequence"] == told["consequence"]
    assert answer["meter"]["value"] == told["after"]["value"] == 5_000_200
    assert [one["consequence"] for one in evidence(dealt)["irregularities"]] == [told["consequence"]]


def test_the_preview_of_a_void_names_every_bet_that_goes_back(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    win = done(floor.stud.hands({1: ROYAL, 2: NOTHING}))["results"][0]["win"]
    found = preview(floor, {"paragraph": "5.8.3"})["consequence"]
    assert (found["follows"], found["rule"]) == ("voided", "5.8.3")
    assert [(one["box"], one["returned"], one["withdrawn"]) for one in found["boxes"]] == [
        (1, BETS, win),
        (2, BETS, None),
    ]
    assert done(declare(floor, {"paragraph": "5.8.3"}))["state"] == "voided"
    assert floor.meter()["value"] == 5_000_000


def test_who_has_the_options_is_named_by_the_refusal(dealt: Floor) -> None:
    said = {"paragraph": "5.9", "cards_seen": False, "reconstructed": True, "choices": {"2": "continue"}}
    problem = refused(declare(dealt, said), 422, "choice_missing")
    assert (problem["boxes"], problem["rule"], problem["field"]) == ([1], "5.10", "choices")
    assert evidence(dealt)["irregularities"] == []


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        ({}, 422, "invalid"),
        ({"paragraph": 5.8}, 422, "invalid"),
        ({"paragraph": "5.8.1", "why": "?"}, 422, "invalid"),
        ({"paragraph": "5.10", "choices": {"0": "return"}}, 422, "invalid"),
        ({"paragraph": "5.10", "choices": {"01": "return"}}, 422, "invalid"),
        ({"paragraph": "5.10", "choices": {"1": "fold"}}, 422, "invalid"),
        ({"paragraph": "5.10", "boxes": [True]}, 422, "invalid"),
        ({"paragraph": "5.10", "boxes": [1, 1]}, 422, "box_repeated"),
        ({"paragraph": "5.10", "boxes": [7]}, 422, "box_not_in_round"),
        ({"paragraph": "5.10", "boxes": [1], "others": [2]}, 422, "boxes_unexpected"),
        ({"paragraph": "5.18"}, 422, "irregularity_unknown"),
        ({"paragraph": "5.8.2", "cards_seen": True}, 422, "other_paragraph_applies"),
        ({"paragraph": "5.13", "note": "\0"}, 422, "text_malformed"),
    ],
)
def test_what_is_wrong_is_refused_alike_as_act_and_as_preview(
    dealt: Floor, said: Json, status: int, code: str
) -> None:
    mark = dealt.mark()
    refused(declare(dealt, said), status, code)
    body = {"act": "irregularity", "id": dealt.stud.table, "round": 1, "said": said}
    refused(dealt.post("previews", "sue", body), status, code)
    assert dealt.mark() == mark


def test_another_round_or_table_is_refused(dealt: Floor) -> None:
    for number in (2, 0, -(2**70)):
        refused(declare(dealt, {"paragraph": "5.8.1"}, round=number), 404, "round_unknown")
    path = "/v1/tables/nowhere/rounds/1/irregularities"
    refused(dealt.service.call("POST", path, "sue", json={"paragraph": "5.8.1"}), 404, "table_unknown")
    done(dealt.stud.bets([1]))
    assert refused(declare(dealt, {"paragraph": "5.8.1"}), 409, "round_stands")["rule"] == "5.20"


def test_the_same_key_declares_once(dealt: Floor) -> None:
    first, again = [done(declare(dealt, RETURNED, key="k1")) for _ in range(2)]
    assert first == again
    assert len(evidence(dealt)["irregularities"]) == 1
    refused(declare(dealt, {"paragraph": "5.13"}, key="k1"), 409, "conflict")


def test_it_is_audited_with_who_and_what(dealt: Floor) -> None:
    done(declare(dealt, RETURNED))
    refused(declare(dealt, RETURNED, by="ana"), 403, "forbidden")
    (one,) = evidence(dealt)["irregularities"]
    assert (one["person"], one["said"]["choices"]) == ("sue", {"1": "return"})
    path = f"/v1/tables/{dealt.stud.table}/rounds/1/irregularities"

    def audited() -> list[tuple[str, str]]:
        acts = done(dealt.service.get("/v1/audit", "ada", params={"limit": 500}))["acts"]
        return [(one["actor"], one["outcome"]) for one in acts if one["detail"].get("path") == path]

    until(lambda: len(audited()) == 2, "both acts are audited")
    assert sorted(audited()) == [("ana", "forbidden"), ("sue", "allowed")]


def test_the_table_is_told_that_the_hand_is_gone(dealt: Floor) -> None:
    done(declare(dealt, RETURNED))
    problem = refused(dealt.stud.hands({1: FLUSH, 2: NOTHING}), 409, "hand_invalidated")
    assert (problem["rule"], problem["box"]) == ("5.10.3", 1)
    assert done(dealt.stud.hands({2: NOTHING}, final=True))["state"] == "settled"


def test_a_round_that_has_passed_still_knows_what_the_house_did(dealt: Floor) -> None:
    done(declare(dealt, RETURNED))
    done(dealt.stud.bets([1]))
    past = evidence(dealt)
    assert [(one["box"], one["invalidated"]) for one in past["boxes"]] == [(1, "5.10.3"), (2, None)]
    assert [one["said"]["paragraph"] for one in past["irregularities"]] == ["5.10"]
    refused(dealt.stud.hands({1: ROYAL, 2: NOTHING}, round=1), 409, "hand_invalidated")
    assert done(dealt.get("claims"))["claims"] == []
    (figures,) = [
        one for one in done(dealt.get("report"))["contributions"] if one["table"] == dealt.stud.table
    ]
    assert (figures["wagered"], figures["minors"]) == (1000, 0)
