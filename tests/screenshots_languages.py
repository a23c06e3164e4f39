"""Pictures of pages in the languages besides English: `python -m tests.screenshots_languages`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize

from displays.pages.languages import ENGLISH, LANGUAGES
from tests.browser import chromium, context
from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done
from tests.console import Person, at_the_console
from tests.service import FloorFile, Json, Served, in_thread

IMAGES = Path(__file__).parent.parent / "docs" / "images"
OTHERS = [language for language in LANGUAGES if language != ENGLISH]
NAMES = {"zh-CN": "金龙厅累积大奖", "ms": "Jackpot Dewan Naga Emas"}
DESKTOP: Json = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
WIDE: ViewportSize = {"width": 1280, "height": 720}


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    with tempfile.TemporaryDirectory() as folder, _house(Path(folder)) as service:
        for language in OTHERS:
            floor = Floor(service, language)
            for _ in range(6):
                done(floor.stud.bets([1, 2, 3]))
            _pictures(browser, floor, images, language)


@contextmanager
def _house(folder: Path) -> Iterator[Served]:
    """A link that speaks each language, and a pit."""
    file = FloorFile()
    file.add_people()
    for language in OTHERS:
        file.add_link(language)
        file.link[-1] |= {"name": NAMES[language], "seed": 8_231_745, "language": language}
    for table in file.table:
        table |= {"minimum": 2_500, "maximum": 100_000}
    file.add_pit()
    with in_thread(f"sqlite+aiosqlite:///{folder / 'book.db'}", file, folder) as service:
        yield service


def _pictures(browser: Browser, floor: Floor, images: Path, language: str) -> None:
    service = floor.service
    with context(browser, service.base, viewport=WIDE) as made:
        page = made.new_page()
        take = _Camera(page, images, language)
        take.of("table", f"/signs/tables/{floor.holdem.table}", "[data-part=pays] tr")
        take.of("players", f"/players/tables/{floor.holdem.table}?lang={language}", "main")
        take.of("pit-table", f"/signs/tables/fb-01?lang={language}", "[data-part=sides] article")
        royal = floor.stud2.wins(ROYAL)
        take.of("sign-held", f"/signs/{language}", "[data-state=held]")
    win = floor.stud.wins(STRAIGHT_FLUSH)
    with at_the_console(browser, service, language, "sue", locale=language, **DESKTOP) as sue:
        _console(sue, images, language)
        done(floor.approve(royal, "ana"))
        done(floor.approve(royal, "sue"))
        done(floor.approve(win, "sue"))
        _slip(sue, images, language, royal)


class _Camera:
    def __init__(self, page: Page, images: Path, language: str) -> None:
        self._page, self._images, self._language = page, images, language

    def of(self, name: str, path: str, ready: str) -> None:
        self._page.goto(path)
        self._page.wait_for_selector(ready)
        self._page.evaluate("document.fonts.ready")
        self._page.wait_for_timeout(1500)
        self._page.screenshot(path=self._images / f"{name}-{self._language}.png")


def _console(sue: Person, images: Path, language: str) -> None:
    for name in ("wins", "floor"):
        page = sue.opens(name)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(500)
        page.screenshot(path=images / f"console-{name}-{language}.png")


def _slip(sue: Person, images: Path, language: str, royal: str) -> None:
    page = sue.opens("payouts", win=royal)
    page.set_viewport_size({"width": 1000, "height": 1400})
    page.locator(".slip").screenshot(path=images / f"slip-{language}.png")


def main() -> None:
    with chromium() as browser:
        shoot(browser)


if __name__ == "__main__":
    main()
