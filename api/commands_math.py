"""`jackpot evaluate` and `jackpot odds`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from api.floor import Floor, LinkEntry, read_floor
from api.odds_report import Figures, Subject, figures, page
from jackpot.cards import parse_all
from jackpot.evaluator import CLASSES, best_of_seven, hand_of, strength_of_names
from jackpot.hands import PERCENT_OF_POOL, TIMES_THE_BET
from jackpot.odds import Pace, Wager
from jackpot.refusals import CardUnknown, ParameterWrong, Refused

if TYPE_CHECKING:
    from jackpot.forecast import Forecast

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_BAD_INPUT = 2
_LINES_AT_ONCE = 4096


@app.command(epilog="Example: jackpot evaluate Ah Kh Qh Jh Th   or   jackpot evaluate - < hands.txt")
def evaluate(
    cards: Annotated[
        list[str], typer.Argument(help="Five cards, or seven for the best five; - reads lines.")
    ],
) -> None:
    """Name a hand and its strength among all 7,462. With -, a hand a line from standard input, at speed."""
    try:
        if cards == ["-"]:
            sys.stdout.writelines(evaluated(sys.stdin))
        else:
            typer.echo(_described(cards))
    except Refused as refused:
        sys.stdout.flush()
        raise _failed(refused) from refused
    except UnicodeDecodeError as error:
        raise _failed(CardUnknown("standard input is not text", field="cards")) from error


def evaluated(lines: Iterable[str]) -> Iterator[str]:
    """The name and strength of the hand on each line; blank lines are passed over."""
    answers = ["", *(f"{hand_of(number)} {number}\n" for number in range(1, CLASSES + 1))]
    several, begun = iter(lines), 0
    while chunk := list(islice(several, _LINES_AT_ONCE)):
        try:
            yield "".join([answers[strength_of_names(line.split())] for line in chunk if not line.isspace()])
        except Refused:
            yield from _up_to_the_wrong_one(chunk, begun, answers)
        begun += len(chunk)


def _up_to_the_wrong_one(chunk: list[str], begun: int, answers: list[str]) -> Iterator[str]:
    for number, line in enumerate(chunk, begun + 1):
        try:
            if not line.isspace():
                yield answers[strength_of_names(line.split())]
        except Refused as refused:
            refused.message = f"line {number}: {refused.message}"
            raise


def _described(cards: list[str]) -> str:
    seven = len(cards) == 7
    strength = best_of_seven(parse_all(cards)) if seven else strength_of_names(cards)
    hand = hand_of(strength)
    best = "the best five of seven are a hand " if seven else ""
    told = f"{hand.replace('_', ' ')}, {best}of strength {strength:,} of {CLASSES:,}"
    if seven:
        return told
    if hand in PERCENT_OF_POOL:
        return f"{told}; a major: {PERCENT_OF_POOL[hand]} % of the jackpot"
    return f"{told}; a minor: {TIMES_THE_BET[hand]} for 1" if hand in TIMES_THE_BET else told


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
        raise _failed(refused) from refused
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
    return Subject(link=link, wager=Wager(parameters=link.parameters), pace=pace, days=days)


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
        from jackpot.forecast import forecast
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
        from api.odds_plot import draw
    except ModuleNotFoundError as missing:
        typer.echo(f"Not drawn: {_needed(missing)}", err=True)
        raise typer.Exit(1) from missing
    draw(subject, file, seed=seed)
    typer.echo(f"drawn to {file}", err=True)


def _needed(missing: ModuleNotFoundError) -> str:
    return f"{missing.name} is needed (pip install 'multilink-jackpot[math]')"


def _failed(refused: Refused) -> typer.Exit:
    typer.echo(f"{refused.code}: {refused.message}", err=True)
    return typer.Exit(_BAD_INPUT)
