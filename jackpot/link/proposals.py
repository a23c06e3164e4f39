"""What one person proposes and another confirms, and what is scheduled for the next reset."""

from __future__ import annotations

from jackpot.core.codec import Tagged
from jackpot.core.money import Account
from jackpot.core.records import frozen
from jackpot.link.handovers import Method
from jackpot.link.parameters import Changes
from jackpot.link.wins import ClaimOutcome


@frozen(kw_only=True)
class ParameterChange(Tagged):
    changes: Changes
    now: bool = False


@frozen(kw_only=True)
class Adjustment(Tagged):
    amount: int
    """Signed: above zero raises the meter from `account`, below zero lowers it into `account`."""
    account: Account


@frozen(kw_only=True)
class LinkOpening(Tagged):
    pass


@frozen(kw_only=True)
class RoyalRejection(Tagged):
    win: str


@frozen(kw_only=True)
class ClaimDecision(Tagged):
    claim: str
    outcome: ClaimOutcome


@frozen(kw_only=True)
class PoolTransfer(Tagged):
    to: str
    """The link in whose account of the same name it arrives."""
    amount: int
    account: Account


@frozen(kw_only=True)
class Retirement(Tagged):
    to: str | None
    """The link that takes the whole pool; None for the house."""


@frozen(kw_only=True)
class ClockSetting(Tagged):
    """The house clock is set to the clock of the database server, for every link."""


@frozen(kw_only=True)
class HandingOver(Tagged):
    """Of a win of the whole pool."""

    win: str
    reference: str
    method: Method
    note: str = ""


Change = (
    ParameterChange
    | Adjustment
    | LinkOpening
    | RoyalRejection
    | ClaimDecision
    | PoolTransfer
    | Retirement
    | ClockSetting
    | HandingOver
)
"""What two people must agree on."""


@frozen(kw_only=True)
class Proposal:
    id: str
    change: Change
    reason: str
    person: str
    at: int


@frozen(kw_only=True)
class Scheduled:
    """Confirmed changes that wait for the next reset."""

    changes: Changes
    sequence: int
