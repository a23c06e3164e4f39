"""What people and signs are shown: worked out from the state, never kept in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from jackpot.clocks import COUNTS_FOR, Offset
from jackpot.evaluator import Hand
from jackpot.instants import SECOND
from jackpot.ordering import Cluster
from jackpot.parameters import Basis
from jackpot.payout import (
    approvals_needed,
    clusters,
    due_parameters,
    place_rests_on,
    prospects,
    waiting_for,
)
from jackpot.pool import Payment, payment
from jackpot.rulebook import Game
from jackpot.state import Contact, Link, Table, TableStatus, Then
from jackpot.wins import Hit, Win, WinState

NOTICE_OFF = "No Progressive Jackpot Bets are accepted or paid at this table."
NOTICE_CLOSED = "This table is closed."


class MeterState(StrEnum):
    OPEN = "open"
    HELD = "held"
    OFF = "off"
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingWin:
    win: str
    hand: Hand
    table: str
    amount: int | None
    """Known once its place in the order is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    name: str
    currency: str
    value: int
    state: MeterState
    pending: tuple[PendingWin, ...]
    next: int | None
    last_hit: Hit | None
    """The major that was paid last."""
    sequence: int
    at: int


def reading(link: Link) -> Reading:
    expected = prospects(link)
    return Reading(
        name=link.name,
        currency=link.currency,
        value=link.pool.value,
        state=meter_state(link),
        pending=tuple(_pending(link, win, payment.amount) for win, payment in expected.items()),
        next=list(expected.values())[-1].after if expected else None,
        last_hit=link.hits[-1] if link.hits else None,
        sequence=link.sequence,
        at=link.time,
    )


def _pending(link: Link, win: str, amount: int) -> PendingWin:
    found = link.queue[win]
    shown = amount if found.state is WinState.ORDERED else None
    return PendingWin(win=win, hand=found.hand, table=found.table, amount=shown)


def meter_state(link: Link) -> MeterState:
    if link.closed:
        return MeterState.CLOSED
    whole = {one.then for one in link.malfunctions.values() if one.scope.table is None}
    if whole:
        return MeterState.CLOSED if Then.CLOSE in whole else MeterState.OFF
    return MeterState.HELD if link.held else MeterState.OPEN


def table_closed(link: Link, table: Table) -> bool:
    by_malfunction = any(one.then is Then.CLOSE for one in link.malfunctions_at(table.setup.id))
    return table.status is TableStatus.CLOSED or by_malfunction


def progressive_off(link: Link, table: Table) -> bool:
    return any(one.then is Then.PROGRESSIVE_OFF for one in link.malfunctions_at(table.setup.id))


def blocked_boxes(link: Link, table: Table) -> frozenset[int]:
    return frozenset(
        one.scope.box
        for one in link.malfunctions_at(table.setup.id)
        if one.then is Then.BLOCK_BOX and one.scope.box is not None
    )


def notice(link: Link, table: Table) -> str | None:
    """What the table must show its players (S 5.18.2, H 5.17.2)."""
    if table_closed(link, table):
        return NOTICE_CLOSED
    return NOTICE_OFF if progressive_off(link, table) or link.closed else None


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


def royal_now(link: Link) -> Payment | None:
    """What a royal flush would be paid, and what the reset after it would take; None while a win waits."""
    if link.held:
        return None
    return payment(link.pool, due_parameters(link), Hand.ROYAL_FLUSH, waiting=(), basis=None)


def clock_offset(link: Link, table: Table, *, now: int) -> Offset:
    """What the House knows now of a table's clock."""
    contact = table.contact
    if contact.era != link.broke_at:
        return Offset()
    return contact.bounds.since(now - COUNTS_FOR).offset(now)


