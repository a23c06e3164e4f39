"""Group commit: what arrives while a transaction is in flight is carried out together in the next one.

Nobody is answered before the facts are durable, and after trouble nobody before it is known whether
they are.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict, deque
from collections.abc import Callable
from uuid import uuid4

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoneFree

from jackpot.book.beside.audit import Act
from jackpot.book.reading.lookup import Missing
from jackpot.book.stores.base import Store
from jackpot.book.stores.committed import Committed, Head
from jackpot.book.stores.house_time import Timekeeper
from jackpot.book.stores.tasks import end
from jackpot.book.writing.batch import Batch, Cached, EntriesLost, Submission
from jackpot.book.writing.histograms import Figures
from jackpot.book.writing.told import Told
from jackpot.core.records import frozen
from jackpot.link.answers import HeartbeatAnswer
from jackpot.link.commands import Command, Heartbeat, TableMessage
from jackpot.machine.execute import Outcome, beat_again
from jackpot.machine.invariants import InvariantBroken

MOST_WAITING = 5_000
MOST_IN_BATCH = 512
WORTH_HALVING = 32
PATIENCE = 10.0
"""Seconds for which a command is tried again while the store is in trouble."""
LAST_TRY = 5.0
"""Seconds more for the try that is under way then."""
TROUBLE = (DBAPIError, InterfaceError, NoneFree, OSError, TimeoutError)
"""What passes; that no connection is free in time is such a thing too."""
POISON = (DataError, IntegrityError, ProgrammingError)
"""What the store says of a command that it could never keep: trying again would not help."""
MARKED_FOR = 0.5
"""Seconds that a mark of a heartbeat waits for the next batch before one is made for it."""
FRESH = 1.0
"""Seconds without an answer of the store after which no heartbeat is answered from memory."""
_log = logging.getLogger(__name__)
Listener = Callable[[Committed], None]


class Busy(Exception):
    """More is waiting than can be served soon. Nothing was done; try again."""


class Unavailable(Exception):
    """The book cannot commit now. If `unknown`, it may or may not have: the same message again will tell."""

    def __init__(self, message: str, *, unknown: bool) -> None:
        super().__init__(message)
        self.unknown = unknown


class LinkStopped(Exception):
    """The book was found to deny itself: nothing is taken for this link before a person has looked."""


@frozen()
class Waiting:
    submission: Submission
    answered: asyncio.Future[Outcome]
    since: float
    """By the loop's clock."""
    unanswered: set[str]
    """What else its table waits for."""

    def answer(self, outcome: Outcome | Exception) -> None:
        self.unanswered.discard(self.submission.id)
        if self.answered.done():  # the caller has gone; what was committed stays
            return
        if isinstance(outcome, Exception):
            self.answered.set_exception(outcome)
        else:
            self.answered.set_result(outcome)


