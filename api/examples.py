"""Examples for the OpenAPI document: what the House says and is told."""

from __future__ import annotations

from typing import Any

from api.describing import ACT, READ, Responses, answered, problems

_AT = "2026-01-31T12:15:30.250000Z"
_HASH = "9f2c6f0b0c4b5a0a3d7a8b7e7c4d1f0e9f2c6f0b0c4b5a0a3d7a8b7e7c4d1f0e"
_METER = {"value": 5012345, "sequence": 812}
_INTERVAL = {"from": "2026-01-31T12:15:28.249000Z", "to": "2026-01-31T12:15:28.251000Z"}
_EVIDENCE = {
    "dealt_at": "2026-01-31T12:15:28.250000Z",
    "sent_at": _AT,
    "received_at": _AT,
    "error_us": 300,
    "offset_from_us": -880,
    "offset_to_us": 1120,
    "live": True,
    "spooled": False,
    "outside": False,
}
_WIN = {
    "id": "stud-01.7.1.1",
    "table": "stud-01",
    "round": 7,
    "box": 1,
    "hand": "royal_flush",
    "cards": ["Ah", "Kh", "Qh", "Jh", "Th"],
    "bet": 500,
    "state": "pending",
    "position": 1,
    "interval": _INTERVAL,
    "witnessed": {"from": "2026-01-31T12:15:01.000000Z", "to": _AT},
    "basis": "witnessed",
    "spooled": False,
    "registered": None,
    "value_now": 5012345,
    "amount": 5012345,
    "approvals": [{"person": "ana", "at": _AT, "note": "seen on camera"}],
    "approvals_needed": 2,
    "waiting_for": ["holdem-01"],
    "waiting_for_rounds": {"holdem-01": 41},
    "reasons": ["rounds_open", "approvals_missing"],
    "cluster": ["stud-01.7.1.1"],
    "ambiguous": False,
    "registered_at": _AT,
    "sequence": 812,
    "ended_at": None,
}
_ENTRY = {
    "sequence": 813,
    "at": _AT,
    "kind": "WinApproved",
    "table": None,
    "round": None,
    "value": 5012345,
    "hash": _HASH,
    "entry": {
        "at": 1769861730250000,
        "fact": {"kind": "WinApproved", "note": "", "person": "ana", "win": "stud-01.7.1.1"},
        "link": "main",
        "rules": 2,
        "said": None,
        "schema": 2,
        "sequence": 813,
    },
}


def example(said: dict[str, Any]) -> dict[str, Any]:
    """Of a body, for `openapi_examples`."""
    return {"example": {"value": said}}


def reads(description: str, told: dict[str, Any], *, csv: bool = False) -> Responses:
    """What a route that reads can answer."""
    found = answered(200, description, told)
    if csv:
        found[200]["content"]["text/csv"] = {"schema": {"type": "string"}}
    return problems(*READ) | found


def acts(status: int, description: str, **told: Any) -> Responses:
    """What a route that changes something can answer."""
    return problems(*ACT) | answered(status, description, told | {"meter": _METER})


PROPOSED = acts(202, "Another person has to confirm it", proposal="main.p814")
DONE = acts(200, "Done and durable")
DECIDED = acts(200, "Done and durable", proposal="main.p814", state="confirmed")
APPROVED = acts(200, "Approved and durable", win="stud-01.7.1.1", state="ordered", approvals_given=1)
DECLARED = acts(201, "Declared and durable", id="main.m815")
_CONSEQUENCE = {
    "follows": "options",
    "rule": "5.10",
    "boxes": [
        {
            "box": 2,
            "outcome": "returned",
            "rule": "5.10.3",
            "returned": [{"wager": "progressive", "amount": 500}, {"wager": "ante", "amount": 2500}],
            "adjustments": [],
            "award_undone": 0,
            "withdrawn": None,
        }
    ],
    "words": [
        "The round continues with the boxes whose players chose to (5.10).",
        "Box 2 (5.10.3): progressive SGD 5.00, ante SGD 25.00 to be returned.",
    ],
}
IRREGULAR = acts(
    201, "Declared and carried out, durable", id="main.i816", state="bets_closed", consequence=_CONSEQUENCE
)

