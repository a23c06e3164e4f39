"""Tables that go to another link or pit while they run: both journals, all messages, every answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from jackpot.book.checking.whole_book import Verified, Wanted, planned, verified
from jackpot.book.reading.pages import current_link
from jackpot.core.instants import spoken_instant
from tests.house import ROYAL, House, Json, a_house, answered, put, refused

MOVE = {"to": "other", "reason": "the big game"}
BOX = {"box": 1, "ante": 2500, "progressive": 500}
NINES = "9c 9d 4h 6s 2c"


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path, maximum=50_00) as found:
        yield found


async def tables(house: House, place: str) -> dict[str, Json]:
    kind = "pits" if place.startswith("pit") else "links"
    told: list[Json] = (await house.told(f"/v1/{kind}/{place}/tables"))["tables"]
    return {one["id"]: one for one in told}


async def plays(house: House, table: str, number: int, *, final: bool = True) -> Json:
    answered(await put(house, table, "bets", {"boxes": [BOX]}, round=number))
    return answered(await put(house, table, "hands", hands(final=final), round=number))


def hands(cards: str = NINES, *, final: bool = True) -> Json:
    return {"hands": [{"box": 1, "cards": cards.split(), "folded": True}], "final": final}


async def beat(house: House, table: str) -> httpx.Response:
    body = {"sent_at": spoken_instant(house.floor.clock.time)}
    house.floor.wait(0.01)
    return await house.post(f"/v1/tables/{table}/heartbeat", table, body)


async def meter(house: House, link: str) -> int:
    return int((await house.told(f"/v1/links/{link}/meter"))["value"])


async def test_a_moved_table_plays_on_for_the_other_jackpot_with_its_terms_and_token(house: House) -> None:
    await plays(house, "s1", 1)
    main, other = await meter(house, "main"), await meter(house, "other")
    await house.does("/v1/tables/s1/move", "sue", MOVE)
    assert "s1" not in await tables(house, "main")
    there = (await tables(house, "other"))["s1"]
    assert (there["maximum"], there["boxes"], there["state"]) == (50_00, 7, "unheard")
    assert (await house.told("/v1/tables/s1/display"))["link"] == "other"
    assert answered(await beat(house, "s1"))["table_state"] == "in_play"
    await plays(house, "s1", 2)
    assert (await meter(house, "main"), await meter(house, "other")) == (main, other + 200)
    refused(await put(house, "s1", "bets", {"boxes": [BOX]}, round=1), 409, "round_passed")


async def test_a_silent_table_may_be_playing_alone_and_is_moved_only_once_it_is_closed(house: House) -> None:
    """What it has promised meanwhile was promised of this jackpot (S 5.18, H 5.17)."""
    await plays(house, "s1", 1)
    house.floor.wait(11)
    assert refused(await house.post("/v1/tables/s1/move", "sue", MOVE), 409, "table_busy")["open"] == "silent"
    await house.does("/v1/tables/s1/close", "ana", {"reason": "nobody hears it"})
    await house.does("/v1/tables/s1/move", "sue", MOVE)
    assert (await tables(house, "other"))["s1"]["state"] == "closed"


async def test_what_it_played_stays_where_it_was_played(house: House) -> None:
    await plays(house, "s1", 1)
    before = await house.told("/v1/tables/s1/rounds/1")
    await house.does("/v1/tables/s1/limits", "ana", {"maximum": 70_00, "reason": "x"})
    await house.does("/v1/tables/s1/move", "sue", MOVE)
    await house.does("/v1/tables/s1/limits", "ana", {"maximum": 80_00, "reason": "x"})
    await plays(house, "s1", 2)
    after = await house.told("/v1/tables/s1/rounds/1")
    assert (after["link"], after["limits"], after["entries"]) == ("main", before["limits"], before["entries"])
    second = await house.told("/v1/tables/s1/rounds/2")
    assert (second["link"], second["limits"]["maximum"]) == ("other", 80_00)


async def test_an_answer_that_was_lost_is_given_again_after_the_move(house: House) -> None:
    """A controller that repeats what it said before it was moved hears what it was told then."""
    first = answered(await put(house, "s1", "bets", {"boxes": [BOX]}))
    told = answered(await put(house, "s1", "hands", hands()))
    await house.does("/v1/tables/s1/move", "sue", MOVE)
    again = answered(await put(house, "s1", "hands", hands()))
    assert again["results"] == told["results"]
    stamp = spoken_instant(house.floor.clock.time)
    repeated = await house.call(
        "PUT",
        "/v1/tables/s1/rounds/1/bets",
        "s1",
        json={"sent_at": stamp, "closed_at": stamp, "boxes": [BOX]},
    )
    assert repeated.status_code == 409, "other content: it was closed at another time"
    assert first["accepted"] == [{"box": 1, "progressive": 500}]
    late = refused(await put(house, "s1", "hands", hands(ROYAL)), 409, "round_elsewhere")
    assert late["place"] == "main"


async def test_a_table_that_comes_back_reports_what_it_played_here(house: House) -> None:
    await plays(house, "s1", 1)
    await house.does("/v1/tables/s1/move", "sue", MOVE)
    await house.does("/v1/tables/s1/move", "sue", {"to": "main", "reason": "back"})
    late = answered(await put(house, "s1", "hands", {"hands": [{"box": 1, "cards": ROYAL.split()}]}))
    assert late["results"]
    assert (await house.told("/v1/links/main/claims"))["claims"]
    await plays(house, "s1", 2)
    assert (await house.told("/v1/tables/s1/rounds/1"))["link"] == "main"


async def test_a_repeated_act_is_answered_as_the_first_time(house: House) -> None:
    for _ in range(2):
        await house.does("/v1/tables/s1/move", "sue", MOVE, headers={"Idempotency-Key": "k"})
    refused(await house.post("/v1/tables/s1/move", "sue", MOVE), 409, "table_there")
    refused(await house.post("/v1/tables/s1/move", "ana", MOVE), 403, "forbidden")


async def test_an_act_that_is_repeated_after_a_move_is_not_done_again(house: House) -> None:
    """Nor is a move, wherever the table has gone since."""
    limits, first = {"maximum": 70_00, "reason": "x"}, {"headers": {"Idempotency-Key": "first"}}
    moved = {"headers": {"Idempotency-Key": "moved"}}
    told = await house.does("/v1/tables/s1/limits", "sue", limits, **first)
    await house.does("/v1/tables/s1/move", "sue", MOVE, **moved)
    await house.does("/v1/tables/s1/limits", "sue", {"maximum": 80_00, "reason": "x"})
    assert (await house.does("/v1/tables/s1/limits", "sue", limits, **first)).keys() == told.keys()
    assert (await tables(house, "other"))["s1"]["maximum"] == 80_00
    other = await house.post("/v1/tables/s1/limits", "sue", limits | {"maximum": 90_00}, **first)
    refused(other, 409, "conflict")
    book = house.service.book
    async with book.store.reading() as connection:
        terms = (await current_link(book.store, connection, "other")).parameters
    await book.create("third", "Third", "SGD", terms)
    await house.does("/v1/tables/s1/move", "sue", {"to": "third", "reason": "on"})
    await house.does("/v1/tables/s1/move", "sue", MOVE, **moved)
    assert (await house.told("/v1/tables/s1/display"))["link"] == "third"


async def test_two_people_who_move_it_at_once_move_it_once(house: House) -> None:
    both = await asyncio.gather(
        house.post("/v1/tables/s1/move", "sue", MOVE), house.post("/v1/tables/s1/move", "tom", MOVE)
    )
    assert sorted(one.status_code for one in both) == [200, 409]
    assert "s1" in await tables(house, "other")


async def test_nothing_of_a_table_that_moves_may_be_open(house: House) -> None:
    await plays(house, "s1", 1, final=False)
    assert refused(await house.post("/v1/tables/s1/move", "sue", MOVE), 409, "table_busy")["open"] == "round"
    answered(await put(house, "s2", "bets", {"boxes": [BOX]}))
    answered(await put(house, "s2", "hands", hands(ROYAL)))
    assert refused(await house.post("/v1/tables/s2/move", "sue", MOVE), 409, "table_busy")["open"] == "win"
    scope = {"scope": {"table": "h1"}, "observed_at": spoken_instant(house.floor.clock.time), "then": "close"}
    await house.does("/v1/malfunctions", "sue", scope)
    found = refused(await house.post("/v1/tables/h1/move", "sue", MOVE), 409, "table_busy")
    assert found["open"] == "malfunction"


@pytest.mark.parametrize(
    ("table", "to", "status", "code"),
    [
        ("s1", "main", 409, "table_there"),
        ("s1", "nowhere", 404, "link_unknown"),
        ("s1", "pit-3", 422, "parameter_wrong"),
        ("bj", "main", 422, "parameter_wrong"),
        ("s9", "other", 404, "table_unknown"),
        ("s1", "a/b", 422, "invalid"),
    ],
)
async def test_a_move_that_cannot_be_changes_neither_side(
    house: House, table: str, to: str, status: int, code: str
) -> None:
    before = [await tables(house, place) for place in ("main", "other", "pit-3")]
    refused(await house.post(f"/v1/tables/{table}/move", "sue", MOVE | {"to": to}), status, code)
    after = [await tables(house, place) for place in ("main", "other", "pit-3")]
    assert [one.keys() for one in after] == [one.keys() for one in before]


async def test_a_preview_tells_both_sides_and_moves_nothing(house: House) -> None:
    told = await house.does("/v1/links/main/previews", "sue", {"act": "move", "id": "s1", "said": MOVE})
    assert told["words"] == [
        "Table s1 leaves for other: the big game.",
        "Table s1 comes from main: the big game.",
    ]
    assert "s1" in await tables(house, "main")
    wrong = {"act": "move", "id": "s1", "said": MOVE | {"to": "pit-3"}}
    refused(await house.post("/v1/links/main/previews", "sue", wrong), 422, "parameter_wrong")


async def test_a_closed_table_arrives_closed(house: House) -> None:
    await house.does("/v1/tables/s1/close", "ana", {"reason": "to be moved"})
    await house.does("/v1/tables/s1/move", "sue", MOVE)
    assert (await tables(house, "other"))["s1"]["state"] == "closed"
    await house.does("/v1/tables/s1/open", "ana", {"reason": "here it is"})
    await plays(house, "s1", 1)


async def test_a_moved_table_differs_from_the_floor_file_and_stays_where_it_is(
    url: str, tmp_path: Path
) -> None:
    """In both stores; and the whole book verifies."""
    async with a_house(url, tmp_path) as house:
        await plays(house, "s1", 1)
        await house.does("/v1/tables/s1/move", "sue", MOVE)
    async with a_house(url, tmp_path) as house:
        (one,) = (await house.told("/v1/floor"))["differences"]
        assert (one["id"], one["setting"], one["file"], one["in_force"]) == ("s1", "link", "main", "other")
        await plays(house, "s1", 2)
    found = await asyncio.to_thread(verify, url)
    assert {one.link for one in found} == {"main", "other", "pit-3"}


def verify(url: str) -> list[Verified]:
    """As `jackpot verify` does."""
    plans = planned(url, Wanted())
    return list(verified(url, plans, processes=1, told=lambda _link, _count: None))


async def tells(house: House, table: str, meters: Json) -> httpx.Response:
    body = {"sent_at": spoken_instant(house.floor.clock.time), "in_play": True, "meters": meters}
    house.floor.wait(0.01)
    return await house.post(f"/v1/tables/{table}/heartbeat", table, body)


def counted(round: int) -> Json:
    """By a controller that has counted since the first round, wherever its table stood."""
    return {"round": round, "rounds": round, "bets": 500 * round, "returned": 0, "awards": 0, "first": 1}


async def compared(house: House, link: str, table: str = "s1") -> Json:
    told: list[Json] = (await house.told(f"/v1/links/{link}/reconciliation"))["tables"]
    return next(one for one in told if one["table"] == table)


@pytest.mark.parametrize("told_before", [True, False])
async def test_meters_go_on_being_compared_where_the_table_goes_to(
    house: House, *, told_before: bool
) -> None:
    for number in (1, 2):
        await plays(house, "s1", number)
        if told_before:
            answered(await tells(house, "s1", counted(number)))
    await house.does("/v1/tables/s1/move", "sue", MOVE)
    answered(await tells(house, "s1", counted(2)))
    assert (await compared(house, "other"))["state"] == "agrees"
    await plays(house, "s1", 3)
    answered(await tells(house, "s1", counted(3)))
    found = await compared(house, "other")
    assert (found["state"], found["agreed"], found["difference"]) == ("agrees", 3, None)
    await plays(house, "s1", 4)
    answered(await tells(house, "s1", counted(4) | {"bets": 1500}))
    assert (await compared(house, "other"))["difference"]["where"] == "round 4"


async def test_another_replica_finds_a_table_where_it_was_moved(postgres_url: str, tmp_path: Path) -> None:
    """It had served the table where it was, and was told nothing."""
    async with a_house(postgres_url, tmp_path) as one, a_house(postgres_url, tmp_path) as another:
        await plays(another, "s1", 1)
        answered(await beat(another, "s1"))
        await one.does("/v1/tables/s1/move", "sue", MOVE)
        answered(await beat(another, "s1"))
        await plays(another, "s1", 2)
        assert "s1" in await tables(another, "other")
        await another.does("/v1/tables/s1/limits", "ana", {"maximum": 70_00, "reason": "x"})
        await one.does("/v1/tables/s1/move", "sue", {"to": "main", "reason": "back"})
        await another.does("/v1/tables/s1/close", "ana", {"reason": "x"})
        assert (await tables(one, "main"))["s1"]["state"] == "closed"
        assert (await tables(one, "main"))["s1"]["maximum"] == 70_00
    found = await asyncio.to_thread(verify, postgres_url)
    assert len(found) == 3
