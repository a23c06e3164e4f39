"""Figures of a link as they are told: of a table or all tables, of a time or of everything since it began."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from api.operators.house_answers import MinorUnits, Told, Units
from jackpot.core.money import PARTS_PER_MILLION, Account, to_units
from jackpot.figures.counters import Counters, parts
from jackpot.games.progressive import Level

_WHOLE = ("rounds", "voided", "bets", "wagered", "returned", "returns", "minors", "majors")
_UNITS = ("pool_units", "reserve_units", "house_units", "overflow_units")


class LevelFigures(Told):
    hand: str
    level: str
    count: int
    amount: MinorUnits


class LinkFigures(Told):
    rounds: int
    voided: int
    bets: int = Field(description="Progressive Jackpot Bets accepted.")
    wagered: MinorUnits = Field(description="Accepted, less what was returned later.")
    returned: MinorUnits = Field(description="Progressive bets that went back, at once or later.")
    returns: int = Field(description="How many.")
    pool_units: Units = Field(description="What bets brought to the pool, overflow included.")
    reserve_units: Units
    overflow_units: Units = Field(description="The part of `pool_units` above the ceiling.")
    house_units: Units = Field(description="The house's share of bets. Minors are not taken off.")
    revenue_units: Units = Field(description="The house's share and the overflow, less the minors.")
    hold_ppm: int | None = Field(
        description="`revenue_units` in parts per million of `wagered`; null where nothing was wagered."
    )
    minors: MinorUnits
    majors: MinorUnits = Field(description="Majors and late claims paid.")
    levels: list[LevelFigures] = Field(description="Minors and majors by hand.")


def figures(counted: Counters) -> dict[str, Any]:
    found: dict[str, Any] = {name: counted.get(name, 0) for name in (*_WHOLE, *_UNITS)}
    revenue = found["house_units"] + found["overflow_units"] - to_units(found["minors"])
    wagered = to_units(found["wagered"])
    hold = ppm(revenue, wagered)
    return found | {"revenue_units": revenue, "hold_ppm": hold, "levels": _levels(counted)}


def ppm(part: int, whole: int) -> int | None:
    """Rounded half up; None of nothing."""
    return None if whole <= 0 else (2 * part * PARTS_PER_MILLION + whole) // (2 * whole)


def _levels(counted: Counters) -> list[LevelFigures]:
    return [
        LevelFigures(hand=hand, level=level, count=one.get("count", 0), amount=one.get("amount", 0))
        for level in Level
        for hand, one in sorted(parts(counted, level.value).items())
        if any(one.values())
    ]


def accounts(counted: Counters) -> dict[str, int]:
    """Of each account, also where nothing was posted."""
    found = parts(counted, "account")
    return {name: found.get(name, {}).get("units", 0) for name in sorted(Account)}


def counts(counted: Counters) -> dict[str, int]:
    """How many facts there were of each kind."""
    return {kind: one["count"] for kind, one in sorted(parts(counted, "facts").items()) if one.get("count")}


def rows(section: str, name: str, told: Mapping[str, Any]) -> Iterator[tuple[str, str, str, object]]:
    """One figure to a row, for spreadsheets."""
    for figure, value in told.items():
        if figure == "levels":
            for one in value:
                yield section, name, f"{one['hand']}_count", one["count"]
                yield section, name, f"{one['hand']}_amount", one["amount"]
        elif isinstance(value, Mapping):
            yield from ((section, name, f"{figure}.{part}", number) for part, number in value.items())
        elif figure != "table":
            yield section, name, figure, value
