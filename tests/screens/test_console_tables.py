"""Tables changed from the floor page: forms with a preview, and what differs from the floor file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import context
from tests.callers import Floor, done
from tests.console import Person, at_the_console
from tests.service import PIT, Json, Served


@pytest.fixture
def floor(house: Served) -> Floor:
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


def told(floor: Floor, table: str) -> Json:
    tables: list[Json] = done(floor.get("tables"))["tables"]
    return next(one for one in tables if one["id"] == table)


def test_an_operator_changes_the_limits_of_a_table_with_a_preview(ana: Person, floor: Floor) -> None:
    table = floor.stud.table
    page = ana.opens("floor")
    ana.button(f"Change table {table}").click()
    ana.dialog.get_by_label("Maximum").fill("2,000")
    expect(ana.effect).to_contain_text("up to SGD 2,000.00 instead of none")
    assert told(floor, table)["maximum"] is None
    ana.confirms("Change the table", Minimum="25", Reason="Friday night")
    ana.is_told(f"Table {table} is changed.")
    row = page.get_by_role("row").filter(has_text=table).first
    expect(row).to_contain_text("SGD 25.00 to 2,000.00")
    assert (told(floor, table)["minimum"], told(floor, table)["maximum"]) == (2500, 200_000)
    listed = page.get_by_role("region", name="Changed since the floor file")
    expect(listed.get_by_role("row").filter(has_text="Maximum")).to_contain_text("none")
    expect(listed.get_by_role("row").filter(has_text="Maximum")).to_contain_text("SGD 2,000.00")


def test_a_crossing_of_limits_is_told_before_and_refused_when_it_is_tried(ana: Person, floor: Floor) -> None:
    ana.opens("floor")
    ana.button(f"Change table {floor.stud.table}").click()
    ana.dialog.get_by_label("Minimum").fill("50")
    ana.dialog.get_by_label("Maximum").fill("20")
    expect(ana.effect).to_contain_text("The minimum is not above the maximum")
    ana.dialog.get_by_label("Reason").fill("x")
    ana.dialog.get_by_role("button", name="Change the table", exact=True).click()
    expect(ana.dialog.get_by_role("alert")).to_contain_text("The minimum is not above the maximum")
    assert told(floor, floor.stud.table)["changed"] == 0


def test_what_another_has_changed_meanwhile_is_not_overwritten(ana: Person, floor: Floor) -> None:
    table = floor.stud.table
    ana.opens("floor")
    ana.button(f"Change table {table}").click()
    said = {"maximum": 90_000, "reason": "sooner"}
    done(floor.service.post(f"/v1/tables/{table}/limits", "sue", said))
    ana.dialog.get_by_label("Maximum").fill("500")
    ana.dialog.get_by_label("Reason").fill("x")
    ana.dialog.get_by_role("button", name="Change the table", exact=True).click()
    expect(ana.dialog.get_by_role("alert")).to_contain_text("have changed since")
    assert told(floor, table)["maximum"] == 90_000


def test_a_name_is_shown_on_the_floor_page_and_on_the_tables_display(
    browser: Browser, house: Served, ana: Person, floor: Floor
) -> None:
    table = floor.stud.table
    page = ana.opens("floor")
    ana.button(f"Change table {table}").click()
    ana.dialog.get_by_role("radio", name="Name").check()
    ana.dialog.get_by_role("textbox", name="Name").fill("Dragon room 1")
    expect(ana.effect).to_contain_text("its name is Dragon room 1")
    ana.confirms("Change the table", Reason="the new plan")
    expect(page.get_by_role("row").filter(has_text="Dragon room 1").first).to_contain_text(table)
    with context(browser, house.base) as made:
        display = made.new_page()
        display.goto(f"/signs/tables/{table}")
        expect(display.locator("[data-part=table]")).to_have_text("Dragon room 1")


def test_only_a_supervisor_sees_boxes_and_adding(ana: Person, sue: Person, floor: Floor) -> None:
    for person, there in ((ana, 0), (sue, 1)):
        person.opens("floor")
        expect(person.button("Add a table")).to_have_count(there)
        person.button(f"Change table {floor.stud.table}").click()
        expect(person.dialog.get_by_label("Number of boxes")).to_have_count(there)


def test_a_supervisor_adds_a_table_and_it_is_listed_as_not_in_the_file(sue: Person, floor: Floor) -> None:
    page = sue.opens("floor")
    sue.button("Add a table").click()
    sue.dialog.get_by_label("Id", exact=True).fill(f"{floor.link}-new")
    expect(sue.effect).to_contain_text(f"Table {floor.link}-new is added")
    sue.confirms("Add the table", Maximum="500", Reason="the feast")
    row = page.get_by_role("row").filter(has_text=f"{floor.link}-new").first
    expect(row).to_contain_text("not heard from yet")
    expect(row).to_contain_text("up to SGD 500.00")
    listed = page.get_by_role("region", name="Changed since the floor file")
    expect(listed.get_by_role("row").filter(has_text=f"{floor.link}-new")).to_contain_text("not in the file")


def test_side_bets_of_a_blackjack_table_have_fields_of_their_own(browser: Browser, house: Served) -> None:
    with at_the_console(browser, house, PIT, "sue") as person:
        person.opens("floor")
        person.button("Change table bj-01").click()
        person.dialog.get_by_label("Player Pair, maximum").fill("400")
        expect(person.effect).to_contain_text("SGD 5.00 to SGD 400.00 instead of SGD 5.00 to SGD 500.00")
        person.dialog.get_by_role("button", name="Cancel").click()


def test_two_people_change_the_approvals_of_a_level(browser: Browser, house: Served, sue: Person) -> None:
    page = sue.opens("changes")
    sue.button("Approvals").click()
    sue.dialog.get_by_label("People who approve a win of the whole jackpot").fill("3")
    expect(sue.effect).to_contain_text("the whole jackpot 3, a part of it 1")
    sue.confirms("Propose", Reason="the auditor asks for it")
    expect(page.locator("#page")).to_contain_text("3 approve a win of the whole jackpot, from the next reset")
    with at_the_console(browser, house, sue.link, "tom") as tom:
        tom.opens("changes")
        tom.page.get_by_role("button", name="Confirm ").click()
        tom.confirms("Confirm and carry out")
        expect(tom.page.locator("#page")).to_contain_text("3 approve a win of the whole jackpot")


def test_a_supervisor_moves_a_table_to_another_link(sue: Person, floor: Floor, house: Served) -> None:
    other = "high"
    page = sue.opens("floor")
    table = floor.stud.table
    sue.button(f"Change table {table}").click()
    sue.dialog.get_by_role("radio", name="Where it plays").check()
    sue.dialog.get_by_label("Move to").select_option(other)
    expect(sue.effect).to_contain_text(f"Table {table} leaves for {other}")
    expect(sue.effect).to_contain_text(f"Table {table} comes from {floor.link}")
    sue.confirms("Change the table", Reason="the big game")
    expect(page.get_by_role("row").filter(has_text=table)).to_have_count(0)
    there = done(house.get(f"/v1/links/{other}/tables", "ana"))["tables"]
    assert table in [one["id"] for one in there]
