"""Pay tables and award policies at the console: a real browser on a real service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Locator, expect

from jackpot.core.instants import MILLISECOND
from jackpot.link.clocks import CLOCK_ERROR
from tests.browser import keeps_nobody_out, stand_still
from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done, refused
from tests.console import Person, ambiguous, at_the_console, met, plays_by
from tests.service import Json, Served

LEAST = CLOCK_ERROR // MILLISECOND
TWICE: list[Json] = [
    {"hand": "royal_flush", "share": 100},
    {"hand": "straight_flush", "share": 20},
    {"hand": "four_of_a_kind", "odds": 400},
]


@pytest.fixture
def floor(house: Served) -> Floor:
    """A link of its own for each test."""
    return Floor(house, house.next_link())


@pytest.fixture
def sue(browser: Browser, house: Served, floor: Floor) -> Iterator[Person]:
    """A supervisor."""
    with at_the_console(browser, house, floor.link, "sue") as person:
        yield person


@pytest.fixture
def ana(browser: Browser, house: Served, floor: Floor) -> Iterator[Person]:
    """An operator."""
    with at_the_console(browser, house, floor.link, "ana") as person:
        yield person


def link_told(floor: Floor) -> Json:
    links = done(floor.service.get("/v1/links", "sue"))["links"]
    return dict(next(one for one in links if one["id"] == floor.link))


def proposals(floor: Floor) -> list[Json]:
    told = done(floor.service.get("/v1/proposals", "sue"))["proposals"]
    return [one for one in told if one["link"] == floor.link]


def effect_on(person: Person, name: str) -> Locator:
    return person.effect.get_by_role("row", name=re.compile(f"^{name}"))


def fact(part: Locator, name: str) -> Locator:
    return part.locator("dl.facts > div").filter(has=part.page.get_by_text(name, exact=True))


# Changes


def test_the_rule_book_is_in_force_until_somebody_changes_it(sue: Person) -> None:
    page = sue.opens("changes").locator("#page")
    expect(fact(page, "Award policy")).to_contain_text("In order")
    expect(fact(page, "Simultaneous")).to_contain_text("deal times that overlap")
    expect(fact(page, "Cap of a round")).to_contain_text("none")
    expect(fact(page, "Straight flush")).to_contain_text("10 % of the jackpot")
    expect(fact(page, "Four of a kind")).to_contain_text("400 for 1")


def test_another_award_policy_is_proposed_and_confirmed(ana: Person, sue: Person, floor: Floor) -> None:
    ana.opens("changes")
    ana.button("Award policy").click()
    expect(ana.dialog.get_by_role("radio", name=re.compile("^In order"))).to_be_checked()
    expect(ana.effect).to_contain_text("Enter what should change.")
    ana.dialog.get_by_role("radio", name=re.compile("^Split .* share its amount equally")).check()
    ana.dialog.get_by_label("Window, ms").fill("250")
    ana.dialog.get_by_label("Cap of a round").fill("1,000,000.00")
    policy = effect_on(ana, "Award policy, from the next reset")
    expect(policy.get_by_role("cell")).to_have_text(["In order", "Split"])
    expect(effect_on(ana, "Window").get_by_role("cell")).to_have_text(["none", "250 ms"])
    expect(effect_on(ana, "Cap of a round")).to_contain_text("SGD 1,000,000.00")
    expect(ana.effect.locator(".callout")).to_have_count(0)
    ana.confirms("Propose", Reason="as the other houses do")
    ana.is_told("Another person must confirm it.")
    sue.opens("changes")
    waiting = sue.page.locator(".proposals")
    expect(waiting).to_contain_text("Award policy split, simultaneous are deal times that overlap or lie up")
    expect(waiting).to_contain_text(
        "to 250 ms apart, at most SGD 1,000,000.00 for the fixed awards of a round"
    )
    sue.page.get_by_role("button", name=re.compile("^Confirm")).click()
    expect(effect_on(sue, "Award policy, from the next reset")).to_contain_text("Split")
    sue.confirms("Confirm and carry out")
    expect(ana.page.locator("#page")).to_contain_text("From the next reset")
    expect(ana.page.locator("#page")).to_contain_text("Award policy split")
    told = link_told(floor)
    assert told["parameters"]["policy"] == "ordered"
    (coming,) = told["scheduled"]
    assert (coming["policy"], coming["window"], coming["cap"]) == ("split", 250 * MILLISECOND, 100_000_000)


def test_a_window_and_a_cap_are_taken_away_by_leaving_them_empty(ana: Person, floor: Floor) -> None:
    plays_by(floor, policy="full_each", window_ms=500, cap=500_000)
    page = ana.opens("changes").locator("#page")
    expect(fact(page, "Award policy")).to_contain_text("In full to each")
    ana.button("Award policy").click()
    expect(ana.dialog.get_by_label("Window, ms")).to_have_value("500")
    expect(ana.dialog.get_by_label("Cap of a round")).to_have_value("5,000.00")
    ana.dialog.get_by_label("Window, ms").fill("")
    ana.dialog.get_by_label("Cap of a round").fill("")
    expect(effect_on(ana, "Cap of a round").get_by_role("cell").last).to_have_text("none")
    expect(effect_on(ana, "Award policy")).to_have_count(0)
    ana.confirms("Propose", Reason="as before")
    (proposal,) = proposals(floor)
    changes = proposal["change"]["changes"]
    assert (changes["no_window"], changes["no_cap"], changes.get("policy")) == (True, True, None)


def test_a_window_below_the_error_of_clocks_is_warned_of(ana: Person, sue: Person) -> None:
    ana.opens("changes")
    ana.button("Award policy").click()
    window = ana.dialog.get_by_label("Window, ms")
    window.fill(str(LEAST))
    expect(effect_on(ana, "Window")).to_contain_text(f"{LEAST} ms")
    expect(ana.dialog.locator(".warning, .effect .callout")).to_have_count(0)
    window.fill("50")
    expect(ana.dialog.locator(".warning")).to_contain_text("intervals of that width overlap anyway")
    expect(ana.effect.locator(".callout")).to_contain_text(
        f"Warning: the window of 50 ms is below the error of clocks, {LEAST} ms"
    )
    ana.confirms("Propose", Reason="as narrow as can be")
    sue.opens("changes")
    sue.page.get_by_role("button", name=re.compile("^Confirm")).click()
    expect(sue.effect.locator(".callout")).to_contain_text("intervals of that width overlap anyway")


def test_the_price_of_a_cap_is_told_before_it_is_proposed(ana: Person) -> None:
    ana.opens("changes")
    ana.button("Award policy").click()
    ana.dialog.get_by_label("Cap of a round").fill("2,000.00")
    expect(ana.effect.locator(".callout")).to_contain_text(
        re.compile(
            r"the cap of SGD 2,000\.00 a round costs a bet on average SGD 0\.\d{6} at a full table of 7"
        )
    )


def test_a_number_that_is_none_is_not_sent(ana: Person, floor: Floor) -> None:
    ana.opens("changes")
    ana.button("Award policy").click()
    ana.dialog.get_by_label("Window, ms").fill("soon")
    ana.dialog.get_by_label("Reason").fill("a mistake")
    ana.dialog.get_by_role("button", name="Propose").click()
    expect(ana.dialog.get_by_role("alert")).to_contain_text("“Window, ms” must be a whole number.")
    assert proposals(floor) == []


def test_another_pay_table_is_proposed_hand_by_hand(ana: Person, sue: Person, floor: Floor) -> None:
    ana.opens("changes")
    ana.button("Pay table").click()
    number = ana.dialog.get_by_label("Three of a kind", exact=True)
    expect(number).to_be_disabled()
    expect(ana.dialog.get_by_label("Straight flush", exact=True)).to_have_value("10")
    ana.dialog.get_by_label("Straight flush", exact=True).fill("20")
    ana.dialog.get_by_label("Straight, what").select_option("wins nothing")
    ana.dialog.get_by_label("Three of a kind, what").select_option("for 1")
    number.fill("3")
    cells = effect_on(ana, "Straight flush, from the next reset").get_by_role("cell")
    expect(cells).to_have_text(["10 %", "20 %"])
    expect(effect_on(ana, "Straight, from").get_by_role("cell")).to_have_text(["20 for 1", "nothing"])
    expect(effect_on(ana, "Three of a kind").get_by_role("cell")).to_have_text(["nothing", "3 for 1"])
    ana.confirms("Propose", Reason="new season")
    sue.opens("changes")
    expect(sue.page.locator(".proposals")).to_contain_text(
        "Straight flush 20 % instead of 10 %, straight nothing instead of 20 for 1"
    )
    sue.page.get_by_role("button", name=re.compile("^Confirm")).click()
    sue.confirms("Confirm and carry out")
    levels = link_told(floor)["scheduled"][0]["levels"]
    assert levels["straight_flush"]["share"] == 20
    assert levels["three_of_a_kind"]["odds"] == 3
    assert "straight" not in levels


def test_a_pay_table_without_a_level_of_all_of_it_is_refused_in_the_preview(ana: Person) -> None:
    ana.opens("changes")
    ana.button("Pay table").click()
    ana.dialog.get_by_label("Royal flush", exact=True).fill("90")
    expect(ana.effect.locator(".problem")).to_contain_text("One level wins 100 percent")


# Wins that are paid together


def test_wins_that_are_paid_together_need_no_order(sue: Person, floor: Floor) -> None:
    plays_by(floor, policy="split")
    first, second = met(floor)
    value = floor.meter()["value"]
    refused(floor.post("order", "sue", {"wins": [second, first], "reason": "x"}), 409, "not_ambiguous")
    page = sue.opens("wins")
    together = page.locator(".callout.together")
    expect(together).to_contain_text(
        "These 2 wins count as simultaneous and are paid together: each is paid SGD"
    )
    expect(together).to_contain_text("All must be approved before any of them is paid")
    expect(together).to_contain_text(f"{first} has 0 of 2 approvals and {second} has 0 of 2 approvals")
    expect(sue.button("Decide the order")).to_have_count(0)
    expect(page.locator(".win.ambiguous")).to_have_count(0)
    expect(page.locator(".win .money").first).to_contain_text("100 % of the jackpot, shared by 2")
    rests = page.get_by_role("list", name=f"What {first} is based on")
    expect(rests).to_contain_text("Paid together")
    for person in ("ana", "tom"):
        done(floor.approve(first, person))
    expect(together).to_contain_text(f"is paid: {second} has 0 of 2 approvals")
    assert floor.waiting(first)["state"] == "ordered", "it is not paid before the other is approved"
    assert floor.waiting(first)["reasons"] == ["others_not_ready"]
    done(floor.approve(second, "ana"))
    sue.button(f"Approve {second}").click()
    expect(sue.dialog).to_contain_text(f"It is paid together with {first}, once all of them are approved.")
    sue.confirms("Approve")
    expect(page.locator("#page")).to_contain_text("No wins are waiting.")
    paid = [floor.waiting(win)["amount"] for win in (first, second)]
    assert sum(paid) == value
    assert paid[0] - paid[1] in (0, 1)


def test_the_proof_tells_policy_reading_formula_and_who_shared(sue: Person, floor: Floor) -> None:
    plays_by(floor, policy="split")
    first, second = met(floor)
    for win in (first, second):
        for person in ("ana", "tom"):
            done(floor.approve(win, person))
    page = sue.opens("wins")
    page.locator(f"[data-act=proof][data-id='{first}']").click()
    expect(fact(sue.dialog, "Award policy")).to_contain_text("Split")
    expect(fact(sue.dialog, "Paid from a reading of")).to_contain_text("SGD 50,004.00")
    expect(fact(sue.dialog, "Shared by")).to_contain_text(f"{first}, {second}")
    expect(fact(sue.dialog, "Calculated")).to_contain_text(
        "100 % of SGD 50,004.00 = SGD 50,004.00; shared by 2: SGD 25,002.00 each"
    )
    expect(fact(sue.dialog, "Calculated")).to_contain_text("5000400 / 2 = 2500200, 0 left")
    expect(fact(sue.dialog, "Basis of the order")).to_contain_text("Paid together")
    page.keyboard.press("Escape")
    page = sue.opens("rounds", table=floor.stud.table, round=1)
    won = page.locator(".decision").filter(has_text=first)
    expect(fact(won, "Award policy")).to_contain_text(f"Split, with {second}")
    expect(fact(won, "Calculated")).to_contain_text("shared by 2")


def test_each_in_full_is_told_what_each_level_is_paid(sue: Person, floor: Floor) -> None:
    plays_by(floor, policy="full_each")
    wins = ambiguous(floor)
    told = {win: floor.waiting(win)["amount"] for win in wins}
    assert sorted(told.values()) == [500_040, 5_000_400], "both of the same reading"
    together = sue.opens("wins").locator(".callout.together")
    for win, amount in told.items():
        expect(together).to_contain_text(f"{win} is paid SGD {amount / 100:,.2f}")


def test_a_win_of_another_share_is_shown_with_it(sue: Person, floor: Floor) -> None:
    plays_by(floor, level=TWICE)
    win = floor.stud.wins(STRAIGHT_FLUSH)
    money = sue.opens("wins").locator(".win .money")
    expect(money).to_contain_text("20 % of the jackpot, provisional")
    expect(money).to_contain_text("SGD 10,000.40")
    assert floor.waiting(win)["percent"] == 20


def test_whoever_wins_all_of_it_is_rejected_by_two(sue: Person, floor: Floor) -> None:
    """Whatever hand the pay table names for that."""
    plays_by(floor, level=[{"hand": "straight_flush", "share": 100}, {"hand": "royal_flush", "share": 100}])
    win = floor.stud.wins(STRAIGHT_FLUSH)
    page = sue.opens("wins")
    expect(page.locator(".approvals")).to_contain_text("a straight flush always needs two")
    sue.button(f"Reject {win}").click()
    expect(sue.dialog).to_contain_text("Two people must reject a win of the whole jackpot")
    sue.confirms("Propose the rejection", Reason="a card too many")
    expect(sue.opens("changes").locator(".proposals")).to_contain_text(f"Reject {win}, a win of the whole")


def test_no_form_of_awards_keeps_anybody_out(browser: Browser, house: Served, floor: Floor) -> None:
    plays_by(floor, policy="split", level=TWICE)
    met(floor, ROYAL, STRAIGHT_FLUSH)
    with at_the_console(browser, house, floor.link, "sue") as sue:
        stand_still(sue.page, datetime.now(UTC))
        keeps_nobody_out(sue.opens("wins"), "wins", drawn_to_size=lambda: sue.opens("wins"))
        for act in ("policy", "pay_table"):
            sue.opens("changes").locator(f"[data-act={act}]").click()
            expect(sue.effect.locator("h3")).to_be_visible()
            keeps_nobody_out(sue.page, act, "dialog")
