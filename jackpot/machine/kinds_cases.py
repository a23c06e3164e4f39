"""Facts about late claims and malfunctions: what each does, and how it is computed again."""

from __future__ import annotations

from dataclasses import replace

from jackpot.core.money import percentage
from jackpot.link.facts import (
    ClaimDecided,
    ClaimRaised,
    ClaimWithdrawn,
    MalfunctionCleared,
    MalfunctionDeclared,
    Stamp,
)
from jackpot.link.rounds import Round
from jackpot.link.state import Link, Malfunction, Then
from jackpot.link.wins import Claim, ClaimOutcome, percent_of
from jackpot.machine import events
from jackpot.machine.kind import (
    ClaimBegan,
    ClaimEnded,
    Evidence,
    Kind,
    MeterMay,
    every_table,
    must_equal,
    must_hold,
    no_table,
    own_table,
    post_moves,
)
from jackpot.machine.kinds_handovers import begin_handover, recompute_slip
from jackpot.machine.kinds_rounds import mark_paid
from jackpot.machine.telling import Telling, noted, spaced
from jackpot.pools.claims import amount_with_those_paid
from jackpot.pools.majors import Major
from jackpot.pools.pool import claim_payment


def _raise_claim(link: Link, fact: ClaimRaised, stamp: Stamp) -> None:
    link.claims[fact.claim] = Claim(
        id=fact.claim,
        table=fact.table,
        round=fact.round,
        box=fact.box,
        hand=fact.hand,
        cards=fact.cards,
        bet=fact.bet,
        interval=fact.interval,
        witnessed=fact.witnessed,
        evidence=fact.evidence,
        reason=fact.reason,
        in_order=fact.in_order,
        registered=fact.registered,
        sequence=stamp.sequence,
        promised=fact.promised,
        said_percent=fact.percent,
    )
    _now_a_claim(link, fact)


def _now_a_claim(link: Link, fact: ClaimRaised) -> None:
    """Also a win that was in line already may become a case for the House."""
    current = link.tables[fact.table].round
    if current is not None and current.number == fact.round:
        box = current.boxes[fact.box]
        if box.result is not None and box.result.win is not None:
            box.result = replace(box.result, win=None, claim=fact.claim)


def _recompute_claim(link: Link, fact: ClaimRaised) -> None:
    """What a table promised alone is known while the round is there; a later claim brings it along."""
    current = link.tables[fact.table].round
    if current is not None and current.number == fact.round:
        promised = current.promised
        percent = percent_of(fact.hand, fact.percent)
        must_equal("the percentage", percent, current.awards.share_of(fact.hand))
        share = None if promised is None else percentage(promised.amount, percent)[0]
        must_equal("what was promised", fact.promised, share)
        together = amount_with_those_paid(link, _as_major(fact, current, percent))
        if together is not None:  # else it comes of what the sign showed then, which is in the archive
            must_equal("its amount in order", fact.in_order, together)


def _as_major(fact: ClaimRaised, current: Round, percent: int) -> Major:
    """As much of it as its place among those that were paid depends on."""
    return Major(
        table=fact.table,
        round=fact.round,
        box=fact.box,
        hand=fact.hand,
        percent=percent,
        cards=fact.cards,
        bet=fact.bet,
        bets=current.sequence,
        interval=fact.interval,
        witnessed=fact.witnessed,
        evidence=fact.evidence,
        registered=None,
        registered_value=None,
        emptied=current.emptied,
        promised=None,
    )


def _say_claim(fact: ClaimRaised, _at: Telling) -> str:
    return f"Box {fact.box}: {spaced(fact.hand)}, a late claim ({fact.claim}): {spaced(fact.reason)}."


CLAIM_RAISED = Kind(
    ClaimRaised,
    place=Link,
    apply=_raise_claim,
    recompute=_recompute_claim,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=lambda fact: ClaimBegan(fact.claim, fact.table, fact.round, fact.box),
    words=_say_claim,
    foretold=None,
    event=events.CLAIM_RAISED,
)


def _withdraw_claim(link: Link, fact: ClaimWithdrawn, _stamp: Stamp) -> None:
    del link.claims[fact.claim]


CLAIM_WITHDRAWN = Kind(
    ClaimWithdrawn,
    place=Link,
    apply=_withdraw_claim,
    recompute=Evidence("why it ended was said by a table or the House; only an open one can be applied"),
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=lambda fact: ClaimEnded(fact.claim, decided=False),
    words=lambda fact, _: f"Claim {fact.claim} is withdrawn: {spaced(fact.reason)}.",
    foretold=None,
    event=events.CLAIM_WITHDRAWN,
)


def _decide_claim(link: Link, fact: ClaimDecided, stamp: Stamp) -> None:
    claim = link.claims.pop(fact.claim)
    if fact.amount:
        mark_paid(link, claim.table, claim.round, claim.box)
    begin_handover(link, fact, claim, fact.persons, stamp)
    post_moves(link, fact)


