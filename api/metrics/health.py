"""Alive and ready: for whoever watches the process, open to all. Metrics: to each what he may hear."""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from api.callers.identity import Caller
from api.http.describing import problems
from api.http.errors import Later
from api.metrics.exposition import exposition
from api.routing.auth import Metrics, guarded_router
from api.service import Service, service_of
from jackpot.book.writing.writer import TROUBLE

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
async def metrics(request: Request, reader: Caller | None = Metrics) -> Response:
    """Open to all, unless the settings say otherwise (`JACKPOT_PUBLIC_METRICS=false`). Money beyond the
    meter, and the figures of links whose readings are not public, are told with the token of an operator,
    supervisor or auditor only."""
    return await _exposed(service_of(request.app), to_house=reader is not None)


async def _exposed(service: Service, *, to_house: bool) -> Response:
    text = await exposition(service, to_house=to_house)
    return PlainTextResponse(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)


def for_monitoring(service: Service) -> ASGIApp:
    """All metrics, for whoever reaches the port that nothing else is served on."""

    async def everything(_: Request) -> Response:
        return await _exposed(service, to_house=True)

    async def alive(_: Request) -> Response:
        return JSONResponse(await healthz())

    return Starlette(routes=[Route("/metrics", everything), Route("/healthz", alive)])
