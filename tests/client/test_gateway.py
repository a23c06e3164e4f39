"""The tables of a site behind one gateway: each with its own client, all over one connection."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from jackpot.client import Bets, Gateway, Hand, NotAllowed
from jackpot.client.gateway import AT_ONCE
from tests import guide
from tests.callers import Floor, done
from tests.service import GATEWAY, SITE, tables_of, token_of
from tests.table_player import TablePlayer, client_of

BETS = [Bets(box=1, ante=2500, progressive=500)]


class Counted(httpx.AsyncBaseTransport):
    """The way to the service; it counts what goes there, and can be cut."""

    def __init__(self) -> None:
        self._through = httpx.AsyncHTTPTransport()
        self.messages: list[int] = []
        """The events in each."""
        self.cut = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self.cut:
            raise httpx.ConnectError("cut")
        if request.url.path.startswith("/v1/sites/"):
            self.messages.append(len(msgspec.json.decode(await request.aread())["events"]))
        return await self._through.handle_async_request(request)

    async def aclose(self) -> None:
        await self._through.aclose()


def gateway_of(floor: Floor, way: httpx.AsyncBaseTransport | None = None) -> Gateway:
    return Gateway(floor.service.base, SITE, token_of(GATEWAY), transport=way)


async def test_tables_that_play_through_a_gateway_play_as_by_themselves(floor: Floor, tmp_path: Path) -> None:
    tables, way = tables_of(floor.link), Counted()
    async with gateway_of(floor, way) as gateway:
        clients = [client_of(floor.service.base, one, tmp_path, transport=gateway.line()) for one in tables]
        players = [
            TablePlayer(client, table, Random(table)) for client, table in zip(clients, tables, strict=True)
        ]
        for client in clients:
            await client.__aenter__()
        await asyncio.gather(*(player.play(rounds=4) for player in players))
        for client in clients:
            await client.__aexit__(None, None, None)
    assert all(player.local == 0 and player.served >= 8 for player in players)
    assert max(way.messages) > 1, "none were said together"
    for table in tables:
        evidence = done(floor.service.get(f"/v1/tables/{table}/rounds/4", "ana"))
        assert evidence["state"] == "settled"


async def test_the_guides_gateway_works_as_it_is_written(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Word for word but for its last line, which starts a loop."""
    text, start, _ = guide.GATEWAY.rpartition("\nasyncio.run(")
    assert start
    program: dict[str, Any] = {}
    exec(text, program)  # noqa: S102  our own guide
    monkeypatch.chdir(tmp_path)
    tables = [one for one in tables_of(floor.link) if "stud" in one]
    await program["main"](floor.service.base, SITE, token_of(GATEWAY), *tables)
    told = capsys.readouterr().out
    assert all(f"{name}: bets_closed, the meter shows 5000" in told for name in tables)


async def test_what_is_refused_is_refused_as_without_a_gateway(floor: Floor, tmp_path: Path) -> None:
    async with gateway_of(floor) as gateway:
        client = client_of(floor.service.base, floor.stud.table, tmp_path, transport=gateway.line())
        async with client as table:
            with pytest.raises(Exception, match="box_unknown") as refusal:
                await table.close_bets(1, [Bets(box=9, ante=2500, progressive=500)])
            assert getattr(refusal.value, "field", None) == "boxes[0].box"
            assert (await table.close_bets(1, BETS)).accepted[0].progressive == 500


async def test_a_table_that_the_gateway_may_not_speak_for_is_told_so(floor: Floor, tmp_path: Path) -> None:
    async with gateway_of(floor) as gateway:
        client = client_of(
            floor.service.base, "elsewhere-stud", tmp_path, transport=gateway.line(), heartbeat_every=None
        )
        async with client as table:
            with pytest.raises(NotAllowed, match="other_table"):
                await table.close_bets(1, BETS)


async def test_an_outage_is_each_tables_own_and_is_replayed_through_the_gateway(
    floor: Floor, tmp_path: Path
) -> None:
    way = Counted()
    async with gateway_of(floor, way) as gateway:
        line = gateway.line()
        name = floor.stud.table
        async with client_of(
            floor.service.base, name, tmp_path, transport=line, heartbeat_every=None
        ) as table:
            await table.close_bets(1, BETS)
            way.cut = True
            told = await table.report_hands(
                1, [Hand(box=1, cards=("2c", "4d", "6h", "8s", "Tc"), dealt_at=table.now())], final=True
            )
            assert told.local
            way.cut = False
            await table.heartbeat()
    evidence = done(floor.service.get(f"/v1/tables/{name}/rounds/1", "ana"))
    assert evidence["state"] == "settled"


async def test_without_its_gateway_a_table_is_alone(floor: Floor, tmp_path: Path) -> None:
    gateway = gateway_of(floor)
    async with client_of(
        floor.service.base, floor.stud.table, tmp_path, transport=gateway.line(), heartbeat_every=None
    ) as table:
        await table.close_bets(1, BETS)
        await gateway.close()
        assert (await table.void_round(1, "5.8.1")).local


async def test_more_than_fits_in_one_message_goes_in_several() -> None:
    async def answered(request: httpx.Request) -> httpx.Response:
        events = msgspec.json.decode(await request.aread())["events"]
        sizes.append(len(events))
        told = [{"table": one["table"], "status": 200, "answer": {"n": one["n"]}} for one in events]
        return httpx.Response(200, json={"answers": told})

    sizes: list[int] = []
    async with Gateway("http://house", SITE, "t", transport=httpx.MockTransport(answered)) as gateway:
        events = [msgspec.json.encode({"table": "t", "n": number}) for number in range(AT_ONCE + 1)]
        told = await asyncio.gather(*(gateway.say(one) for one in events))
    assert [one.json()["n"] for one in told] == list(range(AT_ONCE + 1))
    assert sizes == [AT_ONCE, 1]


@pytest.mark.parametrize("answer", [b"", b"[]", b'{"answers":[]}', b'{"answers":[{"status":"x"}]}'])
async def test_what_is_no_answer_is_trouble_for_all_who_spoke(answer: bytes) -> None:
    way = httpx.MockTransport(lambda _: httpx.Response(200, content=answer))
    async with Gateway("http://house", SITE, "t", transport=way) as gateway:
        with pytest.raises(httpx.RemoteProtocolError):
            await gateway.say(b'{"table":"t"}')


async def test_a_message_that_is_refused_whole_is_a_refusal_for_each() -> None:
    problem = {"code": "unavailable", "status": 503}
    way = httpx.MockTransport(lambda _: httpx.Response(503, json=problem, headers={"Retry-After": "1"}))
    async with Gateway("http://house", SITE, "t", transport=way) as gateway:
        told = await asyncio.gather(*(gateway.say(b'{"table":"t"}') for _ in range(3)))
    assert [(one.status_code, one.headers["Retry-After"]) for one in told] == [(503, "1")] * 3
