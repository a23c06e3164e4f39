"""Acts of the House that need two different people, and closing the link, which needs one."""

from __future__ import annotations

from jackpot.answers import Answer, Done, ProposalAnswer, WinAnswer
from jackpot.claims import decide_claim, payable_claim
from jackpot.commands import CloseLink, Confirm, DecideClaim, Propose, RejectWin, Withdraw
from jackpot.desk import Desk, reasoned
from jackpot.evaluator import Hand
from jackpot.facts import (
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    ParametersChanged,
    ParametersScheduled,
    ProposalConfirmed,
    ProposalWithdrawn,
    Proposed,
)
from jackpot.majors import reject, waiting_win
from jackpot.money import LARGEST_AMOUNT, Account, to_units
from jackpot.parameters import Changes, check_parameters
from jackpot.pool import adjustment, changeover
from jackpot.proposals import (
    Adjustment,
    Change,
    ClaimDecision,
    ClockSetting,
    LinkOpening,
    ParameterChange,
    PoolTransfer,
    Proposal,
    Retirement,
    RoyalRejection,
)
from jackpot.refusals import (
    AccountShort,
    AdjustmentWrong,
    AlreadyProposed,
    LinkAlreadyClosed,
    LinkAlreadyOpen,
    LinkHeld,
    LinkNotClosed,
    ParameterWrong,
    ProposalEnded,
    ProposalUnknown,
    ProposedByAnother,
    SamePerson,
)
from jackpot.state import in_order_made
from jackpot.texts import folded
from jackpot.timekeeping import check_quiet
from jackpot.transfers import amounts_of, check_reaches, check_retirement, check_transfer, depart, retire
from jackpot.wins import WinState


def propose(desk: Desk, command: Propose) -> Answer:
    reason = reasoned(command.reason)
    _check_change(desk, command.change)
    for other in in_order_made(desk.link.proposals):
        if other.change == command.change:
            raise AlreadyProposed(f"{other.person} has proposed the same: {other.id}", proposal=other.id)
    proposal = desk.next_id("p")
    desk.write(Proposed(proposal=proposal, change=command.change, reason=reason, person=command.person))
    return ProposalAnswer(proposal=proposal)


def confirm(desk: Desk, command: Confirm) -> Done:
    proposal = _open_proposal(desk, command.proposal)
    if _same(proposal.person, command.person):
        raise SamePerson(f"{command.person} proposed it; another person must confirm")
    _check_change(desk, proposal.change)
    check_reaches(proposal.change, command.receiver)
    desk.write(ProposalConfirmed(proposal=proposal.id, person=command.person))
    _carry_out(desk, proposal, (proposal.person, command.person))
    return Done()


def withdraw(desk: Desk, command: Withdraw) -> Done:
    proposal = _open_proposal(desk, command.proposal)
    if command.own_only and not _same(proposal.person, command.person):
        raise ProposedByAnother(f"{proposal.person} proposed it; an operator withdraws only own proposals")
    desk.write(ProposalWithdrawn(proposal=proposal.id, person=command.person))
    return Done()


def _same(person: str, other: str) -> bool:
    return folded(person) == folded(other)


def reject_win(desk: Desk, command: RejectWin) -> Answer:
    """A straight flush one person may reject; a royal flush takes two."""
    reason = reasoned(command.reason)
    win = waiting_win(desk, command.win)
    if win.hand is Hand.ROYAL_FLUSH:
        change = RoyalRejection(win=win.id)
        return propose(desk, Propose(person=command.person, change=change, reason=reason))
    reject(desk, win.id, persons=(command.person,), reason=reason)
    return WinAnswer(win=win.id, state=WinState.REJECTED, approvals=len(win.approvals))


def decide_late_claim(desk: Desk, command: DecideClaim) -> Answer:
    change = ClaimDecision(claim=command.claim, outcome=command.outcome)
    return propose(desk, Propose(person=command.person, change=change, reason=command.reason))


def close_link(desk: Desk, command: CloseLink) -> Done:
    reason = reasoned(command.reason)
    if desk.link.closed:
        raise LinkAlreadyClosed(f"link {desk.link.id} is closed already")
    desk.write(LinkClosed(person=command.person, reason=reason))
    return Done()


