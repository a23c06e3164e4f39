"""House time: the clock of the database server, as well as this process can know it."""

from __future__ import annotations

import time

from jackpot.book.stores import Store


def _ticks() -> int:
    """Microseconds of a clock that nobody sets: house time must not follow when this machine's is set."""
    return time.monotonic_ns() // 1000


class HouseClock:
    def __init__(self) -> None:
        self._began = time.time_ns() // 1000 - _ticks()
        """House time when the ticks began."""
        self.error = 0

    def now(self) -> int:
        return self._began + _ticks()

    @property
    def offset(self) -> int:
        """Microseconds to add to this machine's clock."""
        return self.now() - time.time_ns() // 1000

    async def measure(self, store: Store, exchanges: int = 3) -> None:
        """The exchange with the shortest way there and back tells most."""
        found: list[tuple[int, int]] = []
        async with store.reading() as connection:
            for _ in range(exchanges):
                asked = _ticks()
                there = await store.house_time(connection)
                told = _ticks()
                found.append(((told - asked) // 2, there - (asked + told) // 2))
        self.error, self._began = min(found)
