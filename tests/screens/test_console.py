"""The operators' console in a real browser, on a real service."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import context, keeps_nobody_out, stand_still, violations
from tests.callers import QUADS, STRAIGHT_FLUSH, Floor, done, now
from tests.console import (
    PAGES,
    Person,
    ambiguous,
    at_the_console,
    late_claim,
    paid_from_a_reading,
    play,
    royal,
    spooled,
    stamped,
)
from tests.pages import HOSTILE, STRANGER
from tests.service import PASSWORD, Served
from tests.waiting import until

DRAWN_TO_SIZE = ("wins", "figures")
"""Pages with a picture that is as wide as the page was when it was read."""


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


@pytest.fixture
def ada(browser: Browser, house: Served, floor: Floor) -> Iterator[Person]:
    """An auditor."""
    with at_the_console(browser, house, floor.link, "ada") as person:
        yield person


# Who is there


def test_a_person_logs_in_and_out(browser: Browser, house: Served) -> None:
    with context(browser, house.base) as made:
        person = Person(made.new_page(), "main")
        person.page.goto("/console/wins")
        person.page.wait_for_url("**/console/login?then=wins")
        person.log_in("sue", "not this")
        expect(person.page.get_by_role("alert")).to_contain_text("do not belong together")
        person.page.goto("/console/login?then=wins")
        person.page.get_by_label("Name").fill("sue")
        person.page.get_by_label("Password").fill(PASSWORD)
        person.page.get_by_role("button", name="Log in").click()
        person.page.wait_for_url("**/console/wins")
        expect(person.page.locator(".who")).to_contain_text("supervisor")
        person.button("Log out").click()
        person.page.wait_for_url("**/console/login**")
        person.page.goto("/console/floor")
        person.page.wait_for_url("**/console/login?then=floor")


def test_a_page_acts_only_for_the_person_it_shows(ana: Person, floor: Floor) -> None:
    """Somebody else logs in with the same browser, in another tab."""
    win = royal(floor)
    stand_still(ana.page, datetime.now(UTC))  # or it looks again while nobody is logged in, and says so
    ana.opens("wins")
    expect(ana.page.locator("#live")).to_have_text("Live")
    other = Person(ana.page.context.new_page(), floor.link)
    other.log_in("sue")
    other.page.wait_for_url("**/console/overview")
    ana.button(f"Approve {win}").click()
    expect(ana.page.locator(".who-name")).to_have_text("sue")
    assert floor.waiting(win)["approvals"] == []


def test_a_page_runs_no_script_or_style_but_the_services_own(house: Served) -> None:
    for path in ("/console/login", "/console/floor"):
        policy = house.get(path, follow_redirects=True).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


def test_a_page_that_is_not_there_is_not_found(house: Served) -> None:
    assert house.get("/console/nothing").status_code == 404


def test_an_auditor_sees_all_and_acts_nothing(ada: Person, floor: Floor) -> None:
    royal(floor)
    late_claim(floor)
    done(floor.post("seed", "ana", {"seed": 6_000_000, "reason": "new season"}))
    stand_still(ada.page, datetime.now(UTC))  # each page is read once
    for name in PAGES:
        page = ada.opens(name)
        expect(page.locator("#page section, #page form").first).to_be_visible()
        acts = page.locator("#page [data-act]").evaluate_all("all => all.map(one => one.dataset.act)")
        assert set(acts) <= {"proof", "csv", "earlier", "later", "print"}, name


def test_an_operator_is_shown_only_what_operators_may(ana: Person, floor: Floor) -> None:
    win = royal(floor)
    mine, _ = (
        done(floor.post("seed", who, {"seed": seed, "reason": "new season"}))["proposal"]
        for who, seed in (("ana", 7_000_000), ("ben", 6_000_000))
    )
    ana.opens("wins")
    expect(ana.button(f"Approve {win}")).to_be_visible()
    expect(ana.button(f"Reject {win}")).to_have_count(0)
    ana.opens("changes")
    expect(ana.button(f"Withdraw {mine}")).to_be_visible()
    expect(ana.page.get_by_role("button", name=re.compile("^Withdraw"))).to_have_count(1)
    expect(ana.page.get_by_role("button", name=re.compile("^Confirm"))).to_have_count(0)
    ana.opens("malfunctions")
    expect(ana.page.locator("#page")).to_contain_text("Only a supervisor can declare")
    expect(ana.page.get_by_role("navigation")).not_to_contain_text("Journal")


# Wins


def test_two_different_people_approve_a_royal(ana: Person, sue: Person, floor: Floor) -> None:
    play(floor)
    win = royal(floor)
    before = floor.meter()
    for person in (ana, sue):
        person.opens("wins")
        expect(person.page.locator(".win")).to_contain_text("0 of 2 approvals")
    expect(ana.page.get_by_role("img", name="ace of hearts, king of hearts")).to_be_visible()
    ana.button(f"Approve {win}").click()
    expect(ana.effect).to_contain_text("The approval by ana is recorded.")
    ana.confirms("Approve", Note="seen on camera 3")
    ana.is_told("1 of 2 approvals")
    expect(ana.button(f"You have approved {win}")).to_be_disabled()
    expect(sue.page.locator(".win .approvals")).to_contain_text("ana")
    sue.button(f"Approve {win}").click()
    expect(sue.effect).to_contain_text(f"is paid {before['display']} at once")
    sue.confirms("Approve")
    sue.is_told("approved and paid")
    for person in (ana, sue):  # ana's page by itself
        expect(person.page.locator("#meter output")).to_have_text("50,000.00")
        expect(person.page.get_by_role("region", name="Wins that were paid")).to_contain_text("ana, sue")
    assert floor.waiting(win)["amount"] == before["value"]


def test_a_royal_is_approved_with_the_keyboard_alone(sue: Person, floor: Floor) -> None:
    win = royal(floor)
    page = sue.opens("wins")
    expect(sue.button(f"Approve {win}")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    _tab_to(sue, f"Approve {win}")
    page.keyboard.press("Enter")
    expect(sue.dialog.get_by_label("Note")).to_be_focused()
    page.keyboard.type("seen")
    _tab_to(sue, "Approve")
    page.keyboard.press("Enter")
    expect(sue.dialog).to_have_count(0)
    expect(page.locator(".win .approvals")).to_contain_text("1 of 2 approvals")
    approvals = floor.waiting(win)["approvals"]
    assert [(one["person"], one["note"]) for one in approvals] == [("sue", "seen")]


def _tab_to(person: Person, name: str) -> None:
    """With the tabulator key, as far as it takes."""
    named = "const at = document.activeElement; return at.getAttribute('aria-label') ?? at.textContent"
    for _ in range(40):
        person.page.keyboard.press("Tab")
        if person.page.evaluate(f"() => {{ {named} }}") == name:
            return
    raise AssertionError(f"{name} cannot be reached")


def test_escape_leaves_a_dialog_and_the_focus_where_it_was(sue: Person, floor: Floor) -> None:
    win = royal(floor)
    mark = floor.mark()
    sue.opens("wins")
    sue.button(f"Reject {win}").click()
    expect(sue.dialog).to_be_visible()
    sue.page.keyboard.press("Escape")
    expect(sue.dialog).to_have_count(0)
    expect(sue.button(f"Reject {win}")).to_be_focused()
    assert floor.mark() == mark


def test_an_ambiguous_order_is_decided_by_buttons(sue: Person, floor: Floor) -> None:
    first, second = ambiguous(floor)
    sue.opens("wins")
    expect(sue.page.locator(".timeline > .span.ambiguous")).to_have_count(2)
    sue.button("Decide the order").click()
    expect(sue.effect).to_contain_text(f"{first}, then {second}")
    sue.button(f"{first} later").press("Enter")
    expect(sue.effect).to_contain_text(f"{second}, then {first}")
    sue.confirms("Decide this order", Reason="camera 3")
    sue.is_told("The order is decided.")
    expect(sue.page.get_by_text("Order unknown")).to_have_count(0)
    expect(sue.page.get_by_text("Order decided")).to_have_count(2)
    told = done(floor.get("wins"))["wins"]
    assert [one["id"] for one in told] == [second, first]
    proof = done(floor.get(f"wins/{first}"))["order"]
    assert (proof["decided_by"], proof["reason"]) == ("sue", "camera 3")


def test_an_ambiguous_order_is_decided_by_dragging(sue: Person, floor: Floor) -> None:
    first, second = ambiguous(floor)
    sue.opens("wins")
    sue.button("Decide the order").click()
    handles, items = sue.dialog.locator(".handle"), sue.dialog.locator(".arrange li")
    expect(items.first).to_have_attribute("data-key", first)
    expect(sue.effect).to_contain_text(f"{first}, then {second}")  # it has its size now
    handles.nth(0).hover()
    sue.page.mouse.down()
    expect(sue.dialog.locator(".arrange li.held")).to_have_count(1)
    handles.nth(1).hover()
    sue.page.mouse.up()
    expect(items.first).to_have_attribute("data-key", second)
    sue.confirms("Decide this order", Reason="the dealer's word")
    assert [one["id"] for one in done(floor.get("wins"))["wins"]] == [second, first]


def test_what_is_missing_in_a_form_is_pointed_at(sue: Person, floor: Floor) -> None:
    win = royal(floor)
    sue.opens("wins")
    sue.button(f"Reject {win}").click()
    sue.dialog.get_by_role("button", name="Propose the rejection").click()
    expect(sue.dialog.get_by_role("alert")).to_contain_text("A reason is required.")
    expect(sue.dialog.get_by_label("Reason")).to_be_focused()
    sue.confirms("Propose the rejection", Reason="a marked card")
    sue.is_told("Another person must confirm it.")


def test_a_straight_flush_is_rejected_by_one(sue: Person, floor: Floor) -> None:
    win = floor.stud.wins(STRAIGHT_FLUSH)
    sue.opens("wins")
    sue.button(f"Reject {win}").click()
    expect(sue.effect).to_contain_text("is rejected and will not be paid")
    sue.confirms("Reject", Reason="a marked card")
    expect(sue.page.locator("#page")).to_contain_text("No wins are waiting.")
    assert floor.waiting(win)["state"] == "rejected"


def test_the_evidence_of_a_win_is_shown(sue: Person, floor: Floor) -> None:
    win = floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    sue.opens("wins")
    sue.button(win).click()
    proof = done(floor.get(f"wins/{win}"))
    expect(sue.dialog).to_contain_text(proof["payment"]["hash"])
    expect(sue.dialog).to_contain_text("WinRegistered")
    expect(sue.dialog).to_contain_text("Witnessed between")
    expect(sue.dialog).to_contain_text("Order witnessed")
    expect(sue.dialog.locator(".facts div", has_text="Rounds open then")).to_contain_text("none")
    sue.dialog.get_by_role("button", name="Close").click()
    expect(sue.button(win)).to_be_focused()


def test_of_a_win_of_0_1_only_what_is_on_record_is_shown(sue: Person, floor: Floor) -> None:
    """It took the table's word for its clock, and knew neither witnessed intervals nor bases."""
    win = floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    proof = done(floor.get(f"wins/{win}")) | {"basis": None}
    for entry in proof["entries"]:
        entry["entry"]["rules"] = 1
    sue.page.route(f"**/wins/{win}", lambda route: route.fulfill(json=proof))
    sue.opens("wins")
    sue.button(win).click()
    expect(sue.dialog).to_contain_text("as reported by the table")
    expect(sue.dialog.locator(".facts div", has_text="Basis of the order")).to_contain_text("not on record")
    expect(sue.dialog).not_to_contain_text("Witnessed between")
    expect(sue.dialog).not_to_contain_text("Rounds open then")


