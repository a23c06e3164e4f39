"""Facts about what two people agree on: what each does, and how it is computed again."""

from __future__ import annotations

from dataclasses import replace

from jackpot.core.refusals import Refused
from jackpot.house.transfers import arrival, departure
from jackpot.link.facts import (
    MeterAdjusted,
    ParametersChanged,
    ParametersScheduled,
    PoolArrived,
    PoolDeparted,
    ProposalConfirmed,
    ProposalWithdrawn,
    Proposed,
    Stamp,
)
from jackpot.link.parameters import check_parameters
from jackpot.link.proposals import ClaimDecision, Proposal, RoyalRejection, Scheduled
from jackpot.link.state import Link
from jackpot.machine import events
from jackpot.machine.kind import (
    Denied,
    Evidence,
    Kind,
    MeterMay,
    must_equal,
    must_hold,
    no_table,
    post_moves,
    two_people,
)
from jackpot.machine.telling import Telling, noted, spaced
from jackpot.pools.payout import scheduled_parameters
from jackpot.pools.pool import adjustment, changeover


def _propose(link: Link, fact: Proposed, stamp: Stamp) -> None:
    link.proposals[fact.proposal] = Proposal(
        id=fact.proposal, change=fact.change, reason=fact.reason, person=fact.person, at=stamp.at
    )


def _recompute_proposal(link: Link, fact: Proposed) -> None:
    must_equal("the id of the proposal", fact.proposal, f"{link.id}.p{link.sequence + 1}")
    same = [one.id for one in link.proposals.values() if one.change == fact.change]
    must_equal("other proposals of the same change", [], same)


def _say_proposal(fact: Proposed, _at: Telling) -> str:
    change = fact.change
    if isinstance(change, ClaimDecision):
        what = f"to decide claim {change.claim}: {spaced(change.outcome)}"
    else:
        what = f"to reject {change.win}" if isinstance(change, RoyalRejection) else "of another change"
    return f"Proposal {fact.proposal} {what}{noted(fact.reason)}."


PROPOSED = Kind(
    Proposed,
    place=Link,
    apply=_propose,
    recompute=_recompute_proposal,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=_say_proposal,
    foretold=lambda _fact, _: "This is only a proposal. Once another person has confirmed it:",
    event=events.PROPOSED,
)


def _end_proposal(link: Link, fact: ProposalWithdrawn | ProposalConfirmed, _stamp: Stamp) -> None:
    del link.proposals[fact.proposal]


PROPOSAL_WITHDRAWN = Kind(
    ProposalWithdrawn,
    place=Link,
    apply=_end_proposal,
    recompute=Evidence("anybody may end it, or what it was about is gone; only an open one can be applied"),
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"Proposal {fact.proposal} is withdrawn.",
    foretold=None,
    event=events.PROPOSAL_WITHDRAWN,
)


def _recompute_confirmation(link: Link, fact: ProposalConfirmed) -> None:
    must_hold(f"proposal {fact.proposal} was not open", holds=fact.proposal in link.proposals)
    two_people((link.proposals[fact.proposal].person, fact.person))


PROPOSAL_CONFIRMED = Kind(
    ProposalConfirmed,
    place=Link,
    apply=_end_proposal,
    recompute=_recompute_confirmation,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"Proposal {fact.proposal} is confirmed.",
    foretold=lambda _fact, _: "",
    event=events.PROPOSAL_CONFIRMED,
)


def _schedule(link: Link, fact: ParametersScheduled, stamp: Stamp) -> None:
    waiting = link.scheduled[-1] if link.scheduled else None
    if waiting is not None and (link.held_since is None or waiting.sequence > link.held_since):
        link.scheduled.pop()  # both wait for the same reset
        fact = replace(fact, changes=waiting.changes.followed_by(fact.changes))
    link.scheduled.append(Scheduled(changes=fact.changes, sequence=stamp.sequence))


