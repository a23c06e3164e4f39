"""One question to the service, asked until it is answered or patience ends."""

from __future__ import annotations

import asyncio
import os
import ssl
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

import httpx
import msgspec
from msgspec import Struct

from jackpot.client.clock import Clocks
from jackpot.client.errors import AuthoritiesUnusable, Unreachable, refusal
from jackpot.client.messages import Body

T = TypeVar("T")
LATER = frozenset({429, 500, 502, 503, 504})
"""Nothing is wrong with the message: the same again may be answered."""

PROBLEM = "application/problem+json"
"""How the service refuses. What says no in other words stands between us and it."""


class Patience(Struct, frozen=True, kw_only=True):
    """In seconds: how long one message is tried, one attempt, and the waits between attempts."""

    whole: float = 5.0
    attempt: float = 2.0
    first_wait: float = 0.05
    longest_wait: float = 1.0


def trusted(authorities: Path | None) -> ssl.SSLContext:
    """Whose certificates are believed: those signed by the authorities of this file, or of the one that
    JACKPOT_CA names, or else by the public ones. There is no way not to ask."""
    named = authorities or os.environ.get("JACKPOT_CA")
    if not named:
        return _public_authorities()
    try:
        return ssl.create_default_context(cafile=named)
    except (OSError, ssl.SSLError) as error:
        raise AuthoritiesUnusable(f"{named} holds no certificates of authorities: {error}") from error


@cache
def _public_authorities() -> ssl.SSLContext:
    """Read once, for all the tables of a process: it takes as long as many messages."""
    return httpx.create_ssl_context(trust_env=False)


class _Later(Exception):
    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


class Transport:
    """Its patience is by the running loop's clock, as its timeouts and pauses are."""

    def __init__(self, http: httpx.AsyncClient, patience: Patience, rng: Random, clocks: Clocks) -> None:
        self._http, self._patience, self._rng, self._clocks = http, patience, rng, clocks

    async def ask(self, method: str, path: str, body: Body, answer: type[T]) -> T:
        """Every attempt says the same, also when it was first sent: a repeat must not make it seem newer."""
        now = asyncio.get_running_loop().time
        until, wait = now() + self._patience.whole, self._patience.first_wait
        while True:
            try:
                return await self._attempt(method, path, body, answer, until - now())
            except _Later as later:
                pause = max(later.after, wait * self._rng.uniform(0.5, 1.5))
                if now() + pause >= until:
                    raise Unreachable(str(later)) from later
                await asyncio.sleep(pause)
                wait = min(self._patience.longest_wait, wait * 2)

    async def ask_once(self, method: str, path: str, body: Body, answer: type[T]) -> T:
        try:
            return await self._attempt(method, path, body, answer, self._patience.whole)
        except _Later as later:
            raise Unreachable(str(later)) from later

    async def _attempt(self, method: str, path: str, body: Body, answer: type[T], left: float) -> T:
        limit = max(0.05, min(self._patience.attempt, left))
        try:
            async with asyncio.timeout(limit):
                response = await self._http.request(
                    method,
                    path,
                    content=msgspec.json.encode(body),
                    headers={"Content-Type": "application/json"},
                )
        except (httpx.TransportError, TimeoutError) as error:
            raise _Later(f"{type(error).__name__} {error}".strip()) from error
        return _read(response, answer, self._clocks)


def _read(response: httpx.Response, answer: type[T], clocks: Clocks) -> T:
    status = response.status_code
    if status in LATER:
        raise _Later(f"answered {status}", _retry_after(response, clocks))
    try:
        if 400 <= status < 500:
            if response.headers.get("Content-Type", "").partition(";")[0].strip() != PROBLEM:
                raise _Later(f"answered {status} by something else")
            raise refusal(status, msgspec.json.decode(response.content, type=dict))
        return msgspec.json.decode(response.content, type=answer)
    except msgspec.DecodeError as error:
        # Not the service's words: something between us and it has spoken.
        raise _Later(f"answered {status} with something else") from error


def _retry_after(response: httpx.Response, clocks: Clocks) -> float:
    said = response.headers.get("Retry-After", "")
    if said.isascii() and said.isdigit():
        return float(said)
    try:
        now = datetime.fromtimestamp(clocks.wall() / 1_000_000_000, UTC)
        return max(0.0, (parsedate_to_datetime(said) - now).total_seconds())
    except (ValueError, TypeError):
        return 0.0
