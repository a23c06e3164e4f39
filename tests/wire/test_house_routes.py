"""What the House does over HTTP, on both stores."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from jackpot.core.instants import spoken_instant
from jackpot.link.answers import HandsAnswer
from tests.book_floor import checked
from tests.house import ROYAL, SEED, STRAIGHT_FLUSH, House, Json, a_house, refused


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path) as found:
        yield found
        await checked(found.service.book)


# Links and tables


async def test_a_link_is_told_with_its_meter_parameters_and_accounts(house: House) -> None:
    await house.floor.submit(house.floor.bets("s1"))
    main, _other = (await house.told("/v1/links", "ana"))["links"]
    assert (main["id"], main["value"], main["display"]) == ("main", SEED + 200, "SGD 50,002.00")
    assert main["parameters"]["approvals"] == {"straight_flush": 1, "royal_flush": 2}
    assert sum(main["accounts"].values()) == 0


async def test_a_table_is_told_with_its_clock_and_open_round(house: House) -> None:
    await house.floor.submit(house.floor.bets("s1"))
    closed_at = house.floor.clock.time
    table = (await house.told("/v1/links/main/tables"))["tables"][1]
    assert (table["id"], table["state"], table["progressive"]) == ("s1", "in_play", "on")
    assert table["round"] == {
        "round": 1,
        "state": "bets_closed",
        "open": True,
        "closed_at": spoken_instant(closed_at),
        "journalled_at": spoken_instant(closed_at),
    }
    assert table["last_seen"] == spoken_instant(closed_at)
    assert table["clock"]["offset_from_us"] <= 0 <= table["clock"]["offset_to_us"]
    assert table["clock"]["echoed_at"] is not None
    assert table["clock"]["word"] is None


async def test_a_silent_table_raises_an_alert(house: House) -> None:
    seen = house.floor.clock.time
    house.floor.wait(60)
    alerts = [table["alerts"] for table in (await house.told("/v1/links/main/tables"))["tables"]]
    assert all(found[0]["code"] == "table_silent" for found in alerts)
    assert alerts[2][0]["since"] <= spoken_instant(seen)


async def test_a_table_is_closed_and_opened(house: House) -> None:
    await house.does("/v1/tables/s1/close", "ana", {"reason": "shift"})
    closed = (await house.told("/v1/links/main/tables"))["tables"][1]
    assert (closed["state"], closed["in_play"], closed["notice"]) == (
        "closed",
        False,
        "This table is closed.",
    )
    refused(await house.post("/v1/tables/s1/close", "ana", {"reason": "shift"}), 409, "table_already_closed")
    await house.does("/v1/tables/s1/open", "sue", {"reason": "shift"})
    assert (await house.told("/v1/links/main/tables"))["tables"][1]["in_play"]


async def test_what_does_not_exist_is_unknown(house: House) -> None:
    for path in (
        "/v1/links/none/wins",
        "/v1/links/%00/wins",
        "/v1/links/none/tables",
        "/v1/links/none/claims",
    ):
        refused(await house.get(path), 404, "link_unknown")
    reason = {"reason": "x"}
    refused(await house.post("/v1/links/%00/close", "ana", reason), 404, "link_unknown")
    refused(await house.post("/v1/tables/%00/close", "ana", reason), 404, "table_unknown")
    refused(await house.post("/v1/proposals/x/confirm", "sue"), 404, "proposal_unknown")
    refused(await house.post("/v1/proposals/main.p999/confirm", "sue"), 404, "proposal_unknown")
    refused(await house.post("/v1/proposals/main.%00/confirm", "sue"), 404, "proposal_unknown")
    refused(await house.post("/v1/malfunctions/none.m1/clear", "sue"), 404, "malfunction_unknown")
    decision = {"outcome": "refused", "reason": "x"}
    refused(await house.post("/v1/claims/s1.1.1.royal_flush/decide", "ana", decision), 404, "claim_unknown")
    refused(await house.post("/v1/claims/%00/decide", "ana", decision), 404, "claim_unknown")
    refused(await house.get("/v1/links/main/wins/%00"), 404, "win_unknown")


# Wins


async def test_a_royal_is_approved_by_two_people_and_proved(house: House) -> None:
    floor = house.floor
    await floor.submit(floor.bets("h1"))
    win = await floor.wins_major("s1", ROYAL)
    await floor.submit(floor.bets("s2"))
    listed = await house.win(win)
    assert listed["reasons"] == ["rounds_open", "approvals_missing"]
    assert (listed["position"], listed["amount"]) == (1, SEED + 400)
    assert (listed["waiting_for"], listed["waiting_for_rounds"]) == (["h1"], {"h1": 1})
    path = f"/v1/links/main/wins/{win}"
    assert (await house.told(path))["value_before"] is None
    await house.approve(win, "ana")
    refused(await house.post(f"{path}/approve", "ana", {"note": ""}), 409, "already_approved")
    await floor.submit(floor.hands("h1", {1: None}))
    assert (await house.win(win))["reasons"] == ["approvals_missing"]
    await house.approve(win, "ben")
    proof = await house.told(path)
    assert (proof["state"], proof["value_before"], proof["value_after"]) == ("paid", SEED + 400, SEED + 200)
    assert proof["approvers"] == ["ana", "ben"]
    assert proof["order"]["open_rounds"] == {"s2": 1}
    assert (proof["basis"], proof["spooled"], proof["registered"]) == ("witnessed", False, None)
    kinds = [entry["kind"] for entry in proof["entries"]]
    assert kinds == ["WinRegistered", "WinApproved", "WinsOrdered", "WinApproved", "WinPaid"]
    assert proof["journal_sequence"] == proof["payment"]["sequence"] == proof["entries"][-1]["sequence"]
    assert proof["cards"] == ROYAL.replace("10", "T").split()


async def test_an_ambiguous_order_is_decided_by_the_house(house: House) -> None:
    wins = [await _unstamped(house, table) for table in ("s1", "s2")]
    house.floor.wait(1)
    listed = [await house.win(win) for win in wins]
    assert all(one["ambiguous"] and "order_ambiguous" in one["reasons"] for one in listed)
    assert sorted(listed[0]["cluster"]) == sorted(wins)
    for win in wins:
        await house.approve(win, "ana")
    said = {"wins": wins[:1], "reason": "camera"}
    refused(await house.post("/v1/links/main/order", "sue", said), 422, "order_incomplete")
    await house.does("/v1/links/main/order", "sue", {"wins": wins[::-1], "reason": "camera"})
    second, first = [await house.told(f"/v1/links/main/wins/{win}") for win in wins]
    assert first["payment"]["sequence"] < second["payment"]["sequence"]
    assert (first["order"]["decided_by"], first["order"]["reason"]) == ("sue", "camera")
    assert first["order"]["decision"] == wins[::-1]
    assert first["value_after"] == second["value_before"] == SEED + 400 - first["amount"]


async def _unstamped(house: House, table: str) -> str:
    """A straight flush of which nobody says when it was dealt; another table's bets are closed meanwhile."""
    floor = house.floor
    for name in ("s1", "s2"):
        if not floor.rounds[name]:
            await floor.submit(floor.bets(name))
    report = floor.hands(table, {1: STRAIGHT_FLUSH})
    unstamped = tuple(replace(one, dealt_at=None) for one in report.hands)
    answer = await floor.act(replace(report, hands=unstamped))
    assert isinstance(answer, HandsAnswer)
    return str(answer.results[0].win)


