"""Pictures of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from loadtests.figures import Slice
from loadtests.soak import Sample

mpl.use("Agg")
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "load",
}


def _saved(figure: Figure, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, metadata={"Date": None})


def _latency(axes: Axes, parts: Sequence[Slice], unit: float) -> None:
    at = [part.at / unit for part in parts]
    axes.plot(at, [part.middle for part in parts], label="median")
    axes.plot(at, [part.slowest for part in parts], label="99th percentile")
    axes.set_yscale("log")
    axes.set_ylabel("a table's message, ms")
    axes.legend(frameon=False)


def load_plot(file: Path, parts: Sequence[Slice]) -> None:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 5), layout="constrained")
        rate, latency = figure.subplots(2, 1, sharex=True)
        rate.plot([part.at for part in parts], [part.rate for part in parts])
        rate.set_ylabel("requests a second")
        rate.set_ylim(bottom=0)
        _latency(latency, parts, 1)
        latency.set_xlabel("seconds")
        _saved(figure, file)


def soak_plot(file: Path, samples: Sequence[Sample], parts: Sequence[Slice]) -> None:
    minutes = [one.seconds / 60 for one in samples]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(8, 9), layout="constrained")
        memory, files, tasks, latency = figure.subplots(4, 1, sharex=True)
        for number in range(len(samples[0].replicas)):
            own = [one.replicas[number] for one in samples]
            name = f"replica {number + 1}"
            memory.plot(minutes, [one.memory for one in own], label=name)
            files.plot(minutes, [one.files for one in own], label=f"{name}, files and sockets")
            tasks.plot(minutes, [one.tasks for one in own], label=name)
        files.plot(minutes, [one.backends for one in samples], label="connections in PostgreSQL")
        for axes, what in ((memory, "memory, MB"), (files, "open"), (tasks, "tasks")):
            axes.set_ylabel(what)
            axes.set_ylim(bottom=0)
            axes.legend(frameon=False, loc="center right")
        _latency(latency, parts, 60)
        latency.set_xlabel("minutes")
        _saved(figure, file)
