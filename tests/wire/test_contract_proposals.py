"""The contract of acts that need two people, and of malfunctions."""

from __future__ import annotations

import pytest

from tests.callers import NOTHING, ROYAL, Controller, Floor, done, now, refused
from tests.service import ANA_AGAIN, SEED, Json


def test_a_seed_is_proposed_by_one_and_confirmed_by_another(floor: Floor) -> None:
    answer = floor.post("seed", "ana", {"seed": 6_000_000, "reason": "season", "when": "next_reset"})
    assert answer.status_code == 202
    proposal = answer.json()["proposal"]
    refused(floor.confirm(proposal, ANA_AGAIN), 403, "same_person")
    assert floor.confirm(proposal).status_code == 200
    assert floor.meter()["value"] == SEED
    floor.paid(floor.stud, ROYAL, "ana", "ben")
    assert floor.meter()["value"] == 6_000_000


def test_a_seed_changes_at_once_only_while_the_link_is_closed(floor: Floor) -> None:
    change = {"seed": 6_000_000, "reason": "season", "when": "now"}
    refused(floor.post("seed", "ana", change), 409, "link_not_closed")
    done(floor.post("close", "ana", {"reason": "season"}))
    done(floor.agree("seed", change))
    assert floor.meter()["value"] == 6_000_000


def test_an_impossible_seed_is_refused_with_its_field(floor: Floor) -> None:
    before = floor.mark()
    for seed in (0, -1, 10**12 + 1):
        body = {"seed": seed, "reason": "season", "when": "next_reset"}
        assert "seed" in refused(floor.post("seed", "ana", body), 422)["field"]
    assert floor.mark() == before


def test_parameters_are_changed_by_two_people(floor: Floor) -> None:
    done(floor.post("close", "ana", {"reason": "season"}))
    change = {"meter_ppm": 300_000, "reserve_ppm": 100_000, "reason": "season", "when": "now"}
    done(floor.agree("parameters", change))
    done(floor.agree("open", {"reason": "season"}))
    done(floor.stud.bets())
    assert floor.meter()["value"] == SEED + 150


def test_the_meter_is_adjusted_by_two_people(floor: Floor) -> None:
    done(floor.agree("adjustments", {"amount": 100, "from": "house", "reason": "a sticky button"}))
    assert floor.meter()["value"] == SEED + 100
    done(floor.agree("adjustments", {"amount": -100, "from": "house", "reason": "counted twice"}))
    assert floor.meter()["value"] == SEED


def test_a_link_is_closed_by_one_person_and_opened_by_two(floor: Floor) -> None:
    assert floor.post("close", "ana", {"reason": "night"}).status_code == 200
    assert done(floor.stud.bets())["returned"][0]["code"] == "link_closed"
    answer = floor.post("open", "ana", {"reason": "morning"})
    assert answer.status_code == 202
    assert floor.meter()["state"] == "closed"
    done(floor.confirm(answer.json()["proposal"]))
    assert floor.meter()["state"] == "open"
    assert done(floor.stud.bets())["accepted"]


def test_proposals_are_listed_and_withdrawn(floor: Floor) -> None:
    body = {"amount": 100, "from": "house", "reason": "a sticky button"}
    proposal = done(floor.post("adjustments", "ana", body))["proposal"]
    assert proposal in [one["id"] for one in proposals(floor)]
    done(floor.service.post(f"/v1/proposals/{proposal}/withdraw", "ana"))
    assert proposal not in [one["id"] for one in proposals(floor)]
    refused(floor.confirm(proposal), 409, "proposal_ended")
    assert floor.meter()["value"] == SEED


def proposals(floor: Floor) -> list[Json]:
    return list(done(floor.service.get("/v1/proposals", "sue"))["proposals"])


def test_a_proposal_is_carried_out_once(floor: Floor) -> None:
    body = {"amount": 100, "from": "house", "reason": "a sticky button"}
    proposal = done(floor.post("adjustments", "ana", body))["proposal"]
    done(floor.confirm(proposal, "sue"))
    refused(floor.confirm(proposal, "tom"), 409, "proposal_ended")
    assert floor.meter()["value"] == SEED + 100


def test_the_same_change_is_not_proposed_twice(floor: Floor) -> None:
    body = {"amount": 100, "from": "house", "reason": "a sticky button"}
    done(floor.post("adjustments", "ana", body))
    refused(floor.post("adjustments", "ben", body), 409, "already_proposed")


def test_money_is_transferred_to_another_link_by_two_people(floor: Floor) -> None:
    other = Floor(floor.service, "main")
    before = other.meter()["value"]
    done(floor.agree("transfer", {"to": "main", "amount": 1000, "reason": "one pool too many"}))
    assert floor.meter()["value"] == SEED - 1000
    assert other.meter()["value"] == before + 1000


