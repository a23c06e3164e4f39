"""Where house time does not simply go on: at a start when nobody kept it, and when two people set it.

Either is journalled at every link before anything is written by the new time, all in one transaction.
"""

from __future__ import annotations

import logging
from uuid import uuid4

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.stopped_links import stopped_links
from jackpot.book.reading.pages import current, link_names
from jackpot.book.stores.base import Store
from jackpot.book.stores.committed import Head
from jackpot.book.stores.house_time import Given, Kept, Moment
from jackpot.book.stores.schema import house, links
from jackpot.book.writing.batch import Batch, Submission
from jackpot.book.writing.clock import HouseClock
from jackpot.book.writing.several_links import Together, check_proposed, state_of
from jackpot.house.timekeeping import check_not_falling, check_quiet
from jackpot.link.commands import BreakTime, Confirm, Propose
from jackpot.link.proposals import ClockSetting, Proposal
from jackpot.link.state import Break, Link
from jackpot.machine.execute import Outcome
from jackpot.machine.invariants import InvariantBroken

SERVICE = "service"
"""Who breaks house time by starting."""
UNFIT = (InvariantBroken, ValueError, KeyError, TypeError, AttributeError)
"""What a state says that cannot be used."""
_log = logging.getLogger(__name__)


async def begin(store: Store, clock: HouseClock) -> frozenset[str]:
    """House time begins with the server's clock; but goes on from the last entry of any journal, if that is
    later. The links in which that could not be journalled: nothing is taken for them before it is."""
    stopped = await stopped_links(store)
    async with store.transaction() as connection:
        server, _ = await clock.server(store, connection)
        last = (await connection.execute(select(func.max(links.c.at)))).scalar() or 0
        ahead = max(0, last - server)
        kept = Kept(ahead=ahead, since=server, broke_at=server + ahead)
        await connection.execute(update(house).values(kept._asdict()))
        unfit = set(stopped)
        for link in await _in_use(store, connection):
            if link not in stopped and not await _begun(store, connection, link, kept):
                unfit.add(link)
    return frozenset(unfit)


async def begin_late(store: Store, link: str) -> None:
    """The same for one link, now that it is fit again."""
    async with store.transaction() as connection:
        _, kept = await store.server_clock(connection)
        await _begun(store, connection, link, kept)


async def _begun(store: Store, connection: AsyncConnection, link: str, kept: Kept) -> bool:
    command = BreakTime(person=SERVICE, cause=Break.START, before=0, difference=kept.ahead)
    work = Batch(store, link, [Submission(uuid4().hex, command)], clock=Given(Moment(kept.broke_at, 0)))
    try:
        await work.carry_out(connection, None, known=Head(), unsure=False)
    except UNFIT as unfit:
        _log.error("link %s: the start is not in its journal: %s", link, unfit)
        return False
    return True


async def _in_use(store: Store, connection: AsyncConnection) -> list[str]:
    """Every link but the retired ones, which are only read; also one whose state says nothing."""
    found = []
    for name in await link_names(connection):
        try:
            state = await state_of(connection, store, name)
            if not (isinstance(state, Link) and state.retired is not None):
                found.append(name)
        except UNFIT:
            found.append(name)
    return found


async def first_link(store: Store) -> str | None:
    """Where it is proposed to set the clock of all."""
    async with store.reading() as connection:
        for name in await _in_use(store, connection):
            if isinstance(await state_of(connection, store, name), Link):
                return name
    return None


async def check_reaching(store: Store, link: str, command: Propose) -> None:
    """Whether the other links can take part: checked when it is proposed already, not only when it must."""
    if isinstance(command.change, ClockSetting):
        await _check_setting(store)
    else:
        await check_proposed(store, link, command)


async def _check_setting(store: Store) -> None:
    async with store.snapshot() as connection:
        server, _ = await store.server_clock(connection)
        for name in await _in_use(store, connection):
            link = await current(store, connection, name)
            check_quiet(link)
            check_not_falling(link, server)


class Setting(Together):
    """The confirmation that sets the house clock to the server's, at every link."""

    async def _attempt(self, since: Head) -> Outcome:
        self.committed = []
        async with self._store.transaction() as connection:
            # In one order, as whoever writes to several links does; and the house after its links.
            await connection.execute(select(links.c.id).order_by(links.c.id).with_for_update())
            await connection.execute(select(house.c.id).with_for_update())
            server, kept = await self._store.server_clock(connection)
            before = server + kept.ahead_at(server)
            here = await state_of(connection, self._store, self._link)
            named = self._command.proposal if isinstance(self._command, Confirm) else ""
            proposal = here.proposals.get(named) if isinstance(here, Link) else None
            by_then = Given(Moment(min(before, server), 0))
            outcome = await self._carry_out(connection, self._link, self._submission, since, by_then)
            if proposal is not None and outcome.entries:
                await self._set(connection, server, self._break(proposal, before))
        return outcome

    def _break(self, proposal: Proposal, before: int) -> BreakTime:
        return BreakTime(
            person=self._person,
            cause=Break.SET,
            before=before,
            difference=0,
            persons=(proposal.person, self._person),
            reason=proposal.reason,
        )

    async def _set(self, connection: AsyncConnection, server: int, command: BreakTime) -> None:
        now = Given(Moment(server, 0))
        for link in await _in_use(self._store, connection):
            await self._carry_out(connection, link, Submission(uuid4().hex, command), None, now)
        kept = Kept(since=server, broke_at=server)
        await connection.execute(update(house).values(kept._asdict()))
