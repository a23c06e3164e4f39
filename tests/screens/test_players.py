"""What players are shown before they bet: on their own devices, and at the foot of a table's display."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from jackpot.link.parameters import Parameters
from jackpot.maths.odds import Wager
from tests.browser import context, violations
from tests.callers import Floor, done
from tests.console import play, plays_by, royal
from tests.service import Served, full_floor, in_thread

PHONE: ViewportSize = {"width": 390, "height": 844}
SIZES: list[ViewportSize] = [
    {"width": 320, "height": 568},
    PHONE,
    {"width": 1180, "height": 820},
    {"width": 820, "height": 1180},
]
RULES = Wager(parameters=Parameters(seed=1, progressive_bet=500, meter_ppm=0, reserve_ppm=0))


@pytest.fixture
def floor(house: Served) -> Floor:
    return Floor(house, house.next_link())


@pytest.fixture
def phone(browser: Browser, house: Served) -> Iterator[Page]:
    with context(browser, house.base, viewport=PHONE, is_mobile=True, has_touch=True) as somebody:
        yield somebody.new_page()


def part(page: Page, name: str) -> Locator:
    return page.locator(f"[data-part='{name}']")


def opened(page: Page, path: str) -> Page:
    page.goto(path)
    expect(page.locator("main.players")).to_have_attribute("data-state", "read")
    return page


def in_words(returned: Fraction) -> str:
    hundredths = int(returned * 10_000)
    return f"{hundredths // 100}.{hundredths % 100:02} %"


def test_a_player_reads_all_terms_of_a_jackpot_before_he_bets(phone: Page, floor: Floor) -> None:
    play(floor)
    page = opened(phone, f"/players/{floor.link}")
    value = floor.meter()["value"]
    expect(part(page, "value")).to_have_text(floor.meter()["display"])
    expect(part(page, "return")).to_have_text(in_words(RULES.return_at(value)))
    for text in ("SGD 50,000.00", "40 % raise the jackpot, 5 % are kept for the next one", "55 %", "none"):
        expect(part(page, "terms")).to_contain_text(text)
    expect(part(page, "bets")).to_contain_text("SGD 5.00")
    rows = part(page, "pays").locator("tr")
    expect(rows).to_have_count(6)
    expect(rows.nth(0)).to_contain_text("1 in 649,740")
    expect(rows.nth(1)).to_contain_text("1 in 72,193")
    expect(rows.nth(5)).to_contain_text("1 in 255")
    expect(part(page, "ties")).to_contain_text(
        "one after the other, in the order in which the hands were dealt"
    )


def test_the_return_goes_with_the_meter(phone: Page, floor: Floor) -> None:
    page = opened(phone, f"/players/{floor.link}")
    before = RULES.return_at(5_000_000)
    expect(part(page, "return")).to_have_text(in_words(before))
    done(floor.agree("adjustments", {"amount": 4_000_000, "from": "house", "reason": "promotion"}))
    expect(part(page, "return")).to_have_text(in_words(RULES.return_at(9_000_000)))


@pytest.mark.parametrize(
    ("policy", "said"),
    [("split", "share its amount equally"), ("full_each", "every winner is paid the whole amount")],
)
def test_ties_are_told_by_the_policy_of_the_link(phone: Page, floor: Floor, policy: str, said: str) -> None:
    plays_by(floor, policy=policy, window_ms=250, cap=2_500_000)
    page = opened(phone, f"/players/tables/{floor.stud.table}")
    expect(part(page, "ties")).to_contain_text(said)
    expect(part(page, "ties")).to_contain_text("within 0.25 seconds")
    expect(part(page, "cap")).to_contain_text("SGD 25,000.00")
    expect(part(page, "lower")).to_be_visible()


def test_while_a_win_waits_a_bet_plays_for_the_next_jackpot_and_is_told_its_return(
    phone: Page, floor: Floor
) -> None:
    done(floor.agree("adjustments", {"amount": 4_000_000, "from": "house", "reason": "promotion"}))
    royal(floor)
    page = opened(phone, f"/players/{floor.link}")
    following = floor.meter()["next"]
    assert following < floor.meter()["value"]
    expect(part(page, "return")).to_have_text(in_words(RULES.return_at(following)))
    expect(part(page, "return-words")).to_contain_text("plays for the next jackpot")
    expect(part(page, "held")).to_have_text(f"Royal Flush at {floor.stud.table} is being verified.")


def test_a_table_in_a_pit_tells_its_own_rules(phone: Page) -> None:
    page = opened(phone, "/players/tables/fb-01")
    expect(part(page, "rules")).to_contain_text("Blackjack pays 3 to 2")
    expect(part(page, "bets")).to_contain_text("SGD 25.00")
    expect(part(page, "sides").get_by_role("heading")).to_have_text(
        ["RWS Pairs", "Lucky Stash", "Boom Busted"]
    )
    for name in ("terms-box", "return-box", "ties-box", "meter-box"):
        expect(part(page, name)).to_be_hidden()


def test_a_lost_connection_is_told_and_the_last_terms_stay(phone: Page, floor: Floor) -> None:
    page = opened(phone, f"/players/{floor.link}")
    page.route("**/v1/**", lambda route: route.abort())
    expect(part(page, "lost")).to_be_visible()
    expect(part(page, "return")).to_be_visible()
    page.unroute("**/v1/**")
    expect(part(page, "lost")).to_be_hidden()


def test_who_may_not_read_is_told_so(phone: Page) -> None:
    phone.goto("/players/private")
    expect(part(phone, "refused")).to_be_visible()
    expect(part(phone, "terms-box")).to_be_hidden()


@pytest.mark.parametrize("path", ["/players/main", "/players/tables/main-stud-01", "/players/tables/fb-01"])
def test_a_page_for_players_keeps_nobody_out_on_any_device(phone: Page, path: str) -> None:
    page = opened(phone, path)
    assert violations(page) == []
    for size in SIZES:
        page.set_viewport_size(size)
        page.wait_for_function("width => innerWidth === width", arg=size["width"])
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], size


def test_a_name_of_markup_is_text_for_players_too(phone: Page) -> None:
    page = opened(phone, "/players/hostile")
    expect(part(page, "name")).to_contain_text("<script>")
    expect(page).not_to_have_title("taken")


# The table's display


def test_a_tables_display_tells_the_terms_and_the_return_at_the_value_shown(
    phone: Page, floor: Floor
) -> None:
    phone.set_viewport_size({"width": 1280, "height": 720})
    phone.goto(f"/signs/tables/{floor.stud.table}")
    for name, text in (
        ("seed", "SGD 50,000.00"),
        ("ceiling", "none"),
        ("shares", "40 % raise the jackpot, 5 % are kept for the next one"),
        ("ties", "Paid in the order of the deal"),
        ("return", f"{in_words(RULES.return_at(5_000_000))} of a bet"),
    ):
        expect(part(phone, name)).to_have_text(text)
    expect(part(phone, "pays").locator("tr").first).to_contain_text("1 in 649,740")
    done(floor.agree("adjustments", {"amount": 3_000_000, "from": "house", "reason": "promotion"}))
    expect(part(phone, "return")).to_have_text(f"{in_words(RULES.return_at(8_000_000))} of a bet")


def test_a_code_on_the_display_leads_to_the_page_and_hidden_is_hidden(
    browser: Browser, tmp_path: Path
) -> None:
    floor = full_floor("main")
    floor.link[0]["ceiling"] = 9_000_000
    floor.top["ceiling_to_players"] = "hidden"
    address = "https://jackpot.example.com"
    url = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    with (
        in_thread(url, floor, tmp_path, public_address=address) as service,
        context(browser, service.base, viewport={"width": 1280, "height": 720}) as somebody,
    ):
        page = somebody.new_page()
        for table in ("main-stud-01", "bj-01"):
            page.goto(f"/signs/tables/{table}")
            code = page.get_by_role("img", name="A code that leads to the rules and odds of this table")
            expect(code).to_be_visible()
            page.wait_for_function("() => document.querySelector('.code img').naturalWidth > 0")
        page.goto("/signs/tables/main-stud-01")
        expect(part(page, "return")).not_to_be_empty()
        expect(part(page, "ceiling-box")).to_be_hidden()
        opened(page, "/players/main")
        expect(part(page, "terms")).not_to_contain_text("The most that the jackpot can show")
