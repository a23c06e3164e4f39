"""What two people agreed on, late claims and the opening, as they would have been."""

from __future__ import annotations

from dataclasses import replace

from jackpot.core.money import Account, displayed
from jackpot.dryrun.alternative import Alternative
from jackpot.dryrun.overrides import over
from jackpot.dryrun.wins import is_major
from jackpot.house.transfers import arrival, departure, whole_pool
from jackpot.link.facts import (
    ClaimDecided,
    ClaimRaised,
    ClaimWithdrawn,
    LinkCreated,
    LinkRetired,
    MeterAdjusted,
    ParametersChanged,
    ParametersScheduled,
    PoolArrived,
    PoolDeparted,
)
from jackpot.pools.pool import adjustment, changeover, claim_payment, opening


def link_created(side: Alternative, fact: LinkCreated) -> None:
    """Who begins with other parameters opens with their seed."""
    parameters = side.overrides.applied_to(fact.parameters)
    side.link.parameters = parameters
    side.write(replace(fact, parameters=parameters, moves=opening(parameters.seed)))


def parameters_scheduled(side: Alternative, fact: ParametersScheduled) -> None:
    side.write(replace(fact, changes=fact.changes.beside(side.overrides)))


def parameters_changed(side: Alternative, fact: ParametersChanged) -> None:
    link = side.link
    parameters = over(side.overrides, fact.parameters, link.parameters)
    moves = changeover(link.pool, link.parameters, parameters).moves
    side.write(replace(fact, parameters=parameters, moves=moves))


def meter_adjusted(side: Alternative, fact: MeterAdjusted) -> None:
    """By its recorded amount, or as much of it as is there."""
    link, change = side.link, fact.adjustment
    short = change.account if change.amount > 0 else Account.METER
    there = abs(change.amount)
    if short is not Account.HOUSE:
        there = min(there, max(0, displayed(link.pool.accounts[short])))
    amount = there if change.amount > 0 else -there
    if amount != change.amount:
        side.notes.cut.add(side.stamp.sequence)
    made = adjustment(link.pool, link.parameters, amount, change.account)
    side.write(replace(fact, adjustment=replace(change, amount=amount), moves=made.moves))


def pool_departed(side: Alternative, fact: PoolDeparted) -> None:
    """A link that is given up gives all it has; otherwise what departed, or as much of it as is there."""
    pool = side.link.pool
    if any(isinstance(one.fact, LinkRetired) for one in side.following):
        amounts = whole_pool(pool)
    else:
        amounts = {name: min(units, max(0, pool.accounts[name])) for name, units in fact.amounts.items()}
        if amounts != fact.amounts:
            side.notes.cut.add(side.stamp.sequence)
    side.write(replace(fact, amounts=amounts, moves=departure(pool, amounts).moves))


def pool_arrived(side: Alternative, fact: PoolArrived) -> None:
    link = side.link
    made = arrival(link.pool, link.parameters, fact.amounts, held=link.held)
    side.write(replace(fact, moves=made.moves, contributed=made.contributed))


def claim_raised(side: Alternative, fact: ClaimRaised) -> None:
    """With its recorded amounts, if its hand is a major here too."""
    if is_major(side, fact):
        side.write(fact)
    else:
        side.notes.fell_away.add(fact.claim)


def claim_withdrawn(side: Alternative, fact: ClaimWithdrawn) -> None:
    if fact.claim in side.link.claims:
        side.write(fact)


def claim_decided(side: Alternative, fact: ClaimDecided) -> None:
    if fact.claim in side.link.claims:
        moves = claim_payment(side.link.pool, fact.amount).moves if fact.amount else {}
        side.write(replace(fact, moves=moves, slip=None))