# What a win rests on


def test_the_order_that_the_house_witnessed_is_told_beside_the_approval(sue: Person, floor: Floor) -> None:
    win = royal(floor)
    page = sue.opens("wins")
    rests = page.get_by_role("list", name=f"What {win} is based on")
    expect(rests).to_contain_text("Order witnessed")
    expect(rests.get_by_role("listitem")).to_have_count(1)
    expect(page.locator(".approvals")).to_contain_text(
        "Two people must approve it: a royal flush always needs two."
    )
    expect(page.locator("#page")).to_contain_text("No open round can contain an earlier hand")
    expect(page.locator(".timeline .witnessed")).to_have_count(1)
    expect(page.locator(".timeline .open-round")).to_have_count(0)


def test_an_order_that_rests_on_stamps_is_said_to(sue: Person, floor: Floor) -> None:
    for win in stamped(floor):
        sue.opens("wins")
        expect(sue.page.get_by_role("list", name=f"What {win} is based on")).to_contain_text("Order stamped")
    expect(sue.page.locator(".timeline .span:not(.ambiguous) .stamped").first).to_be_visible()


def test_a_win_from_a_spool_takes_two_and_says_why(sue: Person, floor: Floor) -> None:
    win = spooled(floor)
    page = sue.opens("wins")
    expect(page.get_by_role("list", name=f"What {win} is based on")).to_contain_text("From a spool")
    expect(page.locator(".approvals")).to_contain_text("0 of 2 approvals")
    expect(page.locator(".timeline")).to_contain_text("no usable stamp")
    sue.button(f"Approve {win}").click()
    expect(sue.dialog).to_contain_text("Two people must approve it: it came from a spool.")
    expect(sue.effect).to_contain_text("The approval by sue is recorded.")


