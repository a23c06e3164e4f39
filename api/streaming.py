"""Server-sent events: what displays are told as it happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

from fastapi.responses import StreamingResponse

from api.auditor import Counters
from displays.hub import Hub

KEEPALIVE = 2.0
"""Seconds after which a quiet stream says that it still lives."""
PACE = 0.1
"""Seconds between two readings on one stream: nobody sees more, and a thousand signs share one process."""
_BEGINNING = b"retry: 1000\n\n"
_ALIVE = b": alive\n\n"


def streamed(events: AsyncIterator[bytes], kind: str, counters: Counters) -> StreamingResponse:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_counted(events, kind, counters), 200, headers, "text/event-stream")


async def _counted(events: AsyncIterator[bytes], kind: str, counters: Counters) -> AsyncIterator[bytes]:
    counters.streams[kind] += 1
    try:
        async for event in events:
            yield event
    finally:
        counters.streams[kind] -= 1


async def meter_events(hub: Hub, link: str, seen: str) -> AsyncIterator[bytes]:
    yield _BEGINNING
    while not hub.closing:
        shown = await hub.newer(link, seen, within=KEEPALIVE)
        if shown is None:
            return
        if shown.tag == seen:
            yield _ALIVE
            continue
        begun, seen = time.monotonic(), shown.tag
        yield shown.event
        await _pace(begun)


async def table_events(hub: Hub, table: str) -> AsyncIterator[bytes]:
    """The meter of the table's link, and the table's own view, each when it is another."""
    yield _BEGINNING
    meter = view = ""
    while not hub.closing and (told := hub.table(table)) is not None:
        shown, begun, news = hub.latest(told.link), time.monotonic(), b""
        if told.tag != view:
            view, news = told.tag, told.event
        if shown is not None and shown.tag != meter:
            meter, news = shown.tag, news + shown.event
        yield news or _ALIVE
        await _pace(begun)
        if (told, shown) == (hub.table(table), hub.latest(told.link)):
            await hub.changed(told.link, within=KEEPALIVE)


async def _pace(begun: float) -> None:
    await asyncio.sleep(max(0.0, begun + PACE - time.monotonic()))
