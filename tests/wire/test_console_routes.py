"""What the console asks besides: previews, the meter's history, the journal's search, changes."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done, now, refused
from tests.console import ambiguous, late_claim, play, royal
from tests.service import Json, Served, token_of
from tests.waiting import until


def preview(floor: Floor, act: str, said: Json, id: str | None = None, by: str = "sue") -> Json:
    return done(floor.post("previews", by, {"act": act, "id": id, "said": said}))


def kinds(told: Json) -> list[str]:
    return [fact["kind"] for fact in told["facts"]]


# What an act would do


def test_a_preview_tells_what_the_act_then_does(floor: Floor) -> None:
    said = {"amount": -500, "from": "house", "reason": "a bet counted twice"}
    mark = floor.mark()
    told = preview(floor, "adjustments", said)
    assert floor.mark() == mark
    assert kinds(told) == ["Proposed", "ProposalConfirmed", "MeterAdjusted"]
    done(floor.agree("adjustments", said))
    assert floor.meter()["value"] == told["after"]["value"] == told["before"]["value"] - 500


def test_a_preview_of_a_seed_tells_what_the_next_reset_takes(floor: Floor) -> None:
    play(floor)
    told = preview(floor, "seed", {"seed": 6_000_000, "reason": "new season"})
    assert told["after"]["parameters"]["seed"] == 5_000_000
    assert told["after"]["parameters_scheduled"]["seed"] == 6_000_000
    reset = told["after"]["royal_now"]
    assert (reset["amount"], reset["value_after"]) == (told["before"]["value"], 6_000_000)
    assert reset["seed_from_reserve"] + reset["seed_from_house"] == 6_000_000
    done(floor.agree("seed", {"seed": 6_000_000, "reason": "new season"}))
    win = royal(floor)
    for person in ("ana", "ben"):
        done(floor.approve(win, person))
    assert floor.meter()["value"] == 6_000_000


@pytest.mark.parametrize(
    ("seen", "fact", "rule"), [(False, "RoundVoided", "5.17"), (True, "RoundContinued", "5.18.1")]
)
def test_a_preview_of_a_malfunction_tells_the_rules_consequence(
    floor: Floor, seen: bool, fact: str, rule: str
) -> None:
    done(floor.stud.beat())
    done(floor.stud.bets([1, 2]))
    scope = {"table": floor.stud.table}
    said = {"scope": scope, "observed_at": now(), "cards_seen": {floor.stud.table: seen}, "then": "close"}
    told = preview(floor, "malfunctions", said)
    found = next(one for one in told["facts"] if one["kind"] == fact)
    assert rule in (found.get("rule"), found.get("reason"))
    assert floor.meter()["value"] == 5_000_400
    assert told["after"]["value"] == (5_000_400 if seen else 5_000_000)


def test_a_preview_of_an_order_tells_the_amounts(floor: Floor) -> None:
    first, second = ambiguous(floor)
    for order in ([first, second], [second, first]):
        told = preview(floor, "order", {"wins": order, "reason": "camera"})
        assert [one["win"] for one in told["after"]["wins"]] == order
    done(floor.post("order", "sue", {"wins": [second, first], "reason": "camera"}))
    amounts = {one["win"]: one["amount"] for one in told["after"]["wins"]}
    assert {one["id"]: one["amount"] for one in done(floor.get("wins"))["wins"]} == amounts


def test_a_preview_of_the_last_approval_tells_the_payment(floor: Floor) -> None:
    win = royal(floor)
    assert "WinPaid" not in kinds(preview(floor, "approve", {}, win))
    done(floor.approve(win, "ana"))
    told = preview(floor, "approve", {}, win)
    assert kinds(told)[-1] == "WinPaid"
    assert told["after"]["wins"] == []


def test_a_preview_of_a_claims_decision(floor: Floor) -> None:
    claim = late_claim(floor)
    told = preview(floor, "decide", {"outcome": "registered", "reason": "camera"}, claim)
    assert told["facts"][-1]["amount"] == done(floor.get("claims"))["claims"][0]["outcomes"]["registered"]
    assert told["after"]["value"] == told["before"]["value"]


def test_a_preview_of_a_confirmation(floor: Floor) -> None:
    proposal = done(floor.post("seed", "ana", {"seed": 6_000_000, "reason": "new season"}))["proposal"]
    assert kinds(preview(floor, "confirm", {}, proposal)) == ["ProposalConfirmed", "ParametersScheduled"]
    body = {"act": "confirm", "id": proposal}
    refused(floor.post("previews", "ana", body), 403, "same_person")


def test_a_transfer_is_previewed_on_this_side(floor: Floor) -> None:
    done(floor.agree("adjustments", {"amount": 1000, "from": "house", "reason": "more"}))
    told = preview(floor, "transfer", {"to": "main", "amount": 700, "reason": "one pool too many"})
    assert told["before"]["value"] - told["after"]["value"] == 700
    body = {"act": "transfer", "said": {"to": "nowhere", "amount": 1, "reason": "x"}}
    refused(floor.post("previews", "sue", body), 404, "link_unknown")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"act": "retire", "said": {"to": None, "reason": "x"}}, 409, "link_not_closed"),
        ({"act": "seed", "said": {"seed": "much", "reason": "x"}}, 422, "invalid"),
        ({"act": "seed", "said": {"seed": 1, "reason": "x", "more": 1}}, 422, "invalid"),
        ({"act": "seed"}, 422, "invalid"),
        ({"act": "dance"}, 422, "invalid"),
        ({"act": "approve", "id": "nothing"}, 404, "win_unknown"),
        ({"act": "approve"}, 404, "win_unknown"),
        ({"act": "confirm", "id": "nothing.p1"}, 404, "proposal_unknown"),
        ({"act": "clear", "id": "nothing"}, 404, "malfunction_unknown"),
        ({"act": "decide", "id": "no", "said": {"outcome": "refused", "reason": "x"}}, 404, "claim_unknown"),
        ({"act": "close_table", "id": "\x00", "said": {"reason": "x"}}, 404, "table_unknown"),
        ({"act": "close", "said": {"reason": "\x00"}}, 422, None),
    ],
)
def test_a_preview_is_refused_as_the_act_would_be(
    floor: Floor, body: Json, status: int, code: str | None
) -> None:
    mark = floor.mark()
    refused(floor.post("previews", "sue", body), status, code)
    assert floor.mark() == mark


def test_a_preview_of_a_link_that_is_not_there(service: Served) -> None:
    body = {"act": "close", "said": {"reason": "x"}}
    refused(service.post("/v1/links/nothing/previews", "sue", body), 404, "link_unknown")


# The meter's history


def test_the_history_has_every_fall(floor: Floor) -> None:
    play(floor, 3)
    win = floor.stud.wins(STRAIGHT_FLUSH)
    done(floor.approve(win, "ana"))
    points = done(floor.get("history", params={"points": 2}))["points"]
    assert [one["sequence"] for one in points] == sorted({one["sequence"] for one in points})
    paid = next(number for number, one in enumerate(points) if one["kind"] == "WinPaid")
    assert points[paid]["value"] == points[paid - 1]["value"] - floor.waiting(win)["amount"]
    assert points[paid]["sequence"] == points[paid - 1]["sequence"] + 1
    assert points[-1]["value"] == floor.meter()["value"]


@pytest.mark.parametrize("query", [{"points": 1}, {"from": "yesterday"}, {"to": "2001-01-01T00:00:00Z"}])
def test_a_history_of_a_wrong_time_is_refused(floor: Floor, query: dict[str, Any]) -> None:
    refused(floor.get("history", params=query), 422)


# The journal, backwards and by its text


def test_the_journal_backwards_is_the_journal(floor: Floor) -> None:
    play(floor, 3)
    forth = [one["sequence"] for one in done(floor.get("journal", params={"limit": 500}))["entries"]]
    back: list[int] = []
    query: dict[str, Any] = {"order": "latest", "limit": 4}
    while True:
        page = done(floor.get("journal", params=query))
        back += [one["sequence"] for one in page["entries"]]
        if page["next"] is None:
            break
        query["before"] = page["next"]
    assert back == forth[::-1]


def test_the_journal_is_searched_by_text_either_way(floor: Floor) -> None:
    win = royal(floor)
    play(floor)
    found = {}
    for order in ("oldest", "latest"):
        told = done(floor.get("journal", params={"says": win.upper(), "order": order}))
        found[order] = [one["sequence"] for one in told["entries"]]
        assert all(win in json.dumps(one["entry"]) for one in told["entries"])
    assert found["oldest"] == found["latest"][::-1]
    assert found["oldest"]


# That something has changed


def test_a_change_is_told_to_whoever_listens(floor: Floor) -> None:
    told: list[Json] = []
    headers = {"Authorization": f"Bearer {token_of('ada')}"}

    def listen() -> None:
        with floor.service.http.stream("GET", "/v1/house/stream", headers=headers) as response:
            for line in response.iter_lines():
                if line.startswith("data: "):
                    told.append(json.loads(line.removeprefix("data: ")))
                if told and told[-1].get("link") == floor.link and told[-1]["value"] > 5_000_000:
                    return

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    until(lambda: floor.link in {one.get("link") for one in told}, "the first reading")
    done(floor.stud.beat())
    done(floor.stud.bets([1]))
    listener.join(10)
    assert told[-1]["value"] == 5_000_200


def test_a_royal_is_not_previewed_while_one_waits(floor: Floor) -> None:
    floor.stud.wins(ROYAL)
    told = preview(floor, "close", {"reason": "end of business"})
    assert told["before"]["royal_now"] is None
    assert told["after"]["state"] == "closed"