IRREGULARITIES = reads(
    "Every paragraph of both games",
    {
        "games": {
            "casino_stud": [
                {
                    "paragraph": "5.19",
                    "words": "A player examined an additional hand on purpose",
                    "needs": {
                        "ask": "boxes",
                        "of": None,
                        "optional": False,
                        "instead": None,
                        "then": {"named": None},
                    },
                }
            ]
        }
    },
)
LINKS = reads(
    "Every link",
    {
        "links": [
            {
                "id": "main",
                "name": "Multi-Link Progressive",
                "currency": "SGD",
                "state": "open",
                "value": 5012345,
                "display": "SGD 50,123.45",
                "sequence": 812,
                "as_of": _AT,
                "pending": 0,
                "claims": 0,
                "tables": 6,
                "parameters": {
                    "seed": 5000000,
                    "progressive_bet": 500,
                    "meter_ppm": 400000,
                    "reserve_ppm": 50000,
                    "ceiling": None,
                    "top_up_to_seed": False,
                    "approvals": {"straight_flush": 1, "royal_flush": 2},
                    "silent_after_s": 10,
                    "order_basis": "stamped",
                },
                "scheduled": [],
                "accounts": {"meter": 5012345000000, "house": -5012345000000},
                "stopped": None,
            }
        ],
        "clock": {"now": _AT, "error_us": 350, "difference_us": 0, "alerts": []},
    },
)
TABLES = reads(
    "Every table of the link",
    {
        "tables": [
            {
                "id": "stud-01",
                "game": "casino_stud",
                "boxes": 7,
                "state": "in_play",
                "in_play": True,
                "progressive": "on",
                "notice": None,
                "blocked_boxes": [],
                "last_seen": _AT,
                "clock": {"offset_from_us": -880, "offset_to_us": 1120, "echoed_at": _AT, "word": None},
                "round": {
                    "round": 7,
                    "state": "settled",
                    "open": False,
                    "closed_at": _AT,
                    "journalled_at": _AT,
                },
                "alerts": [],
            }
        ]
    },
)
WINS = reads("The line, then those that left it", {"wins": [_WIN], "next": None})
PROOF = reads(
    "The proof",
    _WIN
    | {
        "evidence": _EVIDENCE,
        "order": {
            "position": 1,
            "cluster": ["stud-01.7.1.1"],
            "ambiguous": False,
            "decided_by": None,
            "decision": None,
            "reason": None,
            "ordered_at": None,
            "open_rounds": None,
            "sequence": None,
        },
        "value_before": None,
        "value_after": None,
        "approvers": ["ana"],
        "payment": None,
        "journal_sequence": 813,
        "entries": [_ENTRY],
    },
)
CLAIMS = reads(
    "Open claims, then those that ended",
    {
        "claims": [
            {
                "id": "stud-01.6.2.straight_flush",
                "table": "stud-01",
                "round": 6,
                "box": 2,
                "hand": "straight_flush",
                "cards": ["9s", "8s", "7s", "6s", "5s"],
                "bet": 500,
                "interval": _INTERVAL,
                "evidence": _EVIDENCE,
                "reason": "round_settled",
                "outcomes": {"in_order": 501234, "registered": 501200, "promised": None},
                "state": "open",
                "proposals": [],
                "outcome": None,
                "amount": None,
                "persons": [],
                "decision": None,
                "sequence": 790,
                "ended_at": None,
            }
        ],
        "next": None,
    },
)
PROPOSALS = reads(
    "What waits for a second person",
    {
        "proposals": [
            {
                "id": "main.p814",
                "link": "main",
                "change": {"kind": "Adjustment", "account": "house", "amount": -500},
                "reason": "a bet counted twice",
                "person": "ana",
                "at": _AT,
            }
        ]
    },
)
MALFUNCTIONS = reads(
    "Malfunctions that are not cleared",
    {
        "malfunctions": [
            {
                "id": "main.m815",
                "link": "main",
                "scope": {"table": "stud-01"},
                "then": "progressive_off",
                "observed_at": _AT,
                "declared_at": _AT,
                "by": "sue",
                "note": "bet sensors dead",
            }
        ]
    },
)
JOURNAL = reads("A page", {"link": "main", "entries": [_ENTRY], "next": 813}, csv=True)
READING = reads(
    "What it read",
    {
        "link": "main",
        "at": _AT,
        "value": 5012345,
        "display": "SGD 50,123.45",
        "currency": "SGD",
        "sequence": 812,
        "as_of": "2026-01-31T12:15:29.980000Z",
        "held": False,
        "pending": [],
    },
)
AUDIT = reads(
    "A page, the latest first",
    {
        "acts": [
            {
                "id": "00064a3f5d0f2900c0ffee00c0ffee00",
                "at": _AT,
                "actor": "ana",
                "act": "approve",
                "outcome": "allowed",
                "detail": {"path": "/v1/links/main/wins/stud-01.7.1.1/approve", "person": "ana"},
            }
        ],
        "next": None,
    },
    csv=True,
)
RECEIPTS = reads(
    "A page, the latest first",
    {
        "receipts": [
            {
                "id": "00064a3f5d0f2900c0ffee00c0ffee01",
                "sign": "sign-1",
                "sequence": 812,
                "value": 5012345,
                "shown_at": _AT,
                "received_at": _AT,
                "verified": True,
            }
        ],
        "next": None,
    },
    csv=True,
)
_CHAINED = {"sequence": 812, "hash": _HASH}
_STAMPS = {"sent_at": _AT, "received_at": _AT}
ROUND = reads(
    "Everything the book knows of it",
    {
        "table": "stud-01",
        "round": 7,
        "link": "main",
        "currency": "SGD",
        "game": "casino_stud",
        "state": "bets_closed",
        "open": True,
        "current": True,
        "closed_at": _AT,
        "dealt_from": _AT,
        "registered_value": None,
        "limits": {"minimum": 2500, "maximum": 100000},
        "community": [],
        "dealer": [],
        "boxes": [
            {
                "box": 1,
                "ante": 2500,
                "bonus": 0,
                "progressive": 500,
                "returned": False,
                "invalidated": None,
                "paid": False,
                "hand": None,
                "result": None,
            }
        ],
        "playing": [1],
        "bets": {
            "boxes": [{"box": 1, "ante": 2500, "bonus": 0, "progressive": 600, "accepted": 500}],
            "returned": [
                {"box": 1, "amount": 100, "code": "over_prescribed", "rule": "5.1", "wager": "progressive"}
            ],
            "closed_at": _AT,
            "dealt_from": _AT,
            **_STAMPS,
            "meter_ppm": 400000,
            "reserve_ppm": 50000,
            **_CHAINED,
        },
        "reports": [],
        "settlement": [],
        "progressive": [],
        "adjustments": [],
        "irregularities": [],
        "malfunctions": [],
        "void": None,
        "wins": [],
        "claims": [],
        "majors": [],
        "late_claims": [],
        "clock": [
            {
                "message": "bets",
                "sequence": 812,
                **_STAMPS,
                "difference_us": 1200,
                "offset_from_us": None,
                "offset_to_us": None,
                "live": None,
            }
        ],
        "story": [
            {
                "at": _AT,
                "by": "stud-01",
                "words": "Bets are closed: boxes 1; SGD 5.00 on the progressive.",
                **_CHAINED,
            }
        ],
        "entries": [],
    },
)
REPORT = reads(
    "What happened in that time",
    {
        "link": "main",
        "currency": "SGD",
        "from": "2026-01-30T12:15:30.250000Z",
        "to": _AT,
        "first_sequence": 1,
        "last_sequence": 812,
        "wins": [],
        "contributions": [
            {
                "table": "stud-01",
                "rounds": 7,
                "voided": 0,
                "bets": 31,
                "wagered": 15500,
                "pool_units": 6200000000,
                "reserve_units": 775000000,
                "house_units": 8525000000,
                "minors": 0,
                "majors": 0,
            }
        ],
        "meter": {
            "opening_units": 5000000000000,
            "closing_units": 5006200000000,
            "movements": [{"kind": "BetsClosed", "count": 7, "units": 6200000000}],
        },
        "accounts_units": {"meter": 6200000000, "wagers": -15500000000},
    },
    csv=True,
)
CURVE = reads(
    "Points in order",
    {
        "link": "main",
        "currency": "SGD",
        "from": "2026-01-30T12:15:30.250000Z",
        "to": _AT,
        "points": [{"sequence": 812, "at": _AT, "value": 5012345, "kind": "BetsClosed"}],
    },
)
_STANDING = {
    "value": 5012345,
    "display": "SGD 50,123.45",
    "state": "open",
    "accounts": {"meter": 5012345000000, "reserve": 1500000000},
    "parameters": {},
    "parameters_scheduled": {},
    "royal_now": {
        "amount": 5012345,
        "value_after": 6000000,
        "seed_from_reserve": 1500,
        "seed_from_house": 5998500,
    },
    "wins": [],
}
PREVIEW = problems(*ACT) | answered(
    200,
    "The link before and after, and what the journal would say",
    {
        "before": _STANDING,
        "after": _STANDING,
        "facts": [{"kind": "ParametersScheduled"}],
        "consequence": None,
    },
)
CHANGES: Responses = problems(*READ, 429) | {
    200: {"description": "Server-sent events", "content": {"text/event-stream": {}}}
}
