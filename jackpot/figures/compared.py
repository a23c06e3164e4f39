"""Figures of a day that people count too: what is in the drawers, on slips, on the tables' own meters."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.figures.counters import parts

OF_LINKS = ("rounds", "voided", "bets", "wagered", "returned", "returns", "minors", "majors")
OF_WAGERS = ("laid", "won", "collected")
OF_PITS = ("rounds", "voided", *OF_WAGERS)


def recorded(figures: Mapping[str, int], name: str) -> int:
    """Of a day; those of wagers of all of them together.

    >>> recorded({"wager.bet.won": 500, "wager.insurance.won": 200, "rounds": 3}, "won")
    700
    """
    if name in OF_WAGERS:
        return sum(one.get(name, 0) for one in parts(figures, "wager").values())
    return figures.get(name, 0)
