"""People at the console: each with a browser of their own, on one service."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import context
from tests.callers import NOTHING, ROYAL, STRAIGHT_FLUSH, Controller, Floor, done, now
from tests.service import PASSWORD, Json, Served

PAGES = (
    "overview",
    "floor",
    "wins",
    "payouts",
    "rounds",
    "claims",
    "malfunctions",
    "changes",
    "figures",
    "days",
    "reconciliation",
    "dryrun",
    "signs",
    "webhooks",
    "journal",
    "audit",
)


class Person:
    """Somebody who is logged in, looking at one link."""

    def __init__(self, page: Page, link: str) -> None:
        self.page, self.link = page, link

    def log_in(self, name: str, password: str = PASSWORD) -> None:
        self.page.goto("/console/login")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Log in").click()

    def opens(self, name: str, **query: str | int) -> Page:
        self.page.goto(f"/console/{name}?{urlencode({'link': self.link, **query})}")
        expect(self.page.locator("#page")).not_to_have_attribute("aria-busy", "true")
        return self.page

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def effect(self) -> Locator:
        return self.dialog.locator(".effect")

    def confirms(self, button: str, **fields: str) -> None:
        """Fill in what the dialog asks for, and carry it out."""
        for label, value in fields.items():
            self.dialog.get_by_label(label.replace("_", " ")).fill(value)
        self.dialog.get_by_role("button", name=button, exact=True).click()
        expect(self.dialog).to_have_count(0)

    def is_told(self, text: str) -> None:
        expect(self.page.locator("#notices")).to_contain_text(text)


@contextmanager
def at_the_console(
    browser: Browser, service: Served, link: str, name: str, **settings: Any
) -> Iterator[Person]:
    """Logged in without the page for it, which has tests of its own."""
    with context(browser, service.base, **settings) as made:
        assert made.request.post("/v1/sessions", data={"name": name, "password": PASSWORD}).ok
        yield Person(made.new_page(), link)


# Stories of the floor


def tell_meters(floor: Floor, table: Controller, **wrong: int) -> None:
    """What its controller has counted, which is what the House has but for what is wrong."""
    told = done(floor.get("reconciliation"))["tables"]
    found = next(one for one in told if one["table"] == table.table)
    house = {name: amount + wrong.get(name, 0) for name, amount in found["house"].items()}
    done(table.beat(meters=house | {"round": found["round"], "first": 1}))


def play(floor: Floor, rounds: int = 1) -> None:
    """Rounds at every table in which nobody wins anything big."""
    for _ in range(rounds):
        for table in floor.tables:
            done(table.bets([1, 2, 3]))
            done(table.hands({1: None, 2: None, 3: None}, final=True))


def royal(floor: Floor) -> str:
    """A royal flush in line, and no round open that may have been dealt before."""
    return floor.stud.wins(ROYAL)


def ambiguous(floor: Floor) -> list[str]:
    """Two majors whose order nobody can tell; in the proposed order."""
    return met(floor, ROYAL, STRAIGHT_FLUSH)


def plays_by(floor: Floor, **awards: Any) -> None:
    """Two people have agreed on other awards, before anybody plays."""
    done(floor.post("close", "ana", {"reason": "season"}))
    done(floor.agree("parameters", awards | {"reason": "season", "when": "now"}))
    done(floor.agree("open", {"reason": "season"}))


def met(floor: Floor, first: str = ROYAL, second: str = "Ad Kd Qd Jd Td") -> list[str]:
    """Two majors at two tables, dealt at one moment as far as anybody can tell; in the order of the line."""
    for table in (floor.stud, floor.stud2):
        done(table.beat())
        done(table.bets([1]))
    dealt: Json = {"dealt_at": now()}
    for table, cards in ((floor.stud, first), (floor.stud2, second)):
        done(table.hands({1: {"cards": cards.split(), **dealt}}))
    return [one["id"] for one in done(floor.get("wins"))["wins"]]


def stamped(floor: Floor) -> list[str]:
    """Two majors that were dealt a second apart by their tables' stamps; the House saw only that both were
    dealt after the bets of both."""
    tables = (floor.stud, floor.stud2)
    for table in tables:
        done(table.bets([1]))
        done(table.beat())
    moments = [now(), now(1)]
    time.sleep(1)
    for table, cards, dealt_at in zip(tables, (ROYAL, STRAIGHT_FLUSH), moments, strict=True):
        done(table.hands({1: {"cards": cards.split(), "dealt_at": dealt_at}}))
    return [one["id"] for one in done(floor.get("wins"))["wins"]]


def spooled(floor: Floor) -> str:
    """A straight flush that its table tells later, from what it had kept."""
    done(floor.stud.bets([1]))
    (answer,) = done(
        floor.stud.events(
            {"kind": "hands", "round": floor.stud.round} | floor.stud.hands_body({1: STRAIGHT_FLUSH})
        )
    )["answers"]
    return str(answer["answer"]["results"][0]["win"])


def paid_from_a_reading(floor: Floor) -> str:
    """A straight flush of a round that went on after a malfunction; the pool has risen since."""
    done(floor.stud.bets([1]))
    said: Json = {"scope": {"table": floor.stud.table}, "observed_at": now(), "then": "progressive_off"}
    done(floor.service.post("/v1/malfunctions", "sue", said | {"cards_seen": {floor.stud.table: True}}))
    done(floor.stud2.bets([1, 2, 3]))
    done(floor.stud2.hands({1: None, 2: None, 3: None}, final=True))
    return str(done(floor.stud.hands({1: STRAIGHT_FLUSH}))["results"][0]["win"])


def late_claim(floor: Floor) -> str:
    """A straight flush reported for a round that was settled."""
    done(floor.stud.beat())
    done(floor.stud.bets([1]))
    done(floor.stud.hands({1: NOTHING}, final=True))
    done(floor.stud.bets([1]))
    answer = done(floor.stud.hands({1: STRAIGHT_FLUSH}, round=floor.stud.round - 1))
    return str(answer["results"][0]["claim"])
