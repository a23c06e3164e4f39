"""A table as its display shows it to players, and its clock as the House knows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from jackpot.games.rulebook import Game
from jackpot.link.clocks import COUNTS_FOR, Offset
from jackpot.link.state import Link, Table
from jackpot.play.status import NOTICE_CLOSED, NOTICE_OFF, blocked_boxes, notice


class TableState(StrEnum):
    OPEN = "open"
    OFF = "off"
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True, slots=True)
class TableView:
    """What a table's display tells its players besides the meter."""

    table: str
    game: Game
    boxes: int
    state: TableState
    notice: str | None
    blocked: tuple[int, ...]
    bet: int
    """The prescribed Progressive Jackpot Bet."""
    minimum: int | None
    maximum: int | None


def table_view(link: Link, table: Table) -> TableView:
    setup, told = table.setup, notice(link, table)
    states = {None: TableState.OPEN, NOTICE_OFF: TableState.OFF, NOTICE_CLOSED: TableState.CLOSED}
    return TableView(
        table=setup.id,
        game=setup.game,
        boxes=setup.boxes,
        state=states[told],
        notice=told,
        blocked=tuple(sorted(blocked_boxes(link, table))),
        bet=link.parameters.progressive_bet,
        minimum=setup.minimum,
        maximum=setup.maximum,
    )


def out_of_order(view: TableView) -> TableView:
    """As it is shown while nothing is taken for its link."""
    if view.state is TableState.CLOSED:
        return view
    return replace(view, state=TableState.OFF, notice=NOTICE_OFF)


def clock_offset(link: Link, table: Table, *, now: int) -> Offset:
    """What the House knows now of a table's clock."""
    contact = table.contact
    if contact.era != link.broke_at:
        return Offset()
    return contact.bounds.since(now - COUNTS_FOR).offset(now)
