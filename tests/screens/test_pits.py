"""Pits on screens: pages of the console, a split round as evidence, an irregularity, each game's display."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as TooLate

from tests.blackjack_rounds import WORKED
from tests.browser import context, keeps_nobody_out, stand_still
from tests.callers import done, now
from tests.console import Person, at_the_console
from tests.service import PIT, PIT_TABLES, Json, Served

SCREENS = [(800, 480), (1280, 720), (1920, 1080), (3840, 2160), (1080, 1920), (480, 800)]
SMALLEST: ViewportSize = {"width": 480, "height": 800}
LIMITS = {"minimum": 500, "maximum": 20_000_000}
CLOSED = {"state": "closed", "notice": "This table is closed."}
MEASURE = """() => {
    const seen = (one) => one.checkVisibility({ visibilityProperty: true });
    const told = (one) => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 20)}`;
    const all = [...document.querySelectorAll(".pit-table, .pit-table *")].filter(seen);
    const outside = all.filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return Math.min(left, top, innerWidth - right, innerHeight - bottom) < -1;
    });
    const blocks = all.filter((one) => one.matches(".head, .lost, .limits, .rules, .side, .notice"));
    const covered = blocks.flatMap((one, place) => blocks.slice(place + 1).filter((other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    }).map((other) => `${told(one)} on ${told(other)}`));
    const spilt = all.filter((one) => one.matches(".side *") && one.getBoundingClientRect().right
        > one.closest(".side").getBoundingClientRect().right + 1);
    return { outside: outside.map(told), covered, spilt: spilt.map(told) };
}"""
DRAWN = """([width, height]) => {
    const drawn = document.body.getBoundingClientRect();
    return drawn.width === width && drawn.height === height && innerWidth === width && innerHeight === height;
}"""
FITS: dict[str, list[str]] = {"outside": [], "covered": [], "spilt": []}


@pytest.fixture
def sue(browser: Browser, house: Served) -> Iterator[Person]:
    """A supervisor who looks at the pit."""
    with at_the_console(browser, house, PIT, "sue") as person:
        yield person


def says(house: Served, table: str, what: str, body: Json, number: int) -> None:
    moment = now()
    stamps = {"sent_at": moment} | ({"closed_at": moment} if what == "bets" else {})
    done(house.call("PUT", f"/v1/tables/{table}/rounds/{number}/{what}", table, json=body | stamps))


def next_round(house: Served, table: str) -> int:
    """Others may have played at the table."""
    tables = done(house.get(f"/v1/pits/{PIT}/tables", "ana"))["tables"]
    latest = next(one["round"] for one in tables if one["id"] == table)
    return 1 if latest is None else int(latest["round"]) + 1


def test_a_pit_is_chosen_beside_the_links_and_shows_tables_without_a_jackpot(
    sue: Person, house: Served
) -> None:
    says(house, "pp-01", "bets", {"boxes": [{"box": 1, "bet": 2500}]}, next_round(house, "pp-01"))
    page = sue.opens("floor")
    expect(page.locator("#link optgroup[label=Pits] option")).to_have_text("Blackjack")
    row = page.get_by_role("row").filter(has_text="pp-01")
    expect(row).to_contain_text("Blackjack Perfect Pairs")
    expect(row).to_contain_text("SGD 25.00 to 5,000.00")
    expect(row).to_contain_text("open since")
    expect(page.get_by_role("row").filter(has_text="bj-01")).to_contain_text("Player Pair SGD 5.00 to 500.00")
    expect(page.locator("#page")).not_to_contain_text("wins")
    expect(page.locator("#meter")).to_have_text("Tables without a jackpot")
    sue.opens("wins")
    expect(page.locator("#link")).not_to_have_value(PIT)
    keeps_nobody_out(sue.opens("floor"), "the floor of a pit")


def test_a_split_round_is_read_hand_in_hand_with_its_paragraphs(sue: Person, house: Served) -> None:
    number, story = next_round(house, "bj-01"), WORKED[1]
    bets = {"boxes": [one | {"bet": one["bet"] * 10} for one in story.bets["boxes"]]}
    says(house, "bj-01", "bets", bets, number)
    says(house, "bj-01", "hands", story.told[0]["report"], number)
    page = sue.opens("rounds", table="bj-01", round=number)
    told = page.get_by_role("article", name=f"Round {number} at bj-01")
    box = told.locator(".box")
    expect(box.locator("> .hand > .split > .hand")).to_have_count(2)
    expect(box.locator(".hand-number")).to_have_text(["Hand 1", "Hand 2", "Hand 3"])
    expect(box).to_contain_text("B: does not follow the split")
    expect(told.locator(".layout")).to_contain_text("DealerK♦A♣Blackjack")
    wagers = told.locator(".wagers").get_by_role("row")
    expect(wagers.filter(has_text="Double")).to_contain_text("Box 12DoubleSGD 100.00returned")
    expect(wagers.filter(has_text="Box 1, B")).to_contain_text("3.21.3")
    expect(told.locator(".story")).to_contain_text("It is final: the round stands.")
    expect(told.locator(".chain code")).to_have_count(4)
    keeps_nobody_out(page, "a split round")
    page.emulate_media(media="print")
    expect(box.locator(".hand-number").last).to_be_visible()
    expect(page.locator(".bar")).to_be_hidden()


def test_every_player_of_a_blackjack_table_chooses_and_what_goes_back_is_shown_first_5_7(
    sue: Person, house: Served
) -> None:
    number = next_round(house, "fb-01")
    boxes = [{"box": 1, "bet": 2500}, {"box": 1, "player": "Mrs Tan", "standing": True, "bet": 3000}]
    boom = [{"player": "Mr Lim", "bet": 1000}]
    says(house, "fb-01", "bets", {"boxes": boxes, "boom_busted": boom}, number)
    page = sue.opens("rounds", table="fb-01", round=number)
    sue.button("Irregularity").click()
    sue.dialog.get_by_label("What happened").select_option("5.7")
    sue.dialog.locator("[id='field-reconstructed-no']").check()
    sue.dialog.locator("[id='field-interim_settled-no']").check()
    expect(sue.dialog.locator("fieldset legend")).to_contain_text(
        ["Box 1: ", "Box 1, Mrs Tan: ", "Boom Busted, Mr Lim: "]
    )
    sue.dialog.locator("[id='field-choice-1/1-continue']").check()
    sue.dialog.locator("[id='field-choice-1/Mrs-Tan-return']").check()
    expect(sue.effect).to_contain_text("Answer the questions")
    sue.dialog.locator("[id='field-choice-boom_busted/Mr-Lim-return']").check()
    expect(sue.effect).to_contain_text("Box 1, Mrs Tan (5.7.3): Initial Bet SGD 30.00 to be returned.")
    expect(sue.effect).to_contain_text("Boom Busted of Mr Lim (5.7.3): Boom Busted SGD 10.00")
    sue.confirms("Declare", Note="a card of box 2")
    expect(page.locator(".decisions")).to_contain_text("Irregularity under paragraph 5.7")
    expect(page.locator(".box")).to_contain_text("bets returned by 5.7.3")


def test_figures_and_journal_of_a_pit_speak_of_no_meter(sue: Person, house: Served) -> None:
    number = next_round(house, "pp-01")
    says(house, "pp-01", "bets", {"boxes": [{"box": 1, "bet": 2500}]}, number)
    hands = {"hands": [{"box": 1, "cards": ["Th", "9c"]}], "dealer": {"cards": ["Kd", "8h"]}, "final": True}
    says(house, "pp-01", "hands", hands, number)
    page = sue.opens("figures")
    expect(page.get_by_role("region", name="Figures by table")).to_contain_text("Blackjack Perfect Pairs")
    expect(page.get_by_role("region", name="Wagers, pp-01")).to_contain_text("Initial Bet")
    sue.opens("journal")
    expect(page.get_by_role("columnheader")).to_have_text(["Entry", "Time", "What", "Content"])


@pytest.fixture
def page(browser: Browser, house: Served) -> Iterator[Page]:
    with context(browser, house.base, reduced_motion="reduce", viewport=SMALLEST) as somebody:
        yield somebody.new_page()


def tells(page: Page, display: Json) -> None:
    """The stream of this page says so, once."""
    stream = f"event: table\ndata: {json.dumps(display)}\n\n"
    page.route("**/stream", lambda route: route.fulfill(body=stream, content_type="text/event-stream"))


@pytest.mark.parametrize("state", [{}, CLOSED], ids=["open", "closed"])
@pytest.mark.parametrize("table", PIT_TABLES)
def test_the_display_of_each_game_fits_every_screen(
    page: Page, house: Served, table: str, state: Json
) -> None:
    display = done(house.get(f"/v1/tables/{table}/display"))
    limited = [one | LIMITS for one in display["side_bets"]]
    stand_still(page, datetime(2026, 1, 1, 20, tzinfo=UTC))  # so that it asks for nothing more
    tells(page, display | {"side_bets": limited} | state)
    page.goto(f"/signs/tables/{table}")
    expect(page.locator("h1")).to_have_text(display["game_name"])
    expect(page.locator(".side")).to_have_count(len(limited))
    expect(page.locator(".notice")).to_be_visible(visible=bool(state))
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(DRAWN, arg=[width, height])
        with suppress(TooLate):  # what is turned upright may be laid out a moment later
            page.wait_for_function(f"() => !Object.values(({MEASURE})()).flat().length", timeout=5000)
        assert page.evaluate(MEASURE) == FITS, (width, height)


def test_a_display_tells_odds_limits_and_the_main_rules(page: Page) -> None:
    page.goto("/signs/tables/bj-01")
    expect(page.locator(".limits")).to_contain_text("SGD 25 to 5,000")
    expect(page.locator(".rules li").first).to_have_text("Blackjack pays 3 to 2")
    expect(page.locator(".rules")).to_contain_text("stands on all 17s")
    expect(page.locator(".side").first).to_contain_text("Player Pair11 to 1SGD 5 to 500 on a box")
    page.goto("/signs/tables/fb-01")
    expect(page.locator(".rules")).to_contain_text("22 stands off")
    expect(page.locator(".side").nth(1)).to_contain_text("7 markers1,000 to 1")
