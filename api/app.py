"""The service, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.types import ASGIApp

from api.auditors import records
from api.callers.auditor import Auditor, Counters
from api.callers.identity import Identity
from api.controllers import described
from api.controllers.speech import SPOKEN
from api.fast_path import Doors
from api.floor.applying import apply_floor
from api.floor.file import check_safe, read_floor
from api.http import errors
from api.http.describing import describe
from api.metrics import health
from api.operators import (
    acts,
    console,
    days,
    dryruns,
    floor,
    handovers,
    house,
    irregularities,
    overview,
    pits,
    profile,
    reconciliation,
    sessions,
    webhooks,
)
from api.service import Service
from api.settings import Settings
from api.signage import enrolment, pages, players, signs, table_displays
from displays.hub.hub import Hub
from displays.hub.relay import Relay, Seal
from jackpot.book.beside.anchors import Anchors, check_secret, read_key
from jackpot.book.book import Book
from jackpot.book.checking.selfcheck import SelfCheck
from jackpot.book.writing.notes import Notes


def create_app(service: Service) -> ASGIApp:
    """The service as an ASGI application: `async with serving(settings) as service: create_app(service)`."""
    public = service.settings.public_docs
    app = FastAPI(
        title="Multi-Link Progressive",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json" if public else None,
    )
    app.state.service = service
    errors.install(app)
    people = (
        sessions,
        house,
        overview,
        handovers,
        profile,
        floor,
        acts,
        dryruns,
        irregularities,
        records,
        reconciliation,
        days,
        console,
        pits,
        webhooks,
    )
    for part in (health, signs, table_displays, players, enrolment, *people):
        app.include_router(part.router)
    pages.install(app, documented=public)
    describe(app, described.router.routes, SPOKEN)
    return Doors(app, service)


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Service]:
    """Everything that runs besides the requests, from the start to the last answer."""
    floor = read_floor(settings.floor)
    if not settings.demo:
        check_safe(floor)
    required = settings.standby == "required"
    book = await Book.open(settings.database_url, anchors=_anchors(settings), standby_required=required)
    check = SelfCheck(book, hours=settings.self_check_hours)
    try:
        await check.start()
        await apply_floor(book, floor)
        notes, counters = Notes(book.store), Counters()
        service = Service(
            settings=settings,
            floor=floor,
            book=book,
            identity=Identity(book),
            notes=notes,
            auditor=Auditor(notes, book.clock, counters),
            hub=Hub(book, _relay(settings, book), ceiling_hidden=floor.ceiling_to_players == "hidden"),
            counters=counters,
            check=check,
        )
        await service.start()
        try:
            yield service
        finally:
            await service.stop()
    finally:
        await check.stop()
        await book.close()


def _relay(settings: Settings, book: Book) -> Relay | None:
    if settings.redis_url is None:
        return None
    from displays.hub.redis_relay import RedisRelay  # a service without Redis does not import it

    return RedisRelay(settings.redis_url.get_secret_value(), Seal(book.epoch, book.news_key))


def _anchors(settings: Settings) -> Anchors | None:
    if settings.anchors is None or settings.anchor_key is None:
        return None
    if not settings.demo:
        check_secret(settings.anchor_key)
    return Anchors(settings.anchors, read_key(settings.anchor_key))
