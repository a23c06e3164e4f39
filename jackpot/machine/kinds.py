"""Every kind of fact, each declared in one place: a `kinds_` module beside this one.

A fact class without a declaration does not type-check here; a declaration that lacks a part does not there.
"""

from __future__ import annotations

from typing import Any

from jackpot.link.fact import Fact
from jackpot.link.facts import (
    AgreementFact,
    CaseFact,
    HandoverFact,
    LinkFact,
    MetersFact,
    RoundFact,
    TableFact,
    WinFact,
)
from jackpot.link.handovers import Ended, HandoverState
from jackpot.link.pit_facts import PitFact
from jackpot.machine.event import Event
from jackpot.machine.kind import ClaimEnded, HandoverChanged, Kind, Kinds, Remembered, WinEnded
from jackpot.machine.kinds_agreements import AGREEMENT_KINDS
from jackpot.machine.kinds_cases import CASE_KINDS
from jackpot.machine.kinds_handovers import HANDOVER_KINDS
from jackpot.machine.kinds_link import LINK_KINDS
from jackpot.machine.kinds_meters import METERS_KINDS
from jackpot.machine.kinds_pits import PIT_KINDS
from jackpot.machine.kinds_rounds import ROUND_KINDS
from jackpot.machine.kinds_tables import TABLE_KINDS
from jackpot.machine.kinds_wins import WIN_KINDS
from jackpot.machine.telling import Telling


def _by_class(
    *,
    link: Kinds[LinkFact],
    tables: Kinds[TableFact],
    rounds: Kinds[RoundFact],
    wins: Kinds[WinFact],
    cases: Kinds[CaseFact],
    handovers: Kinds[HandoverFact],
    meters: Kinds[MetersFact],
    agreements: Kinds[AgreementFact],
    pits: Kinds[PitFact],
) -> dict[type[Fact], Kind[Any, Any]]:
    every = (link, tables, rounds, wins, cases, handovers, meters, agreements, pits)
    return {kind.fact: kind for several in every for kind in several}


EVERY_KIND = _by_class(
    link=LINK_KINDS,
    tables=TABLE_KINDS,
    rounds=ROUND_KINDS,
    wins=WIN_KINDS,
    cases=CASE_KINDS,
    meters=METERS_KINDS,
    handovers=HANDOVER_KINDS,
    agreements=AGREEMENT_KINDS,
    pits=PIT_KINDS,
)


def kind_of(fact: Fact) -> Kind[Any, Any]:
    return EVERY_KIND[type(fact)]


def told(fact: Fact, at: Telling) -> str:
    """The sentence about something that has happened."""
    return str(kind_of(fact).words(fact, at))


def foretold(fact: Fact, at: Telling) -> str:
    """The sentence about something that an act would bring; empty if nothing is to be said of it."""
    kind = kind_of(fact)
    return str((kind.foretold or kind.words)(fact, at))


def event_of(fact: Fact) -> Event[Any] | None:
    """What others who listen are told of it."""
    event: Event[Any] | None = EVERY_KIND[type(fact)].event
    return event


def remembered(fact: Fact) -> Remembered | None:
    """What a fact changes in the record of wins and late claims."""
    history = EVERY_KIND[type(fact)].history
    return None if history is None else history(fact)


def ended_by(fact: Fact) -> tuple[str, Ended] | None:
    """A win or late claim with this fact left the state for good, unpaid or handed over."""
    match remembered(fact):
        case WinEnded(win, _, amount, None) | ClaimEnded(win, _, amount, None):
            return win, Ended.WITHOUT_SLIP if amount else Ended.UNPAID
        case HandoverChanged(win, HandoverState.HANDED_OVER):
            return win, Ended.HANDED_OVER
    return None
