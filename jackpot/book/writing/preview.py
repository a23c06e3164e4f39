"""What an act of the House would do: played on the link as it stands, and nothing of it written."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jackpot.book.reading.lookup import Lookup, Missing
from jackpot.book.reading.pages import current
from jackpot.book.stores.base import Store
from jackpot.book.writing.breaks import check_reaching
from jackpot.book.writing.new_tables import check_new
from jackpot.book.writing.several_links import arrivals
from jackpot.house.agreements import agreement_on
from jackpot.link.answers import ProposalAnswer
from jackpot.link.commands import AddTable, Confirm, HouseAct, MoveTable, Propose
from jackpot.link.facts import Entry
from jackpot.link.state import Link, Pit
from jackpot.machine.execute import execute

SOMEBODY_ELSE = "(another person)"
"""Who confirms in a rehearsal what needs two."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    before: Pit
    after: Pit
    entries: tuple[Entry, ...]


async def rehearse(store: Store, link: str, command: HouseAct, *, at: int) -> Rehearsal:
    """Raises the refusal that the act would meet. What two people do is confirmed in it."""
    if isinstance(command, Propose):
        await check_reaching(store, link, command)
    if isinstance(command, MoveTable):
        return await _rehearse_move(store, link, command, at=at)
    if isinstance(command, AddTable):
        await check_new(store, link, command)
    lookup = Lookup()
    async with store.snapshot() as connection:
        while True:
            before, after = [await current(store, connection, link) for _ in range(2)]
            try:
                return Rehearsal(before, after, tuple(_played(after, command, at, lookup)))
            except Missing as missing:
                await lookup.fetch(connection, before, [missing])


async def _rehearse_move(store: Store, link: str, command: MoveTable, *, at: int) -> Rehearsal:
    """Both sides of it."""
    lookup = Lookup()
    async with store.snapshot() as connection:
        before, after = [await current(store, connection, link) for _ in range(2)]
        there = await current(store, connection, command.to)
    outcome = execute(after, replace(command, receiver=command.to), at=at, archive=lookup)
    entries = list(outcome.entries)
    for arrival in arrivals(before, outcome.entries):
        lookup.is_new(arrival)
        entries += execute(there, arrival, at=at, archive=lookup).entries
    return Rehearsal(before, after, tuple(entries))


def _played(link: Pit, command: HouseAct, at: int, lookup: Lookup) -> list[Entry]:
    if isinstance(command, Confirm):
        return _confirmed(link, command, at, lookup)
    outcome = execute(link, command, at=at, archive=lookup)
    entries = list(outcome.entries)
    if isinstance(outcome.answer, ProposalAnswer):
        confirm = Confirm(person=SOMEBODY_ELSE, proposal=outcome.answer.proposal)
        entries += _confirmed(link, confirm, at, lookup)
    return entries


def _confirmed(link: Pit, command: Confirm, at: int, lookup: Lookup) -> list[Entry]:
    proposal = link.proposals.get(command.proposal) if isinstance(link, Link) else None
    receiver = None if proposal is None else agreement_on(proposal.change).reaches
    return list(execute(link, replace(command, receiver=receiver), at=at, archive=lookup).entries)
