"""Amounts: minor units of the currency (cents, won, fils); in the pool millionths of those. Never floats."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from jackpot.core.currencies import decimals_of, minor_units

UNITS_PER_MINOR_UNIT = 1_000_000
PARTS_PER_MILLION = 1_000_000
LARGEST_AMOUNT = 10**12
"""The most minor units any field may carry; in units it still fits a signed 64-bit integer."""


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


def to_units(amount: int) -> int:
    """
    >>> to_units(5)
    5000000
    """
    return amount * UNITS_PER_MINOR_UNIT


def displayed(units: int) -> int:
    """The amount a sign shows: the meter, floored to the minor unit.

    >>> displayed(1_999_999)
    1
    """
    return units // UNITS_PER_MINOR_UNIT


class Rates(NamedTuple):
    """How a Progressive Jackpot Bet is split, in parts per million; the rest is the house's."""

    meter_ppm: int
    reserve_ppm: int


def shares_of(bet: int, rates: Rates) -> tuple[int, int, int]:
    """A bet's exact units for meter, reserve and house: minor units times parts per million are units.

    >>> shares_of(500, Rates(400_000, 50_000))
    (200000000, 25000000, 275000000)
    """
    meter, reserve = bet * rates.meter_ppm, bet * rates.reserve_ppm
    return meter, reserve, to_units(bet) - meter - reserve


def percentage(amount: int, percent: int) -> tuple[int, int]:
    """A percentage of an amount rounded half up to the minor unit, and what is left of the amount.

    >>> percentage(80_005, 10)
    (8001, 72004)
    """
    share = (amount * percent + 50) // 100
    return share, amount - share


def figures(amount: int, currency: str) -> str:
    """Without the currency's name, as in a column that says it once.

    >>> figures(5_012_345, "SGD"), figures(-5_012_345, "KRW"), figures(45, "KWD")
    ('50,123.45', '-5,012,345', '0.045')
    """
    decimals = decimals_of(currency)
    whole, rest = divmod(abs(amount), minor_units(currency))
    sign, fraction = "-" if amount < 0 else "", f".{rest:0{decimals}d}" if decimals else ""
    return f"{sign}{whole:,}{fraction}"


def spoken(amount: int, currency: str) -> str:
    """
    >>> spoken(5_012_345, "SGD"), spoken(5_012_345, "JPY"), spoken(5_012_345, "KWD")
    ('SGD 50,123.45', 'JPY 5,012,345', 'KWD 5,012.345')
    """
    return f"{currency} {figures(amount, currency)}"


def in_currency(amount: float, currency: str) -> float:
    """For the axis of a plot: not exact, and never paid."""
    return amount / minor_units(currency)
