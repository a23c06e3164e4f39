"""The console's page of what table controllers have counted."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.callers import NOTHING, Controller, Floor, done
from tests.console import at_the_console, tell_meters


def over(table: Controller) -> None:
    done(table.bets())
    done(table.hands({1: NOTHING}, final=True))


def test_a_difference_is_shown_with_both_sides_and_its_round_and_settled(
    browser: Browser, floor: Floor
) -> None:
    table = floor.stud
    over(table)
    tell_meters(floor, table)
    over(table)
    tell_meters(floor, table, bets=-500, awards=1250)
    with at_the_console(browser, floor.service, floor.link, "sue") as sue:
        page = sue.opens("reconciliation")
        item = page.locator("ul.claims li")
        expect(item).to_contain_text("It began in: Round 2")
        cells = item.locator("tbody tr").nth(1).locator("th, td")
        expect(cells).to_have_text(["Bets", "SGD 5.00", "SGD 10.00", "SGD \N{MINUS SIGN}5.00"])
        expect(item.locator("tbody tr").nth(3)).to_contain_text("SGD +12.50")
        listed = page.locator(f"tr[data-key='{table.table}']")
        expect(listed).to_contain_text("differs")
        expect(page.locator(f"tr[data-key='{floor.holdem.table}']")).to_contain_text("tells no meters")

        item.get_by_role("link", name="2").click()
        expect(page).to_have_url(
            f"{floor.service.base}/console/rounds?link={floor.link}&table={table.table}&round=2"
        )
        sue.opens("reconciliation")
        sue.button(f"Settle the difference at {table.table}").click()
        sue.dialog.get_by_role("button", name="Settle", exact=True).click()
        expect(sue.dialog).to_contain_text("A reason is required")
        sue.dialog.get_by_label("Reason").fill("the dealer told 5.00 less")
        expect(sue.effect).to_contain_text("The difference of the controller's meters is settled")
        sue.confirms("Settle")
        expect(page.locator("ul.claims")).to_have_count(0)
        expect(listed).to_contain_text("agrees")
        past = page.locator("section[data-key=settled] tbody tr")
        expect(past).to_contain_text("the dealer told 5.00 less")
        expect(past).to_contain_text("sue")


def test_rounds_that_nobody_has_told_are_named(browser: Browser, floor: Floor) -> None:
    table = floor.stud
    over(table)
    tell_meters(floor, table)
    for _ in range(3):
        over(table)
    meters = {"round": 4, "first": 4, "rounds": 1, "bets": 500, "returned": 0, "awards": 0}
    done(table.beat(meters=meters))
    with at_the_console(browser, floor.service, floor.link, "ana") as ana:
        page = ana.opens("reconciliation")
        item = page.locator("ul.claims li")
        expect(item).to_contain_text("Rounds 2 to 3 (2, 3)")
        expect(item).to_contain_text("Nobody has told what was counted in these rounds")
        expect(item.get_by_role("button")).to_have_count(0)
        page.goto(f"/console/floor?link={floor.link}")
        expect(page.locator(f"tr[data-key='{table.table}']")).to_contain_text(
            "counts otherwise than the House"
        )


def test_a_link_whose_controllers_all_agree_says_so(browser: Browser, floor: Floor) -> None:
    over(floor.stud)
    tell_meters(floor, floor.stud)
    with at_the_console(browser, floor.service, floor.link, "ada") as ada:
        page = ada.opens("reconciliation")
        expect(page.locator("#page")).to_contain_text("No controller has counted otherwise than the House.")
        expect(page.locator(f"tr[data-key='{floor.stud.table}']")).to_contain_text("agrees")
