"""What people are told of wins, and of what proves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from api.auditors.record_answers import EntryTold
from api.operators.house_answers import Instant, MinorUnits, Span, Told, Units, maybe, plain
from jackpot.book.reading.history import EndedWin, Proof
from jackpot.core.instants import spoken_instant
from jackpot.core.money import percentage, spoken
from jackpot.link.awards import Policy
from jackpot.link.facts import OrderDecided, WinPaid, WinsOrdered
from jackpot.link.handovers import HandoverState
from jackpot.link.wins import Approval, DealEvidence, percent_of
from jackpot.readings.waiting import WaitingWin


class ApprovalTold(Told):
    person: str
    at: Instant
    note: str

    @classmethod
    def of(cls, approval: Approval) -> ApprovalTold:
        return cls(person=approval.person, at=spoken_instant(approval.at), note=approval.note)


class RegisteredTold(Told):
    """The reading that a malfunction falls back to (S 5.18.1, H 5.17.1)."""

    sequence: int
    at: Instant
    value: MinorUnits = Field(description="What it leaves for this win.")


class WinTold(Told):
    id: str
    table: str
    round: int
    box: int
    hand: str
    cards: list[str]
    bet: MinorUnits
    percent: int = Field(description="The share of the displayed value that its level wins.")
    state: str
    position: int | None = Field(description="Its place in the line, from 1; null once it has left it.")
    interval: Span
    witnessed: Span = Field(description="The same by journal times and receipts alone, without any stamp.")
    basis: str | None = Field(
        description="What its place rests on: witnessed, or stamped; null if only the House can say."
    )
    spooled: bool = Field(description="It came from a spool: two people approve it.")
    registered: RegisteredTold | None = Field(
        description="What a malfunction has it paid from; two people approve it if that is not the value now."
    )
    value_now: MinorUnits | None = Field(
        description="What the pool would show when it is paid; null at the end."
    )
    amount: MinorUnits | None = Field(
        description="Paid, else what it would be paid now; null if it ended unpaid."
    )
    approvals: list[ApprovalTold]
    approvals_needed: int | None
    waiting_for: list[str] = Field(description="Tables with an open round that may have been dealt before.")
    waiting_for_rounds: dict[str, int] = Field(description="Those rounds, by table.")
    reasons: list[str] = Field(
        description="Why it waits: rounds_open, order_ambiguous, earlier_win, approvals_missing,"
        " others_not_ready, window_open."
    )
    cluster: list[str] = Field(description="The wins among which only the House can know the order.")
    ambiguous: bool
    policy: str | None = Field(description="The award policy by which it is paid; null if it ended unpaid.")
    together: list[str] = Field(
        description="The waiting wins that are paid together with it, itself among them; else empty."
    )
    registered_at: Instant
    sequence: int = Field(description="The journal sequence of its registration.")
    ended_at: Instant | None
    handover: HandoverState | None = Field(
        description="due, handed_over or unclaimed; null if it was not paid, or before there were slips."
    )

    @classmethod
    def waiting(cls, one: WaitingWin, read_at: Mapping[int, int]) -> WinTold:
        """`read_at` tells when the readings were registered that malfunctions fall back to."""
        win = one.win
        registered = None
        if win.registered is not None:
            at = spoken_instant(read_at[win.registered])
            registered = RegisteredTold(sequence=win.registered, at=at, value=one.base)
        return cls(
            id=win.id,
            table=win.table,
            round=win.round,
            box=win.box,
            hand=win.hand,
            cards=list(win.cards),
            bet=win.bet,
            percent=win.percent,
            state=win.state,
            position=one.position,
            interval=Span.of(win.interval),
            witnessed=Span.of(win.witnessed),
            basis=one.basis,
            spooled=win.evidence.spooled,
            registered=registered,
            value_now=one.shown,
            amount=one.amount,
            approvals=[ApprovalTold.of(approval) for approval in win.approvals],
            approvals_needed=one.needed,
            waiting_for=sorted(one.waiting_for),
            waiting_for_rounds=one.waiting_for,
            reasons=list(one.obstacles),
            cluster=list(one.cluster.wins),
            ambiguous=one.cluster.ambiguous and not one.cluster.decided,
            policy=one.policy,
            together=list(one.together),
            registered_at=spoken_instant(win.registered_at),
            sequence=win.sequence,
            ended_at=None,
            handover=None,
        )

    @classmethod
    def ended(cls, one: EndedWin, read_at: Mapping[int, int]) -> WinTold:
        fact = one.registered
        paid = one.ending if isinstance(one.ending, WinPaid) else None
        used = None if paid is None else paid.registered
        return cls(
            id=one.id,
            table=fact.table,
            round=fact.round,
            box=fact.box,
            hand=fact.hand,
            cards=list(fact.cards),
            bet=fact.bet,
            percent=percent_of(fact.hand, fact.percent),
            state=one.state,
            position=None,
            interval=Span.of(fact.interval),
            witnessed=Span.of(fact.witnessed),
            basis=None if paid is None else paid.basis,
            spooled=fact.evidence.spooled,
            registered=None
            if used is None
            else RegisteredTold(
                sequence=used.sequence, at=spoken_instant(read_at[used.sequence]), value=used.value
            ),
            value_now=None,
            amount=None if paid is None else paid.amount,
            approvals=[] if paid is None else [ApprovalTold.of(approval) for approval in paid.approvals],
            approvals_needed=None,
            waiting_for=[],
            waiting_for_rounds={},
            reasons=[],
            cluster=[],
            ambiguous=False,
            policy=None if paid is None else _policy_of(paid),
            together=[],
            registered_at=spoken_instant(one.registered_at),
            sequence=one.sequence,
            ended_at=spoken_instant(one.ended.at),
            handover=one.handover,
        )


class Wins(Told):
    wins: list[WinTold] = Field(
        description="Those in line, in order; then those that left it, the latest first."
    )
    next: int | None = Field(description="`before` of the next page; null on the last.")


class Evidence(Told):
    """What the deal's intervals were computed from. Stamps of the table are in its own time."""

    dealt_at: Instant | None
    sent_at: Instant
    received_at: Instant
    error_us: int = Field(description="What the receiving replica's house time may have been wrong by.")
    offset_from_us: int | None = Field(
        description="House time is table time plus an offset, as the House measured it: at least this."
    )
    offset_to_us: int | None = Field(description="At most this.")
    live: bool = Field(description="Received soon after it was sent: only then a stamp counts.")
    spooled: bool
    outside: bool = Field(description="The stamp lay wholly outside of what was witnessed: not used.")

    @classmethod
    def of(cls, evidence: DealEvidence) -> Evidence:
        return cls(
            dealt_at=maybe(evidence.dealt_at),
            sent_at=spoken_instant(evidence.sent_at),
            received_at=spoken_instant(evidence.received_at),
            error_us=evidence.error,
            offset_from_us=evidence.offset.least,
            offset_to_us=evidence.offset.most,
            live=evidence.live,
            spooled=evidence.spooled,
            outside=evidence.outside,
        )


