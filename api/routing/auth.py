"""Who may do what. `allowed(...)` guards a route before its body is read and before anything is looked up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from fastapi import APIRouter, Depends, Request, Response
from fastapi.routing import APIRoute
from starlette.requests import Request as StarletteRequest
from starlette.types import Message, Receive, Scope

from api.callers.identity import Caller, is_csrf_token
from api.http.errors import Forbidden, Invalid, Problem, TooLarge, Unauthenticated
from api.service import Service, service_of
from jackpot.book.beside.roles import Role
from jackpot.book.writing.writer import TROUBLE

COOKIE = "jackpot_session"
SIGN_COOKIE = "jackpot_sign"
"""Holds an enrolled sign's token."""
CSRF_HEADER = "x-csrf-token"
SMALL = 64 * 1024
ASKED_AGAIN_EVERY = 1.0
"""Seconds after which somebody who is still being answered is asked again who he is."""
T = TypeVar("T")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_SPEAKERS = frozenset({Role.TABLE, Role.GATEWAY})


class Guard:
    """A dependency that gives the `Caller`, or refuses. Without roles, everybody who is known may."""

    def __init__(self, *roles: Role, most: int = SMALL, recorded: bool = False) -> None:
        self.roles = frozenset(roles) or frozenset(Role)
        self.most = most
        """Bytes of a body."""
        self.recorded = recorded
        """What succeeds is on record elsewhere, and needs no row in the audit."""

    async def __call__(self, request: Request) -> Caller:
        known = getattr(request.state, "caller", None)
        if isinstance(known, Caller):
            return known
        caller = await authenticate(service_of(request.app), request)
        request.state.caller = caller
        if caller.by_cookie and request.method not in _SAFE:
            _check_same_origin(request, caller)
        self.check(caller, request.path_params.get("table"))
        return caller

    def check(self, caller: Caller, table: object) -> None:
        if caller.role not in self.roles:
            raise Forbidden(f"this is not for the role {caller.role}")
        if caller.role in _SPEAKERS and table is not None and not caller.speaks_for(table):
            raise Forbidden("a table's token works for its own table only", "other_table")


class ReadingGuard(Guard):
    """Readings hang on a wall: open to all, unless the floor says otherwise."""

    async def __call__(self, request: Request) -> Caller | None:  # type: ignore[override]
        if service_of(request.app).is_public(request.path_params["link"]):
            return None
        return await super().__call__(request)


class PastReadingGuard(Guard):
    """As open as the meter, but here it makes a difference who asks: see `records.reading`."""

    async def __call__(self, request: Request) -> Caller | None:  # type: ignore[override]
        service = service_of(request.app)
        if service.is_public(request.path_params["link"]) and await _caller_of(service, request) is None:
            return None
        return await super().__call__(request)


class TableReadingGuard(Guard):
    """What a table's display shows is as public as its link's meter."""

    async def __call__(self, request: Request) -> Caller | None:  # type: ignore[override]
        service = service_of(request.app)
        told = service.hub.table(request.path_params["table"])
        if service.is_public("" if told is None else told.link):
            return None
        return await super().__call__(request)


class MetricsGuard(Guard):
    """Gives the caller who may hear everything. Others hear what is for all, unless the settings say
    otherwise; but a token that is not known is refused, so that whoever scrapes with it learns that."""

    async def __call__(self, request: Request) -> Caller | None:  # type: ignore[override]
        service = service_of(request.app)
        if not service.settings.public_metrics:
            return await super().__call__(request)
        who = authenticate if "authorization" in request.headers else _caller_of
        caller = await who(service, request)
        return caller if caller is not None and caller.role in self.roles else None


Metrics: Any = Depends(MetricsGuard(Role.OPERATOR, Role.SUPERVISOR, Role.AUDITOR))
Reading: Any = Depends(ReadingGuard())
PastReading: Any = Depends(PastReadingGuard())
TableReading: Any = Depends(TableReadingGuard())


def allowed(*roles: Role, most: int = SMALL, recorded: bool = False) -> Any:
    return Depends(Guard(*roles, most=most, recorded=recorded))


async def authenticate(service: Service, request: StarletteRequest) -> Caller:
    caller = await _caller_of(service, request)
    if caller is None:
        service.auditor.stranger(request.url.path)
        raise Unauthenticated
    return caller


