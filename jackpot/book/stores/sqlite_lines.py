"""The way to a book in a file: lines that are given up when the disk does not answer.

A statement of SQLite runs in a thread, and a thread that waits for a disk cannot be called back. So nobody
waits for it longer than for a server: the line is given up, and its thread closes it when the disk goes on.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import aiosqlite
from aiosqlite.core import _STOP_RUNNING_SENTINEL
from sqlalchemy.engine import URL

from jackpot.book.stores.files import make_private

WRITE_TIMEOUT, READ_TIMEOUT = 5.0, 10.0
"""Seconds without an answer, after which a line is given up."""
MOST_GIVEN_UP = 16
"""Lines that may wait for the disk with nobody waiting for them. Each is a thread."""
Answer = asyncio.Future[Any]


class DiskSilent(sqlite3.OperationalError):
    """The disk has not answered. What was asked may still be done once it does."""

    def __init__(self) -> None:
        super().__init__("the disk does not answer: connection closed")  # the last two tell SQLAlchemy


class Disk:
    """Where the lines of one store lead, and what is known of it."""

    def __init__(self, url: URL, *, hurried: bool) -> None:
        (self._file,), self._options = url.get_dialect()().create_connect_args(url)
        self._hurried = hurried
        self._given_up: list[Thread] = []
        self.silent = False
        """Since the last answer somebody has waited in vain: nobody waits for a line to be closed."""

    async def reader(self) -> aiosqlite.Connection:
        return await self._line(lambda: READ_TIMEOUT)

    async def writer(self) -> aiosqlite.Connection:
        return await self._line(lambda: WRITE_TIMEOUT)

    async def _line(self, within: Callable[[], float]) -> aiosqlite.Connection:
        self._given_up = [one for one in self._given_up if one.is_alive()]
        if len(self._given_up) >= MOST_GIVEN_UP:
            raise DiskSilent
        return await FileLine(self, self._open, within if self._hurried else None)

    def give_up(self, thread: Thread) -> None:
        self._given_up.append(thread)

    def _open(self) -> sqlite3.Connection:
        """The driver must not begin transactions by itself: ours begin IMMEDIATE."""
        if self._file != ":memory:":
            with suppress(OSError):  # SQLite will say what is wrong
                make_private(Path(self._file))
        return sqlite3.connect(self._file, isolation_level=None, **self._options)


class FileLine(aiosqlite.Connection):
    """`within` is asked at each statement, so that a limit that changes holds for lines already open too."""

    def __init__(
        self, disk: Disk, connect: Callable[[], sqlite3.Connection], within: Callable[[], float] | None
    ) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self._thread.daemon = True  # or a disk that hangs would keep the process from ending
        self._disk, self._within = disk, within

    @property
    def given_up(self) -> bool:
        return not self._running

    async def _connect(self) -> FileLine:
        self._connection = await self._asked(self._connector)
        return self

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not self._running or self._connection is None:
            raise ValueError("Connection closed")
        return await self._asked(partial(fn, *args, **kwargs))

    async def _asked(self, what: Callable[[], Any]) -> Any:
        answer: Answer = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((None, partial(_do, what, answer)))
        try:
            return await self._in_time(answer, self._within and self._within())
        except (asyncio.CancelledError, DiskSilent):
            self.stop()
            self._disk.give_up(self._thread)
            raise

    async def _in_time(self, answer: Answer, within: float | None) -> Any:
        timer = None
        if within is not None:
            timer = asyncio.get_running_loop().call_later(within, _tell, answer, None, DiskSilent())
        try:
            found = await answer
        except sqlite3.Error as error:
            self._disk.silent = isinstance(error, DiskSilent)
            raise
        finally:
            if timer is not None:
                timer.cancel()
        self._disk.silent = False
        return found

    async def rollback(self) -> None:
        """A line that was given up is rolled back by being closed. To say that it cannot be would hide why it
        was given up; that it cannot commit is said."""
        if self._running:
            await super().rollback()

    async def close(self) -> None:
        """A line is closed once: a second time would be waited for in vain."""
        if not self._running:
            return
        closed: Answer = asyncio.get_running_loop().create_future()
        self._end(closed)
        if self._disk.silent:
            self._disk.give_up(self._thread)
            return
        with suppress(DiskSilent):
            await self._in_time(closed, None if self._within is None else WRITE_TIMEOUT)

    def stop(self) -> None:
        """The same without waiting, also for who has no loop any more."""
        self._end(None)

    def _end(self, closed: Answer | None) -> None:
        self._running = False
        self._tx.put_nowait((None, partial(_do, self._close_now, closed, last=True)))

    def _close_now(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _do(what: Callable[[], Any], answer: Answer | None, *, last: bool = False) -> object:
    """In the line's thread, at the end of which its loop may have ended too: then nobody waits."""
    found = error = None
    try:
        found = what()
    except BaseException as raised:
        error = raised
    if answer is not None:
        with suppress(RuntimeError):
            answer.get_loop().call_soon_threadsafe(_tell, answer, found, error)
    return _STOP_RUNNING_SENTINEL if last else None


def _tell(answer: Answer, found: Any, error: BaseException | None) -> None:
    if answer.done():  # nobody waits any longer
        return
    if error is None:
        answer.set_result(found)
    else:
        answer.set_exception(error)
