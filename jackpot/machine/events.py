"""The facts that others who listen are told of, each with its name and its data; a `Kind` names its own."""

from __future__ import annotations

from typing import Any

from jackpot.core.instants import spoken_instant
from jackpot.link.facts import (
    ClaimDecided,
    ClaimRaised,
    ClaimWithdrawn,
    DayClosed,
    LinkClosed,
    LinkCreated,
    LinkOpened,
    LinkRetired,
    MalfunctionCleared,
    MalfunctionDeclared,
    MeterAdjusted,
    MetersDiffered,
    MetersMended,
    OrderDecided,
    OrderReopened,
    ParametersChanged,
    ParametersScheduled,
    PoolArrived,
    PoolDeparted,
    ProposalConfirmed,
    ProposalWithdrawn,
    Proposed,
    TableAdded,
    TableChanged,
    TableClosed,
    TableJoined,
    TableLeft,
    TableMoved,
    TableOpened,
    WinApproved,
    WinHandedOver,
    WinPaid,
    WinRegistered,
    WinRejected,
    WinsOrdered,
    WinUnclaimed,
    WinWithdrawn,
)
from jackpot.link.meters import Meters
from jackpot.link.parameters import Changes, Parameters
from jackpot.link.pit_facts import PitCreated, PitTableAdded
from jackpot.link.table_terms import TableTerms
from jackpot.link.wins import Interval
from jackpot.machine.event import Data, Event, Topic


def _interval(one: Interval) -> dict[str, str]:
    return {"from": spoken_instant(one.start), "to": spoken_instant(one.end)}


def _place(fact: WinRegistered | WinPaid | ClaimRaised) -> dict[str, Any]:
    return {"table": fact.table, "round": fact.round, "box": fact.box, "hand": fact.hand.value}


# Wins


def _registered(fact: WinRegistered) -> Data:
    dealt = {"cards": list(fact.cards), "bet": fact.bet, "interval": _interval(fact.interval)}
    return {"win": fact.win, **_place(fact), **dealt, "replaces": fact.replaces}


WIN_REGISTERED = Event("win.registered", Topic.WINS, _registered)
WIN_APPROVED = Event[WinApproved](
    "win.approved", Topic.WINS, lambda fact: {"win": fact.win, "by": fact.person}
)
WIN_REJECTED = Event[WinRejected](
    "win.rejected",
    Topic.WINS,
    lambda fact: {"win": fact.win, "by": list(fact.persons), "reason": fact.reason},
)
WIN_WITHDRAWN = Event[WinWithdrawn](
    "win.withdrawn", Topic.WINS, lambda fact: {"win": fact.win, "reason": fact.reason}
)
WINS_ORDERED = Event[WinsOrdered]("wins.ordered", Topic.WINS, lambda fact: {"wins": list(fact.wins)})
ORDER_REOPENED = Event[OrderReopened](
    "wins.order_reopened", Topic.WINS, lambda fact: {"wins": list(fact.wins)}
)
ORDER_DECIDED = Event[OrderDecided](
    "wins.order_decided",
    Topic.WINS,
    lambda fact: {"wins": list(fact.wins), "by": fact.person, "reason": fact.reason},
)


# Payments and late claims


def _paid(fact: WinPaid) -> Data:
    money = {"before": fact.before, "percent": fact.percent, "amount": fact.amount, "after": fact.after}
    by = [one.person for one in fact.approvals]
    return {"win": fact.win, **_place(fact), **money, "reset": fact.parameters is not None, "approved_by": by}


WIN_PAID = Event("win.paid", Topic.PAYMENTS, _paid)


def _raised(fact: ClaimRaised) -> Data:
    dealt = {"cards": list(fact.cards), "bet": fact.bet, "interval": _interval(fact.interval)}
    outcomes = {"in_order": fact.in_order, "registered": fact.registered, "promised": fact.promised}
    return {"claim": fact.claim, **_place(fact), **dealt, "reason": fact.reason.value, **outcomes}


CLAIM_RAISED = Event("claim.raised", Topic.CLAIMS, _raised)
CLAIM_WITHDRAWN = Event[ClaimWithdrawn](
    "claim.withdrawn", Topic.CLAIMS, lambda fact: {"claim": fact.claim, "reason": fact.reason}
)


