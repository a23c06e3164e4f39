"""House time goes on, whatever is done to clocks; all processes agree on it, and it never falls."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from sqlalchemy import select

from jackpot.book.book import Book
from jackpot.book.reading.pages import current_link
from jackpot.book.stores.base import Ticks
from jackpot.book.stores.house_time import Exchange, Kept
from jackpot.book.stores.postgres import PostgresStore
from jackpot.book.stores.schema import house
from jackpot.book.writing import clock as house_clock
from jackpot.book.writing.clock import HouseClock, boot_ticks
from jackpot.book.writing.writer import TROUBLE
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.link import facts
from jackpot.link.state import Link
from tests.book_floor import LINK
from tests.floor import DEFAULTS
from tests.worlds import Machine, World, world

__all__ = ["world"]
HOUR = 3600 * SECOND


@asynccontextmanager
async def replica(url: str, machine: Machine) -> AsyncIterator[Book]:
    book = await Book.open(url, clock=machine.clock())
    try:
        yield book
    finally:
        await book.close()


async def kept(book: Book) -> Kept:
    async with book.store.reading() as connection:
        row = (await connection.execute(select(*(house.c[name] for name in Kept._fields)))).one()
    return Kept(*row)


def off(clock: HouseClock, world: World) -> int:
    """House time less true time."""
    return clock.now() - world.true


# The server's clock is set


async def test_house_time_goes_on_while_the_servers_clock_is_an_hour_ahead(url: str, world: World) -> None:
    async with replica(url, Machine(world)) as book:
        clock = book.clock
        await world.watch(10, clock)
        world.shift = HOUR
        await world.watch(40, clock)
        assert (off(clock, world), clock.difference) == (0, -HOUR)
        world.shift = 0
        await world.watch(40, clock)
        assert (off(clock, world), clock.difference) == (0, 0)
        assert (await kept(book)).doubt == 0


@pytest.mark.parametrize("step", [2 * SECOND, -2 * SECOND])
async def test_a_step_of_two_seconds_is_taken_back_by_500_ppm_at_most(
    sqlite_url: str, world: World, step: int
) -> None:
    async with replica(sqlite_url, Machine(world)) as book:
        clock = book.clock
        await world.watch(10, clock)
        world.shift = step
        before = clock.now()
        for _ in range(150):
            await world.watch(30, clock, every=30)
            passed, before = clock.now() - before, clock.now()
            assert abs(passed - 30 * SECOND) <= 30 * 500 + 1
        assert clock.now() == world.server()
        assert clock.differs_since is None


async def test_a_step_of_more_than_ten_seconds_is_not_followed(sqlite_url: str, world: World) -> None:
    async with replica(sqlite_url, Machine(world)) as book:
        await world.watch(10, book.clock)
        world.shift = -11 * SECOND
        await world.watch(10, book.clock)
        since = book.clock.differs_since
        await world.watch(24 * 3600, book.clock, every=3600)
        assert (off(book.clock, world), book.clock.difference) == (0, 11 * SECOND)
        assert book.clock.differs_since == since


async def test_another_server_two_seconds_apart_takes_over(postgres_url: str, world: World) -> None:
    async with replica(postgres_url, Machine(world)) as first, replica(postgres_url, Machine(world)) as other:
        clocks = first.clock, other.clock
        await world.watch(12, *clocks)
        world.shift = -2 * SECOND
        for book in (first, other):
            assert isinstance(book.store, PostgresStore)
            book.store._servers.distrust(book.store.generation)
        told = await world.watch(60, *clocks)
        assert all(abs(one - both) <= 1 for one, both in told)
        assert 0 <= -off(first.clock, world) <= 60 * 500
        assert 0 < first.clock.difference <= 2 * SECOND


async def test_drift_is_no_step(url: str, world: World) -> None:
    """What a slewed clock and ours drift apart is followed, and nobody is told of it."""
    async with replica(url, Machine(world, ppm=400)) as book:
        await world.watch(60, book.clock)
        assert abs(off(book.clock, world)) <= book.clock.error
        assert (await kept(book)).ahead == 0


# Several processes


async def test_two_processes_agree_within_their_errors_whatever_is_done_to_the_server(
    postgres_url: str, world: World
) -> None:
    rng = Random(7)
    machines = Machine(world, ppm=60), Machine(world, ppm=-80)
    async with replica(postgres_url, machines[0]) as one, replica(postgres_url, machines[1]) as other:
        latest = [0, 0]
        for second in range(300):
            if second % 30 == 15:
                world.shift += rng.choice((HOUR, -HOUR, 3 * SECOND, -SECOND, 40 * MILLISECOND))
            world.wait(1)
            for book in rng.sample((one, other), rng.randrange(1, 3)):
                await book.clock.measure()
            a, b = one.clock.moment(), other.clock.moment()
            assert abs(a.at - b.at) <= a.error + b.error + 2 * MILLISECOND
            assert a.at >= latest[0]
            assert b.at >= latest[1]
            latest = [a.at, b.at]


async def test_a_machine_that_was_paused_follows_the_others(postgres_url: str, world: World) -> None:
    paused, awake = Machine(world), Machine(world)
    async with replica(postgres_url, paused) as asleep, replica(postgres_url, awake) as other:
        await world.watch(12, asleep.clock, other.clock)
        with paused.paused():
            await world.watch(30, other.clock)
        assert off(asleep.clock, world) == -30 * SECOND
        told = await world.watch(5, asleep.clock, other.clock)
        assert [off(asleep.clock, world), off(other.clock, world)] == [0, 0]
        assert all(late <= right for late, right in told)
        assert await kept(asleep) == Kept(0, *(await kept(asleep))[1:])


async def test_a_process_that_did_not_look_for_a_while_has_nothing_to_doubt(url: str, world: World) -> None:
    """Its machine was not paused: the ticks went on."""
    async with replica(url, Machine(world, ppm=50)) as book:
        await world.watch(5, book.clock)
        world.wait(600)
        assert abs(off(book.clock, world)) <= book.clock.error
        await book.clock.measure()
        assert (await kept(book)).doubt == 0
        assert off(book.clock, world) <= 600 * 50


async def test_who_joins_while_the_server_is_doubted_waits_for_the_others(
    postgres_url: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    async with replica(postgres_url, Machine(world)) as book:
        await world.watch(12, book.clock)
        world.shift = HOUR
        await world.watch(1, book.clock)
        assert (await kept(book)).doubt

        async def pause(seconds: float) -> None:
            """Time passes only here: never between a question to the server and its answer."""
            waited.append(seconds)
            if seconds > 0:
                await world.watch(1, book.clock)

        with monkeypatch.context() as patched:
            patched.setattr(house_clock, "pause", pause)
            patched.setattr(house_clock, "DOUBTS_HEARD", 3600.0)
            joined = await Book.open(postgres_url, clock=Machine(world).clock())
        try:
            assert len(waited) > 2
            assert (await kept(book)).doubt == 0
            assert off(joined.clock, world) == 0
        finally:
            await joined.close()


async def test_who_joins_gives_the_others_time_to_look(
    postgres_url: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock was set a moment before, and nobody has noticed yet."""
    waited: list[float] = []
    async with replica(postgres_url, Machine(world)) as book:
        await world.watch(12, book.clock)
        world.shift = HOUR

        async def sleep(seconds: float) -> None:
            waited.append(seconds)
            await world.watch(5, book.clock)

        with monkeypatch.context() as patched:
            patched.setattr(house_clock, "JOINING", 2.0)
            patched.setattr(house_clock, "pause", sleep)
            joined = await Book.open(postgres_url, clock=Machine(world).clock())
        try:
            assert waited == [2.0]
            assert off(joined.clock, world) == 0
        finally:
            await joined.close()


