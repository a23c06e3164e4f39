"""What the display of a table shows."""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from api.callers.identity import Caller
from api.http.describing import READ, answered, problems
from api.routing.auth import TableReading, guarded_router
from api.routing.streaming import Stream, table_events
from api.service import Service, service_of
from displays.hub.encoding import TableShown
from jackpot.core.refusals import TableUnknown

router = guarded_router(prefix="/v1/tables/{table}", tags=["signs"])
_DISPLAY = {
    "table": "stud-01",
    "link": "main",
    "name": "Multi-Link Progressive",
    "currency": "SGD",
    "game": "casino_stud",
    "boxes": 7,
    "state": "open",
    "notice": None,
    "blocked": [],
    "progressive_bet": 500,
    "minimum": None,
    "maximum": None,
    "pay_table": [
        {
            "hand": "royal_flush",
            "name": "Royal Flush",
            "level": "major",
            "percent": 100,
            "times": None,
            "award": None,
        }
    ],
    "cap": None,
}


@router.get(
    "/display",
    summary="What a table's display shows",
    response_class=Response,
    responses=problems(*READ)
    | answered(200, "Besides the meter: the bet, the pay table, the notice, blocked boxes", _DISPLAY),
)
async def display(request: Request, table: str, _: Caller | None = TableReading) -> Response:
    """As public as the meter of the table's link, and from memory like it. `cap` is the most that the fixed
    awards of one round come to together. In a pit there is no bet and no pay table of a jackpot, but `rules`
    in words and `side_bets` with limits and odds."""
    told = _table(service_of(request.app), table)
    return _json(told.body, told.tag)


@router.get(
    "/meter",
    summary="The meter of a table's link",
    response_class=Response,
    responses=problems(*READ),
)
async def meter(request: Request, table: str, _: Caller | None = TableReading) -> Response:
    """For a display that knows only its table. The same JSON as the link's own meter; a table in a pit has
    none (404)."""
    service = service_of(request.app)
    shown = service.latest(_table(service, table).link)
    return _json(shown.body, shown.tag)


@router.get(
    "/stream",
    summary="A table's display as it changes",
    response_class=StreamingResponse,
    responses=problems(*READ, 429)
    | {200: {"description": "Server-sent events", "content": {"text/event-stream": {}}}},
)
async def stream(request: Request, table: str, caller: Caller | None = TableReading) -> StreamingResponse:
    """`event: table` with the JSON of the display, `event: meter` with that of the meter."""
    service = service_of(request.app)
    _table(service, table)
    return Stream(request, caller, "table", table_events(service.hub, table))


def _table(service: Service, table: str) -> TableShown:
    told = service.hub.table(table)
    if told is None:
        raise TableUnknown(f"no link has a table {table[:80]!r}", table=table[:80])
    return told


def _json(body: bytes, tag: str) -> Response:
    headers = {"Cache-Control": "no-cache", "ETag": f'"{tag}"'}
    return Response(body, 200, headers, "application/json")
