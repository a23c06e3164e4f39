"""A gateway: the tables of one site speak to the service over one connection, many in a message.

Each table keeps its own client, with its own spool, clock and fallback; it is given a `line()` of the gateway
in place of a connection. What tables say while a message is under way goes together into the next.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import msgspec
from msgspec import Struct

from jackpot.client.transport import PROBLEM, trusted

AT_ONCE = 500
"""Events in one message."""
PATIENCE = 2.0
"""Seconds for one message. The tables' clients have patience of their own, and try again."""
_SPOKEN = re.compile(
    r"/v1/tables/(?P<table>[^/]+)/(?:rounds/(?P<round>[0-9]+)/(?P<kind>bets|hands|void)|heartbeat)"
)


class _Answer(Struct):
    status: int
    answer: msgspec.Raw = msgspec.Raw(b"null")
    problem: msgspec.Raw = msgspec.Raw(b"null")


class _Answers(Struct):
    answers: list[_Answer]


@dataclass(frozen=True, slots=True)
class _Said:
    event: bytes
    answered: asyncio.Future[httpx.Response]


class Gateway:
    """`async with Gateway(url, "marina", token) as gateway:`, and each table's client gets
    `transport=gateway.line()`."""

    def __init__(
        self,
        url: str,
        site: str,
        token: str,
        *,
        ca: Path | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._path = f"/v1/sites/{site}/events"
        self._http = httpx.AsyncClient(
            base_url=url,
            headers={"Authorization": f"Bearer {token}"},
            timeout=PATIENCE,
            trust_env=False,
            verify=trusted(ca),
            limits=httpx.Limits(max_connections=2),  # the other one is for what is replayed
            transport=transport,
        )
        self._waiting: deque[_Said] = deque()
        self._sending: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            with suppress(asyncio.CancelledError):
                await self._sending
        for one in self._waiting:
            _fail(one, httpx.ConnectError("the gateway is closed"))
        self._waiting.clear()
        await self._http.aclose()

    def line(self) -> httpx.AsyncBaseTransport:
        """What a table's client takes for its connection."""
        return _Line(self)

    async def say(self, event: bytes) -> httpx.Response:
        """Of one table, with the next message. Who stops waiting before it is sent has not said it."""
        said = _Said(event, asyncio.get_running_loop().create_future())
        self._waiting.append(said)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send(), name="gateway")
        try:
            return await said.answered
        finally:
            with suppress(ValueError):
                self._waiting.remove(said)

    async def pass_on(self, request: httpx.Request) -> httpx.Response:
        """What is not said with others: a spool that is replayed."""
        path = request.url.raw_path.decode()
        headers = {"Content-Type": request.headers.get("Content-Type", "application/json")}
        return await self._http.request(request.method, path, content=await request.aread(), headers=headers)

    async def _send(self) -> None:
        await asyncio.sleep(0)  # whoever speaks in this very moment is heard together
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), AT_ONCE))]
            try:
                answers = await self._asked(batch)
            except httpx.HTTPError as trouble:
                for one in batch:
                    _fail(one, trouble)
                continue
            except BaseException:
                for one in batch:
                    _fail(one, httpx.ReadError("the gateway is closed"))
                raise
            for one, answer in zip(batch, answers, strict=True):
                if not one.answered.done():
                    one.answered.set_result(answer)

    async def _asked(self, batch: Sequence[_Said]) -> list[httpx.Response]:
        body = b'{"events":[%b]}' % b",".join([one.event for one in batch])
        told = await self._http.post(self._path, content=body, headers={"Content-Type": "application/json"})
        if told.status_code != 200:  # the whole message was refused: each is told so
            return [_copy(told) for _ in batch]
        try:
            answers = msgspec.json.decode(told.content, type=_Answers).answers
        except msgspec.DecodeError as wrong:
            raise httpx.RemoteProtocolError(f"answered with something else: {wrong}") from wrong
        if len(answers) != len(batch):
            raise httpx.RemoteProtocolError(f"{len(batch)} events were said, {len(answers)} answered")
        return [_response(one) for one in answers]


class _Line(httpx.AsyncBaseTransport):
    """One table's way to the gateway. To close it closes nothing: others go on."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        found = _SPOKEN.fullmatch(request.url.path)
        if found is None:
            return await self._gateway.pass_on(request)
        said: dict[str, Any] = msgspec.json.decode(await request.aread(), type=dict)
        event = said | {"table": found["table"], "kind": found["kind"] or "heartbeat"}
        if found["round"] is not None:
            event["round"] = int(found["round"])
        return await self._gateway.say(msgspec.json.encode(event))


def _response(answer: _Answer) -> httpx.Response:
    wrong = answer.status >= 400
    content = answer.problem if wrong else answer.answer
    kind = PROBLEM if wrong else "application/json"
    return httpx.Response(answer.status, headers={"Content-Type": kind}, content=bytes(content))


def _copy(told: httpx.Response) -> httpx.Response:
    kept = ("Content-Type", "Retry-After")
    headers = {name: told.headers[name] for name in kept if name in told.headers}
    return httpx.Response(told.status_code, headers=headers, content=told.content)


def _fail(said: _Said, trouble: httpx.HTTPError) -> None:
    if not said.answered.done():
        said.answered.set_exception(trouble)
