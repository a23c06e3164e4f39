"""The service looks at its own book. One that denies itself stops its link, until all of it is verified."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, delete, func, select, update

from jackpot.book.beside.anchors import Anchor
from jackpot.book.beside.stopped_links import note_stop
from jackpot.book.book import Book
from jackpot.book.checking import selfcheck
from jackpot.book.checking.selfcheck import SelfCheck
from jackpot.book.checking.tail_check import verify_recent
from jackpot.book.checking.verify import Verifier
from jackpot.book.stores.base import Store
from jackpot.book.stores.schema import journal, links, stops, tables, wins
from jackpot.book.writing.writer import LinkStopped
from tests.book_floor import LINK, BookFloor, furnished_floor
from tests.floor import FLUSH, NOTHING, ROYAL
from tests.in_process import LINK as LINK_TEXT
from tests.in_process import House, bearer, bets, credential, floor_text, house
from tests.tampering import altered, tamper
from tests.waiting import eventually

HIGH = (
    LINK_TEXT.replace('"main"', '"high"')
    + '[[table]]\nid = "high-01"\nlink = "high"\ngame = "casino_stud"\nboxes = 7\n'
    + credential("high-01", "table", table="high-01")
)


@pytest.fixture
async def floor(sqlite_url: str) -> AsyncIterator[BookFloor]:
    async with furnished_floor(sqlite_url) as floor:
        yield floor


@pytest.fixture
async def either(url: str) -> AsyncIterator[BookFloor]:
    """On each store in turn: where rows are forged, and the store is asked for the last of them."""
    async with furnished_floor(url) as floor:
        yield floor


async def play(floor: BookFloor) -> None:
    """A settled round, a royal that is paid, and one that waits."""
    await floor.act(floor.bets("s2", [1, 2]))
    floor.wait(1)
    await floor.act(floor.hands("s2", {1: FLUSH, 2: None}, final=True))
    win = await floor.wins_major("s1", ROYAL["h"])
    await floor.approve(win, "ana", "ben")
    floor.wait(1)


async def checked(book: Book, recent: int = 5_000, check: SelfCheck | None = None) -> str | None:
    """What a check finds."""
    check = check or SelfCheck(book, hours=24, recent=recent)
    await check.check()
    return check.last[LINK].why


# What is looked at


async def test_an_honest_book_passes_whether_it_is_long_or_short(either: BookFloor) -> None:
    await play(either)
    for recent in (3, 5_000):
        assert await checked(either.book, recent) is None


async def test_later_checks_go_on_where_the_last_one_ended(floor: BookFloor) -> None:
    await play(floor)
    check = SelfCheck(floor.book, hours=24, recent=3)
    assert await checked(floor.book, check=check) is None
    assert check.last[LINK].entries == 3
    before = (await _state(floor.book)).sequence
    await floor.wins_major("s1", ROYAL["c"])
    assert await checked(floor.book, check=check) is None
    assert check.last[LINK].entries == (await _state(floor.book)).sequence - before
    await floor.act(floor.bets("s2", [1]))
    await floor.act(floor.hands("s2", {1: NOTHING}, final=True))
    assert await checked(floor.book, check=check) is None
    assert check.last[LINK].entries == 2


async def test_a_recent_entry_that_was_changed_is_found_at_the_start(either: BookFloor) -> None:
    await play(either)
    last = (await _state(either.book)).sequence
    here = journal.c.link == LINK, journal.c.sequence == last - 1
    async with either.book.store.reading() as connection:
        row = (await connection.execute(select(journal).where(*here))).one()
    for column, forged in {
        "kind": "WinPaid",
        "hash": "0" * 64,
        "value": 1,
        "key": "s1/9/bets",
        "at": 5,
    }.items():
        await tamper(either.book, update(journal).where(*here).values({column: forged}))
        assert f"entry {last - 1}: the column {column}" in str(await checked(either.book, 4))
        await tamper(either.book, update(journal).where(*here).values({column: getattr(row, column)}))
        assert await checked(either.book, 4) is None


async def test_a_state_that_the_journal_denies_is_found_at_the_start(floor: BookFloor) -> None:
    await play(floor)
    row = await _state(floor.book)
    richer = altered(row.state, b'"meter":', b'"meter":1')
    await tamper(floor.book, update(links).where(links.c.id == LINK).values(state=richer))
    assert await checked(floor.book, 3) is not None
    assert await checked(floor.book) is not None


@pytest.mark.parametrize("recent", [3, 5_000])
@pytest.mark.parametrize("state", [b'{"oops":1}', b"not json", b"[]", b"7"])
@pytest.mark.parametrize("place", [links, tables], ids=str)
async def test_a_state_that_cannot_be_read_stops_its_link(
    floor: BookFloor, place: Table, state: bytes, recent: int
) -> None:
    await tamper(floor.book, update(place).values(state=state))
    check = SelfCheck(floor.book, hours=24, recent=recent)
    assert "cannot be read" in str(await checked(floor.book, check=check))
    assert LINK in check.stopped


async def test_what_happened_since_the_last_check_is_computed_again(floor: BookFloor) -> None:
    await play(floor)
    check = SelfCheck(floor.book, hours=24, recent=3)
    assert await checked(floor.book, check=check) is None
    await floor.act(floor.bets("s2", [1]))
    table = update(tables).where(tables.c.id == "s2").values(state=await _state_of(floor.book, "s1"))
    await tamper(floor.book, table)
    assert "state of table s2" in str(await checked(floor.book, check=check))


async def test_a_record_of_wins_that_was_changed_since_is_found(floor: BookFloor) -> None:
    check = SelfCheck(floor.book, hours=24)
    assert await checked(floor.book, check=check) is None
    await play(floor)
    await tamper(floor.book, update(wins).values(amount=1))
    assert "wins and claims" in str(await checked(floor.book, check=check))


async def _state(book: Book) -> Any:
    async with book.store.reading() as connection:
        return (await connection.execute(select(links).where(links.c.id == LINK))).one()


async def _state_of(book: Book, table: str) -> bytes:
    async with book.store.reading() as connection:
        found = select(tables.c.state).where(tables.c.id == table)
        return bytes((await connection.execute(found)).scalar_one())


# What follows


async def test_a_stopped_link_takes_nothing_and_writes_nothing(floor: BookFloor) -> None:
    await tamper(floor.book, update(journal).where(journal.c.sequence == 2).values(value=1))
    assert await checked(floor.book) is not None
    before = (await _state(floor.book)).sequence
    with pytest.raises(LinkStopped, match="entry 2"):
        await floor.act(floor.bets("s1", [1]))
    assert (await _state(floor.book)).sequence == before


def _forge(change: int) -> Any:
    first = journal.c.link == "main", journal.c.kind == "BetsClosed"
    return update(journal).where(*first).values(value=journal.c.value + change)


async def _entries(at: House) -> int:
    async with at.service.book.store.reading() as connection:
        return int((await connection.execute(select(func.count()).select_from(journal))).scalar_one())


async def _is_stopped(at: House) -> None:
    """Told to tables, shown on signs and table displays, told to the House; and nothing is written."""
    before = await _entries(at)
    answer = await at.close_bets("stud-01", 2)
    assert (answer.status_code, answer.json()["code"]) == (503, "link_stopped")
    assert "retry-after" in answer.headers
    beat = await at.say(
        "POST", "/v1/tables/stud-01/heartbeat", "stud-01", json={"sent_at": bets()["sent_at"]}
    )
    assert beat.json()["code"] == "link_stopped"
    reading = (await at.say("GET", "/v1/links/main/meter")).json()
    assert (reading["state"], reading["value"]) == ("off", 5_000_200)
    shown = at.service.hub.table("stud-01")
    assert shown is not None
    assert b'"state":"off"' in shown.body
    told = (await at.say("GET", "/v1/links", "sue")).json()["links"]
    assert {one["id"]: bool(one["stopped"]) for one in told} == {"main": True, "high": False}
    assert 'jackpot_link_stopped{link="main"} 1.0' in (await at.say("GET", "/metrics")).text
    assert await _entries(at) == before


async def _plays(at: House, table: str, round: int) -> None:
    answer = await at.close_bets(table, round)
    assert answer.status_code == 201, answer.text


async def _goes_on(at: House) -> bool:
    return not at.service.check.stopped


async def test_a_link_whose_state_cannot_be_read_hurts_no_other(sqlite_url: str, tmp_path: Path) -> None:
    text = floor_text() + HIGH
    async with house(sqlite_url, tmp_path, text) as at:
        await _plays(at, "stud-01", 1)
        await tamper(at.service.book, update(links).where(links.c.id == "main").values(state=b"oops"))
        assert (await at.say("GET", "/metrics")).status_code == 200
    async with house(sqlite_url, tmp_path, text) as at:
        await _plays(at, "high-01", 1)
        assert (await at.close_bets("stud-01", 2)).json()["code"] == "link_stopped"
        told = await at.say("GET", "/metrics", "ada")
        assert 'jackpot_link_stopped{link="main"} 1.0' in told.text
        assert 'jackpot_seed_cents{link="high"}' in told.text
        assert "jackpot_book_readable 0.0" in told.text
        assert (await at.say("GET", "/v1/links", "sue")).json()["code"] == "link_stopped"


class _Endless(Verifier):
    """A journal so long that its verification does not end."""

    begun: asyncio.Event

    async def verify(self, _anchors: list[Anchor] | None = None) -> Any:
        self.begun.set()
        await asyncio.Event().wait()


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set when a check has begun which does not end."""
    monkeypatch.setattr(_Endless, "begun", asyncio.Event(), raising=False)
    monkeypatch.setattr(selfcheck, "Verifier", _Endless)
    monkeypatch.setattr(selfcheck, "FOLLOWED_EVERY", 0.05)
    return _Endless.begun


