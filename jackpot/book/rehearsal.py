"""What an act of the House would do: played on the link as it stands, and nothing of it written."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jackpot.answers import ProposalAnswer
from jackpot.book.breaks import check_reaching
from jackpot.book.pages import current, snapshot
from jackpot.book.recall import Missing, Recall
from jackpot.book.stores import Store
from jackpot.commands import Confirm, HouseAct, Propose
from jackpot.facts import Entry
from jackpot.link import execute
from jackpot.state import Link
from jackpot.transfers import receiver_of

SOMEBODY_ELSE = "(another person)"
"""Who confirms in a rehearsal what needs two."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    before: Link
    after: Link
    entries: tuple[Entry, ...]


async def rehearse(store: Store, link: str, command: HouseAct, *, at: int) -> Rehearsal:
    """Raises the refusal that the act would meet. What two people do is confirmed in it."""
    if isinstance(command, Propose):
        await check_reaching(store, link, command)
    recall = Recall()
    async with snapshot(store) as connection:
        while True:
            before, after = [await current(store, connection, link) for _ in range(2)]
            try:
                return Rehearsal(before, after, tuple(_played(after, command, at, recall)))
            except Missing as missing:
                await recall.fetch(connection, before, [missing])


def _played(link: Link, command: HouseAct, at: int, recall: Recall) -> list[Entry]:
    if isinstance(command, Confirm):
        return _confirmed(link, command, at, recall)
    outcome = execute(link, command, at=at, past=recall)
    entries = list(outcome.entries)
    if isinstance(outcome.answer, ProposalAnswer):
        confirm = Confirm(person=SOMEBODY_ELSE, proposal=outcome.answer.proposal)
        entries += _confirmed(link, confirm, at, recall)
    return entries


def _confirmed(link: Link, command: Confirm, at: int, recall: Recall) -> list[Entry]:
    proposal = link.proposals.get(command.proposal)
    receiver = None if proposal is None else receiver_of(proposal.change)
    return list(execute(link, replace(command, receiver=receiver), at=at, past=recall).entries)