def test_a_win_paid_from_a_registered_reading_names_it_beside_the_value_now(
    sue: Person, floor: Floor
) -> None:
    win = paid_from_a_reading(floor)
    told = floor.waiting(win)
    assert told["registered"]["value"] == 5_000_200 < told["value_now"]
    page = sue.opens("wins")
    rests = page.get_by_role("list", name=f"What {win} is based on")
    expect(rests).to_contain_text(f"Paid from entry {told['registered']['sequence']} at ")
    expect(rests).to_contain_text("SGD 50,002.00; the pool now shows SGD 50,0")
    expect(page.locator(".approvals")).to_contain_text("it is not paid from the current value of the pool.")


# Malfunctions, changes, claims


def test_a_malfunction_is_declared_and_cleared(sue: Person, floor: Floor) -> None:
    done(floor.stud.beat())
    done(floor.stud.bets([1, 2]))
    time.sleep(1.5)  # it is observed when the bets are in the journal
    sue.opens("malfunctions")
    expect(sue.page.locator("#page")).to_contain_text("There are no open malfunctions.")
    sue.button("Declare a malfunction").click()
    sue.dialog.get_by_label("What does not work").select_option(floor.stud.table)
    expect(sue.effect).to_contain_text("Say whether cards were seen")
    sue.dialog.get_by_role("radio", name=re.compile("^Yes")).check()
    expect(sue.effect).to_contain_text("continues (rule 5.18.1)")
    expect(sue.effect).to_contain_text("SGD 50,004.00, the amount registered before")
    sue.dialog.get_by_role("radio", name=re.compile("^No")).check()
    expect(sue.effect).to_contain_text("is voided (rule 5.17): bets of SGD 60.00 are returned")
    expect(sue.effect).to_contain_text("SGD 50,000.00")
    sue.confirms("Declare", Note="bet sensors dead")
    sue.is_told("Declared as")
    expect(sue.page.get_by_role("row").nth(1)).to_contain_text("bet sensors dead")
    assert done(floor.stud.beat())["progressive"] == "off"
    assert floor.meter()["value"] == 5_000_000
    sue.button(f"Clear Table {floor.stud.table}").click()
    sue.confirms("Back in play", Note="replaced")
    expect(sue.page.locator("#page")).to_contain_text("There are no open malfunctions.")
    assert done(floor.stud.beat())["progressive"] == "on"


