"""A floor in the terminal: the meter, the tables, and majors being ordered and paid."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime

from rich.align import Align
from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from jackpot import facts
from jackpot.instants import SECOND
from jackpot.money import spoken
from jackpot.payout import clusters, prospects
from jackpot.state import Link, Table, Win, WinState
from jackpot.views import notice, reading, waiting_for

GLYPHS = {
    "0": "█▀█|█ █|▀▀▀",
    "1": "▀█ | █ |▀▀▀",
    "2": "▀▀█|█▀▀|▀▀▀",
    "3": "▀▀█| ▀█|▀▀▀",
    "4": "█ █|▀▀█|  ▀",
    "5": "█▀▀|▀▀█|▀▀▀",
    "6": "█▀▀|█▀█|▀▀▀",
    "7": "▀▀█|  █|  ▀",
    "8": "█▀█|█▀█|▀▀▀",
    "9": "█▀█|▀▀█|▀▀▀",
    ",": " | |▖",
    ".": " | |▄",
    " ": "  |  |  ",
}
HAND_NAMES = {"royal_flush": "ROYAL FLUSH", "straight_flush": "STRAIGHT FLUSH"}
STYLES = {"open": "bold bright_green", "held": "bold bright_yellow", "off": "red", "closed": "red"}


def big(figures: str, style: str) -> Text:
    glyphs = [GLYPHS.get(character, GLYPHS[" "]).split("|") for character in figures]
    lines = ["".join(f"{glyph[row]} " for glyph in glyphs) for row in range(3)]
    return Text("\n".join(lines), style=style)


def clock(instant: int) -> str:
    return datetime.fromtimestamp(instant / SECOND, tz=UTC).strftime("%H:%M:%S.%f")[:-3]


class FloorView:
    """Turns a link into a page, and facts into a feed."""

    def __init__(self, feed_lines: int = 12) -> None:
        self._feed: deque[Text] = deque(maxlen=feed_lines)

    def hear(self, entries: Iterable[facts.Entry], currency: str) -> list[Text]:
        """Lines worth telling, also kept for the page."""
        told = [line for entry in entries if (line := story_line(entry, currency)) is not None]
        self._feed.extend(told)
        return told

    def page(self, link: Link, now: int) -> Layout:
        layout = Layout()
        layout.split_column(Layout(name="meter", size=8), Layout(name="floor"), Layout(name="feed", size=14))
        layout["floor"].split_row(Layout(name="tables", ratio=5), Layout(name="queue", ratio=6))
        layout["meter"].update(_meter(link))
        layout["tables"].update(Panel(_tables(link, now), title="Tables", border_style="dim"))
        layout["queue"].update(Panel(_queue(link), title="Majors in line", border_style="dim"))
        layout["feed"].update(Panel(Group(*self._feed), title="What happened", border_style="dim"))
        return layout


def _meter(link: Link) -> Panel:
    now = reading(link)
    figure = spoken(now.value, "").strip()
    style = STYLES[now.state]
    said = "" if now.next is None else f"the next jackpot stands at {spoken(now.next, link.currency)}"
    body = Group(Align.center(big(figure, style)), Align.center(Text(said, style="yellow")))
    title = f"{link.name} · {link.currency} · {now.state}"
    return Panel(
        body, title=title, subtitle=f"journal entry {now.sequence}", border_style=style, padding=(1, 2)
    )


def _tables(link: Link, now: int) -> Grid:
    grid = Grid(expand=True, box=None, header_style="dim")
    for heading in ("table", "state", "round", "bets", "last seen", "error"):
        grid.add_column(heading, no_wrap=True)
    for table in link.tables.values():
        grid.add_row(*_table_row(link, table, now))
    return grid


def _table_row(link: Link, table: Table, now: int) -> tuple[str, ...]:
    current, contact = table.round, table.contact
    seen = "never" if contact.seen_at is None else f"{(now - contact.seen_at) / SECOND:.1f} s"
    error = "not measured" if contact.clock is None else f"{contact.clock.error / 1000:.0f} ms"
    bets = 0 if current is None else sum(box.stands for box in current.boxes.values())
    state = notice(link, table) or (table.status.value if current is None else current.state.value)
    return (
        table.setup.id,
        state.replace("_", " "),
        "" if current is None else str(current.number),
        str(bets),
        seen,
        error,
    )


def _queue(link: Link) -> RenderableType:
    if not link.queue:
        return Align.center(Text("\nnone is waiting", style="dim"))
    grid = Grid(expand=True, box=None, header_style="dim")
    for heading in ("", "hand", "table · round · box", "dealt between", "amount", "it waits for"):
        grid.add_column(heading)
    amounts = prospects(link)
    place = 0
    for cluster in clusters(link):
        waiting = waiting_for(link, cluster)
        for name in cluster.wins:
            place += 1
            win = link.queue[name]
            amount = spoken(amounts[name].amount, link.currency)
            reason = _why(link, win, waiting=waiting, decided=cluster.decided)
            grid.add_row(str(place), *_win_cells(win), amount, reason)
    return grid


def _win_cells(win: Win) -> tuple[str, str, str]:
    where = f"{win.table} · {win.round} · {win.box}"
    return HAND_NAMES[win.hand], where, f"{clock(win.interval.start)} to {clock(win.interval.end)[6:]}"


def _why(link: Link, win: Win, *, waiting: list[str], decided: bool) -> str:
    if not decided:
        return "the House's order"
    if win.state is WinState.PENDING:
        return ", ".join(waiting)
    missing = link.parameters.approvals_for(win.hand) - len(win.approvals)
    return f"{missing} approval{'s' * (missing > 1)}" if missing > 0 else "its turn"


def story_line(entry: facts.Entry, currency: str) -> Text | None:
    """What a person on the floor would say of a fact; None for the everyday."""
    line = _told(entry.fact, currency)
    return None if line is None else Text.assemble((f"{clock(entry.at)}  ", "dim"), line)


def _told(fact: facts.Fact, currency: str) -> Text | None:
    match fact:
        case facts.WinRegistered():
            return Text(
                f"{HAND_NAMES[fact.hand]} at {fact.table}, box {fact.box}: {' '.join(fact.cards)}",
                "bold yellow",
            )
        case facts.WinPaid():
            amount, after = spoken(fact.amount, currency), spoken(fact.after, currency)
            where = f"{fact.table} box {fact.box}"
            return Text(f"{where} is paid {amount}; the pool shows {after}", "bold green")
        case facts.WinsOrdered():
            return Text(
                f"the order of {', '.join(fact.wins)} is certain: no table can report an earlier one", "cyan"
            )
        case facts.OrderDecided():
            return Text(
                f"{fact.person} decides the order {' before '.join(fact.wins)}: {fact.reason}", "cyan"
            )
        case facts.WinApproved():
            return Text(f"{fact.person} approves {fact.win}")
        case facts.WinWithdrawn():
            return Text(f"{fact.win} is withdrawn: {fact.reason.replace('_', ' ')}", "magenta")
        case facts.RoundVoided():
            return Text(f"round {fact.round} at {fact.table} is void by {fact.reason}", "magenta")
        case facts.ClaimRaised():
            return Text(f"late claim {fact.claim}", "red")
    return None
