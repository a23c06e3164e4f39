"""The console shows the jurisdiction's profile, and that bets favour the players."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import keeps_nobody_out, stand_still
from tests.callers import Floor, done
from tests.console import Person, at_the_console, play
from tests.pages import HOSTILE
from tests.service import Served, full_floor, in_thread

EVEN = 107_994_737
"""Where a bet of 5.00 returns what it costs."""


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor of New York, whose signs are slow; bets on `rich` nearly favour the players."""
    folder = tmp_path_factory.mktemp("profile")
    floor = full_floor("main")
    floor.add_link("rich", seed=EVEN - 100, approvals={"straight_flush": 2, "royal_flush": 2})
    floor.top = {"profile": "new-york", "sign_seconds": 60}
    floor.loosened = [{"setting": "sign_seconds", "reason": HOSTILE}]
    with in_thread(f"sqlite+aiosqlite:///{folder / 'book.db'}", floor, folder) as service:
        yield service


@pytest.fixture
def ada(browser: Browser, strict: Served) -> Iterator[Person]:
    """An auditor."""
    with at_the_console(browser, strict, "rich", "ada") as person:
        yield person


def test_the_profile_is_shown_with_what_is_tightened_and_loosened(ada: Person) -> None:
    panel = ada.opens("changes").locator("section[data-key=profile]")
    expect(panel).to_contain_text("new-york: New York, 9 NYCRR 5320 and 5321")
    rows = panel.get_by_role("region", name="What is otherwise here than in the profile").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("approvals.straight_flush")
    expect(rows.first).to_contain_text("tightened")
    expect(rows.last).to_contain_text("30\u00a0s60\u00a0sloosened")
    expect(rows.last).to_contain_text(HOSTILE)
    assert panel.locator("b, script, img").count() == 0


def test_every_value_is_shown_with_its_paragraph_or_as_not_confirmed(ada: Person) -> None:
    panel = ada.opens("changes").locator("section[data-key=profile]")
    panel.get_by_text("4 of 12 are confirmed").click()
    rows = panel.get_by_role("region", name="The profile's values").locator("tbody tr")
    expect(rows).to_have_count(12)
    expect(rows.first).to_contain_text("9 NYCRR 5321.18(b)(3)(iii)")
    expect(rows.filter(has_text="not confirmed")).to_have_count(8)
    expect(rows.filter(has_text="sign_seconds")).to_contain_text("our default. 30 s is the only figure")


def test_another_link_has_its_own_differences_only(ada: Person) -> None:
    ada.link = "main"
    panel = ada.opens("changes").locator("section[data-key=profile]")
    rows = panel.get_by_role("region", name="What is otherwise here than in the profile").locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("sign_seconds")


def test_a_change_is_offered_only_for_when_the_profile_allows_it(browser: Browser, strict: Served) -> None:
    with at_the_console(browser, strict, "main", "sue") as sue:
        sue.opens("changes")
        sue.button("Seed").click()
        expect(sue.dialog.get_by_role("radio")).to_have_count(1)
        expect(sue.dialog.get_by_label("At once")).to_be_checked()
        sue.dialog.get_by_label("Seed, SGD").fill("60,000.00")
        sue.dialog.get_by_label("Reason").fill("new season")
        expect(sue.effect).to_contain_text("only while the link is closed")


def test_bets_that_favour_the_players_are_said_with_the_figure_and_since_when(
    ada: Person, strict: Served
) -> None:
    floor = Floor(strict, "rich")
    note = ada.opens("wins").locator("#break-even")
    expect(ada.page.get_by_role("region", name="Paid and closed")).to_be_visible()
    expect(note).to_have_count(0)
    play(floor)
    expect(note).to_contain_text("Bets favour the players by less than 0.01 %.")
    expect(note).to_contain_text("passed SGD 1,079,947.37, where a bet returns what it costs, on 20")
    stand_still(ada.page, datetime.now(UTC))
    for name in ("floor", "wins", "changes"):
        page = ada.opens(name)
        expect(page.locator("#break-even")).to_have_count(0 if name == "changes" else 1)
        if name == "changes":
            page.get_by_text("are confirmed").click()
        keeps_nobody_out(page, name)
    win = floor.stud.wins()
    for person in ("ana", "ben"):
        done(floor.approve(win, person))
    ada.opens("wins")
    expect(ada.page.get_by_text(win).first).to_be_visible()
    expect(ada.page.locator("#break-even")).to_have_count(0)
