"""Delivers what a table says, in order and once, and knows whether the service is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct, to_builtins

from jackpot.client.clock import TableClock
from jackpot.client.errors import Conflict, Refused, Unreachable, refusal
from jackpot.client.fallback import Fallback, K
from jackpot.client.messages import Answer, Body, HeartbeatAnswer, Meter
from jackpot.client.spool import CountedMeters, Offline, Spool, Waiting
from jackpot.client.transport import LATER, Transport
from jackpot.core import refusals
from jackpot.core.instants import parse_instant, spoken_instant
from jackpot.link.meters import Meters
from jackpot.link.table_terms import TableTerms

AT_ONCE = 50
"""Messages of a spool in one request."""
OF_METERS = (refusals.MetersWrong.code, refusals.MetersAhead.code, refusals.RoundUnknown.code)
"""Why a heartbeat is refused for what it tells of meters: then it is said again without them."""
_METHODS = {"bets": "PUT", "hands": "PUT", "void": "POST"}
A = TypeVar("A", bound=Answer)


class _Told(Struct):
    """The answer to one event of a replay, or why it was refused."""

    status: int
    answer: msgspec.Raw = msgspec.Raw(b"null")
    problem: dict[str, Any] = {}


class _Replayed(Struct):
    answers: list[_Told]


class Post(Generic[K]):
    def __init__(
        self, fallback: Fallback[K], spool: Spool, transport: Transport, clock: TableClock, patience: float
    ) -> None:
        self._path = f"/v1/tables/{fallback.table}"
        self._fallback, self.spool, self._transport = fallback, spool, transport
        self._patience = int(patience * 1_000_000)
        self.clock = clock
        self._echo: Body | None = None
        """Of the last answer heard. Never kept on disk: after a restart the clock may be another one."""
        self.registered = spool.recall("meter", Meter)
        self.round = spool.recall("round", fallback.known)
        self.counted = spool.recall("counted", CountedMeters)
        self.meters: Callable[[], CountedMeters | None] = lambda: self.counted
        """What is told of them."""
        self.meters_refused: Refused | None = None
        self.promised = spool.recall("offline", Offline)
        self._terms = spool.recall("terms", TableTerms)
        if self._terms is not None:
            fallback.on_terms(self._terms)
        self.away_since: int | None = None
        self._away_until = 0
        self.delivered: list[tuple[Waiting, Answer]] = []
        """What was left over from an earlier call or process, and its answers."""
        if self.promised is not None and spool.empty:
            self._come_back()  # killed when everything was said

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything inside is kept, or nothing is, on disk and here."""
        before = self.registered, self.round, self.counted, self.promised
        try:
            with self.spool.together():
                yield
        except BaseException:
            self.registered, self.round, self.counted, self.promised = before
            raise

    @property
    def long_away(self) -> bool:
        """Attempts have failed for longer than its patience; one that failed long ago does not say that."""
        return self.away_since is not None and self._away_until - self.away_since > self._patience

    def lost(self, since: int) -> None:
        self.away_since = since if self.away_since is None else self.away_since
        self._away_until = self.clock.now()

    async def deliver(self, message: Waiting, answer: type[A]) -> A:
        """Send one message live. Refused, it leaves the spool; without an answer it stays there."""
        path = f"{self._path}/rounds/{message.round}/{message.kind}"
        try:
            body = self._live(message.body, message.sent_at, self._seq() + 1)
            told = await self._transport.ask(_METHODS[message.kind], path, body, answer)
        except Refused as refused:
            if self._adopt_number(refused):
                return await self.deliver(message, answer)
            with self.together():
                self.spool.drop(message)
                self._learn(message, refused)
            raise
        except Unreachable:
            self.lost(message.sent_at)
            raise
        with self.together():
            self._taken(message, told)
        self.away_since = None
        return told

    def _live(self, body: Body, sent_at: int, seq: int) -> Body:
        live = {**body, "sent_at": spoken_instant(sent_at), "seq": seq}
        return live if self._echo is None else {**live, "echo": self._echo}

    def _seq(self) -> int:
        """The number of the last message that was taken."""
        return self.spool.recall("seq", int) or 0

    def _adopt_number(self, refused: Refused) -> bool:
        """Another controller, or another spool, has spoken for this table before: go on where it ended.

        A gap is something else: the service has lost what it had answered, and people must know."""
        expected = refused.expected
        if not isinstance(refused, Conflict) or refused.code != "seq_passed" or expected is None:
            return False
        if expected <= self._seq() + 1:
            return False
        self.spool.know("seq", expected - 1)
        return True

    def _taken(self, message: Waiting, told: Answer) -> None:
        self._heard(told)
        self.spool.answered(message, self._seq() + 1)
        self.spool.know("stamp", self.clock.now())
        if self.registered is not None:
            self.spool.know("meter", self.registered)
        if self.promised is None:  # else it was noted when it was answered without the service
            self.note(message, told)

    def _heard(self, told: Answer) -> None:
        heard_at = self.clock.now()
        self.registered = told.meter or self.registered
        with suppress(refusals.Refused):  # the echo of what is no time would get the next message refused
            parse_instant(told.replied_at or "", field="replied_at")
            self._echo = {"replied_at": told.replied_at, "heard_at": spoken_instant(heard_at)}

    def note(self, message: Waiting, told: Answer) -> None:
        """What the fallback must know of the round, should the service go away."""
        before, self.round = self.round, self._fallback.noted(self.round, message, told)
        if self.round is None:
            return
        self.spool.know("round", self.round)
        if before is not None and before.number != self.round.number:
            self._count(before)
        if self.counted is None and message.kind == "bets":
            self.counted = CountedMeters(first=self.round.number)
            self.spool.know("counted", self.counted)
        if self.round.over:
            self._count(self.round)

    def _count(self, over: K) -> None:
        """Once, and only what was begun while it was counted."""
        counted = self.counted
        if counted is None or over.number <= counted.round or over.number < (counted.first or 0):
            return
        more = Meters(rounds=1) if over.voided else self._fallback.metered(over)
        self.counted = counted.plus(over.number, more)
        self.spool.know("counted", self.counted)

    def _learn(self, message: Waiting, refused: Refused) -> None:
        """What the House has done to the round meanwhile."""
        if self.round is None or self.round.number != message.round:
            return
        self.round = self._fallback.turned(self.round, refused)
        self.spool.know("round", self.round)
        if self.round.over:
            self._count(self.round)

    def promise(self, since: int, round: int | None, *, cards_seen: bool) -> None:
        """Kept until everything is replayed; the first promise of an outage stands."""
        if self.promised is None:
            self.promised = Offline(since, round, cards_seen, self.registered)
            self.spool.know("offline", self.promised)

    async def heartbeat(self, *, in_play: bool) -> HeartbeatAnswer:
        said: Body = {"in_play": in_play}
        try:
            told = await self._beat(said | self._metered())
        except Refused as refused:
            if not self._adopt_number(refused) and refused.code not in OF_METERS:
                raise
            self.meters_refused = refused if refused.code in OF_METERS else None
            return await self._beat(said)
        self.meters_refused = None
        return told

    def _metered(self) -> Body:
        """Nothing before the first round is over: all is said then that was counted."""
        told = self.meters()
        return {} if told is None or not told.round else {"meters": to_builtins(told)}

    async def _beat(self, said: Body) -> HeartbeatAnswer:
        sent = self.clock.now()
        # By the last message's number, not by its time: that may have been a clock's that was ahead.
        body = self._live(said, sent, self._seq())
        try:
            told = await self._transport.ask_once("POST", f"{self._path}/heartbeat", body, HeartbeatAnswer)
        except Unreachable:
            self.lost(sent)
            raise
        self._heard(told)
        self._on_terms(told.terms)
        self.away_since = None
        return told

    def _on_terms(self, terms: TableTerms | None) -> None:
        """As the House has them; kept, so that a controller that starts without the service knows them."""
        if terms is not None and terms != self._terms:
            self.spool.know("terms", terms)
            self._terms = terms
            self._fallback.on_terms(terms)

    async def replay(self) -> None:
        """Say everything that waits, in order; what the service refuses now is kept for people."""
        while batch := self.spool.waiting(AT_ONCE):
            offline: Body | None = None
            if self.promised is not None:
                batch, offline = self._fallback.offline(self.promised, batch)
            body = {"events": self._events(batch), "offline": offline}
            try:
                replayed = await self._transport.ask_once("POST", f"{self._path}/events", body, _Replayed)
                self._sort(batch, replayed.answers)
            except Unreachable:
                self.lost(batch[0].sent_at)
                raise
        self._come_back()

    def _come_back(self) -> None:
        self.spool.forget("offline")
        self.promised = self.away_since = None

    def _events(self, batch: list[Waiting]) -> list[Body]:
        return [
            {
                **message.body,
                "kind": message.kind,
                "round": message.round,
                "sent_at": spoken_instant(message.sent_at),
                "seq": number,
            }
            for number, message in enumerate(batch, self._seq() + 1)
        ]

    def _sort(self, batch: list[Waiting], answers: list[_Told]) -> None:
        """Take answers up to the first refusal: it has freed its number, so that the rest is said again."""
        if not answers:
            raise Unreachable("a replay was answered with nothing")
        for message, told in zip(batch, answers, strict=False):
            if told.status in LATER:
                raise Unreachable(f"answered {told.status}")
            if told.status >= 400:
                self._turned(message, refusal(told.status, told.problem))
                return
            answer = _read(message, told, self._fallback.answers[message.kind])
            with self.together():
                self._compare(message, answer)
                self._taken(message, answer)
            self.delivered.append((message, answer))

    def _compare(self, message: Waiting, answered: Answer) -> None:
        alone = self.spool.told(message, self._fallback.answers[message.kind])
        if alone is not None and self._fallback.differs(alone, answered):
            self.spool.differ(message, alone, answered)

    def _turned(self, message: Waiting, refused: Refused) -> None:
        if self._adopt_number(refused):
            return
        if refused.code == "gap":
            raise refused
        with self.together():
            if self.promised is None:
                self._learn(message, refused)
            if message.kind == "void" and refused.code == "round_voided":
                self.spool.drop(message)  # what it asks for was done when the outage was reported
            else:
                self.spool.turned(message, refused.problem)


def _read(message: Waiting, told: _Told, answer: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(told.answer, type=answer)
    except msgspec.MsgspecError as error:
        raise Unreachable(f"{message.kind} were answered with something else: {error}") from error
