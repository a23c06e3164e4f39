"""What reaches several links: all sides in one transaction, or none."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import replace
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.audit import Act
from jackpot.book.reading.pages import current
from jackpot.book.stores.base import Store
from jackpot.book.stores.committed import Committed, Head, LinkUnknown
from jackpot.book.stores.house_time import Timekeeper
from jackpot.book.stores.rows import read_pit
from jackpot.book.stores.schema import links
from jackpot.book.writing.batch import Batch, Submission
from jackpot.book.writing.writer import PATIENCE, POISON, TROUBLE, Unavailable
from jackpot.core.refusals import NoJackpot, Refused
from jackpot.house.agreements import agreement_on
from jackpot.house.moving import departure_of
from jackpot.house.transfers import check_receiver
from jackpot.link.commands import Confirm, MoveTable, Propose, ReceiveTable, ReceiveTransfer
from jackpot.link.facts import Entry, PoolDeparted, TableMoved
from jackpot.link.state import Link, Pit, PitSetup, TableSetup
from jackpot.machine.execute import Outcome

PAUSE = 0.05


async def check_proposed(store: Store, link: str, command: Propose) -> None:
    """Whether the other link can take part: checked when it is proposed already, not only when it must."""
    to = agreement_on(command.change).reaches
    if to is None or to == link:
        return
    async with store.reading() as connection:
        ours = await state_of(connection, store, link)
        receiver = await state_of(connection, store, to)
    if not isinstance(receiver, Link):
        raise NoJackpot(f"{to} is a pit: it has no pool")
    check_receiver(receiver, ours.currency)


async def reached(store: Store, link: str, command: Confirm) -> str | None:
    """The other link that a confirmation reaches, or every one."""
    async with store.reading() as connection:
        ours = await state_of(connection, store, link)
    proposal = ours.proposals.get(command.proposal) if isinstance(ours, Link) else None
    return None if proposal is None else agreement_on(proposal.change).reaches


async def state_of(connection: AsyncConnection, store: Store, link: str) -> Pit:
    """Without its tables."""
    found = (await connection.execute(select(links.c.id).where(links.c.id == link))).scalar()
    if found is None:
        raise LinkUnknown(link)
    return read_pit(await store.load_link(connection, link), ())


class Together(ABC):
    """One command that reaches other links."""

    def __init__(
        self,
        store: Store,
        clock: Timekeeper,
        link: str,
        command: Confirm | MoveTable,
        to: str,
        act: Act | None,
    ) -> None:
        self._store, self._clock = store, clock
        self._link, self._to = link, to
        self._command, self._person = command, command.person
        self._submission = Submission(uuid4().hex, replace(command, receiver=to), act)
        self.committed: list[Committed] = []
        """What listeners of each link are to be told."""

    async def carry_out(self) -> Outcome:
        """Try until it is done or patience ends; when this returns, all sides are durable."""
        loop = asyncio.get_running_loop()
        deadline, since = loop.time() + PATIENCE, None
        while True:
            try:
                since = await self._head() if since is None else since
                return await self._attempt(since)
            except POISON:
                raise
            except TROUBLE as trouble:
                if loop.time() > deadline:
                    message = f"the store is in trouble: {type(trouble).__name__}"
                    raise Unavailable(message, unknown=since is not None) from trouble
                await asyncio.sleep(PAUSE)

    async def _head(self) -> Head:
        async with self._store.reading() as connection:
            link = await state_of(connection, self._store, self._link)
        return Head(link.sequence, link.head)

    @abstractmethod
    async def _attempt(self, since: Head) -> Outcome:
        """In one transaction; what was done after that entry already is not done again."""

    async def _carry_out(
        self,
        connection: AsyncConnection,
        link: str,
        submission: Submission,
        since: Head | None,
        clock: Timekeeper,
    ) -> Outcome:
        work = Batch(self._store, link, [submission], clock=clock)
        await work.carry_out(connection, None, known=since or Head(), unsure=since is not None)
        outcome = work.outcomes[submission.id]
        if isinstance(outcome, Refused):
            raise outcome  # and nothing of any side stays
        if work.committed is not None:
            self.committed.append(work.committed)
        return outcome


class TwoLinks(Together):
    """Money goes from one link to another."""

    async def _attempt(self, since: Head) -> Outcome:
        self.committed = []
        async with self._store.transaction() as connection:
            # In one order, or two transfers that cross would wait for each other.
            both = links.c.id.in_((self._link, self._to))
            await connection.execute(select(links.c.id).where(both).order_by(links.c.id).with_for_update())
            outcome = await self._carry_out(connection, self._link, self._submission, since, self._clock)
            departed = [entry.fact for entry in outcome.entries if isinstance(entry.fact, PoolDeparted)]
            currency = (await state_of(connection, self._store, self._link)).currency
            for fact in departed:
                arrival = Submission(uuid4().hex, _arrival(self._link, currency, fact))
                await self._carry_out(connection, self._to, arrival, None, self._clock)
        return outcome


class Moving(Together):
    """A table goes from one link or pit to another."""

    async def _attempt(self, since: Head) -> Outcome:
        self.committed = []
        async with self._store.transaction() as connection:
            both = links.c.id.in_((self._link, self._to))
            await connection.execute(select(links.c.id).where(both).order_by(links.c.id).with_for_update())
            before = await current(self._store, connection, self._link)
            outcome = await self._carry_out(connection, self._link, self._submission, since, self._clock)
            for arrival in arrivals(before, outcome.entries):
                submission = Submission(uuid4().hex, arrival)
                await self._carry_out(connection, self._to, submission, None, self._clock)
        return outcome


def arrivals(before: Pit, entries: Iterable[Entry]) -> Iterator[ReceiveTable]:
    """The other sides of the moves among these entries, the link or pit being as it was before them."""
    for entry in entries:
        fact = entry.fact
        if isinstance(fact, TableMoved):
            table = before.tables[fact.table]
            setup = table.setup
            if not isinstance(setup, TableSetup | PitSetup):
                raise TypeError(f"table {fact.table} is of no game")
            source = departure_of(table, fact, place=before.id, sequence=entry.sequence)
            yield ReceiveTable(
                person=fact.person, setup=setup, source=source, currency=before.currency, reason=fact.reason
            )


def _arrival(source: str, currency: str, departed: PoolDeparted) -> ReceiveTransfer:
    return ReceiveTransfer(
        person=departed.persons[-1],
        transfer=departed.transfer,
        source=source,
        currency=currency,
        amounts=departed.amounts,
        persons=departed.persons,
        reason=departed.reason,
    )
