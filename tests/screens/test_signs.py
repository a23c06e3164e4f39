"""Signs and table displays in a real browser, on a real service."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import context, violations
from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done, now
from tests.service import Service, full_floor, serving

LINKS = ["main", "high", *(f"link-{number}" for number in range(1, 31))]
EVIL_NAME = "<script>document.title = 'owned'</script>"
EVIL_TABLE = "<img src=x onerror=document.title='owned'>"
SHOWN = "main.sign .face:not([data-off-screen])"
CENTS = f"{SHOWN} > .stage [data-part=amount]"
LONG = 40_000
"""Milliseconds: the machine that runs the tests may be busy and has no graphics card."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("signs")
    floor = full_floor(*LINKS)
    floor.add_link("evil")
    floor.link[-1]["name"] = EVIL_NAME
    floor.link[1]["theme"] = "midnight"
    floor.add_link("private", public_readings=False)
    with serving(f"sqlite+aiosqlite:///{folder / 'book.db'}", floor, folder) as service:
        assert [service.next_link(), service.next_link()] == ["main", "high"]
        yield service


@pytest.fixture
def own(served: Service) -> Floor:
    return Floor(served, served.next_link())


@pytest.fixture
def page(browser: Browser, served: Service) -> Iterator[Page]:
    with context(browser, served.base, viewport={"width": 1280, "height": 720}) as somebody:
        yield somebody.new_page()


def shows(page: Page, cents: int, where: str = CENTS) -> None:
    expect(page.locator(where)).to_have_attribute("data-cents", str(cents), timeout=LONG)


def in_state(page: Page, state: str) -> None:
    expect(page.locator(SHOWN)).to_have_attribute("data-state", state, timeout=LONG)


def watch(page: Page) -> Callable[[], list[int]]:
    """Every amount the drums show from now on."""
    page.evaluate(
        """(where) => {
            const drums = document.querySelector(where);
            window.seen = [Number(drums.dataset.cents)];
            new MutationObserver(() => window.seen.push(Number(drums.dataset.cents)))
                .observe(drums, { attributeFilter: ["data-cents"] });
        }""",
        CENTS,
    )
    return lambda: list(page.evaluate("window.seen"))


def accessible(page: Page) -> None:
    assert violations(page) == []


# The jackpot sign


def test_a_sign_shows_what_the_api_says(page: Page, own: Floor) -> None:
    done(own.stud.bets([1, 2]))
    page.goto(f"/signs/{own.link}")
    reading = own.meter()
    shows(page, reading["value"])
    expect(page.get_by_role("img", name=reading["display"])).to_be_visible()
    expect(page.get_by_role("heading", name="Multi-Link Progressive")).to_be_visible()
    in_state(page, "open")
    accessible(page)


def test_a_sign_rolls_on_a_bet_and_never_backwards(page: Page, own: Floor) -> None:
    page.goto(f"/signs/{own.link}")
    shows(page, own.meter()["value"])
    seen = watch(page)
    for _ in range(4):
        done(own.stud.bets([1, 2, 3]))
        time.sleep(0.3)
    value = own.meter()["value"]
    shows(page, value)
    amounts = seen()
    assert amounts == sorted(amounts)
    assert amounts[-1] == value
    between = [one for one in amounts if amounts[0] < one < value]
    assert between, "it passes what lies between, and does not jump"


def test_a_reader_who_wants_no_motion_sees_no_rolling(browser: Browser, served: Service, own: Floor) -> None:
    with context(browser, served.base, reduced_motion="reduce") as somebody:
        page = somebody.new_page()
        page.goto(f"/signs/{own.link}")
        shows(page, own.meter()["value"])
        seen = watch(page)
        done(own.stud.bets())
        shows(page, own.meter()["value"])
        assert len(seen()) == 2


def test_a_held_sign_says_who_waits_and_what_comes_next(page: Page, own: Floor) -> None:
    done(own.stud.bets([1, 2]))
    page.goto(f"/signs/{own.link}")
    frozen = own.meter()["value"]
    own.stud2.wins(ROYAL)
    in_state(page, "held")
    reading = own.meter()
    done(own.stud.bets([1, 2]))
    shows(page, reading["value"])
    assert reading["value"] == frozen + 200, "the winner's own bet, and none after it"
    told = page.locator(f"{SHOWN} [data-part=pending-box]")
    for text in ("Royal Flush", own.stud2.table, "Next jackpot", "SGD 50,004.00"):
        expect(told).to_contain_text(text, timeout=LONG)
    accessible(page)


