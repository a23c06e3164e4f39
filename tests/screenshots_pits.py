"""Pictures of a pit for the documents: its displays, its pages of the console, rounds as evidence."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, expect

from tests.blackjack_rounds import WORKED
from tests.browser import chromium, context
from tests.callers import done, now
from tests.console import Person, at_the_console
from tests.service import PIT, FloorFile, Json, Served, in_thread, link_entry

IMAGES = Path(__file__).parent.parent / "docs" / "images"
DESKTOP: Json = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
PAPER: ViewportSize = {"width": 760, "height": 1075}
WIDE: ViewportSize = {"width": 1920, "height": 1080}
TALL: ViewportSize = {"width": 1080, "height": 1920}
LIMITS: dict[str, Json] = {
    "bj-01": {
        "player_pair": {"minimum": 500, "maximum": 50000},
        "under_13": {"minimum": 500, "maximum": 50000},
        "over_13": {"minimum": 500, "maximum": 50000},
    },
    "pp-01": {"perfect_pairs": {"minimum": 500, "maximum": 50000}},
    "fb-01": {
        "rws_pairs": {"minimum": 500, "maximum": 50000},
        "lucky_stash": {"minimum": 500, "maximum": 20000},
        "boom_busted": {"minimum": 500, "maximum": 200000},
    },
}
DISPLAYS = {"bj-01": "blackjack", "pp-01": "perfect-pairs", "fb-01": "free-bet"}


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    with tempfile.TemporaryDirectory() as folder, _pit(Path(folder)) as service:
        displays(browser, service, images)
        _played(service)
        with at_the_console(browser, service, PIT, "sue", **DESKTOP) as sue:
            _console(sue, images)


@contextmanager
def _pit(folder: Path) -> Iterator[Served]:
    file = FloorFile()
    file.add_people()
    file.link.append(link_entry("main"))
    file.add_table("stud-01", "main")
    file.add_pit()
    file.pit[0]["name"] = "Blackjack Pit"
    for table in file.table:
        if table["id"] in LIMITS:
            table |= {"side": LIMITS[table["id"]], "minimum": 1000}
    with in_thread(f"sqlite+aiosqlite:///{folder / 'book.db'}", file, folder) as service:
        yield service


def displays(browser: Browser, service: Served, images: Path) -> None:
    for table, name in DISPLAYS.items():
        for size, tail in ((WIDE, ""), (TALL, "-portrait")):
            with context(browser, service.base, viewport=size, reduced_motion="reduce") as made:
                page = made.new_page()
                page.goto(f"/signs/tables/{table}")
                expect(page.locator(".side").first).to_be_visible()
                page.screenshot(path=images / f"table-{name}{tail}.png")

    done(service.post("/v1/tables/bj-01/close", "sue", {"reason": "end of shift"}))
    with context(browser, service.base, viewport=WIDE, reduced_motion="reduce") as made:
        page = made.new_page()
        page.goto("/signs/tables/bj-01")
        expect(page.locator("[data-state=closed] .notice")).to_be_visible()
        page.screenshot(path=images / "table-blackjack-closed.png")
    done(service.post("/v1/tables/bj-01/open", "sue", {"reason": "a dealer"}))


# The evening


def _told(service: Served, table: str, what: str, body: Json, number: int) -> None:
    moment = now()
    stamps = {"sent_at": moment} | ({"closed_at": moment} if what == "bets" else {})
    done(service.call("PUT", f"/v1/tables/{table}/rounds/{number}/{what}", table, json=body | stamps))


def _played(service: Served) -> None:
    """The worked rounds; then one with a split under way, and one that was left open."""
    counts: dict[str, int] = dict.fromkeys(DISPLAYS, 0)
    places = {"blackjack": "bj-01", "blackjack_perfect_pairs": "pp-01", "free_bet_blackjack": "fb-01"}
    for story in WORKED:
        table = places[story.table["game"]]
        counts[table] += 1
        _told(service, table, "bets", story.bets, counts[table])
        for one in story.told:
            _told(service, table, "hands", one["report"], counts[table])
    boxes = [
        {"box": 1, "bet": 2500, "rws_pairs": 500},
        {"box": 1, "player": "Mrs Tan", "standing": True, "bet": 1000},
        {"box": 3, "bet": 5000, "lucky_stash": 1000},
    ]
    boom = [{"player": "Mr Lim", "bet": 1000}]
    _told(service, "fb-01", "bets", {"boxes": boxes, "boom_busted": boom}, counts["fb-01"] + 1)
    hands = [{"box": 1, "cards": ["8h", "8d"]}, {"box": 3, "cards": ["5c", "6d"]}]
    _told(service, "fb-01", "hands", {"hands": hands, "dealer": {"cards": ["Kh"]}}, counts["fb-01"] + 1)
    left: Json = {"boxes": [{"box": 1, "bet": 2500}]}
    for number in (1, 2):
        _told(service, "pp-01", "bets", left, counts["pp-01"] + number)


# The pictures


def _console(sue: Person, images: Path) -> None:
    page = sue.opens("floor")
    expect(page.locator("#live")).to_have_text("Live")
    page.screenshot(path=images / "console-pit.png")
    sue.opens("figures")
    expect(page.locator("#page")).to_contain_text("Kept by the house")
    page.screenshot(path=images / "console-pit-figures.png")
    sue.opens("journal")
    expect(page.locator("#page")).to_contain_text("PitHandsReported")
    page.screenshot(path=images / "console-pit-journal.png")
    sue.opens("rounds", table="fb-01", round=1)
    expect(page.locator(".layout")).to_contain_text("Hand 3")
    page.locator(".panel.bets").evaluate("bets => bets.scrollIntoView()")
    page.mouse.wheel(0, -80)  # below the bar that stays
    page.screenshot(path=images / "console-pit-round.png")
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=images / "console-pit-round-paper.png")
    page.emulate_media(media="screen")
    page.set_viewport_size(DESKTOP["viewport"])
    sue.opens("rounds", table="fb-01", round=3)
    sue.button("Irregularity").click()
    sue.dialog.get_by_label("What happened").select_option("5.7")
    for question, answer in (("reconstructed", "no"), ("interim_settled", "yes")):
        sue.dialog.locator(f"[id='field-{question}-{answer}']").check()
    for key in ("1/1", "3/3", "boom_busted/Mr-Lim"):
        sue.dialog.locator(f"[id='field-choice-{key}-continue']").check()
    sue.dialog.locator("[id='field-choice-1/Mrs-Tan-return']").check()
    expect(sue.effect).to_contain_text("to be returned")
    page.screenshot(path=images / "console-pit-irregularity.png")


if __name__ == "__main__":
    with chromium() as found:
        shoot(found)
