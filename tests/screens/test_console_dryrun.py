"""The page of dry runs: asked for, followed, read and fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.callers import STRAIGHT_FLUSH, Floor, done
from tests.console import Person, at_the_console
from tests.service import Served

SLOW = 60_000
"""Milliseconds: a process has to start."""


@pytest.fixture
def floor(house: Served) -> Floor:
    return Floor(house, house.next_link())


@pytest.fixture
def sue(browser: Browser, house: Served, floor: Floor) -> Iterator[Person]:
    with at_the_console(browser, house, floor.link, "sue") as person:
        yield person


@pytest.fixture
def ada(browser: Browser, house: Served, floor: Floor) -> Iterator[Person]:
    with at_the_console(browser, house, floor.link, "ada") as person:
        yield person


def play(floor: Floor) -> str:
    for _ in range(3):
        done(floor.stud2.bets([1, 2, 3]))
        done(floor.stud2.hands(dict.fromkeys((1, 2, 3)), final=True))
    win = floor.stud.wins(STRAIGHT_FLUSH)
    done(floor.approve(win, "ana"))
    return win


def test_a_dry_run_is_asked_for_and_read(sue: Person, floor: Floor) -> None:
    win = play(floor)
    page = sue.opens("dryrun")
    expect(page.locator("#page")).to_contain_text("No dry run was made since this service started.")
    page.get_by_label("Seed, SGD").fill("100,000.00")
    sue.button("Play again").click()
    expect(page.locator(".compared .line")).to_have_count(2, timeout=SLOW)
    expect(page.locator("#run-title")).to_contain_text("Done")
    payments = page.get_by_role("region", name="Payments, then and so")
    expect(payments.get_by_role("row", name=re.compile(re.escape(win)))).to_contain_text("+5,000.00")
    expect(page.get_by_role("region", name="Figures at the end")).to_contain_text("Highest meter")
    expect(page.locator("#page")).to_contain_text("Players would have bet differently")
    with page.expect_download() as fetched:
        page.get_by_role("link", name="Download payments.csv").click()
    assert win in fetched.value.path().read_text()


def test_nothing_changed_is_shown_as_proved(sue: Person, floor: Floor) -> None:
    play(floor)
    page = sue.opens("dryrun")
    sue.button("Play again").click()
    expect(page.locator("#page")).to_contain_text("every fact came out as it was recorded", timeout=SLOW)


def test_what_cannot_be_is_said_at_the_form(sue: Person, floor: Floor) -> None:
    play(floor)
    page = sue.opens("dryrun")
    page.get_by_label("Ceiling, SGD").fill("much")
    sue.button("Play again").click()
    expect(page.get_by_role("alert")).to_have_text("The ceiling is not understood: much.")
    page.get_by_label("Ceiling, SGD").fill("1.00")
    sue.button("Play again").click()
    expect(page.locator("#page")).to_contain_text("Ceiling must be from", timeout=SLOW)
    expect(page.locator("#run-title")).to_contain_text("Failed")


def test_other_levels_are_played(sue: Person, floor: Floor) -> None:
    win = play(floor)
    page = sue.opens("dryrun")
    page.get_by_text("Other levels").click()
    page.get_by_label("Straight flush").fill("20 %")
    page.get_by_label("Play with these levels").check()
    sue.button("Play again").click()
    payments = page.get_by_role("region", name="Payments, then and so")
    row = payments.get_by_role("row", name=re.compile(re.escape(win)))
    expect(row).to_contain_text(re.compile(r"\+5,00\d\.\d\d"), timeout=SLOW)


def test_an_auditor_reads_and_begins_nothing(ada: Person) -> None:
    page = ada.opens("dryrun")
    expect(page.locator("#page")).to_contain_text("Operators and supervisors can begin a dry run.")
    expect(ada.button("Play again")).to_have_count(0)
