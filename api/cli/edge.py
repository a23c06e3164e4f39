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

from api.cli import edge_blackjack
from api.cli.edge_report import Figures, figures, page
from jackpot.games import GAMES, Game
from jackpot.games.blackjack import BLACKJACK_GAMES, BlackjackRules
from jackpot.maths.blackjack_sampling import sampled_game
from jackpot.maths.sampling import Sampled, sampled

if TYPE_CHECKING:
    from jackpot.maths.edge import Exact

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
BLACKJACK = {rules.short: rules for rules in BLACKJACK_GAMES.values()}
PLAYED = {book.short: game for game, book in GAMES.items() if book.short not in BLACKJACK}
Played = StrEnum("Played", [*PLAYED, *BLACKJACK])  # type: ignore[misc]  # its members are the games' names
DECKS = 8
"""Of blackjack, unless it is said."""


@app.command(epilog="Example: jackpot edge --game holdem --exact --keep edge.json")
def edge(
    game: Annotated[Played, typer.Option(help="Whose main game.")],
    *,
    rounds: Annotated[
        int, typer.Option(min=100, max=1_000_000_000, help="Rounds that are dealt and settled.")
    ] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the deals.")] = 1,
    decks: Annotated[
        int | None, typer.Option(help=f"Decks in the shoe; blackjack only. [default: {DECKS}]")
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Count every deal too: seconds for stud, minutes for holdem, side bets of blackjack.",
        ),
    ] = False,
    keep: Annotated[Path | None, typer.Option(help="Write the figures as JSON into this file too.")] = None,
) -> None:
    """What the main game costs a player with a simple strategy: by rounds settled, and by every deal."""
    with Progress(console=Console(stderr=True), transient=True) as bar:
        if game in BLACKJACK:
            rules = BLACKJACK[game]
            told = _blackjack(rules, _allowed(rules, decks), rounds, seed, bar, exact=exact)
        else:
            _one_deck(game, decks)
            told = _poker(PLAYED[game], rounds, seed, bar, exact=exact)
    Console().print(edge_blackjack.page(told) if game in BLACKJACK else page(told))
    if keep is not None:
        _keep(told, keep)


def _allowed(rules: BlackjackRules, decks: int | None) -> int:
    if decks is None:
        return DECKS
    if decks not in rules.decks:
        least, most = rules.decks[0], rules.decks[-1]
        raise typer.BadParameter(
            f"{rules.name} is dealt from {least} to {most} decks ({rules.paragraphs.decks}), not {decks}",
            param_hint="--decks",
        )
    return decks


def _one_deck(game: str, decks: int | None) -> None:
    if decks is not None:
        raise typer.BadParameter(
            f"{game} is dealt from one deck; only blackjack has more", param_hint="--decks"
        )


def _blackjack(
    rules: BlackjackRules, decks: int, rounds: int, seed: int, bar: Progress, *, exact: bool
) -> Figures:
    task = bar.add_task("settling rounds", total=rounds)
    dealer = random.Random(seed)  # noqa: S311  reproducible deals, no secret
    settled = sampled_game(rules, decks, dealer, rounds, lambda done: bar.update(task, completed=done))
    return edge_blackjack.figures(rules, decks, seed, settled, exact=exact)


def _poker(game: Game, rounds: int, seed: int, bar: Progress, *, exact: bool) -> Figures:
    counted = _counted(game, bar) if exact else None
    return figures(game, _settled(game, rounds, seed, bar), seed, counted)


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
