"""A major and what became of it: a win in line, a hit, a late claim; and when it was dealt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from jackpot.cards.evaluator import Hand
from jackpot.core.records import SPARSE, Kept, frozen
from jackpot.core.versions import RULES
from jackpot.games.progressive import ALL_OF_IT
from jackpot.link.awards import RULE_BOOK, Policy
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


def percent_of(hand: Hand, said: int | None) -> int:
    """Of the displayed value: what a record says, or the rule book where it says nothing (4.2)."""
    return RULE_BOOK.share_of(hand) if said is None else said


def said_percent(hand: Hand, percent: int) -> int | None:
    """What a record has to say of it: nothing, if it is what the rule book says."""
    return None if percent == RULE_BOOK.share_of(hand) else percent


@frozen(kw_only=True)
class Proof:
    """How an amount comes about, so that anybody computes it again by hand."""

    policy: Policy
    reading: int
    """The value that the percentage is of."""
    percent: int
    wins: tuple[str, ...]
    """Those of its level in its cluster, at least itself: they share its amount, or are each paid it, each of
    its own reading."""
    formula: str
    amount: int


@frozen(kw_only=True)
class Due:
    """A win that is paid together with others, and has not been yet."""

    win: str
    hand: Hand
    registered: int | None
    """The reading before a malfunction from which it is paid."""
    proof: Proof


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
    said_percent: int | None = field(default=None, metadata=SPARSE)

    @property
    def percent(self) -> int:
        return percent_of(self.hand, self.said_percent)

    @property
    def takes_all(self) -> bool:
        """The pool resets after it."""
        return self.percent == ALL_OF_IT


@frozen(kw_only=True)
class Hit(Kept):
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
    said_percent: int | None = field(default=None, metadata=SPARSE)
    proof: Proof | None = field(default=None, metadata=SPARSE)
    cluster: int | None = field(default=None, metadata=SPARSE)
    """The sequence of the first payment of those that were paid together with it."""
    window: int | None = field(default=None, metadata=SPARSE)
    """That of its hold: what counted as simultaneous with it."""

    @property
    def percent(self) -> int:
        return percent_of(self.hand, self.said_percent)

    @property
    def takes_all(self) -> bool:
        return self.percent == ALL_OF_IT


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
    said_percent: int | None = field(default=None, metadata=SPARSE)

    @property
    def percent(self) -> int:
        return percent_of(self.hand, self.said_percent)
