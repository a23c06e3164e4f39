"""What all users of the floor share: one way to ask the service, and to say what was wrong."""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import gevent
import msgspec
from locust import FastHttpUser

from loadtests.notes import Notes
from loadtests.plan import Plan

TWICE = 0.3
"""How often two tables are dealt a major together, so that the House has to order them."""
ROYAL = 0.3
_encode = msgspec.json.Encoder().encode


class Told(NamedTuple):
    status: int
    body: Any
    """None if there is none, or if it is not the service's."""

    @property
    def code(self) -> str:
        return str(self.body.get("code", "")) if isinstance(self.body, dict) else ""


class Floor:
    """What the users of one run have in common."""

    def __init__(self, plan: Plan, notes: Notes) -> None:
        self.plan, self.notes = plan, notes
        self.rng = Random(plan.seed)
        self.began = time.monotonic()
        self._due = self.began + plan.majors_every / 2
        self._majors = 0
        self._seats: defaultdict[type, Iterator[int]] = defaultdict(itertools.count)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def seat(self, kind: type) -> int:
        return next(self._seats[kind])

    def rigged(self) -> bool | None:
        """Of a table about to deal: whether it is a royal flush; None for honest cards."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + self.plan.majors_every
            self._majors = 2 if self.rng.random() < TWICE else 1
        if not self._majors:
            return None
        self._majors -= 1
        return self.rng.random() < ROYAL


class Caller(FastHttpUser):
    """Numbered among its kind; every second one talks to the second replica."""

    abstract = True
    network_timeout = 20.0
    connection_timeout = 10.0
    token: str | None = None

    def __init__(self, environment: Any) -> None:
        self.floor: Floor = environment.floor
        self.number = self.floor.seat(type(self))
        self.host = self.floor.plan.url(self.number)
        super().__init__(environment)

    def wait(self) -> None:
        """Each user paces itself."""

    def ask(
        self,
        method: str,
        path: str,
        kind: str,
        body: Any = None,
        *,
        fine: frozenset[str] = frozenset(),
        headers: dict[str, str] | None = None,
    ) -> Told:
        """An answer of another kind than 2xx or 304 fails the run, unless its code is one of `fine`."""
        headers = dict(headers or {})
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else _encode(body)
        if data is not None:
            headers["Content-Type"] = "application/json"
        with self.client.request(
            method, path, name=kind, data=data, headers=headers, catch_response=True
        ) as response:
            told = Told(response.status_code or 0, _read(response))
            if told.status in (200, 201, 304) or told.code in fine:
                response.success()
            else:
                response.failure(f"{told.status} {told.code}".strip())
        return told

    def wrong(self, kind: str, what: str) -> None:
        """An answer that came, and is not as it must be."""
        self.environment.events.request.fire(
            request_type="CHECK",
            name=kind,
            response_time=0.0,
            response_length=0,
            exception=AssertionError(what),
            start_time=time.time(),
            context={},
        )


def _read(response: Any) -> Any:
    try:
        return msgspec.json.decode(response.content or b"null")
    except msgspec.DecodeError:
        return None


def rest(seconds: float) -> None:
    gevent.sleep(max(0.0, seconds))
