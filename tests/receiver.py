"""Somebody who listens: a receiver of webhooks that takes events, fails, hangs or hangs up, as it is told."""

from __future__ import annotations

import hmac
import json
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers import free_port
from tests.service import Json

TAKES, FAILS, GONE, SENDS_ELSEWHERE = 204, 503, 410, 302
HANGS, HANGS_UP = -1, -2
"""It answers nothing for longer than anybody waits; it keeps the event and cuts the line."""


@dataclass(frozen=True)
class Heard:
    at: float
    id: str
    body: Json
    headers: dict[str, str]
    raw: bytes
    taken: bool
    """Whether it was told that the event was taken."""


@dataclass
class Receiver:
    """On loopback. `behave` says what it does with its next request."""

    behave: Callable[[], int] = lambda: TAKES
    heard: list[Heard] = field(default_factory=list)
    port: int = field(default_factory=free_port)
    hangs_for: float = 30.0
    _server: ThreadingHTTPServer | None = None
    _dead: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/jackpot"

    def start(self) -> Receiver:
        receiver, self._dead = self, threading.Event()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                receiver.hear(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True
            block_on_close = False

            def handle_error(self, *_: Any) -> None:
                """Whoever hangs up is no news."""

        self._server = Server(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def stop(self) -> None:
        self._dead.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def hear(self, request: BaseHTTPRequestHandler) -> None:
        dead = self._dead
        raw = request.rfile.read(int(request.headers["Content-Length"]))
        does = self.behave()
        if dead.is_set():
            request.close_connection = True
            return
        headers = {name.lower(): value for name, value in request.headers.items()}
        told = Heard(time.monotonic(), headers["webhook-id"], json.loads(raw), headers, raw, does == TAKES)
        self.heard.append(told)
        if does == HANGS:
            dead.wait(self.hangs_for)
        if does < 0:
            request.close_connection = True
            return
        request.send_response(does)
        if does == SENDS_ELSEWHERE:
            request.send_header("Location", self.url)
        request.send_header("Content-Length", "0")
        request.end_headers()

    # What it makes of it

    def firsts(self, link: str | None = None) -> list[Json]:
        """Events in the order in which it heard of each for the first time."""
        seen: dict[str, Json] = {}
        for one in list(self.heard):
            if link is None or one.body["link"] == link:
                seen.setdefault(one.id, one.body)
        return list(seen.values())

    def ids(self, link: str | None = None) -> list[str]:
        return [one["id"] for one in self.firsts(link)]

    def types(self, link: str | None = None) -> list[str]:
        return [one["type"] for one in self.firsts(link)]


def signed_by(secret: str, heard: Heard) -> bool:
    """As the Standard Webhooks scheme has it, written anew."""
    content = f"{heard.headers['webhook-id']}.{heard.headers['webhook-timestamp']}.".encode() + heard.raw
    digest = hmac.new(b64decode(secret.removeprefix("whsec_")), content, sha256).digest()
    return f"v1,{b64encode(digest).decode()}" in heard.headers["webhook-signature"].split(" ")