class OrderTold(Told):
    position: int | None
    cluster: list[str]
    ambiguous: bool
    decided_by: str | None = Field(description="Who determined the order of an ambiguous cluster (4.5.2).")
    decision: list[str] | None
    reason: str | None
    ordered_at: Instant | None
    open_rounds: dict[str, int] | None = Field(
        description="The rounds that were open when it was ordered, by table: all journalled later."
    )
    sequence: int | None = Field(description="The journal sequence of the fact that ordered it.")


class PaymentTold(Told):
    value_before: MinorUnits
    percent: int
    amount: MinorUnits
    policy: str = Field(description="ordered, split or full_each.")
    reading: MinorUnits = Field(description="What the percentage is of.")
    shared_by: list[str] = Field(description="The wins of its level that were paid of the same reading.")
    formula: str | None = Field(description="How the amount comes about, in minor units.")
    formula_in_money: str = Field(description="The same in words.")
    value_after: MinorUnits
    from_pool_units: Units
    registered: dict[str, Any] | None = Field(
        description="The amount registered before a malfunction, if it was paid from that."
    )
    moves_units: dict[str, Units]
    sequence: int
    at: Instant
    hash: str


class WinProof(WinTold):
    evidence: Evidence
    order: OrderTold
    value_before: MinorUnits | None
    value_after: MinorUnits | None
    approvers: list[str]
    payment: PaymentTold | None
    journal_sequence: int = Field(description="Of its last entry: the payment, once it is paid.")
    entries: list[EntryTold] = Field(description="Everything the journal says of it.")


