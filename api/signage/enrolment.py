"""A sign is enrolled once, with a code from the console; then its receipts are known to be its own."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from api.callers.auditor import address_of
from api.callers.identity import Caller
from api.controllers import wire
from api.http.describing import ACT, answered, problems, said
from api.http.errors import Problem
from api.routing.auth import SIGN_COOKIE, allowed, guarded_router
from api.service import Service, service_of
from jackpot.book.beside.audit import write_acts
from jackpot.book.beside.identities import (
    Credential,
    Enrolment,
    hashed,
    open_enrolment,
    put_credentials,
    take_enrolment,
)
from jackpot.book.beside.roles import Role
from jackpot.core.instants import SECOND, spoken_instant

GOOD_FOR = 600
"""Seconds for which a code enrols its sign."""
KEPT = 400 * 24 * 3600
"""Seconds for which a browser keeps a cookie at most."""
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # nothing that looks like something else
LENGTH = 8
NOBODY = ""
"""Codes are tried without a name."""
router = guarded_router(prefix="/v1/signs", tags=["signs"])


@router.post(
    "/codes",
    summary="A code to enrol a sign with",
    status_code=201,
    openapi_extra=said(wire.SignCode, example={"sign": "wall-north"}),
    responses=problems(*ACT)
    | answered(
        201,
        "The code, shown to nobody again",
        {"sign": "wall-north", "code": "K7QM-3XWD", "expires_at": "2026-01-31T12:25:30.250000Z"},
    ),
)
async def make_code(request: Request, _: Caller = allowed(Role.OPERATOR, Role.SUPERVISOR)) -> dict[str, Any]:
    """Good once, for ten minutes. A sign of that name that was enrolled before goes on until the code is
    used; then its old token is worth nothing."""
    service = service_of(request.app)
    sign = wire.decode(wire.SignCode, await request.body()).sign
    _check_free(service, sign)
    code, now = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH)), service.book.clock.now()
    expires_at = now + GOOD_FOR * SECOND
    enrolment = Enrolment(code_sha256=hashed(code), sign=sign, made_at=now, expires_at=expires_at)
    async with service.book.store.transaction() as connection:
        await open_enrolment(connection, enrolment)
        await write_acts(connection, [service.auditor.allowed(request)])
    shown = f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"
    return {"sign": sign, "code": shown, "expires_at": spoken_instant(expires_at)}


def _check_free(service: Service, sign: str) -> None:
    known = service.identity.credential(sign)
    if known is not None and known.role is not Role.SIGN:
        raise Problem(409, "name_taken", f"{sign} is the name of a credential that is not a sign's")
    if known is not None and known.name != sign:
        raise Problem(409, "name_taken", f"there is a sign {known.name}: names differ in more than capitals")


@router.post(
    "",
    summary="Enrol this sign",
    status_code=201,
    openapi_extra=said(wire.Enrolment, example={"code": "K7QM-3XWD"}) | {"security": []},
    responses=problems(401, 409, 413, 415, 422, 429, 503)
    | answered(201, "A cookie with the sign's token", {"sign": "wall-north"}),
)
async def enrol(request: Request) -> Response:
    """By the sign itself. Its browser keeps the cookie `jackpot_sign`."""
    service = service_of(request.app)
    given = wire.decode(wire.Enrolment, await request.body()).code
    address = address_of(request)
    with service.logins.entered(address):
        await service.logins.admit(NOBODY, address)
    sign = await _enrolled(service, "".join(one for one in given.upper() if one.isalnum()), address)
    if sign is None:
        raise Problem(401, "code_unknown", "this code enrols no sign, or does so no longer")
    name, token = sign
    await service.identity.refresh()
    return _welcomed(service, name, token)


async def _enrolled(service: Service, code: str, address: str) -> tuple[str, str] | None:
    token, now = secrets.token_urlsafe(32), service.book.clock.now()
    async with service.book.store.transaction() as connection:
        sign = await take_enrolment(connection, hashed(code), at=now)
        if sign is None:
            return None
        _check_free(service, sign)
        credential = Credential(name=sign, role=Role.SIGN, person=sign, token_sha256=hashed(token))
        await put_credentials(connection, [credential], at=now)
        await service.logins.succeeded(connection, NOBODY, address)
        await write_acts(connection, [service.auditor.act(sign, "enrol", {"address": address})])
    return sign, token


def _welcomed(service: Service, sign: str, token: str) -> Response:
    response = JSONResponse({"sign": sign}, 201, {"Cache-Control": "no-store"})
    response.set_cookie(
        SIGN_COOKIE,
        token,
        max_age=KEPT,
        httponly=True,
        samesite="strict",
        secure=service.settings.cookies_are_secure,
    )
    return response