async def test_a_doubt_of_somebody_who_is_gone_is_answered(postgres_url: str, world: World) -> None:
    async with replica(postgres_url, Machine(world)) as book:
        await world.watch(12, book.clock)
        known = await kept(book)
        async with book.store.transaction() as connection:
            assert await book.store.keep_clock(connection, known, known._replace(doubt=world.server()))
        await world.watch(1, book.clock)
        assert (await kept(book)).doubt == 0


async def test_of_two_who_write_at_once_one_is_told_so(url: str, world: World) -> None:
    async with replica(url, Machine(world)) as book:
        known = await kept(book)
        found = []
        for ahead in (1, 2):
            async with book.store.transaction() as connection:
                found.append(await book.store.keep_clock(connection, known, known._replace(ahead=ahead)))
        assert found == [True, False]
        assert (await kept(book)).ahead == 1


# Starting


async def created(url: str, world: World) -> None:
    async with replica(url, Machine(world)) as book:
        for name in ("main", "other"):
            await book.create(name, name, "SGD", DEFAULTS)
            world.wait(1)


async def state(book: Book, link: str) -> Link:
    async with book.store.reading() as connection:
        return await current_link(book.store, connection, link)


async def breaks(book: Book, link: str = LINK) -> list[tuple[int, facts.HouseTimeBroke]]:
    return [
        (one.at, one.fact) async for one in book.since(link) if isinstance(one.fact, facts.HouseTimeBroke)
    ]


async def test_a_start_takes_the_servers_clock_and_is_journalled_at_every_link(
    url: str, world: World
) -> None:
    await created(url, world)
    world.wait(600)
    async with replica(url, Machine(world)) as book:
        assert (off(book.clock, world), book.clock.differs_since) == (0, None)
        for link in ("main", "other"):
            [(at, fact)] = await breaks(book, link)
            assert (at, fact.cause, fact.difference, fact.persons) == (world.true, "start", 0, ())
            assert (await state(book, link)).broke_at == world.true


