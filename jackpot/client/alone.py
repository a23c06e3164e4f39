"""What a table does and answers without the service, and keeps for the replay."""

from __future__ import annotations

from jackpot.client.errors import Refused
from jackpot.client.fallback import Fallback
from jackpot.client.messages import Answer, Body, HandsAnswer, VoidAnswer, void_body
from jackpot.client.post import Post
from jackpot.client.spool import Waiting


class Alone:
    def __init__(self, post: Post, fallback: Fallback) -> None:
        self._post, self._fallback = post, fallback

    def abandon(self, message: Waiting) -> None:
        """Its caller is gone. Whatever the fallback thinks of it, the service shall see it."""
        try:
            self._post.delivered.append((message, self._fall_back(message)))
        except Refused:
            self._post.promise(message.sent_at, message.round, cards_seen=True)

    def give_up(self, message: Waiting, *, unseen: bool) -> Answer:
        """Nobody has answered in time: the fallback rule does. What it refuses, the service refuses too."""
        try:
            return self.void_unseen(message.round, instead_of=message) if unseen else self._fall_back(message)
        except Refused:
            self._post.spool.drop(message)
            raise

    def _fall_back(self, message: Waiting) -> Answer:
        """It was sent, so that it may have been taken. Bets without an answer: no card was dealt on them."""
        if message.kind != "bets":
            answer = self._local(message)
            return self._kept(message, answer, cards_seen=self._seen(message))
        self._fallback.check_bets(message.body)
        answer = self._fallback.bets_void(message.round, message.body, self._post.registered)
        reason = void_body(self._fallback.unseen, "the jackpot could not be reached")
        with self._post.together():
            self._post.spool.put("void", message.round, self._post.clock.now(), reason, tried=False)
            return self._kept(message, answer, cards_seen=False)

    def answer(self, kind: str, round: int, body: Body) -> Answer:
        """The service is known to be away: answer at once, and keep it for the replay."""
        stamp = self._post.clock.now()
        said = Waiting(0, kind, round, stamp, body, tried=False)
        if kind == "bets":
            self._fallback.check_new(self._post.round, round)
            self._fallback.check_bets(body)
            body = self._fallback.without_progressive(body)
        answer = self._local(said)
        with self._post.together():
            self._post.spool.put(kind, round, stamp, body, tried=False)
            # Of a round before these bets the cards were seen, or its caller would have voided it.
            return self._kept(said, answer, cards_seen=kind == "bets" or self._seen(said))

    def void_unseen(self, round: int, instead_of: Waiting | None = None) -> HandsAnswer:
        reason = void_body(self._fallback.unseen, "no card was seen")
        with self._post.together():
            if instead_of is not None:
                self._post.spool.drop(instead_of)
            void = self.answer("void", round, reason)
        told = void if isinstance(void, VoidAnswer) else VoidAnswer(state="voided")
        return HandsAnswer(
            state="voided",
            returned=told.returned,
            settlement=told.settlement,
            adjustments=told.adjustments,
            meter=void.meter,
            local=True,
        )

    def _kept(self, message: Waiting, answer: Answer, *, cards_seen: bool) -> Answer:
        known, at_loss = self._post.round, None
        if message.tried or message.kind != "bets":
            at_loss = message.round
        elif known is not None:
            at_loss = known.number
        since = self._post.away_since or message.sent_at
        with self._post.together():
            self._post.promise(since, at_loss, cards_seen=cards_seen)
            self._post.note(message, answer)
        return answer

    def _local(self, message: Waiting) -> Answer:
        """The fallback's answer, or its refusal."""
        known, meter = self._post.round, self._post.registered
        if message.kind == "bets":
            return self._fallback.progressive_off(message.round, message.body, meter)
        known = self._fallback.check_current(known, message.round)
        if message.kind == "void":
            return self._fallback.void(known, meter, message.body["reason"])
        return self._fallback.hands(known, message.sent_at, message.body, meter)

    def _seen(self, message: Waiting) -> bool:
        """A round is unseen only if that is why it is void."""
        return message.kind == "hands" or message.body["reason"] != self._fallback.unseen
