"""Notes are written in the end, whatever went wrong at first."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from jackpot.book.beside.audit import Act
from jackpot.book.stores.schema import audit
from jackpot.book.writing.notes import Notes
from tests.book_floor import furnished_floor


async def test_notes_are_written_after_an_error_that_nobody_foresaw(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with furnished_floor(sqlite_url) as floor:
        notes, failed = Notes(floor.book.store, every=0.01), asyncio.Event()
        write = notes._write

        async def broken(*rows: Any) -> None:
            if not failed.is_set():
                failed.set()
                raise RuntimeError("nobody foresaw this")
            await write(*rows)

        monkeypatch.setattr(notes, "_write", broken)
        notes.start()
        notes.note(Act(at=1, actor="ana", act="login", outcome="allowed"))
        async with asyncio.timeout(30):
            while notes.waiting:
                await asyncio.sleep(0.01)
        await notes.stop()
        assert failed.is_set()
        assert "notes were not written" in caplog.text
        async with floor.book.store.reading() as connection:
            assert (await connection.execute(select(audit.c.actor))).scalars().all() == ["ana"]
