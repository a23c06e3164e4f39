"""Journals verified in stretches by several processes: whatever was tampered with is found, snapshots too."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, delete, insert, select, update
from typer.testing import CliRunner

from api.cli import app
from jackpot.book.beside.anchors import Anchor, Anchors, new_key, read_anchors, read_key, read_public_key
from jackpot.book.book import Book
from jackpot.book.checking import crew, whole_book
from jackpot.book.checking.crew import Crew, CrewFailed
from jackpot.book.checking.difference import Difference
from jackpot.book.checking.stretches import Stretch
from jackpot.book.checking.whole_book import NotSigned, Verified, Wanted, planned, verified
from jackpot.book.stores import snapshots as kept_snapshots
from jackpot.book.stores.packing import pack
from jackpot.book.stores.schema import claims, journal, links, snapshots, tables, wins
from jackpot.book.stores.snapshots import digest, whole_of
from jackpot.core.money import Account
from jackpot.link.facts import BetsClosed, Entry, Fact
from jackpot.link.wins import ClaimOutcome
from jackpot.machine.applying import apply, created
from tests.book.test_book_verify import FORGED, rewrite
from tests.book_floor import LINK, BookFloor
from tests.floor import FLUSH, NOTHING, ROYAL
from tests.forking import forked
from tests.tampering import altered, tamper

EVERY = 10
"""Entries between two snapshots here."""
run = CliRunner()


@pytest.fixture(autouse=True)
def short_rhythm(monkeypatch: pytest.MonkeyPatch) -> None:
    """And workers who need not import everything anew."""
    monkeypatch.setattr(crew, "context", forked)
    monkeypatch.setattr(kept_snapshots, "LEAST", EVERY)
    monkeypatch.setattr(kept_snapshots, "EACH_TABLE", 0)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    new_key(tmp_path / "anchor.pem")
    return tmp_path / "anchor.pem"


@pytest.fixture
async def told(url: str, key: Path) -> AsyncIterator[BookFloor]:
    """A book of several stretches: settled rounds, a paid royal, a late claim, and a pit."""
    floor = await BookFloor.opened(url)
    await floor.book.close()
    floor.book = await Book.open(url, clock=floor.clock, anchors=Anchors(_anchors(key), read_key(key)))
    try:
        await floor.furnish()
        await _play(floor)
        yield floor
    finally:
        await floor.book.close()


async def _play(floor: BookFloor) -> None:
    for hand in (FLUSH, NOTHING, NOTHING, NOTHING):
        await floor.act(floor.bets("s2", [1, 2]))
        floor.wait(1)
        await floor.act(floor.hands("s2", {1: hand, 2: None}, final=True))
    win = await floor.wins_major("s1", ROYAL["h"])
    await floor.approve(win, "ana", "ben")
    floor.wait(1)
    answer: Any = await floor.act(floor.hands("s2", {1: ROYAL["c"]}, round=4))
    await floor.decide_claim(answer.results[0].claim, ClaimOutcome.REGISTERED)
    for _ in range(8):
        await floor.act(floor.bets("s2", [1, 2]))
    await floor.book.create_pit("pit", "Blackjack", "SGD")
    while floor.book._snapshots._under_way:
        await asyncio.sleep(0.01)


def _anchors(key: Path) -> Path:
    return key.with_name("anchors.jsonl")


async def signed(floor: BookFloor, key: Path) -> list[Anchor]:
    assert floor.book._anchors is not None
    assert await floor.book._anchors.written(within=60)
    return read_anchors(_anchors(key), read_public_key(key))


async def check(floor: BookFloor, processes: int = 2, **wanted: Any) -> list[Verified]:
    def work() -> list[Verified]:
        plans = planned(floor.url, Wanted(**wanted))
        return list(verified(floor.url, plans, processes=processes, told=lambda *_: None))

    return await asyncio.to_thread(work)


async def cuts(floor: BookFloor) -> list[int]:
    async with floor.book.store.reading() as connection:
        return await kept_snapshots.kept(connection, LINK)


async def entries_of(floor: BookFloor) -> list[Entry]:
    return [entry async for entry in floor.book.since(LINK)]


async def packed_data(floor: BookFloor, sequence: int) -> bytes:
    here = journal.c.link == LINK, journal.c.sequence == sequence
    async with floor.book.store.reading() as connection:
        return bytes((await connection.execute(select(journal.c.data).where(*here))).scalar_one())


async def denied(floor: BookFloor, forgery: Any, match: str | None = None) -> None:
    await tamper(floor.book, forgery)
    for processes in (2, 1):
        with pytest.raises(Difference, match=match):
            await check(floor, processes)


async def test_an_honest_book_is_verified_whoever_does_it(told: BookFloor) -> None:
    assert len(await cuts(told)) >= 3
    count = len(await entries_of(told))
    for processes in (1, 2, 3):
        found = {one.link: one.entries for one in await check(told, processes)}
        assert found == {LINK: count, "pit": 1}


async def test_a_row_that_is_changed_or_deleted_is_found_in_every_stretch(told: BookFloor) -> None:
    entries, seams = await entries_of(told), await cuts(told)
    for entry in [entries[seam + by - 1] for seam in seams[:3] for by in (0, 1)]:
        data = await packed_data(told, entry.sequence)
        here = update(journal).where(journal.c.link == LINK, journal.c.sequence == entry.sequence)
        later = altered(data, b'"at":1', b'"at":2')
        await denied(told, here.values(data=later), f"entry {entry.sequence}")
        await tamper(told.book, here.values(data=data))
    last = delete(journal).where(journal.c.link == LINK, journal.c.sequence == seams[1])
    await denied(told, last, f"entry {seams[1]}: it is not in the journal")


async def test_reordered_rows_are_found(told: BookFloor) -> None:
    seam = (await cuts(told))[1]
    first, second = await packed_data(told, seam), await packed_data(told, seam + 1)
    for sequence, other in ((seam, second), (seam + 1, first)):
        here = journal.c.link == LINK, journal.c.sequence == sequence
        await tamper(told.book, update(journal).where(*here).values(data=other))
    with pytest.raises(Difference, match=f"entry {seam}"):
        await check(told)


async def test_a_column_that_belies_its_entry_is_found(told: BookFloor) -> None:
    seam, entries = (await cuts(told))[1], await entries_of(told)
    place = next(one.sequence for one in entries[seam:] if isinstance(one.fact, BetsClosed))
    here = journal.c.link == LINK, journal.c.sequence == place
    async with told.book.store.reading() as connection:
        row = (await connection.execute(select(journal).where(*here))).one()
    for column, value in FORGED.items():
        forgery = update(journal).where(*here).values({column: value})
        await denied(told, forgery, f"entry {place}.*{'hash' if column == 'digest' else column}")
        await tamper(told.book, update(journal).where(*here).values({column: getattr(row, column)}))
    await check(told)


async def test_a_state_or_a_history_that_is_changed_is_found(told: BookFloor) -> None:
    async with told.book.store.reading() as connection:
        state = (await connection.execute(select(links.c.state).where(links.c.id == LINK))).scalar_one()
    poorer = altered(state, b'"payments":1', b'"payments":0')
    forgeries: list[tuple[Table, Any]] = [
        (wins, update(wins).values(amount=1)),
        (wins, delete(wins)),
        (claims, update(claims).values(amount=None)),
        (claims, delete(claims)),
        (tables, delete(tables).where(tables.c.id == "h1")),
        (links, update(links).where(links.c.id == LINK).values(state=poorer)),
        (links, update(links).where(links.c.id == LINK).values(head="0" * 64)),
    ]
    for table, forgery in forgeries:
        async with told.book.store.reading() as connection:
            before = [
                {column.key: row._mapping[column] for column in table.c}
                for row in await connection.execute(select(table))
            ]
        await denied(told, forgery)
        for one in before:
            if table is links:
                await tamper(told.book, update(links).where(links.c.id == one["id"]).values(one))
        if table is not links:
            await tamper(told.book, delete(table), insert(table).values(before))
    await check(told)


# Snapshots


async def forged(told: BookFloor, sequence: int, state: bytes) -> None:
    here = snapshots.c.link == LINK, snapshots.c.sequence == sequence
    await tamper(told.book, update(snapshots).where(*here).values(state=state))


async def whole_at(told: BookFloor, sequence: int) -> bytes:
    async with told.book.store.reading() as connection:
        return await kept_snapshots.load(connection, LINK, sequence)


async def test_a_snapshot_that_is_forged_is_found(told: BookFloor) -> None:
    first, second, *_ = await cuts(told)
    whole = await whole_at(told, first)
    richer = whole.replace(b'"meter":', b'"meter":1', 1)
    spaced = whole.replace(b'"pool":{', b'"pool": {', 1)
    for state in (pack(richer), pack(spaced), pack(await whole_at(told, second)), pack(b"{}"), b"nothing"):
        await forged(told, first, state)
        for processes in (2, 1):
            with pytest.raises(Difference, match=f"entry {first}: the snapshot after it"):
                await check(told, processes)
    await forged(told, first, pack(whole))
    await check(told)


async def test_a_snapshot_that_is_missing_or_of_another_release_is_no_error(told: BookFloor) -> None:
    first, second, *others = await cuts(told)
    one = snapshots.c.link == LINK, snapshots.c.sequence == second
    await tamper(told.book, update(snapshots).where(*one).values(layout=99, state=b"nothing"))
    await check(told)
    await tamper(told.book, delete(snapshots).where(snapshots.c.sequence == first))
    assert await cuts(told) == others
    await check(told)
    await tamper(told.book, delete(snapshots))
    await check(told)


async def test_a_forgery_with_a_chain_a_state_and_snapshots_of_its_own_is_denied(
    told: BookFloor,
) -> None:
    seams, entries = await cuts(told), await entries_of(told)
    place = next(
        one.sequence for one in entries if one.sequence > seams[0] and isinstance(one.fact, BetsClosed)
    )
    facts = [(_richer(one.fact) if one.sequence == place else one.fact, one) for one in entries]
    await rewrite(told.book, facts)
    link = created(entries[0])
    for entry in [entry async for entry in told.book.since(LINK)][1:]:
        apply(link, entry.fact, entry.stamp)
        link.head = entry.hash
        if entry.sequence in seams:
            await forged(told, entry.sequence, pack(whole_of(link)))
    for processes in (2, 1):
        with pytest.raises(Difference, match=f"entry {place}: the contribution"):
            await check(told, processes)


def _richer(fact: Fact) -> Fact:
    assert isinstance(fact, BetsClosed)
    moves = fact.moves | {
        Account.METER: fact.moves[Account.METER] + 1,
        Account.HOUSE: fact.moves[Account.HOUSE] - 1,
    }
    return replace(fact, moves=moves)


@pytest.mark.parametrize("act", [update(snapshots).values(layout=1), delete(snapshots)])
async def test_what_was_kept_is_not_changed(told: BookFloor, act: Any) -> None:
    with pytest.raises(Exception, match="append-only"):
        async with told.book.store.transaction() as connection:
            await connection.execute(act)


# From a signed checkpoint


async def test_a_check_begins_where_a_state_was_signed(told: BookFloor, key: Path) -> None:
    anchors, seams, count = await signed(told, key), await cuts(told), len(await entries_of(told))
    assert [one.sequence for one in anchors if one.state and one.link == LINK] == seams
    for since, begun in ((0, seams[-1]), (seams[0], seams[0])):
        (found,) = await check(told, link=LINK, since=since, anchors=anchors)
        assert (found.since, found.entries) == (begun, count - begun)
    whole, of_pit = await check(told, since=0, anchors=anchors)
    assert (whole.since, of_pit.since, of_pit.entries) == (seams[-1], 0, 1)
    assert {one.since for one in await check(told, anchors=anchors)} == {0}


async def test_a_check_begins_nowhere_else(told: BookFloor, key: Path) -> None:
    anchors, seams = await signed(told, key), await cuts(told)
    heads = [replace(one, state=None) for one in anchors]
    for since, several in ((seams[0] + 1, anchors), (seams[0], heads), (0, heads)):
        with pytest.raises(NotSigned, match="no checkpoint was signed"):
            await check(told, link=LINK, since=since, anchors=several)


async def test_what_was_signed_and_is_another_now_is_found(told: BookFloor, key: Path) -> None:
    anchors, (first, *_) = await signed(told, key), await cuts(told)
    wanted: dict[str, Any] = {"link": LINK, "since": first, "anchors": anchors}
    whole = await whole_at(told, first)
    await forged(
        told, first, pack(whole.replace(b'"contributed_before_reset":0', b'"contributed_before_reset":1'))
    )
    with pytest.raises(
        Difference, match=f"entry {first}: the snapshot after it is not the state that was signed"
    ):
        await check(told, **wanted)
    await forged(told, first, pack(whole))
    other = [replace(one, head="0" * 64, state=None) for one in anchors if one.sequence == first]
    with pytest.raises(Difference, match="not the one that was signed"):
        await check(told, **wanted | {"anchors": [*anchors, *other]})
    twice = [replace(one, state=digest(b"")) for one in anchors if one.sequence == first]
    with pytest.raises(Difference, match="not the state that was signed"):
        await check(told, **wanted | {"anchors": [*anchors, *twice]})
    await tamper(told.book, delete(snapshots).where(snapshots.c.sequence == first))
    with pytest.raises(Difference, match="the book has no snapshot there"):
        await check(told, **wanted)


async def test_what_comes_after_the_checkpoint_is_looked_at(told: BookFloor, key: Path) -> None:
    anchors, (first, *_) = await signed(told, key), await cuts(told)
    here = update(journal).where(journal.c.link == LINK)
    await tamper(told.book, here.where(journal.c.sequence == first + 1).values(value=1))
    with pytest.raises(Difference, match=f"entry {first + 1}"):
        await check(told, link=LINK, since=first, anchors=anchors)


async def test_the_command_begins_at_a_checkpoint(told: BookFloor, key: Path) -> None:
    anchors, seams = await signed(told, key), await cuts(told)
    proof = ["--database", told.url, "--anchors", str(_anchors(key)), "--key", str(key.with_suffix(".pub"))]

    async def said(*more: str) -> tuple[int, str]:
        ended = await asyncio.to_thread(run.invoke, app, ["verify", *proof, *more])
        return ended.exit_code, ended.output

    assert anchors
    ended, text = await said("--since", "last", "--processes", "2")
    assert (ended, f"since entry {seams[-1]}, " in text) == (0, True), text
    ended, text = await said("--since", "3", "--link", LINK)
    assert (ended, "no checkpoint was signed for entry 3" in text) == (1, True), text
    for wrong in (["--since", "first"], ["--since", "0"], ["--since", str(seams[0])]):
        assert (await said(*wrong))[0] == 2
    ended, text = await said("--link", LINK, "--since", str(seams[0]))
    assert ended == 0, text
    unsigned = await asyncio.to_thread(run.invoke, app, ["verify", "--database", told.url, "--since", "last"])
    assert unsigned.exit_code == 2


# The processes


async def test_a_process_that_is_killed_is_an_error(told: BookFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    hired: list[Any] = []
    hire: Callable[[str], Any] = crew._hired

    def doomed(database: str) -> Any:
        hired.append(hire(database))
        os.kill(hired[-1].process.pid, signal.SIGKILL)
        return hired[-1]

    monkeypatch.setattr(crew, "_hired", doomed)
    with pytest.raises(CrewFailed, match="ended by itself"):
        await check(told)
    assert [one.process.exitcode for one in hired] == [-signal.SIGKILL] * 2


async def test_a_book_that_cannot_be_asked_is_an_error(tmp_path: Path) -> None:
    def work() -> None:
        with Crew(f"sqlite+aiosqlite:///{tmp_path / 'none.db'}", 2) as several:
            list(several.work([Stretch(LINK, 0, 5), Stretch(LINK, 5, 9)], lambda *_: None))

    with pytest.raises(CrewFailed, match="there is no book"):
        await asyncio.to_thread(work)


async def test_whoever_is_interrupted_leaves_nobody_behind(
    told: BookFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    hired: list[Any] = []
    hire: Callable[[str], Any] = crew._hired

    def noted(database: str) -> Any:
        hired.append(hire(database))
        return hired[-1]

    monkeypatch.setattr(crew, "_hired", noted)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def work() -> None:
        plans = planned(told.url, Wanted())
        with pytest.raises(KeyboardInterrupt):
            list(verified(told.url, plans, processes=2, told=interrupt))

    await asyncio.to_thread(work)
    assert [one.process.exitcode for one in hired] == [-signal.SIGKILL] * 2


def test_workers_that_begin_anew_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a command begins them."""
    monkeypatch.setattr(crew, "context", get_context("spawn"))
    nowhere = Crew(f"sqlite+aiosqlite:///{tmp_path / 'none.db'}", 1)
    with nowhere as several, pytest.raises(CrewFailed, match="there is no book"):
        list(several.work([Stretch(LINK, 0, 5)], lambda *_: None))


def test_a_small_book_is_read_by_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_book, "cores", lambda: 8)
    several = [Stretch(LINK, 0, 10), Stretch(LINK, 10, 20)]
    assert not isinstance(whole_book._hands("nothing", several, None), Crew)
