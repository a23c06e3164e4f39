"""`make bench`: measure, print, and write docs/benchmarks*.md. With names, only these parts."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.progress import Progress

from jackpot.cards.chances import MadeOf, chances
from jackpot.cards.evaluator import Hand
from tests.bench import book, dryrun, faults, messages, report, settlement, signs, size, start, verify
from tests.bench import evaluator as bench
from tests.bench.proof import import_cost, lines_cost, seven_card_counts
from tests.bench.timing import machine

PARTS: dict[str, Any] = {
    "book": book,
    "dryrun": dryrun,
    "faults": faults,
    "messages": messages,
    "report": report,
    "settlement": settlement,
    "signs": signs,
    "size": size,
    "start": start,
    "verify": verify,
}
PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
CLAIMS = (
    (bench.UNCHECKED, "eval7", 1.8),
    (bench.UNCHECKED, "treys", 2.7),
    (bench.CHECKED, "eval7", 1.4),
    (bench.CHECKED, "treys", 2.2),
    (bench.STRINGS, "treys, from strings", 4.0),
    (bench.BULK_CHECKED, "eval7", 20.0),
)


def main() -> None:
    console = Console()
    wanted = sys.argv[1:] or ["evaluator", *PARTS]
    if "evaluator" in wanted:
        _evaluators(console)
    for name, part in PARTS.items():
        if name in wanted:
            page = part.main(console.print)
            part.PAGE.write_text(page)
            console.print(page, markup=False, highlight=False, soft_wrap=True)


def _evaluators(console: Console) -> None:
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("evaluators, in turns", total=None)
        found = bench.measured()
        bar.update(task, description="imports and lines")
        seconds, megabytes = import_cost()
        lines = lines_cost()
        bar.update(task, description="all 133,784,560 deals of seven cards", total=1.0)
        began = perf_counter()
        sevens = seven_card_counts(lambda done: bar.update(task, completed=done))
        taken = perf_counter() - began
    others = (
        f"- Importing the evaluator: {seconds:.3f} s and {megabytes:.1f} MB (medians of fresh processes).\n"
        f"- `jackpot evaluate -` on all 2,598,960 hands, its start included: {lines:.1f} s.\n"
    )
    page = "\n".join(
        [_head(), _rates(found), _ratios(found), "## Beside that\n", others, _sevens(sevens, taken)]
    )
    PAGE.write_text(page)
    console.print(page, markup=False, highlight=False, soft_wrap=True)


def _head() -> str:
    peers = ", ".join(f"{peer} {version(peer)}" for peer in bench.PEERS)
    return (
        "# Benchmarks\n\n"
        f"Written by `make bench`; run it for the figures of another machine. This one: {machine()},"
        f" NumPy {version('numpy')}. Beside ours: {peers}.\n\n"
        f"{bench.HANDS:,} random hands (bulk: {bench.BULK_HANDS:,}), one call a hand, the contestants in"
        f" turns, medians of {bench.TURNS} turns.\n\n"
        "Checked means that an unknown card, a card held twice and a wrong number of cards are refused."
        " None of the others looks for a card held twice.\n"
    )


def _rates(found: dict[str, float]) -> str:
    rows = [f"| {name} | {rate / 1e6:.2f} |" for name, rate in found.items()]
    return "\n".join(["## Millions of hands a second\n", "| | |", "|---|---:|", *rows, ""])


def _ratios(found: dict[str, float]) -> str:
    rows = [
        f"| {ours} | {other} | {found[ours] / found[other]:.2f} | {least} |" for ours, other, least in CLAIMS
    ]
    head = ["## Ratios\n", "| ours | other | times as fast | we aim for |", "|---|---|---:|---:|"]
    return "\n".join([*head, *rows, ""])


def _sevens(counted: dict[Hand, int], taken: float) -> str:
    exact = chances(MadeOf.BEST_OF_SEVEN).ways
    agree = "equal to" if counted == dict(exact) else "NOT EQUAL TO"
    rows = [f"| {hand.replace('_', ' ')} | {counted[hand]:,} |" for hand in reversed(Hand)]
    head = [
        f"## The best of seven, all {sum(counted.values()):,} deals\n",
        f"Evaluated in bulk in {taken:.0f} s, {agree} the counts in `jackpot/cards/chances.py`.\n",
        "| hand | deals |",
        "|---|---:|",
    ]
    return "\n".join([*head, *rows, ""])


if __name__ == "__main__":
    main()
