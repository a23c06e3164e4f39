"""`docs/rules.md` says which paragraph is done where and proved by what. Here it is held to that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from jackpot.core import refusals
from jackpot.games import GAMES, Game
from tests.rules import (
    test_rules_holdem,
    test_rules_holdem_irregularities,
    test_rules_holdem_rounds,
    test_rules_holdem_settlement,
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
CODE = re.compile(r"`([a-z_]+(?:\.[a-z_]+)?)\.(\w+)`")

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
    texts = [value for name in own.__slots__ if isinstance(value := getattr(own, name), str)]
    named = {*texts, *own.voids, *own.invalidations}
    named |= {kind.rule for kind in refusals.kinds() if kind.rule is not None}
    assert sorted(named - listed) == []
