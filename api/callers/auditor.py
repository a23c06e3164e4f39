"""What goes into the audit: every act of a known caller, allowed or refused.

What is allowed is durable with what it did, before it is answered; a refusal may come two seconds later."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import structlog
from starlette.requests import Request

from api.callers.identity import Caller
from api.http.errors import UNFORESEEN, problem_of
from jackpot.book.beside.audit import Act, write_acts
from jackpot.book.beside.identities import Credential
from jackpot.book.stores.base import Store
from jackpot.book.writing.clock import HouseClock
from jackpot.book.writing.notes import Notes

MOST_REFUSALS = 20
"""Rows a second for one caller's refusals; of more only the number is kept."""
LONGEST_BODY = 2_000
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_log = structlog.get_logger("audit")


@dataclass(slots=True)
class Counters:
    requests: set[asyncio.Task[Any] | None] = field(default_factory=set)
    """Those being answered."""
    unauthenticated: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    answered: Counter[tuple[str, str, int, str]] = field(default_factory=Counter)
    """By route, method and status; and by link where it is a poll of its meter."""
    streams: Counter[str] = field(default_factory=Counter)
    """Those that are open now."""
    receipts: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """By link, and whether the sign's token proves it."""

    @property
    def under_way(self) -> int:
        return len(self.requests)


@dataclass(slots=True)
class _Refusals:
    second: int = 0
    rows: int = 0
    left_out: int = 0


class Auditor:
    def __init__(self, notes: Notes, clock: HouseClock, counters: Counters) -> None:
        self._notes, self._clock, self._counters = notes, clock, counters
        self._refusals: dict[str, _Refusals] = {}
        self._strangers_told = -1

    def allowed(self, request: Request) -> Act:
        """Of a caller's act, for the transaction that carries it out."""
        caller: Caller = request.state.caller
        request.state.audited = True
        return self.act(caller.name, request.scope["route"].name, _detail(request, caller))

    async def done(self, request: Request, store: Store) -> None:
        """An act that had no transaction of its own."""
        caller = getattr(request.state, "caller", None)
        audited = getattr(request.state, "audited", False)
        if isinstance(caller, Caller) and request.method not in _SAFE and not audited:
            async with store.transaction() as connection:
                await write_acts(connection, [self.allowed(request)])

    def refused(self, request: Request, act: str, error: Exception) -> None:
        caller = getattr(request.state, "caller", None)
        if not isinstance(caller, Caller):
            return
        self.refusal(caller, act, error, _detail(request, caller))

    def refusal(self, caller: Caller, act: str, error: Exception, detail: dict[str, object]) -> None:
        problem = problem_of(error) or UNFORESEEN  # as it is told: an error's own text may name files
        self._counters.refused[problem.code] += 1
        left_out = self._admit(caller.name)
        if left_out is not None:
            more = {"left_out_before": left_out} if left_out else {}
            self.note(caller.name, act, problem.code, why=problem.detail[:200], **detail, **more)

    def stranger(self, where: str) -> None:
        """Somebody without a known token: counted, and told to the log once a second."""
        self._counters.unauthenticated += 1
        if self._strangers_told != (second := int(time.monotonic())):
            self._strangers_told = second
            _log.info("not authenticated", where=where[:200], so_far=self._counters.unauthenticated)

    def login_failed(self, known: Credential | None, address: str) -> None:
        """Of a name that nobody has, only the log knows."""
        if known is None:
            self.stranger("log_in")
        elif (left_out := self._admit(f"login {known.name}")) is not None:
            self.note(known.name, "log_in", "login_failed", address=address, left_out_before=left_out)

    def act(self, actor: str, act: str, detail: Mapping[str, object], outcome: str = "allowed") -> Act:
        return Act(at=self._clock.now(), actor=actor, act=act, outcome=outcome, detail=detail)

    def note(self, actor: str, act: str, outcome: str, **detail: object) -> None:
        self._notes.note(self.act(actor, act, detail, outcome))

    def _admit(self, name: str) -> int | None:
        """How many refusals were left out since the last row, or None to leave this one out too."""
        seen, second = self._refusals.setdefault(name, _Refusals()), int(time.monotonic())
        if seen.second != second:
            seen.second, seen.rows = second, 0
        if seen.rows >= MOST_REFUSALS:
            seen.left_out += 1
            return None
        left_out, seen.left_out, seen.rows = seen.left_out, 0, seen.rows + 1
        return left_out


def _detail(request: Request, caller: Caller) -> dict[str, object]:
    said = said_in(getattr(request, "_body", b""))
    return {"path": request.url.path[:200]} | who(request, caller) | said


def said_in(body: bytes) -> dict[str, object]:
    return {"said": _said(body)} if body else {}


def who(request: Request, caller: Caller) -> dict[str, object]:
    kind, proof = caller.proof
    return {"person": caller.person[:80], "address": address_of(request), kind: proof}


def address_of(request: Request) -> str:
    return request.client.host if request.client else "unknown"


def _said(body: bytes) -> object:
    """As it was, if it is short and can be read; a secret is never on record."""
    if len(body) > LONGEST_BODY:
        return f"{len(body)} bytes"
    try:
        said = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return f"{len(body)} bytes, not JSON"
    return {**said, "password": "***"} if isinstance(said, dict) and "password" in said else said
