"""Signs and table displays in a real browser, on a real service."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.browser import context, stand_still, violations
from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done, now
from tests.console import at_the_console, plays_by
from tests.pages import HOSTILE
from tests.service import Served, full_floor, serving
from tests.waiting import until

EVIL_TABLE = "<img src=x onerror=document.title='taken'>"
SHOWN = "main.sign .face:not([data-off-screen])"
CENTS = f"{SHOWN} > .stage [data-part=amount]"
SMALL: ViewportSize = {"width": 800, "height": 480}
"""The smallest screen for signs: to paint a larger one takes most of a test's time."""
CELEBRATED = 20_000
"""Milliseconds for which a win is on the screen."""


@pytest.fixture
def floor(house: Served) -> Floor:
    """A link of its own for each test."""
    return Floor(house, house.next_link())


@pytest.fixture
def page(browser: Browser, house: Served) -> Iterator[Page]:
    """Nothing moves on it: a sign's lights keep a processor busy while the test waits."""
    with context(browser, house.base, reduced_motion="reduce", viewport=SMALL) as somebody:
        yield somebody.new_page()


def shows(page: Page, cents: int, where: str = CENTS) -> None:
    expect(page.locator(where)).to_have_attribute("data-shown", str(cents))


def in_state(page: Page, state: str) -> None:
    expect(page.locator(SHOWN)).to_have_attribute("data-state", state)


def watch(page: Page) -> Callable[[], list[int]]:
    """Every amount the drums show from now on."""
    page.evaluate(
        """(where) => {
            const drums = document.querySelector(where);
            window.seen = [Number(drums.dataset.shown)];
            new MutationObserver(() => window.seen.push(Number(drums.dataset.shown)))
                .observe(drums, { attributeFilter: ["data-shown"] });
        }""",
        CENTS,
    )
    return lambda: list(page.evaluate("window.seen"))


def accessible(page: Page) -> None:
    assert violations(page) == []


# The jackpot sign


