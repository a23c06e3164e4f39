"""What the two doors are like, for the OpenAPI document. They are answered by `api.fast_path`."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response

from api.controllers import pit_wire, wire
from api.http.describing import ACT, READ, answered, problems, said

router = APIRouter()
_SENT = "2026-01-31T20:15:30.250000+08:00"
_METER = {
    "link": "main",
    "name": "Multi-Link Progressive",
    "value": 5012345,
    "display": "SGD 50,123.45",
    "currency": "SGD",
    "epoch": "0f3c",
    "sequence": 812,
    "state": "held",
    "pending": [{"hand": "royal_flush", "table": "holdem-02", "amount": 5012345}],
    "next": 5000000,
    "last_hit": {
        "win": "stud-01.6.3.1",
        "hand": "straight_flush",
        "table": "stud-01",
        "box": 3,
        "amount": 501234,
        "at": "2026-01-31T12:02:11.000000Z",
    },
    "as_of": "2026-01-31T12:15:30.250000Z",
}


@router.put(
    "/v1/tables/{table}/rounds/{round}/bets",
    tags=["table controllers"],
    summary="Bets of a round",
    response_class=Response,
    openapi_extra=said(
        wire.Bets,
        pit_wire.PitBets,
        example={
            "sent_at": _SENT,
            "closed_at": _SENT,
            "boxes": [{"box": 1, "ante": 2500, "progressive": 500}, {"box": 2, "progressive": 500}],
        },
    ),
    status_code=201,
    responses=problems(*ACT)
    | answered(
        201,
        "Which bets stand and which go back",
        {
            "table": "stud-01",
            "round": 7,
            "state": "bets_closed",
            "accepted": [{"box": 1, "progressive": 500}],
            "returned": [{"box": 2, "amount": 500, "code": "no_ante", "rule": "5.4", "wager": "progressive"}],
            "meter": {"value": 5012345, "sequence": 812, "next": None},
        },
    )
    | {200: {"description": "The same message again: the same answer"}},
)
def close_bets(table: str, round: Annotated[int, Path(ge=0)]) -> None:
    """Once a round, when the dealer has said "No more bets". The same content again answers as the first
    time; other content is 409 `conflict`. An answer means that it is durable."""


@router.get(
    "/v1/links/{link}/meter",
    tags=["signs"],
    summary="The meter",
    response_class=Response,
    responses=problems(*READ, 429)
    | answered(200, "The latest reading", _METER)
    | {304: {"description": "What `If-None-Match` names is still the latest"}},
)
def meter(
    link: str,
    after: Annotated[int | None, Query(ge=0, description="Wait for a reading newer than this")] = None,
    wait: Annotated[float, Query(ge=0, le=60, description="For so many seconds at most")] = 0,
    if_none_match: Annotated[str | None, Header(description="An ETag")] = None,
) -> None:
    """What the signs show. The ETag is strong: `"epoch.sequence.state"`. With `after` and `wait` the answer
    comes with the first newer reading or change of state, or when the time is over."""
