"""Group commit: what arrives while a transaction is in flight is carried out together in the next one.

Nobody is answered before the facts are durable, and after trouble nobody before it is known whether
they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, ProgrammingError

from jackpot.book.batch import Batch, Cached, Submission
from jackpot.book.clock import HouseClock
from jackpot.book.stores import Store
from jackpot.commands import Command
from jackpot.facts import Entry
from jackpot.link import Outcome
from jackpot.state import Link

MOST_WAITING = 5_000
MOST_IN_BATCH = 512
PATIENCE = 10.0
"""Seconds for which a batch is tried again while the store is in trouble."""
TROUBLE = (DBAPIError, InterfaceError, OSError, TimeoutError)
POISON = (DataError, IntegrityError, ProgrammingError)
"""What the store says of a command that it could never keep: trying again would not help."""
_log = logging.getLogger(__name__)
Listener = Callable[[Link, list[Entry]], None]


class Busy(Exception):
    """More is waiting than can be served soon. Nothing was done; try again."""


class Unavailable(Exception):
    """The book cannot commit now. If `unknown`, it may or may not have: the same message again will tell."""

    def __init__(self, message: str, *, unknown: bool) -> None:
        super().__init__(message)
        self.unknown = unknown


@dataclass(frozen=True, slots=True)
class Waiting:
    submission: Submission
    answered: asyncio.Future[Outcome]

    def answer(self, outcome: Outcome | Exception) -> None:
        if self.answered.done():  # the caller has gone; what was committed stays
            return
        if isinstance(outcome, Exception):
            self.answered.set_exception(outcome)
        else:
            self.answered.set_result(outcome)


class Writer:
    """The one place in this process that writes to a link."""

    def __init__(
        self, store: Store, link: str, clock: HouseClock, *, most_waiting: int = MOST_WAITING
    ) -> None:
        self._store, self._link, self._clock = store, link, clock
        self._most_waiting = most_waiting
        self._waiting: deque[Waiting] = deque()
        self._bell = asyncio.Event()
        self._cached: Cached | None = None
        self._sequence = 0
        self._prefix = uuid4().hex[:20]
        self._submitted = 0
        self._task: asyncio.Task[None] | None = None
        self.listeners: list[Listener] = []
        self.troubled = self._serving = False

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"writer of {self._link}")

    async def stop(self) -> None:
        """Finish what was accepted, then stop."""
        while (self._waiting or self._serving) and not self.troubled:
            await asyncio.sleep(0.005)
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        _fail(self._waiting, Unavailable("the service is stopping", unknown=False))

    async def submit(self, command: Command) -> Outcome:
        """Carry out a command; when this returns, what it did is durable. Raises its refusal."""
        if len(self._waiting) >= self._most_waiting:
            raise Busy(f"{len(self._waiting)} commands are waiting")
        self._submitted += 1
        submission = Submission(f"{self._prefix}{self._submitted:012x}", command)
        waiting = Waiting(submission, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._bell.set()
        return await waiting.answered

    async def _run(self) -> None:
        while True:
            await self._bell.wait()
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_IN_BATCH))]
            if not self._waiting:
                self._bell.clear()
            self._serving = True
            try:
                await self._serve(batch)
            except asyncio.CancelledError:
                _fail(batch, Unavailable("the service is stopping", unknown=True))
                raise
            finally:
                self._serving = False

    async def _serve(self, batch: list[Waiting]) -> None:
        """Try until it is done or patience ends. If one command is poison, it must hurt only itself."""
        try:
            await self._insist(batch)
        except POISON as poison:
            await self._one_by_one(batch, poison)
        except TROUBLE as trouble:
            message = f"the store is in trouble: {type(trouble).__name__}"
            _fail(batch, Unavailable(message, unknown=True))
        except Exception as poison:
            await self._one_by_one(batch, poison)

    async def _one_by_one(self, batch: list[Waiting], poison: Exception) -> None:
        if len(batch) == 1:
            batch[0].answer(poison)
            return
        for waiting in batch:
            await self._serve([waiting])

    async def _insist(self, batch: list[Waiting]) -> None:
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + PATIENCE, 0.02
        since: int | None = None
        while True:
            try:
                await self._commit(batch, since)
                return
            except POISON:
                raise
            except TROUBLE:
                self.troubled, since = True, self._sequence
                if loop.time() > deadline:
                    raise
                await asyncio.sleep(pause)
                pause = min(0.5, pause * 2)

    async def _commit(self, batch: list[Waiting], since: int | None) -> None:
        # Until it is committed, the state in memory is only an attempt.
        cached, self._cached = self._cached, None
        work = Batch(self._store, self._link, [one.submission for one in batch], at=self._clock.now())
        async with self._store.transaction() as connection:
            cached = await work.carry_out(connection, cached, since=since)
        self._cached, self._sequence, self.troubled = cached, cached.link.sequence, False
        for waiting in batch:
            waiting.answer(work.outcomes[waiting.submission.id])
        for listener in self.listeners:
            try:
                listener(cached.link, work.page.entries)
            except Exception:  # it is committed and answered: a listener's trouble is its own
                _log.exception("a listener of %s failed", self._link)


def _fail(batch: list[Waiting] | deque[Waiting], error: Exception) -> None:
    for waiting in batch:
        waiting.answer(error)
