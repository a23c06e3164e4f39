"""The service in this process: the real application on a real store, spoken to over ASGI."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from api.app import create_app, serving
from api.service import Service
from api.settings import Settings
from jackpot.book.beside.identities import hashed
from jackpot.book.stores.schema import audit
from jackpot.book.stores.tasks import end
from jackpot.core.instants import spoken_instant
from tests.service import HASHED_PASSWORD, costly_password
from tests.waiting import eventually

LINK = """
[[link]]
id = "main"
name = "Multi-Link Progressive"
currency = "SGD"
seed = 5000000
progressive_bet = 500
meter_ppm = 400000
reserve_ppm = 50000
"""
TABLES = "".join(
    f'[[table]]\nid = "{name}"\nlink = "main"\ngame = "casino_stud"\nboxes = 7\n'
    for name in ("stud-01", "stud-02")
)


def credential(name: str, role: str, **more: str) -> str:
    """Its token is its name, doubled."""
    lines = {"name": name, "role": role, "token_sha256": hashed(token(name))} | more
    return "[[credential]]\n" + "".join(f'{key} = "{value}"\n' for key, value in lines.items())


def token(name: str) -> str:
    return f"{name} {name}".replace(" ", "-")


def people() -> str:
    """Their password costs next to nothing to try; where that matters, `with_costly_passwords`."""
    roles = {"otto": "operator", "sue": "supervisor", "ada": "auditor"}
    return "".join(credential(name, role, password_hash=HASHED_PASSWORD) for name, role in roles.items())


def with_costly_passwords() -> str:
    """The floor, with passwords as `jackpot password` hashes them."""
    return floor_text().replace(HASHED_PASSWORD, costly_password())


def machines() -> str:
    tables = "".join(credential(name, "table", table=name) for name in ("stud-01", "stud-02"))
    return tables + credential("sign-1", "sign") + credential("sign-other", "sign")


def floor_text() -> str:
    return LINK + TABLES + machines() + people()


def bearer(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token(name)}"}


def now() -> str:
    return spoken_instant(time.time_ns() // 1000)


def bets(*boxes: int) -> dict[str, Any]:
    at = now()
    several = [{"box": box, "ante": 2500, "progressive": 500} for box in boxes or (1,)]
    return {"sent_at": at, "closed_at": at, "boxes": several}


@dataclass
class House:
    service: Service
    client: httpx.AsyncClient

    async def say(self, method: str, path: str, who: str | None = None, **more: Any) -> httpx.Response:
        headers = (bearer(who) if who else {}) | more.pop("headers", {})
        return await self.client.request(method, path, headers=headers, **more)

    async def close_bets(self, table: str, round: int, *boxes: int) -> httpx.Response:
        return await self.say("PUT", f"/v1/tables/{table}/rounds/{round}/bets", table, json=bets(*boxes))

    async def rest(self) -> None:
        """From now on the book is asked for what somebody wants to know, and for nothing else; a hub that
        looks by itself is its test's to stop."""
        await self.service.identity.stop()
        await self.service.check.stop()
        await self.service.rollups.stop()
        await self.service.deliveries.stop()
        await self.service.alert_watch.stop()
        if self.service.suspicions is not None:
            await self.service.suspicions.stop()
        await end(*self.service.book._upkeep)

    async def acts(self, **like: str) -> list[Any]:
        """The audit's rows that are like this, once everything noted so far is durable."""
        await self.service.notes._flush()
        async with self.service.book.store.reading() as connection:
            rows = (await connection.execute(select(audit).order_by(audit.c.at, audit.c.id))).all()
        return [row for row in rows if all(getattr(row, key) == value for key, value in like.items())]


@asynccontextmanager
async def house(
    url: str, folder: Path, text: str | None = None, *, catching: bool = False, **settings: Any
) -> AsyncIterator[House]:
    file = folder / "floor.toml"
    file.write_text(text or floor_text())
    async with serving(Settings(floor=file, database_url=url, **settings)) as service:
        transport = httpx.ASGITransport(create_app(service), raise_app_exceptions=not catching)
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as client:
            yield House(service, client)


class Stream:
    """An event stream straight from the application: httpx's transport collects them."""

    def __init__(self, at: House, path: str, client: str, headers: dict[str, str]) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self._told: asyncio.Queue[bytes] = asyncio.Queue()
        transport: Any = at.client._transport
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "scheme": "http",
            "server": ("house.test", 80),
            "client": (client, 1),
        }
        self.task: asyncio.Task[None] = asyncio.create_task(transport.app(scope, self._receive, self._send))

    async def _receive(self) -> Any:
        await asyncio.sleep(3600)

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            await self._told.put(message.get("body", b""))

    async def chunk(self) -> str:
        """The next one; empty at the end."""
        return (await asyncio.wait_for(self._told.get(), 60)).decode()

    async def event(self) -> list[str] | None:
        """The lines of the next event that says something; None at the end."""
        while chunk := await self.chunk():
            if chunk.startswith("event: "):
                return chunk.splitlines()
        return None

    async def ended(self) -> None:
        while await self.event() is not None:
            pass


@asynccontextmanager
async def streaming(
    at: House, path: str, *, client: str = "127.0.0.1", **headers: str
) -> AsyncIterator[Stream]:
    stream = Stream(at, path, client, headers)
    try:
        yield stream
    finally:
        await end(stream.task)


async def held(at: House, request: asyncio.Task[Any]) -> None:
    """Until the request waits for news of the link, and not because nobody has looked at it yet."""

    async def waits() -> bool:
        changed: Any = at.service.hub._channels["main"].changed
        return request.done() or bool(changed._waiters)

    await eventually(waits)
    assert not request.done()
