"""Royal and straight flushes: registered, approved, ordered, and paid strictly in that order (4.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jackpot.answers import Answer, Done, WinAnswer
from jackpot.commands import ApproveWin, DecideOrder
from jackpot.desk import Desk, bounded, reasoned
from jackpot.evaluator import Hand
from jackpot.facts import (
    OrderDecided,
    OrderReopened,
    ProposalWithdrawn,
    WinApproved,
    WinPaid,
    WinRegistered,
    WinRejected,
    WinsOrdered,
    WinWithdrawn,
)
from jackpot.ordering import Cluster, contradicted
from jackpot.payout import (
    approvals_needed,
    changed_registers,
    clusters,
    first_payout,
    in_line,
    open_rounds,
    place_rests_on,
    waiting_for,
)
from jackpot.pool import Release, released
from jackpot.proposals import ClaimDecision, RoyalRejection
from jackpot.refusals import (
    AlreadyApproved,
    NotAmbiguous,
    OrderContradictsDeal,
    OrderIncomplete,
    WinAlreadyPaid,
    WinUnknown,
)
from jackpot.state import Registered, in_order_made
from jackpot.wins import DealEvidence, Interval, Win, WinState


@dataclass(frozen=True, kw_only=True, slots=True)
class Major:
    """A major hand as it was dealt."""

    table: str
    round: int
    box: int
    hand: Hand
    cards: tuple[str, ...]
    bet: int
    bets: int
    """The journal sequence of its round's bets: it was dealt after all that had been paid before."""
    interval: Interval
    witnessed: Interval
    evidence: DealEvidence
    registered: int | None
    """The reading from which a malfunction has the wins of its round paid."""
    registered_value: int | None
    emptied: bool
    """A royal flush has been paid since that reading."""
    promised: int | None
    """A value that its table promised alone and the journal denies."""


def register(desk: Desk, major: Major, *, win: str, replaces: Win | None) -> None:
    """For money, the hit is now: the pool freezes, and what is bet from here on is carried over."""
    desk.write(
        WinRegistered(
            win=win,
            table=major.table,
            round=major.round,
            box=major.box,
            hand=major.hand,
            cards=major.cards,
            bet=major.bet,
            interval=major.interval,
            witnessed=major.witnessed,
            evidence=major.evidence,
            segment=desk.link.pool.next_segment if replaces is None else replaces.segment,
            replaces=None if replaces is None else replaces.id,
            registered=major.registered,
        )
    )


def withdraw(desk: Desk, win: str, *, reason: str, successors: Mapping[str, int] | None = None) -> None:
    """`successors`: the carryover segments of wins that another is about to replace, by their id."""
    replaced = successors or {}
    release = _released(desk, win, replaced.values())
    registers = () if win in replaced else _without(desk, win)
    moves, contributed = release.transfer.moves, release.transfer.contributed
    desk.write(
        WinWithdrawn(
            win=win,
            reason=reason,
            moves=moves,
            contributed=contributed,
            joined=release.joined,
            registers=registers,
        )
    )
    drop_proposals(desk, win)


def reject(desk: Desk, win: str, *, persons: tuple[str, ...], reason: str) -> None:
    release = _released(desk, win)
    desk.write(
        WinRejected(
            win=win,
            persons=persons,
            reason=reason,
            moves=release.transfer.moves,
            contributed=release.transfer.contributed,
            joined=release.joined,
            registers=_without(desk, win),
        )
    )
    drop_proposals(desk, win)


def _released(desk: Desk, win: str, successors: Iterable[int] = ()) -> Release:
    waiting = [one.segment for one in desk.link.queue.values() if one.id != win]
    return released(desk.link.pool, desk.link.parameters, [*waiting, *successors])


def _without(desk: Desk, win: str) -> tuple[Registered, ...]:
    link = desk.link
    return changed_registers(link.registers, link.parameters, link.queue[win], paid=False)


def drop_proposals(desk: Desk, about: str) -> None:
    """What two people were to agree on about this win or claim has become moot."""
    for proposal in in_order_made(desk.link.proposals):
        match proposal.change:
            case RoyalRejection(win=subject) | ClaimDecision(claim=subject) if subject == about:
                desk.write(ProposalWithdrawn(proposal=proposal.id, person=None))


def waiting_win(desk: Desk, win: str) -> Win:
    found = desk.link.queue.get(win)
    if found is not None:
        return found
    if any(hit.win == win for hit in desk.link.hits):
        raise WinAlreadyPaid(f"win {win} has been paid", win=win)
    raise WinUnknown(f"no win {win[:80]!r} is waiting", win=win[:80])


def approve_win(desk: Desk, command: ApproveWin) -> Answer:
    win = waiting_win(desk, command.win)
    note = bounded(command.note, field="note")
    if any(approval.person == command.person for approval in win.approvals):
        raise AlreadyApproved(f"{command.person} has approved win {win.id} already")
    desk.write(WinApproved(win=win.id, person=command.person, note=note))
    approvals = len(win.approvals)
    advance(desk)
    state = WinState.PAID if win.id not in desk.link.queue else win.state
    return WinAnswer(win=win.id, state=state, approvals=approvals)


def decide_order(desk: Desk, command: DecideOrder) -> Done:
    """4.5.2: the House determines conclusively what the clocks cannot tell."""
    reason = reasoned(command.reason)
    cluster = _cluster_of(desk, command.wins)
    if not cluster.ambiguous:
        raise NotAmbiguous(f"the place of win {command.wins[0]} is certain")
    if sorted(command.wins) != sorted(cluster.wins):
        raise OrderIncomplete(
            f"one order of the whole cluster is needed: {', '.join(sorted(cluster.wins))}", field="wins"
        )
    turned = contradicted(command.wins, desk.link.queue.items(), desk.link.parameters.order_basis)
    if turned is not None:
        raise OrderContradictsDeal(f"{turned[1]} was certainly dealt before {turned[0]}", field="wins")
    ordered = tuple(win for win in cluster.wins if desk.link.queue[win].state is WinState.ORDERED)
    if ordered:
        desk.write(OrderReopened(wins=ordered))
    desk.write(OrderDecided(wins=command.wins, person=command.person, reason=reason))
    return Done()


def _cluster_of(desk: Desk, wins: tuple[str, ...]) -> Cluster:
    if not wins:
        raise OrderIncomplete("an order names its wins", field="wins")
    for win in wins:
        waiting_win(desk, win)
    return next(cluster for cluster in clusters(desk.link) if wins[0] in cluster.wins)


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
        if pending and cluster.decided and not waiting_for(link, cluster):
            bases = {win: basis for win in cluster.wins if (basis := place_rests_on(link, win)) is not None}
            desk.write(WinsOrdered(wins=cluster.wins, open=open_rounds(link), bases=bases))


def _pay_first(desk: Desk) -> bool:
    link, line = desk.link, in_line(desk.link)
    if not line or link.queue[line[0]].state is not WinState.ORDERED:
        return False
    win, payout = link.queue[line[0]], first_payout(link)
    payment = payout.payment
    needed = approvals_needed(link, win, payment)
    if len(win.approvals) < needed or win.ordered_by is None:
        return False
    desk.write(
        WinPaid(
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
            parameters=payout.parameters if win.hand is Hand.ROYAL_FLUSH else None,
            contributed_before_reset=payment.contributed_before_reset,
            approvals=tuple(win.approvals),
            ordered_by=win.ordered_by,
            moves=payment.transfer.moves,
            contributed=payment.transfer.contributed,
        )
    )
    drop_proposals(desk, win.id)
    return True
