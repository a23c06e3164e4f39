"""A paid win reaches its winner: its slip is printed, it is handed over, or nobody comes for it in time.

What is said here of wins holds for late claims that were paid. A link that is retired still owes them.
"""

from __future__ import annotations

from jackpot.core.instants import spoken_instant
from jackpot.core.refusals import (
    AlreadyHandedOver,
    AlreadyUnclaimed,
    NotOverdue,
    Refused,
    SamePerson,
    WinNotPaid,
    WinUnknown,
    WinWithoutSlip,
)
from jackpot.link.answers import HandoverAnswer, SlipAnswer
from jackpot.link.commands import Command, Confirm, HandOver, LeaveUnclaimed, PrintSlip, Propose, Withdraw
from jackpot.link.execution import Desk, bounded, reasoned
from jackpot.link.facts import SlipPrinted, WinHandedOver, WinUnclaimed
from jackpot.link.handovers import Ended, Handover, HandoverState, Method
from jackpot.link.proposals import HandingOver
from jackpot.link.state import Link
from jackpot.pools.handovers import (
    approved_it_alone,
    check_reference,
    claimed_after_all,
    left_unclaimed,
    overdue_from,
)
from jackpot.pools.majors import drop_proposals


def goes_on(link: Link, command: Command) -> bool:
    """Whether it is done although the link is retired."""
    match command:
        case PrintSlip() | HandOver() | LeaveUnclaimed() | Propose(change=HandingOver()):
            return True
        case Confirm(proposal=id) | Withdraw(proposal=id):
            found = link.proposals.get(id)
            return found is not None and isinstance(found.change, HandingOver)
    return False


def waiting_handover(desk: Desk, win: str) -> Handover:
    found = desk.link.handovers.get(win)
    if found is not None:
        return found
    waits = win in desk.link.queue or win in desk.link.claims
    raise why_not(desk.link, win, None if waits else desk.archive.handover(win))


def why_not(link: Link, win: str, ended: Ended | None) -> Refused:
    """Of what does not wait to be handed over; `ended` says how it left the state."""
    if win in link.queue or win in link.claims:
        return WinNotPaid(f"{win} has not been paid", win=win)
    match ended:
        case Ended.UNPAID:
            return WinNotPaid(f"{win} ended without being paid", win=win)
        case Ended.WITHOUT_SLIP:
            return WinWithoutSlip(f"{win} was paid before payments had slips", win=win)
        case Ended.HANDED_OVER:
            return AlreadyHandedOver(f"{win} has been handed over", win=win)
    return WinUnknown(f"link {link.id} has no win {win[:80]!r}", win=win[:80])


def print_slip(desk: Desk, command: PrintSlip) -> SlipAnswer:
    """The first is the original; every other says that it is a copy."""
    handover = waiting_handover(desk, command.win)
    copy = handover.printed + 1
    desk.write(SlipPrinted(win=command.win, slip=handover.slip, copy=copy, person=command.person))
    return SlipAnswer(win=command.win, slip=handover.slip, copy=copy)


def check_handing_over(desk: Desk, change: HandingOver) -> Handover:
    handover = waiting_handover(desk, change.win)
    check_reference(change.reference)
    bounded(change.note, field="note")
    if change.method is Method.SEVERAL:
        reasoned(change.note, field="note")
    return handover


def hand_over_alone(desk: Desk, change: HandingOver, person: str) -> HandoverAnswer:
    """Approval and hand-over of one win are never one person's alone."""
    handover = check_handing_over(desk, change)
    if approved_it_alone(handover, person):
        raise SamePerson(f"{person} approved it alone; another person must hand it over")
    return hand_over(desk, change, (person,))


def hand_over(desk: Desk, change: HandingOver, persons: tuple[str, ...]) -> HandoverAnswer:
    handover = desk.link.handovers[change.win]
    desk.write(
        WinHandedOver(
            win=change.win,
            slip=handover.slip,
            amount=handover.amount,
            reference=change.reference,
            method=change.method,
            note=change.note,
            persons=persons,
            moves=claimed_after_all(desk.link, handover).moves,
        )
    )
    drop_proposals(desk, change.win)
    return HandoverAnswer(win=change.win, slip=handover.slip, state=HandoverState.HANDED_OVER)


def leave_unclaimed(desk: Desk, command: LeaveUnclaimed) -> HandoverAnswer:
    reason = reasoned(command.reason)
    handover = waiting_handover(desk, command.win)
    if handover.unclaimed is not None:
        raise AlreadyUnclaimed(f"{command.win} is among the unclaimed already", win=command.win)
    overdue = overdue_from(desk.link, handover)
    if desk.at < overdue:
        at = spoken_instant(overdue)
        raise NotOverdue(f"{command.win} waits for its winner until {at}", win=command.win, overdue_from=at)
    desk.write(
        WinUnclaimed(
            win=command.win,
            slip=handover.slip,
            amount=handover.amount,
            person=command.person,
            reason=reason,
            moves=left_unclaimed(desk.link, handover).moves,
        )
    )
    return HandoverAnswer(win=command.win, slip=handover.slip, state=HandoverState.UNCLAIMED)
