"""Stores that stop, crash, hang, fill up or cut the line: no wrong answer, and it recovers by itself."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from sqlalchemy import event, select, text, update

from jackpot.book.beside.audit import Act
from jackpot.book.book import Book
from jackpot.book.stores.committed import Head
from jackpot.book.stores.postgres_servers import Line
from jackpot.book.stores.rows import Writing
from jackpot.book.stores.schema import audit, journal, links
from jackpot.book.writing import writer
from jackpot.book.writing.batch import Batch, EntriesLost
from jackpot.book.writing.writer import TROUBLE, LinkStopped, Unavailable
from jackpot.link import commands, facts
from jackpot.link.state import Scope, Then
from jackpot.machine.execute import Outcome
from tests.book.test_book_crash import TABLES, furnish
from tests.book_floor import LINK, BookFloor, Dealers, check_acknowledged, checked, furnished_floor, stored
from tests.conftest import made_template, started_postgres
from tests.servers import Postgres
from tests.tampering import altered, tamper


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """One that these tests may stop."""
    with started_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def postgres_template(postgres: Postgres) -> str:
    return made_template(postgres)


async def until(happens: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not happens():
            await asyncio.sleep(0.005)


class Load:
    """Dealers at work in this process, and all they were told."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.acknowledged: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self.dealers = Dealers(book, self._acknowledge)
        self.answers = 0

    def _acknowledge(self, key: str, sequence: int, value: int) -> None:
        self.acknowledged[key].add((sequence, value))
        self.answers += 1

    async def answered(self, count: int) -> None:
        """Wait for that many more answers."""
        enough = self.answers + count
        await until(lambda: self.answers >= enough)

    @property
    def failures(self) -> int:
        """How often the book has noticed that its store is in trouble."""
        return self.book.writers[LINK].figures.failures

    async def refused(self) -> None:
        """Wait until somebody was told that the book is not available."""
        before = self.dealers.unavailable
        await until(lambda: self.dealers.unavailable > before)


@asynccontextmanager
async def under_load(url: str) -> AsyncIterator[Load]:
    """At the end every answer must be in the journal, as it was told and once."""
    await furnish(url, TABLES)
    book = await Book.open(url)
    load = Load(book)
    work = asyncio.create_task(load.dealers.play(TABLES))
    try:
        await load.answered(30)
        yield load
        await load.answered(30)
    finally:
        load.dealers.stopping = True
        try:
            await asyncio.wait_for(work, 60)
            check_acknowledged(await checked(book), load.acknowledged)
        finally:
            await book.close()


@pytest.mark.parametrize("how", ["stop", "crash"])
async def test_a_postgresql_that_goes_and_comes_back_is_used_again(
    postgres: Postgres, postgres_url: str, how: str
) -> None:
    async with under_load(postgres_url) as load:
        for noticed in (False, True):
            before = load.failures
            await asyncio.to_thread(getattr(postgres, how))
            if noticed:
                await until(lambda: load.failures > before)  # noqa: B023  awaited here
            await asyncio.to_thread(postgres.start)
            await load.answered(30)


async def test_callers_are_told_when_it_stays_away_and_the_same_message_is_taken_once_later(
    postgres: Postgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with under_load(postgres_url) as load:
        monkeypatch.setattr(writer, "PATIENCE", 0.3)
        await asyncio.to_thread(postgres.crash)
        await load.refused()
        monkeypatch.setattr(writer, "PATIENCE", 60)
        await asyncio.to_thread(postgres.start)


async def cut_all(server: Postgres, url: str) -> None:
    await server.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "  # noqa: S608  our own database
        f"WHERE datname = '{url.rsplit('/', 1)[1]}' AND pid <> pg_backend_pid()"
    )


async def test_connections_that_are_cut_lose_nothing(postgres: Postgres, postgres_url: str) -> None:
    async with under_load(postgres_url) as load:
        for _ in range(8):
            await cut_all(postgres, postgres_url)
            await load.answered(20)
        assert load.dealers.unavailable == 0


