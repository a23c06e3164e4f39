"""What is kept beside the journal and may come a little later: refused acts, and what signs told they showed.

Both come often and move nothing. They are collected and written together, at most once a second, in a
transaction of their own that locks no link.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, dataclass
from typing import Any

from jackpot.book.beside.audit import Act, new_id
from jackpot.book.stores.base import Store
from jackpot.book.stores.inserting import Rows, insert_new
from jackpot.book.stores.schema import audit, receipts
from jackpot.book.stores.tasks import end
from jackpot.book.writing.writer import POISON, TROUBLE

EVERY = 1.0
MOST_WAITING = 20_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    """What a sign says it showed."""

    link: str
    sign: str
    sequence: int
    value: int
    shown_at: int
    received_at: int
    verified: bool
    """Told by that sign itself, as far as its token proves it."""

    def row(self) -> dict[str, Any]:
        return asdict(self) | {"id": new_id(self.received_at)}


class Notes:
    """`note` acts and receipts; soon after they are durable."""

    def __init__(self, store: Store, *, every: float = EVERY) -> None:
        self._store, self._every = store, every
        self._acts: Rows = []
        self._receipts: Rows = []
        self._bell = asyncio.Event()
        self._flushing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self.lost = 0
        """Notes that found no room while the store was in trouble."""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="notes")

    async def stop(self) -> None:
        await end(self._task)
        await self._flush()

    @property
    def waiting(self) -> int:
        return len(self._acts) + len(self._receipts)

    def note(self, what: Act | Receipt) -> None:
        if self.waiting >= MOST_WAITING:
            self.lost += 1
            return
        (self._acts if isinstance(what, Act) else self._receipts).append(what.row())
        self._bell.set()

    async def _run(self) -> None:
        while True:
            await self._bell.wait()
            self._bell.clear()
            try:
                # A flush that was cut off may or may not have happened, and must not happen twice.
                await asyncio.shield(self._flush())
            except Exception:  # whatever it was: nobody else would write them
                _log.exception("notes were not written")
                self._bell.set()
            await asyncio.sleep(self._every)

    async def _flush(self) -> None:
        """One at a time: the last waits for one that was cut off and goes on by itself."""
        async with self._flushing:
            await self._flush_all()

    async def _flush_all(self) -> None:
        acts, told = self._acts[:], self._receipts[:]
        if not acts and not told:
            return
        try:
            await self._write(acts, told)
        except POISON:
            await self._one_by_one(acts, told)
        except TROUBLE as trouble:
            _log.warning("%d notes wait: %s", len(acts) + len(told), type(trouble).__name__)
            self._bell.set()
            return
        del self._acts[: len(acts)], self._receipts[: len(told)]

    async def _write(self, acts: Rows, told: Rows) -> None:
        async with self._store.transaction() as connection:
            await insert_new(connection, audit, acts)
            await insert_new(connection, receipts, told)

    async def _one_by_one(self, acts: Rows, told: Rows) -> None:
        """One that the store can never keep must not keep the others waiting."""
        single: list[tuple[Rows, Rows]] = [([act], []) for act in acts]
        for one in single + [([], [receipt]) for receipt in told]:
            try:
                await self._write(*one)
            except TROUBLE:
                self.lost += 1
                _log.exception("a note was lost")
