"""What waits anywhere, in the head and title of every page; how it is announced; and the overview."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import keeps_nobody_out, stand_still, violations
from tests.callers import STRAIGHT_FLUSH, Floor, done, now
from tests.console import Person, at_the_console, late_claim, play, royal
from tests.service import PIT, Json, Served

SPY = """
    window.notified = [];
    window.Notification = class extends EventTarget {
        static permission = "granted";
        static requestPermission() { return Promise.resolve("granted"); }
        constructor(title, told) {
            super();
            window.notified.push({ title, ...told });
            window.latest = this;
        }
        close() {}
    };
"""
"""In place of the desktop, which no test has: what it would be asked to show."""
FORBIDDEN = """
    window.Notification = class {
        static permission = "denied";
        static requestPermission() { throw new TypeError("Permissions-Policy"); }
        constructor() { throw new TypeError("Illegal constructor"); }
    };
"""
INSECURE = "Object.defineProperty(window, 'isSecureContext', { value: false })"
PHONE, WALL = (390, 844), (1920, 1080)


@pytest.fixture
def floor(house: Served) -> Floor:
    return Floor(house, house.next_link())


@pytest.fixture
def sue(browser: Browser, house: Served) -> Iterator[Person]:
    """She looks at another link than the one on which something happens."""
    with at_the_console(browser, house, "main", "sue") as person:
        yield person


def attention(page: Page) -> Locator:
    return page.locator("#attention")


def item(page: Page, text: str, where: str) -> Locator:
    return attention(page).locator(f"a[href$='link={where}']").filter(has_text=text)


def opened(page: Page) -> Page:
    attention(page).locator("summary").click()
    return page


def turns_on(page: Page, name: str) -> None:
    page.locator("#telling summary").click()
    page.get_by_label(name).check()
    page.keyboard.press("Escape")


def notified(page: Page) -> list[dict[str, Any]]:
    return list(page.evaluate("window.notified"))


def ids_told(page: Page) -> str:
    return str(page.evaluate("localStorage.getItem('console.announced')"))


# In the head


def test_what_waits_at_another_link_is_in_the_head_and_leads_there(sue: Person, floor: Floor) -> None:
    win = royal(floor)
    sue.opens("figures")
    expect(sue.page.locator("#attention [data-matter=win]")).to_be_visible()
    item(opened(sue.page), f"Royal flush at {floor.stud.table}", floor.link).click()
    sue.page.wait_for_url(f"**/console/wins?link={floor.link}")
    expect(sue.button(f"Approve {win}")).to_be_visible()


def test_a_claim_a_proposal_and_an_alert_lead_to_their_pages(sue: Person, floor: Floor) -> None:
    late_claim(floor)
    done(floor.post("seed", "ana", {"seed": 6_000_000, "reason": "new season"}))
    page = sue.opens("audit")
    for text, where in (("reported late", "claims"), ("ana proposes other settings", "changes")):
        link = item(page, text, floor.link)
        expect(link).to_have_attribute("href", f"/console/{where}?link={floor.link}")


def test_nothing_is_to_be_decided_only_where_no_malfunction_waits_either(sue: Person, floor: Floor) -> None:
    told = {"scope": {"table": floor.stud.table}, "observed_at": now(), "cards_seen": {}, "then": "close"}
    done(floor.service.post("/v1/malfunctions", "sue", told | {"note": "lamp"}))
    page = sue.opens("audit")
    expect(attention(page).locator("[data-key=nothing]")).to_have_count(0)
    link = item(page, f"Malfunction of table {floor.stud.table}", floor.link)
    expect(link).to_have_attribute("href", f"/console/malfunctions?link={floor.link}")


def test_the_title_counts_what_waits_anywhere_and_goes_with_it(sue: Person, floor: Floor) -> None:
    page = sue.opens("signs")
    as_counted = """() => {
        const waiting = Number(document.getElementById("attention").dataset.waiting);
        return document.title === (waiting ? `(${waiting}) Signs · Console` : "Signs · Console");
    }"""
    page.wait_for_function(as_counted)
    win = floor.stud.wins(STRAIGHT_FLUSH)
    expect(item(page, f"Straight flush at {floor.stud.table}", floor.link)).to_have_count(1)
    assert page.title().startswith("(")
    page.wait_for_function(as_counted)
    done(floor.approve(win, "ben"))
    expect(item(page, f"Straight flush at {floor.stud.table}", floor.link)).to_have_count(0)
    page.wait_for_function(as_counted)


def test_the_list_opens_with_a_key_and_closes_with_escape_and_a_click_elsewhere(
    sue: Person, floor: Floor
) -> None:
    royal(floor)
    page = sue.opens("floor")
    summary, shown = attention(page).locator("summary"), attention(page).locator(".attention-list")
    summary.focus()
    page.keyboard.press("Enter")
    expect(shown).to_be_visible()
    page.keyboard.press("Escape")
    expect(shown).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    expect(shown).to_be_visible()
    page.locator("h1").click(position={"x": 4, "y": 4})
    expect(shown).to_be_hidden()


# Sound and notifications


def test_nobody_is_told_who_has_not_asked_for_it(sue: Person, floor: Floor) -> None:
    sue.page.add_init_script(SPY)
    page = sue.opens("floor")
    win = royal(floor)
    page.wait_for_function("id => localStorage.getItem('console.announced')?.includes(id)", arg=win)
    assert notified(page) == []
    assert page.locator("#telling").get_attribute("data-sounded") is None
    page.locator("#telling summary").click()
    for name in ("Play a sound", "Show a notification of the desktop"):
        expect(page.get_by_label(name)).not_to_be_checked()


def test_each_thing_is_announced_once_in_one_of_all_tabs_and_leads_to_its_page(
    sue: Person, floor: Floor
) -> None:
    royal(floor)
    sue.page.add_init_script(SPY)
    pages = [sue.opens("floor"), sue.page.context.new_page()]
    pages[1].add_init_script(SPY)
    pages[1].goto("/console/wins?link=main")
    expect(pages[1].locator("#live")).to_have_text("Live")
    turns_on(pages[0], "Show a notification of the desktop")
    assert notified(pages[0]) == [], "what was there before is no news"
    win = late_claim(floor)
    for page in pages:
        page.wait_for_function("id => localStorage.getItem('console.announced')?.includes(id)", arg=win)
        expect(item(page, "reported late", floor.link)).to_have_count(1)
    said = [one for page in pages for one in notified(page) if f"/{floor.link}/" in one["tag"]]
    claims = [one for one in said if one["tag"].startswith("claim/")]
    assert [one["title"] for one in claims] == [
        f"Late claims: Straight flush at {floor.stud.table}, reported late"
    ]
    for page in pages:
        page.reload()
        expect(page.locator("#live")).to_have_text("Live")
        assert [one for one in notified(page) if one["tag"] == claims[0]["tag"]] == []


def test_a_click_on_a_notification_goes_to_the_link_and_page_concerned(sue: Person, floor: Floor) -> None:
    sue.page.add_init_script(SPY)
    page = sue.opens("figures")
    expect(page.locator("#live")).to_have_text("Live")
    turns_on(page, "Show a notification of the desktop")
    win = royal(floor)
    page.wait_for_function("id => window.notified.some((one) => one.tag.includes(id))", arg=win)
    page.evaluate("window.latest.dispatchEvent(new Event('click'))")
    page.wait_for_url(f"**/console/wins?link={floor.link}")


def test_many_things_at_once_are_one_notification(sue: Person, floor: Floor) -> None:
    sue.page.add_init_script(SPY)
    page = sue.opens("figures")
    expect(page.locator("#live")).to_have_text("Live")
    turns_on(page, "Show a notification of the desktop")
    waiting: list[Json] = [
        {"id": f"win/{floor.link}/{number}", "matter": "win", "place": floor.link, "table": "stud-01"}
        | {"since": now(), "what": "royal_flush", "detail": None, "page": "wins"}
        for number in range(5)
    ]
    told = done(floor.service.get("/v1/overview", "sue")) | {"waiting": waiting}
    page.route("**/v1/overview", lambda route: route.fulfill(json=told))
    page.wait_for_function("() => window.notified.length > 0")
    (one,) = notified(page)
    assert one["title"] == "5 things are waiting"


def test_the_choice_is_kept_by_the_browser_and_a_sound_waits_for_the_first_click(
    sue: Person, floor: Floor
) -> None:
    page = sue.opens("floor")
    turns_on(page, "Play a sound")
    expect(page.locator("#telling")).to_have_attribute("data-on", "true")
    expect(page.locator("#telling")).to_have_attribute("data-sounded", "1")
    later = page.context.new_page()
    later.goto("/console/wins?link=main")
    expect(later.locator("#telling")).to_have_attribute("data-on", "true")
    expect(later.locator("#telling")).to_contain_text("The sound begins with the first click or key")
    later.locator("h1").click()
    expect(later.locator("#telling")).not_to_contain_text("The sound begins with")
    page.close()
    royal(floor)
    expect(later.locator("#telling")).to_have_attribute("data-sounded", "1")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (INSECURE, "only where the console is opened over HTTPS"),
        (FORBIDDEN, "does not allow the console to show notifications"),
    ],
)
def test_a_browser_that_forbids_notifications_says_so_and_breaks_nothing(
    sue: Person, floor: Floor, script: str, said: str
) -> None:
    sue.page.add_init_script(script)
    page = sue.opens("floor")
    page.locator("#telling summary").click()
    page.get_by_label("Show a notification of the desktop").click()
    expect(page.locator("#telling [role=alert]")).to_contain_text(said)
    expect(page.get_by_label("Show a notification of the desktop")).not_to_be_checked()
    royal(floor)
    expect(item(page, "Royal flush", floor.link)).to_have_count(1)


def test_a_notification_that_fails_later_is_told_on_the_page(sue: Person, floor: Floor) -> None:
    sue.page.add_init_script(FORBIDDEN.replace("denied", "granted"))
    sue.page.add_init_script("""
        if (!localStorage.getItem("console.announced")) localStorage.setItem("console.announced", "[]");
        localStorage.setItem("console.announce", '{"desktop": true}');
    """)
    royal(floor)
    page = sue.opens("floor")
    expect(page.locator("#telling [role=alert]")).to_contain_text("of installed programs only")


def test_a_browser_that_keeps_nothing_shows_what_waits(sue: Person, floor: Floor) -> None:
    sue.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } })"
    )
    royal(floor)
    page = sue.opens("floor")
    expect(item(page, "Royal flush", floor.link)).to_have_count(1)


# The overview


def place(page: Page, name: str) -> Locator:
    return page.locator(f"[data-place='{name}']")


def test_the_console_begins_with_all_links_and_pits(sue: Person, floor: Floor) -> None:
    play(floor)
    win = royal(floor)
    sue.page.goto("/console")
    page = sue.page
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    here = place(page, floor.link)
    expect(here).to_contain_text(floor.meter()["display"])
    expect(here).to_contain_text("Held")
    expect(here.get_by_role("img", name="The meter in the last 24 hours")).to_be_visible()
    expect(here.get_by_role("img", name="Rounds in the last 24 hours")).to_be_visible()
    expect(here.locator("[data-waiting=wins]")).to_have_text("Wins 1")
    names = done(floor.service.get("/v1/overview", "sue"))["places"]
    expect(page.locator("[data-place]")).to_have_count(len(names))
    expect(place(page, PIT)).to_contain_text("Pit")
    here.locator("[data-waiting=wins]").click()
    page.wait_for_url(f"**/console/wins?link={floor.link}")
    expect(sue.button(f"Approve {win}")).to_be_visible()


def test_everything_on_the_overview_leads_to_its_page(sue: Person, floor: Floor) -> None:
    royal(floor)
    late_claim(floor)
    done(floor.post("seed", "ana", {"seed": 6_000_000, "reason": "new season"}))
    page = sue.opens("overview")
    here = place(page, floor.link)
    expect(here.locator("[data-waiting=proposals]")).to_be_visible()
    leads = here.get_by_role("link").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    wanted = ["floor", "figures", "wins", "claims", "changes", "floor"]
    assert leads == [f"/console/{name}?link={floor.link}" for name in wanted]
    pit = place(page, PIT).get_by_role("link").evaluate_all("all => all.map((one) => one.pathname)")
    assert pit == ["/console/floor", "/console/figures", "/console/floor"]


def test_what_needs_somebody_comes_first_and_is_counted_together(sue: Person, floor: Floor) -> None:
    royal(floor)
    page = sue.opens("overview")
    expect(place(page, floor.link)).to_have_attribute("data-need", "2")
    needs = page.locator("[data-place]").evaluate_all("all => all.map((one) => Number(one.dataset.need))")
    assert needs == sorted(needs, reverse=True)
    told = done(floor.service.get("/v1/overview", "sue"))["places"]
    expect(page.locator("[data-total=wins] dd")).to_have_text(
        str(sum(one["waiting"]["wins"] for one in told))
    )


def test_one_request_brings_the_overview_whatever_there_is(sue: Person, floor: Floor) -> None:
    """Not one for each link: a house may have two hundred."""
    asked: set[str] = set()
    sue.page.on("request", lambda one: asked.add(one.url.removeprefix(floor.service.base)))
    stand_still(sue.page, datetime.now(UTC))
    sue.opens("overview")
    besides = {"/v1/house/stream", "/v1/sessions"}
    of_places = {one for one in asked - besides if one.startswith("/v1/")}
    assert of_places == {"/v1/overview", "/v1/overview/last-day", "/v1/links/main"}


def test_two_hundred_links_fit_beside_each_other(sue: Person, floor: Floor) -> None:
    told = done(floor.service.get("/v1/overview", "sue"))
    (one, *_) = told["places"]
    many = [one | {"id": f"l{number}", "name": f"Link {number}"} for number in range(200)]
    body = json.dumps(told | {"places": [*told["places"], *many]})
    sue.page.route("**/v1/overview", lambda route: route.fulfill(body=body, content_type="application/json"))
    page = sue.opens("overview")
    page.set_viewport_size({"width": WALL[0], "height": WALL[1]})
    expect(page.locator("[data-many=true] [data-place]")).to_have_count(len(told["places"]) + 200)
    assert page.evaluate("document.documentElement.scrollWidth") <= WALL[0]


def test_a_name_of_markup_is_shown_as_it_is_written(sue: Person) -> None:
    page = sue.opens("overview")
    expect(place(page, "hostile").get_by_role("heading")).to_contain_text("<script>")
    expect(page).not_to_have_title("taken")


def test_the_overview_and_the_head_keep_nobody_out(sue: Person, floor: Floor) -> None:
    royal(floor)
    done(floor.post("seed", "ana", {"seed": 6_000_000, "reason": "new season"}))
    stand_still(sue.page, datetime.now(UTC))
    page = sue.opens("overview")
    keeps_nobody_out(page, "overview")
    opened(page)
    assert violations(page, "#attention", standing=True) == []
    page.locator("#telling summary").click()
    assert violations(page, "#telling", standing=True) == []


def test_the_overview_fits_a_phone_and_a_wall(sue: Person, floor: Floor) -> None:
    royal(floor)
    page = sue.opens("overview")
    for width, height in (PHONE, WALL):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("width => innerWidth === width", arg=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        spilt = page.locator(".place-value").evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.parentElement.clientWidth + 1).length"
        )
        assert spilt == 0