def test_a_seed_is_proposed_and_confirmed(ana: Person, sue: Person, floor: Floor) -> None:
    ana.opens("changes")
    ana.button("Seed").click()
    ana.dialog.get_by_label("Seed").fill("six")
    ana.dialog.get_by_role("button", name="Propose").click()
    expect(ana.dialog.get_by_role("alert")).to_contain_text("must be an amount such as")
    ana.dialog.get_by_label("Seed").fill("60,000.00")
    seed = ana.effect.get_by_role("row", name=re.compile("Seed, from the next reset"))
    expect(seed).to_contain_text("60,000.00")
    expect(ana.effect.get_by_role("row", name=re.compile("Meter after that"))).to_contain_text("60,000.00")
    ana.confirms("Propose", Reason="new season")
    ana.is_told("Another person must confirm it.")
    sue.opens("changes")
    waiting = sue.page.locator(".proposals")
    expect(waiting).to_contain_text("Seed SGD 60,000.00, from the next reset")
    expect(waiting).to_contain_text("proposed by ana")
    sue.page.get_by_role("button", name=re.compile("^Confirm")).click()
    expect(sue.effect).to_contain_text("Takes effect at the next reset")
    sue.confirms("Confirm and carry out")
    sue.is_told("confirmed and carried out")
    link = next(
        one for one in done(floor.service.get("/v1/links", "sue"))["links"] if one["id"] == floor.link
    )
    assert link["scheduled"][0]["seed"] == 6_000_000
    expect(ana.page.locator("#page")).to_contain_text("From the next reset")