async def test_a_clock_line_whose_server_has_said_good_bye_is_trouble_that_passes(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the server hangs up the driver has a name of its own for it. Any other exception than trouble
    would end the task that asks for the server's time."""

    async def refuse(*_: object) -> None:
        raise asyncpg.InternalClientError("cannot switch to state 12; another operation (2) is in progress")

    async with furnished_floor(postgres_url) as floor:
        with monkeypatch.context() as patched:
            patched.setattr(Line, "fetchrow", refuse)
            with pytest.raises(TROUBLE):
                await floor.book.store.exchange(lambda: 0)
        assert (await floor.book.store.exchange(lambda: 0)).server


async def test_a_server_that_is_still_starting_or_full_is_asked_again(
    postgres: Postgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it recovers from a crash it answers, but takes nobody in."""
    troubles: list[Exception] = [
        asyncpg.CannotConnectNowError("the database system is starting up"),
        asyncpg.TooManyConnectionsError("sorry, too many clients already"),
        ConnectionRefusedError("nobody listens"),
        TimeoutError(),
    ]
    connect = asyncpg.connect

    async def refusing(*arguments: Any, **more: Any) -> Any:
        if troubles:
            raise troubles.pop()
        return await connect(*arguments, **more)

    async with furnished_floor(postgres_url) as floor:
        await cut_all(postgres, postgres_url)
        monkeypatch.setattr(asyncpg, "connect", refusing)
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
        assert not troubles


async def test_after_a_commit_of_unknown_outcome_nothing_is_done_twice(url: str) -> None:
    """The answer to COMMIT is lost, once after it was carried out and once before. The act has no key."""
    async with furnished_floor(url) as floor:
        engine, lost = floor.book.store.engine.sync_engine, 0

        def cut(connection: Any) -> None:
            nonlocal lost
            lost += 1
            if lost == 1:
                connection.connection.commit()
            if lost <= 2:
                raise ConnectionResetError("the line was cut in the middle of a commit")

        event.listen(engine, "commit", cut)
        for then in (Then.PROGRESSIVE_OFF, Then.CLOSE):
            act = commands.DeclareMalfunction(
                person="sue", scope=Scope(table="h1"), observed_at=floor.clock.time, cards_seen={}, then=then
            )
            beat, bets = floor.heartbeat("s2"), floor.bets("s1")
            found = await asyncio.gather(*(floor.submit(one) for one in (act, beat, bets)))
            assert all(isinstance(one, Outcome) for one in found)
            lost = 1
        event.remove(engine, "commit", cut)
        found_facts = await checked(floor.book)
        assert found_facts.count(facts.MalfunctionDeclared) == 2
        assert found_facts.count(facts.BetsClosed) == 2


async def test_after_a_commit_of_unknown_outcome_an_act_is_in_the_audit_once(url: str) -> None:
    async with furnished_floor(url) as floor:
        engine, lost = floor.book.store.engine.sync_engine, 0

        def cut(connection: Any) -> None:
            nonlocal lost
            lost += 1
            if lost == 1:
                connection.connection.commit()
                raise ConnectionResetError("the line was cut in the middle of a commit")

        event.listen(engine, "commit", cut)
        command = commands.CloseLink(person="sue", reason="night")
        await floor.book.submit(LINK, command, Act(at=floor.clock.time, actor="sue", act="close_link"))
        event.remove(engine, "commit", cut)
        assert lost > 1
        async with floor.book.store.reading() as connection:
            rows = (await connection.execute(select(audit.c.actor, audit.c.act, audit.c.outcome))).all()
        assert [tuple(row) for row in rows] == [("sue", "close_link", "allowed")]


async def test_after_a_batch_of_unknown_outcome_nothing_is_done_twice(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to a batch that was played ahead is lost, once after it was carried out and once before;
    meanwhile the next one has been played on what it was to leave."""
    async with furnished_floor(url) as floor:
        store, lost = floor.book.store, 0
        really = store.write_at_once

        async def cut(link: str, writing: Writing) -> bool:
            nonlocal lost
            lost += 1
            if lost == 1:
                await really(link, writing)
            await asyncio.sleep(0.01)
            if lost <= 2:
                raise ConnectionResetError("the line was cut in the middle of a commit")
            return await really(link, writing)

        monkeypatch.setattr(store, "write_at_once", cut)
        for _ in range(3):
            sent = lost
            first = asyncio.create_task(floor.submit(floor.bets("s1")))
            await until(lambda: lost > sent or first.done())  # noqa: B023  awaited here
            rest = await asyncio.gather(floor.submit(floor.bets("s2")), floor.submit(floor.heartbeat("h1")))
            assert all(isinstance(one, Outcome) for one in (await first, *rest))
        assert lost > 2
        assert (await checked(floor.book)).count(facts.BetsClosed) == 6


async def _another_history(book: Book) -> None:
    """An older copy has taken the book's place, and another last entry was written there."""
    state, other = await stored(book), "0" * 64
    async with book.store.reading() as connection:
        row = await book.store.load_link(connection, LINK)
    await tamper(
        book,
        update(journal).where(journal.c.sequence == state.sequence).values(digest=bytes.fromhex(other)),
        update(links).values(head=other, state=altered(row.state, state.head.encode(), other.encode())),
    )


@pytest.mark.parametrize("overtaken", [False, True])
async def test_lost_entries_are_noticed_though_as_many_were_written_since(url: str, overtaken: bool) -> None:
    """As often as before, too: the versions are the same."""
    async with furnished_floor(url) as floor:
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
        await _another_history(floor.book)
        floor.book.writers[LINK]._overtaken = overtaken
        before = await stored(floor.book)
        with pytest.raises(EntriesLost):
            await floor.submit(floor.bets("s2"))
        assert await stored(floor.book) == before


async def test_lost_entries_are_noticed_when_nothing_was_under_way_and_others_went_on(
    postgres_url: str,
) -> None:
    """The pool connects to the server that took over, and nobody was hurt."""
    async with furnished_floor(postgres_url) as floor:
        assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
        await _another_history(floor.book)
        other = await BookFloor.opened(postgres_url, floor.clock)
        assert isinstance(await other.submit(floor.bets("s2")), Outcome)
        await other.book.close()
        store, served = floor.book.store, floor.book.writers[LINK]
        served._overtaken = True
        store._servers.distrust(store.generation)  # type: ignore[attr-defined]
        with pytest.raises(EntriesLost):
            await floor.submit(floor.bets("h1"))
        assert served.figures.failures == 0


async def test_what_had_not_been_sent_when_its_link_was_stopped_is_not_carried_out(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with furnished_floor(url) as floor:
        store, sent, go_on = floor.book.store, asyncio.Event(), asyncio.Event()
        really = store.write_at_once

        async def slow(link: str, writing: Writing) -> bool:
            sent.set()
            await go_on.wait()
            return await really(link, writing)

        monkeypatch.setattr(store, "write_at_once", slow)
        first = asyncio.create_task(floor.submit(floor.bets("s1")))
        await sent.wait()
        second = asyncio.create_task(floor.submit(floor.bets("s2")))
        served = floor.book.writers[LINK]
        while not second.done() and (served.waiting or not served._serving):
            await asyncio.sleep(0.001)  # until it was taken
        served.halt("the book denies itself")
        go_on.set()
        assert isinstance(await first, Outcome)
        with pytest.raises(LinkStopped):
            await second
        assert (await checked(floor.book)).count(facts.BetsClosed) == 1
        served.resume()
        assert isinstance(await floor.submit(floor.bets("s2")), Outcome)


async def test_a_deadlock_or_serialization_failure_is_tried_again(
    postgres: Postgres, postgres_url: str
) -> None:
    """Another session holds the link's row for a while; then the server cancels what waits for it."""
    cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    async with under_load(postgres_url) as load:
        async with load.book.store.transaction() as connection:
            await connection.execute(text("SELECT id FROM links FOR UPDATE"))
            async with asyncio.timeout(60):
                while not await postgres.ask(cancel):
                    await asyncio.sleep(0.01)
            await until(lambda: load.failures > 0)
        await load.answered(20)
        assert load.dealers.unavailable == 0


async def test_a_read_only_postgresql_is_waited_for(
    postgres: Postgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres_url.rsplit("/", 1)[1]
    async with under_load(postgres_url) as load:
        monkeypatch.setattr(writer, "PATIENCE", 0.3)
        await postgres.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
        await cut_all(postgres, postgres_url)
        await load.refused()
        monkeypatch.setattr(writer, "PATIENCE", 60)
        await postgres.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = off")
        await cut_all(postgres, postgres_url)


# SQLite


def path_of(url: str) -> str:
    return url.removeprefix("sqlite+aiosqlite:///")


def each_time(floor: BookFloor, pragma: Callable[[], str]) -> None:
    """Set it whenever the book takes a connection."""

    def taken(connection: Any, *_: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA {pragma()}")
        cursor.close()

    event.listen(floor.book.store.engine.sync_engine, "checkout", taken)


async def test_a_locked_sqlite_file_delays_and_loses_nothing(sqlite_url: str) -> None:
    async with under_load(sqlite_url) as load:
        other = sqlite3.connect(path_of(sqlite_url), isolation_level=None, check_same_thread=False)
        await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
        ((last,),) = other.execute("SELECT max(sequence) FROM journal").fetchall()
        await asyncio.sleep(0.3)  # the lock is held for a while
        assert max(sequence for told in load.acknowledged.values() for sequence, _ in told) <= last
        other.execute("ROLLBACK")
        other.close()
        await load.answered(20)
        assert load.dealers.unavailable == 0


async def test_a_sqlite_file_locked_for_long_is_unavailable_until_it_is_not(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with furnished_floor(sqlite_url) as floor:
        monkeypatch.setattr(writer, "PATIENCE", 0.2)
        each_time(floor, lambda: "busy_timeout=100")
        other = sqlite3.connect(path_of(sqlite_url), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        bets = floor.bets("s1")
        with pytest.raises(Unavailable):
            await floor.submit(bets)
        monkeypatch.setattr(writer, "PATIENCE", 60)
        other.execute("ROLLBACK")
        other.close()
        assert not (await floor.submit(bets)).repeated
        assert (await checked(floor.book)).count(facts.BetsClosed) == 1


async def test_failed_commits_are_told_once_and_so_is_their_end(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with furnished_floor(sqlite_url) as floor:
        monkeypatch.setattr(writer, "PATIENCE", 0.2)
        pragma = "query_only=ON"
        each_time(floor, lambda: pragma)
        caplog.clear()
        while floor.book.writers[LINK].figures.failures <= 2:
            with pytest.raises(Unavailable):
                await floor.submit(floor.bets("s1"))
        pragma = "query_only=OFF"
        await floor.submit(floor.bets("s1"))
        await floor.submit(floor.bets("s1"))
    told = [one.getMessage() for one in caplog.records if one.name == writer.__name__]
    assert len(told) == 2
    assert told[0].startswith("a commit of main failed: OperationalError: ")
    assert "readonly" in told[0]
    assert told[1] == "link main commits again"


async def test_a_first_commit_in_trouble_asks_only_for_what_came_since_the_start(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the whole journal, for submissions that cannot be there."""
    known: list[Head] = []
    looked = Batch._done_since

    async def done_since(self: Batch, connection: Any, since: Head) -> dict[str, Outcome]:
        known.append(since)
        return await looked(self, connection, since)

    monkeypatch.setattr(Batch, "_done_since", done_since)
    async with furnished_floor(sqlite_url) as floor:
        await floor.reopen()
        entries = [entry async for entry in floor.book.since(LINK)]
        floor.book.writers[LINK].troubled = True
        await floor.act(floor.bets("s1"))
        assert known == [Head(entries[-1].sequence, entries[-1].hash)]


async def test_a_store_that_never_answers_is_given_up_and_then_asked_what_it_did(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the store's own patience: the caller is told, and what was given up is looked for."""
    async with furnished_floor(sqlite_url) as floor:
        monkeypatch.setattr(writer, "PATIENCE", 0.1)
        monkeypatch.setattr(writer, "LAST_TRY", 0.1)
        store, bets = floor.book.store, floor.bets("s1")
        with monkeypatch.context() as silent:
            for way in ("write_at_once", "transaction"):
                silent.setattr(store, way, _NeverAnswers)
            with pytest.raises(Unavailable) as given_up:
                await asyncio.wait_for(floor.submit(bets), 60)
        assert given_up.value.unknown
        assert floor.book.writers[LINK].troubled
        monkeypatch.setattr(writer, "PATIENCE", 60)
        assert not (await floor.submit(bets)).repeated


class _NeverAnswers:
    """As a transaction, and as an answer that is waited for."""

    def __init__(self, *_: object) -> None:
        pass

    def __await__(self) -> Any:
        return asyncio.Event().wait().__await__()

    async def __aenter__(self) -> None:
        await self

    async def __aexit__(self, *_: object) -> None: ...


async def test_what_waited_behind_a_commit_that_was_given_up_is_told_that_nothing_was_done(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has waited as long, and is not made to wait as long again."""
    async with furnished_floor(sqlite_url) as floor:
        monkeypatch.setattr(writer, "PATIENCE", 0.1)
        store, sent, go_on = floor.book.store, asyncio.Event(), asyncio.Event()

        async def fails(*_: object) -> bool:
            sent.set()
            await go_on.wait()
            raise ConnectionResetError("the line was cut")

        def none() -> None:
            raise ConnectionRefusedError("nobody listens")

        monkeypatch.setattr(store, "write_at_once", fails)
        monkeypatch.setattr(store, "transaction", none)
        first = asyncio.create_task(floor.submit(floor.bets("s1")))
        await sent.wait()
        second = asyncio.create_task(floor.submit(floor.bets("s2")))
        await asyncio.sleep(0.3)  # longer than anything is tried
        go_on.set()
        found = await asyncio.gather(first, second, return_exceptions=True)
        assert [isinstance(one, Unavailable) and one.unknown for one in found] == [True, False]


LIMITS = {"full": "max_page_count=1", "read_only": "query_only=ON"}
ENDED = {"full": "max_page_count=99999", "read_only": "query_only=OFF"}


@pytest.mark.parametrize("trouble", LIMITS)
async def test_a_full_or_read_only_disk_is_unavailable_until_it_is_not(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    async with furnished_floor(sqlite_url) as floor:
        monkeypatch.setattr(writer, "PATIENCE", 0.2)
        troubled, rounds = True, 0

        each_time(floor, lambda: LIMITS[trouble] if troubled else ENDED[trouble])
        while True:  # a few rounds fit into the pages that are there
            bets, beat = floor.bets("s1", range(1, 8)), floor.heartbeat("s2", seq=rounds)
            found = await asyncio.gather(floor.submit(bets), floor.submit(beat), return_exceptions=True)
            if not isinstance(found[0], Outcome):
                break
            rounds += 1
        assert [type(one) for one in found] == [Unavailable, Unavailable]
        troubled = False
        monkeypatch.setattr(writer, "PATIENCE", 60)
        assert not (await floor.submit(bets)).repeated
        assert (await floor.submit(bets)).repeated
        assert (await checked(floor.book)).count(facts.BetsClosed) == rounds + 1


async def test_no_caller_waits_for_ever_when_the_book_closes_in_trouble(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with furnished_floor(sqlite_url) as floor:
        monkeypatch.setattr(writer, "PATIENCE", 0.2)
        each_time(floor, lambda: "query_only=ON")
        waiting = [asyncio.ensure_future(floor.book.submit(LINK, floor.bets("s1"))) for _ in range(3)]
        await until(lambda: floor.book.writers[LINK].figures.failures > 0)
        await asyncio.wait_for(floor.book.close(), 60)
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(one) for one in found] == [Unavailable] * 3
