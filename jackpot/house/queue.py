"""The line moves: wins are approved, ordered once nothing can come before them, and paid in that order."""

from __future__ import annotations

from jackpot.core.refusals import AlreadyApproved
from jackpot.core.texts import folded
from jackpot.link.answers import Answer, WinAnswer
from jackpot.link.commands import ApproveWin
from jackpot.link.execution import Desk, bounded
from jackpot.link.facts import OrderReopened, WinApproved, WinPaid, WinsOrdered
from jackpot.link.state import Link
from jackpot.link.wins import Win, WinState
from jackpot.pools.claims import put_before_the_house
from jackpot.pools.majors import drop_proposals, waiting_win
from jackpot.pools.payout import (
    Payout,
    approvals_needed,
    clusters,
    first_payments,
    first_payout,
    in_line,
    knowing,
    open_rounds,
    place_rests_on,
    waiting_for,
)
from jackpot.pools.pool import Payment


def approve_win(desk: Desk, command: ApproveWin) -> Answer:
    win = waiting_win(desk, command.win)
    note = bounded(command.note, field="note")
    if any(folded(approval.person) == folded(command.person) for approval in win.approvals):
        raise AlreadyApproved(f"{command.person} has approved win {win.id} already")
    desk.write(WinApproved(win=win.id, person=command.person, note=note))
    approvals = len(win.approvals)
    advance(desk)
    state = WinState.PAID if win.id not in desk.link.queue else win.state
    return WinAnswer(win=win.id, state=state, approvals=approvals)


def advance(desk: Desk) -> None:
    """After every command: order what can be ordered, pay what can be paid."""
    if desk.link.queue:
        _reopen(desk)
        _order(desk)
        while _pay_first(desk):
            pass


def _reopen(desk: Desk) -> None:
    queue = desk.link.queue
    for cluster in clusters(desk.link):
        ordered = tuple(win for win in cluster.wins if queue[win].state is WinState.ORDERED)
        if ordered and len(ordered) < len(cluster.wins):
            desk.write(OrderReopened(wins=ordered))


def _order(desk: Desk) -> None:
    link = desk.link
    for cluster in clusters(link):
        pending = any(link.queue[win].state is WinState.PENDING for win in cluster.wins)
        over = link.awards.window is None or desk.at > cluster.end
        if pending and cluster.decided and over and not waiting_for(link, cluster):
            bases = {win: basis for win in cluster.wins if (basis := place_rests_on(link, win)) is not None}
            desk.write(WinsOrdered(wins=cluster.wins, open=open_rounds(link), bases=bases))


def _pay_first(desk: Desk) -> bool:
    """The first in line, and at once all that are paid together with it: each of them must be ready."""
    link, first = desk.link, first_payments(desk.link)
    if not first or not all(_ready(link, link.queue[name], paid) for name, paid in first.items()):
        return False
    for win in [link.queue[name] for name in first]:
        payout = first_payout(link)
        knew = knowing(link, win, payout.due)
        desk.write(payment_of(link, win, payout))
        drop_proposals(desk, win.id)
        if payout.resets:
            _leave_emptied_readings(desk, knew)
    return True


def _ready(link: Link, win: Win, paid: Payment) -> bool:
    if win.state is not WinState.ORDERED or win.ordered_by is None:
        return False
    return len(win.approvals) >= approvals_needed(link, win, paid)


def payment_of(link: Link, win: Win, payout: Payout) -> WinPaid:
    payment = payout.payment
    return WinPaid(
        win=win.id,
        table=win.table,
        round=win.round,
        box=win.box,
        hand=win.hand,
        interval=win.interval,
        witnessed=win.witnessed,
        basis=place_rests_on(link, win.id),
        spooled=win.evidence.spooled,
        before=payment.before,
        percent=payment.percent,
        registered=None if win.registered is None else link.registers[win.registered],
        amount=payment.amount,
        after=payment.after,
        from_pool=payment.from_pool,
        joined=payment.joined,
        registers=payout.registers,
        parameters=payout.parameters if payout.resets else None,
        contributed_before_reset=payment.contributed_before_reset,
        approvals=tuple(win.approvals),
        ordered_by=win.ordered_by or 0,
        proof=payout.proof,
        due=payout.due,
        slip=link.slip_for(payment.amount),
        moves=payment.transfer.moves,
        contributed=payment.transfer.contributed,
    )


def _leave_emptied_readings(desk: Desk, knew: frozenset[int]) -> None:
    """A registered reading that knew nothing of this royal flush is emptied by it: nobody is paid from it
    before the House has looked."""
    for win in [desk.link.queue[name] for name in in_line(desk.link)]:
        if win.registered is not None and win.registered not in knew:
            put_before_the_house(desk, win)
