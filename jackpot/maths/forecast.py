"""What may happen to meter and reserve, by simulation from a seed. Needs NumPy (the extra `math`).

Only majors are simulated, since between them meter and reserve rise by the same amounts at each bet. Many
runs are carried forward together, from major to major. Amounts are minor units as floats: this is statistics,
no money is moved by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from jackpot.games.progressive import ALL_OF_IT
from jackpot.maths.odds import Wager

Amounts = npt.NDArray[np.float64]
Progress = Callable[[float], None]
"""Told the part of the work that is done, from 0 to 1."""

QUANTILES = (0.5, 0.9, 0.99, 0.999)
RESETS_TO_SETTLE = 12
"""After the time of so many resets the start is forgotten: about 1 run in 160,000 has seen none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Forecast:
    """Each array holds one value a run."""

    bets: int
    meter: Amounts
    owed: Amounts
    """Meter and overflow at the end: what players are still to win."""
    peak: Amounts
    """The most that was owed at any time."""
    resets: npt.NDArray[np.int64]
    uncovered: npt.NDArray[np.int64]
    """Resets whose seed the reserve did not cover."""
    paid_by_house: Amounts
    """Seeds and top-ups that the house paid because the reserve was short."""
    topped_up: Amounts

    @property
    def uncovered_chance(self) -> float:
        """The chance that at least one seed is not covered."""
        return float((self.uncovered > 0).mean())


class _Runs:
    def __init__(self, wager: Wager, runs: int, reserve: int) -> None:
        self.wager, self.parameters = wager, wager.parameters
        self.ceiling = np.inf if self.parameters.ceiling is None else float(self.parameters.ceiling)
        self.bets = np.zeros(runs, np.int64)
        self.meter = np.full(runs, float(self.parameters.seed))
        self.overflow, self.paid, self.topped_up = np.zeros((3, runs))
        self.reserve = np.full(runs, float(reserve))
        self.peak = self.meter.copy()
        self.resets, self.uncovered = np.zeros((2, runs), np.int64)

    def play(self, bets: npt.NDArray[np.int64]) -> None:
        self.bets += bets
        self.meter += bets * float(self.wager.contribution)
        self.reserve += bets * (self.parameters.progressive_bet * self.parameters.reserve_ppm / 1e6)
        self._cap()
        np.maximum(self.peak, self.meter + self.overflow, out=self.peak)

    def hit(self, percent: Amounts) -> None:
        """In each run a major of so many percent, or 0 for none."""
        resets, stays = percent == ALL_OF_IT, (percent > 0) & (percent < ALL_OF_IT)
        self.meter *= np.where(stays, 1 - percent / 100, 1.0)
        seed = float(self.parameters.seed)
        short = self._funded(np.where(resets, seed, 0.0))
        self.resets += resets
        self.uncovered += short > 0
        self.meter = np.where(resets, seed + self.overflow, self.meter)
        self.overflow[resets] = 0
        if self.parameters.top_up_to_seed:
            missing = np.where(stays, np.maximum(0, seed - self.meter), 0.0)
            self._funded(missing)
            self.topped_up += missing
            self.meter += missing
        self._cap()

    def _funded(self, amount: Amounts) -> Amounts:
        """From the reserve, and the rest from the house; the rest is returned."""
        rest: Amounts = np.maximum(0, amount - self.reserve)
        self.reserve -= amount - rest
        self.paid += rest
        return rest

    def _cap(self) -> None:
        excess = np.maximum(0, self.meter - self.ceiling)
        self.meter -= excess
        self.overflow += excess


def forecast(
    wager: Wager,
    *,
    bets: int,
    runs: int = 10_000,
    seed: int = 1,
    reserve: int = 0,
    progress: Progress = lambda _done: None,
) -> Forecast:
    """So many bets from a fresh seed on, in each of so many runs; the same seed gives the same forecast."""
    random = np.random.default_rng(seed)
    state = _Runs(wager, runs, reserve)
    percents = wager.percent_of_pool
    chances = [float(wager.chances.of(hand)) for hand in percents]
    major = sum(chances)
    # The last one takes what rounding leaves.
    below, percent_of = np.cumsum(chances)[:-1] / major, np.array([*percents.values()], np.float64)
    while (left := bets - state.bets).any():
        gap = random.geometric(major, runs)
        within = gap <= left
        state.play(np.minimum(gap, left))
        drawn = percent_of[np.searchsorted(below, random.random(runs), side="right")]
        state.hit(np.where(within, drawn, 0.0))
        progress(float(state.bets.mean()) / bets)
    return _done(state, bets)


def settled_meter(wager: Wager, *, runs: int = 20_000, seed: int = 1, **more: Any) -> Amounts:
    """The meter in the long run: as bets meet it long after the start."""
    bets = RESETS_TO_SETTLE * round(1 / wager.reset_chance)
    return forecast(wager, bets=bets, runs=runs, seed=seed, **more).meter


def quantiles(values: Amounts) -> dict[float, int]:
    """Whole minor units that are not exceeded, with each of the usual chances."""
    return {each: round(float(np.quantile(values, each))) for each in QUANTILES}


def _done(state: _Runs, bets: int) -> Forecast:
    return Forecast(
        bets=bets,
        meter=state.meter,
        owed=state.meter + state.overflow,
        peak=state.peak,
        resets=state.resets,
        uncovered=state.uncovered,
        paid_by_house=state.paid,
        topped_up=state.topped_up,
    )
