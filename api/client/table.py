"""A table's word to the service: typed, in order, durable, and with the fallback of the game rules."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self, TypeVar, cast

import httpx

from api.client.errors import BetsAreClosed, ClientError, Refused, Unreachable
from api.client.fallback import Fallback
from api.client.messages import (
    Answer,
    Bets,
    BetsAnswer,
    Body,
    Hand,
    HandsAnswer,
    HeartbeatAnswer,
    Meter,
    VoidAnswer,
    bets_body,
    hands_body,
    void_body,
)
from api.client.post import AT_ONCE, Post
from api.client.spool import Spool, Turned, Waiting
from api.client.transport import Patience, Transport
from jackpot.rulebook import Game
from jackpot.state import TableSetup
from jackpot.tables import MOST_BOXES
from jackpot.views import NOTICE_OFF

A = TypeVar("A", bound=Answer)
QUICK_BEATS = 4
"""The first heartbeats follow each other quickly, so that the clock is measured before it is needed."""


class TableClient:
    """One table's controller, one message in flight. The dealer deals when `close_bets` has returned."""

    def __init__(
        self,
        url: str,
        table: str,
        token: str,
        game: Game,
        spool: Path,
        *,
        boxes: int = MOST_BOXES,
        heartbeat_every: float | None = 1.0,
        patience: Patience | None = None,
        rng: Random | None = None,
    ) -> None:
        patience = patience or Patience()
        self._http = httpx.AsyncClient(
            base_url=url,
            headers={"Authorization": f"Bearer {token}"},
            timeout=patience.attempt,
            trust_env=False,
        )
        self._spool = Spool(spool, table)
        transport = Transport(self._http, patience, rng or Random())  # noqa: S311 spreads retries only
        self._post = Post(table, self._spool, transport, patience.whole)
        self._fallback = Fallback(TableSetup(id=table, game=game, boxes=boxes))
        self._every = heartbeat_every
        self._beating: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self.in_play = True
        self.status: HeartbeatAnswer | None = None
        self.trouble: ClientError | None = None
        """Why the last heartbeat or replay failed, if it did."""

    async def __aenter__(self) -> Self:
        async with self._turn:
            await self._say_leftovers()
        if self._every is not None:
            self._beating = asyncio.create_task(self._beat(self._every), name="heartbeat")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._beating is not None:
            self._beating.cancel()
            with suppress(asyncio.CancelledError):
                await self._beating
        await self._http.aclose()
        self._spool.close()

    @property
    def offline(self) -> bool:
        """No progressive bets are taken: the service is away, or does not know yet what happened."""
        if self._post.promised is not None:
            return True
        # Without heartbeats nobody would find out that the service is back: then each call tries.
        return self._beating is not None and self._post.long_away

    @property
    def registered(self) -> Meter | None:
        return self._post.registered

    @property
    def last_round(self) -> int:
        """The number of the latest round this table has begun, 0 for none."""
        return 0 if self._post.round is None else self._post.round.number

    @property
    def notice(self) -> str | None:
        """What the table must show its players."""
        if self.offline:
            return NOTICE_OFF
        return None if self.status is None else self.status.notice

    @property
    def delivered(self) -> list[tuple[Waiting, Answer]]:
        """Messages whose caller is gone, after a restart or an outage, with what the service answered."""
        return self._post.delivered

    def refused(self) -> list[Turned]:
        """Replayed messages that the service did not take: the House has to look at them."""
        return self._spool.refused()

    def now(self) -> int:
        """The table's clock in microseconds, for `dealt_at`."""
        return self._post.clock.now()

    def no_more_bets(self) -> int:
        """The dealer has closed the bets: nothing else is said until `close_bets`, or `reopen_bets`."""
        if self._post.closed_at is None:
            self._post.closed_at = self.now()
        return self._post.closed_at

    def reopen_bets(self) -> None:
        """The closing was taken back before it was reported."""
        self._post.closed_at = None

    async def close_bets(self, round: int, boxes: Sequence[Bets]) -> BetsAnswer:
        """If it is refused, bets are still closed: correct it and call again, or reopen them."""
        body = bets_body(self.no_more_bets(), boxes)
        answer = await self._say("bets", round, body, BetsAnswer)
        self._post.closed_at = None
        return answer

    async def report_hands(
        self,
        round: int,
        hands: Sequence[Hand],
        *,
        community: Sequence[str] = (),
        dealer: Sequence[str] = (),
        final: bool = False,
        cards_seen: bool = True,
    ) -> HandsAnswer:
        """Without the service a round of which no player has seen a card is void, whatever a shoe reports."""
        body = hands_body(hands, community, dealer, final=final)
        return await self._say("hands", round, body, HandsAnswer, unseen=not cards_seen)

    async def void_round(self, round: int, reason: str, note: str = "") -> VoidAnswer:
        return await self._say("void", round, void_body(reason, note), VoidAnswer)

    async def heartbeat(self) -> HeartbeatAnswer:
        """One sign of life now, if nothing older has still to be said."""
        if self._post.closed_at is not None:
            raise BetsAreClosed("report the closed bets first, or reopen them")
        async with self._turn:
            await self._say_leftovers()
            if not self._spool.empty:
                raise Unreachable(f"what waits could not be said: {self.trouble}")
            self.status = await self._post.heartbeat(in_play=self.in_play)
        return self.status

    async def _beat(self, every: float) -> None:
        beats = 0
        while True:
            if self._post.closed_at is None:
                await self._sign_of_life()
                beats += 1
            await asyncio.sleep(every if beats > QUICK_BEATS else every / 10)

    async def _sign_of_life(self) -> None:
        async with self._turn:
            if self._post.closed_at is not None:  # closed while we waited for our turn
                return
            try:
                if not self._spool.empty:
                    await self._post.replay()
                self.status = await self._post.heartbeat(in_play=self.in_play)
                self.trouble = None
            except ClientError as trouble:
                self.trouble = trouble

    async def _say(self, kind: str, round: int, body: Body, answer: type[A], *, unseen: bool = False) -> A:
        async with self._turn:
            await self._say_leftovers()
            if self.offline:
                away = self._void_unseen(round) if unseen else self._without_service(kind, round, body)
                return cast(A, away)
            message = self._spool.put(kind, round, self._post.stamp(kind), body, tried=True)
            try:
                return await self._post.deliver(message, answer)
            except Unreachable as trouble:
                self.trouble = trouble
                given_up = self._void_unseen(round, instead_of=message) if unseen else self._give_up(message)
                return cast(A, given_up)

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
                self._abandon(self._spool.waiting(AT_ONCE)[-1])
        except Refused as refused:
            self.trouble = refused
            if self._post.promised is None:
                raise

    def _abandon(self, message: Waiting) -> None:
        """Its caller is gone. Whatever the fallback thinks of it, the service shall see it."""
        try:
            self._fall_back(message)
        except Refused:
            self._post.promise(message.sent_at, message.round, cards_seen=True)

    def _give_up(self, message: Waiting) -> Answer:
        """Nobody has answered in time: the fallback rule does. What it refuses, the service refuses too."""
        try:
            return self._fall_back(message)
        except Refused:
            self._spool.drop(message)
            raise

    def _fall_back(self, message: Waiting) -> Answer:
        """It was sent, so that it may have been taken. Bets without an answer: no card was dealt on them."""
        if message.kind != "bets":
            answer = self._local(message)
            return self._kept(message, answer, cards_seen=self._seen(message))
        answer = self._fallback.bets_void(message.round, message.body, self.registered)
        reason = void_body(self._fallback.unseen, "the jackpot could not be reached")
        with self._spool.together():
            self._spool.put("void", message.round, self.now(), reason, tried=False)
            return self._kept(message, answer, cards_seen=False)

    def _without_service(self, kind: str, round: int, body: Body) -> Answer:
        """The service is known to be away: answer at once, and keep it for the replay."""
        stamp = self._post.stamp(kind)
        said = Waiting(0, kind, round, stamp, body, tried=False)
        if kind == "bets":
            self._fallback.check_new(self._post.round, round)
            body = self._fallback.without_progressive(body)
        answer = self._local(said)
        with self._spool.together():
            self._spool.put(kind, round, stamp, body, tried=False)
            # Of a round before these bets the cards were seen, or its caller would have voided it.
            return self._kept(said, answer, cards_seen=kind == "bets" or self._seen(said))

    def _void_unseen(self, round: int, instead_of: Waiting | None = None) -> HandsAnswer:
        reason = void_body(self._fallback.unseen, "no card was seen")
        with self._spool.together():
            if instead_of is not None:
                self._spool.drop(instead_of)
            void = self._without_service("void", round, reason)
        returned = void.returned if isinstance(void, VoidAnswer) else ()
        return HandsAnswer(state="voided", returned=returned, meter=void.meter, local=True)

    def _kept(self, message: Waiting, answer: Answer, *, cards_seen: bool) -> Answer:
        known, at_loss = self._post.round, None
        if message.tried or message.kind != "bets":
            at_loss = message.round
        elif known is not None:
            at_loss = known.number
        since = self._post.away_since or message.sent_at
        self._post.promise(since, at_loss, cards_seen=cards_seen)
        self._post.note(message, answer)
        return answer

    def _local(self, message: Waiting) -> Answer:
        """The fallback's answer, or its refusal."""
        known, meter = self._post.round, self.registered
        if message.kind == "bets":
            return self._fallback.progressive_off(message.round, message.body, meter)
        known = self._fallback.check_current(known, message.round)
        if message.kind == "void":
            return self._fallback.void(known, meter)
        return self._fallback.hands(known, message.sent_at, message.body, meter)

    def _seen(self, message: Waiting) -> bool:
        """A round is unseen only if that is why it is void."""
        return message.kind == "hands" or message.body["reason"] != self._fallback.unseen
