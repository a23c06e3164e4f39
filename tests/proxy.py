"""A bad network between a client and the service: it cuts, delays, repeats and swallows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random

KINDS = ("cut_before", "cut_after", "half", "slow", "late", "twice", "swallow")
"""What can befall a request: never delivered; its answer lost; its answer cut; delivered slowly; lost and
delivered long after; delivered twice; never delivered nor told so."""
LATE = 0.6


class Proxy:
    def __init__(self, target: int, rng: Random, mischief: float = 0.0) -> None:
        self._target, self._rng = target, rng
        self.mischief = mischief
        self.fate: str | None = None
        """What befalls every request from now on, whatever the dice say."""
        self.befell: Counter[str] = Counter()
        self.port = 0
        self._late: set[asyncio.Task[None]] = set()
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._carry(await _message(reader), writer):
                pass
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    def _fate(self) -> str:
        if self.fate is not None:
            return self.fate
        return self._rng.choice(KINDS) if self._rng.random() < self.mischief else "pass"

    async def _carry(self, request: bytes, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection lives on."""
        fate = self._fate()
        self.befell[fate] += 1
        if fate == "cut_before":
            return False
        if fate == "swallow":
            await asyncio.sleep(5)
            return False
        if fate == "late":
            task = asyncio.create_task(self._deliver_late(request))
            self._late.add(task)
            task.add_done_callback(self._late.discard)
            return False
        if fate == "slow":
            await asyncio.sleep(self._rng.uniform(0.05, LATE))
        answer = await self._ask(request)
        if fate == "twice":
            answer = await self._ask(request)
        if fate == "cut_after":
            return False
        cut = self._rng.randrange(len(answer)) if fate == "half" else len(answer)
        writer.write(answer[:cut])
        await writer.drain()
        return fate != "half"

    async def _ask(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._target)
        try:
            writer.write(request)
            return await _message(reader)
        finally:
            writer.close()

    async def _deliver_late(self, request: bytes) -> None:
        await asyncio.sleep(LATE)
        with suppress(OSError, asyncio.IncompleteReadError):
            await self._ask(request)

    async def finish(self) -> None:
        while self._late:
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await asyncio.sleep(0)  # a closed connection is let go in the next turn


async def _message(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return head + await reader.readexactly(length)


@asynccontextmanager
async def proxied(target: int, rng: Random, mischief: float = 0.0) -> AsyncIterator[Proxy]:
    proxy = Proxy(target, rng, mischief)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
        await proxy.finish()
    finally:
        server.close()
        await proxy.close()
