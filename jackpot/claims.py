"""Late claims: a major that comes after the order it belonged to is history.

It starts no hold. It is a case for the House, with two amounts worked out: in its order, and as
registered before it was dealt. Two people decide; reserve, then house pays; the pool stays.
"""

from __future__ import annotations

from jackpot.desk import Desk
from jackpot.facts import ClaimDecided, ClaimRaised
from jackpot.hands import PERCENT_OF_POOL
from jackpot.majors import Major
from jackpot.money import percentage
from jackpot.ordering import certainly_before, proposed_before
from jackpot.pool import Transfer, claim_payment
from jackpot.refusals import ClaimUnknown
from jackpot.state import Claim, ClaimDecision, ClaimOutcome, ClaimReason, Link


def comes_too_late(link: Link, major: Major) -> bool:
    """It begins before a paid win ends, and that one is not certainly the earlier."""
    return any(
        major.interval.start < hit.interval.end and not certainly_before(hit, major) for hit in link.hits
    )


def claim_id(major: Major) -> str:
    return f"{major.table}.{major.round}.{major.box}.{major.hand}"


def raise_claim(desk: Desk, major: Major, reason: ClaimReason) -> str:
    claim = claim_id(major)
    desk.write(
        ClaimRaised(
            claim=claim,
            table=major.table,
            round=major.round,
            box=major.box,
            hand=major.hand,
            cards=major.cards,
            bet=major.bet,
            interval=major.interval,
            evidence=major.evidence,
            reason=reason,
            in_order=_share(major, _value_in_order(desk, major)),
            registered=_share(major, _value_registered(desk, major)),
        )
    )
    return claim


def _share(major: Major, value: int) -> int:
    amount, _ = percentage(value, PERCENT_OF_POOL[major.hand])
    return amount


def _value_in_order(desk: Desk, major: Major) -> int:
    """What the sign showed at the place in the line where the claim belonged."""
    hits = desk.link.hits
    for hit in hits:
        if proposed_before(major, hit):
            return hit.before
    if hits and comes_too_late(desk.link, major):
        return hits[-1].after
    return desk.past.reading_before(major.interval.end).basis()


def _value_registered(desk: Desk, major: Major) -> int:
    registered = major.basis or desk.past.reading_before(major.interval.start)
    return registered.basis()


def open_claim(desk: Desk, claim: str) -> Claim:
    found = desk.link.claims.get(claim)
    if found is None:
        raise ClaimUnknown(f"no late claim {claim[:80]!r} is open", claim=claim[:80])
    return found


def decide_claim(desk: Desk, decision: ClaimDecision, *, persons: tuple[str, ...], reason: str) -> None:
    claim = open_claim(desk, decision.claim)
    amount = {
        ClaimOutcome.IN_ORDER: claim.in_order,
        ClaimOutcome.REGISTERED: claim.registered,
        ClaimOutcome.REFUSED: 0,
    }[decision.outcome]
    transfer = claim_payment(desk.link.pool, amount) if amount else Transfer({})
    desk.write(
        ClaimDecided(
            claim=claim.id,
            outcome=decision.outcome,
            amount=amount,
            persons=persons,
            reason=reason,
            moves=transfer.moves,
        )
    )