def test_who_proposed_is_not_asked_to_confirm(sue: Person, floor: Floor) -> None:
    sue.opens("changes")
    sue.button("Adjust the meter").click()
    sue.dialog.get_by_label("Amount").fill("-5.00")
    expect(sue.effect.get_by_role("row", name=re.compile("^Meter"))).to_contain_text("49,995.00")
    sue.confirms("Propose", Reason="a bet counted twice")
    expect(sue.page.locator(".proposals")).to_contain_text("Another person must confirm it.")
    expect(sue.page.get_by_role("button", name=re.compile("^Confirm"))).to_have_count(0)
    sue.page.get_by_role("button", name=re.compile("^Withdraw")).click()
    sue.confirms("Withdraw")
    expect(sue.page.locator("#page")).to_contain_text("No proposals are waiting.")
    assert floor.meter()["value"] == 5_000_000


def test_a_refusal_is_told_before_and_after(sue: Person) -> None:
    sue.opens("changes")
    sue.button("Retire the link").click()
    expect(sue.effect).to_contain_text("Only a closed link is retired")
    sue.dialog.get_by_label("Reason").fill("end of the game")
    sue.dialog.get_by_role("button", name="Propose").click()
    expect(sue.dialog.get_by_role("alert")).to_contain_text("Only a closed link is retired")


def test_a_late_claim_is_decided_by_two(ana: Person, sue: Person, floor: Floor) -> None:
    claim = late_claim(floor)
    told = done(floor.get("claims"))["claims"][0]["outcomes"]
    ana.opens("claims")
    expect(ana.page.locator(".outcome")).to_have_count(2)
    ana.button(f"Propose a decision on {claim}").click()
    ana.dialog.get_by_role("radio", name=re.compile("^Registered")).check()
    expect(ana.effect).to_contain_text("The claim is paid SGD 5,000")
    ana.confirms("Propose", Reason="camera footage")
    sue.opens("changes")
    sue.page.get_by_role("button", name=re.compile("^Confirm")).click()
    sue.confirms("Confirm and carry out")
    expect(ana.page.get_by_role("region", name="Past claims")).to_contain_text("ana, sue")
    assert done(floor.get("claims"))["claims"][0]["amount"] == told["registered"]


def test_a_table_is_closed_and_opened(ana: Person, floor: Floor) -> None:
    done(floor.stud.beat())
    table = floor.stud.table
    ana.opens("floor")
    ana.button(f"Close table {table}").click()
    expect(ana.effect).to_contain_text("out of play at once")
    ana.confirms("Close the table", Reason="controller silent")
    ana.button(f"Open table {table}").click()
    ana.confirms("Open the table", Reason="replaced")
    expect(ana.button(f"Close table {table}")).to_be_visible()


# The floor, live


