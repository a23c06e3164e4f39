"""Table controllers: hands, voids, heartbeats, spools. Bets have a door of their own (`api.fast_path`)."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from api.callers.auditor import who
from api.callers.identity import Caller
from api.controllers import pit_wire, wire
from api.controllers.delivery import encode, replay, speech_of, take
from api.http.describing import ACT, answered, problems, said
from api.routing.auth import allowed, guarded_router
from api.service import service_of
from jackpot.book.beside.roles import Role

EVENTS_LIMIT = 1024 * 1024
SENT = "2026-01-31T20:15:30.250000+08:00"
METER = {"value": 5012345, "sequence": 812, "next": None}
SETTLED = {"box": 1, "outcome": "win", "collected": 0, "rule": "3.14.1"}
RETURNED = {"box": 1, "outcome": "returned", "pays": None, "won": 0, "collected": 0, "rule": "5.22"}
router = guarded_router(prefix="/v1/tables/{table}", tags=["table controllers"])


def _answer(status: int, answer: Any) -> Response:
    return Response(encode(answer), status, media_type="application/json")


@router.put(
    "/rounds/{round}/hands",
    summary="Hands of a round",
    response_class=Response,
    openapi_extra=said(
        wire.Hands,
        pit_wire.PitHands,
        example={
            "sent_at": SENT,
            "final": False,
            "hands": [
                {
                    "box": 1,
                    "cards": ["9h", "8h", "7h", "6h", "5h"],
                    "dealt_at": SENT,
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
                SETTLED | {"wager": "ante", "stake": 2500, "pays": "1 to 1", "payout": 5000, "won": 2500},
                SETTLED | {"wager": "bet", "stake": 5000, "pays": "50 to 1", "payout": 255000, "won": 250000},
            ],
            "adjustments": [],
            "returned": [],
            "meter": METER,
            "replied_at": SENT,
        },
    ),
)
async def report_hands(
    request: Request, table: str, round: str, _: Caller = allowed(Role.TABLE, recorded=True)
) -> Response:
    """What is known of the round's hands; what is left out stays as told. The same content again answers as
    before; other content adds to it or corrects it until the round is settled (`final`, or the next round
    begun), afterwards 409 `round_stands`. A major is registered as a win and held until it is ordered,
    approved and paid.

    With the wagers and decisions of the boxes and the dealer's cards, `settlement` tells what becomes of each
    wager of the main game, as soon as it is certain and with its paragraph: the whole round as it stands.
    `adjustments` tell what changed against what was told before, `returned` what goes back because of this
    message. Once anything of the main game was told, `final` with a wager open is 422 `play_incomplete`."""
    number = await _known(request, table, round)
    message = wire.decode((await speech_of(service_of(request.app), table)).hands, await request.body())
    return _answer(*await take(service_of(request.app), table, number, message))


@router.post(
    "/rounds/{round}/void",
    summary="Void a round",
    response_class=Response,
    openapi_extra=said(wire.Void, example={"sent_at": SENT, "reason": "5.8.1", "note": "misdeal"}),
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
                RETURNED | {"wager": "ante", "stake": 2500, "payout": 2500},
                RETURNED | {"wager": "bet", "stake": 5000, "payout": 5000},
            ],
            "adjustments": [
                {"box": 1, "wager": "ante", "before": 5000, "after": 2500, "difference": -2500},
                {"box": 1, "wager": "bet", "before": 255000, "after": 5000, "difference": -250000},
            ],
            "meter": METER,
            "replied_at": SENT,
        },
    ),
)
async def void_round(
    request: Request, table: str, round: str, _: Caller = allowed(Role.TABLE, recorded=True)
) -> Response:
    """Return the round's bets and reverse its contributions; `adjustments` undo what was told before,
    `returned` is the rest. Only the current round can be voided, not once it is settled (409 `round_stands`)
    or a major of it has been paid (409 `win_paid`), and by S 5.17 or H 5.16 not once a player has seen cards
    (422 `cards_were_seen`)."""
    number = await _known(request, table, round)
    message = wire.decode(wire.Void, await request.body())
    return _answer(*await take(service_of(request.app), table, number, message))


@router.post(
    "/heartbeat",
    summary="Heartbeat",
    response_class=Response,
    openapi_extra=said(
        wire.Heartbeat,
        example={"sent_at": SENT, "echo": {"replied_at": SENT, "heard_at": SENT}, "in_play": True},
    ),
    responses=problems(*ACT)
    | answered(
        200,
        "House time, and what the table must show",
        {
            "received_at": SENT,
            "table_state": "in_play",
            "progressive": "on",
            "notice": None,
            "meter": METER,
            "replied_at": SENT,
        },
    ),
)
async def heartbeat(request: Request, table: str, _: Caller = allowed(Role.TABLE, recorded=True)) -> Response:
    """The table lives. `echo`, in any message, is the last answer's `replied_at` and when the table's clock
    had it: with it the House measures that clock. `clock` is the table's own word and decides nothing."""
    await service_of(request.app).link_of(table)
    message = wire.decode(wire.Heartbeat, await request.body())
    return _answer(*await take(service_of(request.app), table, None, message))


@router.post(
    "/events",
    summary="Several messages in order",
    response_class=Response,
    openapi_extra=said(
        wire.EventsSaid,
        example={
            "events": [
                {"kind": "void", "round": 7, "sent_at": SENT, "reason": "5.8.1"},
                {"kind": "heartbeat", "sent_at": SENT},
            ],
            "offline": {
                "since": SENT,
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
                {"status": 200, "answer": {"state": "voided", "returned": [], "meter": METER}},
                {"status": 409, "problem": {"code": "sent_at_fell", "status": 409}},
            ]
        },
    ),
)
async def replay_events(
    request: Request, table: str, caller: Caller = allowed(Role.TABLE, most=EVENTS_LIMIT, recorded=True)
) -> Response:
    """A spool replayed, or one message for several rounds. Each event is answered by itself and a refused one
    does not stop the others; 503 for the whole means that all of it is to be sent again. `offline` comes
    first: what the table did while it could not reach the service, and what it promised its players."""
    service = service_of(request.app)
    await service.link_of(table)
    events = wire.decode(wire.Events, await request.body())
    return _answer(200, {"answers": await replay(service, caller, table, events, who(request, caller))})


async def _known(request: Request, table: str, round: str) -> int:
    """Existence is told before what is wrong with the message."""
    await service_of(request.app).link_of(table)
    return wire.round_number(round)
