"""`jackpot odds`."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from api.cli.failures import bad_input
from api.cli.odds_report import Figures, Subject, figures, page
from api.floor.file import Floor, LinkEntry, read_floor
from jackpot.core.refusals import ParameterWrong, Refused
from jackpot.maths.odds import Pace, Wager

if TYPE_CHECKING:
    from jackpot.maths.forecast import Forecast

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(epilog="Example: jackpot odds --floor docs/floor.example.toml --plot odds.svg")
def odds(
    floor: Annotated[Path, typer.Option(help="The floor file.", envvar="JACKPOT_FLOOR")],
    *,
    link: Annotated[str | None, typer.Option(help="Only this link.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Figures for machines.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw one link into this SVG or PNG file.")] = None,
    rounds: Annotated[float, typer.Option(min=0.1, help="Rounds an hour at a table.")] = 40,
    playing: Annotated[float, typer.Option(min=0.001, max=1, help="Part of the boxes that bet.")] = 0.5,
    hours: Annotated[float, typer.Option(min=0.1, max=24, help="Hours of play a day.")] = 20,
    days: Annotated[int, typer.Option(min=1, max=3660, help="Days to simulate.")] = 365,
    runs: Annotated[int, typer.Option(min=0, max=1_000_000, help="Simulated runs; 0 for none.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulation.")] = 1,
) -> None:
    """What the jackpot of a floor gives back, costs and may come to owe."""
    try:
        read = read_floor(floor)
        asked = [_subject(read, each, rounds, playing, hours, days) for each in _links(read, link)]
        if plot is not None:
            _check_plot(plot, asked)
    except Refused as refused:
        raise bad_input(refused) from refused
    told = [figures(subject, _simulated(subject, runs, seed)) for subject in asked]
    _tell(told, as_json=as_json)
    if plot is not None:
        _draw(asked[0], plot, seed)


def _links(floor: Floor, wanted: str | None) -> list[LinkEntry]:
    found = [link for link in floor.link if wanted in (None, link.id) and floor.tables_of(link.id)]
    if not found:
        raise ParameterWrong("no such link, or no table plays on it", field="link")
    return found


def _subject(
    floor: Floor, link: LinkEntry, rounds: float, playing: float, hours: float, days: int
) -> Subject:
    tables = floor.tables_of(link.id)
    boxes = Fraction(sum(table.boxes for table in tables), len(tables))
    pace = Pace(
        tables=len(tables),
        bets_per_round=boxes * _exactly(playing),
        rounds_per_hour=_exactly(rounds),
        hours_per_day=_exactly(hours),
    )
    return Subject(
        link=link,
        wager=Wager(parameters=link.parameters),
        pace=pace,
        days=days,
        boxes=tuple(table.boxes for table in tables),
    )


def _exactly(number: float) -> Fraction:
    """As it was written: 0.1 is a tenth."""
    return Fraction(str(number))


def _check_plot(file: Path, asked: list[Subject]) -> None:
    if len(asked) != 1:
        raise ParameterWrong("a plot shows one link: name it with --link", field="link")
    if file.suffix.lower() not in (".svg", ".png"):
        raise ParameterWrong(f"{file}: a plot is an .svg or .png file", field="plot")


def _simulated(subject: Subject, runs: int, seed: int) -> Forecast | None:
    if not runs:
        return None
    try:
        from jackpot.maths.forecast import forecast
    except ModuleNotFoundError as missing:
        typer.echo(f"Not simulated: {_needed(missing)}", err=True)
        return None
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"simulating link {subject.link.id}", total=1.0)
        return forecast(
            subject.wager,
            bets=subject.bets,
            runs=runs,
            seed=seed,
            progress=lambda done: bar.update(task, completed=done),
        )


def _tell(told: list[Figures], *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"links": told}, indent=2))
        return
    console = Console()
    for each in told:
        console.print(page(each))


def _draw(subject: Subject, file: Path, seed: int) -> None:
    try:
        from api.cli.odds_plot import draw
    except ModuleNotFoundError as missing:
        typer.echo(f"Not drawn: {_needed(missing)}", err=True)
        raise typer.Exit(1) from missing
    draw(subject, file, seed=seed)
    typer.echo(f"drawn to {file}", err=True)


def _needed(missing: ModuleNotFoundError) -> str:
    return f"{missing.name} is needed (pip install 'multilink-jackpot[math]')"
