"""Links and pits as the book has them, read again only where something has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from jackpot.book.book import Book
from jackpot.book.reading.floor_now import FloorNow, Seen
from jackpot.book.reading.pages import current, link_names
from jackpot.book.stores.rows import canonical_link, canonical_table, contact_bytes
from jackpot.book.stores.schema import links
from jackpot.link.commands import Heartbeat
from tests.book_floor import LINK, BookFloor
from tests.floor import DEFAULTS


@pytest.fixture
async def floor(url: str) -> AsyncIterator[BookFloor]:
    floor = await BookFloor.opened(url)
    await floor.furnish()
    await floor.book.create("other", "Another", "SGD", DEFAULTS)
    yield floor
    await floor.book.close()


async def in_full(book: Book) -> list[tuple[bytes, list[tuple[bytes, bytes]]]]:
    """Every link as its rows say, all of them read."""
    async with book.store.snapshot() as connection:
        names = await link_names(connection)
        return told(Seen([await current(book.store, connection, name) for name in names]))


def told(seen: Seen) -> list[tuple[bytes, list[tuple[bytes, bytes]]]]:
    return [
        (
            canonical_link(one),
            [(canonical_table(table), contact_bytes(table.contact)) for table in one.tables.values()],
        )
        for one in seen.places
    ]


async def test_it_says_what_every_row_says_whatever_has_changed(floor: BookFloor) -> None:
    now = FloorNow(floor.book.store)
    for _ in range(3):
        assert told(await now.now()) == await in_full(floor.book)
        await floor.submit(floor.bets("s1"))
        assert told(await now.now()) == await in_full(floor.book)
        await floor.wins_major("s2", "9s 8s 7s 6s 5s")
        floor.wait(5)
        await floor.beat("h1")
        await floor.submit(floor.hands("s1", {1: None}, final=True))
    assert told(await now.now()) == await in_full(floor.book)


async def test_a_new_link_is_seen_at_the_next_look(floor: BookFloor) -> None:
    now = FloorNow(floor.book.store)
    assert [one.id for one in (await now.now()).places] == [LINK, "other"]
    await floor.book.create("newest", "The newest", "SGD", DEFAULTS)
    assert [one.id for one in (await now.now()).places] == [LINK, "newest", "other"]


async def test_only_what_has_changed_is_read_again(floor: BookFloor) -> None:
    now = FloorNow(floor.book.store)
    before, other = (await now.now()).places
    await floor.submit(floor.bets("s1"))
    after, same = (await now.now()).places
    assert same is other
    assert before.tables["s2"] is after.tables["s2"]
    assert before.tables["s1"] is not after.tables["s1"]
    assert before.tables["s1"].round is None, "what was told before stays as it was"


async def test_of_a_table_that_was_only_heard_its_round_is_not_read_again(floor: BookFloor) -> None:
    await floor.submit(floor.bets("s1"))
    now = FloorNow(floor.book.store)
    (before, _) = (await now.now()).places
    floor.wait(5)
    beat = Heartbeat(table="s1", sent_at=floor.clock.time, received_at=floor.clock.time)
    await floor.submit(beat)
    await floor.act(Heartbeat(table="s2", sent_at=floor.clock.time, received_at=floor.clock.time, seq=1))
    (after, _) = (await now.now()).places
    assert after.tables["s1"].round is before.tables["s1"].round
    assert told(await now.now()) == await in_full(floor.book)


async def test_those_who_ask_at_once_share_a_look(floor: BookFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    now, looks = FloorNow(floor.book.store), 0
    look = now._look

    async def counted(connection: object) -> Seen:
        nonlocal looks
        looks += 1
        return await look(connection)  # type: ignore[arg-type]

    monkeypatch.setattr(now, "_look", counted)
    found = await asyncio.gather(*(now.now() for _ in range(50)))
    assert looks == 1
    assert all(one is found[0] for one in found)


async def test_a_look_shows_what_was_durable_before_it_was_asked_for(floor: BookFloor) -> None:
    """Also while an earlier look is under way, which may have missed it."""
    now = FloorNow(floor.book.store)
    for number in range(1, 6):
        early = asyncio.create_task(now.now())
        await floor.submit(floor.bets("s1"))
        await floor.submit(floor.hands("s1", {1: None}, final=True))
        (link, _) = (await now.now()).places
        assert link.tables["s1"].last_round == number
        await early


async def test_rows_that_cannot_be_read_hide_nothing_else(floor: BookFloor) -> None:
    now = FloorNow(floor.book.store)
    await now.now()
    async with floor.book.store.transaction() as connection:
        spoilt = links.update().where(links.c.id == "other")
        await connection.execute(spoilt.values(state=b"\0", heard=links.c.heard + 1))
    await floor.submit(floor.bets("s1"))
    for _ in range(2):
        seen = await now.now()
        assert seen.unreadable.keys() == {"other"}
        assert [one.id for one in seen.places] == [LINK, "other"]
        assert seen.places[0].tables["s1"].round is not None
