"""The contract of the House: links, tables, wins, their order, approval and rejection."""

from __future__ import annotations

import pytest

from tests.callers import ROYAL, STRAIGHT_FLUSH, Controller, Floor, done, now, refused
from tests.service import ANA_AGAIN, SEED, Json

ROYAL_OF_SPADES = "As Ks Qs Js Ts"


def test_links_are_listed(floor: Floor) -> None:
    told = done(floor.service.get("/v1/links", "ada"))
    assert floor.link in [link["id"] for link in told["links"]]


def test_tables_are_listed_with_state_last_seen_and_clock_bounds(floor: Floor) -> None:
    done(floor.stud.beat())
    done(floor.stud.beat())
    tables = {table["id"]: table for table in done(floor.get("tables", "ana"))["tables"]}
    assert set(tables) == {table.table for table in floor.tables}
    heard, unheard = tables[floor.stud.table], tables[floor.holdem.table]
    assert (heard["state"], unheard["state"]) == ("in_play", "unheard")
    assert heard["last_seen"]
    assert heard["clock"]["offset_from_us"] <= heard["clock"]["offset_to_us"]
    assert unheard["clock"]["offset_from_us"] is None
    assert unheard["last_seen"] is None


def test_a_win_is_listed_with_every_field(floor: Floor) -> None:
    done(floor.stud2.bets())
    win = floor.stud.wins(ROYAL)
    listed = floor.waiting(win)
    assert (listed["table"], listed["round"], listed["box"]) == (floor.stud.table, 1, 1)
    assert (listed["hand"], listed["state"], listed["position"]) == ("royal_flush", "pending", 1)
    assert listed["interval"]["from"] <= listed["interval"]["to"]
    assert listed["witnessed"]["from"] <= listed["interval"]["from"]
    assert (listed["amount"], listed["value_now"]) == (SEED + 400, SEED + 400)
    assert listed["approvals"] == []
    assert listed["waiting_for"] == [floor.stud2.table]
    assert listed["waiting_for_rounds"] == {floor.stud2.table: 1}
    assert (listed["basis"], listed["spooled"], listed["registered"]) == ("witnessed", False, None)


