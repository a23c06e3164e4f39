"""Pictures of the page of webhooks: one that takes events, one that fails, one whose receiver is gone."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser import chromium
from tests.callers import STRAIGHT_FLUSH, Floor, done
from tests.console import at_the_console
from tests.receiver import FAILS, GONE, Receiver
from tests.screenshots_console import DESKTOP, IMAGES
from tests.service import Json, Served, full_floor, serving
from tests.waiting import until

LINK = "main"
PHONE: Json = {"viewport": {"width": 390, "height": 844}}


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{folder}/book.db"
        allowed = {"JACKPOT_WEBHOOKS_ALLOW": "127.0.0.1/32"}
        with serving(url, full_floor(LINK), Path(folder), **allowed) as service:
            _listened(service)
            for name, settings in (("console-webhooks", DESKTOP), ("console-webhooks-phone", PHONE)):
                with at_the_console(browser, service, LINK, "sue", **settings) as sue:
                    page = sue.opens("webhooks")
                    page.get_by_text("What was sent lately").first.click()
                    expect(page.get_by_text("win.paid").first).to_be_visible()
                    page.screenshot(path=images / f"{name}.png", full_page=True)


def _listened(service: Served) -> None:
    receivers = {
        "Slot floor monitor": Receiver().start(),
        "Accounts": Receiver(behave=lambda: FAILS).start(),
        "Old message board": Receiver(behave=lambda: GONE).start(),
    }
    for name in receivers:
        topics = ["payments"] if name == "Accounts" else ["wins", "payments"]
        body = {"name": name, "url": receivers[name].url, "topics": topics, "links": [LINK]}
        done(service.post("/v1/webhooks", "sue", body))
    floor = Floor(service, LINK)
    floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    until(lambda: all(len(one.heard) > 0 for one in receivers.values()))
    until(lambda: len(receivers["Slot floor monitor"].heard) >= 4)


if __name__ == "__main__":
    with chromium() as found:
        shoot(found)
