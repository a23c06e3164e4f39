"""Pictures of a gaming day: on the screen, on paper, and while it is closed."""

from __future__ import annotations

import asyncio
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser import chromium
from tests.console import Person, at_the_console
from tests.month import LINK, written
from tests.screenshots_console import DESKTOP, IMAGES
from tests.service import full_floor, serving

DAY = "2026-10-02"


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'book.db'}"
        with ThreadPoolExecutor(1) as apart:  # in this thread the browser has its loop
            apart.submit(asyncio.run, written(url, rounds=2_400, days=3, tables=8, luck=150)).result()
        with (
            serving(url, full_floor(LINK), Path(folder)) as service,
            at_the_console(browser, service, LINK, "sue", **DESKTOP) as sue,
        ):
            _shown(sue, images)
            _closed(sue, images)


def _shown(sue: Person, images: Path) -> None:
    page = sue.opens("days")
    page.get_by_label("Gaming day").fill(DAY)
    expect(page.get_by_role("columnheader", name="Whole day")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("2 October 2026"))).to_be_visible()
    page.screenshot(path=images / "console-days.png", full_page=True)
    page.emulate_media(media="print")
    page.screenshot(path=images / "console-days-paper.png", full_page=True)
    page.emulate_media(media="screen")


def _closed(sue: Person, images: Path) -> None:
    page = sue.opens("days")
    page.get_by_role("button", name=re.compile("^Close ")).click()
    sue.dialog.get_by_label("Rounds (optional)", exact=True).fill("3")
    sue.dialog.get_by_label("Why it differs, if it does").fill("slips of stud-02 counted twice")
    expect(sue.effect).to_contain_text("Counted otherwise: rounds.")
    page.screenshot(path=images / "console-days-closing.png")


if __name__ == "__main__":
    with chromium() as one:
        shoot(one)
