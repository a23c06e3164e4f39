"""A service that says what a test wants it to say, and remembers what it was told.

In this process and in the loop's own time, or behind a real socket.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

WAY = 0.001
"""Seconds from the client to the service in this process, and as many back."""


@dataclass(frozen=True)
class Heard:
    method: str
    path: str
    body: Any
    token: str


@dataclass(frozen=True)
class Reply:
    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0.0
    """Seconds that the service takes; `NEVER` if it does not answer and does not cut the line either."""

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


NEVER = math.inf
Script = Callable[[Heard], Reply | None]
"""None: the connection is cut without an answer."""


class Talking(httpx.AsyncBaseTransport):
    """In this process: a client is given it as its transport."""

    def __init__(self, script: Script) -> None:
        self.script, self.url = script, "http://service.test"
        self.heard: list[Heard] = []
        self.taken: list[Heard] = []
        """What was heard and answered."""

    def said_to(self, ending: str) -> list[Any]:
        return [one.body for one in self.taken if one.path.endswith(ending)]

    async def reply(self, heard: Heard) -> Reply | None:
        self.heard.append(heard)
        reply = self.script(heard)
        if reply is not None and reply.after == NEVER:
            await asyncio.Event().wait()
        if reply is not None:
            await asyncio.sleep(reply.after)
            self.taken.append(heard)
        return reply

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        content, token = await request.aread(), request.headers.get("Authorization", "")
        await asyncio.sleep(WAY)
        reply = await self.reply(Heard(request.method, request.url.path, json.loads(content), token))
        await asyncio.sleep(WAY)
        if reply is None:
            raise httpx.RemoteProtocolError("the line was cut", request=request)
        return httpx.Response(reply.status, headers=reply.headers, content=reply.content)


class Listening(Talking):
    """The same behind a real socket."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, path, _ = head.split(" ", 2)
        headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in head.split("\r\n"))
        }
        content = await reader.readexactly(int(headers.get("content-length", "0")))
        heard = Heard(method, path, json.loads(content or b"null"), headers.get("authorization", ""))
        reply = await self.reply(heard)
        if reply is None:
            return False
        lines = [f"{name}: {value}\r\n" for name, value in reply.headers.items()]
        writer.write(f"HTTP/1.1 {reply.status} .\r\nContent-Length: {len(reply.content)}\r\n".encode())
        writer.write("".join([*lines, "\r\n"]).encode() + reply.content)
        await writer.drain()
        return True


@asynccontextmanager
async def listening(script: Script) -> AsyncIterator[Listening]:
    service = Listening(script)
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield service
    finally:
        server.close()
