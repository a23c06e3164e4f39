"""Alive and ready: for whoever watches the process, open to all."""

from __future__ import annotations

from fastapi import APIRouter, Request

from api.errors import Later
from api.service import service_of
from jackpot.book.pulse import beat
from jackpot.book.writer import TROUBLE

router = APIRouter(tags=["health"])


@router.get("/healthz", summary="Alive")
async def healthz() -> dict[str, str]:
    """The process answers. Says nothing about the book."""
    return {"status": "alive"}


@router.get("/readyz", summary="Ready: the book can commit")
async def readyz(request: Request) -> dict[str, str]:
    """Commits a row, and answers when it is durable; 503 if that is not possible."""
    service = service_of(request.app)
    if service.hub.closing:
        raise Later("stopping", "the service is stopping")
    try:
        await beat(service.book.store, service.process, service.book.clock.now())
    except TROUBLE as trouble:
        raise Later("unavailable", "the book cannot commit now") from trouble
    return {"status": "ready"}
