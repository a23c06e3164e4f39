"""Fact + state -> state: one fact, a whole journal, or a round that has left the state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from jackpot.core.money import Account
from jackpot.link import facts, pit_facts
from jackpot.link.fact import Fact
from jackpot.link.parameters import Parameters
from jackpot.link.pit_rounds import PitRound
from jackpot.link.rounds import Round, RoundOfPlay, RoundState
from jackpot.link.state import Link, Pit, PitSetup, PitTable, Pool, Segment, Setup, Table, TableSetup
from jackpot.machine.kinds import kind_of
from jackpot.machine.kinds_rounds import mark_paid

R = TypeVar("R", bound=RoundOfPlay)


def unborn(entry: facts.Entry) -> Pit:
    """The link or pit before the first entry of its journal."""
    fact = entry.fact
    if isinstance(fact, pit_facts.PitCreated):
        return Pit(id=fact.id, name=fact.name, currency=fact.currency, created_at=entry.at)
    if not isinstance(fact, facts.LinkCreated):
        raise ValueError("a journal begins with the creation of its link or pit")
    return Link(
        id=fact.id,
        name=fact.name,
        currency=fact.currency,
        parameters=fact.parameters,
        pool=Pool(accounts=dict.fromkeys(Account, 0)),
        created_at=entry.at,
    )


def created(entry: facts.Entry) -> Pit:
    """The state after the first entry of a journal."""
    return replayed([entry], unborn(entry))


def apply(pit: Pit, fact: Fact, stamp: facts.Stamp) -> None:
    """Change the state as the fact says. The head of the chain is set once the entry has its bytes."""
    kind = kind_of(fact)
    if not isinstance(pit, kind.place):
        raise ValueError(f"{type(fact).__name__} does not happen in a pit")
    kind.apply(pit, fact, stamp)
    pit.sequence, pit.time = stamp.sequence, stamp.at


def replayed(entries: Iterable[facts.Entry], pit: Pit | None = None) -> Pit:
    """The state that a journal implies, from its facts alone; or what more entries make of a state."""
    several = iter(entries)
    pit = created(next(several)) if pit is None else pit
    for entry in several:
        apply(pit, entry.fact, entry.stamp)
        pit.head = entry.hash
    return pit


def round_that_left(setup: Setup, entries: Iterable[facts.Entry]) -> RoundOfPlay | None:
    """A round that has left the state, from the facts about it."""
    if isinstance(setup, PitSetup):
        return _pit_round(setup, entries)
    return _round(setup, entries) if isinstance(setup, TableSetup) else None


def _pit_round(setup: PitSetup, entries: Iterable[facts.Entry]) -> PitRound | None:
    table = PitTable(setup=setup)
    pit = Pit(id="", name="", currency="", created_at=0, tables={setup.id: table})
    for entry in entries:
        match entry.fact:
            case pit_facts.PitBetsClosed() as fact:
                apply(pit, replace(fact, settles=None), entry.stamp)
            case fact if isinstance(fact, pit_facts.PitRoundFact):
                apply(pit, fact, entry.stamp)
    return _ended(table.round)


def _round(setup: TableSetup, entries: Iterable[facts.Entry]) -> Round | None:
    scratch = Pool(accounts=dict.fromkeys(Account, 0), segments=[Segment(number=0, amount=0)])
    link = Link(id="", name="", currency="", parameters=_NO_PARAMETERS, pool=scratch, created_at=0)
    table = link.tables[setup.id] = Table(setup=setup)
    for entry in entries:
        match entry.fact:
            case facts.BetsClosed() as fact:
                apply(link, replace(fact, settles=None), entry.stamp)
            case facts.WinPaid() | facts.ClaimDecided() as fact if fact.amount:
                mark_paid(link, fact.table, fact.round, fact.box)
            case fact if isinstance(fact, facts.RoundFact):
                apply(link, fact, entry.stamp)
    return _ended(table.round)


def _ended(found: R | None) -> R | None:
    if found is not None and not found.stands:
        found.state = RoundState.SETTLED
    return found


_NO_PARAMETERS = Parameters(seed=1, progressive_bet=1, meter_ppm=0, reserve_ppm=0)
