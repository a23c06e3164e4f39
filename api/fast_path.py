"""Two short ways in, for what is asked most: bets and the meter. And every request's id and last resort.

Plain ASGI in front of FastAPI. What a message is, who may send it and what it means is decided where it is
decided for all: `wire`, `auth`, `tables`. FastAPI only describes these two.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from urllib.parse import parse_qsl
from uuid import uuid4

import structlog
from fastapi import FastAPI
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from api.callers.auditor import who
from api.callers.identity import Caller
from api.controllers import wire
from api.controllers.delivery import encode, speech_of, take
from api.http.errors import (
    CONTENT_TYPE,
    UNFORESEEN,
    BodyCutOff,
    BodyTimeout,
    Crowded,
    Invalid,
    Problem,
    TooLarge,
    Unauthenticated,
    problem_of,
)
from api.http.places import address_of
from api.routing.auth import (
    SMALL,
    Guard,
    authenticate,
    authorization,
    bearer,
    check_content_type,
    goes_first,
    while_known,
)
from api.service import Service
from displays.hub.encoding import Shown
from jackpot.book.beside.roles import Role

LONGEST_WAIT = 60.0
LONGEST_REST = 1024 * 1024
"""Bytes of a refused body that are read although nobody wants them, so that the connection stays usable."""
REST_WITHIN = 1.0
_BETS = re.compile(r"/v1/tables/([^/]+)/rounds/([^/]+)/bets")
_METER = re.compile(r"/v1/links/([^/]+)/meter")
_SECONDS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")
_SANE_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_METER_ROUTE = "/v1/links/{link}/meter"
_BETS_ROUTE = "/v1/tables/{table}/rounds/{round}/bets"
_ALWAYS_SERVED = frozenset({"/healthz", "/readyz", "/metrics"})
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
_OTHER = "other"
_JSON = (b"content-type", b"application/json")
_NO_CACHE = (b"cache-control", b"no-cache")
_ENCRYPTED_ONLY = (b"strict-transport-security", b"max-age=31536000")
_TABLES = Guard(Role.TABLE)
_log = structlog.get_logger("request")
Headers = list[tuple[bytes, bytes]]
Answer = tuple[int, Headers, bytes]


class Doors:
    def __init__(self, app: FastAPI, service: Service) -> None:
        self._app, self._service = app, service
        self._ids, self._prefix = itertools.count(1), uuid4().hex[:12]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = self._request_id(scope)
        reading = _Reading(receive, self._service.settings.body_seconds)
        answering = _Answering(scope, send, request, self._service, reading)
        path: str = scope["path"]
        requests, this = self._service.counters.requests, asyncio.current_task()
        requests.add(this)
        try:
            if self._service.crowd.crowded and path not in _ALWAYS_SERVED:
                await self._check_first(scope)
            if path.endswith("/meter") and (found := _METER.fullmatch(path)):
                answering.route = _METER_ROUTE
                answer = await self._meter(scope, found[1])
                answering.link = found[1]
                await answering.say(answer)
            elif path.endswith("/bets") and (found := _BETS.fullmatch(path)):
                answering.route = _BETS_ROUTE
                await answering.say(await self._bets(scope, reading, found[1], found[2]))
            else:
                structlog.contextvars.bind_contextvars(request=request.decode())
                await self._app(scope, reading, answering.pass_on)
        except Exception as error:
            await self._tell(scope, answering, error)
        finally:
            requests.discard(this)

    async def _check_first(self, scope: Scope) -> None:
        if not await goes_first(self._service, Request(scope)):
            raise Crowded

    def _request_id(self, scope: Scope) -> bytes:
        given = _header(scope, b"x-request-id")
        if given is not None and _SANE_ID.fullmatch(given):
            return given
        return f"{self._prefix}-{next(self._ids):x}".encode()

    async def _tell(self, scope: Scope, answering: _Answering, error: Exception) -> None:
        problem = problem_of(error)
        if problem is None:
            _log.error("unforeseen", request=answering.id.decode(), path=scope["path"][:200], exc_info=error)
            problem = UNFORESEEN
        if not answering.begun:
            headers = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
            content = (b"content-type", CONTENT_TYPE.encode())
            await answering.say((problem.status, [content, *headers], problem.body()))

    # The doors

    async def _bets(self, scope: Scope, receive: Receive, table: str, round: str) -> Answer:
        _check_method(scope, ("PUT",))
        caller = await self._caller(scope)
        try:
            _TABLES.check(caller, table)
            await self._service.link_of(table)
            number = wire.round_number(round)
            check_content_type((_header(scope, b"content-type") or b"").decode("latin-1"))
            kind = (await speech_of(self._service, table)).bets
            message = wire.decode(kind, await _body(receive))
            status, answer = await take(self._service, table, number, message)
        except Exception as error:
            detail = {"path": scope["path"][:200], **who(Request(scope), caller)}
            self._service.auditor.refusal(caller, "close_bets", error, detail)
            raise
        return status, [_JSON], encode(answer)

    async def _meter(self, scope: Scope, link: str) -> Answer:
        _check_method(scope, ("GET", "HEAD"))
        caller = None if self._service.is_public(link) else await self._caller(scope)
        shown = self._service.latest(link)
        known = _header(scope, b"if-none-match")
        if scope["query_string"]:
            shown = await self._awaited(scope, caller, link, shown, known)
        headers = [_NO_CACHE, (b"etag", shown.etag)]
        if known is not None and not shown.again and _matches(known, shown.etag):
            return 304, headers, b""
        return 200, [_JSON, *headers], shown.body

    async def _awaited(
        self, scope: Scope, caller: Caller | None, link: str, shown: Shown, known: bytes | None
    ) -> Shown:
        after, wait = _waiting(scope["query_string"])
        seen_another = known is not None and not _matches(known, shown.etag)
        if after is None or wait == 0 or shown.sequence > after or seen_another:
            return shown
        with self._service.waits.taken(address_of(scope)):
            newer = self._service.hub.after(link, shown, after, within=wait)
            if caller is None:
                return await newer
            return await while_known(self._service, Request(scope), caller, newer)

    async def _caller(self, scope: Scope) -> Caller:
        said = authorization(scope)
        if said is None:
            return await authenticate(self._service, Request(scope))
        caller = self._service.identity.of_token(bearer(said))
        if caller is None:
            self._service.auditor.stranger(scope["path"])
            raise Unauthenticated
        return caller


class _Reading:
    """A request's body on its way in, which may take so many seconds from when somebody wants it. If some of
    it is left unread the server ends the connection, and the caller's next request on it fails."""

    def __init__(self, receive: Receive, within: float) -> None:
        self._receive, self._within = receive, within
        self._until: float | None = None
        self._ended = self._late = False

    async def __call__(self) -> Message:
        if self._ended:
            return await self._receive()  # it tells when the caller has gone, however long that takes
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._within
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._next()
        except TimeoutError:
            self._late = True
            raise BodyTimeout(self._within) from None
        if message["type"] == "http.disconnect":
            raise BodyCutOff
        return message

    async def _next(self) -> Message:
        message = await self._receive()
        self._ended = not message.get("more_body", False)
        return message

    async def finished(self) -> bool:
        """Whether all of it has been read, as what was left now is, within reason."""
        if self._ended or self._late:
            return self._ended
        left = LONGEST_REST
        try:
            async with asyncio.timeout(REST_WITHIN):
                while not self._ended and left > 0:
                    left -= len((await self._next()).get("body", b""))
        except TimeoutError:
            return False
        return self._ended


