"""What releases wrote, as this one understands it.

An entry carries two numbers. `schema` is the layout of its fact: older layouts are brought to today's when
they are read, here and nowhere else, and never written again. `rules` is the version of the rules by which
the fact was made; a round goes by the version of its bets and a win by that of its registration, and both
keep it, so that `verify` computes them again by the rules they were made by. Stored state has a `LAYOUT`,
and is never brought forward: it is made anew from the journal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

OLDEST = 1
SCHEMA = 2
RULES = 2
RULES_OF_0_1 = 1
LAYOUT = 2
LAYOUT_OF_0_1 = 1

Told = dict[str, Any]


def as_written_today(told: Told, *, at: int, schema: int) -> Told:
    """A fact of an earlier layout in today's. `at` is its journal time."""
    if schema == SCHEMA:
        return told
    change = _SINCE_1.get(told["kind"])
    return told if change is None else change(told, at)


def _bets_closed(told: Told, at: int) -> Told:
    """0.1 began a deal with the closing that its table stamped; the House had witnessed the journal time."""
    return told | {"dealt_from": at}


def _registered(told: Told, _at: int) -> Told:
    """0.1 had one interval, made of what the table said."""
    return _dealt(told) | {"registered": told["basis"]}


def _dealt(told: Told) -> Told:
    evidence = told["evidence"]
    offset, error = evidence["offset"], evidence["error"]
    today = {
        "error": 0,
        "offset": {"least": offset - error, "most": offset + error},
        "live": not evidence["suspect"],
        "spooled": False,
    }
    return told | {"witnessed": told["interval"], "evidence": evidence | today}


def _ordered(told: Told, _at: int) -> Told:
    """0.1 waited for a mark of each table."""
    return told | {"open": {}, "bases": {}}


def _paid(told: Told, _at: int) -> Told:
    today = {"witnessed": told["interval"], "basis": None, "spooled": False}
    return told | today | {"registered": told["basis"]}


_SINCE_1: dict[str, Callable[[Told, int], Told]] = {
    "BetsClosed": _bets_closed,
    "WinRegistered": _registered,
    "ClaimRaised": lambda told, _at: _dealt(told),
    "WinsOrdered": _ordered,
    "WinPaid": _paid,
}
