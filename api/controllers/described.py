"""What the doors are like, for the OpenAPI document: `api.controllers.door` and `api.signage.polls`."""

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
    "shares": {"royal_flush": 100, "straight_flush": 10},
    "as_of": "2026-01-31T12:15:30.250000Z",
}


_MARK = {"value": 5012345, "sequence": 812, "next": None}
_SETTLED = {"box": 1, "outcome": "win", "collected": 0, "rule": "3.14.1"}
_RETURNED = {"box": 1, "outcome": "returned", "pays": None, "won": 0, "collected": 0, "rule": "5.22"}


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
            "meter": _MARK,
        },
    )
    | {200: {"description": "The same message again: the same answer"}},
)
def close_bets(table: str, round: Annotated[int, Path(ge=0)]) -> None:
    """Once a round, when the dealer has said "No more bets". The same content again answers as the first
    time; other content is 409 `conflict`. An answer means that it is durable."""


@router.put(
    "/v1/tables/{table}/rounds/{round}/hands",
    tags=["table controllers"],
    summary="Hands of a round",
    response_class=Response,
    openapi_extra=said(
        wire.Hands,
        pit_wire.PitHands,
        example={
            "sent_at": _SENT,
            "final": False,
            "hands": [
                {
                    "box": 1,
                    "cards": ["9h", "8h", "7h", "6h", "5h"],
                    "dealt_at": _SENT,
                    "deal_order": 1,
                    "decision": "bet",
                    "bet": 5000,
                }
            ],
            "dealer": {"cards": ["Ac", "Kd", "8s", "4s", "3c"]},
        },
    ),
    responses=problems(*ACT)
    | answered(
        200,
        "What each hand is worth",
        {
            "state": "hands_known",
            "results": [
                {"box": 1, "hand": "straight_flush", "level": "major", "award": None, "win": "stud-01.7.1.1"}
            ],
            "settlement": [
                _SETTLED | {"wager": "ante", "stake": 2500, "pays": "1 to 1", "payout": 5000, "won": 2500},
                _SETTLED
                | {"wager": "bet", "stake": 5000, "pays": "50 to 1", "payout": 255000, "won": 250000},
            ],
            "adjustments": [],
            "returned": [],
            "meter": _MARK,
            "replied_at": _SENT,
        },
    ),
)
def report_hands(table: str, round: Annotated[int, Path(ge=0)]) -> None:
    """What is known of the round's hands; what is left out stays as told. The same content again answers as
    before; other content adds to it or corrects it until the round is settled (`final`, or the next round
    begun), afterwards 409 `round_stands`. A major is registered as a win and held until it is ordered,
    approved and paid.

    With the wagers and decisions of the boxes and the dealer's cards, `settlement` tells what becomes of each
    wager of the main game, as soon as it is certain and with its paragraph: the whole round as it stands.
    `adjustments` tell what changed against what was told before, `returned` what goes back because of this
    message. Once anything of the main game was told, `final` with a wager open is 422 `play_incomplete`."""


@router.post(
    "/v1/tables/{table}/rounds/{round}/void",
    tags=["table controllers"],
    summary="Void a round",
    response_class=Response,
    openapi_extra=said(wire.Void, example={"sent_at": _SENT, "reason": "5.8.1", "note": "misdeal"}),
    responses=problems(*ACT)
    | answered(
        200,
        "All bets are returned",
        {
            "state": "voided",
            "returned": [
                {"box": 1, "amount": 500, "code": "round_voided", "rule": "5.22", "wager": "progressive"}
            ],
            "settlement": [
                _RETURNED | {"wager": "ante", "stake": 2500, "payout": 2500},
                _RETURNED | {"wager": "bet", "stake": 5000, "payout": 5000},
            ],
            "adjustments": [
                {"box": 1, "wager": "ante", "before": 5000, "after": 2500, "difference": -2500},
                {"box": 1, "wager": "bet", "before": 255000, "after": 5000, "difference": -250000},
            ],
            "meter": _MARK,
            "replied_at": _SENT,
        },
    ),
)
def void_round(table: str, round: Annotated[int, Path(ge=0)]) -> None:
    """Return the round's bets and reverse its contributions; `adjustments` undo what was told before,
    `returned` is the rest. Only the current round can be voided, not once it is settled (409 `round_stands`)
    or a major of it has been paid (409 `win_paid`), and by S 5.17 or H 5.16 not once a player has seen cards
    (422 `cards_were_seen`)."""


