"""Rounds as evidence, and irregularities, at the console: a real browser on a real service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from jackpot.games import GAMES
from jackpot.games.rulebook import Game
from tests.browser import context, keeps_nobody_out, stand_still
from tests.callers import STRAIGHT_FLUSH, Controller, Floor, done
from tests.console import Person, at_the_console
from tests.service import PASSWORD, Json, Served

FULL_HOUSE = "Kc Kh Kd Js Jh"
FLUSH = "9d 8d 6d 4d 2d"
PAIR = "Ah As 9c 7h 3d"
DEALER = "Ac Ks Qd Tc 2h"


@pytest.fixture
def floor(house: Served) -> Floor:
    """A link of its own for each test."""
    return Floor(house, house.next_link())


@pytest.fixture
def sue(browser: Browser, house: Served, floor: Floor) -> Iterator[Person]:
    """A supervisor."""
    with at_the_console(browser, house, floor.link, "sue") as person:
        yield person


def bets_of(table: Controller) -> None:
    """Two boxes that play, and one whose progressive bet has no Ante."""
    done(table.beat())
    done(table.bets([1, 2, {"box": 3, "progressive": 500}]))


def hands_of(table: Controller, first: str = FULL_HOUSE, **more: Any) -> Json:
    hands: dict[int, Json] = {
        1: {"cards": first.split(), "decision": "bet"},
        2: {"cards": FLUSH.split(), "folded": True},
    }
    return done(table.hands(hands, dealer={"cards": DEALER.split()}, **more))


def evidence_of(floor: Floor, round: int = 1) -> Json:
    return done(floor.service.get(f"/v1/tables/{floor.stud.table}/rounds/{round}", "ada"))


def row_of(found: Locator, *texts: str) -> Locator:
    rows = found.get_by_role("row")
    for text in texts:
        rows = rows.filter(has_text=text)
    return rows


# A round, read


def test_a_round_is_read_as_one_document(sue: Person, floor: Floor) -> None:
    bets_of(floor.stud)
    hands_of(floor.stud, PAIR)
    hands_of(floor.stud, final=True)
    page = sue.opens("rounds", table=floor.stud.table, round=1)
    told = page.get_by_role("article", name=f"Round 1 at {floor.stud.table}")
    first = told.locator(".box").first
    expect(first.get_by_role("img", name="king of clubs, king of hearts, king of diamonds")).to_be_visible()
    expect(first).to_contain_text("Full house")
    wagers = told.locator(".wagers")
    expect(row_of(wagers, "Box 1", "BET")).to_contain_text("SGD 50.00win7 to 1SGD 400.003.14.1")
    expect(row_of(wagers, "Box 1", "Progressive")).to_contain_text("80 for 1SGD 400.004.2")
    expect(row_of(wagers, "Box 2", "Ante")).to_contain_text("lose—SGD 0.003.12.1")
    expect(row_of(wagers, "Box 3")).to_contain_text("returned—SGD 5.005.4")
    expect(told.locator(".decisions")).to_contain_text("Box 3: SGD 5.00, no ante (5.4).")
    reports = told.locator(".report")
    expect(reports.nth(0)).to_contain_text("replaced by entry")
    expect(reports.nth(1)).to_contain_text("Correction")
    changed = reports.nth(1).get_by_role("region", name=re.compile("^What entry .* changed"))
    expect(row_of(changed, "Bet")).to_contain_text("SGD 100.00SGD 400.00SGD 300.00")
    expect(told.locator(".story")).to_contain_text("are corrected.")
    hashes = told.locator(".chain code").all_inner_texts()
    assert hashes == [one[name] for one in evidence_of(floor)["entries"] for name in ("before", "hash")]


def test_a_win_is_told_with_its_approvals_and_payment(sue: Person, floor: Floor) -> None:
    win = floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    page = sue.opens("rounds", table=floor.stud.table, round=1)
    majors = page.locator(".majors")
    expect(majors).to_contain_text(win)
    expect(majors).to_contain_text("ana: seen on camera")
    expect(majors).to_contain_text("SGD 5,000.20: 10 % of SGD 50,002.00; the meter then showed SGD 45,001.80")


def test_a_round_is_reached_from_floor_wins_journal_and_by_its_number(sue: Person, floor: Floor) -> None:
    floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    head = sue.page.get_by_role("heading", name=f"Round 1 at {floor.stud.table}")
    links = {"floor": "1", "wins": f"round 1 at {floor.stud.table}", "journal": "round 1"}
    for name, text in links.items():
        sue.opens(name).get_by_role("link", name=text, exact=True).first.click()
        expect(head).to_be_visible()
    page = sue.opens("rounds")
    expect(page.locator("#page")).to_contain_text("Choose a table")
    page.get_by_label("Table", exact=True).select_option(floor.stud.table)
    page.get_by_label("Round", exact=True).fill("7")
    sue.button("Show").click()
    expect(page.get_by_role("alert")).to_contain_text("had no round 7")
    page.get_by_label("Round", exact=True).fill("1")
    sue.button("Show").click()
    expect(head).to_be_visible()
    page.go_back()
    expect(page.get_by_role("alert")).to_contain_text("had no round 7")


def test_who_is_sent_a_round_reads_it_after_the_login(browser: Browser, house: Served, floor: Floor) -> None:
    bets_of(floor.holdem)
    with context(browser, house.base) as made:
        page = made.new_page()
        page.goto(f"/console/rounds?table={floor.holdem.table}&round=1")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("heading", name=f"Round 1 at {floor.holdem.table}")).to_be_visible()
        expect(page.locator("#link")).to_have_value(floor.link)
        expect(page.locator("[data-act=irregular]")).to_have_count(0)


def test_a_round_on_paper_is_black_on_white_with_the_hashes_at_its_foot(sue: Person, floor: Floor) -> None:
    bets_of(floor.stud)
    hands_of(floor.stud, final=True)
    page = sue.opens("rounds", table=floor.stud.table, round=1)
    page.emulate_media(media="print", color_scheme="dark")
    for hidden in (".bar", ".pages", "#search", ".tools"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator(".printed")).to_contain_text("Printed by sue")
    expect(page.locator(".evidence > *").last).to_contain_text(evidence_of(floor)["entries"][-1]["hash"])
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    for part in (".box h3", ".card.red", ".soft", ".chip"):
        ink = page.locator(f".evidence {part}").first.evaluate("one => getComputedStyle(one).color")
        assert ink == "rgb(0, 0, 0)", part
    assert page.pdf().startswith(b"%PDF")


# Irregularities


def test_the_form_offers_each_paragraph_of_the_tables_own_game(sue: Person, floor: Floor) -> None:
    for table, game in ((floor.stud, Game.CASINO_STUD), (floor.holdem, Game.TEXAS_HOLDEM)):
        bets_of(table)
        sue.opens("floor")
        sue.button(f"Irregularity at table {table.table}").click()
        options = sue.dialog.get_by_label("What happened").locator("option:not([value=''])")
        expect(options).to_have_count(len(GAMES[game].irregularities))
        offered = options.evaluate_all("all => all.map(one => one.value)")
        assert sorted(offered) == sorted(GAMES[game].irregularities)


def test_a_dealing_error_is_declared_from_the_floor(sue: Person, floor: Floor) -> None:
    bets_of(floor.stud)
    hands_of(floor.stud)
    sue.opens("floor")
    sue.button(f"Irregularity at table {floor.stud.table}").click()
    what = sue.dialog.get_by_label("What happened")
    expect(sue.effect).to_contain_text("Choose what happened.")
    what.select_option("5.8.2")
    sue.dialog.get_by_role("radio", name="Yes").check()
    expect(sue.effect).to_contain_text("paragraph 5.12 applies")
    what.select_option("5.10")
    sue.dialog.get_by_role("button", name="Declare").click()
    expect(sue.dialog.get_by_role("alert")).to_contain_text("Choose at least one.")
    sue.dialog.get_by_role("checkbox", name="Box 1").check()
    sue.dialog.get_by_role("radio", name="No", exact=True).check()
    expect(sue.effect).to_contain_text("Answer the questions")
    sue.dialog.get_by_role("radio", name=re.compile("^To have the bets returned")).check()
    expect(sue.effect).to_contain_text("Box 1 (5.10.3)")
    expect(sue.effect).to_contain_text("SGD 50,002.00")
    before = floor.mark()
    sue.confirms("Declare", Note="a card fell off the table")
    sue.is_told("Declared as")
    assert floor.mark() != before
    assert floor.meter()["value"] == 5_000_200
    page = sue.opens("rounds", table=floor.stud.table, round=1)
    told = page.locator(".decisions")
    expect(told).to_contain_text("Irregularity under paragraph 5.10")
    expect(told).to_contain_text("box 1: return")
    expect(told).to_contain_text("a card fell off the table")
    expect(page.locator(".box").first).to_contain_text("invalidated by 5.10.3")


def test_a_round_is_voided_from_its_own_page(sue: Person, floor: Floor) -> None:
    bets_of(floor.stud)
    page = sue.opens("rounds", table=floor.stud.table, round=1)
    sue.button("Irregularity").click()
    sue.dialog.get_by_label("What happened").select_option("5.9")
    sue.dialog.get_by_role("radio", name="No", exact=True).check()
    sue.dialog.locator("[id='field-reconstructed-yes']").check()
    expect(sue.dialog.get_by_role("group", name="Box 2: what does the player choose?")).to_be_visible()
    sue.dialog.locator("[id='field-reconstructed-no']").check()
    expect(sue.dialog.get_by_role("group", name="Box 2: what does the player choose?")).to_have_count(0)
    expect(sue.effect).to_contain_text("The round is voided (5.9)")
    sue.confirms("Declare", Note="not burnt")
    expect(page.locator(".head")).to_contain_text("Voided under paragraph 5.9 by sue")
    expect(page.locator("[data-act=irregular]")).to_have_count(0)
    assert evidence_of(floor)["state"] == "voided"
    assert floor.meter()["value"] == 5_000_000


def test_what_the_rules_leave_open_needs_a_reason(sue: Person, floor: Floor) -> None:
    bets_of(floor.holdem)
    sue.opens("floor")
    sue.button(f"Irregularity at table {floor.holdem.table}").click()
    sue.dialog.get_by_label("What happened").select_option("5.23")
    sue.dialog.get_by_role("radio", name="The round continues").check()
    sue.dialog.get_by_role("button", name="Declare").click()
    expect(sue.dialog.get_by_role("alert")).to_contain_text("A note is required.")
    sue.dialog.get_by_label("Note").fill("the lights went out")
    expect(sue.effect).to_contain_text("The round continues (5.23)")
    sue.confirms("Declare")
    path = f"/v1/tables/{floor.holdem.table}/rounds/1"
    (told,) = done(floor.service.get(path, "ada"))["irregularities"]
    assert (told["person"], told["said"]["note"]) == ("sue", "the lights went out")


def test_only_a_supervisor_is_offered_it(browser: Browser, house: Served, floor: Floor) -> None:
    bets_of(floor.stud)
    for name in ("ana", "ada"):
        with at_the_console(browser, house, floor.link, name) as person:
            for page in (person.opens("floor"), person.opens("rounds", table=floor.stud.table, round=1)):
                expect(page.locator("#page table").first).to_be_visible()
                assert page.locator("[data-act=irregular]").count() == 0


# People who read otherwise


def test_neither_page_nor_form_keeps_anybody_out(sue: Person, floor: Floor) -> None:
    bets_of(floor.stud)
    hands_of(floor.stud, PAIR)
    hands_of(floor.stud, STRAIGHT_FLUSH)
    stand_still(sue.page, datetime.now(UTC))
    page = sue.opens("rounds", table=floor.stud.table, round=1)
    expect(page.locator(".majors")).to_contain_text("Straight flush")
    keeps_nobody_out(page, "a round")
    sue.button("Irregularity").click()
    sue.dialog.get_by_label("What happened").select_option("5.14")
    expect(sue.dialog.get_by_role("group", name=re.compile("^Box 2"))).to_be_visible()
    keeps_nobody_out(page, "an irregularity", "dialog")