def _decided(fact: ClaimDecided) -> Data:
    place = {"claim": fact.claim, "table": fact.table, "round": fact.round, "box": fact.box}
    outcome = {"outcome": fact.outcome.value, "amount": fact.amount}
    return {**place, **outcome, "by": list(fact.persons), "reason": fact.reason}


CLAIM_DECIDED = Event("claim.decided", Topic.CLAIMS, _decided)


# What is handed over


def _handed_over(fact: WinHandedOver) -> Data:
    paid = {"win": fact.win, "slip": fact.slip, "amount": fact.amount}
    return {**paid, "reference": fact.reference, "method": fact.method.value, "by": list(fact.persons)}


WIN_HANDED_OVER = Event("win.handed_over", Topic.PAYMENTS, _handed_over)
WIN_UNCLAIMED = Event[WinUnclaimed](
    "win.unclaimed",
    Topic.PAYMENTS,
    lambda fact: {"win": fact.win, "slip": fact.slip, "amount": fact.amount, "by": fact.person},
)


# Malfunctions


def _declared(fact: MalfunctionDeclared) -> Data:
    scope = {"table": fact.scope.table, "box": fact.scope.box, "then": fact.then.value}
    observed = {"observed_at": spoken_instant(fact.observed_at), "by": fact.by, "note": fact.note}
    return {"malfunction": fact.malfunction, **scope, **observed}


MALFUNCTION_DECLARED = Event("malfunction.declared", Topic.ALERTS, _declared)
MALFUNCTION_CLEARED = Event[MalfunctionCleared](
    "malfunction.cleared",
    Topic.ALERTS,
    lambda fact: {"malfunction": fact.malfunction, "by": fact.person, "note": fact.note},
)


# Openings and closings

LINK_CREATED = Event[LinkCreated](
    "link.created",
    Topic.OPENINGS,
    lambda fact: {"name": fact.name, "currency": fact.currency, **_parameters(fact.parameters)},
)
LINK_OPENED = Event[LinkOpened](
    "link.opened", Topic.OPENINGS, lambda fact: {"by": list(fact.persons), "reason": fact.reason}
)
LINK_CLOSED = Event[LinkClosed](
    "link.closed", Topic.OPENINGS, lambda fact: {"by": fact.person, "reason": fact.reason}
)
DAY_CLOSED = Event[DayClosed](
    "day.closed",
    Topic.OPENINGS,
    lambda fact: {
        "day": fact.day,
        "from": spoken_instant(fact.start),
        "to": spoken_instant(fact.end),
        "by": fact.person,
        "note": fact.note,
        "figures": fact.figures,
        "compared": [
            {"figure": one.figure, "recorded": one.recorded, "counted": one.counted, "note": one.note}
            for one in fact.compared
        ],
    },
)
LINK_RETIRED = Event[LinkRetired](
    "link.retired", Topic.OPENINGS, lambda fact: {"by": list(fact.persons), "reason": fact.reason}
)
PIT_CREATED = Event[PitCreated](
    "pit.created", Topic.OPENINGS, lambda fact: {"name": fact.name, "currency": fact.currency}
)


def _added(fact: TableAdded | PitTableAdded) -> Data:
    setup = fact.setup
    return {"table": setup.id, "game": setup.game.value, "boxes": setup.boxes, "by": fact.person}


TABLE_ADDED = Event[TableAdded]("table.added", Topic.OPENINGS, _added)
PIT_TABLE_ADDED = Event[PitTableAdded]("table.added", Topic.OPENINGS, _added)
TABLE_JOINED = Event[TableJoined]("table.in_play", Topic.OPENINGS, lambda fact: {"table": fact.table})
TABLE_LEFT = Event[TableLeft]("table.out_of_play", Topic.OPENINGS, lambda fact: {"table": fact.table})


def _turned(fact: TableOpened | TableClosed) -> Data:
    return {"table": fact.table, "by": fact.person, "reason": fact.reason}


TABLE_OPENED = Event[TableOpened]("table.opened", Topic.OPENINGS, _turned)
TABLE_CLOSED = Event[TableClosed]("table.closed", Topic.OPENINGS, _turned)


def _changed(fact: TableChanged) -> Data:
    by = {"by": fact.person, "reason": fact.reason}
    return {"table": fact.table, "was": _terms(fact.was), "terms": _terms(fact.terms), **by}


