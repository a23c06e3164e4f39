"""A table as its display shows it to players, and its clock as the House knows it."""

from __future__ import annotations

from dataclasses import field, replace
from enum import StrEnum

from jackpot.core.records import frozen
from jackpot.games.blackjack import SideLimits
from jackpot.link.clocks import COUNTS_FOR, Offset
from jackpot.link.parameters import Parameters
from jackpot.link.state import Link, Pit, PitSetup, TableOfPlay, TableSetup
from jackpot.play.status import NOTICE_CLOSED, NOTICE_OFF, blocked_boxes, notice
from jackpot.pools.payout import scheduled_parameters


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
    minimum: int | None
    maximum: int | None
    terms: Parameters | None = None
    """By which it plays for the jackpot; None where there is none."""
    next_seed: int | None = None
    """With which the jackpot of a bet that is placed now begins again, once it is won."""
    decks: int | None = None
    """In a pit: of its shoe; and the limits of its side bets."""
    side: dict[str, SideLimits] = field(default_factory=dict)
    name: str = ""
    """By which people are shown it, if not by its id."""

    @property
    def bet(self) -> int | None:
        """The prescribed Progressive Jackpot Bet."""
        return None if self.terms is None else self.terms.progressive_bet


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
        minimum=setup.minimum,
        maximum=setup.maximum,
        terms=pit.parameters if isinstance(pit, Link) else None,
        next_seed=scheduled_parameters(pit).seed if isinstance(pit, Link) else None,
        decks=setup.decks if isinstance(setup, PitSetup) else None,
        side=setup.side if isinstance(setup, PitSetup) else {},
        name=setup.name,
    )


def out_of_order(view: TableView) -> TableView:
    """As it is shown while nothing is taken for its link, or its pit."""
    if view.state is TableState.CLOSED:
        return view
    if view.terms is None:
        return replace(view, state=TableState.CLOSED, notice=NOTICE_CLOSED)
    return replace(view, state=TableState.OFF, notice=NOTICE_OFF)


def clock_offset(link: Pit, table: TableOfPlay, *, now: int) -> Offset:
    """What the House knows now of a table's clock."""
    contact = table.contact
    if contact.era != link.broke_at:
        return Offset()
    return contact.bounds.since(now - COUNTS_FOR).offset(now)
