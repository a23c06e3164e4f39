"""Gaming days in a real browser: a day by shifts, on paper, and closed with what was counted."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests import month
from tests.callers import done
from tests.conftest import apart
from tests.console import Person, at_the_console
from tests.service import Served, full_floor, in_thread

DAY = "2026-10-02"
"""The second of three days that were played."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("days")
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    apart(lambda: asyncio.run(month.written(url, rounds=600, days=3, tables=6, luck=800)))
    with in_thread(url, full_floor(month.LINK), folder) as service:
        yield service


@pytest.fixture
def sue(browser: Browser, played: Served) -> Iterator[Person]:
    with at_the_console(browser, played, month.LINK, "sue") as person:
        yield person


def _of_day(person: Person, day: str) -> None:
    page = person.opens("days")
    page.get_by_label("Gaming day").fill(day)
    expect(page.get_by_role("heading", name=re.compile("2 October 2026"))).to_be_visible()


def test_a_day_is_shown_by_shifts_and_since_the_link_began(sue: Person, played: Served) -> None:
    _of_day(sue, DAY)
    figures = sue.page.get_by_role("region", name=re.compile("^Figures, in SGD"))
    for name in ("Day", "Evening", "Night", "Whole day", "Since the link began"):
        expect(figures.get_by_role("columnheader", name=name, exact=True)).to_be_visible()
    told = done(played.get(f"/v1/links/{month.LINK}/report", "ada", params={"day": DAY}))
    row = figures.get_by_role("row", name=re.compile("^Progressive bets"))
    assert row.get_by_role("cell").all_text_contents()[3:] == [
        f"{told['total']['bets']:,}",
        f"{told['lifetime']['bets']:,}",
    ]
    sue.page.get_by_label("Shift").select_option("Night")
    expect(figures.get_by_role("columnheader", name="Evening", exact=True)).to_have_count(0)
    with sue.page.expect_download() as fetched:
        sue.button("Download report as CSV").click()
    assert "report,main,shift,Night" in fetched.value.path().read_text().replace("\r", "")


def test_times_of_wins_are_in_the_time_zone_of_the_days(browser: Browser, played: Served) -> None:
    with at_the_console(browser, played, month.LINK, "sue", timezone_id="Asia/Seoul") as sue:
        _of_day(sue, DAY)
        told = sue.page.get_by_role("region", name="Wins paid and closed").locator("time").first
        spoken = str(told.get_attribute("datetime"))
        expect(told).to_contain_text(spoken[11:19])


def test_several_days_are_one_report(sue: Person) -> None:
    _of_day(sue, "2026-10-02")
    sue.page.get_by_label("Up to and including").fill("2026-10-03")
    expect(
        sue.page.get_by_role("heading", name=re.compile("2 October 2026 to .*3 October 2026"))
    ).to_be_visible()


def test_a_day_is_closed_with_what_was_counted(sue: Person, played: Served) -> None:
    closable = done(played.get(f"/v1/links/{month.LINK}/days", "ada"))["closable"]
    page = sue.opens("days")
    page.get_by_role("button", name=re.compile("^Close ")).click()
    sue.dialog.get_by_label("Wagered, SGD").fill("12.50")
    sue.dialog.get_by_label("Why it differs, if it does").fill("found under the layout")
    expect(sue.effect).to_contain_text("Counted otherwise: wagered.")
    sue.dialog.get_by_role("button", name="Close the day").click()
    sue.is_told("is closed.")
    page.get_by_label("Gaming day").fill(closable)
    closing = page.get_by_role("region", name="What was counted")
    expect(closing.get_by_role("row", name=re.compile("^Wagered"))).to_contain_text("found under the layout")
    expect(page.locator("#page")).to_contain_text("Closed by sue")
    expect(page.get_by_role("button", name=re.compile("^Close "))).to_have_count(0)


def test_an_auditor_reads_and_closes_nothing(browser: Browser, played: Served) -> None:
    with at_the_console(browser, played, month.LINK, "ada") as ada:
        page = ada.opens("days")
        expect(page.get_by_role("button", name="Print")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^Close "))).to_have_count(0)


def test_a_link_that_began_in_a_later_shift_has_no_earlier_one(browser: Browser, tmp_path: Path) -> None:
    """The day began 22 hours ago; the first of its shifts was over before the link was there."""
    began = datetime.now(UTC) - timedelta(hours=22)
    shifts = [
        (name, f"{began + timedelta(hours=hours):%H:%M}") for name, hours in (("Early", 0), ("Late", 8))
    ]
    floor = full_floor(month.LINK)
    told = [{"name": name, "start": start} for name, start in shifts]
    floor.top["gaming_day"] = {"start": shifts[0][1], "shift": told}
    with (
        in_thread(f"sqlite+aiosqlite:///{tmp_path / 'book.db'}", floor, tmp_path) as service,
        at_the_console(browser, service, month.LINK, "sue") as sue,
    ):
        figures = sue.opens("days").get_by_role("region", name=re.compile("^Figures, in SGD"))
        for name in ("Late", "Whole day"):
            expect(figures.get_by_role("columnheader", name=name, exact=True)).to_be_visible()
        expect(figures.get_by_role("columnheader", name="Early", exact=True)).to_have_count(0)
