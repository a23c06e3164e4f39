"""House time: the clock of the database server, as well as this process can know it."""

from __future__ import annotations

import time

from jackpot.book.stores import Store


class HouseClock:
    def __init__(self) -> None:
        self.offset = 0
        """Microseconds to add to this machine's clock."""
        self.error = 0

    def now(self) -> int:
        return time.time_ns() // 1000 + self.offset

    async def measure(self, store: Store, exchanges: int = 3) -> None:
        """The exchange with the shortest way there and back tells most."""
        found: list[tuple[int, int]] = []
        async with store.reading() as connection:
            for _ in range(exchanges):
                asked = time.time_ns() // 1000
                there = await store.house_time(connection)
                told = time.time_ns() // 1000
                found.append(((told - asked) // 2, there - (asked + told) // 2))
        self.error, self.offset = min(found)
