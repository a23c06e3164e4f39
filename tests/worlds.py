"""A world whose time a test moves: the clock of the database server, and machines with ticks of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from jackpot.book import book
from jackpot.book.stores import sqlite
from jackpot.book.stores.postgres import PostgresStore
from jackpot.book.writing.clock import HouseClock
from jackpot.core.instants import SECOND
from tests.floor import START

MILLION = 1_000_000


class World:
    """`true` is what a perfect clock would say; the server's is off by `shift`."""

    def __init__(self) -> None:
        self.true, self.shift = START, 0

    def server(self) -> int:
        return self.true + self.shift

    def wait(self, seconds: float) -> None:
        self.true += round(seconds * SECOND)

    async def watch(self, seconds: int, *clocks: HouseClock, every: int = 1) -> list[list[int]]:
        """Time passes, and all look at the server's clock; what their house time was each time."""
        told = []
        for _ in range(0, seconds, every):
            self.wait(every)
            for clock in clocks:
                await clock.measure()
            told.append([clock.now() for clock in clocks])
        return told


class Machine:
    """Its ticks begin anywhere, drift a little, and stand still while it is paused."""

    def __init__(self, world: World, *, ppm: int = 0) -> None:
        self._world, self._ppm, self._lost = world, ppm, world.true - 7_000_000
        self._paused_at: int | None = None

    def ticks(self) -> int:
        true = self._world.true if self._paused_at is None else self._paused_at
        passed = true - self._lost
        return passed + passed * self._ppm // MILLION

    @contextmanager
    def paused(self) -> Iterator[None]:
        self._paused_at = self._world.true
        yield
        self._lost += self._world.true - self._paused_at
        self._paused_at = None

    def clock(self) -> HouseClock:
        return HouseClock(self.ticks)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """The server of every store that is opened. Nobody looks at its clock unless the test says so."""
    made = World()
    monkeypatch.setattr(sqlite, "wall_clock", made.server)
    monkeypatch.setattr(PostgresStore, "clock_sql", property(lambda _: str(made.server())))
    monkeypatch.setattr(book, "MEASURED_EVERY", 3600.0)
    return made
