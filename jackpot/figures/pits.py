"""What is counted at a table of a pit: by wager what was laid, won, collected and returned.

A figure moves when a settlement is told, by what it changes in the one before it: what is corrected or voided
later is taken out again then, so that the figures of two days add up to those of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jackpot.figures.counters import Counters, add
from jackpot.figures.jackpots import Told
from jackpot.games.lines import Outcome

_ROUND = "round"
"""A settlement is told as a whole."""


def close_bets(at: Counters, told: Told, fact: Any) -> None:
    """What a closed table hands back stays handed back."""
    told.clear()
    add(at, {"rounds": 1})
    settle(at, told, fact)
    if fact.table_closed:
        told.clear()


def void_round(at: Counters, told: Told, fact: Any) -> None:
    add(at, {"voided": 1})
    settle(at, told, fact)


def settle(at: Counters, told: Told, fact: Any) -> None:
    counted = _counted(fact.settlement)
    add(at, told.get(_ROUND, {}), -1)
    add(at, counted)
    told[_ROUND] = counted


def _counted(lines: Iterable[Any]) -> Counters:
    found: Counters = {}
    for line in lines:
        won = line.payout - line.stake if line.outcome == Outcome.WIN else 0
        figures = {
            "laid": line.stake,
            "won": won,
            "collected": line.stake if line.outcome == Outcome.LOSE else 0,
            "returned": line.stake if line.outcome == Outcome.RETURNED else 0,
            "markers": 0 if line.marker is None else won,
        }
        add(found, {f"wager.{line.wager}.{name}": number for name, number in figures.items() if number})
    return found