async def is_still(service: Service, request: StarletteRequest, caller: Caller) -> bool:
    """Whether a token has not been revoked, or a session ended, since. While the book cannot be asked nobody
    knows, and a sign must go on to be told that it is stale."""
    try:
        async with asyncio.timeout(ASKED_AGAIN_EVERY):
            return await _caller_of(service, request) == caller
    except TROUBLE:
        return True


async def while_known(service: Service, request: StarletteRequest, caller: Caller, work: Awaitable[T]) -> T:
    """What a caller waits for, unless his token or his session ends first."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=ASKED_AGAIN_EVERY))[0]:
            if not await is_still(service, request, caller):
                raise Unauthenticated
        return task.result()
    finally:
        task.cancel()


async def caller_at_door(service: Service, scope: Scope) -> Caller:
    """The same, with as little ado as a token allows."""
    said = authorization(scope)
    if said is None:
        return await authenticate(service, StarletteRequest(scope))
    caller = service.identity.of_token(bearer(said))
    if caller is None:
        service.auditor.stranger(scope["path"])
        raise Unauthenticated
    return caller


async def _caller_of(service: Service, request: StarletteRequest) -> Caller | None:
    said = authorization(request.scope)
    if said is not None:
        return service.identity.of_token(bearer(said))
    return await _of_cookies(service, request)


def authorization(scope: Scope) -> bytes | None:
    """The one header; of two, a proxy may have checked the other."""
    said: bytes | None = None
    for name, value in scope["headers"]:
        if name == b"authorization":
            if said is not None:
                raise Problem(400, "authorization_repeated", "a request says once who is calling")
            said = value
    return said


async def goes_first(service: Service, request: StarletteRequest) -> bool:
    """Whoever plays or decides: when connections run out, signs and strangers are refused before them."""
    caller = await _caller_of(service, request)
    return caller is not None and caller.role is not Role.SIGN


async def _of_cookies(service: Service, request: StarletteRequest) -> Caller | None:
    """A person's session, or else what an enrolled sign was given."""
    for name, owner in ((COOKIE, service.identity.of_session), (SIGN_COOKIE, service.identity.of_sign)):
        cookie = request.cookies.get(name)
        if cookie is not None and (caller := await owner(cookie)) is not None:
            return caller
    return None


def bearer(said: bytes) -> bytes:
    scheme, _, token = said.partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else b""


def _check_same_origin(request: StarletteRequest, caller: Caller) -> None:
    """A browser sends the cookie by itself: what changes something must come from a page of ours."""
    origin = request.headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if foreign or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden("a session is used from pages of this service only", "cross_origin")
    cookie = request.cookies[SIGN_COOKIE if caller.role is Role.SIGN else COOKIE]
    if not is_csrf_token(request.headers.get(CSRF_HEADER, ""), cookie):
        raise Forbidden(f"a session says {CSRF_HEADER} when it changes something", "csrf")


class GuardedRoute(APIRoute):
    """A route that asks who is there first, then reads a body of bounded length, then goes on."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        guard = next((one.call for one in self.dependant.dependencies if isinstance(one.call, Guard)), None)
        most = SMALL if guard is None else guard.most

        async def guarded(request: Request) -> Response:
            bounded = Request(request.scope, _bounded(request.receive, most))
            try:
                if guard is not None:
                    await guard(bounded)
                await _read_body(bounded, parsed=self.body_field is not None)
                response = await handle(bounded)
            except Exception as error:
                service_of(request.app).auditor.refused(bounded, self.name, error)
                raise
            if guard is not None and not guard.recorded:
                service = service_of(request.app)
                await service.auditor.done(bounded, service.book.store)
            return response

        return guarded


def guarded_router(**settings: Any) -> APIRouter:
    return APIRouter(route_class=GuardedRoute, **settings)


def _bounded(receive: Receive, most: int) -> Receive:
    read = 0

    async def bounded() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise TooLarge(most)
        return message

    return bounded


async def _read_body(request: Request, *, parsed: bool) -> None:
    """A body is JSON. One that FastAPI will parse is tried first: its own parser knows NaN and no depth."""
    if request.method in _SAFE:
        return
    body = await request.body()
    if not body:
        return
    check_content_type(request.headers.get("content-type", ""))
    try:
        if parsed:
            msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Invalid(f"the body is not JSON: {error}"[:200], "body", "malformed_json") from None


def check_content_type(content_type: str) -> None:
    if content_type == "application/json":
        return
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise Problem(415, "unsupported_media_type", "a body is application/json")
