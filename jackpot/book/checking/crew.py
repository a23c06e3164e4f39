"""Processes that replay stretches of journals side by side. One that dies is an error, not a wait."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess

from jackpot.book.checking.difference import Difference
from jackpot.book.checking.stretches import Reached, Stretch, replayed
from jackpot.book.stores.addresses import existing_store

Told = Callable[[str, int], None]
"""Of which link how many more entries were read."""
context: BaseContext = get_context("spawn")
"""Begun anew, not forked: this process may have a SQLite file open, and threads."""


class CrewFailed(Exception):
    """It is not known whether the book is right: a process that looked at it could not go on."""


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    line: Connection
    stretch: int | None = None
    """Which one it is at."""


class Crew:
    """For one book. What its workers find comes in the order of the stretches, whoever was the first."""

    def __init__(self, database: str, processes: int) -> None:
        self._workers = [_hired(database) for _ in range(processes)]

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._workers:
            one.process.kill()
            one.line.close()
        for one in self._workers:
            one.process.join()

    def work(self, stretches: Sequence[Stretch], told: Told) -> Iterator[Reached]:
        """Ends with the first stretch, in their order, of which something was denied."""
        left, found = deque(range(len(stretches))), dict[int, Reached | Exception]()
        for number in range(len(stretches)):
            while number not in found:
                self._hand_out(stretches, left)
                self._hear(stretches, found, told)
                if any(isinstance(one, Exception) for one in found.values()):
                    left.clear()  # all before it are under way, and what comes after does not matter
            one = found.pop(number)
            if isinstance(one, Exception):
                raise one
            yield one

    def _hand_out(self, stretches: Sequence[Stretch], left: deque[int]) -> None:
        for worker in self._workers:
            if worker.stretch is None and left:
                worker.stretch = left.popleft()
                with suppress(OSError):  # it is dead, which is heard below
                    worker.line.send(stretches[worker.stretch])

    def _hear(self, stretches: Sequence[Stretch], found: dict[int, Reached | Exception], told: Told) -> None:
        busy = {one.line: one for one in self._workers if one.stretch is not None}
        for line in wait(list(busy)):
            worker = busy[line]  # type: ignore[index]
            if worker.stretch is None:
                continue
            link = stretches[worker.stretch].link
            try:
                heard = worker.line.recv()
            except (EOFError, OSError):
                worker.process.join()
                code = worker.process.exitcode
                raise CrewFailed(f"a process that verified link {link} ended by itself ({code})") from None
            if isinstance(heard, int):
                told(link, heard)
            else:
                found[worker.stretch], worker.stretch = heard, None


def _hired(database: str) -> _Worker:
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(database, theirs), daemon=True, name="verify")  # type: ignore[attr-defined]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # we are interrupted, and end them
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return _Worker(process, ours)


def _serve(database: str, line: Connection) -> None:
    """In a process of its own, until the other end of the line is closed."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    with suppress(EOFError, BrokenPipeError):
        while True:
            line.send(_found(database, line.recv(), line.send))


def _found(database: str, stretch: Stretch, told: Callable[[int], None]) -> Reached | Exception:
    try:
        return asyncio.run(_replayed(database, stretch, told))
    except (Difference, BrokenPipeError) as known:
        return known
    except Exception as trouble:
        return CrewFailed(f"link {stretch.link} was not verified: {type(trouble).__name__}: {trouble}")


async def _replayed(database: str, stretch: Stretch, told: Callable[[int], None]) -> Reached:
    store = existing_store(database)
    try:
        return await replayed(store, stretch, told)
    finally:
        await store.close()
