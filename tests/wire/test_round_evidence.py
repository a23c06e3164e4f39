"""The evidence of a round over HTTP, on both stores: what a dispute is settled from."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.audit import Act
from jackpot.cards.cards import parse_all
from jackpot.core.instants import SECOND, spoken_instant
from jackpot.link import commands
from jackpot.link.rounds import MainGame
from jackpot.machine.execute import Outcome
from tests.house import STRAIGHT_FLUSH, House, Json, a_house

PATH = "/v1/tables/s1/rounds/1"
FULL_HOUSE = "Kc Kh Kd Js Jh"
PAIR = "Ah As 9c 7h 3d"
FLUSH = "9d 8d 6d 4d 2d"
NOTHING = "Qc Td 6h 4s 2c"


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path) as found:
        yield found


async def closed(house: House) -> None:
    """Boxes 1 and 2 play; the progressive bet of box 3 has no Ante, that of box 2 is too much."""
    bets = (
        commands.BoxBets(box=1, ante=2500, progressive=500),
        commands.BoxBets(box=2, ante=2500, progressive=700),
        commands.BoxBets(box=3, progressive=500),
    )
    await house.floor.submit(replace(house.floor.bets("s1"), boxes=bets))


async def reported(house: House, first: str, second: str = FLUSH, **more: Any) -> None:
    """Both boxes stay in, against a dealer with Ace-King."""
    said = house.floor.hands("s1", {1: first, 2: second}, **more)
    stays = tuple(replace(one, main=MainGame(decision="bet")) for one in said.hands)
    dealer = parse_all(["Ac", "Ks", "Qd", "8s", "3h"])
    await house.floor.submit(replace(said, hands=stays, dealer=dealer))


def kinds(evidence: Json) -> list[str]:
    return [one["kind"] for one in evidence["entries"]]


async def test_bets_are_told_as_sent_with_what_went_back_and_why(house: House) -> None:
    await closed(house)
    told = await house.told(PATH)
    sent = [(one["box"], one["progressive"], one["accepted"]) for one in told["bets"]["boxes"]]
    assert sent == [(1, 500, 500), (2, 700, 500), (3, 500, 0)]
    back = [(one["box"], one["amount"], one["code"], one["rule"]) for one in told["bets"]["returned"]]
    assert back == [(2, 200, "over_prescribed", "5.1"), (3, 500, "no_ante", "5.4")]
    assert [(one["box"], one["outcome"], one["payout"]) for one in told["progressive"]] == [
        (1, "open", None),
        (2, "returned", 200),
        (2, "open", None),
        (3, "returned", 500),
    ]
    assert told["playing"] == [1, 2]


async def test_a_correction_leaves_the_report_before_it_with_its_settlement(house: House) -> None:
    await closed(house)
    await reported(house, PAIR)
    await reported(house, FULL_HOUSE, final=True)
    told = await house.told(PATH)
    first, second = told["reports"]
    assert (first["correction"], first["superseded_by"]) == (False, second["sequence"])
    assert (second["correction"], second["superseded_by"], second["state"]) == (True, None, "settled")
    bets = [
        next(one for one in report["settlement"] if (one["box"], one["wager"]) == (1, "bet"))
        for report in told["reports"]
    ]
    assert [(one["pays"], one["payout"]) for one in bets] == [("1 to 1", 10_000), ("7 to 1", 40_000)]
    assert second["adjustments"] == [
        {"box": 1, "wager": "bet", "before": 10_000, "after": 40_000, "difference": 30_000}
    ]
    assert second["settlement"] == told["settlement"]
    won = {one["box"]: (one["pays"], one["payout"], one["rule"]) for one in told["progressive"] if one["won"]}
    assert won == {1: ("80 for 1", 40_000, "4.2"), 2: ("40 for 1", 20_000, "4.2")}


async def test_every_hash_can_be_computed_from_the_document_alone(house: House) -> None:
    await closed(house)
    await reported(house, PAIR, final=True)
    told = await house.told(PATH)
    assert len(told["entries"]) == 2
    for one in told["entries"]:
        data = json.dumps(one["entry"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert sha256((one["before"] + data).encode()).hexdigest() == one["hash"]
    assert [one["hash"] for one in told["story"]] == [one["hash"] for one in told["entries"]]


async def test_a_win_is_told_with_order_approvals_payment_and_the_clock_it_was_dealt_by(house: House) -> None:
    win = await house.paid("s1", STRAIGHT_FLUSH)
    told = await house.told(PATH)
    (major,) = told["majors"]
    assert (major["id"], major["state"], major["approvers"]) == (win, "paid", ["ana"])
    assert major["payment"]["amount"] == 500_020
    assert kinds(told)[1:] == ["HandsReported", "WinRegistered", "WinsOrdered", "WinApproved", "WinPaid"]
    assert told["progressive"][0] | {"pays": None} == {
        "box": 1,
        "wager": "progressive",
        "outcome": "win",
        "stake": 500,
        "pays": None,
        "payout": 500_020,
        "won": 500_020,
        "collected": 500,
        "rule": "4.2",
        "win": win,
    }
    assert told["clock"][1]["offset_to_us"] is not None
    assert (told["story"][-1]["words"]).startswith(f"Win {win} is paid SGD 5,000.20: 10 % of SGD 50,002.00.")


async def test_a_win_that_a_correction_withdrew_is_still_told(house: House) -> None:
    await closed(house)
    await house.floor.submit(house.floor.hands("s1", {1: STRAIGHT_FLUSH, 2: None}))
    await house.floor.submit(house.floor.hands("s1", {1: NOTHING, 2: None}))
    told = await house.told(PATH)
    assert (told["wins"], [one["state"] for one in told["majors"]]) == ([], ["withdrawn"])
    assert "WinWithdrawn" in kinds(told)


async def test_a_late_claim_is_told_with_who_decided_it(house: House) -> None:
    floor = house.floor
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.hands("s1", {1: NOTHING}, final=True))
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH}, round=1))
    (claim,) = (await house.told(PATH))["late_claims"]
    assert claim["state"] == "open"
    assert _outcome(await house.told(PATH)) == ("open", None, claim["id"])
    await house.agree(f"/v1/claims/{claim['id']}/decide", {"outcome": "registered", "reason": "camera 3"})
    told = await house.told(PATH)
    (claim,) = told["late_claims"]
    assert (claim["state"], claim["persons"]) == ("decided", ["ana", "sue"])
    assert claim["amount"] > 0
    assert _outcome(told) == ("win", claim["amount"], claim["id"])
    assert kinds(told)[2:] == ["ClaimRaised", "Proposed", "ProposalConfirmed", "ClaimDecided"]
    assert [one["by"] for one in told["story"]][3:] == ["ana", "sue", "ana, sue"]


def _outcome(told: Json) -> tuple[str, int | None, str | None]:
    (one,) = told["progressive"]
    return one["outcome"], one["payout"], one["win"]


async def test_a_claim_that_was_refused_and_a_win_that_was_rejected_are_no_wins(house: House) -> None:
    floor = house.floor
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.hands("s1", {1: NOTHING}, final=True))
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH}, round=1))
    (claim,) = (await house.told(PATH))["late_claims"]
    await house.agree(f"/v1/claims/{claim['id']}/decide", {"outcome": "refused", "reason": "camera 3"})
    assert _outcome(await house.told(PATH)) == ("rejected", 0, claim["id"])
    await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH}))
    (win,) = (await house.told("/v1/tables/s1/rounds/2"))["wins"]
    assert _outcome(await house.told("/v1/tables/s1/rounds/2")) == ("win", None, win)
    await house.does(f"/v1/links/main/wins/{win}/reject", "sue", {"reason": "a card was marked"})
    assert _outcome(await house.told("/v1/tables/s1/rounds/2")) == ("rejected", 0, win)


@pytest.mark.parametrize(
    ("seen", "effect", "rule"), [(False, "voided", "5.17"), (True, "continued", "5.18.1")]
)
async def test_a_malfunction_is_told_with_what_it_did_to_the_round(
    house: House, seen: bool, effect: str, rule: str
) -> None:
    await closed(house)
    house.floor.wait(1)
    said = {
        "scope": {"table": "s1"},
        "observed_at": spoken_instant(house.floor.clock.time - SECOND // 2),
        "cards_seen": {"s1": seen},
        "then": "progressive_off",
        "note": "sensor dead",
    }
    declared = await house.does("/v1/malfunctions", "sue", said)
    await house.does(f"/v1/malfunctions/{declared['id']}/clear", "tom", {"note": "mended"})
    told = await house.told(PATH)
    (one,) = told["malfunctions"]
    assert (one["id"], one["effect"], one["rule"], one["by"]) == (declared["id"], effect, rule, "sue")
    assert one["cleared_by"] == "tom"
    assert (told["void"] is not None) is not seen
    if not seen:
        assert (told["void"]["reason"], told["void"]["malfunction"]) == ("5.17", declared["id"])


async def test_an_irregularity_is_told_with_its_consequence(house: House) -> None:
    await closed(house)
    await reported(house, FULL_HOUSE)
    said = {"paragraph": "5.10", "reconstructed": False, "boxes": [2], "choices": {"2": "return"}}
    await house.does(f"{PATH}/irregularities", "sue", said)
    told = await house.told(PATH)
    (one,) = told["irregularities"]
    assert (one["person"], one["consequence"]["boxes"][0]["rule"]) == ("sue", "5.10.3")
    assert told["boxes"][1]["invalidated"] == "5.10.3"
    assert told["playing"] == [1]
    assert told["reports"][0]["superseded_by"] == told["entries"][-1]["sequence"]
    goes_back = [one for one in told["progressive"] if one["box"] == 2]
    assert [(one["outcome"], one["rule"]) for one in goes_back] == [
        ("returned", "5.1"),
        ("returned", "5.10.3"),
    ]


async def test_an_irregularity_that_is_durable_is_answered_though_the_book_cannot_be_read_now(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await closed(house)
    book = house.service.book
    really = book.submit

    async def then_trouble(link: str, command: commands.Command, act: Act | None = None) -> Outcome:
        outcome = await really(link, command, act)
        monkeypatch.setattr(book.store, "reading", _no_line)
        return outcome

    monkeypatch.setattr(book, "submit", then_trouble)
    said = {"paragraph": "5.10", "reconstructed": False, "boxes": [2], "choices": {"2": "return"}}
    told = await house.does(f"{PATH}/irregularities", "sue", said)
    monkeypatch.undo()
    assert "SGD 5.00" in told["consequence"]["words"][1]
    assert [one["id"] for one in (await house.told(PATH))["irregularities"]] == [told["id"]]


def _no_line() -> AbstractAsyncContextManager[AsyncConnection]:
    raise ConnectionResetError("the line was cut")


async def test_a_round_that_only_the_next_one_made_stand_says_so(house: House) -> None:
    await closed(house)
    await reported(house, PAIR)
    await house.floor.submit(house.floor.bets("s1"))
    told = await house.told(PATH)
    assert (told["state"], told["current"]) == ("settled", False)
    assert told["story"][-1]["words"] == "Round 2 begins: round 1 stands."
    assert (await house.told("/v1/tables/s1/rounds/2"))["current"] is True
