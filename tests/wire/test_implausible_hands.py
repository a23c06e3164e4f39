"""A table that reports what no deck deals: both alerts, the same at every replica and after every start."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from api.watching import suspicions
from api.watching.suspicions import CODE, Suspicions, _reported
from jackpot.cards.cards import NAMES
from jackpot.cards.evaluator import Hand
from jackpot.link.facts import HandsReported, read_entry
from jackpot.maths.plausibility import Reported
from tests.golden import kept, releases
from tests.in_process import House, house, now
from tests.promql import NAME, Labels
from tests.scrapes import Scrapes, parsed
from tests.waiting import eventually

METRIC = "jackpot_implausible_hands_one_in"
BOXES = range(1, 8)
SPARE = [card for card in NAMES if card[0] in "JQKA"]
FOURS = {box: [f"{box + 1}{suit}" for suit in "cdhs"] + [SPARE[box]] for box in BOXES}
"""Seven of them from one deck."""


async def play(at: House, round: int, hands: dict[int, list[str]], table: str = "stud-01") -> None:
    assert (await at.close_bets(table, round, *BOXES)).status_code == 201
    await report(at, round, hands, table)


async def report(at: House, round: int, hands: dict[int, list[str]], table: str = "stud-01") -> None:
    told = [
        {"box": box, "cards": cards} if cards else {"box": box, "revealed": False}
        for box, cards in hands.items()
    ]
    body = {"sent_at": now(), "hands": told}
    answer = await at.say("PUT", f"/v1/tables/{table}/rounds/{round}/hands", table, json=body)
    assert answer.status_code == 200, answer.text


async def scraped(at: House) -> str:
    return (await at.say("GET", "/metrics", "ada")).text


def figures(text: str) -> dict[Labels, float]:
    return {one: value for one, value in parsed(text).items() if dict(one)[NAME] == METRIC}


async def alerts(at: House, table: str = "stud-01") -> list[dict[str, Any]]:
    answer = (await at.say("GET", "/v1/links/main/tables", "sue")).json()
    [raised] = [one["alerts"] for one in answer["tables"] if one["id"] == table]
    return [one for one in raised if one["code"] == CODE]


async def looked(at: House) -> Suspicions:
    assert at.service.suspicions is not None
    await at.service.suspicions.look()
    return at.service.suspicions


async def same(at: House, text: str) -> None:
    await looked(at)
    assert figures(await scraped(at)) == figures(text)


async def test_140_fours_of_a_kind_raise_both_alerts_here_after_a_restart_and_at_another_replica(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suspicions, "LOOKED_EVERY", 0.2)
    scrapes = Scrapes(time.time())
    async with house(url, tmp_path) as at:
        scrapes.take(await scraped(at))
        for number in range(1, 21):
            await play(at, number, FOURS)

        async def raised() -> bool:
            return bool(await alerts(at))

        await eventually(raised)
        await looked(at)
        [alert] = await alerts(at)
        assert alert["detail"].startswith("140 times four of a kind or better in the last ")
        assert ": less than 1 in 10^" in alert["detail"]
        assert await alerts(at, "stud-02") == []
        text = await scraped(at)
        if "postgresql" in url:
            async with house(url, tmp_path) as other:
                await same(other, text)
    scrapes.take(text)
    firing = {(name, dict(of)["table"]) for name, of in scrapes.firing() if name.startswith("JackpotHands")}
    assert firing == {("JackpotHandsImplausible", "stud-01"), ("JackpotHandsImpossible", "stud-01")}
    async with house(url, tmp_path) as again:
        await same(again, text)


async def test_what_was_not_dealt_again_does_not_count_again(sqlite_url: str, tmp_path: Path) -> None:
    """A round told in pieces and corrected; boxes that nobody showed count as dealt."""
    async with house(sqlite_url, tmp_path) as at:
        await play(at, 1, {1: FOURS[1]})
        await report(at, 1, {1: FOURS[1], 2: FOURS[2], 3: []})
        await report(at, 1, {1: ["Qc", "Td", "6h", "5s", "4c"]})
        await looked(at)
        seen = await looked(at)
        assert {one.count for one in seen.of("stud-01") if one.hand is Hand.FULL_HOUSE} == {1}
        assert seen._records["stud-01"]._within(0)[0] == {1: 0, 3: 1}


async def test_a_demo_suspects_nobody(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, demo=True) as at:
        await play(at, 1, FOURS)
        assert at.service.suspicions is None
        assert await alerts(at) == []
        assert figures(await scraped(at)) == {}


@pytest.mark.parametrize("release", releases())
def test_hands_that_earlier_releases_wrote_are_read(release: str) -> None:
    entries = [data for journal in kept(release) for data in journal.entries if b'"HandsReported"' in data]
    assert len(entries) > 100
    for data in entries:
        known = read_entry("main", data, "").fact
        assert isinstance(known, HandsReported)
        hands = tuple(one.hand for one in known.results if one.hand is not None)
        assert _reported(1, 0, data) == Reported(1, 0, len(known.results), hands)