@router.post(
    "/v1/tables/{table}/heartbeat",
    tags=["table controllers"],
    summary="Heartbeat",
    response_class=Response,
    openapi_extra=said(
        wire.Heartbeat,
        example={
            "sent_at": _SENT,
            "echo": {"replied_at": _SENT, "heard_at": _SENT},
            "in_play": True,
            "meters": {
                "first": 1,
                "round": 17,
                "rounds": 16,
                "bets": 41500,
                "returned": 500,
                "awards": 20000,
            },
        },
    ),
    responses=problems(*ACT)
    | answered(
        200,
        "House time, and what the table must show",
        {
            "received_at": _SENT,
            "table_state": "in_play",
            "progressive": "on",
            "notice": None,
            "terms": {"boxes": 7, "minimum": 2500, "maximum": 200000, "name": "", "side": {}},
            "meter": _MARK,
            "replied_at": _SENT,
        },
    ),
)
def heartbeat(table: str) -> None:
    """The table lives. `echo`, in any message, is the last answer's `replied_at` and when the table's clock
    had it: with it the House measures that clock. `clock` is the table's own word and decides nothing.
    `meters` is what the controller has counted up to the last round that is over; the House compares it with
    its own. `terms` are those of the rounds to come: a round that has begun keeps those with which it
    began."""


@router.post(
    "/v1/tables/{table}/events",
    tags=["table controllers"],
    summary="Several messages in order",
    response_class=Response,
    openapi_extra=said(
        wire.EventsSaid,
        example={
            "events": [
                {"kind": "void", "round": 7, "sent_at": _SENT, "reason": "5.8.1"},
                {"kind": "heartbeat", "sent_at": _SENT},
            ],
            "offline": {
                "since": _SENT,
                "cards_seen": False,
                "registered": {"value": 5012345, "sequence": 812},
            },
        },
    ),
    responses=problems(*ACT)
    | answered(
        200,
        "An answer for each, in order: its status, and the answer or the problem",
        {
            "answers": [
                {"status": 200, "answer": {"state": "voided", "returned": [], "meter": _MARK}},
                {"status": 409, "problem": {"code": "sent_at_fell", "status": 409}},
            ]
        },
    ),
)
def replay_events(table: str) -> None:
    """A spool replayed, or one message for several rounds. Each event is answered by itself and a refused one
    does not stop the others; 503 for the whole means that all of it is to be sent again. `offline` comes
    first: what the table did while it could not reach the service, and what it promised its players."""


@router.post(
    "/v1/sites/{site}/events",
    tags=["table controllers"],
    summary="What several tables of a site say",
    response_class=Response,
    openapi_extra=said(
        wire.SiteEventsSaid,
        example={
            "events": [
                {"table": "stud-01", "kind": "heartbeat", "sent_at": _SENT},
                {"table": "stud-02", "kind": "void", "round": 7, "sent_at": _SENT, "reason": "5.8.1"},
            ]
        },
    ),
    responses=problems(*ACT)
    | answered(
        200,
        "An answer for each, in order: its table, its status, and the answer or the problem",
        {
            "answers": [
                {
                    "table": "stud-01",
                    "status": 200,
                    "answer": {"table_state": "in_play", "notice": None, "meter": _MARK},
                },
                {"table": "stud-02", "status": 409, "problem": {"code": "round_stands", "status": 409}},
            ]
        },
    ),
)
def site_events(site: str) -> None:
    """A gateway speaks for the tables that its token lists, many in one message. Each event is what its table
    would say by itself, with that table's own numbers and stamps, and is answered or refused by itself, also
    with 503; of one table they are taken in order. What a table did while it was offline is replayed at its
    own address, with the gateway's token."""


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
