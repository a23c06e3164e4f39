"""Pictures of all links and pits at a glance, after a day of play: `python -m tests.screenshots_overview`."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import pi, sin
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, expect

from api.floor.applying import apply_floor
from api.floor.file import read_floor
from jackpot.book.book import Book
from jackpot.core.instants import SECOND
from jackpot.link import commands
from jackpot.machine.execute import Outcome
from tests.book_floor import BookFloor, StoryClock
from tests.browser import chromium
from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done, now
from tests.console import at_the_console, late_claim
from tests.service import FloorFile, Json, Served, full_floor, in_thread

IMAGES = Path(__file__).parent.parent / "docs" / "images"
NAMES = {"main": "Multi-Link Progressive", "gold": "Gold Room", "high": "Grand Salon", "terrace": "Terrace"}
SEEDS = {"main": 8_000_000, "gold": 5_000_000, "high": 50_000_000, "terrace": 1_000_000}
WALL: Json = {"viewport": {"width": 1920, "height": 1080}, "color_scheme": "dark"}
DESKTOP: Json = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
PHONE: Json = {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"}
HALF_HOURS = 46


class _Link(BookFloor):
    def __init__(self, url: str, book: Book, clock: StoryClock, link: str) -> None:
        super().__init__(url, book, clock)
        self.link = link

    async def submit(self, command: commands.Command) -> Outcome:
        return await self.book.submit(self.link, command)


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    with tempfile.TemporaryDirectory() as folder, _after_a_day(Path(folder)) as service:
        for name, settings in (("", WALL), ("-phone", PHONE)):
            with at_the_console(browser, service, "main", "sue", **settings) as sue:
                page = sue.opens("overview")
                expect(page.locator(".spark").first).to_be_visible()
                page.screenshot(path=images / f"console-overview{name}.png")
        with at_the_console(browser, service, "main", "sue", **DESKTOP) as sue:
            page = sue.opens("figures")
            expect(page.locator("#live")).to_have_text("Live")
            page.locator("#attention summary").click()
            page.screenshot(path=images / "console-attention.png")


@contextmanager
def _after_a_day(folder: Path) -> Iterator[Served]:
    file = full_floor(*NAMES)
    for link in file.link:
        link |= {"name": NAMES[str(link["id"])], "seed": SEEDS[str(link["id"])]}
    file.pit[0]["name"] = "Blackjack Pit"
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with ThreadPoolExecutor(1) as apart:  # the browser has this thread's loop
        apart.submit(lambda: asyncio.run(_a_day(url, file, folder))).result()
    with in_thread(url, file, folder) as service:
        _now(service)
        yield service


async def _a_day(url: str, file: FloorFile, folder: Path) -> None:
    (folder / "day.toml").write_text(file.text())
    clock = StoryClock(time.time_ns() // 1000 - (HALF_HOURS * 1800 + 60) * SECOND)
    book = await Book.open(url, clock=clock)
    await apply_floor(book, read_floor(folder / "day.toml"))
    links = [_Link(url, book, clock, name) for name in NAMES]
    links[0]._set_clock()
    random = Random(7)
    for half_hour in range(HALF_HOURS):
        began = clock.time
        busy = 1 + sin(half_hour / HALF_HOURS * 2 * pi + 2.5)
        for place, link in enumerate(links):
            for _ in range(round((4 + 2 * place) * busy) + random.randrange(2)):
                await _round(link, f"{link.link}-stud-0{random.randrange(2) + 1}")
        if half_hour in (17, 33):
            await _paid(links[half_hour % 2], STRAIGHT_FLUSH if half_hour == 17 else ROYAL)
        clock.time = began + 1800 * SECOND
    await book.close()


async def _round(link: _Link, table: str) -> None:
    boxes = range(1, 7)
    await link.submit(link.bets(table, boxes))
    await link.submit(link.hands(table, dict.fromkeys(boxes), final=True))


async def _paid(link: _Link, cards: str) -> None:
    win = await link.wins_major(f"{link.link}-stud-01", cards)
    await link.approve(win, *(("ana", "ben") if cards == ROYAL else ("ana",)))


def _now(service: Served) -> None:
    """What waits at the end of it."""
    floors = {name: Floor(service, name) for name in NAMES}
    for floor in floors.values():
        for table in floor.tables:
            done(table.beat())
    for name in ("bj-01", "pp-01"):
        done(service.post(f"/v1/tables/{name}/heartbeat", name, {"sent_at": now()}))
    for floor in floors.values():
        for controller in floor.tables[:2]:
            controller.round = 10_000
    floors["gold"].stud.wins(ROYAL)
    late_claim(floors["high"])
    done(floors["terrace"].post("seed", "ana", {"seed": 1_500_000, "reason": "New Year season"}))


if __name__ == "__main__":
    with chromium() as found:
        shoot(found)
