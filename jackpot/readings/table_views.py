"""A table as its display shows it to players, and its clock as the House knows it."""

from __future__ import annotations

from dataclasses import field, replace
from enum import StrEnum

from jackpot.core.records import frozen
from jackpot.games.blackjack import SideLimits
from jackpot.link.awards import Awards
from jackpot.link.clocks import COUNTS_FOR, Offset
from jackpot.link.state import Link, Pit, PitSetup, TableOfPlay, TableSetup
from jackpot.play.status import NOTICE_CLOSED, NOTICE_OFF, blocked_boxes, notice


class TableState(StrEnum):
    OPEN = "open"
    OFF = "off"
    CLOSED = "closed"


@frozen(kw_only=True)
class TableView:
    """What a table's display tells its players besides the meter."""

    table: str
    game: str
    """Its name on the wire."""
    boxes: int
    state: TableState
    notice: str | None
    blocked: tuple[int, ...]
    bet: int | None
    """The prescribed Progressive Jackpot Bet; None where there is no jackpot."""
    minimum: int | None
    maximum: int | None
    awards: Awards | None = None
    """What its hands win; None where there is no jackpot."""
    decks: int | None = None
    """In a pit: of its shoe; and the limits of its side bets."""
    side: dict[str, SideLimits] = field(default_factory=dict)
    name: str = ""
    """By which people are shown it, if not by its id."""


def table_view(pit: Pit, table: TableOfPlay) -> TableView:
    setup, told = table.setup, notice(pit, table)
    states = {None: TableState.OPEN, NOTICE_OFF: TableState.OFF, NOTICE_CLOSED: TableState.CLOSED}
    return TableView(
        table=setup.id,
        game=setup.game.value if isinstance(setup, TableSetup | PitSetup) else "",
        boxes=setup.boxes,
        state=states[told],
        notice=told,
        blocked=tuple(sorted(blocked_boxes(pit, table))),
        bet=pit.parameters.progressive_bet if isinstance(pit, Link) else None,
        minimum=setup.minimum,
        maximum=setup.maximum,
        awards=pit.parameters.awards if isinstance(pit, Link) else None,
        decks=setup.decks if isinstance(setup, PitSetup) else None,
        side=setup.side if isinstance(setup, PitSetup) else {},
        name=setup.name,
    )


def out_of_order(view: TableView) -> TableView:
    """As it is shown while nothing is taken for its link, or its pit."""
    if view.state is TableState.CLOSED:
        return view
    if view.bet is None:
        return replace(view, state=TableState.CLOSED, notice=NOTICE_CLOSED)
    return replace(view, state=TableState.OFF, notice=NOTICE_OFF)


def clock_offset(link: Pit, table: TableOfPlay, *, now: int) -> Offset:
    """What the House knows now of a table's clock."""
    contact = table.contact
    if contact.era != link.broke_at:
        return Offset()
    return contact.bounds.since(now - COUNTS_FOR).offset(now)
