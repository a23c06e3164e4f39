"""Tampering by hand is found: in the journal, in the state, at its end, and in a recomputed chain."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, delete, insert, select, update
from typer.testing import CliRunner

from api.cli import app
from jackpot.book.beside.anchors import (
    Anchor,
    AnchorForged,
    Anchors,
    new_key,
    read_anchors,
    read_key,
    read_public_key,
)
from jackpot.book.book import Book
from jackpot.book.checking.verify import Difference, Verifier
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.base import BackupRefused
from jackpot.book.stores.rows import LinkRow, Writing, journal_row, link_bytes, table_bytes
from jackpot.book.stores.schema import audit, claims, journal, links, tables, wins
from jackpot.book.stores.tasks import end
from jackpot.link.answers import read_said
from jackpot.link.facts import Entry, Fact, WinApproved, chain
from jackpot.link.wins import ClaimOutcome
from jackpot.machine.applying import apply, created
from jackpot.pools.payout import registered
from tests.book_floor import LINK, BookFloor, furnished_floor
from tests.floor import FLUSH, NOTHING, ROYAL
from tests.tampering import altered, tamper

run = CliRunner()


@pytest.fixture
async def floor(sqlite_url: str) -> AsyncIterator[BookFloor]:
    async with furnished_floor(sqlite_url) as floor:
        yield floor


@pytest.fixture
async def told(url: str) -> AsyncIterator[BookFloor]:
    """On each store in turn, a book with settled rounds, a paid royal, and a late claim that was paid."""
    async with furnished_floor(url) as floor:
        yield await _told(floor)


async def _told(floor: BookFloor) -> BookFloor:
    for hand in (FLUSH, NOTHING):
        await floor.act(floor.bets("s2", [1, 2]))
        floor.wait(1)
        await floor.act(floor.hands("s2", {1: hand, 2: None}, final=True))
    win = await floor.wins_major("s1", ROYAL["h"])
    await floor.approve(win, "ana", "ben")
    floor.wait(1)
    late = floor.hands("s2", {1: ROYAL["c"]}, round=2)
    answer: Any = await floor.act(late)
    await floor.decide_claim(answer.results[0].claim, ClaimOutcome.REGISTERED)
    return floor


async def verified(book: Book, anchors: list[Anchor] | None = None) -> int:
    verifier = Verifier(book.store, LINK)
    await verifier.verify(anchors)
    return verifier.entries


async def entries_of(book: Book) -> list[Entry]:
    return [entry async for entry in book.since(LINK)]


async def rows_of(book: Book) -> Sequence[Any]:
    async with book.store.reading() as connection:
        found = select(journal).where(journal.c.link == LINK).order_by(journal.c.sequence)
        return (await connection.execute(found)).all()


async def test_an_honest_book_is_verified(told: BookFloor) -> None:
    assert await verified(told.book) == len(await entries_of(told.book))


async def test_any_journal_row_that_is_changed_or_deleted_is_found(told: BookFloor) -> None:
    rows = await rows_of(told.book)
    for row in rows[1::3]:
        here = journal.c.link == LINK, journal.c.sequence == row.sequence
        forged = altered(row.data, b'"at":1', b'"at":2')
        await tamper(told.book, update(journal).where(*here).values(data=forged))
        with pytest.raises(Difference):
            await verified(told.book)
        await tamper(told.book, update(journal).where(*here).values(data=row.data))
        await verified(told.book)
    middle = rows[len(rows) // 2].sequence
    await tamper(told.book, delete(journal).where(journal.c.sequence == middle))
    with pytest.raises(Difference, match=f"entry {middle}"):
        await verified(told.book)


async def test_reordered_rows_are_found(told: BookFloor) -> None:
    first, second = (await rows_of(told.book))[5:7]
    swap = [
        update(journal).where(journal.c.sequence == first.sequence).values(data=second.data),
        update(journal).where(journal.c.sequence == second.sequence).values(data=first.data),
    ]
    await tamper(told.book, *swap)
    with pytest.raises(Difference, match=f"entry {first.sequence}"):
        await verified(told.book)


FORGED = {
    "at": 5,
    "kind": "WinPaid",
    "tbl": "h1",
    "round": 77,
    "hash": "0" * 64,
    "value": 1,
    "reading": b"{}",
    "digest": bytes(32),
    "key": "s1/9/bets",
}


async def test_a_column_that_belies_its_entry_is_found(told: BookFloor) -> None:
    place = (await entries_of(told.book))[8].sequence
    here = update(journal).where(journal.c.sequence == place)
    async with told.book.store.reading() as connection:
        row = (await connection.execute(select(journal).where(journal.c.sequence == place))).one()
    for column, value in FORGED.items():
        await tamper(told.book, here.values({column: value}))
        named = "hash" if column == "digest" else column
        with pytest.raises(Difference, match=f"entry {place}.*{named}"):
            await verified(told.book)
        await tamper(told.book, here.values({column: getattr(row, column)}))
        await verified(told.book)


async def test_any_state_row_that_is_changed_or_deleted_is_found(told: BookFloor) -> None:
    async with told.book.store.reading() as connection:
        link = (await connection.execute(select(links))).one()
        table = (await connection.execute(select(tables).where(tables.c.id == "s1"))).one()
    forgeries = [
        (
            update(links).values(state=altered(link.state, b'"payments":1', b'"payments":0')),
            update(links).values(state=link.state),
        ),
        (update(links).values(sequence=3), update(links).values(sequence=link.sequence)),
        (update(links).values(head="0" * 64), update(links).values(head=link.head)),
        (
            update(tables)
            .where(tables.c.id == "s1")
            .values(state=altered(table.state, b'"last_round":1', b'"last_round":9')),
            update(tables).where(tables.c.id == "s1").values(state=table.state),
        ),
    ]
    for forgery, repair in forgeries:
        await tamper(told.book, forgery)
        with pytest.raises(Difference):
            await verified(told.book)
        await tamper(told.book, repair)
        await verified(told.book)


async def test_a_history_row_that_is_changed_or_deleted_is_found(told: BookFloor) -> None:
    forgeries: list[tuple[Table, Any]] = [
        (wins, update(wins).values(amount=1)),
        (wins, update(wins).values(hand="straight_flush")),
        (wins, update(wins).values(registered=wins.c.registered - 1)),
        (wins, delete(wins)),
        (claims, update(claims).values(amount=None)),
        (claims, delete(claims)),
        (tables, delete(tables).where(tables.c.id == "h1")),
    ]
    for table, forgery in forgeries:
        async with told.book.store.reading() as connection:
            rows = await connection.execute(select(table))
            before = [{column.key: row._mapping[column] for column in table.c} for row in rows]
        await tamper(told.book, forgery)
        with pytest.raises(Difference):
            await verified(told.book)
        await tamper(told.book, delete(table), insert(table).values(before))
        await verified(told.book)


async def rewrite(book: Book, kept: list[tuple[Fact, Entry]]) -> None:
    """Forge the whole book so that it agrees with itself: other facts, a new chain, the state they imply."""
    first = kept[0][1]
    link, rows = created(first), [journal_row(first, registered(created(first)), None, None)]
    for fact, entry in kept[1:]:
        said = read_said(entry.data)
        forged = chain(LINK, fact, entry.stamp, head=link.head, said=said.text() if said else "null")
        apply(link, fact, entry.stamp)
        link.head = forged.hash
        rows.append(journal_row(forged, registered(link), None, said.key if said else None))
    await tamper(book, delete(journal))
    async with book.store.transaction() as connection:
        known = await book.store.stand(connection, LINK)
        assert known is not None
        row = LinkRow(99, known.versions.heard, link_bytes(link))
        assert await book.store.write(connection, LINK, Writing(known, row, rows, [], [], {}))
        for name, table in link.tables.items():
            await connection.execute(
                update(tables).where(tables.c.id == name).values(state=table_bytes(table))
            )


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "anchor.pem"
    new_key(file)
    return file


async def anchored(floor: BookFloor, key: Path) -> list[Anchor]:
    file = key.with_name("anchors.jsonl")
    entries = await entries_of(floor.book)
    Anchors(file, read_key(key)).append(Anchor(LINK, entries[-1].sequence, entries[-1].hash, entries[-1].at))
    return read_anchors(file, read_public_key(key.with_suffix(".pub")))


async def test_a_cut_tail_is_found_by_its_anchor(floor: BookFloor, key: Path) -> None:
    await floor.act(floor.bets("s1", [1]))
    kept = [(entry.fact, entry) for entry in await entries_of(floor.book)]
    await floor.act(floor.bets("s2", [1]))
    anchors = await anchored(floor, key)
    await verified(floor.book, anchors)
    await rewrite(floor.book, kept)
    await verified(floor.book)
    with pytest.raises(Difference, match="it is not there"):
        await verified(floor.book, anchors)


async def test_a_cut_tail_is_found_though_its_numbers_were_signed_again(floor: BookFloor, key: Path) -> None:
    await floor.act(floor.bets("s1", [1]))
    kept = [(entry.fact, entry) for entry in await entries_of(floor.book)]
    await floor.act(floor.bets("s2", [1]))
    await anchored(floor, key)
    await rewrite(floor.book, kept)
    await floor.reopen()  # which is journalled
    anchors = await anchored(floor, key)
    assert anchors[0].sequence == anchors[1].sequence
    await verified(floor.book, anchors[1:])
    with pytest.raises(Difference, match="not the one that was signed"):
        await verified(floor.book, anchors)


async def test_a_wholly_recomputed_chain_is_found_by_its_anchor(floor: BookFloor, key: Path) -> None:
    await floor.wins_major("s1", ROYAL["h"])
    win = next(iter((await floor.state()).queue))
    await floor.approve(win, "ana")
    anchors = await anchored(floor, key)
    forged = [
        (WinApproved(win=fact.win, person="eve", note="") if isinstance(fact, WinApproved) else fact, entry)
        for fact, entry in ((entry.fact, entry) for entry in await entries_of(floor.book))
    ]
    await rewrite(floor.book, forged)
    await verified(floor.book)
    with pytest.raises(Difference, match="not the one that was signed"):
        await verified(floor.book, anchors)


async def test_heads_are_anchored_at_each_payment_and_every_minute(sqlite_url: str, key: Path) -> None:
    file = key.with_name("anchors.jsonl")
    floor = await BookFloor.opened(sqlite_url)
    await floor.book.close()
    signing = Anchors(file, read_key(key))
    floor.book = await Book.open(sqlite_url, anchors=signing)
    floor._set_clock()
    await end(*floor.book._upkeep)  # or it would sign what is due before the next command does

    async def lines() -> int:
        assert await signing.written(within=60)
        return len(file.read_text().splitlines())

    await floor.furnish()
    begun = await lines()
    assert begun == 1
    await floor.act(floor.bets("s1", [1]))
    assert await lines() == begun
    floor.wait(61)
    await floor.act(floor.bets("s1", [1]))
    assert await lines() == begun + 1
    win = await floor.wins_major("s1", ROYAL["h"])
    await floor.approve(win, "ana", "ben")
    floor.wait(1)
    assert await lines() == begun + 2
    await verified(floor.book, read_anchors(file, read_public_key(key)))
    await floor.book.close()


def test_a_forged_anchor_is_refused(key: Path) -> None:
    file = key.with_name("anchors.jsonl")
    Anchors(file, read_key(key)).append(Anchor(LINK, 1, "0" * 64, 5))
    file.write_text(file.read_text().replace('"sequence": 1', '"sequence": 2'))
    with pytest.raises(AnchorForged, match="line 1"):
        read_anchors(file, read_public_key(key))


# The commands


@pytest.fixture
def told_file(sqlite_url: str) -> str:
    async def tell() -> None:
        floor = await BookFloor.opened(sqlite_url)
        await floor.furnish()
        await floor.act(floor.bets("s1", [1, 2]))
        await floor.book.close()

    asyncio.run(tell())
    return sqlite_url


def test_verify_and_replay_as_commands(told_file: str, tmp_path: Path) -> None:
    result = run.invoke(app, ["verify", "--database", told_file])
    assert result.exit_code == 0, result.output
    assert "link main: " in result.output
    assert "verified" in result.output
    replayed = run.invoke(app, ["replay", "--database", told_file, "--to", "1"])
    assert "SGD 50,000.00 (open)" in replayed.output
    whole = run.invoke(app, ["replay", "--database", told_file])
    assert "SGD 50,004.00" in whole.output
    with sqlite3.connect(tmp_path / "book.db") as book:
        book.execute("UPDATE links SET sequence = 2")
    broken = run.invoke(app, ["verify", "--database", told_file])
    assert broken.exit_code == 1
    assert "link main: " in broken.output


def test_an_anchor_for_a_link_that_is_gone_is_a_difference(told_file: str, key: Path) -> None:
    file = key.with_name("anchors.jsonl")
    Anchors(file, read_key(key)).append(Anchor("gone", 1, "0" * 64, 5))
    command = [
        "verify",
        "--database",
        told_file,
        "--anchors",
        str(file),
        "--key",
        str(key.with_suffix(".pub")),
    ]
    result = run.invoke(app, command)
    assert result.exit_code == 1
    assert "no such link" in result.output
    assert run.invoke(app, ["verify", "--database", told_file, "--anchors", str(file)]).exit_code == 2


def test_a_backup_is_a_book_of_its_own(told_file: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert run.invoke(app, ["backup", "--database", told_file, str(copy)]).exit_code == 0
    assert run.invoke(app, ["verify", "--database", f"sqlite+aiosqlite:///{copy}"]).exit_code == 0
    assert run.invoke(app, ["backup", "--database", told_file, str(copy)]).exit_code == 1
    nowhere = run.invoke(app, ["backup", "--database", told_file, str(tmp_path / "none" / "copy.db")])
    assert "the copy could not be made" in nowhere.output
    with pytest.raises(BackupRefused, match="no book"):
        store_of(f"sqlite+aiosqlite:///{tmp_path / 'none.db'}").backup(tmp_path / "other.db")
    with pytest.raises(BackupRefused, match="pg_basebackup"):
        store_of("postgresql+asyncpg://localhost/book").backup(tmp_path / "other.db")


async def _epochs(url: str) -> tuple[str, str]:
    """The book's, and the one that the audit says it was given."""
    book = await Book.open(url)
    try:
        async with book.store.reading() as connection:
            told = select(audit.c.detail).where(audit.c.act == "book_restored")
            return book.epoch, json.loads((await connection.execute(told)).scalar() or b"{}").get("epoch", "")
    finally:
        await book.close()


