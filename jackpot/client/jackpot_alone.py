"""What a table with a jackpot does without it: unseen rounds are void, seen ones are finished, and no
progressive bets are taken."""

from __future__ import annotations

from jackpot.client.alone import Alone
from jackpot.client.jackpot_fallback import JackpotFallback
from jackpot.client.messages import Answer, Body, HandsAnswer, VoidAnswer, void_body
from jackpot.client.post import Post
from jackpot.client.spool import RoundKnown, Waiting


class JackpotAlone(Alone[RoundKnown]):
    _fallback: JackpotFallback

    def __init__(self, post: Post[RoundKnown], fallback: JackpotFallback) -> None:
        super().__init__(post, fallback)

    def _fall_back(self, message: Waiting) -> Answer:
        """Bets without an answer: no card was dealt on them."""
        if message.kind != "bets":
            answer = self._fallback.alone(self._post.round, message, self._post.registered)
            return self._kept(message, answer, cards_seen=self._seen(message))
        self._fallback.check_bets(message.body)
        answer = self._fallback.bets_void(message.round, message.body, self._post.registered)
        reason = void_body(self._fallback.unseen, "the jackpot could not be reached")
        with self._post.together():
            self._post.spool.put("void", message.round, self._post.clock.now(), reason, tried=False)
            return self._kept(message, answer, cards_seen=False)

    def answer(self, kind: str, round: int, body: Body) -> Answer:
        stamp = self._post.clock.now()
        said = Waiting(0, kind, round, stamp, body, tried=False)
        if kind == "bets":
            self._fallback.check_new(self._post.round, round)
            self._fallback.check_bets(body)
            body = self._fallback.without_progressive(body)
        answer = self._fallback.alone(self._post.round, said, self._post.registered)
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

    def _seen(self, message: Waiting) -> bool:
        """A round is unseen only if that is why it is void."""
        return message.kind == "hands" or message.body["reason"] != self._fallback.unseen
