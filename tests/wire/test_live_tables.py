"""Tables are changed while they run: over HTTP, previewed, in the journal, and told to whom it concerns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from jackpot.core.instants import spoken_instant
from tests.house import House, Json, a_house, answered, put, refused

LIMITS = {"minimum": 2500, "maximum": 200_000, "reason": "Friday night"}


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path, maximum=50_00) as found:
        yield found


async def table(house: House, name: str) -> Json:
    place = "pits/pit-3" if name in ("bj", "pp", "fb") else "links/main"
    tables: list[Json] = (await house.told(f"/v1/{place}/tables"))["tables"]
    return next(one for one in tables if one["id"] == name)


async def test_limits_change_at_once_for_rounds_to_come_and_everybody_is_told(house: House) -> None:
    await house.does("/v1/tables/s1/limits", "ana", LIMITS)
    told = await table(house, "s1")
    assert (told["minimum"], told["maximum"]) == (2500, 200_000)
    shown = await house.told("/v1/tables/s1/display")
    assert (shown["minimum"], shown["maximum"]) == (2500, 200_000)
    beat = answered(await put_beat(house, "s1"))
    terms = {"boxes": 7, "minimum": 2500, "maximum": 200_000, "name": "", "side": {}}
    assert beat["terms"] == terms
    journal = (await house.told("/v1/links/main/journal"))["entries"]
    (fact,) = [one["entry"]["fact"] for one in journal if one["kind"] == "TableChanged"]
    assert fact["was"] | {"minimum": 2500, "maximum": 200_000} == fact["terms"]
    assert (fact["person"], fact["reason"]) == ("ana", "Friday night")


async def put_beat(house: House, name: str) -> httpx.Response:
    body = {"sent_at": spoken_instant(house.floor.clock.time)}
    house.floor.wait(0.01)
    return await house.post(f"/v1/tables/{name}/heartbeat", name, body)


async def test_evidence_of_a_round_shows_the_limits_with_which_it_began(house: House) -> None:
    """S 5.1.1: while it is current, and once it has left the state."""
    box = {"box": 1, "ante": 80_00}
    answered(await put(house, "s1", "bets", {"boxes": [box]}))
    await house.does("/v1/tables/s1/limits", "ana", {"maximum": 90_00, "reason": "Friday"})
    said = {"hands": [{"box": 1, "cards": ["9c", "9d", "4h", "6s", "2c"], "decision": "fold"}], "final": True}
    done = answered(await put(house, "s1", "hands", said))
    assert sorted(one["stake"] for one in done["settlement"]) == [30_00, 50_00]
    assert (await house.told("/v1/tables/s1/rounds/1"))["limits"]["maximum"] == 50_00
    answered(await put(house, "s1", "bets", {"boxes": [box]}, round=2))
    await house.does("/v1/tables/s1/limits", "ana", {"maximum": None, "reason": "Saturday"})
    evidence = await house.told("/v1/tables/s1/rounds/1")
    assert evidence["limits"]["maximum"] == 50_00
    assert (await house.told("/v1/tables/s1/rounds/2"))["limits"]["maximum"] == 90_00
    assert (await table(house, "s1"))["maximum"] is None


async def test_a_preview_says_what_would_change_and_changes_nothing(house: House) -> None:
    preview = {"act": "limits", "id": "bj", "said": {"maximum": 100_000, "reason": "Friday"}}
    told = await house.does("/v1/pits/pit-3/previews", "ana", preview)
    (words,) = told["words"]
    limits = "limits SGD 5.00 to SGD 1,000.00 instead of SGD 5.00 to SGD 5,000.00"
    assert words == f"Table bj, from its next round on: {limits}."
    assert (await table(house, "bj"))["maximum"] == 500_000
    crossing = preview | {"said": {"minimum": 600_000, "reason": "Friday"}}
    refused(await house.post("/v1/pits/pit-3/previews", "ana", crossing), 422, "parameter_wrong")


@pytest.mark.parametrize(
    ("path", "said", "code", "field"),
    [
        ("s1/limits", {"minimum": -1}, "invalid", "minimum"),
        ("s1/limits", {"minimum": 60_00}, "parameter_wrong", "minimum"),
        ("s1/limits", {}, "parameter_wrong", "changes"),
        ("s1/limits", {"side": {"player_pair": {"maximum": 100}}}, "parameter_wrong", "side"),
        ("pp/limits", {"side": {"boom_busted": {"maximum": 100}}}, "parameter_wrong", "side.boom_busted"),
        ("s1/boxes", {"boxes": 21}, "invalid", "boxes"),
        ("s1/boxes", {"boxes": 7}, "parameter_wrong", "changes"),
        ("s1/name", {"name": "a\u202eb"}, "parameter_wrong", "name"),
    ],
)
async def test_what_cannot_be_is_refused_with_its_field(
    house: House, path: str, said: Json, code: str, field: str
) -> None:
    answer = refused(await house.post(f"/v1/tables/{path}", "sue", said | {"reason": "x"}), 422, code)
    assert answer["field"] == field


async def test_two_people_at_once_and_a_repeat(house: House) -> None:
    seen = (await table(house, "s1"))["changed"]
    for _ in range(2):
        await house.does(
            "/v1/tables/s1/limits", "ana", LIMITS | {"known": seen}, headers={"Idempotency-Key": "k"}
        )
    late = LIMITS | {"maximum": 300_000, "known": seen}
    refused(await house.post("/v1/tables/s1/limits", "sue", late), 409, "terms_changed")
    assert (await table(house, "s1"))["maximum"] == 200_000


async def test_a_supervisor_alone_changes_boxes_and_an_operator_does_not(house: House) -> None:
    body = {"boxes": 5, "reason": "another layout"}
    refused(await house.post("/v1/tables/s1/boxes", "ana", body), 403, "forbidden")
    await house.does("/v1/tables/s1/boxes", "sue", body)
    late = {"boxes": [{"box": 6, "ante": 2500}]}
    refused(await put(house, "s1", "bets", late), 422, "box_unknown")


async def test_approvals_of_a_level_need_two_people_and_are_never_none(house: House) -> None:
    body = {"approvals": {"royal_flush": 3}, "reason": "audit", "when": "next_reset"}
    await house.agree("/v1/links/main/parameters", body)
    link = (await house.told("/v1/links"))["links"][0]
    assert link["parameters"]["approvals"]["royal_flush"] == 2
    assert link["scheduled"][0]["royal_flush_approvals"] == 3
    await house.does("/v1/links/main/close", "ana", {"reason": "night"})
    await house.agree("/v1/links/main/parameters", body | {"approvals": {"straight_flush": 2}, "when": "now"})
    link = (await house.told("/v1/links"))["links"][0]
    assert link["parameters"]["approvals"] == {"straight_flush": 2, "royal_flush": 2}
    none = body | {"approvals": {"royal_flush": 0}}
    refused(await house.post("/v1/links/main/parameters", "ana", none), 422, "invalid")
