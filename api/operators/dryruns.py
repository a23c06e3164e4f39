"""Dry runs for the House: what recorded play would have come to under other parameters.

A run lives in the process that was asked for it, and reads the book in a child process of low priority.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Body, Path, Request
from fastapi.responses import Response

from api.callers.identity import Caller
from api.dryruns.asked import Asked
from api.dryruns.jobs import Job, State, StillRunning
from api.dryruns.picture import drawn
from api.dryruns.told import as_csv
from api.http.errors import Problem
from api.operators import examples
from api.operators.act import a_link
from api.operators.dryrun_answers import DryRunSaid, DryRunsTold, DryRunTold, told
from api.operators.examples import example
from api.operators.house import LinkId, Reader
from api.routing.auth import allowed, guarded_router
from api.service import Service, service_of
from jackpot.book.beside.roles import Role
from jackpot.book.reading.playback import NothingHappened, stretch

router = guarded_router(prefix="/v1", tags=["the House"])
Player = Annotated[Caller, allowed(Role.OPERATOR, Role.SUPERVISOR)]
RunId = Annotated[str, Path(examples=["9f2c1b7a"], max_length=40)]
FileName = Annotated[str, Path(examples=["meter.svg"], max_length=40)]


@router.post(
    "/links/{link}/dryruns",
    status_code=202,
    summary="Play a time again under other parameters, without writing anything",
    responses=examples.DRYRUN_STARTED,
)
async def start_dryrun(
    request: Request,
    link: LinkId,
    caller: Player,
    said: Annotated[DryRunSaid, Body(openapi_examples=example({"seed": 10000000, "policy": "split"}))],
) -> DryRunTold:
    """The recorded facts are played again by the same rules. One run at a time; how far it is, and what it
    has found, is told under its id by the process that runs it."""
    service, asked = service_of(request.app), said.asked(a_link(request, link))
    try:
        service.dryruns.check_free()
        await _check_played(service, asked)
        job = service.dryruns.start(Job(secrets.token_hex(4), asked, caller.person, service.book.clock.now()))
    except StillRunning as running:
        raise Problem(409, "dryrun_running", f"{running}", more={"id": running.running.id}) from None
    return DryRunTold.model_validate(told(job))


async def _check_played(service: Service, asked: Asked) -> None:
    try:
        await stretch(service.book.store, asked.link, asked.since, asked.until)
    except NothingHappened as nothing:
        raise Problem(422, "nothing_happened", f"{nothing}", more={"field": "from"}) from None


@router.get(
    "/links/{link}/dryruns", summary="The dry runs that this process knows", responses=examples.DRYRUNS
)
async def dryruns(request: Request, link: LinkId, _caller: Reader) -> DryRunsTold:
    service = service_of(request.app)
    service.latest(a_link(request, link))
    jobs = service.dryruns.of_link(link)
    return DryRunsTold(dryruns=[told(job, whole=False) for job in jobs])


@router.get(
    "/links/{link}/dryruns/{id}",
    summary="How far a dry run is, and what it has found",
    responses=examples.DRYRUN,
)
async def dryrun(request: Request, link: LinkId, id: RunId, _caller: Reader) -> DryRunTold:
    return DryRunTold.model_validate(told(_job(request, link, id)))


@router.delete(
    "/links/{link}/dryruns/{id}", summary="Stop a dry run that is running", responses=examples.DRYRUN
)
async def stop_dryrun(request: Request, link: LinkId, id: RunId, _caller: Player) -> DryRunTold:
    """One that has ended stays as it is."""
    job = _job(request, link, id)
    await service_of(request.app).dryruns.stop(job)
    return DryRunTold.model_validate(told(job))


_FILES: dict[str, tuple[str, Callable[[dict[str, Any]], str]]] = {
    "payments.csv": ("text/csv; charset=utf-8", as_csv),
    "found.json": ("application/json", lambda found: json.dumps(found, indent=1) + "\n"),
    "meter.svg": ("image/svg+xml", drawn),
}


@router.get(
    "/links/{link}/dryruns/{id}/{file}",
    summary="What it has found as a file: `payments.csv`, `found.json` or `meter.svg`",
    response_class=Response,
    responses=examples.DRYRUN_FILE,
)
async def dryrun_file(request: Request, link: LinkId, id: RunId, file: FileName, _caller: Reader) -> Response:
    job = _job(request, link, id)
    if file not in _FILES:
        raise Problem(404, "not_found", f"a dry run has {', '.join(_FILES)}")
    if job.state is not State.DONE or job.found is None:
        raise Problem(409, "dryrun_not_done", f"dry run {job.id} is {job.state}")
    kind, made = _FILES[file]
    name = f"{job.asked.link}-{job.id}-{file}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(made(job.found), headers=headers, media_type=kind)


def _job(request: Request, link: str, id: str) -> Job:
    found = service_of(request.app).dryruns.get(a_link(request, link), id)
    if found is None:
        raise Problem(404, "dryrun_unknown", "this process has no such dry run")
    return found
