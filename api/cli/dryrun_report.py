"""What a dry run has found, as `jackpot dryrun` prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from api.dryruns.picture import changes_said
from jackpot.core.money import figures

Json = dict[str, Any]
MOST_ROWS = 40
"""Of the payments and of the crossings: a file has all of them."""
_FIGURES: tuple[tuple[str, Callable[[Json], int]], ...] = (
    ("Meter at the end", lambda side: side["ended"]["meter"]),
    ("Highest meter", lambda side: side["highest"]),
    ("Carryover", lambda side: side["ended"]["carryover"]),
    ("Reserve", lambda side: side["ended"]["reserve"]),
    ("Overflow", lambda side: side["ended"]["overflow"]),
    ("House", lambda side: side["ended"]["house"]),
    ("Prizes", lambda side: side["ended"]["prizes"]),
    ("Majors and claims paid", lambda side: side["majors"]),
    ("Minors paid", lambda side: side["minors"]),
    ("Break-even", lambda side: side["break_even"]),
)
_COUNTS: tuple[tuple[str, Callable[[Json], int]], ...] = (
    ("Resets", lambda side: side["resets"]),
    ("Times past break-even", lambda side: sum(one["above"] for one in side["crossings"])),
    ("Wins still waiting", lambda side: len(side["waiting"])),
)


def report(told: Json) -> Iterator[RenderableType]:
    entries = f"{told['last'] - told['first'] + 1:,} entries, {told['from'][:16]} to {told['to'][:16]} UTC"
    yield Text(f"{told['name']} ({told['link']}): {entries}", "bold")
    yield Text(f"Changed: {changes_said(told['changed'], told['currency'])}")
    yield _figures(told)
    yield from _payments(told)
    yield from _crossings(told)
    yield Text("What this cannot know, and what it assumes" if not told["proved"] else "Proof", "bold")
    for note in told["notes"]:
        yield Padding(Text(f"- {note}"), (0, 0, 0, 2))


def _figures(told: Json) -> Table:
    currency = told["currency"]
    table = Table(title=f"Figures, {currency}", title_justify="left", box=SIMPLE_HEAD)
    _columns(table, "", then="Then", so="So", difference="Difference")
    for name, of in _FIGURES:
        then, so = of(told["then"]), of(told["so"])
        table.add_row(name, figures(then, currency), figures(so, currency), _signed(so - then, currency))
    for name, of in _COUNTS:
        then, so = of(told["then"]), of(told["so"])
        table.add_row(name, f"{then:,}", f"{so:,}", f"{so - then:+,}" if so != then else "")
    return table


def _columns(table: Table, *left: str, **right: str) -> None:
    for name in left:
        table.add_column(name, no_wrap=True)
    for name in right.values():
        table.add_column(name, justify="right", no_wrap=True)


def _signed(amount: int, currency: str) -> str:
    return f"{'+' if amount > 0 else ''}{figures(amount, currency)}" if amount else ""


def _payments(told: Json) -> Iterator[RenderableType]:
    several, currency = told["payments"], told["currency"]
    if not several:
        yield Text("No major was paid, then or so.")
        return
    table = Table(title="Payments, then and so", title_justify="left", box=SIMPLE_HEAD)
    _columns(table, "Win (table.round.box)", "Hand", then="Then", so="So", difference="Difference")
    for one in several[:MOST_ROWS]:
        hand = (one["hand"] or "").replace("_", " ") + (", late claim" if one["claim"] else "")
        amounts = [
            "" if one[side] is None else figures(one[side]["amount"], currency) for side in ("then", "so")
        ]
        table.add_row(one["win"], hand, *amounts, _signed(one["difference"], currency))
    yield table
    yield from _more(len(several), "payments")


def _crossings(told: Json) -> Iterator[RenderableType]:
    several = sorted(
        ((one["at"], side, one) for side in ("then", "so") for one in told[side]["crossings"]),
        key=lambda one: (one[0], one[1]),
    )
    if not several:
        return
    title = "When a bet began or ceased to favour its player"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    _columns(table, "Time (UTC)", "Side", "", value="Displayed", even="Break-even")
    for at, side, one in several[:MOST_ROWS]:
        which = "above" if one["above"] else "below"
        values = [figures(one[name], told["currency"]) for name in ("value", "break_even")]
        table.add_row(at[:19], side, which, *values)
    yield table
    yield from _more(len(several), "crossings")


def _more(count: int, what: str) -> Iterator[RenderableType]:
    if count > MOST_ROWS:
        yield Text(f"{count - MOST_ROWS:,} more {what} are in the file of --json.", "dim")
