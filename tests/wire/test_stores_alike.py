"""What the service answers does not depend on the store: one evening on each, and every question asked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.house import ROYAL, STRAIGHT_FLUSH, House, a_house

CHANCE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"  # times
    r"|\b([0-9a-f]{16}){1,4}\b|\b[0-9a-f]{12}(-\d+)?\b|\b[0-9a-f-]{36}\b"  # hashes, epochs, ids
)
IDS = {"link": "main", "table": "s1", "round": "1"}
OPEN_ENDED = ("stream", "metrics", "console", "signs", "docs")
"""Answers that never end, pages, and figures of the process."""
AUDIT = "/v1/audit"
CSV = {"Accept": "text/csv"}


async def evening(house: House) -> str:
    """A bit of everything; the id of a win."""
    floor = house.floor
    won = await house.paid("s1", STRAIGHT_FLUSH)
    await house.paid("s2", ROYAL)
    await floor.submit(floor.bets("s1"))
    await floor.wins_major("s2", STRAIGHT_FLUSH)
    await house.does("/v1/links/main/parameters", "ana", {"meter_ppm": 300_000, "reason": "season"})
    scope = {"scope": {"table": "s1"}, "cards_seen": {"s1": True}, "then": "progressive_off"}
    await house.post("/v1/malfunctions", "sue", scope | {"note": "sensor"})
    await house.post("/v1/tables/h1/close", "ana", {"reason": "shift"})
    await house.post("/v1/tables/h1/close", "ada", {"reason": "may not"})
    await house.service.notes._flush()
    return won


def _certain(path: str, text: str) -> str:
    """Without what is chance; acts of one microsecond are in the order of their ids, which is chance too."""
    said = CHANCE.sub("*", text)
    return "".join(sorted(said)) if path == AUDIT else said


async def told(url: str, folder: Path) -> dict[str, tuple[int, str]]:
    """Every question of the document, as JSON and as CSV, and its answer without what is chance."""
    folder.mkdir()
    async with a_house(url, folder) as house:
        ids = IDS | {"win": await evening(house)}
        document: dict[str, Any] = (await house.get("/openapi.json")).json()
        questions = [path for path, verbs in document["paths"].items() if "get" in verbs]
        questions.sort(key=lambda path: path != AUDIT)  # before refused questions come into it by and by
        answers = {}
        for path in (one for one in questions if not any(word in one for word in OPEN_ENDED)):
            asked = re.sub(r"{(\w+)[^}]*}", lambda name: ids.get(name[1], "none"), path)
            for kind, headers in (("json", {}), ("csv", CSV)):
                answer = await house.get(asked, "ada", headers=headers)
                answers[f"{path} as {kind}"] = answer.status_code, _certain(path, answer.text)
        return answers


async def test_every_question_is_answered_alike_on_both_stores(
    sqlite_url: str, postgres_url: str, tmp_path: Path
) -> None:
    here, there = await told(sqlite_url, tmp_path / "here"), await told(postgres_url, tmp_path / "there")
    assert {name: answer for name, answer in here.items() if answer != there[name]} == {}
    assert here.keys() == there.keys()
    given = [name for name, (status, _) in here.items() if status == 200]
    assert len(given) > 25, given
