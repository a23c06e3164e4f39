"""Dry runs over HTTP: begun, looked at, stopped, fetched as files, and refused."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from jackpot.core.instants import spoken_instant
from tests.house import ROYAL, STRAIGHT_FLUSH, House, Json, a_house, refused

RUNS = "/v1/links/main/dryruns"


@pytest.fixture
async def house(url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(url, tmp_path) as opened:
        await opened.paid("s1", STRAIGHT_FLUSH)
        await opened.paid("s2", ROYAL)
        yield opened


async def ended(house: House, run: Json) -> Json:
    while (told := await house.told(f"{RUNS}/{run['id']}"))["state"] == "running":
        await asyncio.sleep(0.05)
    return told


async def played(house: House, **said: Any) -> Json:
    """What it found."""
    response = await house.post(RUNS, "ana", said)
    assert response.status_code == 202, response.text
    told = await ended(house, response.json())
    assert told["state"] == "done", told
    found: Json = told["found"]
    return found


async def test_nothing_changed_is_the_journal_itself(house: House) -> None:
    found = await played(house)
    assert found["proved"]
    assert found["then"] == found["so"]
    assert [one["difference"] for one in found["payments"]] == [0, 0]
    assert found["then"]["ended"]["meter"] == (await house.told("/v1/links/main/meter"))["value"]


async def test_another_seed_is_shown_beside_what_was(house: House) -> None:
    found = await played(house, seed=10_000_000, policy="split", ceiling=None)
    assert found["changed"] == {"seed": 10_000_000, "policy": "split", "ceiling": None}
    assert [one["hand"] for one in found["payments"]] == ["straight_flush", "royal_flush"]
    assert found["so"]["majors"] - found["then"]["majors"] == sum(
        one["difference"] for one in found["payments"]
    )
    assert found["so"]["majors"] > found["then"]["majors"]
    assert found["notes"][0].startswith("Players would have bet differently")


async def test_it_is_told_who_asked_and_kept_for_others_to_see(house: House) -> None:
    run = (await house.post(RUNS, "ana", {"seed": 10_000_000})).json()
    assert (run["state"], run["by"], run["link"]) == ("running", "ana", "main")
    done = await ended(house, run)
    assert done["read"] == done["of"] == done["found"]["last"]
    (listed,) = (await house.told(RUNS, "ada"))["dryruns"]
    assert listed == done | {"found": None}
    audit = (await house.told("/v1/audit"))["acts"]
    assert [(one["actor"], one["outcome"]) for one in audit if one["act"] == "start_dryrun"] == [
        ("ana", "allowed")
    ]


async def test_the_files_hold_what_was_found(house: House) -> None:
    run = (await house.post(RUNS, "sue", {"seed": 10_000_000})).json()
    found = (await ended(house, run))["found"]
    table = await house.get(f"{RUNS}/{run['id']}/payments.csv")
    assert table.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(table.text.splitlines()))
    assert [int(row["difference"]) for row in rows] == [one["difference"] for one in found["payments"]]
    picture = await house.get(f"{RUNS}/{run['id']}/meter.svg")
    assert picture.text.startswith("<svg")
    assert f"{run['id']}-meter.svg" in picture.headers["content-disposition"]
    assert (await house.get(f"{RUNS}/{run['id']}/found.json")).json() == found
    refused(await house.get(f"{RUNS}/{run['id']}/found.xls"), 404, "not_found")


async def test_one_at_a_time_and_it_can_be_stopped(house: House) -> None:
    run = (await house.post(RUNS, "ana", {})).json()
    other = refused(await house.post(RUNS, "sue", {"seed": 10_000_000}), 409, "dryrun_running")
    assert other["id"] == run["id"]
    refused(await house.get(f"{RUNS}/{run['id']}/meter.svg"), 409, "dryrun_not_done")
    stopped = await house.call("DELETE", f"{RUNS}/{run['id']}", "sue")
    assert stopped.json()["state"] == "stopped"
    assert (await house.told(f"{RUNS}/{run['id']}"))["state"] == "stopped"
    assert (await played(house))["proved"]


async def test_what_a_link_could_not_run_on_fails_with_its_code(house: House) -> None:
    run = (await house.post(RUNS, "ana", {"meter_ppm": 990_000})).json()
    failed = await ended(house, run)
    assert failed["state"] == "failed"
    assert failed["problem"]["code"] == "parameter_wrong"
    assert "reserve_ppm" in failed["problem"]["detail"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"from": "yesterday"}, "time_malformed"),
        ({"from": "2026-01-01T00:00:00"}, "time_without_zone"),
        ({"from": "2030-01-01T00:00:00Z", "to": "2029-01-01T00:00:00Z"}, "parameter_wrong"),
        ({"to": "2001-01-01T00:00:00Z"}, "nothing_happened"),
        ({"policy": "best"}, "invalid"),
        ({"level": [{"hand": "flush", "odds": 2}, {"hand": "flush", "odds": 3}]}, "parameter_wrong"),
        ({"window_ms": 60_001}, "invalid"),
        ({"seeds": 5}, "invalid"),
    ],
)
async def test_what_is_wrong_is_refused_before_it_begins(house: House, said: Json, code: str) -> None:
    refused(await house.post(RUNS, "ana", said), 422, code)
    assert (await house.told(RUNS))["dryruns"] == []


async def test_who_may_not_and_what_is_not_there(house: House) -> None:
    refused(await house.post(RUNS, "ada", {}), 403, "forbidden")
    refused(await house.post(RUNS, "s1", {}), 403, "forbidden")
    refused(await house.post("/v1/links/north/dryruns", "ana", {}), 404, "link_unknown")
    refused(await house.post("/v1/links/pit-3/dryruns", "ana", {}), 404, "link_unknown")
    refused(await house.get("/v1/links/north/dryruns"), 404, "link_unknown")
    refused(await house.get(f"{RUNS}/beef"), 404, "dryrun_unknown")


async def test_the_link_goes_on_meanwhile(house: House) -> None:
    before = (await house.told("/v1/links/main/meter"))["sequence"]
    run = (await house.post(RUNS, "ana", {"to": spoken_instant(house.floor.clock.time)})).json()
    await house.paid("s1", STRAIGHT_FLUSH)
    found = (await ended(house, run))["found"]
    assert found["last"] <= (await house.told("/v1/links/main/meter"))["sequence"]
    assert found["proved"]
    assert before > 0
