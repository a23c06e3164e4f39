"""Two pictures of a link: the house edge against the meter, and where the meter spends its time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, PercentFormatter

from api.odds_report import Subject
from jackpot.forecast import Amounts, settled_meter

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


def draw(subject: Subject, file: Path, *, seed: int) -> None:
    """The same subject and seed draw the same file."""
    meters = settled_meter(subject.wager, runs=_RUNS, seed=seed) / 100
    with mpl.rc_context(_STYLE):
        spacing = ConstrainedLayoutEngine(h_pad=0.12, w_pad=0.12)
        figure = Figure(figsize=(9.6, 8.2), layout=spacing, facecolor="white")
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1, 1))
        most = max(float(np.quantile(meters, 0.9995)), float(subject.wager.break_even) / 100 * 1.15)
        above.set_xlim(0, most)
        _edge(above, subject, most)
        _distribution(below, subject, meters)
        _dress(figure, subject)
        unsigned = {"Date": None, "Creator": None} if file.suffix.lower() == ".svg" else None
        figure.savefig(file, dpi=160, metadata=unsigned)


def _edge(axes: Axes, subject: Subject, most: float) -> None:
    wager = subject.wager
    seed, mean, even = (float(at) / 100 for at in (wager.parameters.seed, wager.mean_meter, wager.break_even))
    meters = np.array([0.0, most])
    edges = np.array([float(wager.edge_at(round(meter * 100))) for meter in meters])
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.plot(meters, edges, color=INK, linewidth=1.8)
    dense = np.linspace(0, most, 400)
    line = np.interp(dense, meters, edges)
    axes.fill_between(dense, line, 0, where=(line >= 0).tolist(), color=HOUSE, alpha=0.14, linewidth=0)
    axes.fill_between(dense, line, 0, where=(line <= 0).tolist(), color=PLAYER, alpha=0.18, linewidth=0)
    for meter, name, colour in ((seed, "seed", HOUSE), (mean, "mean", MEAN), (even, "break-even", PLAYER)):
        edge = float(np.interp(meter, meters, edges))
        axes.plot([meter], [edge], "o", color=colour, markersize=7, zorder=3, clip_on=False)
        label = f"{name} {meter:,.0f}" + (f": {edge * 100:.1f} %" if name != "break-even" else "")
        axes.annotate(label, (meter, edge), (9, 7), textcoords="offset points", color=colour, va="bottom")
    axes.set_title("House edge of a bet, by the meter it plays for", loc="left", fontweight="bold")
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
    axes.set_ylim(min(edges[1] * 1.12, -0.12), edges[0] * 1.2)
    axes.annotate("favours the house", (seed, 0), (6, 8), textcoords="offset points", color=HOUSE)
    favours: Any = {"textcoords": "offset points", "color": PLAYER, "ha": "right", "va": "top"}
    axes.annotate("favours the player", (most, 0), (-8, -8), **favours)


def _distribution(axes: Axes, subject: Subject, meters: Amounts) -> None:
    wager = subject.wager
    mean, deviation = float(wager.mean_meter) / 100, wager.meter_deviation / 100
    even = float(wager.break_even) / 100
    most, start = axes.get_xlim()[1], wager.parameters.seed / 100
    # The meter jumps back to the seed: an edge of a bar there shows it.
    bins = np.arange(0, most, start / max(1, round(start / most * 80)))
    heights, edges = np.histogram(meters, bins)
    parts = heights / len(meters)
    colours = [PLAYER if middle > even else HOUSE for middle in (edges[:-1] + edges[1:]) / 2]
    axes.bar(edges[:-1], parts, np.diff(edges), align="edge", color=colours, alpha=0.75, linewidth=0)
    axes.axvline(mean, color=MEAN, linewidth=1.8)
    top = float(parts.max()) * 1.16
    axes.set_ylim(0, top * 1.1)
    axes.hlines(top, max(0.0, mean - deviation), mean + deviation, color=MEAN, linewidth=1.8)
    axes.annotate(
        f"mean {mean:,.0f}, standard deviation {deviation:,.0f} (closed form)",
        (mean + deviation, top),
        (8, 0),
        textcoords="offset points",
        color=MEAN,
        va="center",
    )
    favoured = float((meters > even).mean())
    axes.annotate(
        f"{favoured * 100:.1f} % of bets are placed\nabove break-even",
        (even, float(np.interp(even, edges[:-1], parts))),
        (14, 26),
        textcoords="offset points",
        color=PLAYER,
    )
    title = f"Where bets find the meter in the long run ({len(meters):,} simulated runs)"
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_xlabel(f"meter, {subject.link.currency}")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:,.0f}"))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=1, symbol=" %"))


def _dress(figure: Figure, subject: Subject) -> None:
    for axes in figure.axes:
        axes.grid(color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(length=0)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
    link = subject.link
    figure.suptitle(
        f"{link.name}: bet {link.progressive_bet / 100:,.2f}, seed {link.seed / 100:,.0f} {link.currency},"
        f" {link.meter_ppm / 10_000:g} % to the meter",
        x=0.012,
        ha="left",
        fontsize=14,
        fontweight="bold",
    )
