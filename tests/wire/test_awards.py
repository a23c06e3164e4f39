"""Levels and award policy of a link over the wire: floor file, tables, signs, the House, an auditor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.in_process import LINK, House, floor_text, house, now
from tests.wire.test_floor_file import refused

RICH = """
policy = "split"
window_ms = 100
cap = 100000

[[link.level]]
hand = "royal_flush"
share = 100

[[link.level]]
hand = "straight_flush"
share = 25

[[link.level]]
hand = "four_of_a_kind"
share = 2

[[link.level]]
hand = "flush"
odds = 150
"""
TOLD = [
    {"hand": "royal_flush", "share": 100, "odds": None},
    {"hand": "straight_flush", "share": 25, "odds": None},
    {"hand": "four_of_a_kind", "share": 2, "odds": None},
    {"hand": "flush", "share": None, "odds": 150},
]
FLUSH = ["Kh", "Jh", "8h", "5h", "2h"]


def with_link(more: str) -> str:
    return floor_text().replace(LINK, LINK + more)


@asynccontextmanager
async def rich_house(url: str, folder: Path) -> AsyncIterator[House]:
    async with house(url, folder, with_link(RICH)) as at:
        yield at


async def hands(at: House, table: str, round: int, cards: dict[int, list[str]]) -> Any:
    told = [{"box": box, "cards": list(one)} for box, one in cards.items()]
    body = {"sent_at": now(), "final": True, "hands": told}
    answer = await at.say("PUT", f"/v1/tables/{table}/rounds/{round}/hands", table, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_floor_file_says_levels_and_policy(sqlite_url: str, tmp_path: Path) -> None:
    async with rich_house(sqlite_url, tmp_path) as at:
        (link,) = (await at.say("GET", "/v1/links", "sue")).json()["links"]
        terms = link["parameters"]
        assert terms["level"] == TOLD
        assert (terms["policy"], terms["window_ms"], terms["cap"]) == ("split", 100, 100_000)
        meter = (await at.say("GET", "/v1/links/main/meter")).json()
        assert meter["shares"] == {"royal_flush": 100, "straight_flush": 25, "four_of_a_kind": 2}
    async with rich_house(sqlite_url, tmp_path) as at:  # the same file again changes nothing
        (link,) = (await at.say("GET", "/v1/links", "sue")).json()["links"]
        assert link["parameters"] == terms


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ('[[link.level]]\nhand = "royal_flush"\nshare = 101\n', "from 1 to 100"),
        ('[[link.level]]\nhand = "royal_flush"\nshare = 99\n', "100 percent"),
        ('[[link.level]]\nhand = "flush"\nodds = 40\n', "100 percent"),
        ('[[link.level]]\nhand = "royal_flush"\nshare = 100\nodds = 2\n', "either"),
        (2 * '[[link.level]]\nhand = "royal_flush"\nshare = 100\n', "two levels for royal_flush"),
        ('[[link.level]]\nhand = "royal"\nshare = 100\n', "level.0.hand"),
        ('[[link.level]]\nhand = "royal_flush"\nshare = 100.5\n', "level.0.share"),
        ('[[link.level]]\nhand = "royal_flush"\nshare = "all"\n', "level.0.share"),
        ('policy = "lottery"\n', "policy"),
        ("window_ms = -1\n", "window"),
        ("window_ms = 60001\n", "window"),
        ("cap = 0\n", "cap"),
        ("cap = true\n", "cap"),
    ],
)
async def test_impossible_awards_are_refused(sqlite_url: str, tmp_path: Path, more: str, why: str) -> None:
    assert why in await refused(sqlite_url, tmp_path, with_link(more))


async def test_a_changed_policy_in_the_file_is_an_act_of_two_people(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    for more in ('policy = "split"\n', "cap = 5000\n", '[[link.level]]\nhand = "flush"\nshare = 100\n'):
        message = await refused(sqlite_url, tmp_path, with_link(more))
        assert "/v1/links/main/parameters" in message


async def test_wins_of_one_cluster_are_paid_together_with_their_proof(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with rich_house(sqlite_url, tmp_path) as at:
        for table in ("stud-01", "stud-02"):
            told = (await at.close_bets(table, 1, 1)).json()
            assert told["awards"]["levels"]["flush"] == {"share": None, "odds": 150}
        value = (await at.say("GET", "/v1/links/main/meter")).json()["value"]
        quads = {"stud-01": ["9c", "9d", "9h", "9s", "Kd"], "stud-02": ["8c", "8d", "8h", "8s", "Kd"]}
        wins = [(await hands(at, table, 1, {1: one}))["results"][0]["win"] for table, one in quads.items()]
        order = {"wins": wins, "reason": "camera"}
        answer = await at.say("POST", "/v1/links/main/order", "sue", json=order)
        assert (answer.status_code, answer.json()["code"]) == (409, "not_ambiguous")
        for win in wins:
            waiting = (await at.say("GET", "/v1/links/main/wins", "sue")).json()["wins"]
            assert {one["state"] for one in waiting} <= {"pending", "ordered"}
            note = {"note": "seen"}
            told = await at.say("POST", f"/v1/links/main/wins/{win}/approve", "otto", json=note)
            assert told.status_code == 200, told.text
        await asyncio.sleep(0.15)  # until no hand can be dealt within the window any more
        beat = await at.say("POST", "/v1/tables/stud-01/heartbeat", "stud-01", json={"sent_at": now()})
        assert beat.status_code == 200
        whole = (value * 2 + 50) // 100
        for place, win in enumerate(wins, 1):
            proof = (await at.say("GET", f"/v1/links/main/wins/{win}", "ada")).json()
            payment = proof["payment"]
            assert payment["amount"] == whole // 2 + (place <= whole % 2)
            assert (payment["policy"], payment["reading"], payment["shared_by"]) == ("split", value, wins)
            assert payment["formula"].startswith(f"{value} x 2 / 100 = {whole}; {whole} / 2 = {whole // 2}")
        story = (await at.say("GET", "/v1/tables/stud-01/rounds/1", "ada")).json()
        (wager,) = story["progressive"]
        assert wager["pays"] == "2 % of the jackpot, shared by 2"


async def test_a_cap_shows_in_results_and_evidence(sqlite_url: str, tmp_path: Path) -> None:
    async with rich_house(sqlite_url, tmp_path) as at:
        await at.close_bets("stud-01", 1, 1, 2)
        two = {1: FLUSH, 2: ["Ks", "Js", "8s", "5s", "2s"]}
        told = await hands(at, "stud-01", 1, two)
        assert [one["award"] for one in told["results"]] == [50_000, 50_000]
        story = (await at.say("GET", "/v1/tables/stud-01/rounds/1", "ada")).json()
        assert {one["pays"] for one in story["progressive"]} == {"150 for 1, less by the cap of a round"}


async def test_two_people_change_levels_and_policy(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path) as at:
        levels = [{"hand": "royal_flush", "share": 100}, {"hand": "flush", "odds": 30}]
        body = {"level": levels, "policy": "full_each", "window_ms": 250, "cap": 7000, "reason": "season"}
        answer = await at.say("POST", "/v1/links/main/parameters", "otto", json=body)
        assert answer.status_code == 202, answer.text
        confirm = f"/v1/proposals/{answer.json()['proposal']}/confirm"
        assert (await at.say("POST", confirm, "sue", json={})).status_code == 200
        (link,) = (await at.say("GET", "/v1/links", "sue")).json()["links"]
        assert link["parameters"]["policy"] == "ordered"  # until the next reset
        assert link["scheduled"][0]["policy"] == "full_each"
        several: tuple[dict[str, Any], ...] = (
            {"level": []},
            {"level": [{"hand": "royal_flush", "share": 101}]},
            {"level": [levels[0], levels[0]]},
            {"level": [{"hand": "queens", "share": 100}]},
            {"policy": "none"},
            {"policy": None},
            {"window_ms": 60001},
            {"cap": 0},
            {"cap": 10**13},
            {"level": [{"hand": "royal_flush", "share": 1.5}]},
        )
        for wrong in several:
            told = await at.say("POST", "/v1/links/main/parameters", "otto", json=wrong | {"reason": "why"})
            assert told.status_code == 422, (wrong, told.text)
            assert told.json()["code"]
