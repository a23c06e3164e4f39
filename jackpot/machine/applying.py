"""Fact + state -> state: one fact, a whole journal, or a round that has left the state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jackpot.core.money import Account
from jackpot.link import facts
from jackpot.link.parameters import Parameters
from jackpot.link.rounds import Round, RoundState
from jackpot.link.state import Link, Pool, Segment, Table, TableSetup
from jackpot.machine.kinds import kind_of
from jackpot.machine.kinds_rounds import mark_paid


def unborn(entry: facts.Entry) -> Link:
    """The link before the first entry of its journal."""
    fact = entry.fact
    if not isinstance(fact, facts.LinkCreated):
        raise ValueError("a journal begins with the creation of its link")
    return Link(
        id=fact.id,
        name=fact.name,
        currency=fact.currency,
        parameters=fact.parameters,
        pool=Pool(accounts=dict.fromkeys(Account, 0)),
        created_at=entry.at,
    )


def created(entry: facts.Entry) -> Link:
    """The state after the first entry of a journal."""
    return replayed([entry], unborn(entry))


def apply(link: Link, fact: facts.Fact, stamp: facts.Stamp) -> None:
    """Change the state as the fact says. The head of the chain is set once the entry has its bytes."""
    kind_of(fact).apply(link, fact, stamp)
    link.sequence, link.time = stamp.sequence, stamp.at


def replayed(entries: Iterable[facts.Entry], link: Link | None = None) -> Link:
    """The state that a journal implies, from its facts alone; or what more entries make of a state."""
    several = iter(entries)
    link = created(next(several)) if link is None else link
    for entry in several:
        apply(link, entry.fact, entry.stamp)
        link.head = entry.hash
    return link


def round_that_left(setup: TableSetup, entries: Iterable[facts.Entry]) -> Round | None:
    """A round that has left the state, from the facts about it."""
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
    if table.round is not None and not table.round.stands:
        table.round.state = RoundState.SETTLED
    return table.round


_NO_PARAMETERS = Parameters(seed=1, progressive_bet=1, meter_ppm=0, reserve_ppm=0)
