"""Pictures of payouts: what is to be handed over, a slip on paper, and handing one over."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser import chromium
from tests.callers import ROYAL, STRAIGHT_FLUSH, Controller, Floor, done
from tests.console import Person, at_the_console
from tests.screenshots_console import DESKTOP, IMAGES
from tests.service import FloorFile, Json, link_entry, serving

TABLES = ("stud-01", "stud-02", "stud-03", "holdem-01")
PRINTS = "window.print = () => { window.printed = true }"


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    file = FloorFile()
    file.add_people()
    file.link.append(link_entry("main") | {"seed": 8_000_000})
    for table in TABLES:
        file.add_table(table, "main")
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'book.db'}"
        with serving(url, file, Path(folder)) as service:
            floor = Floor(service, "main")
            floor.tables = [Controller(service, table) for table in TABLES]
            royal = _paid_and_handed_over(floor)
            with at_the_console(browser, service, "main", "sue", **DESKTOP) as sue:
                _pages(sue, royal, images)


def _paid_and_handed_over(floor: Floor) -> str:
    """Three wins: one is handed over, of the royal flush it is proposed. The royal flush."""
    first, second, third, _ = floor.tables
    small = _paid(floor, first, STRAIGHT_FLUSH, "ana")
    cash: Json = {
        "reference": "IDC-2026-004711",
        "method": "several",
        "note": "4,000.20 cash, the rest chips",
    }
    done(floor.post(f"wins/{small}/hand-over", "ben", cash))
    royal = _paid(floor, second, ROYAL, "ana", "ben")
    cheque: Json = {"reference": "IDC-2026-004712", "method": "cheque", "note": "cheque 100871"}
    done(floor.post(f"wins/{royal}/hand-over", "ana", cheque))
    _paid(floor, third, STRAIGHT_FLUSH, "ben")
    return royal


def _paid(floor: Floor, table: Controller, cards: str, *people: str) -> str:
    win = table.wins(cards)
    for person in people:
        done(floor.approve(win, person))
    done(table.hands({1: cards}, final=True))
    return win


def _pages(sue: Person, royal: str, images: Path) -> None:
    page = sue.opens("payouts")
    expect(page.locator(".payout")).to_have_count(2)
    page.screenshot(path=images / "console-payouts.png")
    page.get_by_role("button", name="Hand over slip 3").click()
    sue.dialog.get_by_label("Reference of the identity check").fill("IDC-2026-004713")
    expect(sue.effect).to_contain_text("IDC-2026-004713")
    page.screenshot(path=images / "console-hand-over.png")
    page.keyboard.press("Escape")
    page = sue.opens("payouts", win=royal)
    page.evaluate(PRINTS)
    sue.button("Print the original").click()
    sue.confirms("Print")
    page.wait_for_function("window.printed")
    page.set_viewport_size({"width": 1000, "height": 1400})
    page.locator(".slip").screenshot(path=images / "console-slip.png")


if __name__ == "__main__":
    with chromium() as browser:
        shoot(browser)
