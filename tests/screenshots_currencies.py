"""Signs of links that count without cents."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize

from tests.browser import context
from tests.callers import Floor, done
from tests.currencies import LINKS, floor_without_cents
from tests.service import in_thread

SIZE: ViewportSize = {"width": 1280, "height": 720}


def shoot(browser: Browser, images: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="jackpot-currencies-"))
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, floor_without_cents(), folder) as service:
        for link, played in LINKS.items():
            floor = Floor(service, link)
            done(floor.stud.bets([{"box": 1, "ante": played.ante, "progressive": played.bet}]))
            shown = f"[data-shown='{floor.meter()['value']}']"
            with context(browser, service.base, reduced_motion="reduce", viewport=SIZE) as somebody:
                page = somebody.new_page()
                page.goto(f"/signs/{link}")
                page.wait_for_selector(shown, state="attached")
                page.screenshot(path=images / f"sign-{played.currency.lower()}.png")
