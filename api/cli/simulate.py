"""`jackpot simulate`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from jackpot.simulation.run import (
    DEFAULT_STEPS,
    Report,
    never_happened,
    shortest_story,
    simulate,
)
from jackpot.simulation.stage import SimulationFailed

COVERAGE_EXPECTED_FROM = 1000
"""So many seeds are expected to show every kind of fact and every refusal."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console()


@app.command("simulate", epilog="Example: jackpot simulate --seeds 1000   or   jackpot simulate --seed 7")
def simulate_command(
    seed: Annotated[
        int | None, typer.Option(help="Run this one seed and print its journals' hashes.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many seeds to run.")] = 100,
    first: Annotated[int, typer.Option(help="The first of them.")] = 0,
    steps: Annotated[
        int, typer.Option(min=1, help="Messages and acts per seed, on the floor and in its pit.")
    ] = DEFAULT_STEPS,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Play seeded floors with unkind clocks, networks and people; check all invariants after each step."""
    numbers = [seed] if seed is not None else list(range(first, first + seeds))
    reports = [*_run_all(numbers, steps, jobs)]
    seen = sum((report.facts for report in reports), Counter())
    refused = sum((report.refusals for report in reports), Counter())
    _print_counts("Facts written", seen)
    _print_counts("Commands refused", refused)
    total = sum(report.steps for report in reports)
    console.print(f"{len(reports)} seeds, {total:,} steps, every invariant held after each.")
    if seed is not None:
        console.print(f"seed {seed}: journal {reports[0].hash}", soft_wrap=True)
        console.print(f"seed {seed}: journal of the pit {reports[0].pit_hash}", soft_wrap=True)
    _judge_coverage(seen, refused, len(reports))


def _run_all(numbers: list[int], steps: int, jobs: int) -> Iterator[Report]:
    columns = (TextColumn("simulating"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    quiet = not console.is_terminal or len(numbers) == 1
    with Progress(*columns, console=console, disable=quiet) as progress:
        task = progress.add_task("seeds", total=len(numbers))
        try:
            for report in _reports(numbers, steps, jobs):
                progress.advance(task)
                yield report
        except SimulationFailed as failure:
            progress.stop()
            _tell(failure)
            raise typer.Exit(1) from failure


def _reports(numbers: list[int], steps: int, jobs: int) -> Iterator[Report]:
    if jobs == 1 or len(numbers) == 1:
        yield from (simulate(number, steps) for number in numbers)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        for number, report in zip(
            numbers, pool.map(_attempt, numbers, repeat(steps), chunksize=4), strict=True
        ):
            yield report or simulate(number, steps)


def _attempt(number: int, steps: int) -> Report | None:
    """None for a failure: whoever asked plays the seed again, to have the story at hand."""
    try:
        return simulate(number, steps)
    except SimulationFailed:
        return None


def _tell(failure: SimulationFailed) -> None:
    console.print(f"[bold red]{failure}[/]")
    console.print(f"Looking for the shortest of {len(failure.story)} steps that shows it ...")
    story = shortest_story(failure)
    for step in story:
        console.print(f"  {step.at}  {step.doing}", soft_wrap=True, highlight=False)
    console.print(f"{len(story)} steps. Again: jackpot simulate --seed {failure.seed}")


def _print_counts(title: str, counts: Counter[str]) -> None:
    table = Table("", "times", title=title, title_justify="left", box=None)
    for name, count in sorted(counts.items()):
        table.add_row(name, f"{count:,}")
    console.print(table)


def _judge_coverage(seen: Counter[str], refused: Counter[str], runs: int) -> None:
    missing_facts, missing_refusals = never_happened(seen, refused)
    missing = [*missing_facts, *missing_refusals]
    if not missing:
        console.print("Every kind of fact and every refusal happened.")
        return
    console.print(f"Never happened: {', '.join(missing)}")
    if runs >= COVERAGE_EXPECTED_FROM:
        raise typer.Exit(1)
