"""What one person proposes and another confirms, and what is scheduled for the next reset."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.core.codec import Tagged
from jackpot.core.money import Account
from jackpot.link.parameters import Changes
from jackpot.link.wins import ClaimOutcome


@dataclass(frozen=True, kw_only=True, slots=True)
class ParameterChange(Tagged):
    changes: Changes
    now: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Adjustment(Tagged):
    amount: int
    """Signed cents: above zero raises the meter from `account`, below zero lowers it into `account`."""
    account: Account


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkOpening(Tagged):
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class RoyalRejection(Tagged):
    win: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimDecision(Tagged):
    claim: str
    outcome: ClaimOutcome


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolTransfer(Tagged):
    to: str
    """The link in whose account of the same name it arrives."""
    amount: int
    account: Account


@dataclass(frozen=True, kw_only=True, slots=True)
class Retirement(Tagged):
    to: str | None
    """The link that takes the whole pool; None for the house."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockSetting(Tagged):
    """The house clock is set to the clock of the database server, for every link."""


Change = (
    ParameterChange
    | Adjustment
    | LinkOpening
    | RoyalRejection
    | ClaimDecision
    | PoolTransfer
    | Retirement
    | ClockSetting
)
"""What two people must agree on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    id: str
    change: Change
    reason: str
    person: str
    at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduled:
    """Confirmed changes that wait for the next reset."""

    changes: Changes
    sequence: int
