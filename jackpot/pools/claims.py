"""Late claims: a major that comes after the order it belonged to is history.

It starts no hold. It is a case for the House, with two amounts worked out: in its order, and as
registered before it was dealt. Two people decide; reserve, then house pays; the pool stays.
"""

from __future__ import annotations

from jackpot.core.money import percentage
from jackpot.core.refusals import ClaimIsDecided, ClaimUnknown, OutcomeWrong, WinAlreadyPaid, WinStillWaiting
from jackpot.link.awards import Policy
from jackpot.link.execution import Desk
from jackpot.link.facts import ClaimDecided, ClaimRaised
from jackpot.link.proposals import ClaimDecision
from jackpot.link.state import Link, Registered
from jackpot.link.wins import Claim, ClaimOutcome, ClaimReason, Hit, Proof, Win, said_percent
from jackpot.pools.majors import Major, drop_proposals, withdraw
from jackpot.pools.order import Deal, Simultaneous, certainly_before, counting, proposed_before
from jackpot.pools.payout import prospects, registered_next, simultaneous
from jackpot.pools.policies import POLICIES
from jackpot.pools.pool import Transfer, claim_payment


def comes_too_late(link: Link, major: Major, *, in_line: bool = False) -> bool:
    """What was in line while the other was paid is late only if it is certainly earlier."""
    ours, basis = counting(major, link.parameters.order_basis), link.parameters.order_basis
    paid = [(counting(hit, basis), paid_by(hit)) for hit in _perhaps_later(link, major)]
    return any(
        certainly_before(ours, hit, meeting) or (not in_line and _late_for(ours, hit, meeting))
        for hit, meeting in paid
    )


def paid_by(hit: Hit) -> Simultaneous:
    """What counted as simultaneous in the hold in which it was paid, whatever holds now."""
    together = hit.proof is not None and hit.proof.policy is not Policy.ORDERED
    return Simultaneous(hit.window or 0, together)


def _perhaps_later(link: Link, major: Major) -> list[Hit]:
    """What was paid before the bets were taken was dealt before, however well house time was known then."""
    return [hit for hit in link.hits if hit.sequence > major.bets]


def _late_for(major: Deal, hit: Deal, meeting: Simultaneous) -> bool:
    """Certainly dealt before a paid win, or perhaps: it begins before that one ends (or within the window),
    and that one is not certainly the earlier."""
    return certainly_before(major, hit, meeting) or (
        major.interval.start < hit.interval.end + meeting.window and not certainly_before(hit, major, meeting)
    )


def house_case(link: Link, major: Major, *, in_line: bool) -> ClaimReason | None:
    """Why a major of the round in play is not registered as a win but put before the House."""
    if comes_too_late(link, major, in_line=in_line):
        return ClaimReason.OVERLAPS_PAID
    if major.emptied:
        return ClaimReason.BEFORE_PAID_ROYAL
    return None if major.promised is None else ClaimReason.PROMISE_DENIED


def emptied_since(link: Link, reading: Registered) -> bool:
    """Whether a royal flush, or what else takes all, was paid since, of which the reading knew nothing."""
    pending = {place_of(then.win) for then in reading.pending}
    royals = [hit for hit in link.hits if hit.takes_all and hit.sequence > reading.sequence]
    return any(place_of(hit.win) not in pending for hit in royals)


def place_of(win: str) -> str:
    """Table, round and box: what a win has in common with its successor after a correction."""
    return win.rsplit(".", 1)[0]


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
            witnessed=major.witnessed,
            evidence=major.evidence,
            reason=reason,
            in_order=_amount_in_order(desk, major),
            registered=_share(major, _value_registered(desk, major)),
            promised=None if major.promised is None else _share(major, major.promised),
            percent=said_percent(major.hand, major.percent),
        )
    )
    return claim


def put_before_the_house(desk: Desk, win: Win) -> None:
    """A win in line whose registered reading a royal flush has emptied."""
    link, reason = desk.link, ClaimReason.BEFORE_PAID_ROYAL
    current = link.tables[win.table].round
    value = None if win.registered is None else link.registers[win.registered].value
    withdraw(desk, win.id, reason=reason)
    major = Major(
        table=win.table,
        round=win.round,
        box=win.box,
        hand=win.hand,
        percent=win.percent,
        cards=win.cards,
        bet=win.bet,
        interval=win.interval,
        witnessed=win.witnessed,
        evidence=win.evidence,
        bets=0 if current is None or current.number != win.round else current.sequence,
        registered=win.registered,
        registered_value=value,
        emptied=True,
        promised=None,
    )
    raise_claim(desk, major, reason)


def _share(major: Major, value: int) -> int:
    amount, _ = percentage(value, major.percent)
    return amount


def _amount_in_order(desk: Desk, major: Major) -> int:
    """What it would have been paid at its place in the line, or with those that were paid together."""
    together = amount_with_those_paid(desk.link, major)
    return _share(major, _value_in_order(desk, major)) if together is None else together