async def test_an_earlier_win_blocks_a_later_one(house: House) -> None:
    first = await house.floor.wins_major("s1", STRAIGHT_FLUSH)
    house.floor.wait(2)
    second = await house.floor.wins_major("s2", ROYAL)
    house.floor.wait(1)
    await house.approve(second, "ana", "ben")
    assert (await house.win(second))["reasons"] == ["earlier_win"]
    await house.approve(first, "ana")
    assert (await house.win(second))["state"] == "paid"


async def test_one_person_rejects_a_straight_flush_and_two_a_royal(house: House) -> None:
    flush = await house.floor.wins_major("s1", STRAIGHT_FLUSH)
    answer = await house.post(f"/v1/links/main/wins/{flush}/reject", "sue", {"reason": "a marked card"})
    assert (answer.status_code, answer.json()["state"]) == (200, "rejected")
    royal = await house.floor.wins_major("s1", ROYAL)
    answer = await house.post(f"/v1/links/main/wins/{royal}/reject", "sue", {"reason": "a marked card"})
    assert answer.status_code == 202
    confirm = f"/v1/proposals/{answer.json()['proposal']}/confirm"
    refused(await house.post(confirm, "sue"), 403, "same_person")
    await house.does(confirm, "tom")
    assert (await house.win(royal))["state"] == "rejected"
    story = [one["kind"] for one in (await house.told(f"/v1/links/main/wins/{royal}"))["entries"]]
    assert story == ["WinRegistered", "WinsOrdered", "Proposed", "ProposalConfirmed", "WinRejected"]


async def test_wins_that_left_the_line_are_paged_without_gap_or_repeat(house: House) -> None:
    ended = [await house.paid("s1", STRAIGHT_FLUSH) for _ in range(5)]
    waiting = await house.floor.wins_major("s2", STRAIGHT_FLUSH)
    found, before = [], None
    while True:
        query = {"limit": 2} | ({} if before is None else {"before": before})
        page = await house.told("/v1/links/main/wins", params=query)
        found += [one["id"] for one in page["wins"]]
        before = page["next"]
        if before is None:
            break
    assert found == [waiting, *reversed(ended)]
    paid = await house.told("/v1/links/main/wins", params={"state": "paid"})
    assert [one["id"] for one in paid["wins"]] == list(reversed(ended))


