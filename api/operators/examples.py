"""Examples for the OpenAPI document: answers to the House, as `python -m tests.examples` recorded them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from api.http.describing import ACT, READ, Responses, answered, problems

FILE = Path(__file__).with_name("examples.json")
_RECORDED: dict[str, Any] = json.loads(FILE.read_text())


def example(said: dict[str, Any]) -> dict[str, Any]:
    """Of a body, for `openapi_examples`."""
    return {"example": {"value": said}}


def _reads(description: str, recorded: str, *, csv: bool = False) -> Responses:
    """What a route that reads can answer."""
    found = answered(200, description, _RECORDED.get(recorded))
    if csv:
        found[200]["content"]["text/csv"] = {"schema": {"type": "string"}}
    return problems(*READ) | found


IRREGULARITIES = _reads("Every paragraph of every game", "irregularities")
LINKS = _reads("Every link", "links")
LINK = _reads("The link", "link")
OVERVIEW = _reads("Every link and pit, and what waits there", "overview")
LAST_DAY = _reads("Links, then pits", "last_day")
PROFILE = _reads("The profile", "profile")
FLOOR = _reads("Setting by setting; nothing if all is as the file says", "floor")
TABLES = _reads("Every table of the link", "tables")
WINS = _reads("The line, then those that left it", "wins")
PROOF = _reads("The proof", "proof")
HANDOVERS = _reads("The latest slip first", "handovers")
SLIP = _reads("The slip", "slip")
CLAIMS = _reads("Open claims, then those that ended", "claims")
PROPOSALS = _reads("What waits for a second person", "proposals")
MALFUNCTIONS = _reads("Malfunctions that are not cleared", "malfunctions")
RECONCILIATION = _reads("Every table of the link", "reconciliation")
PIT_RECONCILIATION = _reads("Every table of the pit", "pit_reconciliation")
JOURNAL = _reads("A page", "journal", csv=True)
READING = _reads("What it read", "reading")
AUDIT = _reads("A page, the latest first", "audit", csv=True)
RECEIPTS = _reads("A page, the latest first", "receipts", csv=True)
ROUND = _reads("Everything the book knows of it", "round")
REPORT = _reads("What happened in that time", "report", csv=True)
DAYS = _reads("The latest first", "days")
PITS = _reads("Every pit", "pits")
PIT = _reads("The pit", "pit")
PIT_TABLES = _reads("Every table of the pit", "pit_tables")
PIT_JOURNAL = _reads("A page", "pit_journal", csv=True)
PIT_REPORT = _reads("What happened in that time", "pit_report", csv=True)
PIT_PREVIEW = problems(*ACT) | answered(
    200, "What would become of the round, and what the journal would say", _RECORDED.get("pit_preview")
)
CURVE = _reads("Points in order", "curve")
PREVIEW = problems(*ACT) | answered(
    200, "The link before and after, and what the journal would say", _RECORDED.get("preview")
)
DRYRUN_STARTED = problems(*ACT) | answered(202, "It has begun", _RECORDED.get("dryrun_started"))
DRYRUNS = _reads("The latest first", "dryruns")
DRYRUN = _reads("How far it is, or what it has found", "dryrun")
DRYRUN_FILE: Responses = problems(*READ, 409) | {
    200: {"description": "The file", "content": {"text/csv": {}, "application/json": {}, "image/svg+xml": {}}}
}
WEBHOOKS = _reads("Every webhook", "webhooks")
WEBHOOK = _reads("The webhook", "webhook")
WEBHOOK_MADE = problems(*ACT) | answered(201, "It is told from now on", _RECORDED.get("webhook_made"))
WEBHOOK_MADE_ANEW = problems(*ACT) | answered(200, "The new secret", _RECORDED.get("webhook_made"))
WEBHOOK_ACT = problems(*ACT) | answered(200, "As it is now", _RECORDED.get("webhook"))
WEBHOOK_TRIED = problems(*ACT) | answered(200, "What came of it", _RECORDED.get("webhook_tried"))
WEBHOOK_DELETED = problems(*ACT) | answered(200, "It is gone", _RECORDED.get("webhook_deleted"))
DELIVERIES = _reads("The latest first", "webhook_deliveries")
REPLAYED = problems(*ACT) | answered(200, "From where it goes on", _RECORDED.get("webhook_replayed"))
CHANGES: Responses = problems(*READ, 429) | {
    200: {"description": "Server-sent events", "content": {"text/event-stream": {}}}
}