def test_a_closed_link_is_retired_by_two_people(floor: Floor) -> None:
    refused(floor.post("retire", "ana", {"to": "main", "reason": "end of the game"}), 409, "link_not_closed")
    before = Floor(floor.service, "main").meter()["value"]
    done(floor.post("close", "ana", {"reason": "end of the game"}))
    done(floor.agree("retire", {"to": "main", "reason": "end of the game"}))
    assert (floor.meter()["value"], floor.meter()["state"]) == (0, "closed")
    assert Floor(floor.service, "main").meter()["value"] == before + SEED


# Malfunctions


def declare(floor: Floor, by: str = "sue", **more: object) -> Json:
    body = {"scope": {"table": floor.stud.table}, "observed_at": now(), "then": "progressive_off"} | more
    answer = floor.service.post("/v1/malfunctions", by, body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def clear(floor: Floor, malfunction: str) -> None:
    path = f"/v1/malfunctions/{malfunction}/clear"
    done(floor.service.call("POST", path, "sue"))
    refused(floor.service.post(path, "sue", {"note": "again"}), 409, "malfunction_cleared")


def test_a_malfunction_of_a_table_turns_its_progressive_off_until_it_is_cleared(floor: Floor) -> None:
    done(floor.stud.beat())
    found = declare(floor)["id"]
    answer = done(floor.stud.beat())
    assert answer["progressive"] == "off"
    assert answer["notice"]
    returned = done(floor.stud.bets())["returned"]
    assert [(one["code"], one["rule"]) for one in returned] == [("progressive_off", "5.18.2c")]
    listed = done(floor.service.get("/v1/malfunctions", "sue"))["malfunctions"]
    assert found in [one["id"] for one in listed]
    clear(floor, found)
    assert done(floor.stud.bets())["accepted"]


def test_the_rule_is_the_number_in_the_tables_own_game(floor: Floor) -> None:
    declare(floor, scope={"table": floor.holdem.table})
    assert done(floor.holdem.bets())["returned"][0]["rule"] == "5.17.2c"


def test_a_malfunction_of_a_box_blocks_it(floor: Floor) -> None:
    declare(floor, scope={"table": floor.stud.table, "box": 2}, then="block_box")
    answer = done(floor.stud.bets([1, 2]))
    assert [one["box"] for one in answer["accepted"]] == [1]
    assert answer["returned"][0]["code"] == "box_blocked"


@pytest.mark.parametrize(("then", "state"), [("close", "closed"), ("progressive_off", "off")])
def test_a_malfunction_of_the_link_shows_on_its_sign(floor: Floor, then: str, state: str) -> None:
    found = declare(floor, scope={"link": floor.link}, then=then)["id"]
    assert floor.meter()["state"] == state
    clear(floor, found)
    assert floor.meter()["state"] == "open"


def test_cards_seen_names_every_table_in_scope_with_an_open_round(floor: Floor) -> None:
    for table in (floor.stud, floor.holdem):
        done(table.bets())
    body = {"scope": {"link": floor.link}, "observed_at": now(), "then": "close"}
    body |= {"cards_seen": {floor.stud.table: True}}
    before = floor.mark()
    problem = refused(floor.service.post("/v1/malfunctions", "sue", body), 422, "cards_seen_missing")
    assert floor.holdem.table in problem["field"]
    assert floor.mark() == before


def test_unseen_rounds_are_voided_and_seen_ones_go_on(floor: Floor) -> None:
    for table in (floor.stud, floor.holdem):
        done(table.bets())
    seen = {floor.stud.table: True, floor.holdem.table: False}
    declare(floor, scope={"link": floor.link}, cards_seen=seen)
    assert floor.meter()["value"] == SEED + 200
    assert done(floor.stud.hands({1: NOTHING}, final=True))["state"] == "settled"
    refused(floor.holdem.hands({1: "Ah Kd"}, community="2c 7d 9s"), 409, "round_voided")


def test_a_table_declares_a_malfunction_of_itself_only(floor: Floor) -> None:
    body = {"scope": {"table": floor.stud.table}, "observed_at": now(), "then": "progressive_off"}
    foreign: list[Json] = [{"table": floor.stud2.table}, {"link": floor.link}]
    for scope in foreign:
        refused(floor.service.post("/v1/malfunctions", floor.stud.table, body | {"scope": scope}), 403)
    assert declare(floor, by=floor.stud.table)["id"]
    assert off(floor.stud)
    assert not off(floor.stud2)


def off(table: Controller) -> bool:
    return bool(done(table.beat())["progressive"] == "off")


def test_an_unknown_malfunction_is_404(floor: Floor) -> None:
    answer = floor.service.post("/v1/malfunctions/nothing/clear", "sue", {"note": ""})
    refused(answer, 404, "malfunction_unknown")
