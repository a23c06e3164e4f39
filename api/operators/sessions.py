"""People log in, and out."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from api.callers.auditor import address_of
from api.callers.identity import Caller, csrf_token, proof_of
from api.callers.passwords import is_password
from api.controllers import wire
from api.http.describing import ACT, answered, problems, said
from api.http.errors import Problem
from api.routing.auth import COOKIE, allowed, guarded_router
from api.service import Service, service_of
from jackpot.book.beside.audit import write_acts
from jackpot.book.beside.identities import Credential, Session, end_session, hashed, open_session
from jackpot.book.beside.roles import PEOPLE

HOUR = 3600 * 1_000_000
router = guarded_router(prefix="/v1/sessions", tags=["sessions"])
_WHO = {"name": "sue", "person": "sue", "role": "supervisor", "csrf": "5b1f…"}


@router.post(
    "",
    summary="Log in",
    status_code=201,
    openapi_extra=said(wire.Login, example={"name": "sue", "password": "correct horse battery staple"})
    | {"security": []},
    responses=problems(401, 413, 415, 422, 429, 503)
    | answered(201, "A session's cookie, and the header value that changes need", _WHO),
)
async def log_in(request: Request) -> Response:
    """The answer sets the cookie `jackpot_session`. With it, a request that changes something is JSON and
    says `X-CSRF-Token`, the `csrf` of this answer. A session that was open is ended."""
    service = service_of(request.app)
    login, address = wire.decode(wire.Login, await request.body()), address_of(request)
    with service.logins.entered(address):
        await service.logins.admit(login.name, address)
        person = await _person(service, login)
    if person is None:
        service.auditor.login_failed(service.identity.credential(login.name), address)
        raise Problem(401, "login_failed", "name and password do not belong together")
    return await _opened(service, person, address, request.cookies.get(COOKIE))


async def _person(service: Service, login: wire.Login) -> Credential | None:
    """A login is rare and matters: it is decided by what the book says now."""
    await service.identity.refresh()
    found = service.identity.credential(login.name)
    known = found.password_hash if found is not None and found.role in PEOPLE else None
    return found if await is_password(known, login.password) else None


async def _opened(service: Service, person: Credential, address: str, before: str | None) -> Response:
    token, now = secrets.token_urlsafe(32), service.book.clock.now()
    expires_at = now + service.settings.session_hours * HOUR
    session = Session(token_sha256=hashed(token), name=person.name, made_at=now, expires_at=expires_at)
    instead_of = None if before is None else hashed(before)
    detail = {"person": person.person, "address": address, "session": proof_of(session.token_sha256)}
    async with service.book.store.transaction() as connection:
        await service.logins.succeeded(connection, person.name, address)
        await open_session(connection, session, instead_of=instead_of)
        await write_acts(connection, [service.auditor.act(person.name, "log_in", detail)])
    if before is not None:
        service.identity.forget_session(before)
    response = JSONResponse(_who(person, token), 201, {"Cache-Control": "no-store"})
    response.set_cookie(
        COOKIE,
        token,
        max_age=service.settings.session_hours * 3600,
        httponly=True,
        samesite="strict",
        secure=service.settings.cookies_are_secure,
    )
    return response


def _who(person: Credential | Caller, token: str | None) -> dict[str, Any]:
    csrf = None if token is None else csrf_token(token)
    return {"name": person.name, "person": person.person, "role": person.role.value, "csrf": csrf}


@router.get(
    "",
    summary="Who am I",
    responses=problems(400, 401, 503) | answered(200, "The caller as the service knows it", _WHO),
)
async def who_am_i(request: Request, caller: Caller = allowed()) -> dict[str, Any]:
    """Also of a token, which needs no `csrf`."""
    return _who(caller, request.cookies.get(COOKIE) if caller.by_cookie else None)


@router.delete("", summary="Log out", status_code=204, responses=problems(*ACT))
async def log_out(request: Request, caller: Caller = allowed()) -> Response:
    """Ends the session of the cookie. A token is revoked with `jackpot token revoke`."""
    service, response = service_of(request.app), Response(status_code=204)
    token = request.cookies.get(COOKIE)
    if token is not None and caller.by_cookie:
        async with service.book.store.transaction() as connection:
            await end_session(connection, hashed(token))
            await write_acts(connection, [service.auditor.allowed(request)])
        service.identity.forget_session(token)
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response
