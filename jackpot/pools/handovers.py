"""What holds of a paid win until it is handed over: who may, from when it is overdue, what money moves."""

from __future__ import annotations

import re

from jackpot.core.instants import DAY
from jackpot.core.refusals import ReferencePersonal, ReferenceWrong
from jackpot.core.texts import folded
from jackpot.link.handovers import Handover, HandoverState
from jackpot.link.state import Link
from jackpot.pools.pool import Transfer, unclaimed

_REFERENCE = re.compile(r"(?=.*[0-9])[A-Za-z0-9][A-Za-z0-9/._-]{0,39}")
_IDENTITY_CARDS = re.compile(
    r"[STFGM][0-9]{7}[A-Z]"  # Singapore
    r"|[0-9]{6}-?[0-9]{2}-?[0-9]{4}"  # Malaysia
    r"|[0-9]{17}[0-9X]",  # China
    re.IGNORECASE,
)


def people_needed(link: Link, handover: Handover) -> int:
    """As many as approve such a win, but no more than two."""
    return min(2, max(1, link.parameters.approvals_for(handover.percent)))


def approved_it_alone(handover: Handover, person: str) -> bool:
    return {folded(one) for one in handover.approved_by} == {folded(person)}


def overdue_from(link: Link, handover: Handover) -> int:
    """When it may go to the unclaimed money."""
    return handover.paid_at + link.parameters.unclaimed_after_days * DAY


def left_unclaimed(link: Link, handover: Handover) -> Transfer:
    return unclaimed(link.pool, handover.amount)


def claimed_after_all(link: Link, handover: Handover) -> Transfer:
    """Back to the prizes, from which it is handed over; nothing, if it never left them."""
    was_unclaimed = handover.state is HandoverState.UNCLAIMED
    return unclaimed(link.pool, -handover.amount) if was_unclaimed else Transfer({})


def check_reference(reference: str) -> str:
    """It names a record of another system, and no person."""
    if not _REFERENCE.fullmatch(reference):
        raise ReferenceWrong(
            "a reference is up to 40 letters, digits, - / . and _, with a digit among them", field="reference"
        )
    if _IDENTITY_CARDS.fullmatch(reference):
        raise ReferencePersonal(
            "that may be the number of an identity card: name the record of the check instead",
            field="reference",
        )
    return reference
