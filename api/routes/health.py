"""Alive and ready: for whoever watches the process, open to all."""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from api.auth import Metrics, guarded_router
from api.describing import problems
from api.errors import Later
from api.identity import Caller
from api.metrics import exposition
from api.service import service_of
from jackpot.book.writer import TROUBLE

router = guarded_router(tags=["health"])


@router.get("/healthz", summary="Alive", openapi_extra={"security": []})
async def healthz() -> dict[str, str]:
    """The process answers. Says nothing about the book."""
    return {"status": "alive"}


@router.get(
    "/readyz",
    summary="Ready: the book can commit",
    openapi_extra={"security": []},
    responses=problems(503),
)
async def readyz(request: Request) -> dict[str, str]:
    """Commits a row, and answers when it is durable; 503 if that is not possible, or while a link's commits
    do not succeed."""
    service = service_of(request.app)
    if service.hub.closing:
        raise Later("stopping", "the service is stopping")
    pulse = service.book.pulse
    try:
        await pulse.beat(service.book.clock.now())
    except TROUBLE as trouble:
        raise Later("unavailable", "the book cannot commit now") from trouble
    if pulse.hanging:
        raise Later("unavailable", "a link cannot commit now")
    return {"status": "ready"}


@router.get(
    "/metrics",
    summary="Counters and gauges for Prometheus",
    response_class=PlainTextResponse,
    responses=problems(401, 403),
)
async def metrics(request: Request, _: Caller | None = Metrics) -> Response:
    """Open to all, unless the settings say otherwise (`JACKPOT_PUBLIC_METRICS=false`)."""
    text = await exposition(service_of(request.app))
    return PlainTextResponse(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)
