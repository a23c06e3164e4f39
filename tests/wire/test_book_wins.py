"""What is in the book is on the signs, whoever told them something else, and whatever was in it before."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from displays.hub import hub as hub_module
from displays.hub.hub import Hub
from displays.hub.relay import METER, TABLES, News
from jackpot.core.codec import to_bytes
from jackpot.link.facts import Entry
from jackpot.readings.meter import Reading
from tests.in_process import House, held, house, streaming

LINK_METER = "/v1/links/main/meter"
DISPLAY = "/v1/tables/stud-01/display"
MUCH = 999_999_999_999


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """Its hub looks at the book when the test says so."""
    monkeypatch.setattr(hub_module, "ASKED_EVERY", 3600)
    async with house(sqlite_url, tmp_path) as found:
        await found.close_bets("stud-01", 1)
        yield found


async def told(at: House, path: str = LINK_METER) -> dict[str, Any]:
    return dict((await at.client.get(path)).json())


def lie(hub: Hub, *, ahead: int, **about: Any) -> Reading:
    """A replica of ours tells what is not in the book."""
    true = hub._channels["main"].reading
    false = replace(true, sequence=true.sequence + ahead, value=MUCH, **about)
    hub._told(News(METER, "main", false.sequence, to_bytes(false).decode()))
    return false


async def test_a_reading_that_the_book_does_not_have_is_taken_back_and_counted(
    at: House, caplog: pytest.LogCaptureFixture
) -> None:
    true = await told(at)
    lie(at.service.hub, ahead=10**15)
    assert (await told(at))["value"] == MUCH, "the book was not asked yet"
    with caplog.at_level(logging.ERROR):
        await at.service.hub._look()
    assert await told(at) == true
    assert f"it has entry {true['sequence']}" in caplog.text
    assert 'jackpot_book_disagreements_total{link="main"} 1.0' in (await at.client.get("/metrics")).text
    await at.service.hub._look()
    assert at.service.hub.disagreements["main"] == 1, "said once"


async def test_who_told_what_the_book_denies_is_not_believed_again(at: House) -> None:
    true = await told(at)
    for _ in range(3):
        lie(at.service.hub, ahead=5)
        await at.service.hub._look()
        assert await told(at) == true
    assert at.service.hub.disagreements["main"] == 1
    await at.close_bets("stud-01", 2)
    assert (await told(at))["value"] == true["value"] + 200


async def test_another_word_for_the_same_entry_is_taken_back_and_told_to_whoever_had_it(at: House) -> None:
    """Although its ETag is the same, and so is the number of its event."""
    hub, before = at.service.hub, (await told(at))["sequence"]
    entry = await _committed_elsewhere(at)
    false = lie(hub, ahead=entry.sequence - before)
    wrong = await at.client.get(LINK_METER)
    assert (wrong.json()["value"], wrong.json()["sequence"]) == (MUCH, false.sequence)
    path = f"{LINK_METER}?after={false.sequence}&wait=60"
    waiting = asyncio.create_task(at.client.get(path, headers={"If-None-Match": wrong.headers["etag"]}))
    await held(at, waiting)
    async with streaming(
        at, "/v1/links/main/stream", **{"Last-Event-ID": wrong.headers["etag"][1:-1]}
    ) as signs:
        assert (await signs.chunk()).startswith("retry")
        await hub._look()
        right = await at.client.get(LINK_METER, headers={"If-None-Match": wrong.headers["etag"]})
        assert right.status_code == 200
        assert (right.json()["value"], right.json()["sequence"]) == (5_000_400, false.sequence)
        assert right.headers["etag"] == wrong.headers["etag"]
        event = await signs.event()
        assert event is not None
        assert json.loads(event[2].removeprefix("data: ")) == right.json()
    assert (await asyncio.wait_for(waiting, 60)).json() == right.json()
    assert hub.disagreements["main"] == 1


async def _committed_elsewhere(at: House) -> Entry:
    """A bet that the book has, and that the hub was not told of."""
    writer = at.service.book.writers["main"]
    listeners, writer.listeners = writer.listeners, []
    await at.close_bets("stud-01", 2)
    writer.listeners = listeners
    return [entry async for entry in at.service.book.since("main")][-1]


async def test_our_own_commit_takes_back_another_word_for_the_same_entry(at: House) -> None:
    true = await told(at)
    lie(at.service.hub, ahead=1)
    await at.close_bets("stud-01", 2)
    assert (await told(at))["value"] == true["value"] + 200
    assert at.service.hub.disagreements["main"] == 1


async def test_tables_that_the_book_does_not_have_so_are_taken_back(at: House) -> None:
    hub, true = at.service.hub, await told(at, DISPLAY)
    views = hub._channels["main"].views
    closed = tuple(replace(one, notice="This table is closed.") for one in views)
    invented = replace(views[0], table="stud-99")
    said = to_bytes(hub_module._Views(tables=(*closed, invented))).decode()
    hub._told(News(TABLES, "main", 10**15, said))
    assert (await told(at, DISPLAY))["notice"] == "This table is closed."
    for _ in range(2):
        await hub._look()
    assert await told(at, DISPLAY) == true
    assert (await at.client.get("/v1/tables/stud-99/display")).status_code == 404
    await at.say("POST", "/v1/tables/stud-01/close", "otto", json={"reason": "spilt drink"})
    assert (await told(at, DISPLAY))["state"] == "closed"


# A look that takes long


async def _slow_look(at: House, monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Task[None], asyncio.Event]:
    """It has read the book, and is told so only when the event is set."""
    store, go_on, read = at.service.book.store, asyncio.Event(), asyncio.Event()
    load = store.load_link

    async def late(*what: Any) -> Any:
        row = await load(*what)
        read.set()
        await go_on.wait()
        return row

    monkeypatch.setattr(store, "load_link", late)
    at.service.hub._looked.clear()
    looking = asyncio.create_task(at.service.hub._look())
    await asyncio.wait_for(read.wait(), 60)
    monkeypatch.setattr(store, "load_link", load)
    return looking, go_on


async def test_a_look_that_began_before_our_own_commit_does_not_take_it_back(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, go_on = await _slow_look(at, monkeypatch)
    newest = (await at.close_bets("stud-01", 2)).json()["meter"]
    go_on.set()
    await looking
    assert (await told(at))["sequence"] == newest["sequence"]
    await at.service.hub._look()
    assert (await told(at))["sequence"] == newest["sequence"]
    assert at.service.hub.disagreements == {}


async def test_nor_does_it_while_it_takes_back_what_was_false(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    lie(at.service.hub, ahead=10)
    looking, go_on = await _slow_look(at, monkeypatch)
    newest = (await at.close_bets("stud-01", 2)).json()["meter"]
    go_on.set()
    await looking
    now = await told(at)
    assert (now["sequence"], now["value"]) == (newest["sequence"], newest["value"])
    assert at.service.hub.disagreements["main"] == 1


async def test_what_others_told_while_the_book_was_looked_at_is_judged_by_the_next_look(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may have committed it after the book was read."""
    hub, before = at.service.hub, (await told(at))["sequence"]
    looking, go_on = await _slow_look(at, monkeypatch)
    lie(hub, ahead=1)
    go_on.set()
    await looking
    assert ((await told(at))["sequence"], hub.disagreements["main"]) == (before + 1, 0)
    await hub._look()
    assert ((await told(at))["sequence"], hub.disagreements["main"]) == (before, 1)


# A restore without `jackpot restored`


async def test_a_book_that_has_lost_entries_under_a_running_service_is_shown_as_it_is(
    at: House, sqlite_url: str, tmp_path: Path
) -> None:
    await at.rest()  # or the self-check stops the link first
    copy, book = tmp_path / "copy.db", sqlite_url.partition("///")[2]
    kept = await told(at)
    _copied(book, copy)
    for number in (2, 3):
        await at.close_bets("stud-01", number)
    _copied(copy, book)
    await at.service.hub._look()
    assert await told(at) == kept
    assert at.service.hub.disagreements["main"] == 1
    lost = await at.close_bets("stud-01", 4)
    assert lost.status_code == 503, "acknowledged entries are gone: nothing is taken on top of that"


def _copied(source: str | Path, target: str | Path) -> None:
    with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as other:
        one.backup(other)