async def test_the_same_act_again_is_answered_as_the_first_time(house: House) -> None:
    win = await house.floor.wins_major("s1", ROYAL)
    path, key = f"/v1/links/main/wins/{win}/approve", {"Idempotency-Key": "k1"}
    first = await house.does(path, "ana", {"note": "seen"}, headers=key)
    assert await house.does(path, "ana", {"note": "seen"}, headers=key) == first
    refused(await house.post(path, "ana", {"note": "other"}, headers=key), 409, "conflict")
    await house.does(path, "ben", {"note": "seen"}, headers=key)
    assert [one["person"] for one in (await house.win(win))["approvals"]] == ["ana", "ben"]


# What two people agree on


async def test_a_seed_is_proposed_and_confirmed_by_another_person(house: House) -> None:
    said = {"seed": 6_000_000, "reason": "season", "when": "next_reset"}
    answer = await house.post("/v1/links/main/seed", "ana", said)
    assert answer.status_code == 202
    proposal = answer.json()["proposal"]
    (listed,) = (await house.told("/v1/proposals"))["proposals"]
    assert (listed["id"], listed["link"], listed["person"]) == (proposal, "main", "ana")
    assert (listed["change"]["kind"], listed["change"]["changes"]["seed"]) == ("ParameterChange", 6_000_000)
    assert (await house.does(f"/v1/proposals/{proposal}/confirm", "sue"))["state"] == "confirmed"
    (main, _) = (await house.told("/v1/links"))["links"]
    assert main["scheduled"][0]["seed"] == 6_000_000
    await house.paid("s1", ROYAL)
    assert (await house.told("/v1/links"))["links"][0]["value"] == 6_000_000


async def test_a_ceiling_is_set_and_taken_away(house: House) -> None:
    await house.does("/v1/links/main/close", "ana", {"reason": "season"})
    await house.agree("/v1/links/main/parameters", {"ceiling": SEED, "reason": "season", "when": "now"})
    assert (await house.told("/v1/links"))["links"][0]["parameters"]["ceiling"] == SEED
    await house.agree("/v1/links/main/parameters", {"ceiling": None, "reason": "season", "when": "now"})
    assert (await house.told("/v1/links"))["links"][0]["parameters"]["ceiling"] is None
    nothing = await house.post("/v1/links/main/parameters", "ana", {"reason": "season"})
    assert refused(nothing, 422, "parameter_wrong")["field"] == "changes"
    await house.agree("/v1/links/main/open", {"reason": "season"})
    assert (await house.told("/v1/links"))["links"][0]["state"] == "open"


async def test_the_meter_is_adjusted_and_a_proposal_withdrawn(house: House) -> None:
    said = {"amount": 100, "from": "house", "reason": "a sticky button"}
    await house.agree("/v1/links/main/adjustments", said)
    assert (await house.told("/v1/links"))["links"][0]["value"] == SEED + 100
    proposal = (await house.does("/v1/links/main/adjustments", "ana", said))["proposal"]
    assert (await house.does(f"/v1/proposals/{proposal}/withdraw", "ana"))["state"] == "withdrawn"
    refused(await house.post(f"/v1/proposals/{proposal}/confirm", "sue"), 409, "proposal_ended")


async def test_a_bodyless_confirmation_is_enough(house: House) -> None:
    said = {"amount": 100, "from": "house", "reason": "a sticky button"}
    proposal = (await house.does("/v1/links/main/adjustments", "ana", said))["proposal"]
    assert (await house.call("POST", f"/v1/proposals/{proposal}/confirm", "sue")).status_code == 200


# Malfunctions and claims


async def test_a_malfunction_is_declared_and_cleared(house: House) -> None:
    await house.floor.submit(house.floor.bets("s1"))
    said = {
        "scope": {"table": "s1"},
        "observed_at": spoken_instant(house.floor.clock.time),
        "then": "progressive_off",
        "note": "dead sensors",
    }
    problem = refused(await house.post("/v1/malfunctions", "sue", said), 422, "cards_seen_missing")
    assert problem["field"] == "cards_seen.s1"
    answer = await house.post("/v1/malfunctions", "sue", said | {"cards_seen": {"s1": True}})
    assert answer.status_code == 201
    (listed,) = (await house.told("/v1/malfunctions"))["malfunctions"]
    assert (listed["id"], listed["scope"], listed["by"]) == (answer.json()["id"], {"table": "s1"}, "sue")
    table = (await house.told("/v1/links/main/tables"))["tables"][1]
    assert (table["progressive"], table["in_play"]) == ("off", False)
    await house.does(f"/v1/malfunctions/{listed['id']}/clear", "tom", {"note": "mended"})
    assert (await house.told("/v1/malfunctions"))["malfunctions"] == []