def _open_proposal(desk: Desk, proposal: str) -> Proposal:
    found = desk.link.proposals.get(proposal)
    if found is None and desk.was_made(proposal, "p", Proposed):
        raise ProposalEnded(f"proposal {proposal} was confirmed, or withdrawn", proposal=proposal)
    if found is None:
        raise ProposalUnknown(f"no proposal {proposal[:80]!r} is open", proposal=proposal[:80])
    return found


def _check_change(desk: Desk, change: Change) -> None:
    """Checked when it is proposed, and again when it is carried out."""
    match change:
        case ParameterChange():
            _check_parameter_change(desk, change)
        case Adjustment():
            _check_adjustment(desk, change)
        case LinkOpening():
            if not desk.link.closed:
                raise LinkAlreadyOpen(f"link {desk.link.id} is open already")
        case RoyalRejection(win=win):
            waiting_win(desk, win)
        case ClaimDecision() as decision:
            payable_claim(desk, decision)
        case PoolTransfer():
            check_transfer(desk, change)
        case Retirement():
            check_retirement(desk, change)
        case ClockSetting():
            check_quiet(desk.link)


def _check_parameter_change(desk: Desk, change: ParameterChange) -> None:
    link = desk.link
    if change.changes == Changes() or (change.changes.no_ceiling and change.changes.ceiling is not None):
        raise ParameterWrong("say what is to change, and only one thing of the ceiling", field="changes")
    if change.now and not link.closed:
        raise LinkNotClosed("parameters change at once only while the link is closed")
    if change.now and link.held:
        raise LinkHeld("parameters change at once only while no win is waiting")
    planned = [one.changes for one in link.scheduled]
    parameters = link.parameters
    for changes in [change.changes, *planned] if change.now else [*planned, change.changes]:
        parameters = check_parameters(changes.applied_to(parameters))


def _check_adjustment(desk: Desk, change: Adjustment) -> None:
    link = desk.link
    if not change.amount or abs(change.amount) > LARGEST_AMOUNT:
        raise AdjustmentWrong("an adjustment has an amount", field="amount")
    if change.account not in (Account.HOUSE, Account.RESERVE, Account.OVERFLOW):
        raise AdjustmentWrong("the meter is adjusted from or to house, reserve or overflow", field="from")
    if link.held:
        raise LinkHeld("the displayed value is frozen while a win is waiting")
    units = to_units(change.amount)
    short = change.account if units > 0 else Account.METER
    if short is not Account.HOUSE and link.pool.accounts[short] < abs(units):
        raise AccountShort(f"{short} holds less than that", account=str(short))


def _carry_out(desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
    match proposal.change:
        case ParameterChange(changes=changes, now=False):
            desk.write(ParametersScheduled(proposal=proposal.id, changes=changes))
        case ParameterChange(changes=changes):
            _change_now(desk, proposal, changes)
        case Adjustment() as change:
            transfer = adjustment(desk.link.pool, desk.link.parameters, change.amount, change.account)
            desk.write(
                MeterAdjusted(
                    proposal=proposal.id,
                    adjustment=change,
                    persons=persons,
                    reason=proposal.reason,
                    moves=transfer.moves,
                )
            )
        case LinkOpening():
            desk.write(LinkOpened(proposal=proposal.id, persons=persons, reason=proposal.reason))
        case RoyalRejection(win=win):
            reject(desk, win, persons=persons, reason=proposal.reason)
        case ClaimDecision() as decision:
            decide_claim(desk, decision, persons=persons, reason=proposal.reason)
        case PoolTransfer() as transfer_:
            depart(desk, proposal, transfer_.to, amounts_of(transfer_), persons)
        case Retirement() as retirement:
            retire(desk, proposal, retirement, persons)
        case ClockSetting():
            pass  # the book breaks house time at every link, this one among them


def _change_now(desk: Desk, proposal: Proposal, changes: Changes) -> None:
    parameters = changes.applied_to(desk.link.parameters)
    transfer = changeover(desk.link.pool, desk.link.parameters, parameters)
    desk.write(ParametersChanged(proposal=proposal.id, parameters=parameters, moves=transfer.moves))
