"""Whether the store, and each link, can commit: asked by touching what a commit touches.

A store that commits elsewhere says nothing of a link whose row a lost replica holds, and a link whose commits
succeed says nothing of the others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from uuid import uuid4

from sqlalchemy import delete, insert

from jackpot.book.stores.base import Store
from jackpot.book.stores.schema import pulse
from jackpot.book.writing.writer import Writer

PATIENCE = 3.0
HANGS_AFTER = 5.0
"""Seconds after which a commit that has not succeeded is told to signs and to whoever asks."""
LOOKED_EVERY = 2.0
KEPT = 24 * 3600 * 1_000_000
"""Microseconds after which the row of a process that is gone goes too."""


class Pulse:
    def __init__(self, store: Store, writers: Mapping[str, Writer]) -> None:
        self._store, self._writers = store, writers
        self._process = uuid4().hex
        self._held: dict[str, float] = {}
        """Since when the row of a link has been held by somebody who does not commit."""

    async def beat(self, at: int) -> None:
        """Raises what the store says if it cannot commit."""
        old = (pulse.c.process == self._process) | (pulse.c.at < at - KEPT)
        async with asyncio.timeout(PATIENCE), self._store.transaction() as connection:
            await connection.execute(delete(pulse).where(old))
            await connection.execute(insert(pulse).values(process=self._process, at=at))

    async def look(self, at: int) -> None:
        """At each link's row; and after trouble, if nobody has tried again, whether it is over."""
        held, now = await self._store.held_links(), time.monotonic()
        self._held = {link: self._held.get(link, now) for link in held}
        given_up = [one for link, one in self._writers.items() if one.gave_up and link not in held]
        if given_up:
            await self.beat(at)
            for writer in given_up:
                writer.forget_trouble()

    def waiting(self, link: str) -> float:
        """Seconds for which a commit of this link has not succeeded, or could not have."""
        now = time.monotonic()
        return max(self._writers[link].waited, now - self._held.get(link, now))

    @property
    def hanging(self) -> frozenset[str]:
        """Links that cannot commit, as far as is known here."""
        late = {link for link, one in self._writers.items() if one.waited >= HANGS_AFTER}
        return frozenset(late | self._held.keys())