def win_proof(told: WinTold, evidence: DealEvidence, proof: Proof, currency: str) -> WinProof:
    payment = _payment(proof, currency)
    return WinProof(
        **dict(told),
        evidence=Evidence.of(evidence),
        order=_order(told, proof),
        value_before=None if payment is None else payment.value_before,
        value_after=None if payment is None else payment.value_after,
        approvers=[approval.person for approval in told.approvals],
        payment=payment,
        journal_sequence=proof.story[-1].entry.sequence,
        entries=[EntryTold.of(one.entry) for one in proof.story],
    )


def _order(told: WinTold, proof: Proof) -> OrderTold:
    """The last order that was given it; one that was reopened no longer counts while it waits."""
    decided: OrderDecided | None = None
    ordered: WinsOrdered | None = None
    sequence = at = None
    for entry, fact in proof.story:
        if isinstance(fact, OrderDecided):
            decided = fact
        if isinstance(fact, WinsOrdered):
            ordered, sequence, at = fact, entry.sequence, entry.at
    if told.state == "pending":
        ordered, sequence, at = None, None, None
    return OrderTold(
        position=told.position,
        cluster=told.cluster or ([] if ordered is None else list(ordered.wins)),
        ambiguous=told.ambiguous,
        decided_by=None if decided is None else decided.person,
        decision=None if decided is None else list(decided.wins),
        reason=None if decided is None else decided.reason,
        ordered_at=maybe(at),
        open_rounds=None if ordered is None else ordered.open,
        sequence=sequence,
    )


def _payment(proof: Proof, currency: str) -> PaymentTold | None:
    if proof.ended is None or not isinstance(proof.ended.ending, WinPaid):
        return None
    paid, entry = proof.ended.ending, proof.ended.ended
    how = paid.proof
    reading = paid.before if paid.registered is None else paid.registered.value
    sharing = [paid.win] if how is None else list(how.wins)
    return PaymentTold(
        value_before=paid.before,
        percent=paid.percent,
        amount=paid.amount,
        policy=_policy_of(paid),
        reading=reading if how is None else how.reading,
        shared_by=sharing,
        formula=None if how is None else how.formula,
        formula_in_money=_in_money(paid, reading if how is None else how.reading, sharing, currency),
        value_after=paid.after,
        from_pool_units=paid.from_pool,
        registered=None if paid.registered is None else plain(paid.registered),
        moves_units={account.value: units for account, units in paid.moves.items()},
        sequence=entry.sequence,
        at=spoken_instant(entry.at),
        hash=entry.hash,
    )


def _policy_of(paid: WinPaid) -> Policy:
    return Policy.ORDERED if paid.proof is None else paid.proof.policy


def _in_money(paid: WinPaid, reading: int, sharing: list[str], currency: str) -> str:
    """As whoever checks it says it: what the level is, and what of it this win is paid."""
    whole, _ = percentage(reading, paid.percent)
    level = f"{paid.percent} % of {spoken(reading, currency)} = {spoken(whole, currency)}"
    if len(sharing) == 1:
        return level
    if _policy_of(paid) is Policy.FULL_EACH:
        return f"{level}, which each of the {len(sharing)} is paid"
    share, left = divmod(whole, len(sharing))
    said = f"{level}; shared by {len(sharing)}: {spoken(share, currency)} each"
    if not left:
        return said
    this = f"{spoken(paid.amount, currency)} as number {sharing.index(paid.win) + 1}"
    return f"{said}, and the {spoken(left, currency)} left over goes to the first: {this}"
