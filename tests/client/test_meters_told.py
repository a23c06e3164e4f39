"""The meters that the client tells by itself: with the service in this process, without it, started anew."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from jackpot.client import (
    Bets,
    BoxBet,
    Conflict,
    CountedMeters,
    Game,
    Gateway,
    Hand,
    SyncTableClient,
    TableClient,
)
from jackpot.core.instants import spoken_instant
from tests.client.test_blackjack_client import Wire, evening, floor_of, say_bets, say_hands
from tests.client.test_blackjack_client import client as blackjack_client
from tests.in_process import House, credential, floor_text, house, token
from tests.table_player import ONE_TRY
from tests.talking import Heard, Reply, Talking
from tests.virtual_time import clocks

BETS = [Bets(box=1, ante=2500, progressive=500), Bets(box=2, ante=2500, progressive=500)]
QUADS = ("9c", "9d", "9h", "9s", "5c")
NOTHING = ("Qd", "Td", "6h", "4s", "2c")
PIT = floor_of({"bj-1": "bj", "fb-1": "fb"})


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    gateway = '[[credential]]\nname = "site-1"\nrole = "gateway"\nsite = "marina"\ntables = ["stud-02"]\n'
    text = floor_text() + gateway + f'token_sha256 = "{_hash("site-1")}"\n'
    pit = PIT.partition("[[credential]]")[0] + credential("bj-1", "table", table="bj-1")
    async with house(sqlite_url, tmp_path, text + pit + credential("fb-1", "table", table="fb-1")) as found:
        yield found


def _hash(name: str) -> str:
    return credential(name, "gateway").partition('token_sha256 = "')[2].partition('"')[0]


def client(at: House, folder: Path, table: str = "stud-01", **more: Any) -> TableClient:
    settings: dict[str, Any] = {"patience": ONE_TRY, "heartbeat_every": None, "boxes": 7} | more
    settings.setdefault("transport", Wire(at))
    spool = folder / f"{table}.spool"
    return TableClient("http://house.test", table, token(table), Game.CASINO_STUD, spool, **settings)


def line_of(table: TableClient) -> Wire:
    found = table._http._transport
    assert isinstance(found, Wire)
    return found


async def compared(at: House, table: str = "stud-01", place: str = "links/main") -> dict[str, Any]:
    told = (await at.say("GET", f"/v1/{place}/reconciliation", "ada")).json()
    return next(one for one in told["tables"] if one["table"] == table)


async def agrees(at: House, table: str = "stud-01", place: str = "links/main") -> dict[str, Any]:
    """What both have counted."""
    found = await compared(at, table, place)
    assert (found["state"], found["agreed"], found["difference"]) == ("agrees", found["round"], None)
    assert found["told"] == found["house"]
    return dict(found["house"])


async def lost(table: TableClient, number: int) -> None:
    await table.close_bets(number, BETS)
    await table.report_hands(number, [Hand(box=1, cards=NOTHING), Hand(box=2, revealed=False)], final=True)


async def test_rounds_that_end_in_every_way_are_counted_as_the_house_counts_them(
    at: House, tmp_path: Path
) -> None:
    async with client(at, tmp_path) as table:
        await table.heartbeat()
        assert (await compared(at))["state"] == "tells_none"
        await lost(table, 1)
        await table.close_bets(2, [*BETS, Bets(box=3, progressive=500)])  # without an Ante: it goes back
        await table.report_hands(2, [Hand(box=1, cards=QUADS), Hand(box=2, invalidated="5.15")], final=True)
        await table.heartbeat()
        assert await agrees(at) == {"rounds": 2, "bets": 2000, "returned": 500, "awards": 200_000}
        await table.close_bets(3, BETS)
        await table.void_round(3, "5.8.1")
        await table.close_bets(4, BETS)
        await table.report_hands(4, [Hand(box=1, cards=QUADS)])
        await table.report_hands(4, [Hand(box=1, cards=NOTHING)])  # it was misread
        await table.close_bets(6, BETS)  # which ends round 4
        await table.heartbeat()
        assert await agrees(at) == {"rounds": 4, "bets": 3000, "returned": 500, "awards": 200_000}


async def test_a_hand_invalidated_and_reported_again_is_no_bet_returned(at: House, tmp_path: Path) -> None:
    async with client(at, tmp_path) as table:
        await table.close_bets(1, BETS)
        await table.report_hands(1, [Hand(box=1, invalidated="5.15"), Hand(box=2, cards=NOTHING)])
        await table.report_hands(1, [Hand(box=1, cards=QUADS)], final=True)
        await table.heartbeat()
        assert await agrees(at) == {"rounds": 1, "bets": 1000, "returned": 0, "awards": 200_000}


async def irregular(at: House, round: int, **said: Any) -> None:
    path = f"/v1/tables/stud-01/rounds/{round}/irregularities"
    done = await at.say("POST", path, "sue", json=said)
    assert done.status_code == 201, done.text


async def test_what_the_house_undoes_is_counted_once_the_table_hears_of_it(at: House, tmp_path: Path) -> None:
    async with client(at, tmp_path) as table:
        await table.close_bets(1, BETS)
        await irregular(at, 1, paragraph="5.8.1")
        with pytest.raises(Conflict, match="round_voided"):
            await table.report_hands(1, [Hand(box=1, cards=QUADS)], final=True)
        await table.close_bets(2, BETS)
        await irregular(at, 2, paragraph="5.15", boxes=[1], reconstructed=False)
        with pytest.raises(Conflict, match="hand_invalidated"):
            await table.report_hands(2, [Hand(box=1, cards=QUADS)])
        await table.report_hands(2, [Hand(box=2, cards=NOTHING)], final=True)
        await table.heartbeat()
        assert await agrees(at) == {"rounds": 2, "bets": 1000, "returned": 500, "awards": 0}


async def test_a_controller_started_anew_goes_on_counting(at: House, tmp_path: Path) -> None:
    async with client(at, tmp_path) as table:
        await lost(table, 1)
        await table.close_bets(2, BETS)
    async with client(at, tmp_path) as table:
        assert table.counted == CountedMeters(first=1, round=1, rounds=1, bets=1000)
        await table.report_hands(2, [Hand(box=1, cards=QUADS), Hand(box=2, cards=NOTHING)], final=True)
    async with client(at, tmp_path) as table:
        await table.heartbeat()
        assert await agrees(at) == {"rounds": 2, "bets": 2000, "returned": 0, "awards": 200_000}


async def test_what_was_played_alone_agrees_once_it_was_replayed(at: House, tmp_path: Path) -> None:
    """Bets that nobody answered are void; a seen round is finished; later rounds have no progressive."""
    async with client(at, tmp_path) as table:
        await lost(table, 1)
        await table.close_bets(2, BETS)
        line_of(table).deaf = True
        told = await table.report_hands(2, [Hand(box=1, cards=QUADS), Hand(box=2, cards=NOTHING)], final=True)
        assert told.local
        await lost(table, 3)
        line_of(table).mend()
        await table.heartbeat()
        assert await agrees(at) == {"rounds": 3, "bets": 2000, "returned": 0, "awards": 200_000}
        line_of(table).mute = True
        assert (await table.close_bets(4, BETS)).state == "voided"
        line_of(table).mend()
        await table.heartbeat()
        assert await agrees(at) == {"rounds": 4, "bets": 2000, "returned": 0, "awards": 200_000}


async def test_a_controller_killed_in_the_middle_counts_what_it_finds_out(at: House, tmp_path: Path) -> None:
    """Its last message was taken, and the answer lost with the process."""
    async with client(at, tmp_path) as table:
        await table.close_bets(1, BETS)
        body: dict[str, Any] = {"hands": [], "final": True}
        hands = table._spool.put("hands", 1, table.now(), body, tried=True)
        said = body | {"sent_at": spoken_instant(hands.sent_at), "seq": 2}
        taken = await at.say("PUT", "/v1/tables/stud-01/rounds/1/hands", "stud-01", json=said)
        assert taken.status_code == 200
    async with client(at, tmp_path) as table:
        await table.heartbeat()
        assert await agrees(at) == {"rounds": 1, "bets": 1000, "returned": 0, "awards": 0}


async def test_a_new_device_says_so_and_rounds_that_nobody_told_are_asked_for(
    at: House, tmp_path: Path
) -> None:
    async with client(at, tmp_path) as table:
        await lost(table, 1)
        await table.heartbeat()
    (tmp_path / "stud-01.spool").unlink()
    async with client(at, tmp_path) as table:
        await table.heartbeat()
        assert (await agrees(at))["rounds"] == 1
        await lost(table, 2)
        await table.heartbeat()
        assert (await compared(at))["state"] == "agrees"
        await lost(table, 3)
    (tmp_path / "stud-01.spool").unlink()
    async with client(at, tmp_path) as table:
        await table.heartbeat()
        await lost(table, 4)
        await table.heartbeat()
        found = await compared(at)
        assert (found["state"], found["difference"]["where"]) == ("differs", "round 3")
        assert found["difference"]["told"] is None


async def test_it_is_said_through_a_gateway_too(at: House, tmp_path: Path) -> None:
    async with (
        Gateway("http://house.test", "marina", token("site-1"), transport=Wire(at)) as gateway,
        client(at, tmp_path, "stud-02", transport=gateway.line()) as table,
    ):
        await lost(table, 1)
        await table.heartbeat()
        assert (await agrees(at, "stud-02"))["bets"] == 1000


async def test_a_device_that_counts_by_itself_is_believed_no_more_than_another(
    at: House, tmp_path: Path
) -> None:
    shown = CountedMeters(first=1, round=1, rounds=1, bets=1500)
    async with client(at, tmp_path, meters=lambda: shown) as table:
        await lost(table, 1)
        await table.heartbeat()
        found = (await compared(at))["difference"]
        assert (found["where"], found["difference"]["bets"]) == ("round 1", 500)


async def test_meters_that_are_refused_cost_the_table_no_heartbeat(at: House, tmp_path: Path) -> None:
    shown = CountedMeters(first=1, round=9, rounds=1, bets=-5)
    async with client(at, tmp_path, meters=lambda: shown) as table:
        assert (await table.heartbeat()).table_state == "in_play"
        assert table.meters_refused is not None
        assert table.meters_refused.code == "meters_wrong"
        shown = CountedMeters(first=1, round=9, rounds=1)
        await table.heartbeat()
        assert table.meters_refused.code == "meters_ahead"
        shown = CountedMeters(first=1)
        await table.heartbeat()
        assert table.meters_refused is None


@pytest.mark.virtual_time
async def test_a_heartbeat_is_said_again_without_them_and_for_no_other_reason(tmp_path: Path) -> None:
    def answered(_heard: Heard) -> Reply:
        return Reply(409, {"code": "gap"}, {"Content-Type": "application/problem+json"})

    server = Talking(answered)
    settings: dict[str, Any] = {"heartbeat_every": None, "transport": server, "clocks": clocks()}
    settings["meters"] = lambda: CountedMeters(first=1, round=1, rounds=1)
    async with TableClient(
        server.url, "stud-01", "secret", Game.CASINO_STUD, tmp_path / "spool", **settings
    ) as table:
        with pytest.raises(Conflict):
            await table.heartbeat()
    (said,) = server.said_to("heartbeat")
    assert said["meters"] == {
        "first": 1, "round": 1, "rounds": 1, "bets": 0, "returned": 0, "awards": 0,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["bj", "fb"])
async def test_an_evening_of_blackjack_agrees_also_where_it_was_played_alone(
    at: House, tmp_path: Path, kind: str
) -> None:
    name, pit = f"{kind}-1", "pits/pit-3"
    async with blackjack_client(at, name, tmp_path) as table:
        for number, played in enumerate(evening("meters", kind, 6), 1):
            wire = table._http._transport
            assert isinstance(wire, Wire)
            wire.deaf = number in (3, 4)
            await say_bets(table, number, played.bets)
            for report in played.prefixes:
                await say_hands(table, number, report)
        await table.close_bets(7, [BoxBet(box=1, bet=2500)])
        await table.void_round(7, "5.5.1")
        await table.heartbeat()
        assert (await agrees(at, name, pit))["rounds"] == 7


async def test_bets_at_a_closed_blackjack_table_are_returned_on_both_sides(at: House, tmp_path: Path) -> None:
    done = await at.say("POST", "/v1/tables/bj-1/close", "sue", json={"reason": "shoe"})
    assert done.status_code == 200
    async with blackjack_client(at, "bj-1", tmp_path) as table:
        await table.close_bets(1, [BoxBet(box=1, bet=2500)])
        await table.close_bets(2, [BoxBet(box=1, bet=2500)])
        await table.heartbeat()
        found = await agrees(at, "bj-1", "pits/pit-3")
        assert found == {"rounds": 1, "bets": 2500, "returned": 2500, "awards": 0}


def test_the_client_without_asyncio_tells_what_it_has_counted(tmp_path: Path) -> None:
    def answered(heard: Heard) -> Reply:
        kind, common = heard.path.rsplit("/", 1)[1], {"replied_at": "2026-01-01T00:00:00Z"}
        if kind == "bets":
            accepted = [{"box": 1, "progressive": 500}]
            return Reply(
                200, common | {"table": "s", "round": 1, "state": "bets_closed", "accepted": accepted}
            )
        return Reply(200, common | {"state": "settled", "results": []})

    server = Talking(answered)
    with SyncTableClient(
        server.url, "s", "secret", Game.CASINO_STUD, tmp_path / "s", heartbeat_every=None, transport=server
    ) as table:
        table.close_bets(1, [Bets(box=1, ante=2500, progressive=500)])
        table.report_hands(1, [], final=True)
        assert table.counted == CountedMeters(first=1, round=1, rounds=1, bets=500)
        assert table.meters_refused is None
