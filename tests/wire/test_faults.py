"""One evening on which everything breaks once: what tables were answered is in the book, once, as told."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from functools import partial
from pathlib import Path

import pytest

from jackpot.book.stores import sqlite_lines
from jackpot.book.writing import write_probe, writer
from tests.book.test_hung_disk import Hanging
from tests.effort import times
from tests.faults import BOOK, FAULTS, FIRST, SECOND, Replicas, floor_of_five, told, two_replicas
from tests.service import Json, Served, Service, in_thread
from tests.service_load import Controllers, check_answered
from tests.waiting import PATIENCE, eventually
from tests.wire.test_service_crash import journal_of, more_answers, playing

ENOUGH = 6
"""Answers to a replica that goes on."""
BETWEEN = 0.1
"""Seconds that a table takes from round to round: the faults are the subject, not the load."""


async def test_whatever_breaks_nothing_that_was_answered_is_lost_or_doubled(tmp_path: Path) -> None:
    async with two_replicas(tmp_path) as at:
        tables: dict[Served, Controllers] = {
            at.first: Controllers(at.first, FIRST, pause=BETWEEN),
            at.second: Controllers(at.second, SECOND, pause=BETWEEN),
        }
        async with playing(tables[at.first]), playing(tables[at.second]):
            await all_go_on(tables)
            for fault in [*FAULTS.values()] * times(1):
                async with fault(at) as goes_on:
                    if goes_on is None:
                        await told(at.first)
                        await told(at.second)
                    else:
                        await more_answers(tables[goes_on], ENOUGH)
                await all_go_on(tables)
        answered = tables[at.first].answered | tables[at.second].answered
        await both_show(at, answered)
        await the_end_is_orderly(at)
        await the_book_has(at.postgres.url(BOOK), answered)


async def all_go_on(tables: dict[Served, Controllers]) -> None:
    for controllers in tables.values():
        await more_answers(controllers, ENOUGH)


async def both_show(at: Replicas, answered: dict[str, tuple[int, int]]) -> None:
    """The meter of the last answer."""
    sequence, value = max(answered.values())

    async def shown(replica: Service) -> bool:
        meter: Json = (await asyncio.to_thread(replica.get, "/v1/links/main/meter")).json()
        return (meter["state"], meter["sequence"], meter["value"]) == ("open", sequence, value)

    for replica in (at.first, at.second):
        await eventually(partial(shown, replica))


async def the_end_is_orderly(at: Replicas) -> None:
    for replica in (at.first, at.second):
        assert await asyncio.to_thread(replica.stop) == 0
        assert "Traceback" not in replica.log()
    signed = "--anchors", str(at.volume.file), "--key", str(at.volume.key)
    proved = await asyncio.to_thread(at.first.jackpot, "verify", *signed)
    assert proved.returncode == 0, proved.stdout + proved.stderr


async def the_book_has(url: str, answered: dict[str, tuple[int, int]]) -> None:
    """Every answer once, as it was told, and nothing that its table was not told of."""
    found = await journal_of(url)
    check_answered(found, answered)
    assert {key for key in found.said if not key.startswith("act/")} == answered.keys()
    assert found.link.pool.value == max(answered.values())[1]
    sys.stdout.write(f"{len(answered)} answered, {len(found.entries)} entries\n")


async def test_a_file_that_hangs_is_told_and_loses_or_doubles_nothing(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = Hanging()
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=hanging.connection()))
    patience = [
        (sqlite_lines, "WRITE_TIMEOUT"),
        (sqlite_lines, "READ_TIMEOUT"),
        (writer, "PATIENCE"),
        (write_probe, "PATIENCE"),
    ]
    monkeypatch.setattr(write_probe, "HANGS_AFTER", 0.5)
    with in_thread(sqlite_url, floor_of_five(), tmp_path) as service:
        controllers = Controllers(service, FIRST + SECOND, pause=BETWEEN)
        async with playing(controllers):
            for what in ["commits", "everything"] * times(1):
                await more_answers(controllers, ENOUGH)
                for module, limit in patience:
                    monkeypatch.setattr(module, limit, 0.5)
                hanging.hang(what)
                await told(service)
                for module, limit in patience:
                    monkeypatch.setattr(module, limit, PATIENCE)
                hanging.go_on()
            await more_answers(controllers, ENOUGH)
        assert service.verify().returncode == 0
    await the_book_has(sqlite_url, controllers.answered)
