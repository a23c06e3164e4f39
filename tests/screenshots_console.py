"""Pictures of the console for the documents: a busy evening, page by page."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser import chromium
from tests.callers import QUADS, ROYAL, STRAIGHT_FLUSH, Controller, Floor, done, now
from tests.console import Person, at_the_console, tell_meters
from tests.service import FloorFile, Json, Service, link_entry, serving

IMAGES = Path(__file__).parent.parent / "docs" / "images"
TABLES = ("stud-01", "stud-02", "stud-03", "holdem-01", "holdem-02", "stud-04", "holdem-03")
GOLD, GOLD_WINDOW = ("gold-01", "gold-02"), 200
DESKTOP: Json = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
TABLET: Json = {"viewport": {"width": 1024, "height": 768}, "color_scheme": "dark"}
PAPER: ViewportSize = {"width": 760, "height": 1075}
SILENT_AFTER = 4
LOCAL = """at => {
    const soon = Date.parse(at) + 500;
    return new Date(soon - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 23);
}"""
"""Half a second after a time, as a field of the page holds it."""


def shoot(browser: Browser, images: Path = IMAGES) -> None:
    with tempfile.TemporaryDirectory() as folder, _evening(Path(folder)) as (service, floor):
        with at_the_console(browser, service, floor.link, "sue", **DESKTOP) as sue:
            _beat(floor)
            _pages(sue, images, "")
            _dialogs(sue, floor, images)
            _awards(sue, floor, images)
        with at_the_console(browser, service, floor.link, "tom", **TABLET) as tom:
            _beat(floor)
            _pages(tom, images, "-tablet", "floor", "wins")
            tom.page.goto("/console/login")
            tom.page.screenshot(path=images / "console-login.png")


# The evening


@contextmanager
def _evening(folder: Path) -> Iterator[tuple[Service, Floor]]:
    file = FloorFile()
    file.add_people()
    file.link += [
        link_entry("main") | {"seed": 8_000_000, "silent_after_s": SILENT_AFTER},
        link_entry("gold") | {"name": "Gold Room", "policy": "split", "window_ms": GOLD_WINDOW},
    ]
    for table in TABLES:
        file.add_table(table, "main")
    for table in GOLD:
        file.add_table(table, "gold")
    with serving(f"sqlite+aiosqlite:///{folder / 'book.db'}", file, folder) as service:
        floor = Floor(service, "main")
        floor.tables = [Controller(service, table) for table in TABLES]
        _played(floor)
        yield service, floor


def _played(floor: Floor) -> None:
    *playing, silent = floor.tables
    _, second, third, *_ = playing
    done(silent.beat())
    _rounds(playing, 20)
    _metered(floor, playing)
    done(floor.post("close", "ana", {"reason": "shift change"}))
    done(floor.agree("open", {"reason": "shift change"}))
    _straight_flush_paid(floor, second)
    _rounds(playing, 14)
    _late_claim(third)
    _block_box(floor, third)
    _disputed(floor, third)
    done(floor.post("seed", "ana", {"seed": 9_000_000, "reason": "New Year season, memo 114"}))
    _receipts(floor)
    time.sleep(SILENT_AFTER)
    _majors(floor, playing)


def _rounds(tables: list[Controller], count: int) -> None:
    for number in range(count):
        for place, table in enumerate(tables):
            boxes = list(range(1, 3 + (number + place) % 4))
            done(table.beat())
            done(table.bets(boxes))
            shown = QUADS if number == 5 and not table.holdem else None
            done(table.hands(dict.fromkeys(boxes) | {1: shown}, final=True))


def _metered(floor: Floor, playing: list[Controller]) -> None:
    """Most controllers tell their meters; one has miscounted before, another does now."""
    first, second, *others = playing[:-1]
    tell_meters(floor, first, bets=500)
    tables = done(floor.get("reconciliation"))["tables"]
    found = next(one for one in tables if one["table"] == first.table)["difference"]["id"]
    reason = {"reason": "sensor of box 3 counted a chip twice; replaced"}
    done(floor.service.post(f"/v1/differences/{found}/mend", "sue", reason))
    for table in (second, *others):
        tell_meters(floor, table)
    _rounds([second], 1)
    tell_meters(floor, second, awards=-10_000)


def _straight_flush_paid(floor: Floor, table: Controller) -> None:
    win = table.wins(STRAIGHT_FLUSH)
    done(floor.approve(win, "ben"))


def _late_claim(table: Controller) -> None:
    done(table.bets([2]))
    done(table.hands({2: None}, final=True))
    done(table.bets([5]))
    done(table.hands({2: "8d 7d 6d 5d 4d"}, round=table.round - 1))
    done(table.hands({5: None}, final=True))


def _block_box(floor: Floor, table: Controller) -> None:
    said = {
        "scope": {"table": table.table, "box": 4},
        "observed_at": now(-0.001),
        "cards_seen": {},
        "then": "block_box",
        "note": "bet sensor of box 4 does not light",
    }
    done(floor.service.post("/v1/malfunctions", "sue", said))


def _disputed(floor: Floor, table: Controller) -> None:
    """A round with a correction, and a dealing error after which one player had the bets returned."""
    hands = {1: "Kc Kh Kd Js Jh", 2: "9d 8d 6d 4d 2d", 3: "Qc Td 6h 4s 2c"}
    done(table.bets([1, 2, 3, {"box": 5, "progressive": 500}]))
    for first in ("Ah As 9c 7h 3d", hands[1]):
        said: dict[int, Json] = {
            box: {"cards": cards.split(), "decision": "bet"} for box, cards in (hands | {1: first}).items()
        }
        said[3] = {"cards": hands[3].split(), "folded": True}
        done(table.hands(said, dealer={"cards": ["Ac", "Ks", "Qd", "Tc", "2h"]}))
    error: Json = {"paragraph": "5.10", "reconstructed": False, "boxes": [1, 2]}
    error |= {"choices": {"1": "continue", "2": "return"}, "note": "box 2 was dealt before box 1, camera 7"}
    done(floor.service.post(table.path("irregularities"), "sue", error))


def _receipts(floor: Floor) -> None:
    reading = floor.meter()
    for _ in range(2):
        told = {"sequence": reading["sequence"], "value": reading["value"], "shown_at": now()}
        done(floor.post("receipts", "sign-1", {"sign": "sign-1", **told}))
        time.sleep(1.1)


def _majors(floor: Floor, playing: list[Controller]) -> None:
    """Two that nobody can tell apart, one from a spool, one paid from a registered reading; and a table whose
    round may have been dealt before them."""
    first, second, _, holdem, other, fourth = playing
    done(fourth.bets([6]))
    scope = {"scope": {"table": fourth.table}, "observed_at": now(), "then": "progressive_off"}
    broken = scope | {"cards_seen": {fourth.table: True}, "note": "card reader of the shoe fails"}
    done(floor.service.post("/v1/malfunctions", "sue", broken))
    for table in (first, holdem, second, other):
        done(table.bets([1, 2, 3]))
        time.sleep(0.6)
    _beat(floor)
    dealt = [now(), now(0.009)]
    _dealt(first, 1, ROYAL, dealt[0])
    _dealt(second, 3, STRAIGHT_FLUSH, dealt[1])
    time.sleep(0.8)
    cards: list[Json] = [{"box": 2, "cards": ["Jc", "Tc"], "dealt_at": now()}, {"box": 1, "revealed": False}]
    said = {"hands": [*cards, {"box": 3, "revealed": False}], "community": ["9c", "8c", "7c"]}
    done(holdem.events({"kind": "hands", "round": holdem.round, "sent_at": now(), **said}))
    time.sleep(0.8)
    done(fourth.hands({6: "6h 5h 4h 3h 2h"}))
    first_in_line = done(floor.get("wins"))["wins"][0]["id"]
    done(floor.approve(first_in_line, "ana"))
    _beat(floor)


def _beat(floor: Floor) -> None:
    """Of all but the silent one."""
    for table in floor.tables[:-1]:
        done(table.beat())


def _dealt(table: Controller, box: int, cards: str, at: str) -> None:
    hands: dict[int, Any] = dict.fromkeys((1, 2, 3)) | {box: {"cards": cards.split(), "dealt_at": at}}
    done(table.hands(hands))


# The pictures


def _pages(person: Person, images: Path, tail: str, *names: str) -> None:
    for name in names or (
        "floor",
        "wins",
        "claims",
        "malfunctions",
        "changes",
        "figures",
        "reconciliation",
        "journal",
        "audit",
    ):
        page = person.opens(name)
        expect(page.locator("#live")).to_have_text("Live")
        page.screenshot(path=images / f"console-{name}{tail}.png")


def _dialogs(sue: Person, floor: Floor, images: Path) -> None:
    page = sue.opens("wins")
    _asked(sue, "order", images)
    _asked(sue, "approve", images)
    page.locator("[data-act=proof]").first.click()
    expect(sue.dialog).to_contain_text("WinRegistered")
    page.screenshot(path=images / "console-proof.png")
    sue.opens("changes")
    _asked(sue, "confirm", images)
    sue.opens("malfunctions")
    page.locator("[data-act=declare]").click()
    sue.dialog.get_by_label("What does not work").select_option("holdem-02")
    sue.dialog.locator("[id='field-seen-holdem-02-no']").check()
    expect(sue.effect).to_contain_text("is voided")
    page.screenshot(path=images / "console-declare.png")
    told = done(floor.get("receipts", params={"sign": "sign-1"}))["receipts"][0]["shown_at"]
    shown = page.evaluate(LOCAL, told)
    sue.opens("signs")
    page.get_by_role("textbox", name="Sign").fill("sign-1")
    page.get_by_label("Time", exact=True).fill(shown)
    sue.button("Show").click()
    expect(page.locator("#page")).to_contain_text("the sign itself")
    page.screenshot(path=images / "console-signs.png")
    _round(sue, floor.tables[2], images)


def _awards(sue: Person, floor: Floor, images: Path) -> None:
    page = sue.opens("changes")
    page.locator("[data-act=policy]").click()
    sue.dialog.get_by_role("radio", name="Split").check()
    sue.dialog.get_by_label("Window, ms").fill("50")
    expect(sue.effect).to_contain_text("Warning")
    page.screenshot(path=images / "console-policy.png")
    page.keyboard.press("Escape")
    page.locator("[data-act=pay_table]").click()
    sue.dialog.get_by_label("Straight flush", exact=True).fill("20")
    sue.dialog.get_by_label("Three of a kind, what").select_option("for 1")
    sue.dialog.get_by_label("Three of a kind", exact=True).fill("3")
    expect(sue.effect.get_by_role("row")).to_have_count(3)
    page.screenshot(path=images / "console-pay-table.png")
    page.keyboard.press("Escape")
    _met_at_gold(floor)
    page.goto("/console/wins?link=gold")
    expect(page.locator(".callout.together")).to_contain_text("1 of 2 approvals")
    page.screenshot(path=images / "console-together.png")


def _met_at_gold(floor: Floor) -> None:
    """Two royal flushes within the window, one of them approved by one person."""
    tables = [Controller(floor.service, table) for table in GOLD]
    for table in tables:
        done(table.beat())
        done(table.bets([1, 2]))
    dealt = now()
    wins = []
    for table, cards in zip(tables, (ROYAL, ROYAL.replace("h", "d")), strict=True):
        said = {1: {"cards": cards.split(), "dealt_at": dealt}, 2: None}
        wins.append(str(done(table.hands(said, final=True))["results"][0]["win"]))
    time.sleep(GOLD_WINDOW / 1000)
    done(tables[0].beat())  # now no hand can be dealt that would be simultaneous
    done(floor.service.post(f"/v1/links/gold/wins/{wins[0]}/approve", "ana", {"note": "camera 4"}))


def _round(sue: Person, table: Controller, images: Path) -> None:
    page = sue.opens("rounds", table=table.table, round=table.round)
    expect(page.locator(".decisions")).to_contain_text("camera 7")
    page.screenshot(path=images / "console-rounds.png")
    sue.button("Irregularity").click()
    sue.dialog.get_by_label("What happened").select_option("5.9")
    sue.dialog.locator("[id='field-cards_seen-yes']").check()
    expect(sue.effect).to_contain_text("The round is voided")
    page.screenshot(path=images / "console-irregularity.png")
    page.keyboard.press("Escape")
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    page.screenshot(path=images / "console-round-paper.png")
    page.emulate_media(media="screen")
    page.set_viewport_size(DESKTOP["viewport"])


def _asked(sue: Person, act: str, images: Path) -> None:
    sue.page.locator(f"[data-act={act}]").first.click()
    expect(sue.effect.locator("li").first).to_be_visible()
    sue.page.screenshot(path=images / f"console-{act}.png")
    sue.page.keyboard.press("Escape")


if __name__ == "__main__":
    with chromium() as found:
        shoot(found)