def test_a_restored_book_is_another_book_with_the_same_journal(told_file: str) -> None:
    before, _ = asyncio.run(_epochs(told_file))
    assert run.invoke(app, ["restored", "--database", told_file]).exit_code == 0
    after, told = asyncio.run(_epochs(told_file))
    assert before != after == told
    assert run.invoke(app, ["verify", "--database", told_file]).exit_code == 0


async def _news_key(url: str) -> str:
    book = await Book.open(url)
    await book.close()
    return book.news_key


def test_a_book_keeps_the_key_of_its_news_and_a_restored_one_has_another(told_file: str) -> None:
    first, again = asyncio.run(_news_key(told_file)), asyncio.run(_news_key(told_file))
    assert first == again
    assert len(bytes.fromhex(first)) == 32
    restored = run.invoke(app, ["restored", "--database", told_file])
    assert restored.exit_code == 0
    after = asyncio.run(_news_key(told_file))
    assert after != first
    assert len(bytes.fromhex(after)) == 32
    assert after not in restored.output


def test_a_key_is_made_once(tmp_path: Path) -> None:
    file = tmp_path / "anchor.pem"
    assert run.invoke(app, ["anchor-key", str(file)]).exit_code == 0
    assert file.stat().st_mode & 0o077 == 0
    for place in (file, tmp_path / "none" / "anchor.pem"):
        refused = run.invoke(app, ["anchor-key", str(place)])
        assert refused.exit_code == 1
        assert "cannot be made" in refused.output


