"""One person proposes, another confirms; and closing the link, which needs one person only."""

from __future__ import annotations

from jackpot.core.refusals import (
    AlreadyProposed,
    LinkAlreadyClosed,
    ProposalEnded,
    ProposalUnknown,
    ProposedByAnother,
    ReceiverMissing,
    SamePerson,
)
from jackpot.core.texts import folded
from jackpot.house.agreement import Agreement
from jackpot.house.agreements import agreement_on
from jackpot.house.handovers import check_handing_over, hand_over_alone
from jackpot.house.timekeeping import EVERY_LINK
from jackpot.link.answers import Answer, Done, ProposalAnswer, WinAnswer
from jackpot.link.commands import CloseLink, Confirm, DecideClaim, HandOver, Propose, RejectWin, Withdraw
from jackpot.link.execution import Desk, reasoned
from jackpot.link.facts import LinkClosed, ProposalConfirmed, ProposalWithdrawn, Proposed
from jackpot.link.proposals import ClaimDecision, HandingOver, Proposal, RoyalRejection
from jackpot.link.state import in_order_made
from jackpot.link.wins import WinState
from jackpot.pools.handovers import people_needed
from jackpot.pools.majors import reject, waiting_win


def propose(desk: Desk, command: Propose) -> Answer:
    reason = reasoned(command.reason)
    agreement_on(command.change).check(desk)
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
    agreement = agreement_on(proposal.change)
    agreement.check(desk)
    _check_reached(agreement, command.receiver)
    desk.write(ProposalConfirmed(proposal=proposal.id, person=command.person))
    agreement.carry_out(desk, proposal, (proposal.person, command.person))
    return Done()


def _check_reached(agreement: Agreement, receiver: str | None) -> None:
    """One side alone would lose the money between two journals."""
    wanted = agreement.reaches
    if wanted is not None and wanted != receiver:
        named = "every link" if wanted == EVERY_LINK else f"link {wanted}"
        raise ReceiverMissing(f"{named} has to take part in the same transaction", receiver=wanted)


def withdraw(desk: Desk, command: Withdraw) -> Done:
    proposal = _open_proposal(desk, command.proposal)
    if command.own_only and not _same(proposal.person, command.person):
        raise ProposedByAnother(f"{proposal.person} proposed it; an operator withdraws only own proposals")
    desk.write(ProposalWithdrawn(proposal=proposal.id, person=command.person))
    return Done()


def _same(person: str, other: str) -> bool:
    return folded(person) == folded(other)


def reject_win(desk: Desk, command: RejectWin) -> Answer:
    """A straight flush one person may reject; who would win the whole pool is rejected by two."""
    reason = reasoned(command.reason)
    win = waiting_win(desk, command.win)
    if win.takes_all:
        change = RoyalRejection(win=win.id)
        return propose(desk, Propose(person=command.person, change=change, reason=reason))
    reject(desk, win.id, persons=(command.person,), reason=reason)
    return WinAnswer(win=win.id, state=WinState.REJECTED, approvals=len(win.approvals))


def hand_over(desk: Desk, command: HandOver) -> Answer:
    """What takes two to approve takes two to hand over."""
    change = HandingOver(
        win=command.win, reference=command.reference, method=command.method, note=command.note
    )
    handover = check_handing_over(desk, change)
    if people_needed(desk.link, handover) == 1:
        return hand_over_alone(desk, change, command.person)
    reason = command.note or f"slip {handover.slip}"
    return propose(desk, Propose(person=command.person, change=change, reason=reason))


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
