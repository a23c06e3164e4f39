"""A command of the journal played again: each recorded fact made anew, in the order in which they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from jackpot.core.versions import RULES_OF_0_1
from jackpot.dryrun import agreements, rounds, wins
from jackpot.dryrun.alternative import Alternative, Recorded
from jackpot.link import facts
from jackpot.link.fact import Fact
from jackpot.link.facts import ClaimDecided, HandoverFact, Stamp, WinPaid

_ANEW: dict[type[Fact], Callable[[Alternative, Any], None]] = {
    facts.LinkCreated: agreements.link_created,
    facts.BetsClosed: rounds.bets_closed,
    facts.HandsReported: rounds.hands_reported,
    facts.RoundVoided: rounds.round_voided,
    facts.HandsInvalidated: rounds.hands_invalidated,
    facts.RoundContinued: rounds.round_continued,
    facts.WinRegistered: wins.win_registered,
    facts.WinWithdrawn: wins.win_left,
    facts.WinRejected: wins.win_left,
    facts.WinApproved: wins.win_approved,
    facts.WinsOrdered: wins.wins_ordered,
    facts.OrderReopened: wins.wins_ordered,
    facts.OrderDecided: wins.order_decided,
    facts.WinPaid: wins.win_paid,
    facts.ClaimRaised: agreements.claim_raised,
    facts.ClaimWithdrawn: agreements.claim_withdrawn,
    facts.ClaimDecided: agreements.claim_decided,
    facts.ParametersScheduled: agreements.parameters_scheduled,
    facts.ParametersChanged: agreements.parameters_changed,
    facts.MeterAdjusted: agreements.meter_adjusted,
    facts.PoolDeparted: agreements.pool_departed,
    facts.PoolArrived: agreements.pool_arrived,
}
"""All others move no money and concern no win: they are taken as they are."""


class Differs(Exception):
    """With the journal's own parameters something else came out than was recorded."""

    def __init__(self, sequence: int, recorded: Fact | None, made: Fact | None) -> None:
        super().__init__(
            f"entry {sequence}: with the journal's own parameters the dry run makes {made},"
            f" recorded is {recorded}"
        )
        self.sequence = sequence


def play(side: Alternative, command: Sequence[Recorded]) -> list[Fact]:
    """The facts that the command comes to here."""
    side.made = []
    side.places = {}
    for number, one in enumerate(command):
        side.following, side.stamp = command[number + 1 :], one.stamp
        anew = _ANEW.get(type(one.fact))
        if isinstance(one.fact, HandoverFact):
            pass  # what is paid is owed, whoever takes it home
        elif anew is None:
            side.write(one.fact)
        else:
            anew(side, one.fact)
        side.passed()
    if side.link.queue and (side.signalled or side.only_here):
        wins.pay_what_is_ready(side)
    return side.made


def check_the_same(command: Sequence[Recorded], made: Sequence[Fact]) -> None:
    """The proof of a dry run: the same parameters give the same facts, to the last unit."""
    played = [one for one in command if not isinstance(one.fact, HandoverFact)]
    for number, one in enumerate(played):
        came = made[number] if number < len(made) else None
        if isinstance(came, WinPaid) and isinstance(one.fact, WinPaid):
            came = _as_told_then(came, one.fact, one.stamp)
        if came != _without_slip(one.fact):
            raise Differs(one.stamp.sequence, one.fact, came)
    if len(made) > len(played):
        raise Differs(command[-1].stamp.sequence, None, made[len(played)])


def _as_told_then(came: WinPaid, recorded: WinPaid, stamp: Stamp) -> WinPaid:
    """Earlier releases said less of a payment."""
    if stamp.rules == RULES_OF_0_1:
        came = replace(came, basis=recorded.basis)
    return replace(came, proof=None, due=()) if recorded.proof is None else came


def _without_slip(fact: Fact) -> Fact:
    """A dry run hands nothing over, so it has no slips."""
    return replace(fact, slip=None) if isinstance(fact, WinPaid | ClaimDecided) else fact