class _Answering:
    """The answer of one request, with the id it is asked about by."""

    begun = False
    route = ""
    link = ""
    """Whose meter it is; of others nobody asks."""

    def __init__(self, scope: Scope, send: Send, id: bytes, service: Service, reading: _Reading) -> None:
        self._scope, self._send, self.id, self._service = scope, send, id, service
        self._reading = reading

    async def say(self, answer: Answer) -> None:
        status, headers, body = answer
        if status != 304:
            headers = [*headers, (b"content-length", str(len(body)).encode())]
        await self.pass_on({"type": "http.response.start", "status": status, "headers": headers})
        bare = self._scope["method"] == "HEAD"
        await self._send({"type": "http.response.body", "body": b"" if bare else body})

    async def pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            method = self._scope["method"] if self._scope["method"] in _METHODS else _OTHER
            asked = self.route or _route(self._scope), method, message["status"], self.link
            self._service.counters.answered[asked] += 1
            always = ((b"x-request-id", self.id), (b"x-content-type-options", b"nosniff"))
            message["headers"] = [*message.get("headers", ()), *always]
            if self._service.settings.tls_cert is not None:
                message["headers"].append(_ENCRYPTED_ONLY)
            if message["status"] >= 400 and not await self._reading.finished():
                message["headers"].append((b"connection", b"close"))
        await self._send(message)


def _route(scope: Scope) -> str:
    """The template that FastAPI found: of what is asked for and is not there, one name for all."""
    return getattr(scope.get("route"), "path", None) or _OTHER


def _header(scope: Scope, name: bytes) -> bytes | None:
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value)
    return None


def _check_method(scope: Scope, methods: tuple[str, ...]) -> None:
    if scope["method"] not in methods:
        raise Problem(405, "method_not_allowed", "Method Not Allowed", headers={"Allow": ", ".join(methods)})


async def _body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > SMALL:
            raise TooLarge(SMALL)
        parts.append(part)
        if not message.get("more_body"):
            return parts[0] if len(parts) == 1 else b"".join(parts)


def _matches(known: bytes, etag: bytes) -> bool:
    if known == etag:
        return True
    tags = [one.strip().removeprefix(b"W/") for one in known.split(b",")]
    return etag in tags or known.strip() == b"*"


def _waiting(query: bytes) -> tuple[int | None, float]:
    """`?after=SEQ&wait=SECONDS`"""
    try:
        said = dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=20))
    except ValueError:
        raise Invalid("there are too many fields in the query", "query") from None
    after, wait = said.get("after"), said.get("wait", "0")
    if after is not None and not (after.isascii() and after.isdigit() and len(after) < 20):
        raise Invalid("a sequence is a whole number", "after")
    if not _SECONDS.fullmatch(wait) or float(wait) > LONGEST_WAIT:
        raise Invalid(f"wait is from 0 to {LONGEST_WAIT:.0f} seconds", "wait")
    return (None if after is None else int(after)), float(wait)