def amount_with_those_paid(link: Link, major: Major) -> int | None:
    """As one more of a cluster that was paid together; None if it would have met none."""
    met = _met(link, major)
    return None if met is None or met.proof is None else _with_those_paid(link, major, met, met.proof)


def _met(link: Link, major: Major) -> Hit | None:
    """A win with which it would have been paid together."""
    basis = link.parameters.order_basis
    ours = counting(major, basis)
    for hit in _perhaps_later(link, major):
        theirs, meeting = counting(hit, basis), paid_by(hit)
        certain = certainly_before(ours, theirs, meeting) or certainly_before(theirs, ours, meeting)
        if meeting.together and not certain:
            return hit
    return None


def _with_those_paid(link: Link, major: Major, met: Hit, proof: Proof) -> int:
    """One more of that cluster, and the last of its level: what the others were paid stays theirs."""
    cluster = [hit for hit in link.hits if hit.cluster == met.cluster]
    first = cluster[0]  # of a cluster longer than the hits that are kept, what it met says the reading
    reading = first.before if first.sequence == first.cluster else proof.reading
    alike = [
        hit.proof.wins
        for hit in cluster
        if hit.proof and (hit.hand, hit.percent) == (major.hand, major.percent)
    ]
    sharing = alike[0] if alike else ()
    return POLICIES[proof.policy].proofs(reading, major.percent, [*sharing, claim_id(major)])[-1].amount


def _value_in_order(desk: Desk, major: Major) -> int:
    """What the sign showed, or would show, at the place in the line where the claim belongs: in the hold of
    the first win that was paid before it and should perhaps not have been."""
    link, basis, meeting = desk.link, desk.link.parameters.order_basis, simultaneous(desk.link)
    ours = counting(major, basis)
    later = _perhaps_later(link, major)
    late_for = [hit for hit in later if _late_for(ours, counting(hit, basis), paid_by(hit))]
    hold = late_for[0].hold if late_for else None
    paid = [hit for hit in link.hits if hit.hold == hold]
    for hit in paid:
        if proposed_before(ours, counting(hit, basis), paid_by(hit)):
            return hit.before
    if paid and link.held_since != hold:
        return paid[-1].after
    expected = prospects(link)
    for win, payment in expected.items():
        if proposed_before(ours, counting(link.queue[win], basis), meeting):
            return payment.before
    if expected:
        return list(expected.values())[-1].after
    return desk.archive.reading_before(major.interval.end).value


def _value_registered(desk: Desk, major: Major) -> int:
    if major.registered in desk.link.registers:
        return desk.link.registers[major.registered].value
    if major.registered_value is not None:
        return major.registered_value
    reading = desk.archive.reading_before(major.interval.start)
    if reading.sequence < major.bets:
        reading = desk.archive.reading_at(major.bets) or reading
    left = registered_next(reading, desk.link.parameters)
    return reading.value if left is None else left


def open_claim(desk: Desk, claim: str) -> Claim:
    found = desk.link.claims.get(claim)
    if found is None and desk.archive.claimed(claim):
        raise ClaimIsDecided(f"late claim {claim} was decided", claim=claim)
    if found is None:
        raise ClaimUnknown(f"no late claim {claim[:80]!r} is open", claim=claim[:80])
    return found


def payable_claim(desk: Desk, decision: ClaimDecision) -> Claim:
    """One bet is paid one major: a claim is paid only if its box has nothing waiting and was paid nothing."""
    claim = open_claim(desk, decision.claim)
    if decision.outcome is ClaimOutcome.PROMISED and claim.promised is None:
        raise OutcomeWrong(f"no table promised anything to {claim.id}", field="outcome")
    if decision.outcome is ClaimOutcome.REFUSED:
        return claim
    place = (claim.table, claim.round, claim.box)
    for win in desk.link.queue.values():
        if (win.table, win.round, win.box) == place:
            raise WinStillWaiting(f"win {win.id} of the same bet is waiting: reject it first", win=win.id)
    if desk.archive.paid(*place):
        raise WinAlreadyPaid(f"a major of box {claim.box} in that round has been paid", box=claim.box)
    return claim


def decide_claim(desk: Desk, decision: ClaimDecision, *, persons: tuple[str, ...], reason: str) -> None:
    claim = payable_claim(desk, decision)
    amount = {
        ClaimOutcome.IN_ORDER: claim.in_order,
        ClaimOutcome.REGISTERED: claim.registered,
        ClaimOutcome.PROMISED: claim.promised or 0,
        ClaimOutcome.REFUSED: 0,
    }[decision.outcome]
    transfer = claim_payment(desk.link.pool, amount) if amount else Transfer({})
    desk.write(
        ClaimDecided(
            claim=claim.id,
            table=claim.table,
            round=claim.round,
            box=claim.box,
            outcome=decision.outcome,
            amount=amount,
            persons=persons,
            reason=reason,
            slip=desk.link.slip_for(amount),
            moves=transfer.moves,
        )
    )
    drop_proposals(desk, claim.id)
