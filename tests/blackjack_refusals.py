"""Messages of blackjack tables that the rules make impossible, as on the wire: how each is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

Json = dict[str, Any]


class Impossible(NamedTuple):
    code: str
    name: str
    rule: str | None
    """Of all games, or of each in the order of `LETTERS`: `3.17/3.18/3.18`."""
    field: str
    games: str = "BPF"
    """In which it is tried."""
    table: Json = {}  # noqa: RUF012  never changed
    bets: Json = {"boxes": [{"box": 1, "bet": 1000}]}  # noqa: RUF012
    before: Json | None = None
    """The message before."""
    report: Json | None = None
    """None: the bets are what is refused."""
    counts: Json = {}  # noqa: RUF012
    """Cards that have left the shoe since the shuffle."""
    irregular: bool = False

    def rule_in(self, letter: str) -> str | None:
        if self.rule is None or "/" not in self.rule:
            return self.rule
        return self.rule.split("/")["BPF".index(letter)]


IMPOSSIBLE = [
    Impossible(**one) for one in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
]
EVERY_IMPOSSIBLE_MESSAGE = pytest.mark.parametrize(
    ("one", "letter"),
    [
        pytest.param(one, letter, id=f"{one.code}: {one.name}, {letter.lower()}")
        for one in IMPOSSIBLE
        for letter in one.games
    ],
)