@pytest.mark.parametrize(("cards", "hand"), [(ROYAL, "Royal Flush"), (STRAIGHT_FLUSH, "Straight Flush")])
def test_a_payment_is_celebrated_with_its_amount(page: Page, own: Floor, cards: str, hand: str) -> None:
    page.goto(f"/signs/{own.link}")
    shows(page, own.meter()["value"])
    own.paid(own.stud, cards, "ana", "sue")
    in_state(page, "won")
    hit = own.meter()["last_hit"]
    expect(page.locator(f"{SHOWN} .won-who")).to_contain_text(f"{hand} at {own.stud.table}")
    shows(page, hit["amount"], f"{SHOWN} [data-part=won-amount]")
    accessible(page)
    in_state(page, "open")
    shows(page, own.meter()["value"])


def test_what_was_paid_long_ago_is_not_celebrated_again(page: Page, own: Floor) -> None:
    own.paid(own.stud, STRAIGHT_FLUSH, "ana")
    page.clock.install(time=time.time() + 3600)
    page.goto(f"/signs/{own.link}")
    shows(page, own.meter()["value"])
    in_state(page, "open")


@pytest.mark.parametrize(
    ("then", "state", "word"), [("progressive_off", "off", "Progressive off"), ("close", "closed", "Closed")]
)
def test_a_sign_says_that_nothing_is_played_for(
    page: Page, own: Floor, then: str, state: str, word: str
) -> None:
    page.goto(f"/signs/{own.link}")
    shows(page, own.meter()["value"])
    declare(own, {"link": own.link}, then)
    in_state(page, state)
    expect(page.locator(f"{SHOWN} .word.{state}")).to_contain_text(word)
    expect(page.locator(f"{SHOWN} .word.{state}")).to_be_visible()
    accessible(page)


