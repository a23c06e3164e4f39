"""What `jackpot edge` tells about a main game: figures for machines, and the same figures for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jackpot.games import GAMES, Game
from jackpot.maths.sampling import Sample, Sampled

if TYPE_CHECKING:
    from jackpot.maths.edge import Exact  # it needs NumPy, which is not everywhere

Figures = dict[str, Any]

WORDS = {"main": "of the Ante", "bonus": "of the Bonus", "optimal": "of the Ante, optimal play"}


def figures(game: Game, settled: Sampled, seed: int, exact: Exact | None) -> Figures:
    """Parts of a stake; what is exact also as a fraction."""
    samples = {"main": settled.main} | ({"bonus": settled.bonus} if settled.bonus.rounds else {})
    return {
        "game": game.value,
        "strategy": GAMES[game].strategy.words,
        "exact": None if exact is None else _exact(exact),
        "settled": {"seed": seed} | {name: _sample(each) for name, each in samples.items()},
    }


def _exact(exact: Exact) -> Figures:
    named = {"main": exact.main, "optimal": exact.optimal, "bonus": exact.bonus}
    told: Figures = {
        name: {"edge": float(edge), "fraction": str(edge)} for name, edge in named.items() if edge is not None
    }
    if exact.hands:
        told["hands"] = {kind: round(float(worth), 9) for kind, worth in exact.hands.items()}
    return told


def _sample(sample: Sample) -> Figures:
    return {"rounds": sample.rounds, "edge": float(sample.edge), "interval": list(sample.interval)}


# For people


def page(told: Figures) -> RenderableType:
    title = f"House edge of {GAMES[Game(told['game'])].name}"
    grid = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(("", "every deal", "rounds settled", "edge", "99.9 % interval")):
        grid.add_column(column, justify="right" if number else "left", no_wrap=True)
    for name, words in WORDS.items():
        cells = _counted(told, name), *_settled(told, name)
        if any(cells):
            grid.add_row(words, *cells)
    return Group(grid, Text(f"Strategy: {told['strategy']}."), *_folded(told))


def _counted(told: Figures, name: str) -> str:
    found = (told["exact"] or {}).get(name)
    return "" if found is None else _percent(found["edge"], 4)


def _settled(told: Figures, name: str) -> tuple[str, str, str]:
    found = told["settled"].get(name)
    if found is None:
        return "", "", ""
    low, high = found["interval"]
    return f"{found['rounds']:,}", _percent(found["edge"], 2), f"{_percent(low, 2)} to {_percent(high, 2)}"


def _folded(told: Figures) -> list[Text]:
    hands = (told["exact"] or {}).get("hands")
    if not hands:
        return []
    folds = ", ".join(f"{kind} ({worth:.6f})" for kind, worth in hands.items() if worth < -1)
    return [Text(f"Optimal play folds what would lose more than the Ante: {folds}.")]


def _percent(part: float, digits: int) -> str:
    return f"{part * 100:.{digits}f} %"
