"""Slips and hand-overs at the console: a real browser on a real service."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import keeps_nobody_out
from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done
from tests.console import Person, at_the_console
from tests.service import Served

PRINTS = "window.print = () => { window.printed = document.querySelector('.slip').innerText }"
MILLIMETRES = 72 / 25.4


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
def tom(browser: Browser, house: Served, floor: Floor) -> Iterator[Person]:
    """Another one."""
    with at_the_console(browser, house, floor.link, "tom") as person:
        yield person


def paid(floor: Floor, cards: str = STRAIGHT_FLUSH) -> str:
    win = floor.stud.wins(cards)
    for person in ("ana", "ben") if cards == ROYAL else ("ana",):
        done(floor.approve(win, person))
    return win


def printed(page: Page) -> str:
    page.wait_for_function("window.printed")
    return str(page.evaluate("window.printed"))


def test_what_is_paid_waits_under_payouts_and_is_handed_over_there(floor: Floor, sue: Person) -> None:
    win = paid(floor)
    page = sue.opens("payouts")
    expect(page.locator("[data-count=payouts]")).to_contain_text("1")
    item = page.locator(f"[data-key='{win}']").first
    expect(item).to_contain_text("Slip 1: Straight flush")
    page.get_by_role("button", name="Hand over slip 1").click()
    sue.dialog.get_by_label("Reference of the identity check").fill("IDC-2026-0001")
    expect(sue.effect).to_contain_text("handed over by sue, cash, to reference IDC-2026-0001")
    sue.dialog.get_by_label("How").select_option("cheque")
    sue.confirms("Hand over", Note="cheque 100871")
    sue.is_told("Slip 1 is handed over.")
    row = page.get_by_role("region", name="Handed over").get_by_role("row", name="Slip 1")
    expect(row).to_contain_text("IDC-2026-0001")
    expect(row).to_contain_text("cheque 100871")
    expect(page.get_by_text("Everything that was paid has been handed over.")).to_be_visible()
    expect(page.locator("[data-count=payouts]")).to_be_hidden()


def test_a_name_is_no_reference(floor: Floor, sue: Person) -> None:
    paid(floor)
    page = sue.opens("payouts")
    page.get_by_role("button", name="Hand over slip 1").click()
    sue.dialog.get_by_label("Reference of the identity check").fill("Tan Ah Kow")
    sue.dialog.get_by_role("button", name="Hand over", exact=True).click()
    expect(sue.dialog.get_by_role("alert")).not_to_be_empty()
    expect(sue.dialog.get_by_label("Reference of the identity check")).to_have_attribute(
        "aria-invalid", "true"
    )
    assert floor.waiting(floor.get("handovers").json()["handovers"][0]["win"])["handover"] == "due"


def test_a_slip_is_a_preview_then_the_original_then_a_copy(floor: Floor, sue: Person) -> None:
    win = paid(floor)
    page = sue.opens("payouts", win=win)
    slip = page.locator(".slip")
    expect(slip).to_contain_text("Preview: not for payment")
    for part in (win, "Straight flush", "round 1, box 1", "ana", "Tax withheld, SGD", "Received by"):
        expect(slip).to_contain_text(part)
    expect(slip).to_contain_text(re.compile(r"Singapore dollars( and .* cents)? only"))
    for button, mark in (("Print the original", "Original"), ("Print copy 2", "Copy 2")):
        page.evaluate(f"window.printed = null; {PRINTS}")
        sue.button(button).click()
        sue.confirms("Print")
        assert mark.upper() in printed(page).upper()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(slip).to_contain_text("Preview: not for payment")


@pytest.mark.parametrize(("paper", "wide", "high"), [("A4", 210, 297), ("A5", 148, 210)])
def test_a_slip_fits_on_one_page(floor: Floor, sue: Person, paper: str, wide: int, high: int) -> None:
    page = sue.opens("payouts", win=paid(floor, ROYAL))
    page.locator("#paper").select_option(paper)
    expect(page.locator(f".slip[data-paper={paper}]")).to_be_visible()
    pdf = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert len(re.findall(rb"/Type /Page\b", pdf)) == 1
    sizes = {(round(float(x) / MILLIMETRES), round(float(y) / MILLIMETRES)) for x, y in boxes}
    assert sizes == {(wide, high)}


def test_two_people_hand_over_a_royal(floor: Floor, sue: Person, tom: Person) -> None:
    win = paid(floor, ROYAL)
    page = sue.opens("payouts")
    page.get_by_role("button", name="Hand over slip 1").click()
    sue.confirms("Propose", Reference_of_the_identity_check="IDC-2026-0002")
    expect(page.get_by_text("is waiting for a second person")).to_be_visible()
    changes = tom.opens("changes")
    expect(changes.get_by_role("heading", name=f"Hand over {win} to reference IDC-2026-0002")).to_be_visible()
    changes.get_by_role("button", name=re.compile("^Confirm ")).click()
    tom.confirms("Confirm and carry out")
    expect(page.get_by_text("Everything that was paid has been handed over.")).to_be_visible()


def test_an_auditor_sees_slips_and_can_do_nothing_about_them(
    floor: Floor, browser: Browser, house: Served
) -> None:
    win = paid(floor)
    with at_the_console(browser, house, floor.link, "ada") as ada:
        expect(ada.opens("payouts").get_by_role("button", name="Hand over slip 1")).to_have_count(0)
        expect(ada.opens("payouts", win=win).locator(".slip")).to_be_visible()
        expect(ada.button("Print the original")).to_have_count(0)


def test_payouts_and_a_slip_keep_nobody_out(floor: Floor, sue: Person) -> None:
    win = paid(floor)
    keeps_nobody_out(sue.opens("payouts"), "payouts")
    keeps_nobody_out(sue.opens("payouts", win=win), "a slip")
