"""What reaches two links: both sides in one transaction, or neither."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.batch import Batch, Committed, Head, LinkUnknown, Submission
from jackpot.book.clock import HouseClock
from jackpot.book.records import read_link
from jackpot.book.schema import links
from jackpot.book.stores import Store
from jackpot.book.writer import PATIENCE, POISON, TROUBLE, Unavailable
from jackpot.commands import Confirm, Propose, ReceiveTransfer
from jackpot.facts import PoolDeparted
from jackpot.link import Outcome
from jackpot.refusals import Refused
from jackpot.state import Link
from jackpot.transfers import check_receiver, receiver_of

PAUSE = 0.05


async def check_proposed(store: Store, link: str, command: Propose) -> None:
    """Whether the other link can take part: checked when it is proposed already, not only when it must."""
    to = receiver_of(command.change)
    if to is None or to == link:
        return
    async with store.reading() as connection:
        ours = await _state(connection, store, link)
        check_receiver(await _state(connection, store, to), ours.currency)


async def reached(store: Store, link: str, command: Confirm) -> str | None:
    """The other link that a confirmation reaches."""
    async with store.reading() as connection:
        ours = await _state(connection, store, link)
    proposal = ours.proposals.get(command.proposal)
    return None if proposal is None else receiver_of(proposal.change)


async def _state(connection: AsyncConnection, store: Store, link: str) -> Link:
    found = (await connection.execute(select(links.c.id).where(links.c.id == link))).scalar()
    if found is None:
        raise LinkUnknown(link)
    return read_link(await store.load_link(connection, link), ())


class TwoLinks:
    """The confirmation of one proposal that reaches another link."""

    def __init__(self, store: Store, clock: HouseClock, link: str, command: Confirm, to: str) -> None:
        self._store, self._clock = store, clock
        self._link, self._to = link, to
        self._submission = Submission(uuid4().hex, replace(command, receiver=to))
        self.committed: list[Committed] = []
        """What listeners of either link are to be told."""

    async def carry_out(self) -> Outcome:
        """Try until it is done or patience ends; when this returns, both sides are durable."""
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
            link = await _state(connection, self._store, self._link)
        return Head(link.sequence, link.head)

    async def _attempt(self, since: Head) -> Outcome:
        self.committed = []
        async with self._store.transaction() as connection:
            # In one order, or two transfers that cross would wait for each other.
            both = links.c.id.in_((self._link, self._to))
            await connection.execute(select(links.c.id).where(both).order_by(links.c.id).with_for_update())
            outcome = await self._carry_out(connection, self._link, self._submission, since)
            departed = [entry.fact for entry in outcome.entries if isinstance(entry.fact, PoolDeparted)]
            currency = (await _state(connection, self._store, self._link)).currency
            for fact in departed:
                arrival = Submission(uuid4().hex, _arrival(self._link, currency, fact))
                await self._carry_out(connection, self._to, arrival, None)
        return outcome

    async def _carry_out(
        self, connection: AsyncConnection, link: str, submission: Submission, since: Head | None
    ) -> Outcome:
        work = Batch(self._store, link, [submission], at=self._clock.now())
        await work.carry_out(connection, None, known=since or Head(), unsure=since is not None)
        outcome = work.outcomes[submission.id]
        if isinstance(outcome, Refused):
            raise outcome  # and nothing of either side stays
        if work.committed is not None:
            self.committed.append(work.committed)
        return outcome


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
