"""Entries and states in few bytes: everything comes back, what was changed is found, and rows of 0.1 stand
beside those of this release."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import zstandard
from sqlalchemy import Connection, Update, select, text, update

from jackpot.book.checking.tail_check import verify_recent
from jackpot.book.checking.verify import Difference, Verifier
from jackpot.book.reading.history import reading_at
from jackpot.book.reading.lookup import Lookup, Missing
from jackpot.book.stores import packing
from jackpot.book.stores.packing import Unpackable, file_of, pack, unpack
from jackpot.book.stores.rows import implied_key, read_row, round_of_key
from jackpot.book.stores.schema import journal
from jackpot.link import commands, facts, pit_facts
from jackpot.link.answers import read_said
from tests import golden
from tests.book_floor import LINK, BookFloor, checked, furnished_floor
from tests.floor import ROYAL
from tests.tampering import tamper

DICTIONARIES = {1: "6944506882a05a8a12bca3d6629df82b996440f081b81307c8cf8614e0c7f62a"}
"""By number, the hash of its bytes: books are packed with it."""


# Frames


def test_every_kind_of_entry_of_every_release_comes_back() -> None:
    kinds: set[str] = set()
    for one in (book for release in golden.releases() for book in golden.kept(release)):
        assert [unpack(pack(data)) for data in one.entries] == list(one.entries)
        kinds |= one.kinds
    assert kinds == set(facts.KINDS)


@pytest.mark.parametrize("data", [b"", b"\0", b"{", b"no JSON", bytes(range(256)) * 5000], ids=len)
def test_any_bytes_come_back(data: bytes) -> None:
    assert unpack(pack(data)) == data


def test_what_is_not_packed_is_taken_as_it_is() -> None:
    assert unpack(b'{"at":1}') == b'{"at":1}'


def test_a_dictionary_is_never_changed_and_never_goes() -> None:
    found = {number: sha256(file_of(number).read_bytes()).hexdigest() for number in DICTIONARIES}
    assert found == DICTIONARIES
    assert packing.DICTIONARY in DICTIONARIES


def another(number: int) -> bytes:
    """A dictionary with another number, which stands after the magic of its bytes."""
    known = file_of(1).read_bytes()
    return known[:4] + number.to_bytes(4, "little") + known[8:]


def packed_with(number: int, data: bytes) -> bytes:
    made = zstandard.ZstdCompressionDict(another(number))
    return zstandard.ZstdCompressor(dict_data=made).compress(data)


def test_a_dictionary_that_is_not_there_is_named() -> None:
    with pytest.raises(Unpackable, match="dictionary 77, which this release does not have"):
        unpack(packed_with(77, b'{"at":1}'))


def test_a_newer_dictionary_leaves_what_was_packed_before_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pack(b'{"at":1}')
    for number, data in ((1, file_of(1).read_bytes()), (78, another(78))):
        (tmp_path / f"{number}.zdict").write_bytes(data)
    monkeypatch.setattr(packing, "_FOLDER", tmp_path)
    assert unpack(packed_with(78, b'{"at":2}')) == b'{"at":2}'
    assert unpack(before) == b'{"at":1}'


def test_a_frame_that_says_it_is_endless_reserves_nothing() -> None:
    endless = (
        b"\x28\xb5\x2f\xfd\xe3" + (1).to_bytes(4, "little") + (1 << 60).to_bytes(8, "little") + b"\1\0\0"
    )
    with pytest.raises(Unpackable, match="longer than anything"):
        unpack(endless)


def test_any_byte_changed_in_a_frame_is_found() -> None:
    """It cannot be unpacked, or says something else. But for a bit that means nothing to a reader."""
    (said,) = {max(one.entries, key=len) for one in golden.kept("0.2")[:1]}
    frame = pack(said)
    unnoticed = []
    for place in range(len(frame)):
        for bit in range(8):
            changed = bytearray(frame)
            changed[place] ^= 1 << bit
            try:
                if unpack(bytes(changed)) == said:
                    unnoticed.append((place, bit))
            except Unpackable:
                pass
    assert unnoticed == [(4, 4)]


# Keys that a row implies


@pytest.mark.parametrize("kind", [facts.BetsClosed, facts.HandsReported])
def test_a_key_of_a_round_leads_to_its_row(kind: type) -> None:
    of = {
        facts.BetsClosed: commands.CloseBets(
            table="t/1", round=-3, sent_at=1, received_at=1, closed_at=1, boxes=()
        ),
        facts.HandsReported: commands.ReportHands(table="t/1", round=-3, sent_at=1, received_at=1, hands=()),
    }[kind]
    assert of.key == implied_key(kind.__name__, "t/1", -3)
    assert round_of_key(str(of.key)) == ("t/1", -3)


@pytest.mark.parametrize("kind", [pit_facts.PitBetsClosed, pit_facts.PitHandsReported])
def test_so_does_one_of_a_pit(kind: type) -> None:
    assert round_of_key(str(implied_key(kind.__name__, "bj", 5))) == ("bj", 5)


@pytest.mark.parametrize(
    "key", ["act/3/ana/1", "t/1/void", "t/bets", "t/\u0661/bets", "t/" + "9" * 19 + "/bets"]
)
def test_other_keys_lead_to_no_round(key: str) -> None:
    assert round_of_key(key) is None


# Rows of both releases in one journal


async def told(floor: BookFloor) -> None:
    for number in (1, 2, 3):
        await floor.act(floor.bets("s1", [1, 2]))
        floor.wait(1)
        await floor.act(floor.hands("s1", {1: ROYAL["h"] if number == 3 else None, 2: None}, final=True))


def as_0_1(row: Any) -> Update:
    """The same entry in columns as 0.1 wrote them."""
    kept = read_row(row)
    said = read_said(kept.data)
    columns = {
        "data": kept.data,
        "hash": kept.hash,
        "reading": kept.reading,
        "submission": None if row.submitted is None else bytes(row.submitted).hex(),
        "key": None if said is None else said.key,
        "digest": None,
        "submitted": None,
    }
    return update(journal).where(journal.c.link == LINK, journal.c.sequence == row.sequence).values(columns)


async def rows(floor: BookFloor) -> list[Any]:
    async with floor.book.store.reading() as connection:
        found = select(journal).where(journal.c.link == LINK).order_by(journal.c.sequence)
        return list((await connection.execute(found)).all())


async def test_rows_of_0_1_and_of_this_release_stand_in_one_journal(url: str) -> None:
    async with furnished_floor(url) as floor:
        await told(floor)
        entries = [entry async for entry in floor.book.since(LINK)]
        first = floor.bets("s1", round=1)
        before = await rows(floor)
        await tamper(floor.book, *map(as_0_1, before[: len(before) - 4]))
        await floor.reopen()
        await told(floor)
        assert [one async for one in floor.book.since(LINK)][: len(entries)] == entries
        found = await checked(floor.book)
        layouts = [read_row(row).packed for row in await rows(floor)]
        assert layouts == sorted(layouts)
        assert layouts.count(False) == len(before) - 4
        await verify_recent(floor.book.store, LINK, len(found.entries) - 1)
        assert first.key in found.said


async def test_what_was_answered_is_found_in_rows_of_both(url: str) -> None:
    async with furnished_floor(url) as floor:
        await told(floor)
        keys = [f"s1/{number}/{word}" for number in (1, 2, 3) for word in ("bets", "hands")]
        answers = await answered(floor, keys)
        assert len(answers) == len(keys)
        before = await rows(floor)
        await tamper(floor.book, *map(as_0_1, before[: len(before) // 2]))
        assert await answered(floor, keys) == answers
        assert await answered(floor, ["s1/9/bets", "s2/1/bets", "s1/1/void", "nonsense"]) == {}


async def answered(floor: BookFloor, keys: list[str]) -> dict[str, Any]:
    lookup = Lookup()
    async with floor.book.store.reading() as connection:
        await lookup.fetch(connection, await floor.state(), [Missing(key=key) for key in keys])
    return {key: found for key in keys if (found := lookup._answers.get(key))}


async def test_a_reading_is_the_same_from_both(url: str) -> None:
    async with furnished_floor(url) as floor:
        await told(floor)
        last = (await rows(floor))[-1]
        async with floor.book.store.reading() as connection:
            packed = await reading_at(connection, LINK, last.at)
        await tamper(floor.book, as_0_1(last))
        async with floor.book.store.reading() as connection:
            assert await reading_at(connection, LINK, last.at) == packed


async def test_a_table_s_message_writes_its_key_only_inside_the_entry(url: str) -> None:
    async with furnished_floor(url) as floor:
        await told(floor)
        of_rounds = [row for row in await rows(floor) if row.kind in ("BetsClosed", "HandsReported")]
        assert {row.key for row in of_rounds if read_row(row).data.endswith(b'"said":null}')} <= {None}
        assert [row.kind for row in of_rounds if row.key is not None] == []


# What was changed by hand


async def denied(floor: BookFloor, change: Any, why: str) -> None:
    """By the whole check and by that of the last entries."""
    row = (await rows(floor))[-2]
    here = update(journal).where(journal.c.link == LINK, journal.c.sequence == row.sequence)
    await tamper(floor.book, here.values(change(row)))
    for check in (Verifier(floor.book.store, LINK).verify(), verify_recent(floor.book.store, LINK, 3)):
        with pytest.raises(Difference, match=f"entry {row.sequence}.*{why}"):
            await check
    await tamper(floor.book, here.values({name: getattr(row, name) for name in row._fields}))
    await Verifier(floor.book.store, LINK).verify()


async def test_a_changed_frame_is_found_and_the_entry_named(url: str) -> None:
    async with furnished_floor(url) as floor:
        await told(floor)
        await denied(floor, lambda row: {"data": row.data[:-1]}, "cannot be unpacked")
        await denied(floor, lambda row: {"data": row.data + b"more"}, "cannot be unpacked")
        await denied(floor, lambda row: {"data": b"\x28" + row.data[2:]}, "cannot be unpacked")
        await denied(floor, lambda row: {"data": packed_with(77, unpack(row.data))}, "dictionary 77")
        await denied(floor, lambda _: {"digest": bytes(32)}, "")
        await denied(floor, lambda row: {"data": pack(read_row(row).data + b'\n{"a":1}')}, "")
        await denied(floor, lambda _: {"hash": "0" * 64}, "column hash")
        await denied(floor, lambda _: {"reading": b"{}"}, "")


# How PostgreSQL keeps them


async def test_rows_of_state_are_updated_in_place(postgres_url: str) -> None:
    async with furnished_floor(postgres_url) as floor:
        for _ in range(30):
            await floor.act(floor.bets("s1"))
            floor.wait(1)
        async with floor.book.store.reading() as connection:
            options, toasted = await connection.run_sync(_kept)
        assert all("fillfactor=50" in told for told in options)
        assert toasted == 0


def _kept(connection: Connection) -> tuple[list[list[str]], int]:
    here = "FROM pg_class WHERE relname IN ('links', 'tables') AND relkind = 'r'"
    options = connection.execute(text(f"SELECT reloptions {here}")).scalars()
    toast = connection.execute(text(f"SELECT sum(pg_relation_size(reltoastrelid)) {here}"))
    return [list(one) for one in options], int(toast.scalar_one())
