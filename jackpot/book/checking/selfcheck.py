"""The book looked at by the process that serves from it: at its start, and again and again.

At first the last entries of each link; from then on everything since the check before, by all the rules. A
link whose book denies itself is stopped, here and in every other process, and goes on only when its whole
journal has been verified; in a process that has acknowledged what is not there any more, only when it is
started again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from jackpot.book.beside.stopped_links import lift_stop, note_stop, stopped_links
from jackpot.book.book import Book
from jackpot.book.checking.difference import Difference
from jackpot.book.checking.picture import last_entry
from jackpot.book.checking.replaying import Pace
from jackpot.book.checking.tail_check import verify_recent
from jackpot.book.checking.verify import Verifier
from jackpot.book.stores.rows import LinkRow, TableRow, contact_bytes, link_bytes, read_pit, table_bytes
from jackpot.book.stores.tasks import end
from jackpot.book.writing.writer import TROUBLE
from jackpot.link.state import Pit

RECENT = 5_000
"""Entries that a start looks at; a shorter journal is verified as a whole."""
FOLLOWED_EVERY = 2.0
"""Seconds after which a stop that another process found is known here."""
GENTLE = Pace(page=50, pause=0.01)
"""While tables are served: a page takes a few milliseconds, in which nobody else is."""
AT_ONCE = Pace()
HOUR = 3600.0
_log = logging.getLogger(__name__)
Told = Callable[[str, str | None], None]
"""A link, and why it is stopped; None when it goes on."""
Frozen = tuple[LinkRow, list[TableRow]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """How the last check of a link ended."""

    at: int
    seconds: float
    entries: int
    why: str | None
    """What was wrong; None if nothing was."""


class SelfCheck:
    def __init__(self, book: Book, *, hours: float, recent: int = RECENT) -> None:
        self._book, self._every, self._recent = book, hours * HOUR, recent
        self.last: dict[str, Checked] = {}
        self.tell: Told | None = None
        self._bases: dict[str, Frozen] = {}
        self._due = time.monotonic() + self._every
        self._lifted: set[str] = set()
        """Stopped here, but no longer where it was noted: another process has verified them."""
        self._stopped_before: set[str] = set()
        """When this process started, which was somebody's word that they may be looked at again."""
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Before anything is taken. What is stopped stays so until it was verified, however long that takes,
        while the others are served."""
        for link, why in (await stopped_links(self._book.store)).items():
            self._halt(link, why)
            self._stopped_before.add(link)
        if self._every:
            for link in set(self._book.links) - self.stopped.keys():
                await self._check(link, AT_ONCE)
        # Two, since a long check must not keep this process from hearing what others found.
        self._tasks = [
            asyncio.create_task(self._again(self._follow), name="stops of others"),
            asyncio.create_task(self._again(self._check_due), name="self-check"),
        ]

    async def stop(self) -> None:
        await end(*self._tasks)

    @property
    def stopped(self) -> dict[str, str]:
        return {name: one.stopped for name, one in self._book.writers.items() if one.stopped is not None}

    async def check(self, pace: Pace = GENTLE) -> None:
        """Every link that is served; those that are stopped from the beginning of their journal."""
        for link in self._book.links:
            await self._check(link, pace)

    async def _again(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(FOLLOWED_EVERY)
            try:
                await work()
            except TROUBLE as trouble:
                _log.warning("the book was not checked: %s", type(trouble).__name__)
            except Exception:  # whatever it was: nobody else would look
                _log.exception("the book was not checked")

    async def _check_due(self) -> None:
        while self._lifted:
            await self._check(self._lifted.pop(), GENTLE)
        if self._every and time.monotonic() >= self._due:
            self._due = time.monotonic() + self._every
            await self.check()
        unseen = set(self._book.links) - self.last.keys()  # stopped at the start, or made after it
        for link in unseen if self._every else unseen & self._stopped_before:
            await self._check(link, GENTLE)

    async def _follow(self) -> None:
        """What other processes found; and what is no longer stopped there is to be looked at here too."""
        here = self.stopped  # before it is asked: what is lifted here meanwhile is not stopped again
        noted = await stopped_links(self._book.store)
        for link in noted.keys() - here.keys():
            self._halt(link, noted[link])
        lost = {link: one.lost for link, one in self._book.writers.items() if one.lost is not None}
        self._lifted = set(here.keys() - noted.keys() - lost.keys())
        for link in lost.keys() - here.keys():
            await self._deny(link, lost[link])

    async def _check(self, link: str, pace: Pace) -> None:
        begun, entries, why = time.monotonic(), 0, None
        stopped = link in self.stopped
        if stopped:
            self._bases.pop(link, None)
        try:
            state, entries = await self._verified(link, pace)
            self._bases[link] = _frozen(state)
        except Difference as difference:
            why = str(difference)
        lost = self._book.writers[link].lost
        self.last[link] = Checked(
            at=self._book.clock.now(), seconds=time.monotonic() - begun, entries=entries, why=why or lost
        )
        if why is not None:
            await self._deny(link, why)
        elif lost is not None:
            if not stopped:  # noted once: if another has lifted it since, that holds for all but this process
                await self._deny(link, lost)
        elif stopped:  # not one that was stopped meanwhile: of that not the whole was looked at
            await self._let_go_on(link)

    async def _verified(self, link: str, pace: Pace) -> tuple[Pit, int]:
        """The state, and how many entries were read for it."""
        store, base = self._book.store, self._bases.get(link)
        if base is None and link not in self.stopped:
            async with store.reading() as connection:
                last = await last_entry(connection, link)
            if last > self._recent:
                return await verify_recent(store, link, self._recent), self._recent
        begin = None if base is None else read_pit(*base)
        since = 0 if begin is None else begin.sequence
        state = await Verifier(store, link, base=begin, pace=pace).verify()
        return state, state.sequence - since

    async def _deny(self, link: str, why: str) -> None:
        self._halt(link, why)
        await note_stop(self._book.store, link, why, at=self._book.clock.now())

    async def _let_go_on(self, link: str) -> None:
        await self._book.fit_again(link)
        await lift_stop(self._book.store, link)
        self._book.writers[link].resume()
        _log.warning("link %s goes on: its whole journal is verified", link)
        self._pass_on(link, None)

    def _halt(self, link: str, why: str) -> None:
        writer = self._book.writers.get(link)
        if writer is not None and writer.stopped is None:
            _log.error("link %s is stopped: %s", link, why)
            writer.halt(why)
            self._pass_on(link, why)

    def _pass_on(self, link: str, why: str | None) -> None:
        if self.tell is not None:
            self.tell(link, why)


def _frozen(link: Pit) -> Frozen:
    """As rows: the verifier that goes on from here changes what it is given."""
    tables = [
        TableRow(name, 0, 0, table_bytes(one), contact_bytes(one.contact))
        for name, one in link.tables.items()
    ]
    return LinkRow(0, 0, link_bytes(link)), tables
