"""The alert rules: each fires in its test, several of them on a real service brought into that very state."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from displays.hub import hub
from jackpot.book.stores import postgres_servers
from jackpot.book.writing import write_probe, writer
from tests.callers import STRAIGHT_FLUSH, Floor, done, now, refused
from tests.certificates import DAY, Authority, Files
from tests.conftest import apart
from tests.promql import NAME, names_in
from tests.rule_tests import FOLDER, cases, differences
from tests.scrapes import PROMTOOL, ROOT, RULES, Scrapes, groups, parsed, promtool
from tests.servers import Postgres
from tests.service import FloorFile, Served, full_floor, in_thread
from tests.waiting import until

DASHBOARD = ROOT / "helm" / "files" / "dashboard.json"
OPERATIONS = ROOT / "docs" / "operations.md"
EVEN = 107_994_737
"""Where a bet of 5.00 returns what it costs."""
PATIENCE = [
    (module, name, getattr(module, name))
    for module, names in (
        (hub, ["STALE_AFTER"]),
        (write_probe, ["PATIENCE", "HANGS_AFTER"]),
        (writer, ["PATIENCE"]),
        (postgres_servers, [f"{of}_TIMEOUT" for of in ("CONNECT", "READ", "WRITE", "LOCK", "IDLE")]),
    )
    for name in names
]
"""Read while tests are collected, before they take all of it away."""
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool comes with Debian's `prometheus`")


def alerts() -> list[Any]:
    return [rule for group in groups() for rule in group["rules"] if "alert" in rule]


# The rules themselves


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_an_alert_fires_when_it_should_and_not_before(case: Any) -> None:
    assert differences(case) == []


@needs_promtool
def test_prometheus_itself_says_so_too() -> None:
    assert promtool("check", "rules", str(RULES)) == ""
    for file in sorted(FOLDER.glob("*.yaml")):
        assert promtool("test", "rules", str(file)) == ""


def test_every_alert_has_a_test_and_a_section_for_the_person_on_call() -> None:
    tested = " ".join(str(case["promql_expr_test"]) for case in cases())
    headings = set(re.findall(r"^#+ (\w+)$", OPERATIONS.read_text(), re.MULTILINE))
    for rule in alerts():
        name = rule["alert"]
        assert f'alertname="{name}"' in tested, name
        assert rule["annotations"]["runbook"] == f"docs/operations.md#{name.lower()}"
        assert name in headings, f"docs/operations.md has no section {name}"


# What they ask for is there


@pytest.fixture(scope="module")
def floor_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Four links: one that plays, one whose tables are silent soon, one with a wrong clock, one whose bets
    nearly favour the players; over TLS."""
    folder = tmp_path_factory.mktemp("alerts")
    floor = patient_floor("main", "clocks")
    floor.add_link("quiet", silent_after_s=1)
    floor.add_link("rich", seed=EVEN - 100, silent_after_s=3600)
    authority, files = Authority(folder), Files(folder)
    files.write(*authority.issue(365 * DAY))
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, floor, folder, ca=authority.file, **files.settings) as service:
        yield service


def patient_floor(*links: str) -> FloorFile:
    """Its tables may be silent for an hour, however slow the machine is."""
    floor = full_floor(*links)
    for link in floor.link:
        link["silent_after_s"] = 3600
    return floor


def scrape(service: Served) -> str:
    answer = service.get("/metrics", "ada")
    assert answer.status_code == 200
    return answer.text


def scrape_when(service: Served, holds: Callable[[dict[str, float]], bool]) -> str:
    """The first scrape of which that holds, told as `name{labels}`."""

    def wanted() -> str | None:
        text = scrape(service)
        told = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return text if holds({name: float(value) for name, value in told.items()}) else None

    return until(wanted, lambda: scrape(service)[:8000]) or ""


