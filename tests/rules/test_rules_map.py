"""`docs/rules.md` says which paragraph is done where and proved by what. Here it is held to that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from jackpot.core import refusals
from jackpot.core.codec import names_of
from jackpot.games import GAMES, Game
from jackpot.games.blackjack import BlackjackRules
from tests.blackjack import LETTERS as BLACKJACK
from tests.paragraphs import ids
from tests.rules import (
    test_rules_blackjack,
    test_rules_blackjack_errors,
    test_rules_blackjack_irregularities,
    test_rules_blackjack_play,
    test_rules_blackjack_settlement,
    test_rules_free_bet,
    test_rules_free_bet_side_bets,
    test_rules_holdem,
    test_rules_holdem_irregularities,
    test_rules_holdem_rounds,
    test_rules_holdem_settlement,
    test_rules_perfect_pairs,
    test_rules_stud,
    test_rules_stud_irregularities,
    test_rules_stud_rounds,
    test_rules_stud_settlement,
)

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
HEADINGS = {"Casino Stud": Game.CASINO_STUD, "Texas Hold'em": Game.TEXAS_HOLDEM}
LETTERS = {"s": Game.CASINO_STUD, "h": Game.TEXAS_HOLDEM}
MODULES = {
    Game.CASINO_STUD: (
        test_rules_stud,
        test_rules_stud_settlement,
        test_rules_stud_irregularities,
        test_rules_stud_rounds,
    ),
    Game.TEXAS_HOLDEM: (
        test_rules_holdem,
        test_rules_holdem_settlement,
        test_rules_holdem_irregularities,
        test_rules_holdem_rounds,
    ),
}
TEST = re.compile(r"test_([sh])_(\d+(?:_\d+)*[a-c]?)_[a-z]\w*")
CODE = re.compile(r"`([a-z_]+(?:\.[a-z_]+)*)\.(\w+)`")

OUTLINE = {
    Game.CASINO_STUD: (
        "1:20 2:2 2.1:1 2.2:1 3:15 3.1:3 3.8:1 3.11:2 3.12:2 3.14:3 4:5 4.1:1 4.2:1 4.5:2 "
        "5:24 5.1:1 5.2:1 5.3:2 5.7:2 5.8:7 5.10:3 5.14:1 5.18:2"
    ),
    Game.TEXAS_HOLDEM: (
        "1:31 2:2 2.1:1 2.2:1 3:17 3.1:3 3.8:1 3.11:6 3.12:6 4:5 4.1:1 4.2:1 4.5:2 "
        "5:23 5.1:1 5.2:1 5.3:2 5.7:2 5.8:7 5.10:3 5.14:1 5.17:2"
    ),
}
"""How many numbered paragraphs each part of the two documents has."""


class Row(NamedTuple):
    game: Game
    paragraphs: tuple[str, ...]
    cells: tuple[str, ...]


def rows() -> Iterator[Row]:
    game = None
    for text in PAGE.read_text(encoding="utf-8").splitlines():
        if text.startswith("## "):
            game = HEADINGS.get(text.removeprefix("## "))
        cells = tuple(cell.strip() for cell in text.strip("|").split("|"))
        if game is not None and re.match(r"\| \d", text):
            yield Row(game, tuple(_spread(cells[0])), cells[1:])


def _spread(said: str) -> Iterator[str]:
    """The paragraphs of a row: one, or all from the first to the last named."""
    first, _, last = said.partition(" to ")
    if not last:
        yield first
        return
    part, start = first.rsplit(".", 1)
    for number in range(int(start), int(last.rsplit(".", 1)[1]) + 1):
        yield f"{part}.{number}"


def written(game: Game) -> list[str]:
    return [name for module in MODULES[game] for name in vars(module) if name.startswith("test_")]


def numbered(game: Game) -> Iterator[str]:
    for entry in OUTLINE[game].split():
        part, count = entry.split(":")
        yield from (f"{part}.{number}" for number in range(1, int(count) + 1))


@pytest.mark.parametrize("game", Game)
def test_every_rule_test_is_listed_once_and_every_listed_test_exists(game: Game) -> None:
    listed = [name for row in rows() if row.game is game for name in re.findall(r"test_\w+", str(row.cells))]
    assert sorted(listed) == sorted(written(game))
    assert len(listed) > 150


@pytest.mark.parametrize("game", Game)
def test_the_name_of_a_test_says_its_game_and_its_paragraph(game: Game) -> None:
    found = {name: TEST.fullmatch(name) for name in written(game)}
    assert [name for name, match in found.items() if match is None or LETTERS[match[1]] is not game] == []


def test_a_test_stands_in_the_row_of_its_paragraph() -> None:
    for row in rows():
        for _, number in TEST.findall(str(row.cells)):
            assert row.paragraphs == (number.replace("_", "."),)


def test_every_function_named_exists() -> None:
    named = {reference for row in rows() for reference in CODE.findall(" ".join(row.cells))}
    missing = [name for name in named if not hasattr(import_module(f"jackpot.{name[0]}"), name[1])]
    assert missing == []
    assert len(named) > 20


def test_a_row_with_a_test_names_its_code() -> None:
    assert [
        row.paragraphs for row in rows() if bool(TEST.search(str(row.cells))) != (len(row.cells) == 3)
    ] == []
    assert [row.paragraphs for row in rows() if len(row.cells) == 3 and not CODE.search(row.cells[1])] == []


def _says_of(row: Row, number: str) -> bool:
    """It lists that paragraph or a part of it; a row without a test also speaks for all parts."""
    parts = [f"{one.rstrip('abc')}." for one in row.paragraphs]
    whole = len(row.cells) == 1 and any(f"{number}.".startswith(part) for part in parts)
    return whole or any(part.startswith(f"{number}.") for part in parts)


@pytest.mark.parametrize("game", Game)
def test_no_paragraph_of_the_rules_is_left_out_or_listed_twice(game: Game) -> None:
    own = [row for row in rows() if row.game is game]
    listed = [one for row in own for one in row.paragraphs]
    assert len(listed) == len(set(listed))
    assert [number for number in numbered(game) if not any(_says_of(row, number) for row in own)] == []


def test_what_has_no_test_in_sections_3_to_5_only_instructs_people() -> None:
    untested = [row for row in rows() if len(row.cells) == 1 and row.paragraphs[0][0] in "345"]
    assert [row.paragraphs for row in untested if not row.cells[0].startswith("Instructs people: ")] == []
    assert len(untested) == 9


@pytest.mark.parametrize("game", Game)
def test_every_paragraph_that_the_code_names_is_on_the_page(game: Game) -> None:
    listed = {one for row in rows() if row.game is game for one in row.paragraphs}
    own = GAMES[game].paragraphs
    texts = [value for name in names_of(own) if isinstance(value := getattr(own, name), str)]
    named = {*texts, *own.voids, *own.invalidations}
    named |= {kind.rule for kind in refusals.kinds() if kind.rule is not None}
    assert sorted(named - listed) == []


# The three games of blackjack stand in one table, with a column of numbers for each

OF_BLACKJACK = (
    test_rules_blackjack,
    test_rules_blackjack_play,
    test_rules_blackjack_settlement,
    test_rules_blackjack_irregularities,
    test_rules_blackjack_errors,
    test_rules_perfect_pairs,
    test_rules_free_bet,
    test_rules_free_bet_side_bets,
)
OWN_TEST = re.compile(r"test_([bpf]_\d+(?:_\d+)*[a-c]?)_[a-z]\w*")
SECTION_5 = "5.1:2 5.2:1 5.4:2 5.5:4 5.7:3 5.10:3 5.12:2"
OUTLINE_OF_BLACKJACK = {
    "B": f"1:36 2:2 2.1:1 2.2:1 3:23 3.2:3 3.13:2 3.14:2 3.21:3 3.22:2 3.23:4 4:1 4.1:1 5:19 {SECTION_5}",
    "P": f"1:34 2:2 2.1:1 2.2:1 3:24 3.2:3 3.14:3 3.15:2 3.22:3 3.23:2 3.24:4 4:1 4.1:2 5:19 {SECTION_5}",
    "F": (
        "1:39 1.11:2 2:2 2.1:1 2.2:1 3:27 3.2:3 3.9:1 3.14:4 3.15:2 3.22:3 3.23:3 3.24:5 3.26:3 4:1 4.1:4 "
        f"5:20 {SECTION_5.replace('5.1:2', '5.1:3')} 5.13:2"
    ),
}
DECISIONS = [f"A{number}" for number in range(1, 26)]
EVERY_LETTER = pytest.mark.parametrize("letter", BLACKJACK)


class BlackjackRow(NamedTuple):
    numbers: dict[str, str]
    """By game, where its document has the matter."""
    cells: tuple[str, ...]

    @property
    def tests(self) -> list[str]:
        return re.findall(r"test_\w+", self.cells[-1])


def section(heading: str) -> list[tuple[str, ...]]:
    """The rows of its tables, without their heads."""
    text = PAGE.read_text(encoding="utf-8").split(f"\n{heading}\n", 1)[1]
    lines = re.split(r"\n#+ ", text, maxsplit=1)[0].splitlines()
    found = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines if line[:1] == "|"]
    return found[2:]


def blackjack_rows(heading: str) -> list[BlackjackRow]:
    return [
        BlackjackRow(
            {letter: cell for letter, cell in zip(BLACKJACK, cells[:3], strict=True) if cell != "-"},
            cells[3:],
        )
        for cells in section(heading)
    ]


TESTED = blackjack_rows("## Blackjack")
UNTESTED = blackjack_rows("### Blackjack: the other paragraphs")


def blackjack_tests() -> dict[str, set[str]]:
    """By name: the paragraphs that it is for, as ids."""
    found: dict[str, set[str]] = {}
    for module in OF_BLACKJACK:
        for name, test in vars(module).items():
            if name.startswith("test_"):
                own = OWN_TEST.fullmatch(name)
                found[name] = set(ids(test)) if own is None else {own[1]}
    return found


def test_every_test_of_blackjack_carries_its_paragraphs() -> None:
    found = blackjack_tests()
    assert [name for name, paragraphs in found.items() if not paragraphs] == []
    assert len(found) > 200


def test_every_test_of_blackjack_is_listed_once_in_the_row_of_its_paragraphs() -> None:
    found = blackjack_tests()
    assert sorted(name for row in TESTED for name in row.tests) == sorted(found)
    for row in TESTED:
        listed = {f"{letter.lower()}_{number.replace('.', '_')}" for letter, number in row.numbers.items()}
        assert set().union(*(found[name] for name in row.tests)) == listed, row


def test_every_function_of_blackjack_that_is_named_exists() -> None:
    for row in TESTED:
        named = CODE.findall(row.cells[1])
        assert named, row
        for module, name in named:
            assert hasattr(import_module(f"jackpot.{module}"), name), f"{module}.{name}"


@EVERY_LETTER
def test_no_paragraph_of_blackjack_is_left_out_or_listed_twice(letter: str) -> None:
    listed = [row.numbers[letter] for row in (*TESTED, *UNTESTED) if letter in row.numbers]
    assert len(listed) == len(set(listed))
    expected = [
        f"{part}.{number}"
        for part, count in (entry.split(":") for entry in OUTLINE_OF_BLACKJACK[letter].split())
        for number in range(1, int(count) + 1)
    ]
    headings = {"2.1", "2.2", "4.1", "5.10"}
    assert [number for number in expected if number not in listed and number not in headings] == []
    assert {number.rstrip("abc") for number in listed} <= set(expected)


def test_what_has_no_test_in_sections_3_to_5_of_blackjack_only_instructs_people() -> None:
    late = [row for row in UNTESTED if min(row.numbers.values()) > "3"]
    assert [row for row in late if not row.cells[0].startswith("Instructs people: ")] == []
    assert len(late) == 7


@pytest.mark.parametrize(("letter", "rules"), BLACKJACK.items())
def test_every_paragraph_that_the_code_of_blackjack_names_is_on_the_page(
    letter: str, rules: BlackjackRules
) -> None:
    own = rules.paragraphs
    named = {value for name in names_of(own) if isinstance(value := getattr(own, name), str)}
    named |= own.voids | own.discards | {bet.lost for bet in rules.card_bets}
    named |= {pays.rule for bet in rules.card_bets for _, pays in bet.pays}
    listed = {row.numbers[letter] for row in (*TESTED, *UNTESTED) if letter in row.numbers}
    assert sorted(named - listed) == []


def test_every_choice_that_the_documents_leave_is_proved_by_tests_that_name_it() -> None:
    rows = section("### Where the documents leave a choice")
    assert [cells[0] for cells in rows] == DECISIONS
    known = {name: test for module in OF_BLACKJACK for name, test in vars(module).items()}
    naming = {
        number: {name for name in blackjack_tests() if re.search(rf"\b{number}\b", known[name].__doc__ or "")}
        for number in DECISIONS
    }
    assert {cells[0]: set(re.findall(r"test_\w+", cells[2])) for cells in rows} == naming
    assert all(naming.values())