async def test_a_table_declares_a_malfunction_of_itself_only(house: House) -> None:
    said = {"observed_at": spoken_instant(house.floor.clock.time), "then": "progressive_off"}
    for scope in ({"table": "s2"}, {"link": "main"}, {"link": "main", "table": "s1"}, {}):
        refused(await house.post("/v1/malfunctions", "s1", said | {"scope": scope}), 403, "other_table")
    assert (await house.post("/v1/malfunctions", "s1", said | {"scope": {"table": "s1"}})).status_code == 201
    both = said | {"scope": {"link": "main", "table": "s1"}}
    refused(await house.post("/v1/malfunctions", "sue", both), 422, "scope_wrong")


async def test_a_late_claim_is_decided_by_two_people(house: House) -> None:
    floor = house.floor
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.hands("s1", {1: None}, final=True))
    answer = await floor.act(floor.hands("s1", {1: STRAIGHT_FLUSH}))
    assert isinstance(answer, HandsAnswer)
    claim = answer.results[0].claim
    (listed,) = (await house.told("/v1/links/main/claims"))["claims"]
    assert (listed["id"], listed["state"], listed["reason"]) == (claim, "open", "round_settled")
    assert listed["outcomes"]["in_order"] == (SEED + 200) // 10
    said = {"outcome": "in_order", "reason": "camera footage"}
    proposal = (await house.does(f"/v1/claims/{claim}/decide", "ana", said))["proposal"]
    (listed,) = (await house.told("/v1/links/main/claims"))["claims"]
    assert listed["proposals"] == [proposal]
    await house.does(f"/v1/proposals/{proposal}/confirm", "sue")
    (listed,) = (await house.told("/v1/links/main/claims"))["claims"]
    assert (listed["state"], listed["amount"], listed["persons"]) == (
        "decided",
        (SEED + 200) // 10,
        ["ana", "sue"],
    )
    assert (await house.told("/v1/links"))["links"][0]["value"] == SEED + 200


# Bad input


WRONG_SEEDS: list[tuple[Json, str]] = [
    ({}, "seed"),
    ({"seed": "6000000", "reason": "x"}, "seed"),
    ({"seed": True, "reason": "x"}, "seed"),
    ({"seed": 6_000_000.0, "reason": "x"}, "seed"),
    ({"seed": 6_000_000, "reason": ""}, "reason"),
    ({"seed": 6_000_000, "reason": " "}, "reason"),
    ({"seed": 6_000_000, "reason": "x" * 501}, "reason"),
    ({"seed": 6_000_000, "reason": "x\0"}, "reason"),
    ({"seed": 6_000_000, "reason": "x", "when": "soon"}, "when"),
    ({"seed": 6_000_000, "reason": "x", "sede": 1}, "sede"),
    ({"seed": 10**30, "reason": "x"}, "seed"),
]


async def test_a_wrong_message_is_refused_with_its_field_and_changes_nothing(house: House) -> None:
    before = (await house.told("/v1/links"))["links"]
    for said, field in WRONG_SEEDS:
        answer = await house.post("/v1/links/main/seed", "ana", said)
        assert (answer.status_code, answer.json()["field"]) == (422, field), said
    assert (await house.told("/v1/links"))["links"] == before


async def test_money_goes_to_another_link_and_a_closed_link_is_retired(house: House) -> None:
    await house.agree("/v1/links/main/transfer", {"to": "other", "amount": 1000, "reason": "one too many"})
    assert await _values(house) == [SEED - 1000, SEED + 1000]
    strange = await house.post("/v1/links/main/transfer", "ana", {"to": "\0", "amount": 1, "reason": "x"})
    assert refused(strange, 422, "invalid")["field"] == "to"
    nowhere = await house.post("/v1/links/main/transfer", "ana", {"to": "no", "amount": 1, "reason": "x"})
    refused(nowhere, 404, "link_unknown")
    said = {"to": "other", "reason": "end of the game"}
    refused(await house.post("/v1/links/main/retire", "ana", said), 409, "link_not_closed")
    await house.does("/v1/links/main/close", "ana", {"reason": "end of the game"})
    await house.agree("/v1/links/main/retire", said)
    assert await _values(house) == [0, 2 * SEED]
    refused(await house.post("/v1/links/main/open", "ana", {"reason": "x"}), 409, "link_retired")


async def _values(house: House) -> list[int]:
    return [link["value"] for link in (await house.told("/v1/links"))["links"]]
