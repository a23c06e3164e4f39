"""A gaming day over HTTP, from the change of a limit in the morning to its closing, then `jackpot verify`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli import app as cli
from tests.callers import NOTHING, QUADS, ROYAL, refused
from tests.service import Json
from tests.story_service import StoryService, StoryTable, telling

MAIN = "/v1/links/main"


@pytest.fixture
def story(sqlite_url: str, tmp_path: Path) -> Iterator[StoryService]:
    with telling(sqlite_url, tmp_path) as service:
        yield service


def table_of(story: StoryService, name: str) -> Json:
    return next(one for one in story.told(f"{MAIN}/tables")["tables"] if one["id"] == name)


def compared(story: StoryService, name: str) -> Json:
    return next(one for one in story.told(f"{MAIN}/reconciliation")["tables"] if one["table"] == name)


def test_a_gaming_day_with_all_that_belongs_to_it(story: StoryService) -> None:
    day = story.days().date_of(story.clock.time) + timedelta(days=1)
    s1, s2 = StoryTable(story, "s1"), StoryTable(story, "s2")

    # The first shift: the limits of a table, and boxes that a supervisor takes off another.
    story.until_shift(day, 0)
    story.does(
        "/v1/tables/s1/limits", "ana", {"minimum": 2500, "maximum": 100_000, "reason": "quiet morning"}
    )
    story.does("/v1/tables/s2/boxes", "sue", {"boxes": 5, "reason": "another layout"})
    assert s1.beats()["terms"]["maximum"] == 100_000
    for table in (s1, s2):
        table.plays({1: NOTHING, 2: QUADS} if table is s1 else {1: NOTHING})
        table.beats()
    assert [compared(story, one)["state"] for one in ("s1", "s2")] == ["agrees", "agrees"]

    # The second: a royal, paid by two people, printed, and handed over by two.
    story.until_shift(day, 1)
    shown = story.told(f"{MAIN}/meter")["value"]
    win = s2.plays({1: ROYAL})["results"][0]["win"]
    s2.beats()
    for person in ("ana", "ben"):
        story.does(f"{MAIN}/wins/{win}/approve", person, {"note": "seen on camera"})
    paid = next(one for one in story.told(f"{MAIN}/wins")["wins"] if one["id"] == win)
    assert (paid["state"], paid["handover"], paid["amount"]) == ("paid", "due", shown + 200)
    assert story.does(f"{MAIN}/wins/{win}/slip", "ben")["copy"] == 1
    slip = story.told(f"{MAIN}/wins/{win}/slip")
    assert (slip["amount"], slip["hand"], slip["table"]) == (paid["amount"], "royal_flush", "s2")
    said = {"reference": "IDC-2026-0001", "method": "cheque", "note": "cheque 100871"}
    proposal = story.does(f"{MAIN}/wins/{win}/hand-over", "ana", said)["proposal"]
    story.does(f"/v1/proposals/{proposal}/confirm", "sue")
    assert story.told(f"{MAIN}/handovers", state="due")["handovers"] == []

    # A controller that counts wrongly from its second round of the shift on.
    s1.plays({1: NOTHING})
    s1.beats()
    s1.plays({1: NOTHING})
    s1.beats(bets=s1.meters["bets"] - 500)
    differs = compared(story, "s1")
    assert (differs["state"], differs["difference"]["where"]) == ("differs", "round 3")
    assert [one["code"] for one in table_of(story, "s1")["alerts"]] == ["meters_differ"]
    mend = {"reason": "its counter of bets was restarted"}
    story.does(f"/v1/differences/{differs['difference']['id']}/mend", "sue", mend)
    assert table_of(story, "s1")["alerts"] == []

    # The day is over: its shifts add up, and it is closed once, with what was counted otherwise.
    close = f"{MAIN}/days/{day}/close"
    refused(story.call("POST", close, "sue", {}), 409, "day_not_over")
    story.until_shift(day + timedelta(days=1), 0)
    story.wait(10)
    story.roll_up()
    whole = story.told(f"{MAIN}/report", day=day.isoformat())
    names = [one.name for one in story.days().day(day).shifts]
    shifts = [story.told(f"{MAIN}/report", day=day.isoformat(), shift=name) for name in names]
    assert [one["total"]["rounds"] for one in shifts] == [2, 3, 0]
    assert whole["total"]["rounds"] == 5
    assert whole["total"]["majors"] == paid["amount"]
    assert whole["total"]["minors"] == 200_000
    wagered = whole["total"]["wagered"]
    assert wagered == 6 * 500
    difference = {"figure": "wagered", "counted": wagered - 500, "note": "a chip under s1"}
    refused(story.call("POST", close, "ana", {"counted": [difference]}), 403, "forbidden")
    story.does(close, "sue", {"counted": [difference], "note": "slips complete"})
    refused(story.call("POST", close, "tom", {}), 409, "day_closed")

    acts = {one["act"] for one in story.told("/v1/audit", limit=200)["acts"]}
    assert acts >= {"change_limits", "change_boxes", "approve", "print_slip", "hand_over", "confirm"}
    assert acts >= {"mend_meters", "close_day"}
    verified = CliRunner().invoke(cli, ["verify"], env={"JACKPOT_DATABASE_URL": story.url})
    assert verified.exit_code == 0, verified.output
