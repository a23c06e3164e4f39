"""A gaming day at the console: people with browsers, tables that play, and hours that pass in between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from typer.testing import CliRunner

from api.cli import app as cli
from tests.browser import context
from tests.callers import NOTHING, ROYAL
from tests.conftest import apart
from tests.console import Person
from tests.service import PASSWORD
from tests.story_service import StoryService, StoryTable, telling


@pytest.fixture
def story(sqlite_url: str, tmp_path: Path) -> Iterator[StoryService]:
    with telling(sqlite_url, tmp_path) as service:
        yield service


@contextmanager
def at_the_desk(browser: Browser, story: StoryService, name: str) -> Iterator[Person]:
    with context(browser, story.base) as made:
        assert made.request.post("/v1/sessions", data={"name": name, "password": PASSWORD}).ok
        yield Person(made.new_page(), "main")


def test_a_gaming_day_at_the_console(browser: Browser, story: StoryService) -> None:
    day = story.days().date_of(story.clock.time) + timedelta(days=1)
    s1, s2 = StoryTable(story, "s1"), StoryTable(story, "s2")
    story.until_shift(day, 0)
    with at_the_desk(browser, story, "ana") as ana:
        _limits_are_changed(ana)
    assert s1.beats()["terms"]["maximum"] == 200_000
    s1.plays({1: NOTHING})
    s1.beats()
    story.until_shift(day, 1)
    win = str(s2.plays({1: ROYAL})["results"][0]["win"])
    with at_the_desk(browser, story, "ana") as ana, at_the_desk(browser, story, "sue") as sue:
        _a_royal_is_paid(ana, sue, win)
        _and_handed_over(ana, sue, win)
        s1.plays({1: NOTHING})
        s1.beats(awards=s1.meters["awards"] + 2500)
        _a_difference_is_mended(sue)
    story.until_shift(day + timedelta(days=1), 0)
    story.wait(10)
    story.roll_up()
    with at_the_desk(browser, story, "sue") as sue:
        _the_day_is_closed(sue, day.isoformat())
    verified = apart(lambda: CliRunner().invoke(cli, ["verify"], env={"JACKPOT_DATABASE_URL": story.url}))
    assert verified.exit_code == 0, verified.output


def _limits_are_changed(ana: Person) -> None:
    ana.opens("floor")
    ana.button("Change table s1").click()
    ana.dialog.get_by_label("Maximum").fill("2,000")
    expect(ana.effect).to_contain_text("up to SGD 2,000.00 instead of none")
    ana.confirms("Change the table", Reason="quiet morning")
    ana.is_told("Table s1 is changed.")


def _a_royal_is_paid(ana: Person, sue: Person, win: str) -> None:
    for person in (ana, sue):
        page = person.opens("wins")
        page.locator(f"[data-key='{win}']").first.get_by_role("button", name="Approve").click()
        person.dialog.get_by_role("button", name=re.compile("^Approve")).click()
        expect(person.dialog).to_have_count(0)
    expect(sue.page.locator("#page")).to_contain_text("50,004.00")


def _and_handed_over(ana: Person, sue: Person, win: str) -> None:
    page = ana.opens("payouts", win=win)
    page.evaluate("window.print = () => { window.printed = document.querySelector('.slip').innerText }")
    ana.button("Print the original").click()
    ana.confirms("Print")
    page.wait_for_function("window.printed")
    assert "fifty thousand and four Singapore dollars only" in page.evaluate("window.printed")
    page = ana.opens("payouts")
    page.get_by_role("button", name="Hand over slip 1").click()
    ana.confirms("Propose", Reference_of_the_identity_check="IDC-2026-0001")
    sue.opens("changes")
    sue.page.get_by_role("button", name="Confirm ").click()
    sue.confirms("Confirm and carry out")
    expect(
        ana.page.get_by_role("region", name="Handed over").get_by_role("row", name="Slip 1")
    ).to_be_visible()


def _a_difference_is_mended(sue: Person) -> None:
    page = sue.opens("reconciliation")
    expect(page.locator("#page")).to_contain_text("Round 2")
    page.get_by_role("button", name=re.compile("^Settle the difference at s1")).click()
    sue.confirms("Settle", Reason="its counter of awards was restarted")
    expect(page.locator("#page")).to_contain_text("its counter of awards was restarted")


def _the_day_is_closed(sue: Person, day: str) -> None:
    page = sue.opens("days")
    page.get_by_role("button", name=re.compile("^Close ")).click()
    sue.dialog.get_by_label("Wagered, SGD").fill("10.00")
    sue.dialog.get_by_label("Why it differs, if it does").first.fill("a chip under s1")
    sue.dialog.get_by_role("button", name="Close the day").click()
    sue.is_told("is closed.")
    page.get_by_label("Gaming day").fill(day)
    expect(page.locator("#page")).to_contain_text("Closed by sue")
    closing = page.get_by_role("region", name="What was counted")
    expect(closing.get_by_role("row", name=re.compile("^Wagered"))).to_contain_text("a chip under s1")
