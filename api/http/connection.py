"""A connection and the requests on it: read by httptools, answered one after the other.

In the loop that answers them. A server with threads of its own hands each request from thread to thread, and
both wait for the interpreter meanwhile: docs/architecture.md has the figures.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Any, Protocol, cast
from urllib.parse import unquote

from httptools import (
    HttpParserCallbackError,
    HttpParserError,
    HttpParserInvalidURLError,
    HttpParserUpgrade,
    HttpRequestParser,
    parse_url,
)
from starlette.types import ASGIApp, Scope

from api.http.errors import CONTENT_TYPE, Problem
from api.http.exchange import Exchange
from api.http.proxies import Proxies

LONGEST_HEAD = 64 * 1024
MUCH = 64 * 1024
"""Bytes of a body that nobody has taken yet, at which no more is read."""
MOST_AT_ONCE = 64
"""Requests that a caller sends without waiting for an answer. Those beyond are not heard."""
_ASGI = {"version": "3.0", "spec_version": "2.3"}
MALFORMED = Problem(400, "malformed", "this is not HTTP/1.1")
HEAD_TOO_LARGE = Problem(431, "head_too_large", f"the head is longer than {LONGEST_HEAD} bytes")
_log = logging.getLogger(__name__)


class Host(Protocol):
    """What a connection asks of who accepted it."""

    app: ASGIApp
    scheme: str
    proxies: Proxies
    stopping: bool

    def opened(self, connection: Connection) -> None: ...

    def closed(self, connection: Connection) -> None: ...


class Connection(asyncio.Protocol):
    def __init__(self, host: Host) -> None:
        self._host, self._loop = host, asyncio.get_running_loop()
        self._parser = HttpRequestParser(self)
        self._transport: asyncio.Transport
        self._peer = self._own = ("unknown", 0)
        self._url, self._headers = b"", list[tuple[bytes, bytes]]()
        self._asks_first = False
        self._unended = 0
        """Bytes since a head, or a part of a body, was read to its end."""
        self._arriving: Exchange | None = None
        self._answering: Exchange | None = None
        self._queue: deque[Exchange] = deque()
        """Asked before the one before them was answered."""
        self._holds = self._broken = self.gone = False
        self._room: asyncio.Event | None = None
        """Set while the caller reads what he is told."""
        self._since: float | None = self._loop.time()
        """When it began to wait for the head of a request."""

    # What the loop tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._peer, self._own = (_address(transport.get_extra_info(one)) for one in ("peername", "sockname"))
        self._host.opened(self)

    def connection_lost(self, _why: Exception | None) -> None:
        self.gone = True
        for one in (self._answering, self._arriving, *self._queue):
            if one is not None:
                one.lose()
        self._queue.clear()
        self.resume_writing()
        self._host.closed(self)

    def data_received(self, data: bytes) -> None:
        if self._broken:
            return
        self._unended += len(data)
        try:
            self._parser.feed_data(data)
        except (HttpParserUpgrade, HttpParserError) as wrong:
            _log_ours(wrong)
            self._give_up(MALFORMED)
        if self._unended > LONGEST_HEAD:
            self._give_up(HEAD_TOO_LARGE)

    def pause_writing(self) -> None:
        self._room = asyncio.Event()

    def resume_writing(self) -> None:
        if self._room is not None:
            self._room.set()
            self._room = None

    # What the parser tells

    def on_message_begin(self) -> None:
        self._url, self._headers, self._asks_first = b"", [], False

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        self._headers.append((name, value))
        if name == b"expect":
            self._asks_first = value.lower() == b"100-continue"

    def on_headers_complete(self) -> None:
        self._unended, self._since = 0, None
        if len(self._queue) >= MOST_AT_ONCE:
            self._broken = True
        if self._broken:
            self._arriving = None
            return
        scope = self._scope()
        self._arriving = Exchange(
            self,
            self._host.app,
            scope,
            keep_alive=scope["http_version"] == "1.1" and self._parser.should_keep_alive(),
            asks_first=self._asks_first,
        )
        if self._answering is None:
            self._begin(self._arriving)
        else:
            self._queue.append(self._arriving)
            self._hold()

    def on_body(self, part: bytes) -> None:
        self._unended, arriving = 0, self._arriving
        if arriving is not None:
            arriving.take(part)
            if len(part) > MUCH or arriving.waiting > MUCH:
                self._hold()

    def on_message_complete(self) -> None:
        self._unended = 0
        if self._arriving is not None:
            self._arriving.finish()

    def _scope(self) -> Scope:
        url = self._url
        if url[:1] != b"/" or b"#" in url:
            found = parse_url(url)
            path, query = found.path or b"/", found.query or b""
        else:
            path, _, query = url.partition(b"?")
        text, proxies = path.decode("ascii"), self._host.proxies
        scope = {
            "type": "http",
            "asgi": _ASGI,
            "http_version": self._parser.get_http_version(),
            "method": self._parser.get_method().decode("ascii"),
            "scheme": self._host.scheme,
            "path": unquote(text) if "%" in text else text,
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": self._headers,
            "server": self._own,
            "client": self._peer,
        }
        return proxies.told(scope) if proxies else scope

    # What its host asks

    def check(self, now: float, *, head_seconds: float, body_seconds: float) -> None:
        """Whoever takes too long to say what he wants is not waited for."""
        if self._since is not None and now - self._since > head_seconds:
            self.cut()
        asked = self._answering
        if asked is not None and not asked.complete and now - asked.since > body_seconds:
            asked.expire(body_seconds)

    @property
    def idle(self) -> bool:
        return self._answering is None

    def cut(self) -> None:
        """At once, whatever has not been read yet."""
        self._transport.abort()

    def end(self) -> None:
        """Once what was written has been sent."""
        self._transport.close()

    # What an exchange asks

    def write(self, data: bytes) -> None:
        if not self.gone:
            self._transport.write(data)

    @property
    def full(self) -> bool:
        return self._room is not None

    async def drained(self) -> None:
        while self._room is not None:
            await self._room.wait()

    def read_on(self) -> None:
        if self._holds and not self._queue and not self.gone:
            self._holds = False
            self._transport.resume_reading()

    def answered(self, exchange: Exchange) -> None:
        if not exchange.keep_alive or self.ends:
            self.end()
        elif self._queue:
            self._begin(self._queue.popleft())
        else:
            self._answering, self._since = None, self._loop.time()
            self.read_on()

    @property
    def ends(self) -> bool:
        """Whether nothing is answered here after what is being answered now."""
        return self._host.stopping or (self._broken and not self._queue)

    def _begin(self, exchange: Exchange) -> None:
        self._answering = exchange
        exchange.begin(self._loop)

    def _hold(self) -> None:
        if not self._holds:
            self._holds = True
            self._transport.pause_reading()

    def _give_up(self, why: Problem) -> None:
        """Nothing more can be read. What was asked before is answered; otherwise the caller is told why."""
        self._broken = True
        if self._arriving is not None and not self._arriving.complete:
            self._arriving.lose()
        if self._answering is None:
            self.write(_told(why))
            self.end()


def _log_ours(wrong: Exception) -> None:
    """What went wrong in our own callbacks, and not in what was sent."""
    of_sender = UnicodeDecodeError, HttpParserInvalidURLError
    if isinstance(wrong, HttpParserCallbackError) and not isinstance(wrong.__context__, of_sender):
        _log.error("a request could not be taken", exc_info=wrong)


def _address(named: Any) -> tuple[str, int]:
    return (named[0], named[1]) if isinstance(named, tuple) else ("unknown", 0)


def _told(why: Problem) -> bytes:
    body = why.body()
    head = (
        f"HTTP/1.1 {why.status} {why.told()['title']}\r\ncontent-type: {CONTENT_TYPE}\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
