"""Six rounds of blackjack as they are on the wire: the table, its bets, its reports, and the settlement that
answers each. Worked out by hand; every settlement of ours is held to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

Json = dict[str, Any]


class WorkedRound(NamedTuple):
    name: str
    table: Json
    """Its game, and the limits that matter."""
    bets: Json
    told: list[Json]
    """Each a `report` and its `settlement`; the last report is final."""


def _read() -> list[WorkedRound]:
    text = Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
    return [WorkedRound(**one) for one in json.loads(text)]


WORKED = _read()
EVERY_WORKED_ROUND = pytest.mark.parametrize("worked", WORKED, ids=[one.name for one in WORKED])
