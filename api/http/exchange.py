"""One request and its answer, as an ASGI application takes the one and gives the other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from time import time
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Scope

from api.http.errors import BodyTimeout

if TYPE_CHECKING:
    from api.http.connection import Connection

_STATUS = {one.value: f"HTTP/1.1 {one.value} {one.phrase}\r\n".encode() for one in HTTPStatus}
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_CLOSE, _CHUNKED = b"connection: close\r\n", b"transfer-encoding: chunked\r\n"
_WITHOUT_BODY = frozenset({204, 304})
Headers = Iterable[tuple[bytes, bytes]]
_log = logging.getLogger(__name__)


class Exchange:
    """What arrives is put into it by its connection, which hears when the answer is complete."""

    __slots__ = (
        "_app", "_asks_first", "_begun", "_bell", "_body", "_chunked", "_connection", "_task", "_told_all",
        "answered", "complete", "keep_alive", "late", "lost", "scope", "since",
    )  # fmt: skip

    def __init__(
        self, connection: Connection, app: ASGIApp, scope: Scope, *, keep_alive: bool, asks_first: bool
    ) -> None:
        self._connection, self._app, self.scope = connection, app, scope
        self.keep_alive = keep_alive
        """Whether the connection may be used again."""
        self._asks_first = asks_first
        """The caller waits to be told to go on, before he sends the body."""
        self._body: list[bytes] = []
        self._told_all = False
        self.complete = False
        """All of the request has arrived."""
        self.lost = False
        """The rest of the request will never arrive, or nobody will read the answer."""
        self.late: float | None = None
        """Seconds that its body has had, if that was too much."""
        self.since = 0.0
        """When somebody began to wait for it."""
        self.answered = False
        self._begun: Message | None = None
        self._chunked = False
        self._bell: asyncio.Event | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        self.since = loop.time()
        self._task = loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            await self._app(self.scope, self.receive, self.send)
        except Exception:  # it has told the caller by itself, if that could still be done
            _log.exception("the application failed")
        finally:
            if not self.answered:
                self._connection.cut()

    # The request

    @property
    def waiting(self) -> int:
        """Bytes that have arrived and nobody has taken."""
        return sum(map(len, self._body))

    def take(self, part: bytes) -> None:
        if not self.answered:  # what is left of a request that was answered is of no use
            self._body.append(part)
            self.ring()

    def finish(self) -> None:
        self.complete = True
        self.ring()

    def lose(self) -> None:
        self.lost, self.keep_alive = True, False
        self.ring()

    def expire(self, seconds: float) -> None:
        self.late = seconds
        self.ring()

    def ring(self) -> None:
        if self._bell is not None:
            self._bell.set()

    async def receive(self) -> Message:
        while True:
            if self._body or (self.complete and not self._told_all):
                body, self._body, self._told_all = b"".join(self._body), [], self.complete
                return {"type": "http.request", "body": body, "more_body": not self.complete}
            if self.lost or self.answered:
                return {"type": "http.disconnect"}
            if self.late is not None:
                raise BodyTimeout(self.late)
            await self._news()

    async def _news(self) -> None:
        if self._asks_first and not self.complete:
            self._asks_first = False
            self._connection.write(_CONTINUE)
        if self._bell is None:
            self._bell = asyncio.Event()
        self._bell.clear()
        self._connection.read_on()
        await self._bell.wait()

    # The answer

    async def send(self, message: Message) -> None:
        if self._connection.full:
            await self._connection.drained()
        if self.lost and self._connection.gone:
            return
        if message["type"] == "http.response.start":
            self._begun = message
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        head = b"" if self._begun is None else self._head(self._begun)
        self._begun = None
        self._connection.write(head + (self._chunk(body, more=more) if self._chunked else body))
        if not more:
            self.answered = True
            self.ring()
            self._connection.answered(self)

    def _head(self, begun: Message) -> bytes:
        status, measured = begun["status"], False
        lines = [_STATUS[status]]
        for name, value in begun.get("headers", ()):
            if name == b"connection":
                self.keep_alive = self.keep_alive and value != b"close"
                continue
            measured = measured or name == b"content-length"
            lines.append(b"%b: %b\r\n" % (name, value))
        if not (measured or status in _WITHOUT_BODY):
            self._measure(lines)
        lines.append(_date(int(time())))
        if not self.keep_alive or self._connection.ends:
            lines.append(_CLOSE)
        head = b"".join(lines)
        if head.count(b"\n") != len(lines) or head.count(b"\r") != len(lines):
            raise ValueError("a header of an answer has a line break in it")
        return head + b"\r\n"

    def _measure(self, lines: list[bytes]) -> None:
        """Of a body whose length nobody knows yet: in chunks, or until the connection ends."""
        if self.scope["http_version"] != "1.1":
            self.keep_alive = False
        elif self.scope["method"] != "HEAD":
            self._chunked = True
            lines.append(_CHUNKED)

    @staticmethod
    def _chunk(body: bytes, *, more: bool) -> bytes:
        chunk = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
        return chunk if more else chunk + b"0\r\n\r\n"


@lru_cache(2)
def _date(second: int) -> bytes:
    return f"date: {formatdate(second, usegmt=True)}\r\n".encode()