async def test_a_start_with_an_old_clock_goes_on_from_the_last_journal_time(url: str, world: World) -> None:
    await created(url, world)
    last = world.true - SECOND
    world.shift = -HOUR
    async with replica(url, Machine(world)) as book:
        assert book.clock.now() == last
        assert book.clock.difference == HOUR - SECOND
        [(at, fact)] = await breaks(book)
        assert (at, fact.difference) == (last, HOUR - SECOND)
        assert fact.before == last - SECOND
        await world.watch(20, book.clock)
        assert book.clock.now() == last + 20 * SECOND
        assert book.clock.differs_since == last


async def test_a_link_made_in_the_same_start_needs_no_break(url: str, world: World) -> None:
    async with replica(url, Machine(world)) as book:
        await book.create("late", "late", "SGD", DEFAULTS)
        assert await breaks(book, "late") == []


async def test_who_finds_a_living_process_breaks_nothing(postgres_url: str, world: World) -> None:
    await created(postgres_url, world)
    async with replica(postgres_url, Machine(world)) as book:
        world.wait(60)
        async with replica(postgres_url, Machine(world)) as other:
            assert len(await breaks(other)) == 1
            assert other.clock.now() == book.clock.now()
        async with replica(postgres_url, Machine(world)) as other:
            assert len(await breaks(other)) == 1


async def test_the_last_that_ends_leaves_the_next_alone(postgres_url: str, world: World) -> None:
    await created(postgres_url, world)
    for starts in (1, 2):
        async with replica(postgres_url, Machine(world)) as book, replica(postgres_url, Machine(world)):
            assert len(await breaks(book)) == starts


async def test_no_journal_time_falls_through_steps_and_starts(url: str, world: World) -> None:
    """`check` of the journal would find one that does; here the clock is behind at half of the starts."""
    rng = Random(11)
    await created(url, world)
    for _ in range(4):
        world.shift = rng.choice((0, 0, -HOUR, -5 * SECOND))
        async with replica(url, Machine(world)) as book:
            for _ in range(3):
                await world.watch(5, book.clock)
                world.shift += rng.choice((-HOUR, 2 * SECOND, HOUR))
                await book.create(f"l{rng.randrange(10**9)}", "name", "SGD", DEFAULTS)
            found = [one.at async for one in book.since(LINK)]
            assert found == sorted(found)
            entries = [one async for one in book.since(book.links[-1])]
            assert entries


# What it goes by


async def test_house_time_goes_on_while_the_store_is_away(
    url: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with replica(url, Machine(world)) as book:
        await world.watch(3, book.clock)

        async def away(*_: object) -> None:
            raise ConnectionResetError

        monkeypatch.setattr(book.store, "exchange", away)
        with pytest.raises(TROUBLE):
            await book.clock.measure()
        before = book.clock.error
        world.wait(100)
        assert off(book.clock, world) == 0
        assert book.clock.error - before == 100 * 200


async def test_of_two_measurements_the_surer_one_counts(
    sqlite_url: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with replica(sqlite_url, Machine(world)) as book:
        exchange, late = book.store.exchange, MILLISECOND

        async def slow(ticks: Ticks) -> Exchange:
            found = await exchange(ticks)
            return found._replace(answered=found.answered + late)

        monkeypatch.setattr(book.store, "exchange", slow)
        await world.watch(1, book.clock)
        assert book.clock.error == 200
        late = 300
        await world.watch(1, book.clock)
        assert book.clock.error == 150


async def test_what_is_told_never_falls_and_says_by_how_much_it_may_be_wrong(
    sqlite_url: str, world: World
) -> None:
    async with replica(sqlite_url, Machine(world)) as book:
        world.wait(0.1)
        before = book.clock.moment()
        world.shift = -100  # as little as clocks drift apart in that time
        await book.clock.measure()
        after = book.clock.moment()
        assert (before.at, after.at, after.error) == (world.true, world.true, 100)
        world.wait(0.001)
        assert book.clock.moment() == (world.server(), 1)


def test_the_ticks_go_on_while_the_machine_is_suspended(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = {time.CLOCK_BOOTTIME: 9_000, time.CLOCK_MONOTONIC: 5_000}
    monkeypatch.setattr(time, "clock_gettime_ns", ticks.get)
    assert boot_ticks() == 9


async def test_a_real_server_is_measured_with_the_error_of_the_way_there_and_back(postgres_url: str) -> None:
    book = await Book.open(postgres_url)
    try:
        here = time.time_ns() // 1000
        assert abs(book.clock.now() - here) < 60 * SECOND
        assert 0 < book.clock.error < 60 * SECOND
    finally:
        await book.close()


async def test_who_sets_this_machines_clock_sets_nothing(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, told = await Book.open(postgres_url), time.time_ns
    try:
        before = book.clock.now()
        monkeypatch.setattr(time, "time_ns", lambda: told() - 3600 * 10**9)
        await book.clock.measure()
        assert 0 <= book.clock.now() - before < 60 * SECOND
        assert book.clock.offset > 3500 * SECOND
    finally:
        await book.close()
