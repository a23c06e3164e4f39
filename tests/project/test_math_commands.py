"""`jackpot evaluate` and `jackpot odds`, as people and programs call them."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from api.cli import app
from api.cli.evaluate import evaluated
from api.floor.file import read_floor
from jackpot.cards.cards import DECK, names, suit_of
from jackpot.core.refusals import ParameterWrong, UnequalOdds
from jackpot.games.rulebook import Game
from tests.plain_evaluator import hand_of, strength
from tests.rules.test_evaluator import COUNTS
from tests.untraced import untraced

EXAMPLE = Path(__file__).parents[2] / "docs" / "floor.example.toml"


def jackpot(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=given, env={"COLUMNS": "100", "NO_COLOR": "1"})


# evaluate


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("Ah Kh Qh Jh Th", "royal flush, of strength 7,462 of 7,462; a major: 100 % of the jackpot"),
        ("9c 8c 7c 6c 5c", "straight flush, of strength 7,457 of 7,462; a major: 10 % of the jackpot"),
        ("9c 9d 9h 9s kd", "four of a kind, of strength 7,391 of 7,462; a minor: 400 for 1"),
        ("2c 3c 4c 5c 7d", "five odd cards, of strength 1 of 7,462"),
        ("Ah Kh Qh Jh 10h 2c 2d", "royal flush, the best five of seven"),
    ],
)
def test_a_hand_is_named_with_its_strength_and_award(cards: str, told: str) -> None:
    result = jackpot("evaluate", *cards.split())
    assert result.exit_code == 0
    assert result.stdout.startswith(told)


def test_the_readme_says_what_evaluate_prints() -> None:
    found = re.search(r"jackpot evaluate (.+?)  +# (.+)", (EXAMPLE.parents[1] / "README.md").read_text())
    assert found is not None
    assert jackpot("evaluate", *found[1].split()).stdout.strip() == found[2]


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("Ah Ah Qh Jh Th", "card_repeated: Ah is in this hand twice"),
        ("Ah 1h Qh Jh Th", "card_unknown: '1h' is not one of the 52 cards"),
        ("Ah Kh Qh Jh", "wrong_number_of_cards: a hand is 5 cards, not 4"),
    ],
)
def test_what_is_no_hand_is_refused_by_name(cards: str, told: str) -> None:
    result = jackpot("evaluate", *cards.split())
    assert result.exit_code == 2
    assert told in result.stderr


def test_hands_are_read_a_line_each() -> None:
    result = jackpot("evaluate", "-", given="Ah Kh Qh Jh Th\n\n2c 3c 4c 5c 7d\nac 2d 3h 4s 5c")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["royal_flush 7462", "five_odd_cards 1", "straight 5854"]


def test_a_wrong_line_is_named_after_the_answers_before_it() -> None:
    good = "Ah Kh Qh Jh Th\n" * 5_000
    result = jackpot("evaluate", "-", given=f"{good}Ah Ah Qh Jh Th\n{good}")
    assert result.exit_code == 2
    assert result.stdout.count("royal_flush 7462\n") == 5_000
    assert "card_repeated: line 5001: Ah is in this hand twice" in result.stderr


@untraced()
def test_all_hands_of_two_suits_are_named_from_lines() -> None:
    """That all 2,598,960 are named right is proved of the evaluator."""
    hands = list(combinations([card for card in DECK if suit_of(card) < 2], 5))
    lines = (f"{' '.join(names(hand))}\n" for hand in hands)
    found = Counter(line.split()[0] for answers in evaluated(lines) for line in answers.splitlines())
    assert found == Counter(hand_of(strength(hand)).value for hand in hands)
    assert len(found) == 7  # neither four nor three of a kind, and so no full house


# The floor file


def changed(folder: Path, old: str, new: str) -> Path:
    text = EXAMPLE.read_text()
    assert old in text
    file = folder / "floor.toml"
    file.write_text(text.replace(old, new, 1))
    return file


def test_the_example_floor_is_read() -> None:
    floor = read_floor(EXAMPLE)
    assert [link.id for link in floor.link] == ["main"]
    assert floor.link[0].parameters.seed == 50_000_00
    assert {table.game for table in floor.tables_of("main")} == set(Game)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"texas_holdem"', '"omaha"', "omaha"),
        ("seed = ", "sead = ", "seed: Field required"),
        ("boxes = 7", "boxes = 7\nsede = 1", "sede"),
        ("seed = 5000000", 'seed = "5000000"', "valid integer"),
        ("seed = 5000000", "seed = 0", "seed must be from 1"),
        ("meter_ppm = 400000", "meter_ppm = 960000", "reserve_ppm must be from 0 to 40000"),
        ('currency = "SGD"', 'currency = "JPY"', "in JPY"),
        ('currency = "SGD"', 'currency = "CLF"', "CLF has four decimals"),
        ('currency = "SGD"', 'currency = "XYZ"', "'XYZ' is not a currency that ISO 4217 lists"),
        ("seed = 5000000", "seed = 50000.50", "valid integer"),
        ("boxes = 7", "boxes = 7\nmost_won = 0", "most_won must be from 1 to"),
        ("decks = 8", "decks = 8\nmost_won = 5000000", "has no wager whose winnings have a most"),
        ('id = "stud-02"', 'id = "stud-01"', "names table 'stud-01' 2 times"),
        ('link = "main"', 'link = "other"', "no link 'other'"),
        ("boxes = 7", 'boxes = 7\nprogressive_hand = "best_of_seven"', "Stud deals five cards"),
        ("[[link]]", "[[link", "is not TOML"),
    ],
)
def test_a_floor_that_cannot_be_played_is_refused_by_what_is_wrong(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    with pytest.raises(ParameterWrong, match=told):
        read_floor(changed(tmp_path, old, new))


def test_a_floor_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterWrong, match="cannot be read"):
        read_floor(tmp_path / "none.toml")


def test_a_link_with_best_of_seven_hold_em_is_refused_with_the_two_odds(tmp_path: Path) -> None:
    file = changed(tmp_path, "boxes = 6", 'boxes = 6\nprogressive_hand = "best_of_seven"')
    with pytest.raises(UnequalOdds):
        read_floor(file)
    result = jackpot("odds", "--floor", str(file))
    assert result.exit_code == 2
    assert "unequal_odds: table holdem-01" in result.stderr
    assert "1 in 30,940" in result.stderr
    assert "1 in 649,740" in result.stderr


# odds


def test_odds_are_told_to_people() -> None:
    result = jackpot("odds", "--floor", str(EXAMPLE), "--runs", "200")
    assert result.exit_code == 0
    for told in ("649,740", "SGD 1,079,947.37", "SGD 710,252.63", "36.84 %", "21.62 %", "200 simulated runs"):
        assert told in result.stdout
    assert "Warning" not in result.stdout


@pytest.mark.parametrize(
    ("currency", "seed", "bet"), [("KRW", "5,000,000", "500"), ("KWD", "5,000.000", "0.500")]
)
def test_odds_are_told_and_drawn_in_a_currency_without_cents(
    tmp_path: Path, currency: str, seed: str, bet: str
) -> None:
    file, plot = (
        changed(tmp_path, 'currency = "SGD"', f'currency = "{currency}"\ncap = 200_000'),
        tmp_path / "odds.svg",
    )
    text = file.read_text()
    for game in ("casino_stud", "texas_holdem"):
        text = text.replace(f'game = "{game}"', f'game = "{game}"\nmost_won = 10000000')
    file.write_text(text)
    result = jackpot("odds", "--floor", str(file), "--runs", "100", "--plot", str(plot))
    assert result.exit_code == 0, result.output
    page = " ".join(result.stdout.split())
    assert f"a bet of {currency} {bet}, five cards" in page
    assert f"seed {currency} {seed}" in page
    assert f"it costs a bet at a full table of 7 {currency} 0." in page
    drawn = plot.read_text()
    assert f"bet {bet}, seed {seed.split('.')[0]} {currency}" in drawn


def figures(*words: str) -> dict[str, Any]:
    result = jackpot("odds", "--json", *words)
    assert result.exit_code == 0
    (told,) = json.loads(result.stdout)["links"]
    assert isinstance(told, dict)
    return told


def test_odds_are_told_to_programs() -> None:
    told = figures(
        "--floor", str(EXAMPLE), "--runs", "500", "--rounds", "30", "--playing", "1", "--hours", "24"
    )
    assert told["deals"] == 2_598_960
    assert {hand["hand"]: hand["ways"] for hand in told["hands"]} == COUNTS
    assert told["pace"]["bets_per_day"] == 33 * 30 * 24
    assert told["majors"][0]["days_between"] == pytest.approx(64_974 / (33 * 30 * 24))
    assert told["simulation"]["runs"] == 500
    assert told == figures(
        "--floor", str(EXAMPLE), "--runs", "500", "--rounds", "30", "--playing", "1", "--hours", "24"
    )


def test_odds_agree_with_the_closed_forms_of_the_known_example(tmp_path: Path) -> None:
    text = EXAMPLE.read_text().replace("seed = 5000000", "seed = 1000000")
    text = text.replace("progressive_bet = 500", "progressive_bet = 100").replace("400000", "700000")
    file = tmp_path / "dollar.toml"
    file.write_text(text)
    told = figures("--floor", str(file), "--runs", "0")
    assert round(told["mean_meter"] / 100) == 244_641
    assert round(told["meter_deviation"] / 100) == 149_344
    assert told["simulation"] is None
    assert told["house_share"] < 0
    assert "loses 8.38 % of each bet" in told["warning"]
    assert "Warning: in the long run" in jackpot("odds", "--floor", str(file), "--runs", "0").stdout


def test_settings_that_the_closed_forms_leave_out_are_named(tmp_path: Path) -> None:
    file = changed(tmp_path, "seed = 5000000", "ceiling = 90000000\ntop_up_to_seed = true\nseed = 5000000")
    told = jackpot("odds", "--floor", str(file), "--runs", "100", "--plot", str(tmp_path / "odds.svg")).stdout
    assert "without ceiling and top up to seed: see the simulation" in " ".join(told.split())


def test_the_rule_books_way_with_wins_that_meet_is_told() -> None:
    told = " ".join(jackpot("odds", "--floor", str(EXAMPLE), "--runs", "0").stdout.split())
    assert "wins that meet are paid one after the other" in told
    assert "they meet if their deal times overlap" in told
    assert "cap of a round none" in told
    policy = figures("--floor", str(EXAMPLE), "--runs", "0")["award_policy"]
    assert policy == {"policy": "ordered", "window_ms": None, "cap": None, "cap_costs": []}


ANOTHER = """policy = "split"
window_ms = 50
cap = 200000
level = [
  { hand = "straight_flush", share = 100 },
  { hand = "royal_flush", share = 100 },
  { hand = "four_of_a_kind", share = 5 },
  { hand = "full_house", odds = 250 },
]
seed = 5000000"""


def test_another_pay_table_policy_and_cap_are_told_with_their_price(tmp_path: Path) -> None:
    file = changed(tmp_path, "seed = 5000000", ANOTHER)
    told = figures("--floor", str(file), "--runs", "0")
    hands = {hand["hand"]: (hand["percent_of_pool"], hand["times_the_bet"]) for hand in told["hands"]}
    assert hands["straight_flush"] == hands["royal_flush"] == (100, None)
    assert hands["four_of_a_kind"] == (5, None)
    assert hands["flush"] == (None, None)
    assert [row["hand"] for row in told["majors"]] == [
        "any_major",
        "royal_flush",
        "straight_flush",
        "four_of_a_kind",
    ]
    assert told["seed_cost_per_bet"] == pytest.approx(5_000_000 * 40 / 2_598_960), "both reset the pool"
    policy = told["award_policy"]
    assert (policy["policy"], policy["window_ms"], policy["cap"]) == ("split", 50, 200_000)
    six, seven = policy["cap_costs"]
    assert (six["boxes"], seven["boxes"]) == (6, 7)
    assert 0 < six["cents_a_bet"] < seven["cents_a_bet"]
    assert [one.split(" of ")[0] for one in told["warnings"]] == ["the window", "the cap"]
    page = " ".join(jackpot("odds", "--floor", str(file), "--runs", "0").stdout.split())
    assert "wins that meet are paid together, shared" in page
    assert "of the bet, before the cap of a round" in page
    assert f"it costs a bet at a full table of 7 SGD {seven['cents_a_bet'] / 100:.6f}" in page
    assert "Warning: the window of 50 ms is below the error of clocks" in page


def test_the_document_says_what_a_cap_costs(tmp_path: Path) -> None:
    file = changed(tmp_path, "seed = 5000000", "cap = 200000\nseed = 5000000")
    (warning,) = figures("--floor", str(file), "--runs", "0")["warnings"]
    document = " ".join((EXAMPLE.parent / "odds.md").read_text().split())
    assert f"link main: {warning}" in document


def test_input_that_is_not_text_is_refused() -> None:
    result = CliRunner().invoke(app, ["evaluate", "-"], input=b"Ah Kh Qh Jh \xff\n")
    assert result.exit_code == 2


@pytest.mark.parametrize(("name", "begins"), [("odds.svg", b"<?xml"), ("odds.png", b"\x89PNG")])
def test_odds_are_drawn(tmp_path: Path, name: str, begins: bytes) -> None:
    file = tmp_path / name
    result = jackpot("odds", "--floor", str(EXAMPLE), "--runs", "0", "--plot", str(file))
    assert result.exit_code == 0
    assert file.read_bytes().startswith(begins)


def test_a_pay_table_by_which_the_minors_alone_return_more_than_the_bet_is_drawn_too(
    tmp_path: Path,
) -> None:
    """Then there is no meter at which a bet breaks even."""
    giving = ANOTHER.replace("odds = 250", "odds = 900")
    file, plot = changed(tmp_path, "seed = 5000000", giving), tmp_path / "odds.svg"
    assert figures("--floor", str(file), "--runs", "0")["break_even_meter"] < 0
    assert jackpot("odds", "--floor", str(file), "--runs", "0", "--plot", str(plot)).exit_code == 0
    drawn = plot.read_text()
    assert "favours the player" in drawn
    assert "favours the house" not in drawn


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--plot", "odds.gif"], "an .svg or .png file"),
        (["--link", "none"], "no such link"),
    ],
)
def test_what_cannot_be_told_is_refused(words: list[str], told: str) -> None:
    result = jackpot("odds", "--floor", str(EXAMPLE), *words)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("command", ["evaluate", "odds"])
def test_help_shows_an_example(command: str) -> None:
    assert f"Example: jackpot {command}" in jackpot(command, "--help").stdout
