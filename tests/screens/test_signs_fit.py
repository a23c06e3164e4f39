"""Every word of a sign and of a table's display is on the screen, and none lies on another: in each state, on
each screen. A real browser; the readings are made up, so that every state is there at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from displays.pages.languages import ENGLISH, LANGUAGES
from tests.browser import context, stand_still
from tests.callers import Floor, done
from tests.service import Json, Served

SCREENS = [(800, 480), (1024, 768), (1920, 540), (1920, 1080), (3840, 2160), (1080, 1920), (480, 800)]
SMALLEST: ViewportSize = {"width": 480, "height": 800}
"""Of a page that is read first: it is painted once, and then only measured."""
LONG_NAME = "The Very Grand Marina Boulevard Multi-Link Progressive Jackpot of Singapore"
NOTICE = "No Progressive Jackpot Bets are accepted or paid at this table."
FIVE = [
    {"hand": hand, "table": table, "amount": amount}
    for hand, table, amount in [
        ("royal_flush", "main-stud-01", 123_456_789_012),
        ("straight_flush", "main-holdem-02", None),
        ("royal_flush", "main-stud-02", None),
        ("straight_flush", "main-holdem-01", None),
        ("royal_flush", "main-stud-03", None),
    ]
]
HANDS = [
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pairs",
    "one_pair",
    "five_odd_cards",
]
HELD: Json = {"state": "held", "pending": FIVE[:1], "next": 5_000_000}
CROWDED: Json = {"name": LONG_NAME, "pending": FIVE, "next": 5_000_000}
METERS: dict[str, Json] = {
    "open": {},
    "one major": {"shares": {"royal_flush": 100}},
    "three majors": {"shares": dict.fromkeys(HANDS[:3], 100)},
    "five majors, and a long name": {"shares": dict.fromkeys(HANDS[:5], 100), "name": LONG_NAME},
    "every hand a major": {"shares": dict.fromkeys(HANDS, 100)},
    "a long name and a large amount": {"name": LONG_NAME, "value": 123_456_789_012},
    "a long name and the largest amount in won": {"name": LONG_NAME, "value": 10**12, "currency": "KRW"},
    "the largest amount in dinars": {"value": 10**12, "currency": "KWD"},
    "a small amount in won": {"value": 7, "currency": "KRW"},
    "a word longer than any": {"name": "Donaudampfschifffahrtsgesellschaft" * 3},
    "held": HELD,
    "held, crowded": CROWDED | {"state": "held"},
    "off": {"state": "off"},
    "off, crowded": CROWDED | {"state": "off"},
    "closed, crowded": CROWDED | {"state": "closed"},
    "stale, crowded": CROWDED | {"state": "stale"},
}
OFF: Json = {"state": "off", "notice": NOTICE, "blocked": [3, 5]}
EVERY_HAND: Json = {
    "pay_table": [
        {"hand": hand, "name": hand.replace("_", " ").title(), "level": "major", "percent": 100, "ways": 4}
        for hand in HANDS
    ],
    "cap": 123_456_789_012,
}
TABLES: dict[str, tuple[Json, Json]] = {
    "open": ({}, {}),
    "open, with a cap": ({}, {"cap": 500_000}),
    "every hand a major, and a cap": ({}, EVERY_HAND),
    "every hand a major, off, crowded": (CROWDED | {"state": "stale"}, EVERY_HAND | OFF),
    "held, with the largest amounts in won": (
        HELD
        | {"value": 10**12, "currency": "KRW", "pending": [FIVE[0] | {"amount": 10**12}], "next": 10**12},
        {"currency": "KRW", "minimum": 10**9, "maximum": 10**12, "cap": 10**12},
    ),
    "held, with the largest amounts in dinars": (
        HELD
        | {"value": 10**12, "currency": "KWD", "pending": [FIVE[0] | {"amount": 10**12}], "next": 10**12},
        {"currency": "KWD", "minimum": 10**9, "maximum": 10**12 - 1, "cap": 10**12},
    ),
    "held and a box blocked": (HELD, {"blocked": [3]}),
    "closed": ({}, {"state": "closed", "notice": "This table is closed."}),
    "off, crowded, and the connection lost": (CROWDED | {"state": "stale"}, OFF),
}
BLOCKS = """.face:not([data-state=won]) :is(.kicker, .name, .prizes, .word, .pending-box), .face .cabinet,
    .won > p, .lost, .head, .table .cabinet, .held, .stakes, .layout, .blocked, .pays, .terms, .notice"""
MEASURE = """(blocks) => {
    const rim = document.querySelector(".bulbs i")?.getBoundingClientRect().bottom ?? 0;
    const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen")
        && !(one.closest("[data-state=won]") && !one.closest(".won, .lost"));
    const told = (one) => `${one.tagName} ${one.className}`;
    const all = [...document.querySelectorAll(".face *, .table *")]
        .filter((one) => seen(one) && !one.matches(".won, .burst, .rain, .strip"));
    const outside = all.filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return Math.min(left, top, innerWidth - right, innerHeight - bottom) < rim - 1;
    });
    const apart = [...document.querySelectorAll(blocks)].filter(seen);
    const covered = apart.flatMap((one, place) => apart.slice(place + 1).filter((other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    }).map((other) => `${told(one)} on ${told(other)}`));
    const spilt = all.filter((one) => one.matches(".name, .pays, .waiting, .pending li")
        && one.scrollHeight > one.clientHeight + one.clientHeight * 0.05);
    spilt.push(...all.filter((one) => {
        const [line, list] = [one.getBoundingClientRect(), one.closest(".pays")?.getBoundingClientRect()];
        return list
            && (line.top < list.top - 1 || line.bottom > list.bottom + 1 || line.right > list.right + 1);
    }));
    const small = all.filter((one) => one.matches(".drum")
        && one.clientHeight < 0.05 * Math.min(innerWidth, innerHeight));
    return { small: small.map(told), outside: outside.map(told), covered, spilt: spilt.map(told) };
}"""
DRAWN = """([width, height]) => {
    const drawn = document.body.getBoundingClientRect();
    return drawn.width === width && drawn.height === height && innerWidth === width && innerHeight === height
        && document.getAnimations().every((one) => one.playState !== "running");
}"""
FITS: dict[str, list[str]] = {"small": [], "outside": [], "covered": [], "spilt": []}


NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
SPOKEN = NOW.isoformat()


@pytest.fixture
def page(browser: Browser, house: Served) -> Iterator[Page]:
    with context(browser, house.base, reduced_motion="reduce", viewport=SMALLEST) as somebody:
        made = somebody.new_page()
        stand_still(made, NOW)  # so that it asks for nothing more than what it is told, and celebrates on
        yield made


def told(page: Page, house: Served, meter: Json, table: Json) -> Floor:
    """The stream of this page says so, once."""
    floor = Floor(house, "main")
    display = done(house.get(f"/v1/tables/{floor.stud.table}/display"))
    limits = {"minimum": 2_500, "maximum": 100_000}
    readings = {"meter": floor.meter() | {"as_of": SPOKEN} | meter, "table": display | limits | table}
    stream = "".join(f"event: {kind}\ndata: {json.dumps(reading)}\n\n" for kind, reading in readings.items())
    page.route("**/stream", lambda route: route.fulfill(body=stream, content_type="text/event-stream"))
    return floor


def fits_every_screen(page: Page) -> None:
    for width, height in SCREENS:
        _draw(page, width, height)
        assert page.evaluate(MEASURE, BLOCKS) == FITS, (width, height)


def _draw(page: Page, width: int, height: int) -> None:
    """Everything has its place, but no colour: to paint the largest screen takes longer than all the rest."""
    page.evaluate("document.documentElement.style.opacity = 0")
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(DRAWN, arg=[width, height])


@pytest.mark.parametrize("case", METERS)
def test_a_sign_fits_every_screen_in_every_state(page: Page, house: Served, case: str) -> None:
    meter = METERS[case]
    told(page, house, meter, {})
    page.goto("/signs/main")
    expect(page.locator(".face")).to_have_attribute("data-state", meter.get("state", "open"))
    fits_every_screen(page)


def test_a_jackpot_is_readable_from_across_a_room(page: Page, house: Served) -> None:
    told(page, house, {}, {})
    page.goto("/signs/main")
    expect(page.locator(".face")).to_have_attribute("data-state", "open")
    for width, height in ((800, 480), (1080, 1920), (1920, 1080), (3840, 2160)):
        _draw(page, width, height)
        box = page.locator(".face > .stage > .cabinet").bounding_box()
        assert box is not None
        assert box["width"] > 0.7 * width
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("state", ["off", "closed"])
def test_a_sign_says_that_it_is_off_or_closed_beside_what_is_pending(
    page: Page, house: Served, state: str
) -> None:
    told(page, house, CROWDED | {"state": state}, {})
    page.goto("/signs/main")
    expect(page.locator(f".word.{state}")).to_be_visible()
    expect(page.locator(".pending li")).to_have_count(3)
    expect(page.locator(".more")).to_have_text("and 2 more")


def test_a_celebration_fits_every_screen(page: Page, house: Served) -> None:
    hit = {
        "win": "w1",
        "hand": "straight_flush",
        "table": "main-holdem-02",
        "box": 1,
        "amount": 12_345_678_901,
    }
    told(page, house, {"last_hit": hit | {"at": SPOKEN}}, {})
    page.goto("/signs/main")
    expect(page.locator(".face")).to_have_attribute("data-state", "won")
    fits_every_screen(page)


@pytest.mark.parametrize("case", TABLES)
def test_a_tables_display_fits_every_screen_5_18_2(page: Page, house: Served, case: str) -> None:
    """The notice above all: nothing lies on it, also while the connection is lost."""
    meter, table = TABLES[case]
    floor = told(page, house, meter, table)
    page.goto(f"/signs/tables/{floor.stud.table}")
    expect(page.locator("[data-part=pays] tr")).to_have_count(len(table.get("pay_table", HANDS[:6])))
    expect(page.locator("[data-part=cap]")).to_be_visible(visible="cap" in table)
    expect(page.locator("[data-part=lost]")).to_be_visible(visible=meter.get("state") == "stale")
    expect(page.locator("[data-part=notice]")).to_be_visible(visible="notice" in table)
    fits_every_screen(page)


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != ENGLISH])
def test_a_tables_display_fits_every_screen_in_every_language(
    page: Page, house: Served, language: str
) -> None:
    floor = told(page, house, {}, {"cap": 500_000})
    page.goto(f"/signs/tables/{floor.stud.table}?lang={language}")
    expect(page.locator("[data-part=cap]")).to_be_visible()
    fits_every_screen(page)
