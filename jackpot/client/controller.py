"""What controllers of every game do alike: what is said is durable, in order, and said until it is answered;
when nobody answers, the game's own rules do."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Generic, Self, TypedDict, TypeVar, cast

import httpx

from jackpot.client.alone import Alone, Instead
from jackpot.client.clock import Clocks, TableClock
from jackpot.client.errors import Refused, Unreachable
from jackpot.client.fallback import Fallback, K
from jackpot.client.messages import Answer, Body, HeartbeatAnswer
from jackpot.client.post import AT_ONCE, Post
from jackpot.client.spool import CountedMeters, Spool, Turned, Waiting
from jackpot.client.transport import Patience, Transport, trusted

A = TypeVar("A", bound=Answer)


class Settings(TypedDict, total=False):
    """What a controller of any game may be given."""

    heartbeat_every: float | None
    ca: Path | None
    patience: Patience | None
    rng: Random | None
    clocks: Clocks | None
    transport: httpx.AsyncBaseTransport | None
    meters: Callable[[], CountedMeters | None] | None


class Controller(ABC, Generic[K]):
    """One table's word to the service, one message in flight."""

    def __init__(
        self,
        url: str,
        token: str,
        spool: Path,
        fallback: Fallback[K],
        *,
        heartbeat_every: float | None = 1.0,
        ca: Path | None = None,
        patience: Patience | None = None,
        rng: Random | None = None,
        clocks: Clocks | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        meters: Callable[[], CountedMeters | None] | None = None,
    ) -> None:
        """`meters`, of a device that counts by itself, is told instead of what this client has counted."""
        patience, clocks = patience or Patience(), clocks or Clocks()
        self._http = httpx.AsyncClient(
            base_url=url,
            headers={"Authorization": f"Bearer {token}"},
            timeout=patience.attempt,
            trust_env=False,
            verify=trusted(ca),
            transport=transport,
        )
        self._spool = Spool(spool, fallback.table)
        asking = Transport(self._http, patience, rng or Random(), clocks)  # noqa: S311 spreads retries only
        try:
            clock = TableClock(clocks, last=self._spool.last_stamp())
            self._post = Post(fallback, self._spool, asking, clock, patience.whole)
        except BaseException:
            self._spool.close()
            raise
        self._post.meters = meters or self._post.meters
        self._alone = self._playing_alone(self._post)
        self._every = heartbeat_every
        self._beating: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._closed_at: int | None = None
        self.in_play = True
        self.status: HeartbeatAnswer | None = None
        self.trouble: Exception | None = None
        """Why the last heartbeat or replay failed, if it did."""

    @abstractmethod
    def _playing_alone(self, post: Post[K]) -> Alone[K]:
        """What is done and answered without the service."""

    async def __aenter__(self) -> Self:
        try:
            async with self._turn:
                await self._say_leftovers()
        except BaseException:
            await self._close()
            raise
        if self._every is not None:
            self._beating = asyncio.create_task(self._beat(self._every), name="heartbeat")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._beating is not None:
                self._beating.cancel()
                with suppress(asyncio.CancelledError):
                    await self._beating
        finally:
            await self._close()

    async def _close(self) -> None:
        try:
            await self._http.aclose()
        finally:
            self._spool.close()

    @property
    def offline(self) -> bool:
        """The service is away, or does not know yet what happened."""
        if self._post.promised is not None:
            return True
        # Without heartbeats nobody would find out that the service is back: then each call tries.
        return self._beating is not None and self._post.long_away

    @property
    def last_round(self) -> int:
        """The number of the latest round this table has begun, 0 for none."""
        return 0 if self._post.round is None else self._post.round.number

    @property
    def counted(self) -> CountedMeters | None:
        """What this client has counted; None before it has taken bets."""
        return self._post.counted

    @property
    def meters_refused(self) -> Refused | None:
        """Why the service has not taken the meters of the last heartbeat, which it was then told without."""
        return self._post.meters_refused

    @property
    def notice(self) -> str | None:
        """What the table must show its players."""
        return None if self.status is None else self.status.notice

    @property
    def delivered(self) -> list[tuple[Waiting, Answer]]:
        """Messages whose caller is gone, after a restart or an outage, with what was answered:
        by the service, or (`local`) by the fallback."""
        return self._post.delivered

    def refused(self) -> list[Turned]:
        """Replayed messages that the service did not take: the House has to look at them."""
        return self._spool.refused()

    def clear_refused(self) -> None:
        """The House has looked at them."""
        self._spool.clear_refused()

    def now(self) -> int:
        """The table's clock in microseconds, for `dealt_at`."""
        return self._post.clock.now()

    def no_more_bets(self) -> int:
        """The dealer has closed the bets: `close_bets` will report this time, or its own without it."""
        if self._closed_at is None:
            self._closed_at = self.now()
        return self._closed_at

    def reopen_bets(self) -> None:
        """The closing was taken back before it was reported."""
        self._closed_at = None

    async def heartbeat(self) -> HeartbeatAnswer:
        """One sign of life now, if nothing older has still to be said."""
        async with self._turn:
            await self._say_leftovers()
            if not self._spool.empty:
                raise Unreachable(f"what waits could not be said: {self.trouble}")
            self.status = await self._post.heartbeat(in_play=self.in_play)
        return self.status

    async def _beat(self, every: float) -> None:
        while True:
            await self._sign_of_life()
            await asyncio.sleep(every)

    async def _sign_of_life(self) -> None:
        async with self._turn:
            try:
                if not self._spool.empty:
                    await self._post.replay()
                self.status = await self._post.heartbeat(in_play=self.in_play)
                self.trouble = None
            except Exception as trouble:  # whatever it is, the next one may succeed
                self.trouble = trouble

    async def _say(
        self, kind: str, round: int, body: Body, answer: type[A], *, instead: Instead | None = None
    ) -> A:
        """`instead` answers in place of the fallback, should nobody else."""
        async with self._turn:
            await self._say_leftovers()
            if self.offline:
                away = self._alone.answer(kind, round, body) if instead is None else instead(None)
                return cast(A, away)
            message = self._spool.put(kind, round, self.now(), body, tried=True)
            try:
                return await self._post.deliver(message, answer)
            except Unreachable as trouble:
                self.trouble = trouble
                return cast(A, self._alone.give_up(message, instead))

    async def _say_leftovers(self) -> None:
        """What an earlier call or process left without an answer goes first."""
        if self._spool.empty or (self.offline and self._beating is not None):
            return  # when the service is away, the heartbeat finds out that it is back
        try:
            await self._post.replay()
            self.trouble = None
        except Unreachable as trouble:
            self.trouble = trouble
            if self._post.promised is None:
                self._alone.abandon(self._spool.waiting(AT_ONCE)[-1])
        except Refused as refused:
            self.trouble = refused
            if self._post.promised is None:
                raise
