"""Keeps the snapshots that commits have left: nobody waits for that, and one that is missing is no error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from jackpot.book.beside.anchors import Anchor
from jackpot.book.stores.base import Store
from jackpot.book.stores.committed import Committed
from jackpot.book.stores.packing import pack
from jackpot.book.stores.snapshots import Snapshot, digest, keep
from jackpot.book.stores.tasks import end

LEFT_AFTER = 5.0
"""Seconds that the end of a process waits for those under way."""
_log = logging.getLogger(__name__)


class Snapshots:
    """Call it after each commit. What is kept is to be signed."""

    def __init__(self, store: Store, sign: Callable[[Anchor], None]) -> None:
        self._store, self._sign = store, sign
        self._under_way: set[asyncio.Task[None]] = set()

    def __call__(self, committed: Committed) -> None:
        if committed.snapshot is not None:
            task = asyncio.create_task(self._keep(committed.snapshot), name=f"snapshot of {committed.link}")
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def stop(self) -> None:
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=LEFT_AFTER)
        await end(*self._under_way)

    async def _keep(self, one: Snapshot) -> None:
        try:
            packed, hashed = await asyncio.to_thread(_made, one)
            await keep(self._store, one.link, one.sequence, packed)
        except Exception as trouble:  # the journal has it all
            _log.warning("no snapshot of %s was kept: %s", one.link, type(trouble).__name__)
            return
        self._sign(Anchor(one.link, one.sequence, one.head, one.at, hashed))


def _made(one: Snapshot) -> tuple[bytes, str]:
    whole = one.whole()
    return pack(whole), digest(whole)
