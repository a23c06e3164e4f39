"""Roll-ups: kept beside the commits, equal to a recount of the journal, and counted again by `verify`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import delete, insert, select, update

from jackpot.book.beside.applied_floor import calendar
from jackpot.book.checking import crew
from jackpot.book.checking.difference import Difference
from jackpot.book.checking.picture import journal_sizes
from jackpot.book.checking.rebuilding import migrate_book, rebuild
from jackpot.book.checking.stretches import Stretch, replayed
from jackpot.book.checking.whole_book import Wanted, planned, verified
from jackpot.book.reading import meters as reading_meters
from jackpot.book.reading.happenings import happened
from jackpot.book.reading.meters import RollUpsBehind, figures_between, meters_at
from jackpot.book.stores import snapshots
from jackpot.book.stores.addresses import existing_store
from jackpot.book.stores.base import Store
from jackpot.book.stores.packing import pack
from jackpot.book.stores.rows import entry_bytes
from jackpot.book.stores.schema import journal, rollups
from jackpot.book.writing import rollups as rolling
from jackpot.book.writing.rollups import RollUps, roll_up_all
from jackpot.figures.meters import LAYOUT, Figures, Meters
from jackpot.link.facts import Entry, read_entry
from tests import golden, month
from tests.books import SQLITE, OldBook, restore_file
from tests.books import kept as old_books
from tests.effort import times
from tests.forking import forked

LINK, DAYS = month.LINK, 3


@pytest.fixture(autouse=True)
def short_rhythm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rolling, "LEAST", 60)
    monkeypatch.setattr(rolling, "EACH_TABLE", 0)
    monkeypatch.setattr(rolling, "SLICE", 150)
    monkeypatch.setattr(snapshots, "LEAST", 90)
    monkeypatch.setattr(snapshots, "EACH_TABLE", 0)
    monkeypatch.setattr(crew, "context", forked)


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """Of three days with majors, not rolled up yet."""
    await month.written(url, rounds=240, days=DAYS, tables=4, luck=2_000)
    found = existing_store(url)
    try:
        yield found
    finally:
        await found.close()


async def entries(store: Store, link: str = LINK) -> list[Entry]:
    async with store.reading() as connection:
        rows = await connection.execute(
            select(journal).where(journal.c.link == link).order_by(journal.c.sequence)
        )
        return [read_entry(link, entry_bytes(row.data), "") for row in rows]


def recount(several: list[Entry], upto: int) -> Meters:
    meters = Meters()
    for entry in several[:upto]:
        meters.hear(type(entry.fact).__name__, entry.fact)
    return meters


async def kept(store: Store, link: str = LINK) -> list[int]:
    async with store.reading() as connection:
        found = select(rollups.c.sequence).where(rollups.c.link == link).order_by(rollups.c.sequence)
        return list((await connection.execute(found)).scalars())


async def test_figures_of_any_two_entries_are_a_recount_of_the_journal(store: Store) -> None:
    await roll_up_all(store)
    several, chance = await entries(store), Random(7)
    assert len(await kept(store)) > len(several) // 60
    for _ in range(times(20)):
        first, last = sorted(chance.sample(range(len(several) + 1), 2))
        async with store.reading() as connection:
            found = await figures_between(connection, LINK, first, last)
        assert found == Figures.between(recount(several, first), recount(several, last))


async def test_every_end_of_a_shift_has_a_roll_up(store: Store) -> None:
    await roll_up_all(store)
    several, there = await entries(store), set(await kept(store))
    async with store.reading() as connection:
        days = await calendar(connection)
    ends = {one.end for number in range(DAYS + 1) for one in days.at(month.START + number * month.DAY).shifts}
    passed = [end for end in ends if several[0].at < end <= several[-1].at]
    assert len(passed) > 2 * DAYS
    for end in passed:
        assert sum(entry.at < end for entry in several) in there


async def test_several_processes_and_a_crash_between_neither_lose_nor_double(store: Store) -> None:
    cut_off = asyncio.create_task(RollUps(store).roll())
    await asyncio.sleep(0.05)
    cut_off.cancel()
    await asyncio.gather(cut_off, return_exceptions=True)
    for _ in range(20):
        if not any(await asyncio.gather(*(RollUps(store).roll() for _ in range(3)))):
            break
    several, there = await entries(store), await kept(store)
    assert there == sorted(set(there))
    async with store.reading() as connection:
        for sequence in there:
            meters = await meters_at(connection, LINK, sequence)
            assert meters.to_bytes() == recount(several, sequence).to_bytes()
    assert await rolling.due(store) == []


async def test_what_is_behind_the_last_roll_up_is_read_from_the_journal(store: Store) -> None:
    await RollUps(store).roll()
    several, reached = await entries(store), (await kept(store))[-1]
    assert reached < len(several)
    async with store.reading() as connection:
        found = await meters_at(connection, LINK, len(several))
    assert found == recount(several, len(several))


async def test_figures_that_are_far_from_any_roll_up_are_refused_until_there_are_some(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_meters, "MOST_READ", 100)
    async with store.reading() as connection:
        with pytest.raises(RollUpsBehind, match="0 of 300 entries"):
            await meters_at(connection, LINK, 300)
    await roll_up_all(store)
    async with store.reading() as connection:
        await meters_at(connection, LINK, 300)


# Verify


async def check(url: str, processes: int = 1) -> None:
    def work() -> None:
        for _ in verified(url, planned(url, Wanted()), processes=processes, told=lambda *_: None):
            pass

    await asyncio.to_thread(work)


async def forge(store: Store, sequence: int) -> None:
    here = rollups.c.link == LINK, rollups.c.sequence == sequence
    async with store.transaction() as connection:
        meters = await meters_at(connection, LINK, sequence)
        name = sorted(meters.tables)[0]
        meters.tables[name]["wagered"] += 1
        await connection.execute(update(rollups).where(*here).values(figures=pack(meters.to_bytes())))


async def test_a_forged_roll_up_is_found(store: Store, url: str) -> None:
    await roll_up_all(store)
    await check(url)
    forged = (await kept(store))[3]
    await forge(store, forged)
    with pytest.raises(Difference, match=f"entry {forged}: the roll-up after it"):
        await check(url)
    here = rollups.c.link == LINK, rollups.c.sequence == forged
    async with store.transaction() as connection:
        await connection.execute(update(rollups).where(*here).values(figures=b"nonsense"))
    with pytest.raises(Difference, match=f"entry {forged}: the roll-up after it"):
        await check(url)


async def test_a_stale_roll_up_and_one_of_nothing_are_found(store: Store, url: str) -> None:
    """One that was left as it was, and one beyond the end of the journal."""
    await roll_up_all(store)
    there, last = await kept(store), len(await entries(store))
    async with store.transaction() as connection:
        found = select(rollups.c.figures).where(rollups.c.link == LINK, rollups.c.sequence == there[1])
        stale = (await connection.execute(found)).scalar_one()
        await connection.execute(delete(rollups).where(rollups.c.sequence == there[2]))
        await connection.execute(
            insert(rollups).values(link=LINK, layout=LAYOUT, sequence=there[2], figures=stale)
        )
    with pytest.raises(Difference, match=f"entry {there[2]}: the roll-up after it"):
        await check(url)
    async with store.transaction() as connection:
        await connection.execute(delete(rollups).where(rollups.c.sequence == there[2]))
        await connection.execute(
            insert(rollups).values(link=LINK, layout=LAYOUT, sequence=last + 1, figures=stale)
        )
    with pytest.raises(Difference, match="it is rolled up, but it is not in the journal"):
        await check(url)


async def test_roll_ups_of_another_layout_are_made_anew_and_left_alone(store: Store, url: str) -> None:
    await roll_up_all(store)
    before = await kept(store)
    async with store.transaction() as connection:
        await connection.execute(update(rollups).values(layout=LAYOUT + 1, figures=b"of another release"))
    assert [one.since for one in await rolling.due(store)] == [0]
    await roll_up_all(store)
    assert await kept(store) == sorted([*before, *before])
    await check(url)


async def test_a_rebuild_makes_them_anew(store: Store, url: str) -> None:
    await roll_up_all(store)
    before = await kept(store)
    async with store.transaction() as connection:
        await connection.execute(update(rollups).values(figures=b"nonsense"))
    await rebuild(store, LINK, lambda *_: None)
    await roll_up_all(store)
    assert await kept(store) == before
    await check(url)


@pytest.mark.parametrize("processes", [1, 2])
async def test_stretches_verified_side_by_side_find_a_forged_roll_up(
    store: Store, url: str, processes: int
) -> None:
    await roll_up_all(store)
    async with store.reading() as connection:
        cuts = await snapshots.kept(connection, LINK)
    assert len(cuts) > 2
    await check(url, processes)
    forged = next(one for one in await kept(store) if one > cuts[1])
    await forge(store, forged)
    with pytest.raises(Difference, match=f"entry {forged}: the roll-up after it"):
        await check(url, processes)


async def test_from_a_checkpoint_on_the_roll_ups_after_it_are_counted_again(store: Store) -> None:
    """The last one before it is taken as it is; what comes after must follow from it."""
    await roll_up_all(store)
    async with store.reading() as connection:
        since = (await snapshots.kept(connection, LINK))[2]
    last = len(await entries(store))
    after, before = [next(one for one in await kept(store) if one > at) for at in (since, 0)]
    await forge(store, before)
    await replayed(store, Stretch(LINK, since, last))
    await forge(store, after)
    with pytest.raises(Difference, match=f"entry {after}: the roll-up after it"):
        await replayed(store, Stretch(LINK, since, last))


# What earlier releases wrote


@pytest.mark.parametrize("book", [one for one in old_books() if one.store == SQLITE], ids=str)
async def test_an_older_book_is_rolled_up_with_its_migration(book: OldBook, tmp_path: Path) -> None:
    old = existing_store(restore_file(book, tmp_path / "book.db"))
    try:
        await migrate_book(old, lambda *_: None)
        for link in await journal_sizes(old):
            several = await entries(old, link)
            async with old.reading() as connection:
                found = await meters_at(connection, link, len(several))
            assert found == recount(several, len(several))
        assert await kept(old, "main")
    finally:
        await old.close()


@pytest.mark.parametrize("release", golden.releases())
def test_every_kind_is_counted_quickly_as_its_fact_says(release: str) -> None:
    for one in golden.kept(release):
        quickly, ordinarily = Meters(), Meters()
        for data in one.entries:
            fact = read_entry(one.of, data, "").fact
            kind = type(fact).__name__
            quickly.hear(kind, happened(kind, data))
            ordinarily.hear(kind, fact)
        assert quickly.to_bytes() == ordinarily.to_bytes()
