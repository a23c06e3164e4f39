"""Server-sent events: what displays are told as it happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from api.callers.identity import Caller
from api.http.places import address_of
from api.routing.auth import ASKED_AGAIN_EVERY, is_still
from api.service import service_of
from displays.hub.hub import Hub

KEEPALIVE = 2.0
"""Seconds after which a quiet stream says that it still lives."""
PACE = 0.1
"""Seconds between two readings on one stream: nobody sees more, and a thousand signs share one process."""
BEGINNING = b"retry: 1000\n\n"
ALIVE = b": alive\n\n"


class Stream(StreamingResponse):
    """Events for as long as whoever opened it may read them; everybody, if it is nobody's in particular."""

    def __init__(
        self, request: Request, caller: Caller | None, kind: str, events: AsyncGenerator[bytes]
    ) -> None:
        self._service, self._kind = service_of(request.app), kind
        self._request, self._caller = request, caller
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(self._allowed(events), 200, headers, "text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        open_now = self._service.counters.streams
        with self._service.streams.taken(address_of(scope)):
            open_now[self._kind] += 1
            try:
                await super().__call__(scope, receive, send)
            finally:
                open_now[self._kind] -= 1

    async def _allowed(self, events: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
        asked = time.monotonic()
        async with aclosing(events):
            async for event in events:
                if time.monotonic() - asked >= ASKED_AGAIN_EVERY:
                    if self._caller and not await is_still(self._service, self._request, self._caller):
                        return
                    asked = time.monotonic()
                yield event


async def meter_events(hub: Hub, link: str, seen: str) -> AsyncGenerator[bytes]:
    yield BEGINNING
    while not hub.closing:
        shown = await hub.newer(link, seen, within=KEEPALIVE)
        if shown is None:
            return
        if shown.key == seen:
            yield ALIVE
            continue
        begun, seen = time.monotonic(), shown.key
        yield shown.event
        await _pace(begun)


async def table_events(hub: Hub, table: str) -> AsyncGenerator[bytes]:
    """The meter of the table's link, and the table's own view, each when it is another."""
    yield BEGINNING
    meter = view = ""
    while not hub.closing and (told := hub.table(table)) is not None:
        shown, begun, news = hub.latest(told.link), time.monotonic(), b""
        if told.tag != view:
            view, news = told.tag, told.event
        if shown is not None and shown.key != meter:
            meter, news = shown.key, news + shown.event
        yield news or ALIVE
        await _pace(begun)
        if (told, shown) == (hub.table(table), hub.latest(told.link)):
            await hub.changed(told.link, within=KEEPALIVE)


async def _pace(begun: float) -> None:
    await asyncio.sleep(max(0.0, begun + PACE - time.monotonic()))