def _recompute_decision(link: Link, fact: ClaimDecided) -> None:
    claim = link.claims[fact.claim]
    amounts = {
        ClaimOutcome.IN_ORDER: claim.in_order,
        ClaimOutcome.REGISTERED: claim.registered,
        ClaimOutcome.PROMISED: claim.promised,
    }
    must_equal("the late claim's amount", fact.amount, amounts.get(fact.outcome, 0))
    recompute_slip(link, fact)
    must_equal("the late claim's moves", fact.moves, claim_payment(link.pool, fact.amount).moves)


def _say_decision(fact: ClaimDecided, at: Telling) -> str:
    outcome = f"{spaced(fact.outcome)}, {at.money(fact.amount)}"
    return f"Claim {fact.claim} is decided: {outcome}{noted(fact.reason)}."


def _foretell_decision(fact: ClaimDecided, at: Telling) -> str:
    if not fact.amount:
        return "The claim is refused."
    paid = at.money(fact.amount)
    return f"The claim is paid {paid} from the reserve and then the house. The meter does not change."


CLAIM_DECIDED = Kind(
    ClaimDecided,
    place=Link,
    apply=_decide_claim,
    recompute=_recompute_decision,
    meter=MeterMay.RISE,
    touches=every_table,
    shown_at_tables=False,
    history=lambda fact: ClaimEnded(fact.claim, decided=True, amount=fact.amount, slip=fact.slip),
    words=_say_decision,
    foretold=_foretell_decision,
    event=events.CLAIM_DECIDED,
)


def _declare_malfunction(link: Link, fact: MalfunctionDeclared, stamp: Stamp) -> None:
    link.malfunctions[fact.malfunction] = Malfunction(
        id=fact.malfunction,
        scope=fact.scope,
        then=fact.then,
        observed_at=fact.observed_at,
        declared_at=stamp.at,
        by=fact.by,
        note=fact.note,
        offline=fact.offline,
    )


def _recompute_malfunction(link: Link, fact: MalfunctionDeclared) -> None:
    """What was observed, and when, is a person's or a table's word."""
    must_equal("the id of the malfunction", fact.malfunction, f"{link.id}.m{link.sequence + 1}")
    table, box = fact.scope.table, fact.scope.box
    boxes = range(1, link.tables[table].setup.boxes + 1) if table is not None else ()
    must_hold(f"there is no box {box} in its scope", holds=box is None or box in boxes)


_THEN = {
    Then.CLOSE: "closed",
    Then.BLOCK_BOX: "the box blocked",
    Then.PROGRESSIVE_OFF: "the progressive off",
}
FROM_NOW_ON = {
    Then.CLOSE: "is closed for later rounds",
    Then.BLOCK_BOX: "box is blocked for later rounds",
    Then.PROGRESSIVE_OFF: "plays on with the progressive off, and shows the notice",
}


def _say_malfunction(fact: MalfunctionDeclared, _at: Telling) -> str:
    scope = "the whole link" if fact.scope.table is None else f"table {fact.scope.table}"
    box = "" if fact.scope.box is None else f", box {fact.scope.box}"
    return f"Malfunction of {scope}{box}; for later rounds {_THEN[fact.then]}{noted(fact.note)}."


def _foretell_malfunction(fact: MalfunctionDeclared, _at: Telling) -> str:
    scope = "The whole link" if fact.scope.table is None else f"Table {fact.scope.table}"
    box = "" if fact.scope.box is None else f", box {fact.scope.box}:"
    return f"{scope}{box} {FROM_NOW_ON[fact.then]}."


MALFUNCTION_DECLARED = Kind(
    MalfunctionDeclared,
    place=Link,
    apply=_declare_malfunction,
    recompute=_recompute_malfunction,
    meter=MeterMay.RISE,
    touches=every_table,
    shown_at_tables=True,
    history=None,
    words=_say_malfunction,
    foretold=_foretell_malfunction,
    event=events.MALFUNCTION_DECLARED,
)


def _clear_malfunction(link: Link, fact: MalfunctionCleared, _stamp: Stamp) -> None:
    del link.malfunctions[fact.malfunction]


MALFUNCTION_CLEARED = Kind(
    MalfunctionCleared,
    place=Link,
    apply=_clear_malfunction,
    recompute=Evidence("that all works again is a person's word; only an open one can be applied"),
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=True,
    history=None,
    words=lambda fact, _: f"Malfunction {fact.malfunction} is cleared{noted(fact.note)}.",
    foretold=lambda _fact, _: "Back in play.",
    event=events.MALFUNCTION_CLEARED,
)

CASE_KINDS = CLAIM_RAISED | CLAIM_WITHDRAWN | CLAIM_DECIDED | MALFUNCTION_DECLARED | MALFUNCTION_CLEARED