def test_the_floor_shows_why_the_queue_waits(sue: Person, floor: Floor) -> None:
    done(floor.stud2.beat())
    done(floor.stud2.bets([1]))
    royal(floor)
    done(floor.holdem.beat())
    page = sue.opens("floor")
    awaited = f"Waiting for round 1 at {floor.stud2.table}, open since "
    expect(page.locator(".queue")).to_contain_text(awaited)
    expect(page.locator(".queue")).to_contain_text("0 of 2 approvals")
    row = page.get_by_role("row", name=re.compile(floor.stud2.table))
    expect(row).to_contain_text("open since")
    expect(row).to_contain_text(re.compile(r"[\d.]+ (µs|ms|s) ± [\d.]+ (µs|ms|s)"))
    expect(page.get_by_role("row", name=re.compile(floor.holdem.table))).to_contain_text("no echo")
    sue.opens("wins")
    expect(page.locator("#page")).to_contain_text("1 open round may contain an earlier hand")
    expect(page.locator(".timeline .open-round")).to_contain_text(f"{floor.stud2.table}, round 1")
    expect(page.locator(".win .reasons")).to_contain_text(awaited)


def test_a_deal_that_cannot_have_been_then_is_told_on_the_floor(sue: Person, floor: Floor) -> None:
    """Stamped before the bets of its round were answered."""
    done(floor.stud.beat())
    done(floor.stud.beat())
    early = now()
    time.sleep(0.3)
    done(floor.stud.bets([1]))
    done(floor.stud.hands({1: {"cards": STRAIGHT_FLUSH.split(), "dealt_at": early}}))
    page = sue.opens("floor")
    row = page.get_by_role("row", name=re.compile(floor.stud.table))
    expect(row).to_contain_text("reported an impossible deal time")
    page = sue.opens("wins")
    expect(page.locator(".timeline")).to_contain_text("no usable stamp")


def test_hands_that_are_hardly_likely_are_told_on_the_floor_with_their_chance(
    sue: Person, floor: Floor
) -> None:
    for _ in range(3):
        done(floor.stud.bets([1]))
        done(floor.stud.hands({1: QUADS}, final=True))
    until(lambda: "hands_implausible" in floor.get("tables").text)
    row = sue.opens("floor").get_by_role("row", name=re.compile(floor.stud.table))
    expect(row).to_contain_text("reported very unlikely hands")
    expect(row).to_contain_text(re.compile(r"3 times .* or better in the last (hour|day): 1 in [\d,]{10,}"))


def test_a_bet_reaches_the_console_by_itself(sue: Person, floor: Floor) -> None:
    sue.opens("floor")
    expect(sue.page.locator("#live")).to_have_text("Live")
    done(floor.stud.beat())
    done(floor.stud.bets([1, 2, 3]))
    expect(sue.page.locator("#meter output")).to_have_text("50,006.00")
    expect(sue.page.get_by_role("row", name=re.compile(floor.stud.table))).to_contain_text("open since")


# Records


def test_the_journal_is_searched(ada: Person, floor: Floor) -> None:
    win = royal(floor)
    page = ada.opens("journal")
    entries = page.get_by_role("region", name="Entries of the journal")
    expect(entries).to_contain_text("BetsClosed")
    page.get_by_label("Kind").select_option("WinRegistered")
    expect(entries).not_to_contain_text("BetsClosed")
    page.get_by_label("Kind").select_option("")
    page.get_by_label("Text").fill(win.upper())
    expect(entries.get_by_role("row")).to_have_count(4)  # the head, and its hands, registration and order
    page.get_by_label("Text").fill("nobody says this")
    expect(page.locator("#page")).to_contain_text("No entry matches.")


def test_figures_are_drawn_and_fetched_as_csv(ada: Person, floor: Floor) -> None:
    play(floor, 2)
    win = floor.stud.wins(STRAIGHT_FLUSH)
    done(floor.approve(win, "ana"))
    page = ada.opens("figures")
    expect(page.locator(".chart .paid")).to_have_count(1)
    contributions = page.get_by_role("region", name="Contributions by table")
    expect(contributions.get_by_role("row", name=re.compile(floor.stud2.table))).to_contain_text("12.00")
    with page.expect_download() as fetched:
        ada.button("Download report as CSV").click()
    text = fetched.value.path().read_text()
    assert text.startswith("section,name,figure,value")
    assert win in text


