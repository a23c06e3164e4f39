"""The book of a house: its links and pits, each with a journal, a state and one writer in this process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from jackpot.book.beside.anchors import Anchor, Anchors
from jackpot.book.beside.audit import Act
from jackpot.book.reading.moved_tables import place_of_act
from jackpot.book.reading.pages import link_of_table
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.base import Store
from jackpot.book.stores.committed import Committed, Head, LinkUnknown
from jackpot.book.stores.rows import LinkRow, entry_bytes, hash_of, journal_row, link_bytes
from jackpot.book.stores.schema import house, journal, links
from jackpot.book.stores.tasks import end
from jackpot.book.writing.breaks import Setting, begin, begin_late, check_reaching
from jackpot.book.writing.clock import MEASURED_EVERY, HouseClock
from jackpot.book.writing.new_tables import check_new
from jackpot.book.writing.several_links import Moving, Together, TwoLinks, reached
from jackpot.book.writing.snapshots import Snapshots
from jackpot.book.writing.write_probe import LOOKED_EVERY, Pulse
from jackpot.book.writing.writer import TROUBLE, LinkStopped, Listener, Writer
from jackpot.core.refusals import TableThere, TableUnknown
from jackpot.house.timekeeping import EVERY_LINK
from jackpot.link.answers import HeartbeatAnswer
from jackpot.link.commands import AddTable, Command, Confirm, Heartbeat, MoveTable, Propose, TableMessage
from jackpot.link.facts import Entry, read_entry
from jackpot.link.parameters import Parameters
from jackpot.link.state import Pit
from jackpot.machine.execute import Outcome, create_link, create_pit
from jackpot.pools.payout import registered

PAGE = 2_000
ANCHORS_DUE_EVERY = 1.0
_HEADS = select(links.c.id, links.c.sequence, links.c.head)
_log = logging.getLogger(__name__)


class Book:
    """`submit` a command, read what happened `since` an entry."""

    def __init__(self, store: Store, clock: HouseClock | None = None) -> None:
        self.store = store
        self.clock = clock or HouseClock()
        self.epoch = self.news_key = ""
        self._writers: dict[str, Writer] = {}
        self.pulse = Pulse(store, self._writers)
        self._snapshots = Snapshots(self.store, self._sign_checkpoint)
        self._listeners: list[Listener] = [self._snapshots]
        self._anchors: Anchors | None = None
        self._upkeep: list[asyncio.Task[None]] = []
        self._not_begun: frozenset[str] = frozenset()
        """Links that were not fit to have this process's start journalled."""

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        anchors: Anchors | None = None,
        standby_required: bool = False,
        clock: HouseClock | None = None,
    ) -> Book:
        """Serve from a store; heads are anchored if there is somewhere to anchor them."""
        book = cls(store_of(url, standby_required=standby_required), clock)
        if anchors is not None:
            book._anchors = anchors
            book._listeners.append(anchors)
        try:
            await book._start()
        except BaseException:
            await book.store.close()
            raise
        return book

    async def _start(self) -> None:
        await self.store.start()
        if self._anchors is not None:
            await self._anchors.start()
        await self._begin()
        async with self.store.reading() as connection:
            known = (await connection.execute(select(house.c.epoch, house.c.news_key))).one()
            self.epoch, self.news_key = known
            found = (await connection.execute(_HEADS)).all()
        for row in found:
            self._serve(row.id, Head(row.sequence, row.head))
        self._upkeep.append(asyncio.create_task(self._keep_time(), name="house clock"))
        self._upkeep.append(asyncio.create_task(self._keep_looking(), name="pulse"))
        if self._anchors is not None:
            self._upkeep.append(asyncio.create_task(self._keep_anchored(self._anchors), name="anchors"))

    async def _begin(self) -> None:
        """House time goes on if another process keeps it, and begins anew if none does."""
        alone = await self.store.join()
        if alone:
            self._not_begun = await begin(self.store, self.clock)
        await self.clock.start(self.store, alone=alone)
        if alone:
            await self.store.let_join()

    async def fit_again(self, link: str) -> None:
        """Before anything is taken for a link that was stopped."""
        if link in self._not_begun:
            await begin_late(self.store, link)
            self._not_begun -= {link}

    async def close(self) -> None:
        await end(*self._upkeep)
        for writer in self._writers.values():
            await writer.stop()
        await self._snapshots.stop()
        if self._anchors is not None:
            await self._anchors.stop()
        await self.store.close()

    @property
    def links(self) -> list[str]:
        return sorted(self._writers)

    async def writer(self, link: str) -> Writer:
        """Also of a link that another process has created meanwhile."""
        if link not in self._writers:
            async with self.store.reading() as connection:
                found = (await connection.execute(_HEADS.where(links.c.id == link))).one_or_none()
            if found is None:
                raise LinkUnknown(link)
            self._serve(link, Head(found.sequence, found.head))
        return self._writers[link]

    @property
    def anchor_failures(self) -> int:
        return 0 if self._anchors is None else self._anchors.failures

    @property
    def anchors_waiting(self) -> float:
        """Seconds."""
        return 0.0 if self._anchors is None else self._anchors.waiting

    @property
    def writers(self) -> dict[str, Writer]:
        """Of the links that this process serves, by name."""
        return dict(sorted(self._writers.items()))

    async def create(self, id: str, name: str, currency: str, parameters: Parameters) -> None:
        await self._add(*create_link(id, name, currency, parameters, at=self.clock.now()))

    async def create_pit(self, id: str, name: str, currency: str) -> None:
        await self._add(*create_pit(id, name, currency, at=self.clock.now()))

    async def _add(self, pit: Pit, entry: Entry) -> None:
        async with self.store.transaction() as connection:
            first = journal_row(entry, registered(pit), None, None)
            await self.store.add_link(connection, pit.id, LinkRow(1, 0, link_bytes(pit)), first)
        self._serve(pit.id, Head(entry.sequence, entry.hash))

    def listen(self, listener: Listener) -> None:
        """Told after each commit of this process, at every link."""
        self._listeners.append(listener)
        for writer in self._writers.values():
            writer.listeners.append(listener)

    async def submit(self, link: str, command: Command, act: Act | None = None) -> Outcome:
        if isinstance(command, Heartbeat) and (told := self.beat(link, command)) is not None:
            return Outcome(told, (), replied_at=command.received_at)
        writer = await self.writer(link)
        if isinstance(command, Propose):
            await check_reaching(self.store, link, command)
        if isinstance(command, AddTable):
            return await self._add_table(writer, link, command, act)
        elsewhere = await self._done_elsewhere(link, command)
        if isinstance(command, MoveTable):
            return await self._move(command, elsewhere, act)
        if elsewhere is not None:
            writer = await self.writer(elsewhere)
        to = await reached(self.store, link, command) if isinstance(command, Confirm) else None
        if to is None or not isinstance(command, Confirm):
            return await writer.submit(command, act)
        return await self._together(link, command, to, act)

    async def _add_table(self, writer: Writer, link: str, command: AddTable, act: Act | None) -> Outcome:
        """Who adds one of that name elsewhere at the same moment is found out by the store."""
        await check_new(self.store, link, command)
        try:
            return await writer.submit(command, act)
        except IntegrityError:
            await check_new(self.store, link, command)
            raise

    async def _done_elsewhere(self, link: str, command: Command) -> str | None:
        """An act that is repeated after its table was moved is answered where it was carried out."""
        if isinstance(command, TableMessage) or command.key is None:
            return None
        async with self.store.reading() as connection:
            return await place_of_act(connection, link, command)

    async def _move(self, command: MoveTable, done: str | None, act: Act | None) -> Outcome:
        to = command.to
        async with self.store.reading() as connection:
            link = await link_of_table(connection, command.table)
        if done is None and link == to:
            raise TableThere(f"table {command.table} plays on {link} already")
        with suppress(TableUnknown):  # somebody else was faster
            return await self._carry_together(Moving, done or link, command, to, act)
        raise TableThere(f"table {command.table} was just moved from {link}")

    def beat(self, link: str, command: Heartbeat) -> HeartbeatAnswer | None:
        """Answer a heartbeat from memory the moment it is received, if it changes nothing; None if it must be
        submitted."""
        writer = self._writers.get(link)
        return None if writer is None else writer.beat(command)

    async def _together(self, link: str, command: Confirm, to: str, act: Act | None) -> Outcome:
        """What reaches other links too."""
        everywhere = to == EVERY_LINK
        outcome = await self._carry_together(Setting if everywhere else TwoLinks, link, command, to, act)
        if everywhere:
            with suppress(*TROUBLE):
                await self.clock.measure()
        return outcome

    async def _carry_together(
        self, kind: type[Together], link: str, command: Confirm | MoveTable, to: str, act: Act | None
    ) -> Outcome:
        for name in self.links if to == EVERY_LINK else (link, to):
            side = await self.writer(name)
            if side.stopped is not None:
                raise LinkStopped(side.stopped)
        work = kind(self.store, self.clock, link, command, to, act)
        outcome = await work.carry_out()
        for committed in work.committed:
            await self._tell(committed)
        return outcome

    async def _tell(self, committed: Committed) -> None:
        for listener in (await self.writer(committed.link)).listeners:
            try:
                listener(committed)
            except Exception:  # it is durable: a listener's trouble is its own
                _log.exception("a listener of %s failed", committed.link)

    async def since(self, link: str, sequence: int = 0) -> AsyncIterator[Entry]:
        """The journal's entries after one, in order, a page at a time."""
        head = await self._hash_at(link, sequence)
        columns = (
            select(journal.c.sequence, journal.c.data)
            .where(journal.c.link == link)
            .order_by(journal.c.sequence)
        )
        while True:
            async with self.store.reading() as connection:
                page = (
                    await connection.execute(columns.where(journal.c.sequence > sequence).limit(PAGE))
                ).all()
            for row in page:
                entry = read_entry(link, entry_bytes(row.data), head)
                sequence, head = entry.sequence, entry.hash
                yield entry
            if len(page) < PAGE:
                return

    async def _hash_at(self, link: str, sequence: int) -> str:
        if sequence == 0:
            return ""
        found = select(journal.c.hash, journal.c.digest).where(
            journal.c.link == link, journal.c.sequence == sequence
        )
        async with self.store.reading() as connection:
            return hash_of((await connection.execute(found)).one())

    def _sign_checkpoint(self, checkpoint: Anchor) -> None:
        if self._anchors is not None:
            self._anchors.checkpoint(checkpoint)

    def _serve(self, link: str, head: Head) -> None:
        if link in self._writers:
            return
        writer = self._writers[link] = Writer(self.store, link, self.clock, head=head)
        writer.listeners.extend(self._listeners)
        writer.start()

    async def _keep_time(self) -> None:
        """The server's clock and ours drift apart, and each server has its own: measure again and again."""
        while True:
            await self.store.moved(within=MEASURED_EVERY)
            with suppress(*TROUBLE):
                await self.clock.measure()

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOKED_EVERY)
            with suppress(*TROUBLE):
                await self.pulse.look(self.clock.now())

    async def _keep_anchored(self, anchors: Anchors) -> None:
        while True:
            await asyncio.sleep(ANCHORS_DUE_EVERY)
            anchors.sign_due(self.clock.now())
