"""The contract of the records: rounds, journal, report, readings, audit, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import time
from typing import Any

from tests.callers import NOTHING, QUADS, ROYAL, STRAIGHT_FLUSH, Floor, done, now, refused
from tests.service import SEED, SIGN, Json, Served
from tests.waiting import until

CSV = {"Accept": "text/csv"}


def rows(told: Json) -> list[Json]:
    """The one list that a page holds."""
    (found,) = [value for value in told.values() if isinstance(value, list)]
    return list(found)


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_evidence_of_a_round_is_told_while_it_is_current_and_afterwards(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    done(floor.stud.hands({1: QUADS, 2: None}, final=True))
    path = f"/v1/tables/{floor.stud.table}/rounds/1"
    current = done(floor.service.get(path, "ada"))
    assert (current["table"], current["round"], current["state"]) == (floor.stud.table, 1, "settled")
    done(floor.stud.bets())
    past = done(floor.service.get(path, "ada"))
    for evidence in (current, past):
        for words in ("9c", "four_of_a_kind", "200000", "sent_at", "received_at"):
            assert words in str(evidence), words


def test_an_unknown_round_or_table_is_404(floor: Floor) -> None:
    refused(floor.service.get(f"/v1/tables/{floor.stud.table}/rounds/7", "ada"), 404, "round_unknown")
    refused(floor.service.get("/v1/tables/nowhere/rounds/1", "ada"), 404, "table_unknown")


def test_the_journal_is_paged_without_gap_or_repeat(floor: Floor) -> None:
    for _ in range(6):
        done(floor.stud.bets())
    entries: list[Json] = []
    after: Any = 0
    while after is not None:
        page = done(floor.get("journal", "ada", params={"after": after, "limit": 4}))
        assert len(rows(page)) <= 4
        entries += rows(page)
        after = page["next"]
    assert [entry["sequence"] for entry in entries] == list(range(1, floor.meter()["sequence"] + 1))
    assert "BetsClosed" in str(entries[-1])


def test_the_journal_is_told_as_csv(floor: Floor) -> None:
    done(floor.stud.bets())
    response = floor.get("journal", "ada", headers=CSV)
    assert response.headers["content-type"].startswith("text/csv")
    assert [int(row["sequence"]) for row in table(response.text)] == [
        entry["sequence"] for entry in rows(done(floor.get("journal", "ada")))
    ]


def test_no_cell_of_a_csv_is_a_formula(floor: Floor) -> None:
    for start in ("=1+1", "+1", "-1", "@SUM(A1)"):
        win, text = floor.stud.wins(ROYAL), f"{start} said a dealer"
        done(floor.post(f"wins/{win}/approve", "ana", {"note": text}))
        proposal = done(floor.post(f"wins/{win}/reject", "sue", {"reason": text}))["proposal"]
        done(floor.service.post(f"/v1/proposals/{proposal}/confirm", "tom", {}))
    for told in (
        floor.get("journal", "ada", headers=CSV),
        floor.get("report", "ada", headers=CSV),
        floor.service.get("/v1/audit", "ada", headers=CSV),
    ):
        assert told.status_code == 200
        cells = [cell for row in csv.reader(io.StringIO(told.text)) for cell in row]
        assert len(cells) > 20
        assert not [cell for cell in cells if cell[:1] in ("=", "@", "\t", "\r")]
        assert not [cell for cell in cells if cell[:1] in ("+", "-") and not cell[1:].isdigit()]


def test_a_report_tells_contributions_and_wins(floor: Floor) -> None:
    floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    done(floor.holdem.bets([1, 2, 3]))
    report = floor.get("report", "ana")
    assert report.status_code == 200
    told = str(report.json())
    for words in (floor.stud.table, floor.holdem.table, "straight_flush", str((SEED + 200) // 10)):
        assert words in told, words
    assert floor.get("report", "ana", headers=CSV).headers["content-type"].startswith("text/csv")


def test_a_reading_of_the_past_is_what_the_meter_showed_then(floor: Floor) -> None:
    done(floor.stud.bets())
    time.sleep(0.01)
    then = now()
    time.sleep(0.01)
    done(floor.stud.bets())
    past = done(floor.get("readings", "ada", params={"at": then}))
    found = rows(past)[-1] if "value" not in past else past
    assert (found["value"], floor.meter()["value"]) == (SEED + 200, SEED + 400)


def test_a_reading_of_the_past_is_open_to_all_and_may_be_csv(floor: Floor) -> None:
    done(floor.stud.bets())
    win = floor.holdem.wins()
    told = floor.get("readings", None, params={"at": now()}, headers=CSV)
    assert told.headers["content-type"].startswith("text/csv")
    (row,) = csv.DictReader(told.text.splitlines())
    assert (row["value"], row["held"], row["pending"]) == (str(SEED + 400), "True", win)
    unknown = {"Authorization": "Bearer nobody-at-all"}
    past = done(floor.get("readings", None, params={"at": now()}, headers=unknown))
    assert past["pending"] == [{"win": win, "hand": "straight_flush"}]


def test_a_reading_at_no_time_is_refused(service: Served) -> None:
    for at in ("yesterday", "2026-01-01T08:00:00", "", "9" * 400, "9999-12-31T23:59:59Z"):
        refused(service.get("/v1/links/main/readings", "ada", params={"at": at}), 422)


def test_receipts_of_a_sign_are_told(floor: Floor) -> None:
    shown = {"sign": SIGN, "sequence": 1, "value": SEED, "shown_at": now()}
    assert floor.post("receipts", SIGN, shown).is_success
    found = until(lambda: rows(done(floor.get("receipts", "ada", params={"sign": SIGN, "at": now()}))))
    assert (found[-1]["sign"], found[-1]["value"]) == (SIGN, SEED)


def test_every_act_allowed_or_refused_is_in_the_audit(floor: Floor) -> None:
    win = floor.stud.wins()
    done(floor.approve(win, "ana"))
    refused(floor.approve(win, "ada"), 403)
    refused(floor.approve("nothing-at-all", "ben"), 404)
    refused(floor.stud.bets([8]), 422)
    wanted = [("ana", win), ("ada", win), ("ben", "nothing-at-all"), (floor.stud.table, floor.stud.table)]
    until(
        lambda: all(_audited(floor, *one) for one in wanted),
        lambda: f"not in the audit: {[one for one in wanted if not _audited(floor, *one)]}",
    )


def _audited(floor: Floor, who: str, words: str) -> bool:
    """Somewhere in the audit, from its newest page on."""
    after: Any = None
    while True:
        page = done(floor.service.get("/v1/audit", "ada", params={"after": after} if after else {}))
        if any(who in str(row) and words in str(row) for row in rows(page)):
            return True
        after = page.get("next")
        if after is None:
            return False


def test_the_audit_is_told_as_csv(floor: Floor) -> None:
    response = floor.service.get("/v1/audit", "ada", headers=CSV)
    assert response.headers["content-type"].startswith("text/csv")
    assert table(response.text)


def test_an_unauthenticated_refusal_is_not_in_the_audit(floor: Floor) -> None:
    refused(floor.post("wins/nobody-asked-this/approve", None, {"note": ""}), 401)
    refused(floor.approve("asked-afterwards", "ana"), 404)
    until(lambda: _audited(floor, "ana", "asked-afterwards"))
    assert not _audited(floor, "", "nobody-asked-this")


def test_a_settled_round_of_a_corrected_hand_shows_both_reports(floor: Floor) -> None:
    done(floor.stud.bets())
    done(floor.stud.hands({1: QUADS}))
    done(floor.stud.hands({1: NOTHING}, final=True))
    evidence = str(done(floor.service.get(f"/v1/tables/{floor.stud.table}/rounds/1", "ada")))
    assert "9c" in evidence
    assert "Qc" in evidence
