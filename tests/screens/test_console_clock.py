"""The console while house time is not the database server's clock."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from jackpot.book.stores import sqlite
from jackpot.core.instants import SECOND
from tests.callers import done
from tests.console import at_the_console
from tests.service import full_floor, in_thread


def test_a_difference_is_on_every_page_until_two_people_set_the_clock(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift, wall = [0], sqlite.wall_clock
    monkeypatch.setattr(sqlite, "wall_clock", lambda: wall() + shift[0])
    url = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    with (
        in_thread(url, full_floor("main", "other"), tmp_path) as service,
        at_the_console(browser, service, "other", "sue") as sue,
    ):
        sue.opens("changes")
        banner = sue.page.locator("#house-clock")
        expect(banner).to_be_hidden()
        shift[0] = 3600 * SECOND
        expect(banner).to_contain_text("3600.0 s behind the database server's clock", timeout=60_000)
        asked = service.post("/v1/house/clock", "ana", {"reason": "it was an hour slow"})
        proposed = done(asked)["proposal"]
        sue.opens("changes")
        expect(banner).to_be_visible()
        waiting = sue.page.locator(".proposals li")
        expect(waiting).to_contain_text("Set the house clock to the database server's clock")
        sue.button(f"Confirm {proposed}").click()
        sue.confirms("Confirm and carry out")
        expect(banner).to_be_hidden(timeout=60_000)


def test_setting_the_clock_is_proposed_on_the_page_of_changes(browser: Browser, tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    with (
        in_thread(url, full_floor("main"), tmp_path) as service,
        at_the_console(browser, service, "main", "ana") as ana,
    ):
        ana.opens("changes")
        ana.button("Set the house clock").click()
        dialog = ana.page.get_by_role("dialog")
        expect(dialog).to_contain_text("while no round is open and no win is waiting at any link.")
        dialog.get_by_label("Reason").fill("it was an hour slow")
        dialog.get_by_role("button", name="Propose").click()
        expect(ana.page.locator(".proposals li")).to_contain_text("it was an hour slow")
        [told] = done(service.get("/v1/proposals", "sue"))["proposals"]
        assert told["change"] == {"kind": "ClockSetting"}
