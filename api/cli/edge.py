"""`jackpot edge`."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from api.cli.edge_report import Figures, figures, page
from jackpot.games import GAMES, Game
from jackpot.maths.sampling import Sampled, sampled

if TYPE_CHECKING:
    from jackpot.maths.edge import Exact

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
PLAYED = {rulebook.short: game for game, rulebook in GAMES.items()}
Played = StrEnum("Played", list(PLAYED))  # type: ignore[misc]  # its members are what GAMES lists


@app.command(epilog="Example: jackpot edge --game holdem --exact --keep edge.json")
def edge(
    game: Annotated[Played, typer.Option(help="Whose main game.")],
    *,
    rounds: Annotated[
        int, typer.Option(min=100, max=1_000_000_000, help="Rounds that are dealt and settled.")
    ] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the deals.")] = 1,
    exact: Annotated[
        bool, typer.Option("--exact", help="Count every deal too: seconds for stud, minutes for holdem.")
    ] = False,
    keep: Annotated[Path | None, typer.Option(help="Write the figures as JSON into this file too.")] = None,
) -> None:
    """What the main game costs a player with a simple strategy: by rounds settled, and by every deal."""
    asked = PLAYED[game]
    with Progress(console=Console(stderr=True), transient=True) as bar:
        counted = _counted(asked, bar) if exact else None
        told = figures(asked, _settled(asked, rounds, seed, bar), seed, counted)
    Console().print(page(told))
    if keep is not None:
        _keep(told, keep)


def _settled(game: Game, rounds: int, seed: int, bar: Progress) -> Sampled:
    task = bar.add_task("settling rounds", total=rounds)
    return sampled(game, _decks(game, seed), rounds, lambda done: bar.update(task, completed=done))


def _decks(game: Game, seed: int) -> Iterator[list[int]]:
    dealer = random.Random(seed)  # noqa: S311  reproducible deals, no secret
    while True:
        yield dealer.sample(range(52), GAMES[game].dealt.to_one_box)


def _counted(game: Game, bar: Progress) -> Exact:
    task = bar.add_task("counting every deal", total=1.0)
    try:
        from jackpot.maths.edge import counted

        return counted(game, lambda done: bar.update(task, completed=done))
    except ModuleNotFoundError as missing:
        typer.echo(f"Not counted: {missing.name} is needed (pip install 'multilink-jackpot[math]')", err=True)
        raise typer.Exit(1) from missing


def _keep(told: Figures, file: Path) -> None:
    try:
        file.write_text(json.dumps(told, indent=2) + "\n")
    except OSError as error:
        typer.echo(f"Not kept: {error}", err=True)
        raise typer.Exit(1) from error
