"""A bad network: between a client and the service it cuts, delays, repeats and swallows; between the service
and its store it is lost without a word."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random

KINDS = ("cut_before", "cut_after", "half", "slow", "late", "twice", "swallow")
"""What can befall a request: never delivered; its answer lost; its answer cut; delivered slowly; lost and
delivered after later ones; delivered twice; never delivered nor told so."""
CUTS = [kind for kind in KINDS if kind != "swallow"]
"""What ends by itself, whatever patience a client has."""
UNDISTURBED = ("pass",)


class Proxy:
    def __init__(self, target: int, rng: Random, fates: Sequence[str] = UNDISTURBED) -> None:
        self._target, self._rng = target, rng
        self._fates, self._dealt = fates, list[str]()
        self.fate: str | None = None
        """What befalls every request from now on, whatever is dealt."""
        self.befell: Counter[str] = Counter()
        self.port = 0
        self._late: list[tuple[int, bytes]] = []
        """Each with how many requests must have been carried before it."""
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
            while await self._carry(await _message(reader), reader, writer):
                await self._deliver_late(self.befell.total())
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    def _fate(self) -> str:
        """As from a deck that is shuffled when it is used up, so that each comes as often as it should."""
        if self.fate is not None:
            return self.fate
        if not self._dealt:
            self._dealt = self._rng.sample(self._fates, len(self._fates))
        return self._dealt.pop()

    async def _carry(
        self, request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether the connection lives on."""
        fate = self._fate()
        self.befell[fate] += 1
        if fate == "cut_before":
            return False
        if fate == "swallow":
            await reader.read()  # until the client hangs up
            return False
        if fate == "late":
            self._late.append((self.befell.total() + self._rng.randrange(1, 4), request))
            return False
        if fate == "slow":
            await asyncio.sleep(self._rng.uniform(0.05, 0.2))
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

    async def _deliver_late(self, carried: float) -> None:
        due = [one for one in self._late if one[0] <= carried]
        self._late = [one for one in self._late if one not in due]
        for _, request in due:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._ask(request)

    async def finish(self) -> None:
        await self._deliver_late(math.inf)

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
async def proxied(target: int, rng: Random, fates: Sequence[str] = UNDISTURBED) -> AsyncIterator[Proxy]:
    proxy = Proxy(target, rng, fates)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
        await proxy.finish()
    finally:
        server.close()
        await proxy.close()


class Lossy:
    """Bytes to a server and back, whatever they say. While the way is lost nothing passes, not even that
    somebody has hung up; what was said meanwhile arrives once it is found again."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._passes = asyncio.Event()
        self._passes.set()
        self._carrying: set[asyncio.Task[None]] = set()
        self.port = 0
        self._word: bytes | None = None
        self._said = asyncio.Event()

    def lose(self) -> None:
        self._passes.clear()

    async def lose_at(self, word: bytes, meant: Callable[[], Awaitable[object]]) -> None:
        """When the server says this word, before it is heard; unless another one was meant."""
        while True:
            self._said.clear()
            self._word = word
            await self._said.wait()
            if await meant():
                return
            self.find()

    def find(self) -> None:
        self._passes.set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._passes.wait()
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.close()
            return
        for way in (self._carry(reader, back), self._carry(there, writer, heard=True)):
            task = asyncio.create_task(way)
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, heard: bool = False
    ) -> None:
        said = b"?"
        try:
            while said:
                said = await reader.read(65536)
                if heard and self._word is not None and self._word in said:
                    self._word = None
                    self.lose()
                    self._said.set()
                await self._passes.wait()
                writer.write(said)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def close(self) -> None:
        self.find()
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)
        await asyncio.sleep(0)


@asynccontextmanager
async def lossy(target: int) -> AsyncIterator[Lossy]:
    way = Lossy(target)
    server = await asyncio.start_server(way.accept, "127.0.0.1", 0)
    way.port = server.sockets[0].getsockname()[1]
    try:
        yield way
    finally:
        server.close()
        await way.close()
