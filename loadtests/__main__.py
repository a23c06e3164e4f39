"""`python -m loadtests run` and `python -m loadtests soak`."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from loadtests.figures import Limits
from loadtests.house import FloorFailed, House
from loadtests.plan import Plan, PlanWrong, Shape, checked
from loadtests.plots import load_plot, soak_plot
from loadtests.report import Outcome, kinds_table, load_page, soak_page, summary_table, trends_table
from loadtests.running import grown, long_run_trends, run
from loadtests.soak import Sample, watch

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)
console = Console()
MINUTE = 60.0
TOLD_TO_END = 128 + signal.SIGTERM

Tables = Annotated[int, typer.Option(help="Half of them play Casino Stud, half Texas Hold'em.")]
Rate = Annotated[float, typer.Option(help="Rounds a second, of the whole floor.")]
Signs = Annotated[int, typer.Option(help="That poll every second; as many again hold a stream.")]
Majors = Annotated[float, typer.Option(help="Seconds between two rigged majors.")]
Slowest = Annotated[float, typer.Option(help="Milliseconds that one request in a hundred may exceed.")]
Errors = Annotated[int, typer.Option(min=0, help="How many may fail.")]
Report = Annotated[
    Path | None, typer.Option(help="Where the page and its picture are written; default: a new folder.")
]


@app.command("run", epilog="Example: python -m loadtests run --shape burst --tables 50")
def run_command(
    shape: Annotated[
        Shape,
        typer.Option(help="shift: tables close and open in waves; burst: all spools come back at once."),
    ] = Shape.STEADY,
    seconds: Annotated[float, typer.Option(help="How long the floor plays.")] = 60.0,
    tables: Tables = 40,
    rate: Rate = 12.0,
    signs: Signs = 40,
    majors_every: Majors = 10.0,
    slowest_ms: Slowest = 2_000.0,
    slowest_replay_ms: Annotated[float, typer.Option(help="The same for a part of a spool.")] = 15_000.0,
    errors: Errors = 0,
    report: Report = None,
) -> None:
    """PostgreSQL, Redis, two replicas and a floor; exit 1 if anything is lost, refused, stale or slow."""
    plan = _plan(
        shape=shape, seconds=seconds, tables=tables, rate=rate, signs=signs, majors_every=majors_every
    )
    limits = Limits(errors=errors, slowest=slowest_ms, slowest_replay=slowest_replay_ms)
    found = _run(plan, limits, max(1.0, seconds / 60))
    where = report or plan.folder
    load_plot(where / "images" / "load.svg", found.slices)
    _finish(found, where / "load-report.md", load_page(found))


@app.command("soak", epilog="Example: python -m loadtests soak --minutes 60 --report docs")
def soak_command(
    minutes: Annotated[float, typer.Option(min=1, help="How long the floor plays.")] = 60.0,
    tables: Tables = 20,
    rate: Rate = 5.0,
    signs: Signs = 20,
    majors_every: Majors = 5.0,
    sample_every: Annotated[float, typer.Option(min=1, help="Seconds between two looks.")] = 10.0,
    latency_ratio: Annotated[float, typer.Option(help="The median's end to its start, at most.")] = 1.5,
    slowest_ms: Slowest = 5_000.0,
    errors: Errors = 0,
    report: Report = None,
) -> None:
    """A moderate floor for long; exit 1 if memory, connections, tasks or latency grow, or something fails."""
    plan = _plan(seconds=minutes * MINUTE, tables=tables, rate=rate, signs=signs, majors_every=majors_every)
    samples: list[Sample] = []

    def look(served: House, floor: subprocess.Popen[bytes]) -> None:
        samples.extend(watch(served, floor, sample_every, _tell))

    limits = Limits(errors=errors, slowest=slowest_ms)
    found = _run(plan, limits, min(MINUTE, plan.seconds / 12), look)
    trends = long_run_trends(found, samples)
    found.failures.extend(grown(trends, latency_ratio))
    console.print(trends_table(trends))
    where = report or plan.folder
    soak_plot(where / "images" / "soak.svg", samples, found.slices)
    _finish(found, where / "soak.md", soak_page(found, samples, trends))


def _plan(**said: Any) -> Plan:
    try:
        return checked(Plan(folder=Path(tempfile.mkdtemp(prefix="jackpot-load-")), **said))
    except PlanWrong as wrong:
        raise typer.BadParameter(str(wrong)) from wrong


def _run(plan: Plan, *how: Any) -> Outcome:
    console.print(f"{plan.tables} tables, {plan.seconds:.0f} s, {plan.shape}; everything is in {plan.folder}")
    signal.signal(signal.SIGTERM, _end)
    try:
        return run(plan, *how)
    except FloorFailed as failed:
        console.print(f"[bold red]{failed}[/]")
        raise typer.Exit(1) from failed


def _end(*_: object) -> None:
    """The servers end too, however often it is told."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(TOLD_TO_END)


def _tell(one: Sample) -> None:
    held = ", ".join(f"{own.memory:.0f} MB {own.files} files {own.tasks} tasks" for own in one.replicas)
    console.print(f"{one.seconds:6.0f} s  {held}, {one.backends} in PostgreSQL, load {one.load:.1f}")


def _finish(found: Outcome, file: Path, page: str) -> None:
    file.write_text(page)
    console.print(kinds_table(found), summary_table(found))
    console.print(f"written to {file}")
    for failure in found.failures:
        console.print(f"[bold red]{failure}[/]", soft_wrap=True)
    if found.failures:
        raise typer.Exit(1)
    console.print("[bold green]passed[/]")


if __name__ == "__main__":
    app()
