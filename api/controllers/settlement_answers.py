"""The settlement of a round's main game, in the words of the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jackpot.games.adjustments import Adjusted
from jackpot.games.lines import Line


def told_lines(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return [
        {
            "box": line.box,
            "wager": line.wager,
            "outcome": line.outcome,
            "stake": line.stake,
            "pays": line.pays,
            "payout": line.payout,
            "won": line.won,
            "collected": line.collected,
            "rule": line.rule,
        }
        for line in lines
    ]


def told_adjustments(adjustments: Iterable[Adjusted]) -> list[dict[str, Any]]:
    return [
        {
            "box": one.box,
            "wager": one.wager,
            "before": one.before,
            "after": one.after,
            "difference": one.difference,
        }
        for one in adjustments
    ]