def test_what_was_on_a_sign_is_answered(ada: Person, floor: Floor) -> None:
    reading = floor.meter()
    receipt = {
        "sign": "sign-1",
        "sequence": reading["sequence"],
        "value": 4_711,
        "shown_at": reading["as_of"],
    }
    done(floor.post("receipts", "sign-1", receipt))
    until(lambda: bool(done(floor.get("receipts", params={"sign": "sign-1"}))["receipts"]), "no receipt")
    page = ada.opens("signs")
    page.get_by_role("textbox", name="Sign").fill("sign-1")
    ada.button("Show").click()
    expect(page.locator("#page")).to_contain_text("SGD 47.11")
    expect(page.locator("#page")).to_contain_text("differs from the meter")
    expect(page.locator("#page")).to_contain_text("the sign itself")


def test_a_sign_is_enrolled_with_a_code_from_the_console(
    ana: Person, browser: Browser, house: Served
) -> None:
    page = ana.opens("signs")
    ana.button("Create a code").click()
    ana.confirms("Create a code", Name_of_the_sign="lobby")
    code = page.locator(".code strong").inner_text()
    with context(browser, house.base) as made:
        sign = made.new_page()
        sign.goto("/enrol")
        sign.get_by_role("textbox").fill(code)
        sign.get_by_role("button").click()
        until(lambda: "jackpot_sign" in {one.get("name") for one in made.cookies()}, "not enrolled")


def test_the_audit_tells_what_was_refused(ada: Person, floor: Floor) -> None:
    assert floor.post("open", "ana", {"reason": "x"}).status_code == 409
    page = ada.opens("audit")
    acts = page.get_by_role("region", name="Actions", exact=True)
    expect(acts).to_contain_text("link already open")


# Strangers' words


def test_a_script_as_a_name_is_shown_as_text(browser: Browser, house: Served) -> None:
    floor = Floor(house, "hostile")
    royal(floor)
    done(floor.post("seed", STRANGER, {"seed": 6_000_000, "reason": HOSTILE}))
    with at_the_console(browser, house, "hostile", STRANGER) as person:
        stand_still(person.page, datetime.now(UTC))  # each page is read once
        for name in PAGES:
            page = person.opens(name)
            expect(page.locator(".who-name")).to_have_text(HOSTILE)
            expect(page.locator("#link")).to_contain_text(HOSTILE)
            assert page.title() != "taken"
            assert page.locator("main b:has-text('Gold')").count() == 0
        expect(person.opens("changes").locator(".proposals")).to_contain_text(HOSTILE)


# People who read otherwise


def test_no_page_keeps_anybody_out(browser: Browser, house: Served, floor: Floor) -> None:
    """Nothing of level A or AA that axe finds, on any page, with something on it."""
    play(floor)
    late_claim(floor)
    ambiguous(floor)
    done(floor.post("seed", "ana", {"seed": 6_000_000, "reason": "new season"}))
    with at_the_console(browser, house, floor.link, "sue") as sue:
        stand_still(sue.page, datetime.now(UTC))
        for name in PAGES:
            anew = partial(sue.opens, name) if name in DRAWN_TO_SIZE else None
            keeps_nobody_out(sue.opens(name), name, drawn_to_size=anew)
        _open_each_dialog(sue)
        sue.page.goto("/console/login")
        keeps_nobody_out(sue.page, "login")


def _open_each_dialog(sue: Person) -> None:
    dialogs = {
        "wins": ("order", "approve", "proof"),
        "changes": ("seed", "parameters", "confirm"),
        "malfunctions": ("declare",),
    }
    for name, acts in dialogs.items():
        for act in acts:
            sue.opens(name).locator(f"[data-act={act}]").first.click()
            expect(sue.dialog).to_be_visible()
            if act != "proof":
                expect(sue.effect.locator("h3")).to_be_visible()
            keeps_nobody_out(sue.page, act, "dialog")


def test_axe_would_find_something(browser: Browser, house: Served) -> None:
    """Of a page that keeps people out it says so: the test above can fail."""
    with context(browser, house.base) as made:
        page = made.new_page()
        page.goto("/console/login")
        page.evaluate("document.querySelector('label').remove()")
        assert any(one.startswith("label") for one in violations(page))
