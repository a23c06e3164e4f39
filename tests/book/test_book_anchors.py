"""The head of each chain is signed every minute and at each payment, whatever happens to the file."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from jackpot.book import book as books
from jackpot.book.beside import anchors as anchors_module
from jackpot.book.beside.anchors import (
    Anchor,
    AnchorForged,
    Anchors,
    AnchorsUnusable,
    incomplete_lines,
    new_key,
    read_anchors,
    read_key,
    read_public_key,
)
from jackpot.book.book import Book
from jackpot.book.stores.tasks import end
from jackpot.link.wins import ClaimOutcome
from tests.book_floor import LINK, BookFloor
from tests.floor import ROYAL
from tests.in_process import house

HEAD = "0" * 64


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "anchor.pem"
    new_key(file)
    return file


@pytest.fixture
async def floor(sqlite_url: str, key: Path) -> AsyncIterator[BookFloor]:
    """Anchored from its first entry on."""
    floor = await BookFloor.opened(sqlite_url)
    await floor.book.close()
    floor.book = await Book.open(sqlite_url, anchors=Anchors(_file(key), read_key(key)))
    floor._set_clock()
    await floor.furnish()
    yield floor
    await floor.book.close()


def _file(key: Path) -> Path:
    return key.with_name("anchors.jsonl")


def _signed(key: Path) -> list[int]:
    return [one.sequence for one in read_anchors(_file(key), read_public_key(key))]


async def _last(floor: BookFloor) -> int:
    return [entry async for entry in floor.book.since(LINK)][-1].sequence


async def _written(floor: BookFloor) -> None:
    assert floor.book._anchors is not None
    assert await floor.book._anchors.written(within=60)


async def test_the_last_entries_before_a_quiet_time_are_signed_within_a_minute(
    floor: BookFloor, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "ANCHORS_DUE_EVERY", 0.01)
    await floor.book.close()
    await _reopened(floor, key)
    await floor.act(floor.bets("s1", [1]))
    floor.wait(30)
    await floor.act(floor.hands("s1", {1: None}, final=True))
    await asyncio.sleep(0.1)  # it is asked ten times what is due
    await _written(floor)
    assert _signed(key)[-1] < await _last(floor)
    floor.wait(31)
    async with asyncio.timeout(30):
        while _signed(key)[-1] < await _last(floor):
            await asyncio.sleep(0.01)


async def _reopened(floor: BookFloor, key: Path) -> None:
    floor.book = await Book.open(floor.url, anchors=Anchors(_file(key), read_key(key)), clock=floor.clock)


async def test_an_orderly_end_leaves_nothing_unsigned(floor: BookFloor, key: Path) -> None:
    await floor.act(floor.bets("s1", [1]))
    last = await _last(floor)
    await _written(floor)
    assert _signed(key)[-1] < last
    await floor.book.close()
    assert _signed(key)[-1] == last
    await _reopened(floor, key)


async def test_a_claim_that_is_paid_is_signed_as_a_payment(floor: BookFloor, key: Path) -> None:
    await floor.act(floor.bets("s2", [1]))
    await floor.act(floor.hands("s2", {1: None}, final=True))
    answer: Any = await floor.act(floor.hands("s2", {1: ROYAL["c"]}))
    await floor.decide_claim(answer.results[0].claim, ClaimOutcome.REGISTERED)
    await _written(floor)
    assert _signed(key)[-1] == await _last(floor)


async def test_what_could_not_be_written_is_signed_once_it_can(
    floor: BookFloor, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await end(*floor.book._upkeep)  # or it would be tried again meanwhile, on a busy machine
    await _written(floor)
    write, file = os.write, _file(key)
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:20]))
    floor.wait(61)
    await floor.act(floor.bets("s1", [1]))
    await _written(floor)
    monkeypatch.undo()
    last = await _last(floor)
    assert floor.book._anchors is not None
    assert floor.book.anchor_failures == 1
    assert _signed(key)[-1] < last
    assert len(incomplete_lines(file)) == 1
    floor.book._anchors.sign_due(floor.clock.time)
    await _written(floor)
    assert _signed(key)[-1] == last
    assert len(incomplete_lines(file)) == 1


@pytest.mark.parametrize("torn", [b"{", b'{"at": 17', b'{"at": 17, "head": "00'])
def test_a_line_that_was_cut_off_is_told_apart_from_a_forged_one(key: Path, torn: bytes) -> None:
    file, public = _file(key), read_public_key(key)
    anchors = Anchors(file, read_key(key))
    anchors.append(Anchor(LINK, 1, HEAD, 5))
    file.write_bytes(file.read_bytes() + torn)
    assert (_signed(key), incomplete_lines(file)) == ([1], [2])
    anchors.append(Anchor(LINK, 2, HEAD, 6))
    assert (_signed(key), incomplete_lines(file)) == ([1, 2], [2])
    file.write_bytes(file.read_bytes().replace(b"\n" + torn + b"\n", b"\n\x00\xff\n"))
    with pytest.raises(AnchorForged, match="line 2"):
        read_anchors(file, public)


async def test_a_file_that_cannot_be_written_is_refused_at_the_start(key: Path, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "none" / "anchors.jsonl"):
        with pytest.raises(AnchorsUnusable, match=f"cannot be written to {place}"):
            await Anchors(place, read_key(key)).start()


# A volume that hangs


@pytest.fixture
def full_pipe(key: Path) -> Iterator[int]:
    """In place of the file: full, so that whoever writes to it waits until somebody reads."""
    os.mkfifo(_file(key))
    end = os.open(_file(key), os.O_RDWR | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(end, b"." * 512)
    yield end
    os.close(end)


@pytest.mark.usefixtures("full_pipe")
async def test_a_volume_that_hangs_delays_nobody_and_is_told(
    sqlite_url: str, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anchors_module, "LEFT_AFTER", 0.1)
    async with house(sqlite_url, tmp_path, anchors=_file(key), anchor_key=key) as at:
        assert (await at.close_bets("stud-01", 1)).status_code == 201
        assert (await at.client.get("/healthz")).status_code == 200
        assert (await at.client.get("/v1/links/main/meter")).status_code == 200
        waiting = at.service.book.anchors_waiting
        assert waiting > 0
        told = (await at.client.get("/metrics")).text
        [seconds] = re.findall(r"^jackpot_anchors_waiting_seconds ([0-9.]+)$", told, re.MULTILINE)
        assert float(seconds) >= waiting - 0.001


async def test_a_volume_that_does_not_open_is_refused_at_the_start(
    key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = threading.Event()

    def hangs(_self: Anchors) -> int:
        opened.wait()
        raise OSError("gone")

    monkeypatch.setattr(Anchors, "_opened", hangs)
    monkeypatch.setattr(anchors_module, "OPENED_WITHIN", 0.1)
    with pytest.raises(AnchorsUnusable, match="did not answer"):
        await Anchors(_file(key), read_key(key)).start()
    opened.set()


def test_a_key_that_is_none_is_refused(key: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    other.write_bytes(b"\xff\x00 no key")
    for place, words in ((other, "holds no"), (tmp_path, "cannot be read"), (tmp_path / "no", "cannot be")):
        for read in (read_key, read_public_key):
            with pytest.raises(AnchorsUnusable, match=words):
                read(place)
    with pytest.raises(AnchorsUnusable, match="holds no"):
        read_key(key.with_suffix(".pub"))
