"""Signs: the stream, the line for LED controllers, receipts. Polls have a door of their own (`polls`)."""

from __future__ import annotations

import time
from hashlib import sha256

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from api.callers.identity import Caller
from api.controllers import wire
from api.http.describing import ACT, READ, answered, problems, said
from api.http.errors import TooMany
from api.routing.auth import Reading, allowed, guarded_router
from api.routing.streaming import Stream, meter_events
from api.service import Service, service_of
from jackpot.book.beside.roles import Role
from jackpot.book.writing.notes import Receipt
from jackpot.core.instants import parse_instant
from jackpot.core.refusals import TableUnknown

router = guarded_router(prefix="/v1/links/{link}", tags=["signs"])


_TERMS = {
    "link": "main",
    "name": "Multi-Link Progressive",
    "currency": "SGD",
    "progressive_bet": 500,
    "pay_table": [
        {
            "hand": "royal_flush",
            "name": "Royal Flush",
            "level": "major",
            "ways": 4,
            "percent": 100,
            "times": None,
            "award": None,
        }
    ],
    "cap": None,
    "terms": {
        "seed": 5000000,
        "meter_ppm": 400000,
        "reserve_ppm": 50000,
        "house_ppm": 550000,
        "ceiling": None,
        "ceiling_hidden": False,
        "top_up_to_seed": False,
        "policy": "ordered",
        "window_ms": None,
        "deals": 2598960,
        "return": {"fixed": 1196800000, "of_value": 19, "over": 3248700000},
    },
}


@router.get(
    "/terms",
    summary="What players are told of a jackpot before they bet",
    response_class=Response,
    responses=problems(*READ) | answered(200, "The bet, the pay table and the terms", _TERMS),
)
async def terms(request: Request, link: str, _: Caller | None = Reading) -> Response:
    """As public as the meter, and from memory like it. Of a bet, `(fixed + of_value * value) / over` comes
    back on average, exactly, where `value` is the displayed one; a hand's chance is `ways` of `deals`.
    `seed` is that with which the jackpot of a bet placed now begins again. A ceiling may be hidden."""
    service = service_of(request.app)
    service.latest(link)
    told = service.hub.terms(link)
    if told is None:
        raise TableUnknown(f"no table plays for {link[:80]!r}")
    tag = f'"{sha256(told).hexdigest()[:16]}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(told, 200, headers, "application/json")


@router.get(
    "/stream",
    summary="Readings as they happen",
    response_class=StreamingResponse,
    responses=problems(*READ, 429)
    | {200: {"description": "Server-sent events", "content": {"text/event-stream": {}}}},
)
async def stream(request: Request, link: str, caller: Caller | None = Reading) -> StreamingResponse:
    """`event: meter`, the JSON of the meter as `data`, the ETag's content as `id`. A sign that comes back
    with `Last-Event-ID` is told the latest reading unless it is the one it has seen. A reading that a newer
    one has overtaken within a tenth of a second may be left out."""
    service = service_of(request.app)
    service.latest(link)
    events = meter_events(service.hub, link, request.headers.get("last-event-id", ""))
    return Stream(request, caller, "meter", events)


@router.get(
    "/meter.txt",
    summary="One line for LED controllers",
    response_class=PlainTextResponse,
    responses=problems(*READ)
    | {200: {"description": "One line", "content": {"text/plain": {"example": "SGD 50,123.45\n"}}}},
)
async def meter_text(request: Request, link: str, _: Caller | None = Reading) -> Response:
    """The displayed value; after it, if it is not to be played for as it stands, OFF, CLOSED or STALE."""
    shown = service_of(request.app).latest(link)
    fault = "" if shown.state in ("open", "held") else f" {shown.state.upper()}"
    headers = {"Cache-Control": "no-cache", "ETag": f'"{shown.tag}"'}
    return PlainTextResponse(f"{shown.display}{fault}\n", 200, headers)


@router.post(
    "/receipts",
    summary="What a sign showed",
    status_code=202,
    openapi_extra=said(
        wire.Receipt,
        example={
            "sign": "sign-1",
            "sequence": 812,
            "value": 5012345,
            "shown_at": "2026-01-31T20:15:30.250+08:00",
        },
    ),
    responses=problems(*ACT),
)
async def receive_receipt(
    request: Request, link: str, caller: Caller = allowed(Role.SIGN, recorded=True)
) -> dict[str, bool]:
    """A sign tells what it showed and when, at most once a second with one token, whatever sign it names. It
    is verified if the token is that sign's own; otherwise it is kept as unverified. Durable within two
    seconds of the answer."""
    service = service_of(request.app)
    service.latest(link)
    told = wire.decode(wire.Receipt, await request.body())
    shown_at = parse_instant(told.shown_at, field="shown_at")
    _check_pace(service, (link, caller.name))
    receipt = Receipt(
        link=link,
        sign=told.sign,
        sequence=told.sequence,
        value=told.value,
        shown_at=shown_at,
        received_at=service.book.clock.now(),
        verified=told.sign == caller.name,
    )
    service.notes.note(receipt)
    service.counters.receipts[link, receipt.verified] += 1
    return {"verified": receipt.verified}


def _check_pace(service: Service, sender: tuple[str, str]) -> None:
    """By link and token, not by the sign that is named: of names there is no end."""
    now = time.monotonic()
    if now - service.receipts_heard.get(sender, -1.0) < 1.0:
        raise TooMany("a sign tells at most once a second", 1, "too_many_receipts")
    service.receipts_heard[sender] = now
