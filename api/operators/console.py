"""The operators' console: its pages, what an act would do, and the word that something has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated
from urllib.parse import quote

from fastapi import Body, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from api.callers.identity import Caller
from api.http.errors import Problem, Unauthenticated
from api.http.language import of_reader
from api.operators import examples
from api.operators.act import a_link, check_when
from api.operators.acts_on_days import CLOSE_DAY, gaming_day
from api.operators.examples import example
from api.operators.house import LinkId, Reader
from api.operators.previews import Preview, PreviewSaid, command_of
from api.routing.auth import COOKIE, allowed, authenticate, guarded_router
from api.routing.streaming import ALIVE, BEGINNING, KEEPALIVE, Stream
from api.service import service_of
from displays.hub.encoding import Shown
from displays.hub.hub import Hub
from displays.pages.console import FIRST, LOGIN, PAGES, console_page, login_page
from displays.pages.pages import PAGE_HEADERS
from jackpot.book.beside.roles import PEOPLE, Role
from jackpot.book.writing.preview import Rehearsal, rehearse

LONG = 3600.0
"""Seconds: a link may be quiet, and the stream says all the same that it still lives."""
router = guarded_router(tags=["the House"])
Previewer = Annotated[Caller, allowed(Role.OPERATOR, Role.SUPERVISOR, Role.AUDITOR, recorded=True)]


# Pages


@router.get("/console", include_in_schema=False)
async def front(request: Request) -> Response:
    return await _page(request, FIRST)


@router.get("/console/{name}", include_in_schema=False)
async def console(request: Request, name: str) -> Response:
    if name == LOGIN:
        return _html(login_page(of_reader(request, service_of(request.app).floor.language)))
    if name not in PAGES:
        raise Problem(404, "not_found", "the console has no such page")
    return await _page(request, name)


async def _page(request: Request, name: str) -> Response:
    caller = await _person(request)
    if caller is None:
        wanted = f"{name}?{request.url.query}" if request.url.query else name
        return RedirectResponse(
            f"/console/{LOGIN}?then={quote(wanted, safe='')}", 303, {"Cache-Control": "no-store"}
        )
    language = of_reader(request, service_of(request.app).floor.language)
    return _html(console_page(name, person=caller.person, role=caller.role.value, language=language))


async def _person(request: Request) -> Caller | None:
    """Who is logged in. A page is looked at with a session; tokens are for programs."""
    if request.cookies.get(COOKIE) is None:
        return None
    try:
        caller = await authenticate(service_of(request.app), request)
    except Unauthenticated:
        return None
    return caller if caller.role in PEOPLE else None


def _html(text: str) -> Response:
    return HTMLResponse(text, headers=PAGE_HEADERS | {"Cache-Control": "no-store"})


# What an act would do


@router.post(
    "/v1/links/{link}/previews",
    summary="What an act would do, without doing it",
    responses=examples.PREVIEW,
)
async def preview(
    request: Request,
    link: LinkId,
    caller: Previewer,
    said: Annotated[
        PreviewSaid,
        Body(openapi_examples=example({"act": "seed", "said": {"seed": 6000000, "reason": "new season"}})),
    ],
) -> Preview:
    """Played on the link as it stands now, with the second person's confirmation where it takes two; refused
    as the act itself would be. Nothing is written."""
    return Preview.of(await previewed(request, a_link(request, link), said, caller, in_pit=False))


async def previewed(
    request: Request, place: str, said: PreviewSaid, caller: Caller, *, in_pit: bool
) -> Rehearsal:
    book = service_of(request.app).book
    day = await gaming_day(request, said.id or "") if said.act == CLOSE_DAY.preview else None
    command = command_of(said, place, caller, in_pit=in_pit, day=day)
    check_when(request, command)
    return await rehearse(book.store, place, command, at=book.clock.now())


# That something has changed


@router.get(
    "/v1/house/stream",
    summary="That something has changed, link by link and pit by pit",
    response_class=StreamingResponse,
    responses=examples.CHANGES,
)
async def changes(request: Request, caller: Reader) -> StreamingResponse:
    """`event: changed` with the link and its reading, or the pit, after each commit, whichever replica made
    it. It costs the book nothing; what has changed is asked for where it is told."""
    return Stream(request, caller, "console", _changes(service_of(request.app).hub))


async def _changes(hub: Hub) -> AsyncGenerator[bytes]:
    seen = dict.fromkeys(hub.channels, "")
    waiting: dict[asyncio.Task[Shown | None], str] = {}
    yield BEGINNING
    try:
        while not hub.closing:
            for link in seen.keys() - waiting.values():
                waiting[asyncio.create_task(hub.newer(link, seen[link], within=LONG))] = link
            done, _ = await asyncio.wait(waiting, timeout=KEEPALIVE, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                yield ALIVE
            for task in done:
                link, shown = waiting.pop(task), task.result()
                if shown is None:
                    return
                if shown.key != seen[link]:
                    seen[link] = shown.key
                    yield b"event: changed\ndata: " + shown.body + b"\n\n"
    finally:
        for task in waiting:
            task.cancel()
