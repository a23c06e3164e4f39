"""A major and what became of it: a win in line, a hit, a late claim; and when it was dealt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from jackpot.cards.evaluator import Hand
from jackpot.core.records import frozen
from jackpot.core.versions import RULES
from jackpot.link.clocks import Offset


class WinState(StrEnum):
    PENDING = "pending"
    ORDERED = "ordered"
    PAID = "paid"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class ClaimReason(StrEnum):
    OVERLAPS_PAID = "overlaps_paid"
    ROUND_SETTLED = "round_settled"
    PROMISE_DENIED = "promise_denied"
    """Its table finished the round without the service, on a value that the journal denies."""
    BEFORE_PAID_ROYAL = "before_paid_royal"
    """A malfunction would have it paid from a reading that a royal flush has emptied since."""


class ClaimOutcome(StrEnum):
    IN_ORDER = "in_order"
    REGISTERED = "registered"
    PROMISED = "promised"
    """What the table told its players while it was alone."""
    REFUSED = "refused"


@frozen(kw_only=True)
class Interval:
    """When, in house time, a hand was dealt: not before `start`, not after `end`."""

    start: int
    end: int


@frozen(kw_only=True)
class ClockWord:
    """What a table claims of its clock. It decides nothing."""

    offset: int
    error: int


@frozen(kw_only=True)
class DealEvidence:
    """What a deal's intervals were computed from."""

    dealt_at: int | None
    """By the table's clock."""
    sent_at: int
    received_at: int
    error: int
    """Of the replica that received it."""
    offset: Offset
    """Of the table's clock, as the House had measured it."""
    live: bool
    """Received soon after it was sent: only then its stamps count."""
    spooled: bool
    """Replayed from what the table had kept while it could not reach the service."""
    outside: bool = False
    """Its stamp lay wholly outside of what the House had witnessed, and was left aside."""


@frozen(kw_only=True)
class Approval:
    person: str
    at: int
    note: str


@dataclass(kw_only=True, slots=True)
class Win:
    id: str
    table: str
    round: int
    box: int
    hand: Hand
    cards: tuple[str, ...]
    bet: int
    interval: Interval
    witnessed: Interval
    """The same without believing the table."""
    evidence: DealEvidence
    segment: int
    """The carryover segment its registration began: bets from there on never raise this win."""
    registered_at: int
    sequence: int
    state: WinState = WinState.PENDING
    registered: int | None = None
    """The reading from which a malfunction has it paid, instead of the displayed value."""
    approvals: list[Approval] = field(default_factory=list)
    ordered_by: int | None = None
    rules: int = RULES
    """The version of the rules by which it was registered."""


@frozen(kw_only=True)
class Hit:
    """A paid major, as much of it as a late claim needs."""

    win: str
    table: str
    round: int
    box: int
    hand: Hand
    interval: Interval
    witnessed: Interval
    before: int
    amount: int
    after: int
    at: int
    hold: int
    """The entry that began the hold in which it was paid."""
    sequence: int
    """Of its payment."""


@frozen(kw_only=True)
class Decision:
    """The House's order of an ambiguous cluster (4.5.2)."""

    wins: tuple[str, ...]
    person: str
    reason: str
    sequence: int


@frozen(kw_only=True)
class Claim:
    id: str
    table: str
    round: int
    box: int
    hand: Hand
    cards: tuple[str, ...]
    bet: int
    interval: Interval
    witnessed: Interval
    evidence: DealEvidence
    reason: ClaimReason
    in_order: int
    registered: int
    sequence: int
    promised: int | None = None
