"""What the House is told over HTTP of wins that are paid together, before and after."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jackpot.core.instants import SECOND
from jackpot.link.answers import HandsAnswer
from tests.book_floor import checked
from tests.house import ROYAL, STRAIGHT_FLUSH, House, Json, a_house, refused

DIAMONDS = "Ad Kd Qd Jd Td"
VALUE = 5_000_400
"""Of the pool after the two bets."""


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path) as found:
        yield found
        await checked(found.service.book)


async def plays_by(house: House, **awards: Any) -> None:
    await house.does("/v1/links/main/close", "ana", {"reason": "season"})
    await house.agree("/v1/links/main/parameters", awards | {"reason": "season", "when": "now"})
    await house.agree("/v1/links/main/open", {"reason": "season"})


async def met(house: House, first: str = ROYAL, second: str = DIAMONDS) -> list[str]:
    """Two majors at two tables, dealt at one moment as far as anybody can tell."""
    floor, wins = house.floor, []
    for table in ("s1", "s2"):
        await floor.submit(floor.bets(table))
    dealt = floor.clock.time
    for table, cards in (("s1", first), ("s2", second)):
        said = floor.hands(table, {1: cards})
        hands = tuple(replace(one, dealt_at=dealt) for one in said.hands)
        answer = (await floor.submit(replace(said, hands=hands))).answer
        assert isinstance(answer, HandsAnswer)
        wins.append(str(answer.results[0].win))
    return wins


async def line(house: House) -> list[Json]:
    return [one for one in (await house.told("/v1/links/main/wins"))["wins"] if one["position"] is not None]


async def test_an_ordered_win_is_paid_by_itself(house: House) -> None:
    await met(house)
    for one in await line(house):
        assert (one["policy"], one["together"], one["ambiguous"]) == ("ordered", [], True)
        assert one["percent"] == 100


async def test_wins_that_are_paid_together_are_told_with_each_other(house: House) -> None:
    await plays_by(house, policy="split")
    wins = await met(house)
    for one in await line(house):
        assert (one["policy"], one["together"], one["ambiguous"]) == ("split", wins, False)
        assert one["amount"] == VALUE // 2
    said = {"wins": wins[::-1], "reason": "camera"}
    refused(await house.post("/v1/links/main/order", "sue", said), 409, "not_ambiguous")


async def test_each_says_that_it_waits_for_the_others_approvals(house: House) -> None:
    await plays_by(house, policy="split")
    first, second = await met(house)
    assert [one["reasons"] for one in await line(house)] == [["approvals_missing", "others_not_ready"]] * 2
    await house.approve(first, "ana", "ben")
    assert (await house.win(first))["reasons"] == ["others_not_ready"]
    assert (await house.win(second))["reasons"] == ["approvals_missing"]
    await house.approve(second, "ana", "ben")
    assert [(await house.win(win))["state"] for win in (first, second)] == ["paid", "paid"]


async def test_a_later_win_waits_for_all_that_are_paid_together(house: House) -> None:
    await plays_by(house, policy="full_each")
    first, second = await met(house)
    house.floor.wait(5)
    later = await house.floor.wins_major("s1", STRAIGHT_FLUSH)
    reasons = {one["id"]: one["reasons"] for one in await line(house)}
    assert "earlier_win" in reasons[later]
    assert all("earlier_win" not in reasons[win] for win in (first, second))
    assert "others_not_ready" not in reasons[later]


async def test_a_win_whose_window_has_not_passed_says_so(house: House) -> None:
    await plays_by(house, policy="split", window_ms=60_000)
    win = await house.floor.wins_major("s1", STRAIGHT_FLUSH)
    assert "window_open" in (await house.win(win))["reasons"]
    house.floor.clock.time += 61 * SECOND
    await house.approve(win, "ana")
    assert (await house.win(win))["state"] == "paid"


async def test_a_payment_is_told_in_money_with_who_shared_it(house: House) -> None:
    await plays_by(house, policy="split")
    await house.floor.submit(house.floor.bets("h1"))  # 2 dollars more
    wins = await met(house)
    await house.floor.submit(house.floor.hands("h1", {1: None}, final=True))
    for win in wins:
        await house.approve(win, "ana", "ben")
    first, second = [(await house.told(f"/v1/links/main/wins/{win}")) for win in wins]
    for told in (first, second):
        payment = told["payment"]
        assert (payment["policy"], payment["shared_by"]) == ("split", wins)
        assert payment["reading"] == VALUE + 200
        assert payment["formula_in_money"] == (
            "100 % of SGD 50,006.00 = SGD 50,006.00; shared by 2: SGD 25,003.00 each"
        )
        assert (told["policy"], told["together"], told["order"]["cluster"]) == ("split", [], wins)
    story = await house.told("/v1/tables/s1/rounds/1")
    assert story["majors"][0]["payment"] == first["payment"]


async def test_a_cent_that_is_left_is_told_to_go_to_the_first(house: House) -> None:
    await plays_by(house, policy="split", seed=5_000_001)
    wins = await met(house)
    for win in wins:
        await house.approve(win, "ana", "ben")
    told = [(await house.told(f"/v1/links/main/wins/{win}"))["payment"] for win in wins]
    assert [one["amount"] for one in told] == [2_500_201, 2_500_200]
    for place, one in enumerate(told, 1):
        assert one["formula_in_money"].endswith(
            "shared by 2: SGD 25,002.00 each, and the SGD 0.01 left over goes to the first:"
            f" SGD {one['amount'] / 100:,.2f} as number {place}"
        )


async def test_each_in_full_is_told_as_such(house: House) -> None:
    await plays_by(house, policy="full_each")
    wins = await met(house)
    for win in wins:
        await house.approve(win, "ana", "ben")
    for win in wins:
        payment = (await house.told(f"/v1/links/main/wins/{win}"))["payment"]
        assert payment["formula_in_money"] == (
            "100 % of SGD 50,004.00 = SGD 50,004.00, which each of the 2 is paid"
        )


async def test_a_win_is_told_with_the_share_of_its_level_also_once_it_has_ended(house: House) -> None:
    levels = [{"hand": "royal_flush", "share": 100}, {"hand": "straight_flush", "share": 25}]
    await plays_by(house, level=levels)
    win = await house.floor.wins_major("s1", STRAIGHT_FLUSH)
    assert (await house.win(win))["percent"] == 25
    await house.does(f"/v1/links/main/wins/{win}/reject", "sue", {"reason": "a card too many"})
    told = await house.win(win)
    assert (told["percent"], told["policy"]) == (25, None)


# Previews


async def previewed(house: House, **said: Any) -> Json:
    body = {"act": "parameters", "said": said | {"reason": "season"}}
    return await house.does("/v1/links/main/previews", "ana", body)


async def test_a_preview_tells_the_terms_before_and_after(house: House) -> None:
    told = await previewed(house, policy="split", level=[{"hand": "royal_flush", "share": 100}])
    before, after = told["before"]["parameters_scheduled"], told["after"]["parameters_scheduled"]
    assert (before["policy"], after["policy"]) == ("ordered", "split")
    assert (len(before["level"]), len(after["level"])) == (6, 1)
    assert told["warnings"] == []


async def test_a_preview_warns_of_what_is_new(house: House) -> None:
    (window,) = (await previewed(house, window_ms=10))["warnings"]
    assert window.startswith("the window of 10 ms is below the error of clocks")
    (cap,) = (await previewed(house, cap=20_000))["warnings"]
    assert cap.startswith("the cap of SGD 200.00 a round costs a bet on average")
    await house.agree("/v1/links/main/parameters", {"window_ms": 10, "reason": "season"})
    assert (await previewed(house, policy="split"))["warnings"] == [], "that was said when it was proposed"
