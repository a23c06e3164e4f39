"""What players are told before they bet: terms, odds and return; and the code that leads there."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pydantic import ValidationError

from api.settings import Settings
from jackpot.cards.chances import five_cards
from jackpot.cards.evaluator import Hand
from jackpot.games.progressive import Prize
from jackpot.link.awards import Awards, levels_of
from jackpot.link.parameters import Parameters
from jackpot.maths.odds import Wager
from tests.callers import Floor, done, refused
from tests.console import play
from tests.service import FloorFile, Json, Served, full_floor, in_thread

ADDRESS = "https://jackpot.example.com/floor"
FIXED = {"level": [{"hand": "royal_flush", "share": 100}, {"hand": "flush", "odds": 55}]}


def terms(floor: Floor, link: str | None = None) -> Json:
    return done(floor.service.get(f"/v1/links/{link or floor.link}/terms"))


def display(floor: Floor) -> Json:
    return done(floor.service.get(f"/v1/tables/{floor.stud.table}/display"))


def returned(told: Json, value: int) -> Fraction:
    """As whoever reads it works it out."""
    exact = told["terms"]["return"]
    return Fraction(exact["fixed"] + exact["of_value"] * value, exact["over"])


def wager(told: Json) -> Wager:
    """By the mathematics of the house, from what the pay table says."""
    levels = levels_of((Hand(one["hand"]), one["percent"], one["times"]) for one in told["pay_table"])
    shared = {name: told["terms"][name] for name in ("seed", "meter_ppm", "reserve_ppm")}
    return Wager(
        parameters=Parameters(progressive_bet=told["progressive_bet"], awards=Awards(levels=levels), **shared)
    )


def test_anybody_is_told_the_terms_of_a_jackpot(floor: Floor) -> None:
    told = terms(floor)
    assert (told["progressive_bet"], told["currency"], told["cap"]) == (500, "SGD", None)
    assert {name: told["terms"][name] for name in ("seed", "meter_ppm", "reserve_ppm", "house_ppm")} == {
        "seed": 5_000_000,
        "meter_ppm": 400_000,
        "reserve_ppm": 50_000,
        "house_ppm": 550_000,
    }
    assert (told["terms"]["policy"], told["terms"]["window_ms"]) == ("ordered", None)
    assert (told["terms"]["ceiling"], told["terms"]["ceiling_hidden"]) == (None, False)


def test_a_tables_display_tells_the_same(floor: Floor) -> None:
    same = ("progressive_bet", "pay_table", "cap", "terms", "currency", "name")
    assert {name: display(floor)[name] for name in same} == {name: terms(floor)[name] for name in same}


def test_the_chance_of_each_hand_is_counted_not_rounded(floor: Floor) -> None:
    told = terms(floor)
    assert told["terms"]["deals"] == 2_598_960
    found = {one["hand"]: one["ways"] for one in told["pay_table"]}
    assert found == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
    }
    assert all(five_cards().ways[Hand(hand)] == ways for hand, ways in found.items())


@pytest.mark.parametrize("value", [0, 1, 5_000_000, 8_231_745, 107_994_737, 10**12])
def test_the_return_is_that_of_the_houses_own_mathematics_to_the_last_digit(floor: Floor, value: int) -> None:
    told = terms(floor)
    assert returned(told, value) == wager(told).return_at(value)


def test_the_return_rises_with_the_meter(floor: Floor) -> None:
    before = returned(terms(floor), floor.meter()["value"])
    play(floor)
    assert returned(terms(floor), floor.meter()["value"]) > before


def test_other_terms_are_told_as_soon_as_two_people_have_agreed_on_them(floor: Floor) -> None:
    tag = floor.service.get(f"/v1/links/{floor.link}/terms").headers["etag"]
    done(floor.post("close", "ana", {"reason": "season"}))
    changes: Json = {"ceiling": 9_000_000, "policy": "split", "window_ms": 500, "cap": 100_000, **FIXED}
    done(floor.agree("parameters", changes | {"reason": "season", "when": "now"}))
    told = terms(floor)
    assert (told["terms"]["ceiling"], told["terms"]["policy"], told["terms"]["window_ms"]) == (
        9_000_000,
        "split",
        500,
    )
    assert [one["hand"] for one in told["pay_table"]] == ["royal_flush", "flush"]
    assert told["cap"] == 100_000
    assert returned(told, 7_000_000) == wager(told).return_at(7_000_000)
    assert display(floor)["terms"] == told["terms"]
    asked = floor.service.call("GET", f"/v1/links/{floor.link}/terms", None, headers={"If-None-Match": tag})
    assert asked.status_code == 200
    again = floor.service.call(
        "GET", f"/v1/links/{floor.link}/terms", None, headers={"If-None-Match": asked.headers["etag"]}
    )
    assert again.status_code == 304


def test_the_seed_is_that_of_the_next_reset_once_it_is_agreed_on(floor: Floor) -> None:
    done(floor.agree("seed", {"seed": 6_000_000, "reason": "new season"}))
    assert terms(floor)["terms"]["seed"] == display(floor)["terms"]["seed"] == 6_000_000


def test_a_table_in_a_pit_has_no_terms_of_a_jackpot(service: Served) -> None:
    told = done(service.get("/v1/tables/bj-01/display"))
    assert "terms" not in told
    refused(service.get("/v1/links/pit-1/terms"), 404, "link_unknown")
    refused(service.get("/v1/links/nothing/terms"), 404, "link_unknown")


def test_a_pay_table_of_any_kind_has_its_exact_return() -> None:
    from displays.hub.player_terms import return_of

    levels = {
        Hand.ROYAL_FLUSH: Prize(share=100),
        Hand.FULL_HOUSE: Prize(share=7),
        Hand.ONE_PAIR: Prize(odds=1),
    }
    for bet in (1, 7, 500, 12_345):
        parameters = Parameters(
            seed=1, progressive_bet=bet, meter_ppm=1, reserve_ppm=1, awards=Awards(levels=levels)
        )
        exact = return_of(parameters)
        for value in (0, 1, 999_999_999_999):
            found = Fraction(exact.fixed + exact.of_value * value, exact.over)
            assert found == Wager(parameters=parameters).return_at(value)


# What is hidden, and from whom


def _served(tmp_path: Path, floor: FloorFile, **settings: Any) -> Any:
    return in_thread(f"sqlite+aiosqlite:///{tmp_path / 'book.db'}", floor, tmp_path, **settings)


def test_a_ceiling_is_not_told_where_the_floor_hides_it(tmp_path: Path) -> None:
    floor = full_floor("main")
    floor.link[0]["ceiling"] = 9_000_000
    floor.top["ceiling_to_players"] = "hidden"
    with _served(tmp_path, floor) as service:
        for path in ("/v1/links/main/terms", "/v1/tables/main-stud-01/display"):
            answer = service.get(path)
            assert done(answer)["terms"]["ceiling"] is None
            assert done(answer)["terms"]["ceiling_hidden"] is True
            assert "9000000" not in answer.text
        assert done(service.get("/v1/links/main", "ada"))["parameters"]["ceiling"] == 9_000_000


def test_terms_are_as_public_as_the_meter(tmp_path: Path) -> None:
    floor = full_floor("main")
    floor.link[0]["public_readings"] = False
    with _served(tmp_path, floor) as service:
        assert service.get("/v1/links/main/terms").status_code == 401
        assert done(service.get("/v1/links/main/terms", "sign-1"))["progressive_bet"] == 500
        assert service.get("/players/main").status_code == 200, "the page says that it may not read"
        assert service.get("/players/nothing").status_code == 200, "a stranger is not told what there is"


def test_a_page_of_what_is_not_there_is_not_found(service: Served) -> None:
    for path in ("/players/nothing", "/players/tables/nothing"):
        answer = service.get(path)
        assert answer.status_code == 404
        assert "text/html" in answer.headers["content-type"]


# The code


def test_a_house_without_a_public_address_shows_no_code(service: Served) -> None:
    assert "code.svg" not in service.get("/signs/tables/main-stud-01").text
    refused(service.get("/players/tables/main-stud-01/code.svg"), 404, "not_found")


def test_the_code_leads_to_the_page_of_its_table(tmp_path: Path) -> None:
    with _served(tmp_path, full_floor("main"), public_address=f"{ADDRESS}/") as service:
        for table in ("main-stud-01", "bj-01"):
            page = service.get(f"/signs/tables/{table}").text
            assert f"/players/tables/{table}/code.svg" in page
            answer = service.get(f"/players/tables/{table}/code.svg")
            assert answer.headers["content-type"] == "image/svg+xml"
            assert _modules(answer.text) == _modules_of(f"{ADDRESS}/players/tables/{table}")
        refused(service.get("/players/tables/nothing/code.svg"), 404, "not_found")


def _modules(drawn: str) -> list[str]:
    """The path of its dark modules."""
    root = ElementTree.fromstring(drawn)  # noqa: S314  our own
    return [one.attrib["d"] for one in root.iter() if "d" in one.attrib]


def _modules_of(address: str) -> list[str]:
    import segno

    return _modules(
        segno.make(address, error="m", micro=False).svg_inline(border=4, light="#fff", omitsize=True)
    )


@pytest.mark.parametrize(
    "address",
    [
        "jackpot.example.com",
        "javascript:alert(1)",
        "ftp://jackpot.example.com",
        "https://",
        "https://ana:secret@jackpot.example.com",
        "https://jackpot.example.com/?table=1",
        "https://jackpot.example.com/#top",
        "https://jackpot.example.com/a b",
        "https://jackpot.exämple.com",
        "https://jackpot.example.com/" + "x" * 200,
    ],
)
def test_an_address_that_leads_nowhere_is_refused(address: str) -> None:
    with pytest.raises(ValidationError, match="public_address"):
        Settings(public_address=address)


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://jackpot.example.com/", "https://jackpot.example.com"),
        ("http://10.0.0.8:8000/casino", "http://10.0.0.8:8000/casino"),
        ("", ""),
    ],
)
def test_an_address_is_kept_without_the_slash_at_its_end(address: str, kept: str) -> None:
    assert Settings(public_address=address).public_address == kept
