"""Slips, hand-overs and unclaimed money over HTTP; each story ends with the whole book verified."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from jackpot.core.instants import DAY, SECOND
from jackpot.link.answers import HandsAnswer
from tests.book_floor import checked
from tests.house import ROYAL, STRAIGHT_FLUSH, House, Json, a_house, refused

MAIN = "/v1/links/main"
CASH: Json = {"reference": "IDC-2026-0001", "method": "cash"}
YEAR = 365 * DAY // SECOND
PAID = 500_020


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path) as found:
        yield found
        await checked(found.service.book)


async def accounts(house: House) -> Json:
    return dict((await house.told("/v1/links"))["links"][0]["accounts"])


async def listed(house: House, **query: str | int) -> list[Json]:
    found: list[Json] = (await house.told(f"{MAIN}/handovers", params=query))["handovers"]
    return found


async def test_a_paid_win_is_due_until_it_is_handed_over(house: House) -> None:
    win = await house.paid("s1", STRAIGHT_FLUSH)
    assert (await house.win(win))["handover"] == "due"
    assert (await house.told("/v1/links"))["links"][0]["handovers"] == 1
    (due,) = await listed(house, state="due")
    assert (due["slip"], due["win"], due["amount"], due["people_needed"]) == (1, win, PAID, 1)
    told = await house.does(f"{MAIN}/wins/{win}/hand-over", "ben", CASH | {"note": "in hundreds"})
    assert (told["win"], told["slip"], told["state"]) == (win, 1, "handed_over")
    assert (await house.win(win))["handover"] == "handed_over"
    assert (await house.told(f"{MAIN}/wins/{win}"))["entries"][-1]["kind"] == "WinHandedOver"
    (one,) = await listed(house, state="handed_over")
    handed = one["handed_over"]
    assert (handed["persons"], handed["reference"], handed["method"]) == (["ben"], "IDC-2026-0001", "cash")
    assert await listed(house, state="due") == []


async def test_a_slip_tells_all_that_stands_on_it(house: House) -> None:
    win = await house.paid("s1", STRAIGHT_FLUSH)
    slip = await house.told(f"{MAIN}/wins/{win}/slip", "ana")
    assert (slip["slip"], slip["amount"], slip["display"]) == (1, PAID, "SGD 5,000.20")
    assert slip["amount_in_words"] == {
        "en": "five thousand Singapore dollars and twenty cents only",
        "zh-CN": "新加坡元伍仟元贰角整",
        "ms": "lima ribu dolar Singapura dan dua puluh sen sahaja",
    }
    assert slip["cards"] == ["9s", "8s", "7s", "6s", "5s"]
    assert (slip["table"], slip["round"], slip["box"], slip["hand"]) == ("s1", 1, 1, "straight_flush")
    assert [one["person"] for one in slip["approved_by"]] == ["ana"]
    assert (slip["reading"], slip["percent"], slip["printed"], slip["tax_line"]) == (5_000_200, 10, 0, None)


async def test_prints_are_counted_and_looking_is_none(house: House) -> None:
    path = f"{MAIN}/wins/{await house.paid('s1', STRAIGHT_FLUSH)}/slip"
    key = {"Idempotency-Key": "the original"}
    told = [await house.does(path, "ana", headers=key) for _ in range(2)]
    assert [one["copy"] for one in told] == [1, 1]
    assert (await house.does(path, "ben"))["copy"] == 2
    assert (await house.told(path))["printed"] == 2
    acts = (await house.told("/v1/audit"))["acts"]
    prints = [(one["actor"], one["outcome"]) for one in acts if one["act"] == "print_slip"]
    assert set(prints) == {("ana", "allowed"), ("ben", "allowed")}


async def test_a_royal_is_handed_over_by_two(house: House) -> None:
    win = await house.paid("s1", ROYAL)
    answer = await house.post(f"{MAIN}/wins/{win}/hand-over", "ana", CASH | {"method": "cheque"})
    assert answer.status_code == 202
    proposal = answer.json()["proposal"]
    (waiting,) = (await house.told("/v1/proposals"))["proposals"]
    assert waiting["change"] == {
        "kind": "HandingOver",
        "win": win,
        "reference": "IDC-2026-0001",
        "method": "cheque",
        "note": "",
    }
    refused(await house.post(f"/v1/proposals/{proposal}/confirm", "ben"), 403, "forbidden")
    await house.does(f"/v1/proposals/{proposal}/confirm", "sue")
    (one,) = await listed(house)
    assert one["handed_over"]["persons"] == ["ana", "sue"]


async def test_a_preview_says_what_will_happen_and_does_nothing(house: House) -> None:
    win = await house.paid("s1", STRAIGHT_FLUSH)
    asked = {"act": "hand_over", "id": win, "said": CASH}
    told = await house.does(f"{MAIN}/previews", "ben", asked)
    assert told["words"] == [
        f"SGD 5,000.20 of win {win} (slip 1) are handed over by ben, cash, to reference IDC-2026-0001."
    ]
    assert (await house.win(win))["handover"] == "due"


async def test_nobody_comes_and_then_somebody_does(house: House) -> None:
    win = await house.paid("s1", STRAIGHT_FLUSH)
    before, path = await accounts(house), f"{MAIN}/wins/{win}"
    reason = {"reason": "nobody came within the year"}
    early = refused(await house.post(f"{path}/unclaimed", "sue", reason), 409, "not_overdue")
    assert early["overdue_from"] == (await listed(house))[0]["overdue_from"]
    house.floor.wait(YEAR)
    told = await house.told(f"{MAIN}/handovers")
    assert (told["overdue"], told["handovers"][0]["overdue"]) == (1, True)
    await house.does(f"{path}/unclaimed", "sue", reason)
    moved = await accounts(house)
    assert moved["unclaimed"] == PAID * 1_000_000
    assert moved["prizes"] == before["prizes"] - moved["unclaimed"]
    told = await house.told(f"{MAIN}/handovers", params={"state": "unclaimed"})
    assert (told["counts"], told["amounts"]) == ({"due": 0, "unclaimed": 1}, {"due": 0, "unclaimed": PAID})
    assert told["handovers"][0]["unclaimed"]["person"] == "sue"
    refused(await house.post(f"{path}/unclaimed", "sue", reason), 409, "already_unclaimed")
    await house.does(f"{path}/hand-over", "tom", CASH)
    assert await accounts(house) == before


async def test_pages_of_slips_follow_one_another(house: House) -> None:
    for _ in range(3):
        await house.paid("s1", STRAIGHT_FLUSH)
    first = await house.told(f"{MAIN}/handovers", params={"limit": 2})
    assert [one["slip"] for one in first["handovers"]] == [3, 2]
    second = await house.told(f"{MAIN}/handovers", params={"limit": 2, "before": first["next"]})
    assert ([one["slip"] for one in second["handovers"]], second["next"]) == ([1], None)


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        (CASH | {"reference": "Tan Ah Kow"}, 422, "reference_wrong"),
        (CASH | {"reference": "tan@example.com"}, 422, "reference_wrong"),
        (CASH | {"reference": "S1234567D"}, 422, "reference_personal"),
        (CASH | {"method": "bitcoin"}, 422, "invalid"),
        (CASH | {"name": "Tan"}, 422, "invalid"),
        ({"method": "cash"}, 422, "invalid"),
        (CASH | {"method": "several"}, 422, "reason_missing"),
        (CASH | {"reference": "1" * 501}, 422, "invalid"),
    ],
)
async def test_a_hand_over_that_cannot_be_is_refused(
    house: House, said: Json, status: int, code: str
) -> None:
    win = await house.paid("s1", STRAIGHT_FLUSH)
    before = (await house.told("/v1/links"))["links"][0]["sequence"]
    refused(await house.post(f"{MAIN}/wins/{win}/hand-over", "ben", said), status, code)
    assert (await house.told("/v1/links"))["links"][0]["sequence"] == before


async def test_there_is_no_slip_of_an_unpaid_or_unknown_win_and_nothing_twice(house: House) -> None:
    waits = await house.floor.wins_major("s1", STRAIGHT_FLUSH)
    for call in (house.get(f"{MAIN}/wins/{waits}/slip"), house.post(f"{MAIN}/wins/{waits}/slip", "ana")):
        refused(await call, 409, "win_not_paid")
    refused(await house.get(f"{MAIN}/wins/s1.9.9.9/slip"), 404, "win_unknown")
    refused(await house.post(f"{MAIN}/wins/s1.9.9.9/hand-over", "ana", CASH), 404, "win_unknown")
    await house.does(f"{MAIN}/wins/{waits}/reject", "sue", {"reason": "a marked card"})
    refused(await house.get(f"{MAIN}/wins/{waits}/slip"), 409, "win_not_paid")
    refused(await house.post(f"{MAIN}/wins/{waits}/hand-over", "ben", CASH), 409, "win_not_paid")
    win = await house.paid("s2", STRAIGHT_FLUSH)
    refused(await house.post(f"{MAIN}/wins/{win}/hand-over", "ana", CASH), 403, "same_person")
    await house.does(f"{MAIN}/wins/{win}/hand-over", "ben", CASH)
    for act, said in (("hand-over", CASH), ("slip", {}), ("unclaimed", {"reason": "nobody came"})):
        refused(await house.post(f"{MAIN}/wins/{win}/{act}", "sue", said), 409, "handed_over")
    slip = await house.told(f"{MAIN}/wins/{win}/slip")
    assert (slip["state"], slip["printed"], slip["overdue"]) == ("handed_over", None, False)


async def test_a_retired_link_still_pays_out_what_it_owes(house: House) -> None:
    win, floor = await house.paid("s1", STRAIGHT_FLUSH), house.floor
    await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH}, final=True))
    end: Json = {"reason": "end of the game"}
    await house.does(f"{MAIN}/close", "ana", end)
    await house.agree(f"{MAIN}/retire", end | {"to": None})
    refused(await house.post(f"{MAIN}/open", "ana", end), 409, "link_retired")
    assert (await house.does(f"{MAIN}/wins/{win}/slip", "ana"))["copy"] == 1
    assert (await house.does(f"{MAIN}/wins/{win}/hand-over", "ben", CASH))["state"] == "handed_over"
    refused(await house.post(f"{MAIN}/wins/{win}/hand-over", "tom", CASH), 409, "handed_over")


async def test_a_table_that_was_moved_away_leaves_its_slip_here(house: House) -> None:
    win, floor = await house.paid("s1", STRAIGHT_FLUSH), house.floor
    await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH}, final=True))
    await house.does("/v1/tables/s1/move", "sue", {"to": "other", "reason": "the big game"})
    slip = await house.told(f"{MAIN}/wins/{win}/slip")
    assert (slip["table"], slip["game"], slip["amount"]) == ("s1", None, PAID)
    await house.does(f"{MAIN}/wins/{win}/hand-over", "ben", CASH)


async def test_a_late_claim_that_was_paid_has_a_slip(house: House) -> None:
    floor = house.floor
    await floor.submit(floor.bets("s1"))
    floor.wait(1)
    await floor.submit(floor.hands("s1", {1: "Qc Td 6h 4s 2c"}, final=True))
    answer = (await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH}))).answer
    assert isinstance(answer, HandsAnswer)
    claim = answer.results[0].claim
    await house.agree(f"/v1/claims/{claim}/decide", {"outcome": "in_order", "reason": "camera"})
    (told,) = (await house.told(f"{MAIN}/claims"))["claims"]
    assert told["handover"] == "due"
    slip = await house.told(f"{MAIN}/wins/{claim}/slip")
    assert (slip["claim"], slip["reading"]) == (True, None)
    assert {one["person"] for one in slip["approved_by"]} == {"ana", "sue"}
    await house.does(f"{MAIN}/wins/{claim}/hand-over", "ana", CASH)
    (told,) = (await house.told(f"{MAIN}/claims"))["claims"]
    assert told["handover"] == "handed_over"
