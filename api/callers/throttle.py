"""How often a password may be tried: by name and address, and by address alone.

A stranger's failures keep out only that stranger: whoever has the name logs in from elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from math import ceil

from sqlalchemy.ext.asyncio import AsyncConnection

from api.http.errors import TooMany
from jackpot.book.beside.attempts import (
    Tried,
    forget_older,
    forget_tried,
    keep_tried,
    take_back,
    tried_before,
)
from jackpot.book.stores.base import Store
from jackpot.book.writing.clock import HouseClock
from jackpot.core.instants import SECOND
from jackpot.core.texts import folded

FREE = 5
"""Attempts before there is anything to wait for."""
FREE_OF_ADDRESS = 4 * FREE
"""An address may have several people behind it."""
FIRST_PAUSE = 1 * SECOND
LONGEST_PAUSE = 300 * SECOND
FORGOTTEN_AFTER = 900 * SECOND
MOST_AT_ONCE = 32
"""Attempts under way in this process. Each costs memory and time by design: more would starve the tables."""
MOST_OF_ADDRESS = 8


def pause(tried: Tried, free: int, now: int) -> int:
    """Microseconds still to wait; each failure beyond the free ones doubles the pause."""
    if tried.times < free:
        return 0
    pause = min(LONGEST_PAUSE, FIRST_PAUSE << min(tried.times - free, 10))
    return tried.last + pause - now


class Throttle:
    def __init__(self, store: Store, clock: HouseClock) -> None:
        self._store, self._clock = store, clock
        self._under_way: Counter[str] = Counter()

    @contextmanager
    def entered(self, address: str) -> Iterator[None]:
        """While an attempt is made. One address alone does not take all the room there is."""
        if self._under_way.total() >= MOST_AT_ONCE or self._under_way[address] >= MOST_OF_ADDRESS:
            raise TooMany("too many logins are under way", 1, "login_busy")
        self._under_way[address] += 1
        try:
            yield
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

    async def admit(self, name: str, address: str) -> None:
        """Count an attempt, before anything is tried; one that has to wait is not counted."""
        now = self._clock.now()
        async with self._store.transaction() as connection:
            for who, free in _counted(name, address):
                tried = await tried_before(connection, who)
                if abs(now - tried.last) > FORGOTTEN_AFTER:  # also if house time was set back
                    tried = Tried(0, now)
                if (wait := pause(tried, free, now)) > 0:
                    raise TooMany("too many failed logins", ceil(wait / SECOND), "login_throttled")
                await keep_tried(connection, who, Tried(tried.times + 1, now))
            await forget_older(connection, now - FORGOTTEN_AFTER)

    async def succeeded(self, connection: AsyncConnection, name: str, address: str) -> None:
        """In the transaction of what the attempt was for: it was no failure."""
        (of_address, _), (of_name, _) = _counted(name, address)
        await take_back(connection, of_address)
        await forget_tried(connection, of_name)


def _counted(name: str, address: str) -> list[tuple[str, int]]:
    """Who is counted, with what is free. In this order: two attempts that lock the same never cross."""
    return [(_hashed(address), FREE_OF_ADDRESS), (_hashed(address, folded(name)), FREE)]


def _hashed(*parts: str) -> str:
    """The book need not say who mistyped a password, nor keep the password that was typed for a name."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