def test_migrate_makes_the_schema(bare_sqlite_url: str) -> None:
    assert run.invoke(app, ["migrate", "--database", bare_sqlite_url]).exit_code == 0
    found = run.invoke(app, ["verify", "--database", bare_sqlite_url])
    assert (found.exit_code, found.output.strip()) == (1, "the book has no links")


def test_a_foreign_store_is_refused() -> None:
    result = run.invoke(app, ["verify", "--database", "mysql://localhost/book"])
    assert result.exit_code == 1
    assert "no store of ours" in result.output


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_book_that_is_not_there_is_said_to_be_so_and_not_made(tmp_path: Path, command: str) -> None:
    result = run.invoke(app, [command, "--database", f"sqlite+aiosqlite:///{tmp_path / 'none.db'}"])
    assert result.exit_code == 1
    assert "there is no book at" in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nonsense", "not the address of a store"),
        ("postgresql+asyncpg://nobody@127.0.0.1:1/none", "cannot be reached"),
    ],
)
def test_a_store_that_cannot_be_had_is_told_in_one_line(address: str, words: str) -> None:
    for command in ("verify", "replay", "migrate"):
        result = run.invoke(app, [command, "--database", address])
        assert result.exit_code == 1
        assert words in result.output
        assert "Traceback" not in result.output


def test_a_file_that_is_no_book_is_told_in_one_line(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE other (id)").connection.close()
    result = run.invoke(app, ["verify", "--database", f"sqlite+aiosqlite:///{tmp_path / 'other.db'}"])
    assert result.exit_code == 1
    assert "does not answer as a book: no such table" in result.output
