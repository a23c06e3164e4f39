"""What people are told of late claims."""

from __future__ import annotations

from pydantic import Field

from api.operators.house_answers import Instant, MinorUnits, Span, Told
from api.operators.win_answers import Evidence
from jackpot.book.reading.history import PastClaim
from jackpot.core.instants import spoken_instant
from jackpot.link.facts import ClaimDecided, ClaimRaised
from jackpot.link.handovers import HandoverState
from jackpot.link.proposals import ClaimDecision
from jackpot.link.state import Link
from jackpot.link.wins import Claim


class Outcomes(Told):
    in_order: MinorUnits = Field(description="That hold computed again with the claim in its place.")
    registered: MinorUnits = Field(description="From the amount registered before it was dealt.")
    promised: MinorUnits | None = Field(description="What its table told its players while it was alone.")


class ClaimTold(Told):
    id: str
    table: str
    round: int
    box: int
    hand: str
    cards: list[str]
    bet: MinorUnits
    interval: Span
    evidence: Evidence
    reason: str = Field(description="overlaps_paid, round_settled, promise_denied or before_paid_royal.")
    outcomes: Outcomes
    state: str = Field(description="open, decided or withdrawn.")
    proposals: list[str] = Field(description="Decisions that wait for another person to confirm.")
    outcome: str | None
    amount: MinorUnits | None
    persons: list[str]
    handover: HandoverState | None = Field(
        description="due, handed_over or unclaimed; null if nothing was paid, or before there were slips."
    )
    decision: str | None = Field(description="Why it was decided so, or withdrawn.")
    sequence: int = Field(description="The journal sequence of the claim.")
    ended_at: Instant | None

    @classmethod
    def open(cls, link: Link, claim: Claim) -> ClaimTold:
        return _claim(
            claim,
            id=claim.id,
            state="open",
            proposals=[
                one.id
                for one in link.proposals.values()
                if isinstance(one.change, ClaimDecision) and one.change.claim == claim.id
            ],
            sequence=claim.sequence,
        )

    @classmethod
    def past(cls, one: PastClaim) -> ClaimTold:
        ending = one.ending
        decided = ending if isinstance(ending, ClaimDecided) else None
        return _claim(
            one.raised,
            id=one.raised.claim,
            state="withdrawn" if decided is None else "decided",
            outcome=None if decided is None else decided.outcome,
            amount=None if decided is None else decided.amount,
            persons=() if decided is None else decided.persons,
            decision=ending.reason,
            handover=one.handover,
            sequence=one.sequence,
            ended_at=spoken_instant(one.ended.at),
        )


def _claim(claim: Claim | ClaimRaised, **more: object) -> ClaimTold:
    nothing: dict[str, object] = {
        "proposals": [],
        "outcome": None,
        "amount": None,
        "persons": [],
        "handover": None,
        "decision": None,
    }
    return ClaimTold.model_validate(
        {
            "table": claim.table,
            "round": claim.round,
            "box": claim.box,
            "hand": claim.hand,
            "cards": claim.cards,
            "bet": claim.bet,
            "interval": Span.of(claim.interval),
            "evidence": Evidence.of(claim.evidence),
            "reason": claim.reason,
            "outcomes": Outcomes(
                in_order=claim.in_order, registered=claim.registered, promised=claim.promised
            ),
            "ended_at": None,
        }
        | nothing
        | more
    )


class Claims(Told):
    claims: list[ClaimTold] = Field(description="Open ones first; then those that ended, the latest first.")
    next: int | None = Field(description="`before` of the next page; null on the last.")
