"""Signs: some poll, some hold a stream. None may ever be told that the reading is stale, or an older one."""

from __future__ import annotations

import socket
import time
from typing import Any
from urllib.parse import urlsplit

import msgspec
from locust import task

from jackpot.core.instants import parse_instant
from loadtests.callers import Caller, rest
from loadtests.plan import LINK

POLL_EVERY = 1.0
SILENT = 10.0
"""Seconds: a stream says that it lives every two."""
_EVENT = b"data: "


class Sign(Caller):
    abstract = True

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self.sequence = 0

    def look(self, kind: str, reading: dict[str, Any]) -> None:
        if reading["state"] == "stale":
            self.wrong(kind, "stale")
        if reading["sequence"] < self.sequence:
            self.wrong(kind, "an older reading than before")
        self.sequence = reading["sequence"]


class PollingSign(Sign):
    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self.etag = ""
        self.next_poll = time.monotonic() + self.floor.rng.uniform(0, POLL_EVERY)

    @task
    def poll(self) -> None:
        rest(self.next_poll - time.monotonic())
        self.next_poll = max(self.next_poll + POLL_EVERY, time.monotonic())
        known = {"If-None-Match": self.etag} if self.etag else {}
        told = self.ask("GET", f"/v1/links/{LINK}/meter", "poll", headers=known)
        if told.status == 200:
            self.look("poll", told.body)
            self.etag = '"{epoch}.{sequence}.{state}"'.format(**told.body)


class StreamingSign(Sign):
    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self.connection: socket.socket | None = None
        self.heard = time.monotonic()
        self.rest = b""

    @task
    def listen(self) -> None:
        """For a second at most, so that the run can end."""
        try:
            if self.connection is None:
                self.connection = self._connect()
            self.connection.settimeout(1.0)
            data = self.connection.recv(65536)
        except TimeoutError:
            if time.monotonic() - self.heard > SILENT:
                self._lost("silent")
            return
        except OSError as trouble:
            self._lost(type(trouble).__name__)
            rest(1.0)
            return
        if not data:
            self._lost("ended")
            return
        self.heard = time.monotonic()
        self._read(data)

    def _connect(self) -> socket.socket:
        where = urlsplit(self.host)
        connection = socket.create_connection((where.hostname, where.port), timeout=10)
        connection.sendall(f"GET /v1/links/{LINK}/stream HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
        self.heard, self.rest = time.monotonic(), b""
        return connection

    def _lost(self, why: str) -> None:
        self.wrong("stream", why)
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def on_stop(self) -> None:
        if self.connection is not None:
            self.connection.close()

    def _read(self, data: bytes) -> None:
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            if line.startswith(_EVENT):
                reading = msgspec.json.decode(line.removeprefix(_EVENT))
                if reading["sequence"] > self.sequence > 0:  # the first is as old as it may be
                    self._note(reading["as_of"])
                self.look("stream", reading)

    def _note(self, as_of: str) -> None:
        """From the journal's time of a reading to its arrival here."""
        late = time.time() - parse_instant(as_of, field="as_of") / 1_000_000
        self.environment.events.request.fire(
            request_type="SSE",
            name="stream",
            response_time=max(0.0, late) * 1000,
            response_length=0,
            exception=None,
            start_time=time.time(),
            context={},
        )
