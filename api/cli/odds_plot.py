"""Two pictures of a link: the house edge against the meter, and where the meter spends its time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, PercentFormatter

from api.cli.odds_report import Subject, left_out
from jackpot.core.money import figures
from jackpot.maths.forecast import Amounts, settled_meter

INK, QUIET, GRID = "#1d2733", "#6b7785", "#e3e7ec"
HOUSE, PLAYER, MEAN = "#1f5f8b", "#b5452c", "#c8902b"
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": QUIET,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "svg.hashsalt": "jackpot",
}
_RUNS = 100_000


@dataclass(frozen=True)
class Marks:
    """Meters worth marking, in whole currency."""

    seed: float
    mean: float
    deviation: float
    even: float
    known: str


def _marks(subject: Subject, meters: Amounts) -> Marks:
    wager, whole = subject.wager, subject.whole
    mean, deviation, known = float(wager.mean_meter) / whole, wager.meter_deviation / whole, "closed form"
    if left_out(subject.link):
        mean, deviation, known = float(meters.mean()), float(meters.std()), "simulated"
    even = float(wager.break_even) / whole
    return Marks(wager.parameters.seed / whole, mean, deviation, even, known)


def draw(subject: Subject, file: Path, *, seed: int) -> None:
    """The same subject and seed draw the same file."""
    meters = settled_meter(subject.wager, runs=_RUNS, seed=seed) / subject.whole
    marks = _marks(subject, meters)
    most = max(float(np.quantile(meters, 0.9995)), marks.even * 1.4)
    with mpl.rc_context(_STYLE):
        spacing = ConstrainedLayoutEngine(h_pad=0.12, w_pad=0.12)
        figure = Figure(figsize=(9.6, 8.2), layout=spacing, facecolor="white")
        above, below = figure.subplots(2, 1, sharex=True)
        above.set_xlim(0, most)
        _edge(above, subject, marks, most)
        _distribution(below, marks, meters, most)
        below.set_xlabel(f"meter, {subject.link.currency}")
        _dress(figure, subject)
        unsigned = {"Date": None, "Creator": None} if file.suffix.lower() == ".svg" else None
        figure.savefig(file, dpi=160, metadata=unsigned)


def _edge(axes: Axes, subject: Subject, marks: Marks, most: float) -> None:
    first, last = (float(subject.wager.edge_at(round(meter * subject.whole))) for meter in (0, most))
    axes.set_title("House edge of a bet, by the meter it plays for", loc="left", fontweight="bold")
    axes.set_ylim(min(last * 1.12, -0.12), max(first * 1.2, 0.12))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
    axes.axhline(0, color=INK, linewidth=0.8)
    if marks.even > 0:
        axes.fill([0, 0, marks.even], [0, first, 0], color=HOUSE, alpha=0.14, linewidth=0)
        _note(axes, "favours the house", (0, 0), (8, 8), HOUSE)
    axes.fill([most, most, marks.even], [0, last, 0], color=PLAYER, alpha=0.18, linewidth=0)
    axes.plot([0, most], [first, last], color=INK, linewidth=1.8)
    _note(axes, "favours the player", (most, 0), (-8, -18), PLAYER, "right")
    for meter, name, colour in (
        (marks.seed, "seed", HOUSE),
        (marks.mean, "mean", MEAN),
        (marks.even, "break-even", PLAYER),
    ):
        if meter <= 0:
            continue  # the minors alone return more than the bet
        edge = float(np.interp(meter, [0, most], [first, last]))
        axes.plot([meter], [edge], "o", color=colour, markersize=7, zorder=3, clip_on=False)
        value = "" if meter == marks.even else f": {edge * 100:.1f} %"
        _note(axes, f"{name} {meter:,.0f}{value}", (meter, edge), (9, 7), colour)


def _distribution(axes: Axes, marks: Marks, meters: Amounts, most: float) -> None:
    title = f"Where bets find the meter in the long run ({len(meters):,} simulated runs)"
    axes.set_title(title, loc="left", fontweight="bold")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:,.0f}"))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=1, symbol=" %"))
    # The meter jumps back to the seed: an edge of a bar there shows it.
    bins = np.arange(0, most, marks.seed / max(1, round(marks.seed / most * 80)))
    parts = np.histogram(meters, bins)[0] / len(meters)
    colours = [PLAYER if left >= marks.even else HOUSE for left in bins[:-1]]
    axes.bar(bins[:-1], parts, np.diff(bins), align="edge", color=colours, alpha=0.75, linewidth=0)
    top = float(parts.max()) * 1.16
    axes.set_ylim(0, top * 1.1)
    axes.axvline(marks.mean, color=MEAN, linewidth=1.8)
    reach = max(0.0, marks.mean - marks.deviation), marks.mean + marks.deviation
    axes.hlines(top, *reach, color=MEAN, linewidth=1.8)
    told = f"mean {marks.mean:,.0f}, standard deviation {marks.deviation:,.0f} ({marks.known})"
    _note(axes, told, (most, top), (-8, -18), MEAN, "right")
    favoured = float((meters > marks.even).mean())
    _note(
        axes, f"{favoured * 100:.1f} % of bets above break-even", (most, top * 0.8), (-8, 0), PLAYER, "right"
    )


def _note(
    axes: Axes, text: str, at: tuple[float, float], away: tuple[int, int], colour: str, side: str = "left"
) -> None:
    told: Any = {"textcoords": "offset points", "color": colour, "ha": side}
    # A long note must not shrink the picture beside it.
    axes.annotate(text, at, away, **told).set_in_layout(False)


def _dress(figure: Figure, subject: Subject) -> None:
    for axes in figure.axes:
        axes.grid(color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(length=0)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
    link = subject.link
    figure.suptitle(
        f"{link.name}: bet {figures(link.progressive_bet, link.currency)},"
        f" seed {link.seed / subject.whole:,.0f} {link.currency},"
        f" {link.meter_ppm / 10_000:g} % to the meter",
        x=0.012,
        ha="left",
        fontsize=14,
        fontweight="bold",
    )