def test_every_metric_of_rules_and_dashboard_is_exposed(floor_served: Served) -> None:
    floor = Floor(floor_served, "main")
    done(floor.stud.bets([1, {"box": 2, "progressive": 500}]))
    done(floor.stud.hands({1: "9c 9d 9h 9s Kd"}, final=True))
    refused(floor.stud.hands({1: "9c 9d 9h 9s Qd"}), 409)
    floor.stud2.wins()
    done(floor.holdem.bets())
    webhook = {"name": "Monitor", "url": "https://1.1.1.1:9/", "topics": ["claims"], "links": ["quiet"]}
    done(floor_served.post("/v1/webhooks", "sue", webhook))
    told = {"sign": "sign-1", "sequence": 1, "value": 1, "shown_at": "2026-01-31T20:15:30Z"}
    done(floor.post("receipts", "sign-1", told))
    assert floor.meter()["value"] > 0
    checked = 'jackpot_self_check_passed{link="main"}'
    with floor_served.http.stream("GET", floor.path("stream")):
        text = scrape_when(floor_served, lambda told: checked in told)
    exposed = {dict(one)[NAME] for one in parsed(text)}
    recorded = {rule["record"] for group in groups() for rule in group["rules"] if "record" in rule}
    asked = {name for rule in _rules() for name in names_in(rule["expr"])}
    assert asked <= exposed | recorded | {"up"}, asked - exposed - recorded
    shown = {name for one in _panel_expressions() for name in names_in(one)}
    assert len(shown) > 40
    assert shown <= exposed | recorded, shown - exposed - recorded


def _rules() -> list[Any]:
    return [rule for group in groups() for rule in group["rules"]]


def _panel_expressions() -> list[str]:
    panels = [one for one in json.loads(DASHBOARD.read_text())["panels"] if one["type"] != "row"]
    assert all(panel["targets"] for panel in panels), "a panel without a question"
    return [target["expr"].replace("$link", ".*") for panel in panels for target in panel["targets"]]


# States of a real service


def fired(scrapes: Scrapes, folder: Path) -> set[tuple[str, str]]:
    """What fires, and the table or else the link it is about. A real Prometheus must agree, if there is."""
    if PROMTOOL is not None:
        assert scrapes.promtool_agrees(folder) == ""
    found = [(alert, dict(one)) for alert, one in scrapes.firing()]
    return {(alert, one.get("table", one.get("link", ""))) for alert, one in found}


def begun(service: Served) -> Scrapes:
    scrapes = Scrapes(time.time())
    scrapes.take(scrape(service))
    assert not {alert for alert, _ in scrapes.firing()}
    return scrapes


def test_a_silent_table_raises_its_alert(floor_served: Served, tmp_path: Path) -> None:
    floor = Floor(floor_served, "quiet")
    scrapes = begun(floor_served)
    done(floor.stud.beat())
    silent = f'jackpot_table_alert{{code="table_silent",link="quiet",table="{floor.stud.table}"}}'
    scrapes.take(scrape_when(floor_served, lambda told: told[silent] == 1), times=3)
    assert ("JackpotTableSilent", floor.stud.table) in fired(scrapes, tmp_path)
    done(floor.stud.beat(in_play=False))
    scrapes.take(scrape_when(floor_served, lambda told: told[silent] == 0))
    assert "JackpotTableSilent" not in {alert for alert, _ in fired(scrapes, tmp_path)}


def test_a_win_that_waits_raises_its_alert_and_names_the_table_of_the_open_round(
    floor_served: Served, tmp_path: Path
) -> None:
    floor = Floor(floor_served, "clocks")
    scrapes = begun(floor_served)
    done(floor.holdem.bets())
    floor.stud.wins()
    since = 'jackpot_win_waiting_since_timestamp_seconds{link="clocks"}'
    scrapes.take(scrape_when(floor_served, lambda told: since in told), times=23)
    found = fired(scrapes, tmp_path)
    assert ("JackpotWinWaiting", "clocks") in found
    assert ("JackpotWinWaitsForRound", floor.holdem.table) in found


def test_a_meter_that_passes_the_break_even_raises_its_alert(floor_served: Served, tmp_path: Path) -> None:
    floor = Floor(floor_served, "rich")
    scrapes = begun(floor_served)
    done(floor.stud.bets())
    above = 'jackpot_above_break_even{link="rich"}'
    scrapes.take(scrape_when(floor_served, lambda told: told[above] == 1), times=6)
    assert ("JackpotAboveBreakEven", "rich") in fired(scrapes, tmp_path)
    done(floor.stud.void())
    scrapes.take(scrape_when(floor_served, lambda told: told[above] == 0))
    assert "JackpotAboveBreakEven" not in {alert for alert, _ in fired(scrapes, tmp_path)}


