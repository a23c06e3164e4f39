"""The one place that says what a refusal or a failure looks like on the wire (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from jackpot.book.reading.meters import RollUpsBehind
from jackpot.book.stores.committed import LinkUnknown, PitUnknown
from jackpot.book.stores.rows import Unreadable
from jackpot.book.writing.batch import EntriesLost
from jackpot.book.writing.writer import TROUBLE, Busy, LinkStopped, Unavailable
from jackpot.core.refusals import BadInput, Conflict, NotAllowed, Refused, Unknown
from jackpot.machine.invariants import InvariantBroken

CONTENT_TYPE = "application/problem+json"
SOON = 1
"""Seconds after which a caller may try again."""
_STATUS = {BadInput: 422, Unknown: 404, NotAllowed: 403, Conflict: 409}
_CODES = {400: "malformed", 401: "unauthenticated", 404: "not_found", 405: "method_not_allowed"}


@dataclass(eq=False)
class Problem(Exception):
    """An answer that is not what was asked for."""

    status: int
    code: str
    detail: str
    rule: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.detail

    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        }
        if self.rule is not None:
            told["rule"] = self.rule
        return {**self.more, **told}

    def body(self) -> bytes:
        return msgspec.json.encode(self.told())

    def response(self) -> Response:
        return Response(self.body(), self.status, dict(self.headers), CONTENT_TYPE)


class Unauthenticated(Problem):
    def __init__(self, detail: str = "a token that this house knows is needed") -> None:
        super().__init__(401, "unauthenticated", detail, headers={"WWW-Authenticate": "Bearer"})


class Forbidden(Problem):
    def __init__(self, detail: str, code: str = "forbidden") -> None:
        super().__init__(403, code, detail)


class Invalid(Problem):
    """The message itself is wrong, and here is where."""

    def __init__(self, detail: str, field: str, code: str = "invalid") -> None:
        super().__init__(422, code, detail, more={"field": field})


class TooLarge(Problem):
    def __init__(self, most: int) -> None:
        super().__init__(413, "body_too_large", f"the body is longer than {most} bytes")


class BodyTimeout(Problem):
    def __init__(self, seconds: float) -> None:
        super().__init__(408, "body_timeout", f"the body did not arrive within {seconds:g} seconds")


class BodyCutOff(Problem):
    """The caller has hung up in the middle of a body: nobody is there to be told."""

    def __init__(self) -> None:
        super().__init__(400, "body_cut_off", "the body was cut off")


class TooMany(Problem):
    def __init__(self, detail: str, after: int, code: str = "too_many_requests") -> None:
        super().__init__(429, code, detail, headers={"Retry-After": str(after)})


class Later(Problem):
    """Nothing is wrong with the message; it cannot be served now."""

    def __init__(self, code: str, detail: str, **more: Any) -> None:
        super().__init__(503, code, detail, more=more, headers={"Retry-After": str(SOON)})


class Crowded(Problem):
    def __init__(self) -> None:
        headers = {"Retry-After": "5", "Connection": "close"}
        detail = "too many connections are open: tables and people are served first"
        super().__init__(503, "crowded", detail, headers=headers)


def problem_of(error: Exception) -> Problem | None:
    """What is told of an error; None for one that nobody foresaw."""
    match error:
        case Problem():
            return error
        case Refused():
            return _of_refusal(error)
        case Busy():
            return Later("busy", "more is waiting than can be served soon; nothing was done")
        case Unavailable():
            return _of_unavailable(error)
        case PitUnknown():
            return Problem(404, "pit_unknown", f"the book has no pit {str(error)[:80]!r}")
        case LinkUnknown():
            return Problem(404, "link_unknown", f"the book has no link {str(error)[:80]!r}")
        case RequestValidationError():
            return _of_validation(error)
        case HTTPException():
            return _of_http(error)
    return _of_trouble(error)


def _of_refusal(refusal: Refused) -> Problem:
    status = next(status for base, status in _STATUS.items() if isinstance(refusal, base))
    return Problem(status, refusal.code, refusal.message, refusal.rule, refusal.data)


def _of_unavailable(trouble: Unavailable) -> Problem:
    known = "it may have been carried out: send the same again" if trouble.unknown else "nothing was done"
    return Later("unavailable", f"the book cannot commit now; {known}", outcome_unknown=trouble.unknown)


def _of_trouble(error: Exception) -> Problem | None:
    if isinstance(error, LinkStopped | EntriesLost | Unreadable):
        return Later("link_stopped", "the link is stopped: its book denies itself; nothing was done")
    if isinstance(error, InvariantBroken):
        return Later("invariant_broken", "the books would not balance: nothing was done; call the House")
    if isinstance(error, RollUpsBehind):
        return Problem(503, "rollups_behind", str(error), headers={"Retry-After": "30"})
    if isinstance(error, TROUBLE):
        return Later("unavailable", "the book cannot be read now")
    return None


def _of_validation(error: RequestValidationError) -> Problem:
    first = error.errors()[0]
    where = [str(part) for part in first["loc"] if part not in ("body", "query", "path", "header")]
    return Invalid(str(first["msg"])[:200], ".".join(where)[:200] or "body")


def _of_http(error: HTTPException) -> Problem:
    code = _CODES.get(error.status_code, "malformed" if error.status_code < 500 else "internal_error")
    return Problem(error.status_code, code, str(error.detail)[:200], headers=dict(error.headers or {}))


UNFORESEEN = Problem(
    500, "internal_error", "this should not have happened; the request id tells which it was"
)


async def _answer(_request: Request, error: Exception) -> Response:
    return (problem_of(error) or UNFORESEEN).response()


def install(app: FastAPI) -> None:
    kinds = (Problem, Refused, Busy, Unavailable, LinkUnknown, RequestValidationError, HTTPException)
    for kind in (*kinds, InvariantBroken, LinkStopped, RollUpsBehind, *TROUBLE, Exception):
        app.add_exception_handler(kind, _answer)