def test_a_sign_goes_stale_and_recovers_with_the_service(browser: Browser, tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    with serving(url, full_floor("main"), tmp_path) as service:
        floor = Floor(service, "main")
        done(floor.stud.bets())
        made = browser.new_context(base_url=service.base, viewport={"width": 1280, "height": 720})
        page = made.new_page()
        page.goto("/signs/main")
        last = floor.meter()["value"]
        shows(page, last)
        service.kill()
        in_state(page, "stale")
        expect(page.locator(f"{SHOWN} [data-part=lost]")).to_contain_text("Connection lost")
        expect(page.locator(f"{SHOWN} [data-part=lost]")).to_be_visible()
        shows(page, last)
        accessible(page)
        service.start()
        in_state(page, "open")
        expect(page.locator(f"{SHOWN} [data-part=lost]")).to_be_hidden()
        done(floor.stud.bets())
        shows(page, last + 200)
        made.close()


def test_a_sign_polls_where_no_stream_gets_through(page: Page, own: Floor) -> None:
    page.route("**/stream", lambda route: route.abort())
    page.goto(f"/signs/{own.link}")
    shows(page, own.meter()["value"])
    done(own.stud.bets())
    shows(page, own.meter()["value"])
    in_state(page, "open")


def test_several_links_take_turns_and_a_win_takes_the_screen(page: Page, own: Floor) -> None:
    page.goto(f"/signs/high,{own.link}?rotate=2")
    sign = page.locator("main.sign")
    for link in ("high", own.link, "high"):
        expect(sign).to_have_attribute("data-showing", link, timeout=LONG)
    own.paid(own.stud, STRAIGHT_FLUSH, "ana")
    expect(sign).to_have_attribute("data-showing", own.link, timeout=LONG)
    in_state(page, "won")
    time.sleep(3)
    expect(sign).to_have_attribute("data-showing", own.link)


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


@pytest.mark.parametrize(("width", "height"), [(800, 480), (1080, 1920), (1920, 1080), (3840, 2160)])
def test_a_sign_fits_every_screen(browser: Browser, served: Service, width: int, height: int) -> None:
    with context(browser, served.base, viewport={"width": width, "height": height}) as somebody:
        page = somebody.new_page()
        page.goto("/signs/main")
        shows(page, Floor(served, "main").meter()["value"])
        box = page.locator(f"{SHOWN} > .stage > .cabinet").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["width"] > 0.7 * width, "readable from across a room"
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


# The table's display


def declare(floor: Floor, scope: dict[str, Any], then: str) -> str:
    said = {"scope": scope, "observed_at": now(), "cards_seen": {}, "then": then, "note": "flickers"}
    return str(done(floor.service.post("/v1/malfunctions", "sue", said))["id"])


def test_a_table_shows_meter_bet_and_what_hands_pay(page: Page, own: Floor) -> None:
    page.goto(f"/signs/tables/{own.stud.table}")
    shows(page, own.meter()["value"], "[data-part=amount]")
    expect(page.locator("[data-part=bet]")).to_have_text("SGD 5.00")
    rows = page.locator("[data-part=pays] tr").all_inner_texts()
    assert [row.split("\t") for row in rows] == [
        ["Royal Flush", "100 % of the jackpot"],
        ["Straight Flush", "10 % of the jackpot"],
        ["Four of a Kind", "400 for 1", "SGD 2,000.00"],
        ["Full House", "80 for 1", "SGD 400.00"],
        ["Flush", "40 for 1", "SGD 200.00"],
        ["Straight", "20 for 1", "SGD 100.00"],
    ]
    expect(page.locator("[data-part=notice]")).to_be_hidden()
    done(own.stud.bets())
    shows(page, own.meter()["value"], "[data-part=amount]")
    accessible(page)


def test_a_table_shows_the_notice_while_the_progressive_is_off(page: Page, own: Floor) -> None:
    page.goto(f"/signs/tables/{own.stud.table}")
    found = declare(own, {"table": own.stud.table}, "progressive_off")
    notice = page.locator("[data-part=notice]")
    expect(notice).to_have_text(
        "No Progressive Jackpot Bets are accepted or paid at this table.", timeout=LONG
    )
    expect(notice).to_be_visible()
    accessible(page)
    done(own.service.post(f"/v1/malfunctions/{found}/clear", "sue", {"note": "mended"}))
    expect(notice).to_be_hidden(timeout=LONG)


def test_a_table_says_that_it_is_closed_and_which_boxes_are_blocked(page: Page, own: Floor) -> None:
    page.goto(f"/signs/tables/{own.stud.table}")
    declare(own, {"table": own.stud.table, "box": 3}, "block_box")
    expect(page.locator("[data-part=blocked]")).to_contain_text("Box 3", timeout=LONG)
    expect(page.locator("[data-part=boxes] [data-blocked]")).to_have_text("3 blocked")
    accessible(page)
    done(own.service.post(f"/v1/tables/{own.stud.table}/close", "ana", {"reason": "end of shift"}))
    expect(page.locator("[data-part=notice]")).to_have_text("This table is closed.", timeout=LONG)


# Strangers


def test_names_are_shown_as_text_whatever_they_are(page: Page, served: Service) -> None:
    for path in ("/signs/evil", f"/signs/tables/{Floor(served, 'evil').stud.table}"):
        page.goto(path)
        expect(page.get_by_role("heading", name=EVIL_NAME)).to_be_visible(timeout=LONG)
        assert page.title() != "owned"
    for path in ("/signs/", "/signs/tables/"):
        page.goto(path + EVIL_TABLE.replace("/", "%2F"))
        assert page.title() != "owned"
        assert page.locator("img").count() == 0


def test_a_table_of_an_impossible_name_is_shown_as_text(page: Page, own: Floor) -> None:
    """No floor file can name a table like this; a page believes nobody all the same."""

    def tamper(route: Route) -> None:
        told = route.fetch().json()
        pending = [{"hand": EVIL_TABLE, "table": EVIL_TABLE, "amount": None}]
        route.fulfill(json=told | {"table": EVIL_TABLE, "notice": EVIL_TABLE, "pending": pending})

    page.route("**/stream", lambda route: route.abort())
    page.route("**/meter", tamper)
    page.route("**/display", tamper)
    page.goto(f"/signs/{own.link}")
    expect(page.locator(f"{SHOWN} .pending-table")).to_have_text(EVIL_TABLE, timeout=LONG)
    page.goto(f"/signs/tables/{own.stud.table}")
    for part in ("table", "notice"):
        expect(page.locator(f"[data-part={part}]")).to_have_text(EVIL_TABLE, timeout=LONG)
    assert page.title() == f"Table {own.stud.table}"


def test_pages_allow_nothing_but_their_own_files(served: Service) -> None:
    for path in ("/signs/main", "/signs/tables/main-stud-01", "/enrol", "/signs/none"):
        answer = served.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert "//" not in answer.text.replace("http://www.w3.org", "")
        assert " style=" not in answer.text
        assert "<script>" not in answer.text
    assert served.get("/static/../pages.py").status_code == 404
    assert served.get("/static/%2e%2e/pages.py").status_code == 404


@pytest.mark.parametrize("path", ["/signs/a,b,c,d,e,f,g,h,i,j,k,l,m", "/signs/main?rotate=0"])
def test_a_sign_that_cannot_be_is_refused(served: Service, path: str) -> None:
    assert served.get(path).status_code == 422


# Receipts


def enrol(page: Page, served: Service, sign: str) -> None:
    code = done(served.post("/v1/signs/codes", "ana", {"sign": sign}))["code"]
    page.goto("/enrol")
    accessible(page)
    page.get_by_label("Code").fill(code.lower())
    page.get_by_role("button", name="Enrol").click()
    expect(page.get_by_role("status")).to_contain_text(f"This screen is now {sign}", timeout=LONG)


def receipts(floor: Floor, sign: str) -> list[dict[str, Any]]:
    return list(done(floor.get("receipts", "ada", params={"sign": sign, "at": now()}))["receipts"])


def test_an_enrolled_sign_tells_what_it_shows(page: Page, served: Service, own: Floor) -> None:
    enrol(page, served, "wall-north")
    page.goto(f"/signs/{own.link}")
    shows(page, own.meter()["value"])
    done(own.stud.bets())
    reading, deadline = own.meter(), time.monotonic() + 20
    while not [one for one in receipts(own, "wall-north") if one["value"] == reading["value"]]:
        assert time.monotonic() < deadline, receipts(own, "wall-north")
        time.sleep(0.3)
    told = receipts(own, "wall-north")
    assert all(one["verified"] for one in told)
    assert {one["sequence"] for one in told} >= {reading["sequence"]}


def test_a_sign_that_celebrates_tells_the_amount_on_its_screen(
    page: Page, served: Service, own: Floor
) -> None:
    enrol(page, served, "wall-east")
    page.goto(f"/signs/{own.link}")
    shows(page, own.meter()["value"])
    own.paid(own.stud, STRAIGHT_FLUSH, "ana")
    hit, deadline = own.meter()["last_hit"], time.monotonic() + 15
    while not [one for one in receipts(own, "wall-east") if one["value"] == hit["amount"]]:
        assert time.monotonic() < deadline, receipts(own, "wall-east")
        time.sleep(0.3)


def test_a_private_jackpot_is_shown_on_enrolled_signs_only(page: Page, served: Service) -> None:
    page.goto("/signs/private")
    expect(page.get_by_text("Not enrolled")).to_be_visible(timeout=LONG)
    expect(page.locator(CENTS)).not_to_have_attribute("data-cents", "5000000")
    enrol(page, served, "salon")
    page.goto("/signs/private")
    shows(page, 5_000_000)


def test_a_code_enrols_one_sign_once(served: Service) -> None:
    code = done(served.post("/v1/signs/codes", "sue", {"sign": "wall-south"}))["code"]
    assert served.post("/v1/signs", None, {"code": "AAAA-AAAA"}).json()["code"] == "code_unknown"
    first = served.post("/v1/signs", None, {"code": code})
    served.http.cookies.clear()
    assert first.status_code == 201
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert served.post("/v1/signs", None, {"code": code}).status_code == 401
    taken = served.post("/v1/signs/codes", "sue", {"sign": "ana"})
    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
    assert served.post("/v1/signs/codes", "sue", {"sign": "<b>"}).status_code == 422


def test_a_signs_cookie_is_used_from_its_own_page_only(served: Service, own: Floor) -> None:
    code = done(served.post("/v1/signs/codes", "sue", {"sign": "wall-west"}))["code"]
    token = served.post("/v1/signs", None, {"code": code}).cookies["jackpot_sign"]
    served.http.cookies.clear()
    said = {"sign": "wall-west", "sequence": 1, "value": 1, "shown_at": now()}
    cookie = {"Cookie": f"jackpot_sign={token}"}
    refused = served.post(own.path("receipts"), None, said, headers=cookie)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    elsewhere = cookie | {"Origin": "https://elsewhere.example"}
    refused = served.post(own.path("receipts"), None, said, headers=elsewhere)
    assert (refused.status_code, refused.json()["code"]) == (403, "cross_origin")
    assert served.get("/v1/audit", headers=cookie).status_code == 403
