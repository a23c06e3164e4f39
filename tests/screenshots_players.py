"""Pictures of what players are told before they bet: `python -m tests.screenshots_players`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser import chromium, context
from tests.callers import Floor
from tests.console import play
from tests.service import Json, full_floor, in_thread

IMAGES = Path(__file__).parent.parent / "docs" / "images"
PAGES: dict[str, tuple[str, Json]] = {
    "phone": ("/players/tables/main-stud-01", {"width": 390, "height": 1400}),
    "tablet": ("/players/main", {"width": 1180, "height": 1000}),
}


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    file = full_floor("main")
    file.link[0] |= {"seed": 8_231_745, "ceiling": 50_000_000}
    for table in file.table:
        table |= {"minimum": 2_500, "maximum": 100_000}
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'book.db'}"
        address = "https://jackpot.example.com"
        with in_thread(url, file, Path(folder), public_address=address) as service:
            play(Floor(service, "main"), 3)
            for name, (path, size) in PAGES.items():
                with context(browser, service.base, viewport=size) as made:
                    page = made.new_page()
                    page.goto(path)
                    expect(page.locator("main.players")).to_have_attribute("data-state", "read")
                    page.screenshot(path=images / f"players-{name}.png")
            with context(browser, service.base, viewport={"width": 1280, "height": 720}) as made:
                page = made.new_page()
                page.goto("/signs/tables/main-stud-01")
                expect(page.locator("[data-part=return]")).not_to_be_empty()
                expect(page.locator("[data-part=amount]")).to_have_attribute("data-shown", "8238945")
                page.screenshot(path=images / "table-code.png")


if __name__ == "__main__":
    with chromium() as found:
        shoot(found)
