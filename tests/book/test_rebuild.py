"""State that cannot be used is made anew from the journal; a journal that cannot be used is left alone."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import delete, select, update
from typer.testing import CliRunner

from api.cli import app
from jackpot.book.book import Book
from jackpot.book.checking import rebuilding
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.migrating import SchemaOutdated
from jackpot.book.stores.packing import unpack
from jackpot.book.stores.rows import entry_bytes
from jackpot.book.stores.schema import claims, journal, links, tables, wins
from jackpot.core.codec import from_bytes
from jackpot.core.versions import LAYOUT_OF_0_1, RULES
from jackpot.link.facts import Entry
from jackpot.link.state import Contact, Pit
from jackpot.machine.applying import replayed
from tests.book_floor import LINK, BookFloor, StoryClock
from tests.floor import NOTHING, ROYAL
from tests.tampering import tamper_with

run = CliRunner()
here = links.c.id == LINK


def jackpot(url: str, *arguments: str) -> tuple[int, str]:
    ended = run.invoke(app, [arguments[0], "--database", url, *arguments[1:]])
    return ended.exit_code, " ".join(ended.output.split())


def rebuilt(url: str) -> str:
    """What differed, as it is told; afterwards the book verifies."""
    ended, said = jackpot(url, "rebuild")
    assert ended == 0, said
    assert jackpot(url, "verify")[0] == 0
    return said.partition("differed: ")[2]


async def _play(url: str) -> None:
    floor = await BookFloor.opened(url, StoryClock())
    try:
        await floor.furnish()
        await floor.wins_major("s1", ROYAL["h"])
        await floor.act(floor.bets("s2", [1, 2]))
        await floor.act(floor.hands("s2", {1: NOTHING, 2: None}, final=True))
    finally:
        await floor.book.close()


@pytest.fixture
def played(url: str) -> str:
    """A win waits, and a round was played."""
    asyncio.run(_play(url))
    return url


def damage(url: str, *statements: Any) -> None:
    async def change() -> None:
        store = store_of(url)
        try:
            await tamper_with(store, *statements)
        finally:
            await store.close()

    asyncio.run(change())


def stored(url: str, found: Any) -> Any:
    async def ask() -> Any:
        store = store_of(url)
        try:
            async with store.reading() as connection:
                return (await connection.execute(found)).one()
        finally:
            await store.close()

    return asyncio.run(ask())


def test_where_nothing_is_wrong_nothing_differs_and_contacts_are_forgotten(played: str) -> None:
    assert rebuilt(played) == "nothing"
    contact = stored(played, select(tables.c.contact).where(tables.c.id == "s1")).contact
    assert from_bytes(Contact, unpack(contact)) == Contact()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (update(links).where(here).values(state=b"{"), "the link's state: it could not be read"),
        (update(links).where(here).values(state=b"[]"), "the link's state: it could not be read"),
        (update(tables).where(tables.c.id == "s1").values(state=b"?"), "the state of table s1: it could not"),
        (update(links).where(here).values(head="0" * 64), "where the journal ends"),
        (delete(tables).where(tables.c.id == "s2"), "table s2, which was missing"),
        (delete(wins), "the record of wins and claims"),
        (update(wins).values(amount=1), "the record of wins and claims"),
        (update(links).where(here).values(layout=LAYOUT_OF_0_1), "written by another release (layout 1)"),
        (
            claims.insert().values(link=LINK, id="x", tbl="s1", round=1, box=1, raised=1),
            "the record of wins and claims",
        ),
    ],
)
def test_what_differed_is_told_and_made_good(played: str, wrong: Any, told: str) -> None:
    before = stored(played, select(links).where(here))
    damage(played, wrong)
    assert jackpot(played, "verify")[0] == 1
    assert told in rebuilt(played)
    after = stored(played, select(links).where(here))
    assert (after.state, after.head, after.sequence) == (before.state, before.head, before.sequence)
    assert after.version > before.version  # whoever still has the old state in memory is told by this


def test_the_fields_that_differ_are_named(played: str) -> None:
    state = json.loads(unpack(stored(played, select(links).where(here)).state))
    state["pool"]["accounts"]["meter"] += 1
    state["closed"] = True
    damage(played, update(links).where(here).values(state=json.dumps(state).encode()))
    assert rebuilt(played) == "the link's state: closed, pool"


def test_a_long_journal_is_read_page_by_page(played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[int] = []

    def noted(page: list[Entry], link: Pit | None) -> Pit:
        pages.append(len(page))
        return replayed(page, link)

    monkeypatch.setattr(rebuilding, "PAGE", 4)
    monkeypatch.setattr(rebuilding, "replayed", noted)
    last = stored(played, select(links).where(here)).sequence
    damage(played, update(links).where(here).values(state=b"{"))
    assert "could not be read" in rebuilt(played)
    assert len(pages) == -(-last // 4)
    assert max(pages) == 4


def _changed(data: bytes, name: str, value: int) -> bytes:
    told = json.loads(data)
    return json.dumps(told | {name: value}, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("rules", RULES + 1, "another release wrote it, which this one does not know"),
        ("at", 1, "it is not what was hashed"),
        ("sequence", 9_999, "the journal goes on with"),
    ],
)
def test_from_a_journal_that_cannot_be_used_nothing_is_rebuilt(
    played: str, name: str, value: int, told: str
) -> None:
    entry = journal.c.link == LINK, journal.c.sequence == 5
    data = entry_bytes(stored(played, select(journal.c.data).where(*entry)).data)
    damage(played, update(journal).where(*entry).values(data=_changed(data, name, value)))
    before = stored(played, select(links).where(here))
    ended, said = jackpot(played, "rebuild")
    assert (ended, told in said, "entry 5" in said) == (1, True, True), said
    assert stored(played, select(links).where(here)) == before


def test_a_journal_whose_end_is_missing_is_not_taken_for_the_whole(played: str) -> None:
    last = stored(played, select(links).where(here)).sequence
    damage(played, delete(journal).where(journal.c.sequence == last))
    ended, said = jackpot(played, "rebuild")
    assert (ended, f"the journal ends with {last - 1}, but entry {last} was written" in said) == (1, True)


def test_only_the_link_that_was_named(played: str) -> None:
    assert jackpot(played, "rebuild", LINK)[0] == 0
    ended, said = jackpot(played, "rebuild", "nowhere")
    assert ended == 1
    assert "the book has no link nowhere" in said


async def test_while_a_service_serves_the_book_it_is_left_alone(played: str) -> None:
    book = await Book.open(played)
    try:
        for command in ("rebuild", "migrate"):
            if command == "migrate":
                async with book.store.transaction() as connection:
                    await connection.execute(update(links).values(layout=LAYOUT_OF_0_1))
            ended, said = await asyncio.to_thread(jackpot, played, command)
            assert ended == 1
            assert "serves this book" in said
    finally:
        await book.close()
    assert (await asyncio.to_thread(jackpot, played, "migrate"))[0] == 0


async def test_a_state_of_another_release_is_not_served(played: str) -> None:
    await asyncio.to_thread(damage, played, update(tables).values(layout=LAYOUT_OF_0_1))
    with pytest.raises(SchemaOutdated, match="run jackpot migrate"):
        await Book.open(played)
    ended, said = await asyncio.to_thread(jackpot, played, "migrate")
    assert (ended, "link main: rebuilt from" in said) == (0, True)
    await (await Book.open(played)).close()
