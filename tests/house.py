"""A House in the test's own process: the real service on a real book, and people with tokens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from api.app import create_app, serving
from api.service import Service
from api.settings import Settings
from jackpot.core.instants import spoken_instant
from tests.book_floor import BookFloor, StoryClock

Json = dict[str, Any]
PEOPLE = {"ana": "operator", "ben": "operator", "sue": "supervisor", "tom": "supervisor", "ada": "auditor"}
TABLES = {"s1": "casino_stud", "s2": "casino_stud", "h1": "texas_holdem"}
ROYAL = "Ah Kh Qh Jh 10h"
STRAIGHT_FLUSH = "9s 8s 7s 6s 5s"
SEED = 5_000_000
_LINK = """
[[link]]
id = "{id}"
name = "Multi-Link Progressive"
currency = "SGD"
seed = 5000000
progressive_bet = 500
meter_ppm = 400000
reserve_ppm = 50000
"""


_PIT = """
[[pit]]
id = "pit-3"
name = "Blackjack"
currency = "SGD"

[[table]]
id = "bj"
pit = "pit-3"
game = "blackjack"
boxes = 7
decks = 8
minimum = 500
maximum = 500000
side = { player_pair = { minimum = 100, maximum = 50000 } }

[[table]]
id = "pp"
pit = "pit-3"
game = "blackjack_perfect_pairs"
boxes = 7
decks = 6
minimum = 2500
maximum = 50000

[[table]]
id = "fb"
pit = "pit-3"
game = "free_bet_blackjack"
boxes = 6
decks = 8
side = { boom_busted = { maximum = 1000 } }
"""
PIT_TABLES = ("bj", "pp", "fb")


def floor_file(maximum: int | None = None) -> str:
    limit = "" if maximum is None else f"maximum = {maximum}\n"
    links = [_LINK.format(id=name) for name in ("main", "other")]
    tables = [
        f'[[table]]\nid = "{name}"\nlink = "main"\ngame = "{game}"\nboxes = 7\n{limit}'
        for name, game in TABLES.items()
    ]
    people = [f'[[credential]]\nname = "{n}"\nrole = "{role}"\ntoken = "{n}"\n' for n, role in PEOPLE.items()]
    people += [
        f'[[credential]]\nname = "{name}"\nrole = "table"\ntable = "{name}"\ntoken = "{name}"\n'
        for name in (*TABLES, *PIT_TABLES)
    ]
    people += ['[[credential]]\nname = "sign-1"\nrole = "sign"\ntoken = "sign-1"\n']
    return "\n".join([*links, *tables, _PIT, *people])


class House:
    """`floor` plays; `get` and `post` are what people do."""

    def __init__(self, service: Service, floor: BookFloor, client: httpx.AsyncClient) -> None:
        self.service, self.floor, self._client = service, floor, client

    async def call(self, method: str, path: str, by: str | None, **more: Any) -> httpx.Response:
        headers = dict(more.pop("headers", {}))
        if by is not None:
            headers["Authorization"] = f"Bearer {by}"
        return await self._client.request(method, path, headers=headers, **more)

    async def get(self, path: str, by: str | None = "ada", **more: Any) -> httpx.Response:
        return await self.call("GET", path, by, **more)

    async def post(self, path: str, by: str | None, said: Json | None = None, **more: Any) -> httpx.Response:
        return await self.call("POST", path, by, json=said or {}, **more)

    async def told(self, path: str, by: str = "ada", **more: Any) -> Json:
        return answered(await self.get(path, by, **more))

    async def does(self, path: str, by: str, said: Json | None = None, **more: Any) -> Json:
        return answered(await self.post(path, by, said, **more))

    async def agree(self, path: str, said: Json, *, by: str = "ana", and_by: str = "sue") -> Json:
        """One person proposes, another confirms."""
        proposal = (await self.does(path, by, said))["proposal"]
        return await self.does(f"/v1/proposals/{proposal}/confirm", and_by)

    async def win(self, id: str) -> Json:
        listed: list[Json] = (await self.told("/v1/links/main/wins"))["wins"]
        return next(one for one in listed if one["id"] == id)

    async def approve(self, win: str, *people: str) -> None:
        for person in people:
            await self.does(f"/v1/links/main/wins/{win}/approve", person, {"note": "seen"})

    async def paid(self, table: str, cards: str) -> str:
        win = await self.floor.wins_major(table, cards)
        await self.approve(win, "ana", "ben") if cards == ROYAL else await self.approve(win, "ana")
        self.floor.wait(1)
        assert (await self.win(win))["state"] == "paid"
        return win


async def put(house: House, table: str, what: str, body: Json, *, round: int = 1) -> httpx.Response:
    """What a table says of its first round, or of another, at the story's time."""
    stamp = spoken_instant(house.floor.clock.time)
    body = {"sent_at": stamp} | ({"closed_at": stamp} if what == "bets" else {}) | body
    house.floor.wait(0.01)
    method = "POST" if what == "void" else "PUT"
    return await house.call(method, f"/v1/tables/{table}/rounds/{round}/{what}", table, json=body)


def answered(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201, 202), f"{response.status_code}: {response.text[:600]}"
    return dict(response.json())


def refused(response: httpx.Response, status: int, code: str) -> Json:
    assert (response.status_code, response.json().get("code")) == (status, code), response.text[:600]
    assert response.headers["content-type"] == "application/problem+json"
    return dict(response.json())


@asynccontextmanager
async def a_house(
    url: str, folder: Path, *, maximum: int | None = None, **settings: Any
) -> AsyncIterator[House]:
    file = folder / "floor.toml"
    file.write_text(floor_file(maximum))
    async with serving(Settings(floor=file, database_url=url, demo=True, **settings)) as service:
        floor = BookFloor(url, service.book, StoryClock(service.book.clock.now()))
        floor._set_clock()
        for table in TABLES:
            if await service.link_of(table) == "main":
                await floor.beat(table)
        transport = httpx.ASGITransport(create_app(service), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            yield House(service, floor, client)
