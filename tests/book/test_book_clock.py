"""House time is the store's, and no affair of this machine's own clock."""

from __future__ import annotations

import time

import pytest

from jackpot.book.clock import HouseClock
from jackpot.book.stores import store_of
from jackpot.instants import SECOND


async def test_house_time_does_not_follow_when_this_machines_clock_is_set(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, clock, told = store_of(postgres_url), HouseClock(), time.time_ns
    try:
        await clock.measure(store)
        before = clock.now()
        monkeypatch.setattr(time, "time_ns", lambda: told() - 3600 * 10**9)
        assert 0 <= clock.now() - before < 60 * SECOND
        assert clock.offset > 3500 * SECOND
        await clock.measure(store)
        assert 0 <= clock.now() - before < 60 * SECOND
        assert clock.error >= 0
    finally:
        await store.close()


async def test_a_store_in_this_process_has_its_clock_measured_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, clock, told = store_of(sqlite_url), HouseClock(), time.time_ns
    try:
        await clock.measure(store)
        before = clock.now()
        monkeypatch.setattr(time, "time_ns", lambda: told() + 3600 * 10**9)
        assert clock.now() - before < 60 * SECOND
        await clock.measure(store)
        assert clock.now() - before > 3500 * SECOND
    finally:
        await store.close()