def test_a_sign_shows_what_the_api_says(page: Page, floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    page.goto(f"/signs/{floor.link}")
    reading = floor.meter()
    shows(page, reading["value"])
    expect(page.get_by_role("img", name=reading["display"])).to_be_visible()
    expect(page.get_by_role("heading", name="Multi-Link Progressive")).to_be_visible()
    in_state(page, "open")
    accessible(page)


def test_another_pay_table_reaches_sign_and_table_by_itself(page: Page, floor: Floor) -> None:
    page.goto(f"/signs/{floor.link}")
    prizes = page.locator(".prizes div")
    expect(prizes).to_have_text(["Royal Flush100\u2009%", "Straight Flush10\u2009%"])
    levels = [
        {"hand": "royal_flush", "share": 100},
        {"hand": "straight_flush", "share": 25},
        {"hand": "four_of_a_kind", "share": 5},
        {"hand": "full_house", "odds": 90},
    ]
    plays_by(floor, level=levels, cap=500_000)
    expect(prizes).to_have_text(
        ["Royal Flush100\u2009%", "Straight Flush25\u2009%", "Four of a Kind5\u2009%"]
    )
    page.goto(f"/signs/tables/{floor.stud.table}")
    expect(page.locator("[data-part=pays] tr")).to_have_count(4)
    expect(page.locator("[data-part=pays] tr").last).to_contain_text("SGD 450.00")
    cap = page.locator("[data-part=cap]")
    expect(cap).to_have_text("All fixed awards of a round together: at most SGD 5,000.00.")
    done(floor.post("close", "ana", {"reason": "season"}))
    done(floor.agree("parameters", {"cap": None, "reason": "season", "when": "now"}))
    expect(cap).to_be_hidden()
    accessible(page)


def test_a_sign_rolls_on_a_bet_and_never_backwards(browser: Browser, house: Served, floor: Floor) -> None:
    with context(browser, house.base, viewport=SMALL) as somebody:
        page = somebody.new_page()
        stand_still(page, datetime.now(UTC))  # frame by frame: a slow machine leaves none out
        page.goto(f"/signs/{floor.link}")
        shows(page, floor.meter()["value"])
        seen = watch(page)

        def rolled_past(cents: int) -> bool:
            page.clock.run_for(50)
            return seen()[-1] >= cents

        done(floor.stud.bets([1, 2, 3]))
        first = floor.meter()["value"]
        until(lambda: rolled_past(seen()[0] + 1))
        done(floor.stud.bets([1, 2, 3]))  # the drums are on their way
        value = floor.meter()["value"]
        until(lambda: rolled_past(value))
        amounts = seen()
    assert amounts == sorted(amounts)
    assert amounts[-1] == value
    between = [one for one in amounts if amounts[0] < one < first]
    assert between, "it passes what lies between, and does not jump"


def test_a_reader_who_wants_no_motion_sees_no_rolling(page: Page, floor: Floor) -> None:
    page.goto(f"/signs/{floor.link}")
    shows(page, floor.meter()["value"])
    seen = watch(page)
    done(floor.stud.bets())
    shows(page, floor.meter()["value"])
    assert len(seen()) == 2


def test_a_held_sign_says_who_waits_and_what_comes_next(page: Page, floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    page.goto(f"/signs/{floor.link}")
    frozen = floor.meter()["value"]
    floor.stud2.wins(ROYAL)
    in_state(page, "held")
    reading = floor.meter()
    done(floor.stud.bets([1, 2]))
    shows(page, reading["value"])
    assert reading["value"] == frozen + 200, "the winner's own bet, and none after it"
    told = page.locator(f"{SHOWN} [data-part=pending-box]")
    for text in ("Royal Flush", floor.stud2.table, "Next jackpot", "SGD 50,004.00"):
        expect(told).to_contain_text(text)
    accessible(page)


@pytest.mark.parametrize(("cards", "hand"), [(ROYAL, "Royal Flush"), (STRAIGHT_FLUSH, "Straight Flush")])
def test_a_payment_is_celebrated_with_its_amount(page: Page, floor: Floor, cards: str, hand: str) -> None:
    stand_still(page, datetime.now(UTC))
    page.goto(f"/signs/{floor.link}")
    shows(page, floor.meter()["value"])
    floor.paid(floor.stud, cards, "ana", "sue")
    in_state(page, "won")
    hit = floor.meter()["last_hit"]
    expect(page.locator(f"{SHOWN} .won-who")).to_contain_text(f"{hand} at {floor.stud.table}")
    shows(page, hit["amount"], f"{SHOWN} [data-part=won-amount]")
    assert violations(page, standing=True) == []
    page.clock.fast_forward(CELEBRATED // 2)
    in_state(page, "won")
    page.clock.fast_forward(CELEBRATED // 2)
    page.clock.resume()
    in_state(page, "open")
    shows(page, floor.meter()["value"])


def test_a_celebration_rolls_the_amount_up_while_coins_fall(page: Page, floor: Floor) -> None:
    page.emulate_media(reduced_motion="no-preference")
    stand_still(page, datetime.now(UTC))
    page.goto(f"/signs/{floor.link}")
    shows(page, floor.meter()["value"])
    floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    in_state(page, "won")
    page.clock.run_for(500)
    rolled = page.locator(f"{SHOWN} [data-part=won-amount]").get_attribute("data-shown")
    assert 0 < int(rolled or 0) < floor.meter()["last_hit"]["amount"]
    painted = "one => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some(Boolean)"
    assert page.locator(f"{SHOWN} [data-part=rain]").evaluate(painted)


def test_what_was_paid_long_ago_is_not_celebrated_again(page: Page, floor: Floor) -> None:
    floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    page.clock.install(time=datetime.now(UTC) + timedelta(hours=1))
    page.goto(f"/signs/{floor.link}")
    shows(page, floor.meter()["value"])
    in_state(page, "open")


@pytest.mark.parametrize(
    ("then", "state", "word"), [("progressive_off", "off", "Progressive off"), ("close", "closed", "Closed")]
)
def test_a_sign_says_that_nothing_is_played_for(
    page: Page, floor: Floor, then: str, state: str, word: str
) -> None:
    page.goto(f"/signs/{floor.link}")
    shows(page, floor.meter()["value"])
    declare(floor, {"link": floor.link}, then)
    in_state(page, state)
    expect(page.locator(f"{SHOWN} .word.{state}")).to_contain_text(word)
    expect(page.locator(f"{SHOWN} .word.{state}")).to_be_visible()
    accessible(page)


def test_sign_and_console_say_that_they_lost_the_service_and_recover(
    browser: Browser, sqlite_url: str, tmp_path: Path
) -> None:
    with (
        serving(sqlite_url, full_floor("main"), tmp_path) as house,
        at_the_console(browser, house, "main", "sue", reduced_motion="reduce", viewport=SMALL) as sue,
    ):
        floor, page = Floor(house, "main"), sue.page.context.new_page()
        lost = page.locator(f"{SHOWN} [data-part=lost]")
        done(floor.stud.bets())
        page.goto(f"/signs/{floor.link}")
        last = floor.meter()["value"]
        shows(page, last)
        live = sue.opens("floor").locator("#live")
        expect(live).to_have_text("Live")
        house.kill()
        in_state(page, "stale")
        expect(lost).to_contain_text("Connection lost")
        expect(lost).to_be_visible()
        shows(page, last)
        accessible(page)
        expect(live).to_contain_text("Connection lost. Shown as of")
        house.start()
        in_state(page, "open")
        expect(lost).to_be_hidden()
        expect(live).to_have_text("Live")
        done(floor.stud.bets())
        shows(page, last + 200)


def test_a_sign_polls_where_no_stream_gets_through(page: Page, floor: Floor) -> None:
    page.route("**/stream", lambda route: route.abort())
    page.goto(f"/signs/{floor.link}")
    shows(page, floor.meter()["value"])
    done(floor.stud.bets())
    shows(page, floor.meter()["value"])
    in_state(page, "open")


def test_a_sign_takes_back_what_the_service_takes_back(page: Page, floor: Floor) -> None:
    """Its number was higher than any that the book has."""
    true = floor.meter()
    told = [true | {"sequence": true["sequence"] + 1_000_000, "value": true["value"] + 1_000_000}]

    def meter(route: Route) -> None:
        route.fulfill(json=told[0]) if told else route.continue_()

    page.route("**/stream", lambda route: route.abort())
    page.route("**/meter", meter)
    page.goto(f"/signs/{floor.link}")
    shows(page, true["value"] + 1_000_000)
    told.clear()
    shows(page, true["value"])
    done(floor.stud.bets())
    shows(page, true["value"] + 200)


def test_several_links_take_turns_and_a_win_takes_the_screen(page: Page, floor: Floor) -> None:
    stand_still(page, datetime.now(UTC))
    page.goto(f"/signs/high,{floor.link}?rotate=2")
    sign = page.locator("main.sign")
    expect(sign).to_have_attribute("data-showing", "high")
    for link in (floor.link, "high"):
        in_state(page, "open")
        page.clock.run_for(2_000)
        expect(sign).to_have_attribute("data-showing", link)
    floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    expect(sign).to_have_attribute("data-showing", floor.link)
    in_state(page, "won")
    page.clock.run_for(4_000)
    expect(sign).to_have_attribute("data-showing", floor.link)


def test_themes_come_from_the_address_or_the_floor_file(page: Page) -> None:
    for path, theme in [
        ("/signs/main", "ruby"),
        ("/signs/high", "midnight"),
        ("/signs/high?theme=ruby", "ruby"),
        ("/signs/main?theme=midnight", "midnight"),
        ("/signs/main?theme=%3Cscript%3E", "ruby"),
    ]:
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    accessible(page)


# The table's display


def declare(floor: Floor, scope: dict[str, Any], then: str) -> str:
    said = {"scope": scope, "observed_at": now(), "cards_seen": {}, "then": then, "note": "flickers"}
    return str(done(floor.service.post("/v1/malfunctions", "sue", said))["id"])


def test_a_table_shows_meter_bet_and_what_hands_pay(page: Page, floor: Floor) -> None:
    page.goto(f"/signs/tables/{floor.stud.table}")
    shows(page, floor.meter()["value"], "[data-part=amount]")
    expect(page.locator("[data-part=bet]")).to_have_text("SGD 5.00")
    rows = page.locator("[data-part=pays] tr").all_inner_texts()
    assert [row.split("\t") for row in rows] == [
        ["Royal Flush", "100 % of the jackpot", "1 in 649,740"],
        ["Straight Flush", "10 % of the jackpot", "1 in 72,193"],
        ["Four of a Kind", "400 for 1", "SGD 2,000.00", "1 in 4,165"],
        ["Full House", "80 for 1", "SGD 400.00", "1 in 694"],
        ["Flush", "40 for 1", "SGD 200.00", "1 in 509"],
        ["Straight", "20 for 1", "SGD 100.00", "1 in 255"],
    ]
    expect(page.locator("[data-part=notice]")).to_be_hidden()
    done(floor.stud.bets())
    shows(page, floor.meter()["value"], "[data-part=amount]")
    accessible(page)


def test_a_table_shows_the_notice_while_the_progressive_is_off(page: Page, floor: Floor) -> None:
    page.goto(f"/signs/tables/{floor.stud.table}")
    found = declare(floor, {"table": floor.stud.table}, "progressive_off")
    notice = page.locator("[data-part=notice]")
    expect(notice).to_have_text("No Progressive Jackpot Bets are accepted or paid at this table.")
    expect(notice).to_be_visible()
    accessible(page)
    done(floor.service.post(f"/v1/malfunctions/{found}/clear", "sue", {"note": "mended"}))
    expect(notice).to_be_hidden()


def test_a_table_says_that_it_is_closed_and_which_boxes_are_blocked(page: Page, floor: Floor) -> None:
    page.goto(f"/signs/tables/{floor.stud.table}")
    declare(floor, {"table": floor.stud.table, "box": 3}, "block_box")
    expect(page.locator("[data-part=blocked]")).to_contain_text("Box 3")
    expect(page.locator("[data-part=boxes] [data-blocked]")).to_have_text("3 blocked")
    accessible(page)
    done(floor.service.post(f"/v1/tables/{floor.stud.table}/close", "ana", {"reason": "end of shift"}))
    expect(page.locator("[data-part=notice]")).to_have_text("This table is closed.")


# Strangers


def test_names_are_shown_as_text_whatever_they_are(page: Page, house: Served) -> None:
    for path in ("/signs/hostile", f"/signs/tables/{Floor(house, 'hostile').stud.table}"):
        page.goto(path)
        expect(page.get_by_role("heading", name=HOSTILE)).to_be_visible()
        assert page.title() != "taken"
    for path in ("/signs/", "/signs/tables/"):
        page.goto(path + EVIL_TABLE.replace("/", "%2F"))
        assert page.title() != "taken"
        assert page.locator("img").count() == 0


def test_a_table_of_an_impossible_name_is_shown_as_text(page: Page, floor: Floor) -> None:
    """No floor file can name a table like this; a page believes nobody all the same."""

    def tamper(route: Route) -> None:
        told = route.fetch().json()
        pending = [{"hand": EVIL_TABLE, "table": EVIL_TABLE, "amount": None}]
        named = {"table": EVIL_TABLE, "table_name": EVIL_TABLE}
        route.fulfill(json=told | named | {"notice": EVIL_TABLE, "pending": pending})

    page.route("**/stream", lambda route: route.abort())
    page.route("**/meter", tamper)
    page.route("**/display", tamper)
    page.goto(f"/signs/{floor.link}")
    expect(page.locator(f"{SHOWN} .pending-table")).to_have_text(EVIL_TABLE)
    page.goto(f"/signs/tables/{floor.stud.table}")
    for part in ("table", "notice"):
        expect(page.locator(f"[data-part={part}]")).to_have_text(EVIL_TABLE)
    assert page.title() == f"Table {floor.stud.table}"
    page.unroute_all(behavior="wait")  # or one is asked for while the browser takes the page away


def test_pages_allow_nothing_but_their_own_files(house: Served) -> None:
    for path in ("/signs/main", "/signs/tables/main-stud-01", "/enrol", "/signs/none"):
        answer = house.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert "//" not in answer.text.replace("http://www.w3.org", "")
        assert " style=" not in answer.text
        assert "<script>" not in answer.text
    assert house.get("/static/../pages.py").status_code == 404
    assert house.get("/static/%2e%2e/pages.py").status_code == 404


@pytest.mark.parametrize("path", ["/signs/a,b,c,d,e,f,g,h,i,j,k,l,m", "/signs/main?rotate=0"])
def test_a_sign_that_cannot_be_is_refused(house: Served, path: str) -> None:
    assert house.get(path).status_code == 422


# Receipts


def enrol(page: Page, house: Served, sign: str) -> None:
    code = done(house.post("/v1/signs/codes", "ana", {"sign": sign}))["code"]
    page.goto("/enrol")
    accessible(page)
    page.get_by_label("Code").fill(code.lower())
    page.get_by_role("button", name="Enrol").click()
    expect(page.get_by_role("status")).to_contain_text(f"This screen is now {sign}")


def receipts(floor: Floor, sign: str) -> list[dict[str, Any]]:
    return list(done(floor.get("receipts", "ada", params={"sign": sign, "at": now()}))["receipts"])


def has_told(floor: Floor, sign: str, value: int) -> bool:
    return value in [one["value"] for one in receipts(floor, sign)]


def test_an_enrolled_sign_tells_what_it_shows(page: Page, house: Served, floor: Floor) -> None:
    enrol(page, house, "wall-north")
    page.goto(f"/signs/{floor.link}")
    shows(page, floor.meter()["value"])
    done(floor.stud.bets())
    reading = floor.meter()
    until(lambda: has_told(floor, "wall-north", reading["value"]), "no receipt")
    told = receipts(floor, "wall-north")
    assert all(one["verified"] for one in told)
    assert {one["sequence"] for one in told} >= {reading["sequence"]}


def test_a_sign_that_celebrates_tells_the_amount_on_its_screen(
    page: Page, house: Served, floor: Floor
) -> None:
    enrol(page, house, "wall-east")
    stand_still(page, datetime.now(UTC))
    page.goto(f"/signs/{floor.link}")
    shows(page, floor.meter()["value"])
    floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    in_state(page, "won")
    page.clock.run_for(1_100)  # the pace of receipts; the clock stands, so it goes on celebrating
    amount = floor.meter()["last_hit"]["amount"]
    until(lambda: has_told(floor, "wall-east", amount), "no receipt")


def test_a_private_jackpot_is_shown_on_enrolled_signs_only(page: Page, house: Served) -> None:
    page.goto("/signs/private")
    expect(page.get_by_text("Not enrolled")).to_be_visible()
    expect(page.locator(CENTS)).not_to_have_attribute("data-shown", "5000000")
    enrol(page, house, "salon")
    page.goto("/signs/private")
    shows(page, 5_000_000)


def test_a_code_enrols_one_sign_once(house: Served) -> None:
    code = done(house.post("/v1/signs/codes", "sue", {"sign": "wall-south"}))["code"]
    assert house.post("/v1/signs", None, {"code": "AAAA-AAAA"}).json()["code"] == "code_unknown"
    first = house.post("/v1/signs", None, {"code": code})
    house.http.cookies.clear()
    assert first.status_code == 201
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert house.post("/v1/signs", None, {"code": code}).status_code == 401
    taken = house.post("/v1/signs/codes", "sue", {"sign": "ana"})
    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
    assert house.post("/v1/signs/codes", "sue", {"sign": "<b>"}).status_code == 422


def test_a_signs_cookie_is_used_from_its_own_page_only(house: Served, floor: Floor) -> None:
    code = done(house.post("/v1/signs/codes", "sue", {"sign": "wall-west"}))["code"]
    token = house.post("/v1/signs", None, {"code": code}).cookies["jackpot_sign"]
    house.http.cookies.clear()
    said = {"sign": "wall-west", "sequence": 1, "value": 1, "shown_at": now()}
    cookie = {"Cookie": f"jackpot_sign={token}"}
    refused = house.post(floor.path("receipts"), None, said, headers=cookie)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    elsewhere = cookie | {"Origin": "https://elsewhere.example"}
    refused = house.post(floor.path("receipts"), None, said, headers=elsewhere)
    assert (refused.status_code, refused.json()["code"]) == (403, "cross_origin")
    assert house.get("/v1/audit", headers=cookie).status_code == 403
