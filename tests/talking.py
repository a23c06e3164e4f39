"""A server that says what a test wants it to say, and remembers what it was told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


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


Script = Callable[[Heard], Reply | None]
"""None: the connection is cut without an answer."""


class Talking:
    def __init__(self, script: Script) -> None:
        self.script = script
        self.heard: list[Heard] = []
        self.taken: list[Heard] = []
        """What was heard and answered."""
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def said_to(self, ending: str) -> list[Any]:
        return [one.body for one in self.taken if one.path.endswith(ending)]

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
        self.heard.append(heard)
        reply = self.script(heard)
        if reply is None:
            return False
        self.taken.append(heard)
        said = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        lines = [f"{name}: {value}\r\n" for name, value in reply.headers.items()]
        writer.write(f"HTTP/1.1 {reply.status} .\r\nContent-Length: {len(said)}\r\n".encode())
        writer.write("".join([*lines, "\r\n"]).encode() + said)
        await writer.drain()
        return True


@asynccontextmanager
async def talking(script: Script) -> AsyncIterator[Talking]:
    told = Talking(script)
    server = await asyncio.start_server(told.serve, "127.0.0.1", 0)
    told.port = server.sockets[0].getsockname()[1]
    try:
        yield told
    finally:
        server.close()