class Writer:
    """The one place in this process that writes to a link. While one batch is on its way to the store, the
    next is played on the state it will leave; it is sent when the first is durable."""

    def __init__(
        self,
        store: Store,
        link: str,
        clock: Timekeeper,
        *,
        head: Head,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._store, self._link, self._clock = store, link, clock
        self._most_waiting = most_waiting
        self._waiting: deque[Waiting] = deque()
        self._bell = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop
        self._cached: Cached | None = None
        self._head = head
        self._generation = store.generation
        self._prefix = uuid4().hex[:20]
        self._submitted = 0
        self._task: asyncio.Task[None] | None = None
        self._flight: asyncio.Task[None] | None = None
        self._sent_at = self._given_up_at = 0.0
        self._waits_since: float | None = None
        """When the oldest commit was sent that has not succeeded."""
        self._told = Told()
        self._marks_due: asyncio.TimerHandle | None = None
        self._unanswered = defaultdict[str, set[str]](set)
        """The submissions of each table that have not been answered."""
        self.listeners: list[Listener] = []
        self.figures = Figures()
        self.stopped: str | None = None
        """Why nothing is taken."""
        self.lost: str | None = None
        """What was acknowledged and is not in the store any more. That stands until this process ends."""
        self.troubled = self._serving = False
        self._asking = False
        """What is on its way is played on the state only then: nothing may be played on it before."""
        self._overtaken = False
        """Other processes write so much that playing ahead would be in vain."""

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()  # which, asked anew for each command, asks the system
        self._task = asyncio.create_task(self._run(), name=f"writer of {self._link}")

    async def stop(self) -> None:
        """Finish what was accepted, then stop."""
        self._bell.set()
        while (self._waiting or self._serving or self._flying or self._has_marks) and not self.troubled:
            await asyncio.sleep(0.005)
        await end(self._task)
        await end(self._flight)
        _fail(self._waiting, Unavailable("the service is stopping", unknown=False))

    async def submit(self, command: Command, act: Act | None = None) -> Outcome:
        """Carry out a command; when this returns, what it did is durable, and the act that the audit is to
        have of it. Raises its refusal."""
        if self.stopped is not None:
            raise LinkStopped(self.stopped)
        if len(self._waiting) >= self._most_waiting:
            raise Busy(f"{len(self._waiting)} commands are waiting")
        self._submitted += 1
        submission = Submission(f"{self._prefix}{self._submitted:012x}", command, act)
        unanswered = self._unanswered[command.table] if isinstance(command, TableMessage) else set[str]()
        unanswered.add(submission.id)
        waiting = Waiting(submission, self._loop.create_future(), self._loop.time(), unanswered)
        self._waiting.append(waiting)
        self._bell.set()
        return await waiting.answered

    def beat(self, command: Heartbeat) -> HeartbeatAnswer | None:
        """Answer a heartbeat from memory, if it changes nothing that anybody could see, the moment it is
        received; its mark is durable within a second. None if it must be submitted. Raises its refusal."""
        cached, told = self._cached, self._told.of(command.table)
        if cached is None or told is None or self.stopped or self.troubled or self.waited > FRESH:
            return None
        if self._unanswered[command.table]:
            return None  # it must not overtake what its table has said before
        if not beat_again(cached.link, command, told):
            return None
        cached.marks.add(command.table)
        if self._marks_due is None:
            self._marks_due = self._loop.call_later(MARKED_FOR, self._bell.set)
        return told

    def halt(self, why: str) -> None:
        """Take nothing any more, nor carry out what has not begun."""
        self.stopped = why
        _fail(self._waiting, LinkStopped(why))
        self._waiting.clear()

    def resume(self) -> None:
        """Go on, from what the store says."""
        self.stopped, self._cached = None, None

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def most_waiting(self) -> int:
        return self._most_waiting

    @property
    def waited(self) -> float:
        """Seconds since a commit was sent that has not succeeded, be it still tried or given up."""
        return 0.0 if self._waits_since is None else time.monotonic() - self._waits_since

    @property
    def gave_up(self) -> bool:
        return self._waits_since is not None and not self._flying

    def forget_trouble(self) -> None:
        """The store was seen to commit, though nobody has tried to here. Whether what was given up had been
        committed is still unknown."""
        if self.gave_up:
            self._waits_since = None

    @property
    def _flying(self) -> bool:
        return self._flight is not None and not self._flight.done()

    async def _run(self) -> None:
        while True:
            await self._bell.wait()
            batch, marked = self._taken(), self._marked()
            if not batch and not marked:
                continue
            self._serving = True
            try:
                await self._send(batch)
            except asyncio.CancelledError:
                _fail(batch, Unavailable("the service is stopping", unknown=False))
                raise
            finally:
                self._serving = False
            await asyncio.sleep(0)  # it is sent now, before the next is played

    def _taken(self) -> list[Waiting]:
        """All that waits; but of many only half if nothing is on its way: the store works on it while the
        other half is played. Callers who all wait for one another would keep one of the two idle."""
        count = len(self._waiting)
        if count >= WORTH_HALVING and not self._flying:
            count //= 2
        batch = [self._waiting.popleft() for _ in range(min(count, MOST_IN_BATCH))]
        if not self._waiting:
            self._bell.clear()
        return batch

    def _marked(self) -> bool:
        """Whether heartbeats have left marks that the next batch is to keep."""
        if self._marks_due is not None:
            self._marks_due.cancel()
            self._marks_due = None
        return self._has_marks

    @property
    def _has_marks(self) -> bool:
        return self._cached is not None and bool(self._cached.marks)

    async def _send(self, batch: list[Waiting]) -> None:
        work = self._played_ahead(batch)
        if self._flight is not None:
            await asyncio.wait([self._flight])
        if self.stopped is not None:
            self._cached = None  # it may have been played on
            _fail(batch, LinkStopped(self.stopped))
            return
        if work is None or work.cached is not self._cached:  # what it was played on did not come to be
            work = self._played_ahead(batch)
        self._asking = work is None
        self._flight = asyncio.create_task(self._fly(batch, work), name=f"commit of {self._link}")

    def _played_ahead(self, batch: list[Waiting]) -> Batch | None:
        if self._cached is None or self._overtaken or (self._asking and self._flying):
            return None
        work = self._work(batch)
        try:
            return work if work.play_ahead(self._cached) else None
        except (Exception, Missing):  # asked of the store, or one by one, it will show what it was
            self._cached = None
            return None

    def _work(self, batch: list[Waiting]) -> Batch:
        return Batch(self._store, self._link, [one.submission for one in batch], clock=self._clock)

    async def _fly(self, batch: list[Waiting], work: Batch | None) -> None:
        self._sent_at = time.perf_counter()
        if self._waits_since is None:
            self._waits_since = time.monotonic()
        now = asyncio.get_running_loop().time()
        if self.troubled and now > _tried_until(batch, now):
            _fail(batch, Unavailable("the store is in trouble", unknown=False))  # it was not even sent
            return
        self._given_up_at = max(now, _tried_until(batch, now)) + LAST_TRY
        try:
            if work is None or not await self._saved(batch, work):
                await self._serve(batch)
        except asyncio.CancelledError:
            _fail(batch, Unavailable("the service is stopping", unknown=True))
            raise
        if not self.troubled:
            self._waits_since = None

    async def _saved(self, batch: list[Waiting], work: Batch) -> bool:
        """False if it must be done again from the store's state."""
        try:
            async with asyncio.timeout_at(self._given_up_at):
                saved = await work.save()
            if saved:
                self._done(batch, work)
                return True
            self._overtaken = True
        except asyncio.CancelledError:
            raise
        except Exception as trouble:
            self._failed(trouble)
        self._cached = None
        return False

    def _failed(self, trouble: Exception) -> None:
        """Said once, until a commit succeeds: it is tried again and again."""
        if not self.troubled:
            _log.warning("a commit of %s failed: %s: %s", self._link, type(trouble).__name__, trouble)
        self.troubled = True
        self.figures.failures += 1

    async def _serve(self, batch: list[Waiting]) -> None:
        """Try until it is done or patience ends. If one command is poison, it must hurt only itself."""
        try:
            async with asyncio.timeout_at(self._given_up_at):
                await self._insist(batch)
        except POISON as poison:
            await self._one_by_one(batch, poison)
        except EntriesLost as lost:
            self.lost = str(lost)
            _fail(batch, lost)
        except TROUBLE as trouble:
            if not self.troubled:  # the time was over before the first try failed
                self._failed(trouble)
            message = f"the store is in trouble: {type(trouble).__name__}"
            _fail(batch, Unavailable(message, unknown=True))
        except Exception as poison:
            await self._one_by_one(batch, poison)

    async def _one_by_one(self, batch: list[Waiting], poison: Exception) -> None:
        if len(batch) == 1:
            command = type(batch[0].submission.command).__name__
            _log.error("a command of %s was not carried out: %s", self._link, command, exc_info=poison)
            self.figures.broken += isinstance(poison, InvariantBroken)
            batch[0].answer(poison)
            return
        for waiting in batch:
            await self._serve([waiting])

    async def _insist(self, batch: list[Waiting]) -> None:
        loop = asyncio.get_running_loop()
        deadline, pause = _tried_until(batch, loop.time()), 0.02
        while True:
            try:
                await self._commit(batch)
                return
            except POISON:
                raise
            except TROUBLE as trouble:
                self._failed(trouble)
                if loop.time() > deadline:
                    raise
                await asyncio.sleep(pause)
                pause = min(0.5, pause * 2)

    async def _commit(self, batch: list[Waiting]) -> None:
        # Until it is committed, the state in memory is only an attempt. After trouble, an attempt before
        # this one may have been committed unknown to us; and another server may lack what this one had.
        cached, self._cached = self._cached, None
        work = self._work(batch)
        async with self._store.transaction() as connection:
            generation = self._store.generation
            moved = generation != self._generation
            unsure, cached = self.troubled or moved, None if moved else cached
            cached = await work.carry_out(connection, cached, known=self._head, unsure=unsure)
        self._cached, self._overtaken, self._generation = cached, work.overtaken, generation
        self._done(batch, work)

    def _done(self, batch: list[Waiting], work: Batch) -> None:
        """It is durable: answer everyone, and tell who listens."""
        committed = work.committed
        if committed is None or work.head is None:
            raise RuntimeError("nothing was played")
        if self.troubled:
            _log.warning("link %s commits again", self._link)
        self._head, self.troubled, self._waits_since = work.head, False, time.monotonic()
        self.figures.committed(time.perf_counter() - self._sent_at, len(batch))
        done = [(waiting, work.outcomes[waiting.submission.id]) for waiting in batch]
        self._told.keep(committed, work.meter, [(one.submission.command, outcome) for one, outcome in done])
        for waiting, outcome in done:
            waiting.answer(outcome)
        for listener in self.listeners:
            try:
                listener(committed)
            except Exception:  # it is committed and answered: a listener's trouble is its own
                _log.exception("a listener of %s failed", self._link)


def _tried_until(batch: list[Waiting], now: float) -> float:
    """In trouble no try begins later: the oldest command came so long before. Nobody waits for marks."""
    return batch[0].since + PATIENCE if batch else now


def _fail(batch: list[Waiting] | deque[Waiting], error: Exception) -> None:
    for waiting in batch:
        waiting.answer(error)
