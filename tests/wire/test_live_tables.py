"""Tables are changed while they run: over HTTP, previewed, in the journal, and told to whom it concerns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from jackpot.core.instants import spoken_instant
from tests.house import House, Json, a_house, answered, put, refused
from tests.waiting import eventually

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


# Adding


STUD = {"id": "s9", "game": "casino_stud", "boxes": 5, "maximum": 90_00, "reason": "a new table"}
BLACKJACK = {"id": "b9", "game": "blackjack", "boxes": 5, "decks": 8, "reason": "a new table"}


async def test_a_table_is_added_while_the_floor_runs_and_plays_once_it_is_heard(house: House) -> None:
    for _ in range(2):
        await house.does("/v1/links/main/tables", "sue", STUD, headers={"Idempotency-Key": "k"})
    await house.does("/v1/pits/pit-3/tables", "sue", BLACKJACK)
    told = await table(house, "s9")
    assert (told["state"], told["boxes"], told["maximum"]) == ("unheard", 5, 90_00)
    await house.floor.beat("s9")
    assert (await table(house, "s9"))["state"] == "in_play"

    async def displayed() -> bool:
        return (await house.get("/v1/tables/s9/display")).status_code == 200

    await eventually(displayed)
    shown = await house.told("/v1/tables/s9/display")
    assert (shown["table_name"], shown["maximum"]) == ("s9", 90_00)
    words = (await house.does("/v1/links/main/previews", "sue", {"act": "add_table", "said": _other("s8")}))[
        "words"
    ]
    assert words == ["Table s8 is added: a new table."]


def _other(name: str, **said: object) -> Json:
    return STUD | {"id": name} | said


@pytest.mark.parametrize(
    ("path", "said", "status", "code"),
    [
        ("links/main", _other("s1"), 409, "table_already_known"),
        ("links/other", _other("s1"), 409, "table_already_known"),
        ("links/main", _other("bj"), 409, "table_already_known"),
        ("links/main", _other("a/b"), 422, "invalid"),
        ("links/main", _other("s9", boxes=0), 422, "invalid"),
        ("links/main", _other("s9", minimum=90_01), 422, "parameter_wrong"),
        ("links/main", _other("s9", game="blackjack"), 422, "invalid"),
        ("links/main", _other("s9", progressive_hand="best_of_seven"), 422, "parameter_wrong"),
        (
            "links/main",
            _other("s9", game="texas_holdem", progressive_hand="best_of_seven"),
            422,
            "unequal_odds",
        ),
        ("links/none", _other("s9"), 404, "link_unknown"),
        ("links/pit-3", _other("s9"), 404, "link_unknown"),
        ("pits/main", BLACKJACK, 404, "pit_unknown"),
        ("pits/pit-3", BLACKJACK | {"decks": 1}, 422, "parameter_wrong"),
        ("pits/pit-3", BLACKJACK | {"side": {"boom_busted": {}}}, 422, "parameter_wrong"),
        ("pits/pit-3", BLACKJACK | {"game": "casino_stud"}, 422, "invalid"),
    ],
)
async def test_a_table_that_cannot_be_is_not_added(
    house: House, path: str, said: Json, status: int, code: str
) -> None:
    refused(await house.post(f"/v1/{path}/tables", "sue", said), status, code)
    act = {"act": "add_pit_table" if "pits" in path else "add_table", "said": said}
    previewed = await house.post(f"/v1/{path}/previews", "sue", act)
    assert previewed.status_code == status, previewed.text
    refused(await house.post(f"/v1/{path}/tables", "ana", said), 403, "forbidden")


async def test_an_unequal_game_is_told_its_odds(house: House) -> None:
    said = _other("s9", game="texas_holdem", progressive_hand="best_of_seven")
    told = refused(await house.post("/v1/links/main/tables", "sue", said), 422, "unequal_odds")
    assert (told["one_in"], told["instead_of"]) == (30_940, 649_740)


# The floor file has the first word, people the last


async def differences(house: House) -> list[tuple[str, str, object, object]]:
    told = (await house.told("/v1/floor"))["differences"]
    return [(one["id"], one["setting"], one["file"], one["in_force"]) for one in told]


async def test_what_differs_from_the_floor_file_is_listed_and_stays_at_a_later_start(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with a_house(sqlite_url, tmp_path, maximum=50_00) as house:
        assert await differences(house) == []
        await house.does("/v1/tables/s1/limits", "ana", LIMITS)
        await house.does("/v1/tables/h1/name", "ana", {"name": "Lotus room", "reason": "x"})
        side = {"side": {"player_pair": {"minimum": 100, "maximum": 90_000}}, "reason": "x"}
        await house.does("/v1/tables/bj/limits", "ana", side)
        await house.does("/v1/links/main/tables", "sue", STUD)
    expected = [
        ("s1", "minimum", None, 2500),
        ("s1", "maximum", 50_00, 200_000),
        ("h1", "name", "", "Lotus room"),
        ("bj", "side.player_pair.maximum", 50_000, 90_000),
        ("s9", "table", None, "main"),
    ]
    async with a_house(sqlite_url, tmp_path, maximum=50_00) as house:
        assert await differences(house) == expected
        assert (await table(house, "s1"))["maximum"] == 200_000


async def test_a_file_that_says_otherwise_by_then_is_neither_refused_nor_applied_but_listed(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_house(sqlite_url, tmp_path, maximum=50_00) as house:
        await house.does("/v1/tables/s1/limits", "ana", {"maximum": 60_00, "reason": "x"})
    async with a_house(sqlite_url, tmp_path, maximum=60_00) as house:
        assert await differences(house) == [("s2", "maximum", 60_00, 50_00), ("h1", "maximum", 60_00, 50_00)]
        assert (await table(house, "s2"))["maximum"] == 50_00
        warned = [one.getMessage() for one in caplog.records if "what is in force stays" in one.getMessage()]
        assert len(warned) == 3
        assert [row["act"] for row in await _floor_acts(house)].count("table_changed") == 3
    caplog.clear()
    async with a_house(sqlite_url, tmp_path, maximum=60_00) as house:
        assert not [one for one in caplog.records if "what is in force stays" in one.getMessage()]
        assert len(await differences(house)) == 2


async def _floor_acts(house: House) -> list[Json]:
    acts: list[Json] = (await house.told("/v1/audit?limit=500"))["acts"]
    return [one for one in acts if one["actor"] == "floor file"]