def test_one_persons_approval_pays_an_ordered_straight_flush(floor: Floor) -> None:
    win = floor.stud.wins(STRAIGHT_FLUSH)
    response = floor.approve(win, "ana")
    assert response.status_code == 200
    paid = floor.waiting(win)
    assert (paid["state"], paid["amount"]) == ("paid", (SEED + 200) // 10)


def test_an_approval_needs_no_body(floor: Floor) -> None:
    win = floor.stud.wins()
    path = floor.path(f"wins/{win}/approve")
    assert done(floor.service.call("POST", path, "ana"))["approvals_given"] == 1
    path = floor.path(f"wins/{floor.holdem.wins()}/approve")
    refused(floor.service.call("POST", path, "ana", json={"notes": "x"}), 422)


def test_a_royal_flush_needs_two_different_people(floor: Floor) -> None:
    win = floor.stud.wins(ROYAL)
    done(floor.approve(win, "ana"))
    before = floor.mark()
    refused(floor.approve(win, "ana"), 409, "already_approved")
    refused(floor.approve(win, ANA_AGAIN), 409, "already_approved")
    assert floor.mark() == before
    assert floor.waiting(win)["state"] == "ordered"
    done(floor.approve(win, "ben"))
    assert floor.waiting(win)["state"] == "paid"
    assert floor.meter()["value"] == SEED


def test_the_proof_of_a_win_tells_evidence_order_values_approvers_and_sequence(floor: Floor) -> None:
    win = floor.paid(floor.holdem, ROYAL, "ana", "ben")
    proof = done(floor.get(f"wins/{win}", "ada"))
    told = str(proof)
    assert (proof["state"], proof["amount"]) == ("paid", SEED + 200)
    for words in ("ana", "ben", "received_at", "open_rounds", "witnessed", "before", "after", "sequence"):
        assert words in told, words
    for value in (SEED, SEED + 200):
        assert str(value) in told
    for card in ROYAL.split():
        assert card in told.replace("10", "T")


def test_an_unknown_win_is_404(floor: Floor) -> None:
    refused(floor.get("wins/nothing"), 404, "win_unknown")
    refused(floor.approve("nothing", "ana"), 404, "win_unknown")
    refused(floor.post("wins/nothing/reject", "sue", {"reason": "x"}), 404, "win_unknown")


def test_a_win_of_another_link_is_unknown_here(floor: Floor) -> None:
    win = floor.stud.wins()
    refused(floor.service.get(f"/v1/links/main/wins/{win}", "sue"), 404)
    refused(floor.service.post(f"/v1/links/main/wins/{win}/approve", "sue", {"note": ""}), 404)
    assert floor.waiting(win)["approvals"] == []


def test_one_supervisor_rejects_a_straight_flush(floor: Floor) -> None:
    win = floor.stud.wins()
    done(floor.post(f"wins/{win}/reject", "sue", {"reason": "a marked card"}))
    assert floor.waiting(win)["state"] == "rejected"
    assert floor.meter()["state"] == "open"


def test_a_royal_is_rejected_by_two_people(floor: Floor) -> None:
    win = floor.stud.wins(ROYAL)
    answer = floor.post(f"wins/{win}/reject", "sue", {"reason": "a marked card"})
    assert answer.status_code == 202
    proposal = answer.json()["proposal"]
    assert floor.waiting(win)["state"] != "rejected"
    refused(floor.confirm(proposal, "sue"), 403, "same_person")
    assert floor.confirm(proposal, "tom").status_code == 200
    assert floor.waiting(win)["state"] == "rejected"


def test_a_rejection_needs_a_reason(floor: Floor) -> None:
    win = floor.stud.wins()
    before = floor.mark()
    assert refused(floor.post(f"wins/{win}/reject", "sue", {"reason": " "}), 422)["field"] == "reason"
    assert refused(floor.post(f"wins/{win}/reject", "sue", {}), 422)["field"] == "reason"
    assert floor.mark() == before


def test_wins_at_two_tables_are_paid_in_the_order_of_their_deals(floor: Floor) -> None:
    first, second = floor.stud.wins(STRAIGHT_FLUSH), floor.stud2.wins(ROYAL)
    assert [floor.waiting(win)["position"] for win in (first, second)] == [1, 2]
    for person in ("ana", "ben"):
        done(floor.approve(second, person))
    assert floor.waiting(second)["state"] == "ordered"
    done(floor.approve(first, "ana"))
    amounts = [floor.waiting(win)["amount"] for win in (first, second)]
    assert amounts[0] == (SEED + 200) // 10
    assert amounts[1] == SEED + 400 - amounts[0]  # the second bet joined when the first win was paid


def test_the_house_orders_what_the_clocks_cannot_tell(floor: Floor) -> None:
    wins = simultaneous(floor)
    for win in wins:
        done(floor.approve(win, "ana"))
        assert floor.waiting(win)["state"] == "pending"
    order = {"wins": wins[::-1], "reason": "camera 3"}
    refused(floor.post("order", "sue", {"wins": wins[:1], "reason": "x"}), 422, "order_incomplete")
    done(floor.post("order", "sue", order))
    assert [floor.waiting(win)["state"] for win in wins] == ["paid", "paid"]
    later, earlier = (floor.waiting(win)["amount"] for win in wins)
    assert earlier > later


def simultaneous(floor: Floor) -> list[str]:
    """Straight flushes at two tables whose deals overlap, as neither says when it dealt."""
    for table in (floor.stud, floor.stud2):
        done(table.beat())
    for table in (floor.stud, floor.stud2):
        done(table.bets())
    return [_unstamped(table) for table in (floor.stud, floor.stud2)]


def _unstamped(table: Controller) -> str:
    answer = done(table.hands({1: {"cards": STRAIGHT_FLUSH.split()}}))
    return str(answer["results"][0]["win"])


def test_a_certain_order_is_not_for_the_house_to_decide(floor: Floor) -> None:
    win = floor.stud.wins()
    refused(floor.post("order", "sue", {"wins": [win], "reason": "x"}), 409, "not_ambiguous")


def test_a_table_is_closed_and_opened_by_one_person(floor: Floor) -> None:
    done(floor.stud.beat())
    path = f"/v1/tables/{floor.stud.table}"
    assert floor.service.post(f"{path}/close", "ana", {"reason": "shift"}).status_code == 200
    refused(floor.service.post(f"{path}/close", "ana", {"reason": "shift"}), 409, "table_already_closed")
    returned = done(floor.stud.bets())["returned"]
    assert [(one["code"], one["wager"], one["amount"]) for one in returned] == [
        ("table_closed", "progressive", 500),
        ("table_closed", "ante", 2500),
    ]
    assert floor.service.post(f"{path}/open", "sue", {"reason": "shift"}).status_code == 200
    assert done(floor.stud.bets())["accepted"]


def test_a_silent_table_with_an_open_round_holds_a_win_back_until_the_house_closes_it(floor: Floor) -> None:
    done(floor.stud2.bets())
    win = floor.stud.wins()
    done(floor.approve(win, "ana"))
    assert floor.waiting(win)["waiting_for"] == [floor.stud2.table]
    done(floor.service.post(f"/v1/tables/{floor.stud2.table}/close", "ana", {"reason": "silent"}))
    assert floor.waiting(win)["state"] == "paid"


def test_the_house_may_repeat_an_act_with_its_idempotency_key(floor: Floor) -> None:
    win = floor.stud.wins(ROYAL)
    key = {"Idempotency-Key": f"approve {win}"}
    first = floor.post(f"wins/{win}/approve", "ana", {"note": "seen"}, headers=key)
    before = floor.mark()
    again = floor.post(f"wins/{win}/approve", "ana", {"note": "seen"}, headers=key)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert floor.mark() == before
    refused(floor.post(f"wins/{win}/approve", "ana", {"note": "other"}, headers=key), 409, "conflict")


def late_royal(floor: Floor) -> str:
    """A royal that is told only after its round was settled: a late claim."""
    done(floor.stud.beat())
    done(floor.stud.bets())
    done(floor.stud.hands({1: None}, final=True))
    done(floor.stud.hands({1: ROYAL_OF_SPADES}))
    return str(claims(floor)[0]["id"])


def claims(floor: Floor) -> list[Json]:
    told = done(floor.get("claims", "ada"))
    return list(told["claims"])


@pytest.mark.parametrize("outcome", ["in_order", "registered", "refused"])
def test_a_late_claim_is_decided_by_two_people_and_leaves_the_pool_alone(floor: Floor, outcome: str) -> None:
    claim = late_royal(floor)
    value = floor.meter()["value"]
    decision = {"outcome": outcome, "reason": "camera"}
    answer = floor.service.post(f"/v1/claims/{claim}/decide", "sue", decision)
    assert answer.status_code == 202
    refused(floor.confirm(answer.json()["proposal"], "sue"), 403, "same_person")
    done(floor.confirm(answer.json()["proposal"], "tom"))
    assert floor.meter()["value"] == value
    assert floor.meter()["state"] == "open"
    assert claim not in [one["id"] for one in claims(floor) if one.get("state", "open") == "open"]
    refused(floor.service.post(f"/v1/claims/{claim}/decide", "sue", decision), 409, "claim_decided")
    refused(floor.service.post(f"/v1/claims/{claim}%00/decide", "sue", decision), 404, "claim_unknown")


def test_an_unknown_claim_is_404(floor: Floor) -> None:
    decision = {"outcome": "refused", "reason": now()}
    refused(floor.service.post("/v1/claims/nothing/decide", "sue", decision), 404, "claim_unknown")