def _terms(terms: TableTerms) -> dict[str, Any]:
    limits = {"boxes": terms.boxes, "minimum": terms.minimum, "maximum": terms.maximum}
    side = {
        name: {"minimum": one.minimum, "maximum": one.maximum} for name, one in sorted(terms.side.items())
    }
    return {"name": terms.name, **limits, "side": side}


TABLE_CHANGED = Event("table.changed", Topic.OPENINGS, _changed)
TABLE_MOVED = Event[TableMoved](
    "table.moved",
    Topic.OPENINGS,
    lambda fact: {"table": fact.table, "to": fact.to, "by": fact.person, "reason": fact.reason},
)


# Parameters, and money that two people move


def _parameters(one: Parameters) -> dict[str, Any]:
    rates = {"meter_ppm": one.meter_ppm, "reserve_ppm": one.reserve_ppm}
    approvals = {
        "straight_flush_approvals": one.straight_flush_approvals,
        "royal_flush_approvals": one.royal_flush_approvals,
    }
    bounds = {"seed": one.seed, "progressive_bet": one.progressive_bet, "ceiling": one.ceiling}
    return bounds | rates | approvals


def _changes(one: Changes) -> dict[str, Any]:
    """Those that are named; null takes a limit away."""
    names = "seed", "meter_ppm", "reserve_ppm", "straight_flush_approvals", "royal_flush_approvals"
    named = {name: getattr(one, name) for name in names}
    told: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    if one.no_ceiling or one.ceiling is not None:
        told["ceiling"] = one.ceiling
    return told


PROPOSED = Event[Proposed](
    "proposal.made",
    Topic.PARAMETERS,
    lambda fact: {
        "proposal": fact.proposal,
        "change": type(fact.change).__name__,
        "by": fact.person,
        "reason": fact.reason,
    },
)
PROPOSAL_WITHDRAWN = Event[ProposalWithdrawn](
    "proposal.withdrawn",
    Topic.PARAMETERS,
    lambda fact: {"proposal": fact.proposal, "by": fact.person},
)
PROPOSAL_CONFIRMED = Event[ProposalConfirmed](
    "proposal.confirmed",
    Topic.PARAMETERS,
    lambda fact: {"proposal": fact.proposal, "by": fact.person},
)
PARAMETERS_SCHEDULED = Event[ParametersScheduled](
    "parameters.scheduled",
    Topic.PARAMETERS,
    lambda fact: {"proposal": fact.proposal, **_changes(fact.changes)},
)
PARAMETERS_CHANGED = Event[ParametersChanged](
    "parameters.changed",
    Topic.PARAMETERS,
    lambda fact: {"proposal": fact.proposal, **_parameters(fact.parameters)},
)


def _adjusted(fact: MeterAdjusted) -> Data:
    moved = {"amount": fact.adjustment.amount, "account": fact.adjustment.account.value}
    return {"proposal": fact.proposal, **moved, "by": list(fact.persons), "reason": fact.reason}


METER_ADJUSTED = Event("meter.adjusted", Topic.PARAMETERS, _adjusted)
POOL_DEPARTED = Event[PoolDeparted](
    "pool.departed",
    Topic.PARAMETERS,
    lambda fact: {"transfer": fact.transfer, "to": fact.to, "by": list(fact.persons), "reason": fact.reason},
)
POOL_ARRIVED = Event[PoolArrived](
    "pool.arrived",
    Topic.PARAMETERS,
    lambda fact: {
        "transfer": fact.transfer,
        "from": fact.source,
        "by": list(fact.persons),
        "reason": fact.reason,
    },
)


# Meters of table controllers


def _meters(one: Meters) -> dict[str, int]:
    return {"rounds": one.rounds, "bets": one.bets, "returned": one.returned, "awards": one.awards}


def _differed(fact: MetersDiffered) -> Data:
    where = {"table": fact.table, "after": fact.after, "round": fact.round, "rounds": list(fact.rounds)}
    told = None if fact.told is None else _meters(fact.told)
    return {"difference": fact.difference, **where, "expected": _meters(fact.house), "told": told}


METERS_DIFFERED = Event("meters.differed", Topic.ALERTS, _differed)
METERS_MENDED = Event[MetersMended](
    "meters.mended",
    Topic.ALERTS,
    lambda fact: {
        "difference": fact.difference,
        "table": fact.table,
        "by": fact.person,
        "reason": fact.reason,
    },
)
