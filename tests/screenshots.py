"""Every page in each of its states, as pictures for the documents: `python -m tests.screenshots`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests import (
    screenshots_console,
    screenshots_currencies,
    screenshots_days,
    screenshots_dryrun,
    screenshots_languages,
    screenshots_overview,
    screenshots_payouts,
    screenshots_pits,
    screenshots_players,
    screenshots_webhooks,
)
from tests.browser import chromium
from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done, now
from tests.service import FloorFile, Service, serving

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WIDE, TALL = (1280, 720), (720, 1280)
STARTED = 8_231_745
"""A meter that has been played for, in minor units."""


@dataclass
class Camera:
    browser: Browser
    service: Service
    folder: Path = IMAGES

    @contextmanager
    def page(self, path: str, size: tuple[int, int] = WIDE) -> Iterator[Page]:
        made = self.browser.new_context(
            base_url=self.service.base, viewport={"width": size[0], "height": size[1]}
        )
        page = made.new_page()
        page.goto(path)
        page.wait_for_selector("[data-shown]", state="attached")
        yield page
        made.close()

    def take(self, name: str, path: str, size: tuple[int, int] = WIDE, *, ready: str = "") -> None:
        with self.page(path, size) as page:
            if ready:
                page.wait_for_selector(ready, timeout=60_000)
            time.sleep(1)
            self.save(page, name)

    def save(self, page: Page, name: str) -> None:
        page.screenshot(path=self.folder / f"{name}.png")


def floor_of_signs() -> FloorFile:
    floor = FloorFile()
    floor.add_people()
    for link, name, seed in [
        ("main", "Multi-Link Progressive", STARTED),
        ("high", "Grand Salon", 2_500_000_00),
    ]:
        floor.add_link(link)
        floor.link[-1] |= {"name": name, "seed": seed}
    floor.link[-1]["theme"] = "midnight"
    for table in floor.table:
        table |= {"minimum": 2_500, "maximum": 100_000}
    return floor


def signs(camera: Camera) -> None:
    main, high = Floor(camera.service, "main"), Floor(camera.service, "high")
    for _ in range(9):
        done(main.stud.bets([1, 2, 3, 4, 5]))
    camera.take("sign-open", "/signs/main")
    camera.take("sign-open-midnight", "/signs/high")
    camera.take("sign-portrait", "/signs/main", TALL)
    camera.take("table-open", "/signs/tables/main-stud-01", ready="[data-part=pays] tr")
    _majors(camera, main, high)
    _faults(camera, main)


def _majors(camera: Camera, main: Floor, high: Floor) -> None:
    royal = main.stud2.wins(ROYAL)
    done(main.stud.bets([1, 2, 3]))
    camera.take("sign-held", "/signs/main", ready="[data-state=held]")
    camera.take("table-held", "/signs/tables/main-holdem-01?theme=midnight", ready="[data-meter=held]")
    with camera.page("/signs/main") as sign, camera.page("/signs/high") as other:
        done(main.stud.hands(dict.fromkeys((1, 2, 3)), final=True))
        for person in ("ana", "sue"):
            done(main.approve(royal, person))
        _celebrated(camera, sign, "sign-won", main.meter()["last_hit"]["amount"])
        high.paid(high.stud, STRAIGHT_FLUSH, "ana")
        _celebrated(camera, other, "sign-won-midnight", high.meter()["last_hit"]["amount"])


def _celebrated(camera: Camera, page: Page, name: str, amount: int) -> None:
    page.wait_for_selector(f"[data-state=won] [data-part=won-amount][data-shown='{amount}']", timeout=30_000)
    camera.save(page, name)


def _faults(camera: Camera, main: Floor) -> None:
    _declare(main, {"table": main.stud.table, "box": 3}, "block_box")
    camera.take("table-blocked", "/signs/tables/main-stud-01", ready="[data-blocked]")
    _declare(main, {"table": main.stud.table}, "progressive_off")
    camera.take("table-off", "/signs/tables/main-stud-01", ready="[data-state=off]")
    done(camera.service.post(f"/v1/tables/{main.stud2.table}/close", "sue", {"reason": "end of shift"}))
    camera.take("table-closed", "/signs/tables/main-stud-02?theme=midnight", ready="[data-state=closed]")
    time.sleep(20)  # until the win is no longer celebrated
    _declare(main, {"link": "main"}, "progressive_off")
    camera.take("sign-off", "/signs/main", ready="[data-state=off]")
    with camera.page("/signs/high") as page:
        time.sleep(1)
        camera.service.kill()
        page.wait_for_selector("[data-state=stale]", timeout=30_000)
        time.sleep(0.5)
        camera.save(page, "sign-stale")


def _declare(floor: Floor, scope: dict[str, object], then: str) -> None:
    said = {"scope": scope, "observed_at": now(), "cards_seen": {}, "then": then, "note": "lamp flickers"}
    done(floor.service.post("/v1/malfunctions", "sue", said))


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        folder = Path(tempfile.mkdtemp(prefix="jackpot-signs-"))
        url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
        with serving(url, floor_of_signs(), folder) as service:
            signs(Camera(browser, service))
        screenshots_languages.shoot(browser)
        screenshots_overview.shoot(browser)
        screenshots_currencies.shoot(browser, IMAGES)
        screenshots_console.shoot(browser)
        screenshots_days.shoot(browser)
        screenshots_dryrun.shoot(browser)
        screenshots_payouts.shoot(browser)
        screenshots_pits.shoot(browser)
        screenshots_languages.shoot(browser)
        screenshots_players.shoot(browser)
        screenshots_webhooks.shoot(browser)


if __name__ == "__main__":
    main()
