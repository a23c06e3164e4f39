"""Amounts. On the wire cents; in the books units of 10^-8 of the currency. Integers, never floats."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

UNITS_PER_CENT = 1_000_000
PARTS_PER_MILLION = 1_000_000
LARGEST_AMOUNT = 10**12
"""The most cents any field may carry; in units it still fits a signed 64-bit integer."""


class Account(StrEnum):
    WAGERS = "wagers"
    METER = "meter"
    CARRYOVER = "carryover"
    RESERVE = "reserve"
    OVERFLOW = "overflow"
    HOUSE = "house"
    PRIZES = "prizes"
    UNCLAIMED = "unclaimed"
    """Prizes that nobody came for in time. Whoever comes later is paid from here."""


def to_units(cents: int) -> int:
    """
    >>> to_units(5)
    5000000
    """
    return cents * UNITS_PER_CENT


def displayed(units: int) -> int:
    """The cents a sign shows: the meter, floored.

    >>> displayed(1_999_999)
    1
    """
    return units // UNITS_PER_CENT


class Rates(NamedTuple):
    """How a Progressive Jackpot Bet is split, in parts per million; the rest is the house's."""

    meter_ppm: int
    reserve_ppm: int


def shares_of(cents: int, rates: Rates) -> tuple[int, int, int]:
    """A bet's exact units for meter, reserve and house: cents times parts per million are units.

    >>> shares_of(500, Rates(400_000, 50_000))
    (200000000, 25000000, 275000000)
    """
    meter, reserve = cents * rates.meter_ppm, cents * rates.reserve_ppm
    return meter, reserve, to_units(cents) - meter - reserve


def percentage(cents: int, percent: int) -> tuple[int, int]:
    """A percentage of an amount rounded half up to the cent, and what is left of the amount.

    >>> percentage(80_005, 10)
    (8001, 72004)
    """
    share = (cents * percent + 50) // 100
    return share, cents - share


def spoken(cents: int, currency: str) -> str:
    """
    >>> spoken(5_012_345, "SGD")
    'SGD 50,123.45'
    """
    whole, rest = divmod(abs(cents), 100)
    return f"{currency} {'-' if cents < 0 else ''}{whole:,}.{rest:02d}"
