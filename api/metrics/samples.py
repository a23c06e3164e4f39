"""What a sample is, and amounts and times as Prometheus has them."""

from __future__ import annotations

from collections.abc import Iterator

from jackpot.book.writing.histograms import Histogram
from jackpot.core.instants import SECOND
from jackpot.core.money import to_units

Sample = tuple[str, tuple[str, ...], int | float | Histogram]
Samples = Iterator[Sample]


def seconds(microseconds: int) -> float:
    return microseconds / SECOND


def amount(units: int) -> int:
    """Whole minor units: what is less than one is left out."""
    return units // to_units(1)