class Obstacle(StrEnum):
    """Why a win is not paid yet."""

    ROUNDS_OPEN = "rounds_open"
    ORDER_AMBIGUOUS = "order_ambiguous"
    EARLIER_WIN = "earlier_win"
    APPROVALS_MISSING = "approvals_missing"


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitingWin:
    win: Win
    position: int
    """Its place in the line, from 1."""
    cluster: Cluster
    waiting_for: dict[str, int]
    """Open rounds, by table, of which a hand may have been dealt before."""
    basis: Basis | None
    """What its place rests on; None while its order is ambiguous, or if the House decided it."""
    amount: int
    """What it would be paid now in the proposed order."""
    base: int
    """The value that is worked out from."""
    shown: int
    """What the pool would show at that moment."""
    needed: int
    obstacles: tuple[Obstacle, ...]


def waiting_wins(link: Link) -> list[WaitingWin]:
    """The line, and for each win in it everything that still keeps it from being paid."""
    expected = prospects(link)
    line = [(cluster, name) for cluster in clusters(link) for name in cluster.wins]
    return [
        _waiting(link, cluster, link.queue[name], position, expected[name])
        for position, (cluster, name) in enumerate(line, start=1)
    ]


def _waiting(link: Link, cluster: Cluster, win: Win, position: int, paid: Payment) -> WaitingWin:
    rounds = waiting_for(link, cluster) if win.state is WinState.PENDING else {}
    needed = approvals_needed(link, win, paid)
    present = {
        Obstacle.ROUNDS_OPEN: bool(rounds),
        Obstacle.ORDER_AMBIGUOUS: not cluster.decided,
        Obstacle.EARLIER_WIN: position > 1,
        Obstacle.APPROVALS_MISSING: len(win.approvals) < needed,
    }
    return WaitingWin(
        win=win,
        position=position,
        cluster=cluster,
        waiting_for=rounds,
        basis=place_rests_on(link, win.id),
        amount=paid.amount,
        base=paid.base,
        shown=paid.before,
        needed=needed,
        obstacles=tuple(one for one, there in present.items() if there),
    )


ALERTS = ("table_silent", "clock_set", "dealt_outside", "promise_denied", "wagers_open", "void_denied")
"""Of tables."""
ALERTED_FOR = 600 * SECOND
"""What a table did at one moment is said for so long."""
HOUSE_CLOCK = "house_clock"


@dataclass(frozen=True, kw_only=True, slots=True)
class Alert:
    code: str
    table: str | None
    """None: it is about the whole house."""
    since: int
    detail: str | None = None
    """What the code alone does not tell, in words."""


def clock_alerts(differs_since: int | None) -> list[Alert]:
    """House time is not the server's clock: that was set, or is wrong."""
    return [] if differs_since is None else [Alert(code=HOUSE_CLOCK, table=None, since=differs_since)]


def alerts(link: Link, *, now: int) -> list[Alert]:
    """Tables in play that have been silent for too long; clocks that were set and deals that cannot have been
    when their table says; values promised by a table alone that the journal denies; and rounds that did not
    end whole."""
    silent = [
        Alert(code="table_silent", table=name, since=seen)
        for name, table in link.tables.items()
        if link.in_play(table)
        and (seen := table.contact.seen_at or link.created_at) < now - link.parameters.silent_after
    ]
    lately = [
        Alert(code=code, table=name, since=since)
        for name, table in link.tables.items()
        for code, since in _of_time(table.contact)
        if since is not None and since > now - ALERTED_FOR
    ]
    denied = [
        Alert(code="promise_denied", table=name, since=table.round.dealt_from)
        for name, table in link.tables.items()
        if table.round is not None and table.round.promised is not None
    ]
    return silent + lately + denied + _not_whole(link)


def _of_time(contact: Contact) -> tuple[tuple[str, int | None], ...]:
    return ("clock_set", contact.clock_set_at), ("dealt_outside", contact.dealt_outside_at)


def _not_whole(link: Link) -> list[Alert]:
    """Rounds left with wagers open, and rounds that a table voided alone though cards had been seen."""
    found = []
    for name, table in link.tables.items():
        if table.wagers_open is not None:
            found.append(Alert(code="wagers_open", table=name, since=table.wagers_open))
        if table.round is not None and table.round.void_denied:
            found.append(Alert(code="void_denied", table=name, since=table.round.dealt_from))
    return found
