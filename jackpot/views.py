"""What people and signs are shown: worked out from the state, never kept in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from jackpot.evaluator import Hand
from jackpot.ordering import Cluster, house_time
from jackpot.payout import approvals_needed, clusters, due_parameters, prospects
from jackpot.pool import Payment, payment
from jackpot.rulebook import Game
from jackpot.state import Link, Table, TableStatus, Then
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


def waiting_for(link: Link, cluster: Cluster) -> list[str]:
    """The tables in play that could still report a major dealt before the end of this cluster."""
    return [
        name
        for name, table in link.tables.items()
        if link.in_play(table) and (table.mark is None or table.mark <= cluster.end)
    ]


def royal_now(link: Link) -> Payment | None:
    """What a royal flush would be paid, and what the reset after it would take; None while a win waits."""
    if link.held:
        return None
    return payment(link.pool, due_parameters(link), Hand.ROYAL_FLUSH, waiting=(), basis=None)


def clock_error(link: Link, table: Table, *, now: int) -> int:
    """What a stamp that its clock makes now may be wrong by."""
    clock = table.contact.clock
    if clock is None:
        return link.parameters.default_clock_error
    return house_time(now - clock.offset, clock)[1]


class Obstacle(StrEnum):
    """Why a win is not paid yet."""

    TABLES_NOT_PAST = "tables_not_past"
    ORDER_AMBIGUOUS = "order_ambiguous"
    EARLIER_WIN = "earlier_win"
    APPROVALS_MISSING = "approvals_missing"


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitingWin:
    win: Win
    position: int
    """Its place in the line, from 1."""
    cluster: Cluster
    waiting_for: tuple[str, ...]
    amount: int
    """What it would be paid now in the proposed order."""
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
    tables = tuple(waiting_for(link, cluster)) if win.state is WinState.PENDING else ()
    needed = approvals_needed(link.parameters, win.hand, paid)
    present = {
        Obstacle.TABLES_NOT_PAST: bool(tables),
        Obstacle.ORDER_AMBIGUOUS: not cluster.decided,
        Obstacle.EARLIER_WIN: position > 1,
        Obstacle.APPROVALS_MISSING: len(win.approvals) < needed,
    }
    return WaitingWin(
        win=win,
        position=position,
        cluster=cluster,
        waiting_for=tables,
        amount=paid.amount,
        needed=needed,
        obstacles=tuple(one for one, there in present.items() if there),
    )


ALERTS = ("table_silent", "promise_broken", "promise_denied", "wagers_open", "void_denied")


@dataclass(frozen=True, kw_only=True, slots=True)
class Alert:
    code: str
    table: str
    since: int


def alerts(link: Link, *, now: int) -> list[Alert]:
    """Tables in play that have been silent for too long, bets that were closed before a table's mark, values
    promised by a table alone that the journal denies, and rounds that did not end whole."""
    silent = [
        Alert(code="table_silent", table=name, since=seen)
        for name, table in link.tables.items()
        if link.in_play(table)
        and (seen := table.contact.seen_at or link.created_at) < now - link.parameters.silent_after
    ]
    broken = [
        Alert(code="promise_broken", table=name, since=table.round.closed_from)
        for name, table in link.tables.items()
        if table.round is not None and table.round.promise_broken
    ]
    denied = [
        Alert(code="promise_denied", table=name, since=table.round.closed_from)
        for name, table in link.tables.items()
        if table.round is not None and table.round.promised is not None
    ]
    return silent + broken + denied + _not_whole(link)


def _not_whole(link: Link) -> list[Alert]:
    """Rounds left with wagers open, and rounds that a table voided alone though cards had been seen."""
    found = []
    for name, table in link.tables.items():
        if table.wagers_open is not None:
            found.append(Alert(code="wagers_open", table=name, since=table.wagers_open))
        if table.round is not None and table.round.void_denied:
            found.append(Alert(code="void_denied", table=name, since=table.round.closed_at))
    return found
