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


_SINCE_1: dict[str, Callable[[Told, int], Told]] = {}
