"""A major and what became of it: a win in line, a hit, a late claim; and when it was dealt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from jackpot.evaluator import Hand


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


class ClaimOutcome(StrEnum):
    IN_ORDER = "in_order"
    REGISTERED = "registered"
    PROMISED = "promised"
    """What the table told its players while it was alone."""
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """When, in house time, a hand was dealt: not before `start`, not after `end`."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Clock:
    """A measurement of a table's clock: house time is table time plus `offset`, give or take `error`."""

    offset: int
    error: int
    measured_at: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class DealEvidence:
    """What a deal interval was computed from."""

    dealt_at: int | None
    sent_at: int
    received_at: int
    closed_from: int
    offset: int
    error: int
    suspect: bool


@dataclass(frozen=True, kw_only=True, slots=True)
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
    evidence: DealEvidence
    segment: int
    """The carryover segment its registration began: bets from there on never raise this win."""
    registered_at: int
    sequence: int
    state: WinState = WinState.PENDING
    basis: int | None = None
    """The reading from which a malfunction has it paid, instead of the displayed value."""
    approvals: list[Approval] = field(default_factory=list)
    ordered_by: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A paid major, as much of it as a late claim needs."""

    win: str
    table: str
    round: int
    box: int
    hand: Hand
    interval: Interval
    before: int
    amount: int
    after: int
    at: int
    hold: int
    """The entry that began the hold in which it was paid."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """The House's order of an ambiguous cluster (4.5.2)."""

    wins: tuple[str, ...]
    person: str
    reason: str
    sequence: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    id: str
    table: str
    round: int
    box: int
    hand: Hand
    cards: tuple[str, ...]
    bet: int
    interval: Interval
    evidence: DealEvidence
    reason: ClaimReason
    in_order: int
    registered: int
    sequence: int
    promised: int | None = None
