"""Pictures of a dry run over a month: its page in the console, and what `jackpot dryrun --plot` draws."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser import chromium
from tests.console import at_the_console
from tests.month import LINK, written
from tests.screenshots_console import DESKTOP, IMAGES, TABLET
from tests.service import FloorFile, Service, link_entry, serving

ROUNDS, LUCK, MEETING = 4_800, 40, 120
END = "2026-10-31T00:00"
TABLES = 24
"""Half of them of each game, as the month has them."""


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    with tempfile.TemporaryDirectory() as folder, _month(Path(folder)) as service:
        plot = images / "dryrun.svg"
        _drawn(service, "--to", f"{END}Z", "--seed", "10000000", "--policy", "split", "--plot", str(plot))
        with at_the_console(browser, service, LINK, "sue", **DESKTOP) as sue:
            page = sue.opens("dryrun")
            page.get_by_label("To", exact=True).fill(END)
            page.get_by_label("Seed, SGD").fill("100,000.00")
            page.get_by_label("Wins that meet").select_option("split")
            sue.button("Play again").click()
            expect(page.locator(".compared")).to_be_visible(timeout=60_000)
            page.screenshot(path=images / "console-dryrun.png", full_page=True)
        with at_the_console(browser, service, LINK, "ada", **TABLET) as ada:
            page = ada.opens("dryrun")
            expect(page.locator(".compared")).to_be_visible(timeout=60_000)
            page.screenshot(path=images / "console-dryrun-tablet.png", full_page=True)


def _drawn(service: Service, *arguments: str) -> None:
    done: subprocess.CompletedProcess[str] = service.jackpot("dryrun", "--link", LINK, *arguments)
    assert done.returncode == 0, done.stderr


@contextmanager
def _month(folder: Path) -> Iterator[Service]:
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    month = written(url, rounds=ROUNDS, tables=TABLES, luck=LUCK, meeting=MEETING)
    with ThreadPoolExecutor(1) as apart:  # in this thread the browser has its loop
        apart.submit(asyncio.run, month).result()
    file = FloorFile()
    file.add_people()
    file.link += [link_entry(LINK)]
    for number in range(1, TABLES + 1):
        file.add_table(f"{'stud' if number <= TABLES // 2 else 'holdem'}-{number:02d}", LINK)
    with serving(url, file, folder) as service:
        yield service


if __name__ == "__main__":
    with chromium() as found:
        shoot(found)
