"""What people and signs are shown: worked out from the state, never kept in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from jackpot import pool
from jackpot.evaluator import Hand
from jackpot.ordering import Cluster, line
from jackpot.parameters import Parameters
from jackpot.state import Link, Pool, Registered, Table, TableStatus, Then, Win, WinState

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
    value: int
    state: MeterState
    pending: tuple[PendingWin, ...]
    next: int | None
    sequence: int
    at: int


def due_parameters(link: Link) -> Parameters:
    """In force after the next reset: what was confirmed before the hold began, and nothing later."""
    parameters = link.parameters
    for scheduled in link.scheduled:
        if link.held_since is None or scheduled.sequence < link.held_since:
            parameters = scheduled.changes.applied_to(parameters)
    return parameters


def clusters(link: Link) -> tuple[Cluster, ...]:
    return line(link.queue.items(), link.decisions)


def in_line(link: Link) -> list[str]:
    return [win for cluster in clusters(link) for win in cluster.wins]


def payment_of(
    link: Link, money: Pool, win: Win, *, waiting: list[str], basis: Registered | None
) -> pool.Payment:
    """What paying this win now would be, with these left waiting."""
    return pool.payment(
        money,
        due_parameters(link) if win.hand is Hand.ROYAL_FLUSH else link.parameters,
        win,
        waiting=[link.queue[other].segment for other in waiting],
        basis=basis,
    )


def basis_after(link: Link, basis: Registered | None, win: Win, amount: int) -> Registered | None:
    return None if basis is None else pool.basis_after(basis, win, amount, due_parameters(link).seed)


def prospects(link: Link) -> dict[str, pool.Payment]:
    """What each waiting win would be paid, if all were paid now in the proposed order."""
    money, waiting = pool.copied(link.pool), in_line(link)
    left: dict[int, Registered | None] = {}
    found: dict[str, pool.Payment] = {}
    while waiting:
        win = link.queue[waiting.pop(0)]
        basis = None if win.basis is None else left.get(win.basis.sequence, win.basis)
        paid = found[win.id] = payment_of(link, money, win, waiting=waiting, basis=basis)
        pool.post(money, paid.transfer.moves, paid.transfer.contributed, paid.joined)
        money.contributed_before_reset = paid.contributed_before_reset
        if basis is not None:
            left[basis.sequence] = basis_after(link, basis, win, paid.amount)
    return found


def reading(link: Link) -> Reading:
    expected = prospects(link)
    return Reading(
        value=link.pool.value,
        state=meter_state(link),
        pending=tuple(_pending(link, win, payment.amount) for win, payment in expected.items()),
        next=list(expected.values())[-1].after if expected else None,
        sequence=link.sequence,
        at=link.time,
    )


def _pending(link: Link, win: str, amount: int) -> PendingWin:
    found = link.queue[win]
    shown = amount if found.state is WinState.ORDERED else None
    return PendingWin(win=win, hand=found.hand, table=found.table, amount=shown)


def registered(link: Link) -> Registered:
    """The reading as a malfunction would fall back to it."""
    expected = prospects(link)
    return Registered(
        sequence=link.sequence,
        value=link.pool.value,
        next=list(expected.values())[-1].after if expected else None,
        contributed=link.pool.contributed,
        pending={win: payment.base for win, payment in expected.items()},
    )


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


def waiting_for(link: Link, cluster: Cluster) -> list[str]:
    """The tables in play that could still report a major dealt before the end of this cluster."""
    return [
        name
        for name, table in link.tables.items()
        if link.in_play(table) and (table.mark is None or table.mark <= cluster.end)
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Alert:
    code: str
    table: str
    since: int


def alerts(link: Link, *, now: int) -> list[Alert]:
    """Tables in play that have been silent for too long."""
    return [
        Alert(code="table_silent", table=name, since=seen)
        for name, table in link.tables.items()
        if link.in_play(table)
        and (seen := table.contact.seen_at or link.created_at) < now - link.parameters.silent_after
    ]