def test_a_clock_that_is_known_too_badly_raises_its_alert(floor_served: Served, tmp_path: Path) -> None:
    """Its messages take a second, whatever it claims of its clock."""
    floor = Floor(floor_served, "clocks")
    scrapes = Scrapes(time.time())
    scrapes.take(scrape(floor_served))
    done(floor.stud2.beat(sent_at=now(-1.2), clock={"offset_us": 0, "error_us": 1}))
    assert floor.stud2.echo is not None
    floor.stud2.echo |= {"heard_at": floor.stud2.echo["replied_at"]}
    time.sleep(1.5)
    done(floor.stud2.beat(sent_at=now(-1.2)))
    error = f'jackpot_table_clock_error_seconds{{link="clocks",table="{floor.stud2.table}"}}'
    scrapes.take(scrape_when(floor_served, lambda told: told.get(error, 0) >= 0.5), times=5)
    found = fired(scrapes, tmp_path)
    assert ("JackpotClockErrorTooLarge", floor.stud2.table) in found
    assert ("JackpotClockErrorTooLarge", floor.holdem.table) not in found


def test_a_clock_that_was_set_and_a_deal_that_cannot_have_been_then_raise_their_alerts(
    floor_served: Served, tmp_path: Path
) -> None:
    floor = Floor(floor_served, "main")
    scrapes = Scrapes(time.time())
    scrapes.take(scrape(floor_served))
    done(floor.holdem2.beat())
    done(floor.holdem2.beat())
    assert floor.holdem2.echo is not None
    floor.holdem2.echo = {"replied_at": floor.holdem2.echo["replied_at"], "heard_at": now(30)}
    done(floor.holdem2.beat(sent_at=now(30)))
    early = now()
    time.sleep(0.5)
    floor.stud.round = 10
    done(floor.stud.beat())
    done(floor.stud.bets())
    done(floor.stud.hands({1: {"cards": STRAIGHT_FLUSH.split(), "dealt_at": early}}))

    def both(told: dict[str, float]) -> bool:
        raised = 'jackpot_table_alert{{code="{}",link="main",table="{}"}}'
        return bool(
            told[raised.format("clock_set", floor.holdem2.table)]
            and told[raised.format("dealt_outside", floor.stud.table)]
        )

    scrapes.take(scrape_when(floor_served, both))
    found = fired(scrapes, tmp_path)
    assert ("JackpotClockSet", floor.holdem2.table) in found
    assert ("JackpotDealtOutside", floor.stud.table) in found


def test_a_book_that_denies_itself_raises_its_alert(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    floor = patient_floor("main", "other")
    with in_thread(url, floor, tmp_path) as service:
        done(Floor(service, "main").stud.bets())
        scrapes = begun(service)
    _tamper(tmp_path / "book.db")
    with in_thread(url, floor, tmp_path) as service:
        scrapes.take(scrape(service))
    assert fired(scrapes, tmp_path) == {("JackpotVerifyFailed", "main")}


def _tamper(file: Path) -> None:
    with sqlite3.connect(file) as book:
        book.execute("DROP TRIGGER journal_no_update")
        book.execute("UPDATE journal SET value = value + 1 WHERE link = 'main' AND kind = 'BetsClosed'")
    book.close()


def _well(told: dict[str, float]) -> bool:
    troubled = told['jackpot_commit_troubled{link="main"}'] or told["jackpot_book_stale"]
    return not troubled and told["jackpot_book_readable"] == 1


def test_a_book_that_cannot_commit_raises_its_alert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the patience of a real service."""
    for what, name, seconds in PATIENCE:
        monkeypatch.setattr(what, name, seconds)
    server = Postgres()
    try:
        apart(server.start)
        url = apart(lambda: asyncio.run(server.create("book")))
        with in_thread(url, patient_floor("main"), tmp_path) as service:
            floor = Floor(service, "main")
            done(floor.stud.beat())
            done(floor.stud.bets())
            scrapes = begun(service)
            apart(server.crash)
            refused(floor.stud.bets(), 503)
            stale = scrape_when(service, lambda told: told["jackpot_book_stale"] == 1)
            scrapes.take(stale, times=3)
            found = {alert for alert, _ in fired(scrapes, tmp_path)}
            assert found >= {"JackpotCommitFailing", "JackpotBookUnreadable"}
            apart(server.start)
            service.wait_until_ready()
            done(floor.stud.send("bets", floor.stud.bets_body(), round=3))
            scrapes.take(scrape_when(service, _well))
            assert fired(scrapes, tmp_path) == set()
    finally:
        server.remove()
