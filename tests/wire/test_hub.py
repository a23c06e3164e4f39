"""What signs are shown: the latest reading, at once, from memory."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from sqlalchemy import event, select

from api.signage import signs
from displays.hub import hub as hub_module
from displays.hub.hub import ASKED_BESIDES, ASKED_EVERY, EARLY, STALE_AFTER, Hub
from jackpot.book.stores.rows import read_link
from jackpot.book.stores.schema import receipts
from jackpot.readings.meter import reading
from tests.in_process import House, held, house, now, streaming
from tests.virtual_time import passed
from tests.waiting import Steady, eventually

METER = "/v1/links/main/meter"
RECEIPTS = "/v1/links/main/receipts"
ROYAL = ["Ah", "Kh", "Qh", "Jh", "10h"]


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(sqlite_url, tmp_path) as found:
        yield found


@pytest.fixture
async def on_each_store(url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(url, tmp_path) as found:
        yield found


async def shown(at: House) -> dict[str, Any]:
    return dict((await at.client.get(METER)).json())


async def test_an_answered_bet_is_on_the_meter(on_each_store: House) -> None:
    at = on_each_store
    before = await shown(at)
    told = (await at.close_bets("stud-01", 1, 1, 2)).json()["meter"]
    after = await shown(at)
    assert (after["value"], after["sequence"]) == (told["value"], told["sequence"])
    assert after["value"] == before["value"] + 400
    assert after["display"] == "SGD 50,004.00"


async def test_an_etag_names_epoch_sequence_and_state_and_nothing_newer_is_304(at: House) -> None:
    first = await at.client.get(METER)
    told = first.json()
    assert first.headers["etag"] == f'"{told["epoch"]}.{told["sequence"]}.{told["state"]}"'
    for known in (first.headers["etag"], f'"other", {first.headers["etag"]}', "*"):
        again = await at.client.get(METER, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    await at.close_bets("stud-01", 1)
    newer = await at.client.get(METER, headers={"If-None-Match": first.headers["etag"]})
    assert newer.status_code == 200
    assert newer.headers["etag"] != first.headers["etag"]


async def test_the_same_etag_is_the_same_reading_also_of_a_link_that_is_off_and_then_stopped(
    at: House,
) -> None:
    off = {"scope": {"link": "main"}, "observed_at": now(), "cards_seen": {}, "then": "progressive_off"}
    await at.say("POST", "/v1/malfunctions", "sue", json=off | {"note": "smoke"})
    before = await at.client.get(METER)
    assert before.json()["state"] == "off"
    at.service.hub.stopped("main", "its book denies itself")
    after = await at.client.get(METER)
    assert (after.headers["etag"], after.content) == (before.headers["etag"], before.content)


async def test_a_held_meter_says_what_is_pending(at: House) -> None:
    await at.close_bets("stud-02", 1)
    await at.close_bets("stud-01", 1)
    hands = {"sent_at": now(), "hands": [{"box": 1, "cards": ROYAL}]}
    await at.say("PUT", "/v1/tables/stud-01/rounds/1/hands", "stud-01", json=hands)
    told = await shown(at)
    assert told["state"] == "held"
    assert told["pending"] == [{"hand": "royal_flush", "table": "stud-01", "amount": None}]
    assert told["next"] == 5_000_000


async def test_who_waits_is_told_as_soon_as_there_is_something_newer(at: House) -> None:
    sequence = (await shown(at))["sequence"]
    waiting = asyncio.create_task(at.client.get(f"{METER}?after={sequence}&wait=60"))
    await held(at, waiting)
    await at.close_bets("stud-01", 1)
    answer = await asyncio.wait_for(waiting, 60)
    assert answer.json()["sequence"] > sequence


async def test_who_has_seen_more_than_this_replica_waits_for_what_is_newer_still(at: House) -> None:
    sequence = (await shown(at))["sequence"]
    waiting = asyncio.create_task(at.client.get(f"{METER}?after={sequence + 2}&wait=60"))
    await held(at, waiting)
    await at.close_bets("stud-01", 1)
    assert (await shown(at))["sequence"] == sequence + 2, "the table joined, and its bets"
    await held(at, waiting)
    await at.close_bets("stud-01", 2)
    assert (await asyncio.wait_for(waiting, 60)).json()["sequence"] > sequence + 2


async def test_who_has_waited_long_enough_is_told_what_there_is(at: House) -> None:
    first = await at.client.get(METER)
    path = f"{METER}?after={first.json()['sequence']}&wait=0.2"
    assert (await at.client.get(path)).json() == first.json()
    known = {"If-None-Match": first.headers["etag"]}
    assert (await at.client.get(path, headers=known)).status_code == 304


async def test_who_has_seen_less_does_not_wait(at: House) -> None:
    """However long it would."""
    at.service.hub._channels["main"].changed.wait = _never  # type: ignore[method-assign]
    answer = await at.client.get(f"{METER}?after=0&wait=60")
    assert answer.status_code == 200


async def _never() -> Any:
    raise AssertionError("nobody has to wait")


async def test_polls_ask_the_book_nothing(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "ASKED_EVERY", 3600)
    async with house(sqlite_url, tmp_path) as at:
        asked: list[str] = []
        await at.rest()
        store: Any = at.service.book.store
        for engine in (store.engine, store._readers):
            event.listen(engine.sync_engine, "before_cursor_execute", lambda *a: asked.append(a[2]))
        for _ in range(50):
            await at.client.get(METER)
            await at.client.get(f"{METER}.txt")
        assert asked == []
        await at.service.hub._look()
        assert len([one for one in asked if one != "BEGIN"]) == 1, (
            "one question for all links while nothing is new"
        )


async def test_what_another_replica_committed_is_shown_here(postgres_url: str, tmp_path: Path) -> None:
    async with house(postgres_url, tmp_path) as here, house(postgres_url, tmp_path) as there:
        for number in range(1, 4):
            told = (await here.close_bets("stud-01", number)).json()["meter"]

            async def seen(sequence: int = told["sequence"]) -> bool:
                return bool((await shown(there))["sequence"] == sequence)

            await eventually(seen)
        assert await shown(here) == await shown(there)


async def test_an_older_reading_never_takes_the_place_of_a_newer_one(at: House) -> None:
    async with at.service.book.store.reading() as connection:
        row = await at.service.book.store.load_link(connection, "main")
    old = read_link(row, ())
    await at.close_bets("stud-01", 1)
    newest = await shown(at)
    at.service.hub._show(old.id, reading(old), "")
    assert await shown(at) == newest


async def test_a_meter_whose_book_is_not_read_is_stale_and_recovers(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, asked = Steady(), list[bool]()

    def gone() -> Any:
        asked.append(True)
        _gone()

    async def looked() -> bool:
        return bool(asked)

    monkeypatch.setattr(hub_module, "time", clock)
    monkeypatch.setattr(hub_module, "STALE_AFTER", STALE_AFTER)
    monkeypatch.setattr(hub_module, "ASKED_EVERY", 0.02)
    async with house(sqlite_url, tmp_path) as at:
        fresh = await at.client.get(METER)
        path = f"{METER}?after={fresh.json()['sequence']}&wait=60"
        waiting = asyncio.create_task(at.client.get(path))
        await held(at, waiting)
        with monkeypatch.context() as trouble:
            trouble.setattr(at.service.book.store, "reading", gone)
            await eventually(looked)
            assert not at.service.hub.stale
            clock.now += STALE_AFTER
            told = await asyncio.wait_for(waiting, 60)
        assert told.json() == fresh.json() | {"state": "stale"}
        assert told.headers["etag"].endswith('.stale"')

        async def recovered() -> bool:
            return (await at.client.get(METER)).headers["etag"] == fresh.headers["etag"]

        await eventually(recovered)


def _gone() -> Any:
    raise OSError("the store is gone")


class EmptyBook:
    """A book without links; it remembers when it was looked at, and can be made to hang or to fail."""

    epoch = "an-epoch"
    pulse = SimpleNamespace(hanging=frozenset())

    def __init__(self) -> None:
        self.store = self
        self.looks: list[float] = []
        self.trouble: str | None = None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Any]:
        self.looks.append(passed())
        if self.trouble == "hangs":
            await asyncio.sleep(3600)
        elif self.trouble == "fails":
            _gone()
        yield self

    async def execute(self, _statement: Any) -> Any:
        return SimpleNamespace(all=list)


@asynccontextmanager
async def looking(monkeypatch: pytest.MonkeyPatch, book: Any, relay: Any = None) -> AsyncIterator[Hub]:
    monkeypatch.setattr(hub_module, "time", SimpleNamespace(monotonic=passed))
    monkeypatch.setattr(hub_module, "STALE_AFTER", STALE_AFTER)
    hub = Hub(book, relay)
    await hub.start()
    yield hub
    await hub.stop()


@pytest.mark.virtual_time
@pytest.mark.parametrize(("trouble", "at_most"), [("hangs", EARLY), ("fails", ASKED_EVERY)])
async def test_a_store_that_hangs_makes_a_meter_stale_no_later_than_one_that_fails(
    monkeypatch: pytest.MonkeyPatch, trouble: str, at_most: float
) -> None:
    book = EmptyBook()
    async with looking(monkeypatch, book) as hub:
        await asyncio.sleep(10.1)
        read, book.trouble = book.looks[-1], trouble
        while not hub.stale:
            await asyncio.sleep(0.001)
        assert STALE_AFTER <= passed() - read <= STALE_AFTER + at_most + 0.002
        book.trouble = None
        await asyncio.sleep(STALE_AFTER + ASKED_EVERY)
        assert not hub.stale


class FakeRelay:
    healthy = True

    async def start(self, _hear: Any) -> None:
        pass

    async def stop(self) -> None:
        pass


@pytest.mark.virtual_time
async def test_the_book_is_asked_less_while_a_relay_works_and_soon_when_it_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book, relay = EmptyBook(), FakeRelay()
    async with looking(monkeypatch, book, relay):
        await asyncio.sleep(10.1)
        assert _between(book.looks) == pytest.approx(ASKED_BESIDES)
        relay.healthy, lost = False, passed()
        del book.looks[:]
        await asyncio.sleep(10)
        assert book.looks[0] - lost <= ASKED_EVERY
        assert _between(book.looks) == pytest.approx(ASKED_EVERY)


def _between(looks: list[float]) -> float:
    return max(later - earlier for earlier, later in itertools.pairwise(looks))


async def test_a_line_for_led_controllers_is_the_display(at: House) -> None:
    answer = await at.client.get(f"{METER}.txt")
    assert (answer.status_code, answer.text) == (200, "SGD 50,000.00\n")
    assert answer.headers["content-type"].startswith("text/plain")


# Streams


async def events(at: House, seen: str = "") -> AsyncIterator[tuple[str, str]]:
    """The id and the data of each event."""
    headers = {"Last-Event-ID": seen} if seen else {}
    async with streaming(at, "/v1/links/main/stream", **headers) as stream:
        while (lines := await stream.event()) is not None:
            yield lines[1].removeprefix("id: "), lines[2].removeprefix("data: ")


async def test_a_stream_tells_each_reading_as_polls_do(at: House) -> None:
    stream = events(at)
    first = await anext(stream)
    poll = await at.client.get(METER)
    assert first == (poll.headers["etag"].strip('"'), poll.text)
    await at.close_bets("stud-01", 1)
    second = await anext(stream)
    poll = await at.client.get(METER)
    assert second == (poll.headers["etag"].strip('"'), poll.text)
    await stream.aclose()  # type: ignore[attr-defined]


async def test_a_stream_resumes_after_what_was_seen(at: House) -> None:
    seen = (await at.client.get(METER)).headers["etag"].strip('"')
    stream = events(at, seen)
    first = asyncio.ensure_future(anext(stream))
    await held(at, first)  # the reading it has seen is not told again
    await at.close_bets("stud-01", 1)
    tag, _ = await asyncio.wait_for(first, 60)
    assert tag != seen
    await stream.aclose()  # type: ignore[attr-defined]


async def test_nobody_waits_for_a_service_that_stops(at: House) -> None:
    sequence = (await shown(at))["sequence"]
    waiting = asyncio.create_task(at.client.get(f"{METER}?after={sequence}&wait=60"))
    stream = events(at)
    await anext(stream)
    ended = asyncio.ensure_future(anext(stream, None))
    await held(at, waiting)
    at.service.hub.close()
    assert (await asyncio.wait_for(waiting, 30)).status_code == 200, "well before its minute is over"
    assert await asyncio.wait_for(ended, 60) is None
    assert (await at.client.get("/readyz")).status_code == 503


# Receipts


async def test_a_signs_receipt_is_kept_and_verified_by_its_token(
    on_each_store: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, clock = on_each_store, Steady()
    monkeypatch.setattr(signs, "time", clock)
    for sign in ("sign-1", "lobby"):
        clock.now += 1
        body = {"sign": sign, "sequence": 2, "value": 5_000_000, "shown_at": now()}
        answer = await at.say("POST", RECEIPTS, "sign-1", json=body)
        assert answer.status_code == 202
    await at.service.notes._flush()
    async with at.service.book.store.reading() as connection:
        rows = (await connection.execute(select(receipts).order_by(receipts.c.received_at))).all()
    assert [(row.sign, row.value, row.verified) for row in rows] == [
        ("sign-1", 5_000_000, True),
        ("lobby", 5_000_000, False),
    ]


async def test_a_sign_tells_at_most_once_a_second(at: House, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, answers = Steady(), list[httpx.Response]()
    monkeypatch.setattr(signs, "time", clock)
    body = {"sign": "sign-1", "sequence": 2, "value": 5_000_000, "shown_at": now()}
    for wait in (0.0, 0.9, 0.1):
        clock.now += wait
        answers.append(await at.say("POST", RECEIPTS, "sign-1", json=body))
    assert [one.status_code for one in answers] == [202, 429, 202]
    assert answers[1].headers["retry-after"] == "1"


async def test_receipts_are_paced_by_who_sends_them_whatever_sign_they_name(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, answers = Steady(), list[int]()
    monkeypatch.setattr(signs, "time", clock)
    for number in range(20):
        body = {"sign": f"sign-{number + 2}", "sequence": 2, "value": 5_000_000, "shown_at": now()}
        answers.append((await at.say("POST", RECEIPTS, "sign-other", json=body)).status_code)
    assert answers == [202] + [429] * 19
    own = {"sign": "sign-1", "sequence": 2, "value": 5_000_000, "shown_at": now()}
    assert (await at.say("POST", RECEIPTS, "sign-1", json=own)).json() == {"verified": True}
    await at.service.notes._flush()
    async with at.service.book.store.reading() as connection:
        kept = (await connection.execute(select(receipts.c.sign).order_by(receipts.c.received_at))).scalars()
    assert list(kept) == ["sign-2", "sign-1"]


async def test_nobody_silences_a_sign_by_using_its_name(at: House) -> None:
    body = {"sign": "sign-1", "sequence": 2, "value": 5_000_000, "shown_at": now()}
    false = await at.say("POST", RECEIPTS, "sign-other", json=body)
    own = await at.say("POST", RECEIPTS, "sign-1", json=body)
    assert (false.json(), own.json()) == ({"verified": False}, {"verified": True})


async def test_ready_means_that_the_book_commits(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(sqlite_url, tmp_path) as at:
        assert (await at.client.get("/readyz")).json() == {"status": "ready"}
        with monkeypatch.context() as trouble:
            trouble.setattr(at.service.book.store, "transaction", _gone)
            answer = await at.client.get("/readyz")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
            assert (await at.client.get("/healthz")).status_code == 200
        assert (await at.client.get("/readyz")).status_code == 200


# The end


async def test_a_service_that_has_stopped_leaves_nothing_running(sqlite_url: str, tmp_path: Path) -> None:
    """What is left at a line to the store may keep the process from ending."""
    before = asyncio.all_tasks()
    async with house(sqlite_url, tmp_path) as at:
        looking = asyncio.Event()

        async def slow_to_let_go() -> Any:
            looking.set()
            try:
                await asyncio.sleep(3600)
            finally:
                await asyncio.sleep(0.5)

        at.service.book.clock._look = slow_to_let_go  # type: ignore[method-assign]
        await looking.wait()
    assert {one.get_name() for one in asyncio.all_tasks() - before} == set()
