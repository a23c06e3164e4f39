"""What paying the wins in line moves, and in which order: the one place that says what a major is paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jackpot.evaluator import Hand
from jackpot.ordering import Cluster, line
from jackpot.parameters import Parameters
from jackpot.pool import Payment, copied, payment, post, registered_after, registered_now
from jackpot.state import Link, PendingThen, Pool, Registered
from jackpot.wins import Win

Registers = Mapping[int, Registered]


def clusters(link: Link) -> tuple[Cluster, ...]:
    return line(link.queue.items(), link.decisions)


def in_line(link: Link) -> list[str]:
    return [win for cluster in clusters(link) for win in cluster.wins]


def due_parameters(link: Link) -> Parameters:
    """In force after the next reset: what was confirmed before the hold began, and nothing later."""
    parameters = link.parameters
    for scheduled in link.scheduled:
        if link.held_since is None or scheduled.sequence < link.held_since:
            parameters = scheduled.changes.applied_to(parameters)
    return parameters


def scheduled_parameters(link: Link) -> Parameters:
    """In force once every confirmed change is, also those that a hold makes wait."""
    parameters = link.parameters
    for scheduled in link.scheduled:
        parameters = scheduled.changes.applied_to(parameters)
    return parameters


def approvals_needed(parameters: Parameters, hand: Hand, paid: Payment) -> int:
    """How many different people: two at least, if reserve or house pays part of it."""
    return max(parameters.approvals_for(hand), 2 if paid.needs_two else 0)


@dataclass(frozen=True, slots=True)
class Payout:
    payment: Payment
    parameters: Parameters
    """In force after it."""
    registers: tuple[Registered, ...]
    """The registered amounts that it has changed."""


def first_payout(link: Link) -> Payout:
    """What paying the first in line now would be."""
    first, *waiting = in_line(link)
    return _payout(link, link.queue[first], waiting, link.pool, link.parameters, link.registers)


def _payout(
    link: Link, win: Win, waiting: list[str], money: Pool, parameters: Parameters, registers: Registers
) -> Payout:
    if win.hand is Hand.ROYAL_FLUSH:
        parameters = due_parameters(link)
    segments = [link.queue[other].segment for other in waiting]
    basis = None if win.basis is None else registers[win.basis]
    paid = payment(money, parameters, win.hand, waiting=segments, basis=basis)
    return Payout(paid, parameters, changed_registers(registers, parameters, win, paid=True))


def changed_registers(
    registers: Registers, parameters: Parameters, win: Win, *, paid: bool
) -> tuple[Registered, ...]:
    """Registered amounts after a win has left the line: those it was to be paid from, or was pending at."""
    return tuple(
        registered_after(one, parameters, win.id, win.hand if paid else None)
        for one in registers.values()
        if (paid and win.basis == one.sequence) or any(then.win == win.id for then in one.pending)
    )


def prospects(link: Link) -> dict[str, Payment]:
    """What each waiting win would be paid, if all were paid now in the proposed order."""
    if not link.queue:
        return {}
    money, parameters, registers = copied(link.pool), link.parameters, dict(link.registers)
    waiting = in_line(link)
    found: dict[str, Payment] = {}
    while waiting:
        win = link.queue[waiting.pop(0)]
        payout = _payout(link, win, waiting, money, parameters, registers)
        paid = found[win.id] = payout.payment
        post(money, paid.transfer.moves, paid.transfer.contributed, paid.joined)
        money.contributed_before_reset = paid.contributed_before_reset
        parameters = payout.parameters
        registers |= {one.sequence: one for one in payout.registers}
    return found


def registered(link: Link) -> Registered:
    """The pool as a malfunction would fall back to it."""
    wins = [link.queue[win] for win in in_line(link)] if link.queue else []
    pending = [PendingThen(win=one.id, hand=one.hand, segment=one.segment) for one in wins]
    return registered_now(link.pool, pending, link.sequence)


def registered_next(basis: Registered, parameters: Parameters) -> int | None:
    """What it leaves once the wins that were pending then are paid; None if none was."""
    for one in basis.pending:
        basis = registered_after(basis, parameters, one.win, one.hand)
        if not basis.pending:
            return basis.value
    return None
