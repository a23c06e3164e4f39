"""A jackpot in won and one in dinars, from the first bet to the reset, to the unit: by HTTP, on the sign, on
a table's display, in the console."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from jackpot.core.money import LARGEST_AMOUNT, figures
from tests.browser import context
from tests.callers import QUADS, ROYAL, STRAIGHT_FLUSH, Controller, Floor, done, now
from tests.console import at_the_console
from tests.currencies import LINKS, METER_PPM, PIT, Played, floor_without_cents
from tests.service import Served, in_thread

SIGN = "main.sign .face:not([data-off-screen]) > .stage [data-part=amount]"
CURRENCIES = {"JPY": 0, "KRW": 0, "VND": 0, "SGD": 2, "EUR": 2, "BHD": 3, "KWD": 3}
EVERY = pytest.mark.parametrize("link", LINKS)
MILLION = 1_000_000


@pytest.fixture
def served(sqlite_url: str, tmp_path: Path) -> Iterator[Served]:
    with in_thread(sqlite_url, floor_without_cents(), tmp_path) as service:
        yield service


def bets(table: Controller, played: Played, *boxes: int) -> None:
    said = [{"box": box, "ante": played.ante, "progressive": played.bet} for box in boxes]
    assert done(table.bets(said))["returned"] == []


def hands(table: Controller, *boxes: int) -> None:
    done(table.hands(dict.fromkeys(boxes), final=True))


def shown(floor: Floor) -> str:
    """As the reading and the line for LED signs agree."""
    text = floor.get("meter.txt", None).text
    assert text == f"{floor.meter()['display']}\n"
    return text.rstrip()


def straight_flush(floor: Floor, played: Played) -> None:
    bets(floor.stud2, played, 1)
    told = done(floor.stud2.hands({1: STRAIGHT_FLUSH}))["results"][0]
    assert shown(floor) == played.frozen
    bets(floor.holdem, played, 1, 2)
    hands(floor.holdem, 1, 2)
    assert (floor.meter()["state"], shown(floor)) == ("held", played.frozen)
    done(floor.approve(told["win"], "ana"))
    assert floor.waiting(told["win"])["amount"] == played.tenth
    assert shown(floor) == played.after_tenth


def royal(floor: Floor, played: Played) -> str:
    """With the main game: its BET wins no more than the table says (4.1.1)."""
    bets(floor.stud, played, 1)
    played_on = {"cards": ROYAL.split(), "dealt_at": now(), "decision": "bet", "bet": 2 * played.ante}
    dealer = {"cards": ["Ac", "Kd", "8s", "4s", "3c"]}
    told = done(floor.stud.hands({1: played_on}, final=True, dealer=dealer))
    won = {line["wager"]: line["won"] for line in told["settlement"]}
    assert won == {"ante": played.ante, "bet": played.won}
    bets(floor.stud2, played, 1)
    hands(floor.stud2, 1)
    return str(told["results"][0]["win"])


def whole_jackpot(floor: Floor, played: Played) -> None:
    assert shown(floor) == played.opening
    for table in floor.tables:
        done(table.beat())
    bets(floor.stud, played, 1, 2, 3, 4)
    told = done(floor.stud.hands({1: None, 2: QUADS, 3: None, 4: None}, final=True))
    assert [one["award"] for one in told["results"] if one["award"]] == [played.quads]
    assert shown(floor) == played.after_bets
    straight_flush(floor, played)
    win = royal(floor, played)
    assert floor.waiting(win)["amount"] == played.royal
    for person in ("ana", "sue"):
        done(floor.approve(win, person))
    assert floor.waiting(win)["amount"] == played.royal
    assert shown(floor) == played.reset


@EVERY
def test_a_whole_jackpot_is_played_and_paid_to_the_unit(served: Served, link: str) -> None:
    floor, played = Floor(served, link), LINKS[link]
    whole_jackpot(floor, played)
    (of_link,) = [one for one in done(served.get("/v1/links", "ada"))["links"] if one["id"] == link]
    assert of_link["accounts"]["meter"] == played.meter_units
    assert of_link["accounts"]["prizes"] == (played.tenth + played.royal + played.quads) * MILLION
    assert sum(of_link["accounts"].values()) == 0
    report = done(floor.get("report", "ada"))
    assert report["currency"] == played.currency
    assert [one["amount"] for one in report["wins"]] == [played.tenth, played.royal]
    assert sum(one["wagered"] for one in report["contributions"]) == 9 * played.bet
    assert sum(one["pool_units"] for one in report["contributions"]) == 9 * played.bet * METER_PPM
    assert report["meter"]["closing_units"] == played.meter_units
    table = list(csv.reader(floor.get("report", "ada", headers={"Accept": "text/csv"}).text.splitlines()))
    assert ["report", link, "currency", played.currency] in table
    assert [one[3] for one in table if one[0] == "win" and one[2] == "amount"] == [
        str(played.tenth),
        str(played.royal),
    ]
    verified = served.verify()
    assert verified.returncode == 0, verified.stderr
    dry = served.jackpot("dryrun", "--link", link, "--seed", str(2 * played.seed))
    assert dry.returncode == 0, dry.stderr
    assert f"Figures, {played.currency}" in dry.stdout
    assert f"seed {told(2 * played.seed, played).split()[1]}" in dry.stdout


# On screens

DRUMS = """(drums) => [...drums.children].map((one) =>
    one.matches(".drum") ? "0" : one.matches(".point") ? "." : ",").join("")"""


def drums(page: Page, where: str = SIGN) -> str:
    """Every digit as a nought, with the marks between them."""
    return str(page.locator(where).evaluate(DRUMS))


@EVERY
def test_signs_and_table_displays_have_as_many_drums_as_the_currency_has_decimals(
    served: Served, browser: Browser, link: str
) -> None:
    floor, played = Floor(served, link), LINKS[link]
    with context(browser, served.base, reduced_motion="reduce") as somebody:
        sign, table = somebody.new_page(), somebody.new_page()
        sign.goto(f"/signs/{link}")
        table.goto(f"/signs/tables/{link}-stud-01")
        whole_jackpot(floor, played)
        for page, where in ((sign, SIGN), (table, "[data-part=amount]")):
            text = played.reset.split()[1]
            drawn = page.locator(where)
            expect(drawn).to_have_attribute("data-shown", re.sub(r"\D", "", text))
            expect(drawn).to_have_attribute("aria-label", played.reset)
            assert drums(page, where) == re.sub(r"\d", "0", text)
        expect(table.locator("[data-part=bet]")).to_have_text(told(played.bet, played))
        expect(table.locator("[data-part=pays]")).to_contain_text(told(400 * played.bet, played))
        least, most = (told(one, played) for one in (played.ante // 40, played.ante))
        if played.currency == "KWD":  # one of them is no whole number of dinars
            assert (least, most) == ("KWD 0.500", "KWD 20.000")
        expect(table.locator("[data-part=limits]")).to_have_text(f"{least} to {most.split()[1]}")


def told(amount: int, played: Played) -> str:
    if played.currency == "KRW":
        return f"KRW {amount:,}"
    return f"KWD {amount // 1000:,}.{amount % 1000:03}"


@EVERY
def test_the_console_tells_and_takes_amounts_as_the_currency_has_them(
    served: Served, browser: Browser, link: str
) -> None:
    floor, played = Floor(served, link), LINKS[link]
    whole_jackpot(floor, played)
    example, wrong, right, seed = {
        "KRW": ("50,000", "60,000,000.0", "60,000,000", 60_000_000),
        "KWD": ("50,000.000", "60,000.0005", "60,000.5", 60_000_500),
    }[played.currency]
    with at_the_console(browser, served, link, "sue") as sue:
        page = sue.opens("floor")
        most = f"a box wins at most {told(played.most_won, played)}"
        expect(page.get_by_role("row").filter(has_text=f"{link}-stud-01")).to_contain_text(most)
        page = sue.opens("figures")
        expect(page.locator("#meter")).to_have_text(re.compile(re.escape(played.reset.split()[1])))
        expect(page.locator("#page")).to_contain_text(told(played.royal, played))
        expect(page.locator("#page")).to_contain_text(told(played.tenth, played))
        page = sue.opens("changes")
        sue.button("Seed").click()
        sue.dialog.get_by_label("Seed").fill(wrong)
        sue.dialog.get_by_label("Reason").fill("season")
        sue.dialog.get_by_role("button", name="Propose", exact=True).click()
        expect(sue.dialog.get_by_role("alert")).to_contain_text(f"an amount such as {example}.")
        sue.dialog.get_by_label("Seed").fill(right)
        expect(sue.effect).to_contain_text(told(seed, played))
        sue.confirms("Propose")
    (proposal,) = done(served.get("/v1/proposals", "ada"))["proposals"]
    assert proposal["change"]["changes"]["seed"] == seed


EXACT = """async (several) => {
    const { figures, parsed, minorOf } = await import("/static/currency.js");
    return several.map(([minor, currency]) => {
        const text = figures(minor, currency);
        return [text, parsed(text, currency), parsed(`${text}${text.includes(".") ? "0" : ".0"}`, currency),
            String(minorOf(BigInt(minor) * 1000000n - 1n))];
    });
}"""


def test_a_browser_writes_and_reads_every_amount_as_the_service_does(
    served: Served, browser: Browser
) -> None:
    chance = Random(7)
    amounts = [0, 1, 9, 10, 99, 100, 999, 1000, 1001, LARGEST_AMOUNT - 1, LARGEST_AMOUNT]
    amounts += [chance.randrange(10 ** chance.randrange(1, 13)) for _ in range(300)]
    several = [(sign * one, currency) for one in amounts for sign in (1, -1) for currency in CURRENCIES]
    with context(browser, served.base) as somebody:
        page = somebody.new_page()
        page.goto("/signs/won")
        found = page.evaluate(EXACT, several)
    for (amount, currency), (text, again, finer, less) in zip(several, found, strict=True):
        assert text == figures(amount, currency)
        assert again == amount
        assert finer is None
        assert int(less) == amount - 1
        assert (len(text.partition(".")[2]), "." in text) == (CURRENCIES[currency], CURRENCIES[currency] > 0)


# A pit

ROUND = [
    {"box": 1, "bet": 25_001},
    {"box": 2, "bet": 25_000, "player_pair": 5_001},
    {"box": 3, "bet": 30_001, "player_pair": 501},
]
PLAYED_ROUND = {
    "hands": [
        {"box": 1, "cards": ["Ah", "Kd"]},
        {"box": 2, "cards": ["8h", "8c"]},
        {"box": 3, "cards": ["Ts", "5d", "Kc"]},
    ],
    "dealer": {"cards": ["6d", "Tc", "9h"]},
    "final": True,
}
PAID = [
    (1, "bet", "win", "3 to 2", 37_502),
    (2, "player_pair", "win", "11 to 1", 55_011),
    (2, "bet", "win", "1 to 1", 25_000),
    (3, "player_pair", "lose", None, 0),
    (3, "bet", "lose", None, 0),
]
"""One and a half times 25,001 won is 37,501.5: the half goes to the player."""


def test_a_natural_in_won_is_paid_3_to_2_and_side_bets_by_their_odds_to_the_unit(
    served: Served, browser: Browser
) -> None:
    path, moment = "/v1/tables/bj-01/rounds/1", now()
    stamps = {"sent_at": moment, "closed_at": moment}
    done(served.call("PUT", f"{path}/bets", "bj-01", json=stamps | {"boxes": ROUND}))
    answer = done(served.call("PUT", f"{path}/hands", "bj-01", json={"sent_at": now()} | PLAYED_ROUND))
    paid = [
        (one["box"], one["wager"], one["outcome"], one["pays"], one["won"]) for one in answer["settlement"]
    ]
    assert sorted(paid, key=lambda one: (one[0], one[1] == "bet")) == PAID
    report = done(served.get(f"/v1/pits/{PIT}/report", "ada"))
    assert report["currency"] == "KRW"
    kept = 30_001 + 501 - 37_502 - 55_011 - 25_000
    assert report["total"]["house"] == kept
    with at_the_console(browser, served, PIT, "ada") as ada:
        page = ada.opens("rounds", table="bj-01", round=1)
        expect(page.locator("#page")).to_contain_text("KRW 62,503")  # the stake and 37,502
        page = ada.opens("figures")
        expect(page.locator("#page")).to_contain_text(f"\N{MINUS SIGN}{-kept:,}")
        expect(page.locator("#page")).to_contain_text("Amounts are in KRW.")
        page.goto("/signs/tables/bj-01")
        expect(page.locator("[data-part=limits]")).to_have_text("KRW 2,500 to 500,000")
        expect(page.locator("[data-part=sides]")).to_contain_text("KRW 500 to 50,000")
    verified = served.verify()
    assert verified.returncode == 0, verified.stderr