def _recompute_scheduled(link: Link, fact: ParametersScheduled) -> None:
    """The proposal it carries out has just ended and left the state: only its result can be checked."""
    try:
        check_parameters(fact.changes.applied_to(scheduled_parameters(link)))
    except Refused as refusal:
        raise Denied(f"the scheduled parameters: {refusal.message}") from None


PARAMETERS_SCHEDULED = Kind(
    ParametersScheduled,
    place=Link,
    apply=_schedule,
    recompute=_recompute_scheduled,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=True,
    history=None,
    words=lambda _fact, _: "Takes effect at the next reset.",
    foretold=None,
    event=events.PARAMETERS_SCHEDULED,
)


def _change_parameters(link: Link, fact: ParametersChanged, _stamp: Stamp) -> None:
    link.parameters = fact.parameters
    post_moves(link, fact)


def _recompute_parameters(link: Link, fact: ParametersChanged) -> None:
    try:
        check_parameters(fact.parameters)
    except Refused as refusal:
        raise Denied(f"the new parameters: {refusal.message}") from None
    must_hold("the link was open, or a win was waiting", holds=link.closed and not link.held)
    computed = changeover(link.pool, link.parameters, fact.parameters)
    must_equal("the change of parameters", fact.moves, computed.moves)


PARAMETERS_CHANGED = Kind(
    ParametersChanged,
    place=Link,
    apply=_change_parameters,
    recompute=_recompute_parameters,
    meter=MeterMay.FALL,  # two people, on a closed link
    touches=no_table,
    shown_at_tables=True,
    history=None,
    words=lambda _fact, _: "Takes effect at once.",
    foretold=None,
    event=events.PARAMETERS_CHANGED,
)


def _move_money(link: Link, fact: MeterAdjusted | PoolDeparted | PoolArrived, _stamp: Stamp) -> None:
    post_moves(link, fact)


def _recompute_adjustment(link: Link, fact: MeterAdjusted) -> None:
    change = fact.adjustment
    computed = adjustment(link.pool, link.parameters, change.amount, change.account)
    must_equal("the adjustment", fact.moves, computed.moves)
    two_people(fact.persons)


METER_ADJUSTED = Kind(
    MeterAdjusted,
    place=Link,
    apply=_move_money,
    recompute=_recompute_adjustment,
    meter=MeterMay.FALL,  # two people, with a reason
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda _fact, _: "The meter is adjusted.",
    foretold=None,
    event=events.METER_ADJUSTED,
)


def _recompute_departure(link: Link, fact: PoolDeparted) -> None:
    must_equal("what departed", fact.moves, departure(link.pool, fact.amounts).moves)
    two_people(fact.persons)


POOL_DEPARTED = Kind(
    PoolDeparted,
    place=Link,
    apply=_move_money,
    recompute=_recompute_departure,
    meter=MeterMay.FALL,  # two people, with a reason; it arrives at another link
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, at: f"{at.units(fact.amounts)} leave for {fact.to or 'the house'}.",
    foretold=None,
    event=events.POOL_DEPARTED,
)


def _recompute_arrival(link: Link, fact: PoolArrived) -> None:
    computed = arrival(link.pool, link.parameters, fact.amounts, held=link.held)
    must_equal("what arrived", (fact.moves, fact.contributed), (computed.moves, computed.contributed))


POOL_ARRIVED = Kind(
    PoolArrived,
    place=Link,
    apply=_move_money,
    recompute=_recompute_arrival,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, at: f"{at.units(fact.amounts)} arrive from {fact.source}.",
    foretold=None,
    event=events.POOL_ARRIVED,
)

AGREEMENT_KINDS = (
    PROPOSED
    | PROPOSAL_WITHDRAWN
    | PROPOSAL_CONFIRMED
    | PARAMETERS_SCHEDULED
    | PARAMETERS_CHANGED
    | METER_ADJUSTED
    | POOL_DEPARTED
    | POOL_ARRIVED
)
