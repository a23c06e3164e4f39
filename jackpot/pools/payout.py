"""What paying the wins in line moves, and in which order: the one place that says what a major is paid."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.cards.evaluator import Hand
from jackpot.core.records import frozen
from jackpot.core.versions import RULES_OF_0_1
from jackpot.link.answers import Meter
from jackpot.link.parameters import Basis, Parameters
from jackpot.link.rounds import Round
from jackpot.link.state import Link, PendingThen, Pit, Pool, Registered
from jackpot.link.wins import Win
from jackpot.pools.order import Cluster, basis_of, line
from jackpot.pools.pool import Payment, copied, payment, post, registered_after, registered_now

Registers = Mapping[int, Registered]


def clusters(link: Link) -> tuple[Cluster, ...]:
    return line(link.queue.items(), link.decisions, link.parameters.order_basis)


def in_line(link: Link) -> list[str]:
    return [win for cluster in clusters(link) for win in cluster.wins]


def open_rounds(link: Link) -> dict[str, int]:
    """The rounds of tables in play that can still bring a major, by table."""
    return {name: current.number for name, current in _open(link)}


def _open(link: Link) -> list[tuple[str, Round]]:
    return [
        (name, table.round)
        for name, table in link.tables.items()
        if table.round is not None and table.round.open and link.in_play(table)
    ]


def waiting_for(link: Link, cluster: Cluster) -> dict[str, int]:
    """The open rounds, by table, of which a hand may have been dealt before the end of this cluster. A round
    journalled later is dealt later; whether a table is heard or not does not matter."""
    return {name: current.number for name, current in _open(link) if current.dealt_from <= cluster.end}


def place_rests_on(link: Link, win: str) -> Basis | None:
    """What it rests on that a win stands where it does; None where the order is ambiguous (4.5.2)."""
    cluster = next(one for one in clusters(link) if win in one.wins)
    if cluster.ambiguous:
        return None
    if link.queue[win].rules == RULES_OF_0_1:
        return Basis.STAMPED  # its only interval was made of what its table said
    others = [one for name, one in link.queue.items() if name != win]
    return basis_of(link.queue[win], [*others, *link.hits])


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


def approvals_needed(link: Link, win: Win, paid: Payment) -> int:
    """How many different people: two at least, if reserve or house pays part of it, if it came from a spool,
    or if it is paid from a registered reading that is not what the pool shows now."""
    two = paid.needs_two
    if win.rules != RULES_OF_0_1:
        two = two or win.evidence.spooled or (win.registered is not None and paid.base != paid.before)
    return max(link.parameters.approvals_for(win.hand), 2 if two else 0)


@frozen()
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
    amount = None if win.registered is None else registers[win.registered]
    paid = payment(money, parameters, win.hand, waiting=segments, registered_amount=amount)
    return Payout(paid, parameters, changed_registers(registers, parameters, win, paid=True))


def changed_registers(
    registers: Registers, parameters: Parameters, win: Win, *, paid: bool
) -> tuple[Registered, ...]:
    """Registered amounts after a win has left the line: those it was to be paid from, or was pending at."""
    return tuple(
        registered_after(one, parameters, win.id, win.hand if paid else None)
        for one in registers.values()
        if (paid and win.registered == one.sequence) or any(then.win == win.id for then in one.pending)
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


def registered(link: Pit) -> Registered:
    """The pool as a malfunction would fall back to it; nothing, where there is none."""
    if not isinstance(link, Link):
        return Registered(sequence=link.sequence, meter=0, overflow=0, segments=(), pending=(), contributed=0)
    wins = [link.queue[win] for win in in_line(link)] if link.queue else []
    pending = [PendingThen(win=one.id, hand=one.hand, segment=one.segment) for one in wins]
    return registered_now(link.pool, pending, link.sequence)


def registered_next(amount: Registered, parameters: Parameters) -> int | None:
    """What it leaves once the wins that were pending then are paid; None if none was."""
    for one in amount.pending:
        amount = registered_after(amount, parameters, one.win, one.hand)
        if not amount.pending:
            return amount.value
    return None


def meter_of(link: Link) -> Meter:
    """The reading that comes with every answer."""
    left = registered_next(registered(link), due_parameters(link)) if link.queue else None
    return Meter(value=link.pool.value, sequence=link.sequence, next=left)