async def test_a_stop_is_followed_while_a_check_is_under_way(sqlite_url: str, endless: asyncio.Event) -> None:
    async with furnished_floor(sqlite_url) as floor:
        check = SelfCheck(floor.book, hours=1e-9, recent=3)
        await check.start()
        async with asyncio.timeout(60):
            await endless.wait()
            await note_stop(floor.book.store, LINK, "found elsewhere", at=1)
            while LINK not in check.stopped:
                await asyncio.sleep(0.01)
        await check.stop()
        assert check.stopped == {LINK: "found elsewhere"}


async def test_a_start_does_not_wait_for_a_stopped_link_to_be_verified(
    sqlite_url: str, endless: asyncio.Event
) -> None:
    async with furnished_floor(sqlite_url) as floor:
        await note_stop(floor.book.store, LINK, "found before", at=1)
        check = SelfCheck(floor.book, hours=24)
        async with asyncio.timeout(60):
            await check.start()
            await endless.wait()
        await check.stop()
        assert check.stopped == {LINK: "found before"}


async def test_a_check_does_not_lift_a_stop_that_came_while_it_ran(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the whole journal was looked at."""

    async def stopped_meanwhile(store: Store, link: str, entries: int) -> Any:
        await note_stop(store, link, "found elsewhere", at=1)
        await check._follow()
        return await verify_recent(store, link, entries)

    monkeypatch.setattr(selfcheck, "verify_recent", stopped_meanwhile)
    async with furnished_floor(sqlite_url) as floor:
        check = SelfCheck(floor.book, hours=24, recent=3)
        assert await checked(floor.book, check=check) is None
        assert check.stopped == {LINK: "found elsewhere"}


async def test_a_tampered_book_stops_its_link_until_the_whole_of_it_is_verified(
    url: str, tmp_path: Path
) -> None:
    text = floor_text() + HIGH
    async with house(url, tmp_path, text) as at:
        await _plays(at, "stud-01", 1)
        await tamper(at.service.book, _forge(+1))
    for number in (1, 2):  # it is found again at the next start
        async with house(url, tmp_path, text) as at:
            await _is_stopped(at)
            await _plays(at, "high-01", number)
    async with house(url, tmp_path, text) as at:
        await tamper(at.service.book, _forge(-1))
    async with house(url, tmp_path, text) as at:
        await eventually(partial(_goes_on, at))
        await _plays(at, "stud-01", 2)
        reading = (await at.say("GET", "/v1/links/main/meter")).json()
        assert reading["state"] == "open"
        async with at.service.book.store.reading() as connection:
            assert (await connection.execute(select(stops))).all() == []


async def test_what_one_replica_finds_stops_the_others(postgres_url: str, tmp_path: Path) -> None:
    text = floor_text() + HIGH
    async with house(postgres_url, tmp_path, text) as one, house(postgres_url, tmp_path, text) as two:
        await _plays(one, "stud-01", 1)
        await tamper(one.service.book, _forge(+1))
        await one.service.check.check()

        async def follows() -> bool:
            return "main" in two.service.check.stopped

        await eventually(follows)
        await _is_stopped(two)
        await tamper(one.service.book, _forge(-1))
        await one.service.check.check()

        await eventually(partial(_goes_on, two))
        await _plays(two, "stud-01", 2)


async def test_a_link_stopped_for_lost_entries_goes_on_where_it_is_started_again(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The replica that had acknowledged them stays stopped by itself, and stops nobody else again."""
    monkeypatch.setattr(selfcheck, "FOLLOWED_EVERY", 0.05)
    async with house(postgres_url, tmp_path) as one:
        await _plays(one, "stud-01", 1)
        one.service.book.writers["main"].lost = "entry 7 was acknowledged and is gone"
        await eventually(partial(_has_stopped, one))
        async with house(postgres_url, tmp_path) as again:
            await eventually(partial(_goes_on, again))
            for _ in range(5):
                await one.service.check.check()
                await asyncio.sleep(0.1)
                assert await _goes_on(again)
            await _plays(again, "stud-01", 2)
            assert await _has_stopped(one)


async def _has_stopped(at: House) -> bool:
    return bool(at.service.check.stopped)


async def test_a_noted_stop_is_verified_though_checks_are_turned_off(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path) as at:
        await note_stop(at.service.book.store, "main", "found before", at=1)
    async with house(sqlite_url, tmp_path, self_check_hours=0) as at:
        assert await _has_stopped(at)
        await eventually(partial(_goes_on, at))
        await _plays(at, "stud-01", 1)


async def test_it_can_be_turned_off(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, self_check_hours=0) as at:
        await _plays(at, "stud-01", 1)
        await tamper(at.service.book, delete(journal).where(journal.c.sequence == 2))
    async with house(sqlite_url, tmp_path, self_check_hours=0) as at:
        await _plays(at, "stud-01", 2)
        assert at.service.check.last == {}
        headers = bearer("sue")
        assert (await at.client.get("/v1/links", headers=headers)).json()["links"][0]["stopped"] is None
