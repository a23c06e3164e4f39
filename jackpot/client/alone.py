"""What a table does and answers without the service, and keeps for the replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from jackpot.client.errors import Refused
from jackpot.client.fallback import Fallback, K
from jackpot.client.messages import Answer, Body
from jackpot.client.post import Post
from jackpot.client.spool import Waiting

Instead = Callable[[Waiting | None], Answer]
"""Answers in place of the fallback; given the message that nobody answered, if it was sent."""


class Alone(Generic[K]):
    def __init__(self, post: Post[K], fallback: Fallback[K]) -> None:
        self._post, self._fallback = post, fallback

    def abandon(self, message: Waiting) -> None:
        """Its caller is gone. Whatever the fallback thinks of it, the service shall see it."""
        try:
            self._post.delivered.append((message, self._fall_back(message)))
        except Refused:
            self._post.promise(message.sent_at, message.round, cards_seen=True)

    def give_up(self, message: Waiting, instead: Instead | None = None) -> Answer:
        """Nobody has answered in time: the fallback does. What it refuses, the service refuses too."""
        try:
            return self._fall_back(message) if instead is None else instead(message)
        except Refused:
            self._post.spool.drop(message)
            raise

    def _fall_back(self, message: Waiting) -> Answer:
        """It was sent, so that it may have been taken."""
        answer = self._fallback.alone(self._post.round, message, self._post.registered)
        with self._post.together():
            self._post.spool.tell(message, answer)
            return self._kept(message, answer)

    def answer(self, kind: str, round: int, body: Body) -> Answer:
        """The service is known to be away: answer at once, and keep it for the replay."""
        said = Waiting(0, kind, round, self._post.clock.now(), body, tried=False)
        answer = self._fallback.alone(self._post.round, said, self._post.registered)
        with self._post.together():
            message = self._post.spool.put(kind, round, said.sent_at, body, tried=False)
            self._post.spool.tell(message, answer)
            return self._kept(message, answer)

    def _kept(self, message: Waiting, answer: Answer, *, cards_seen: bool = True) -> Answer:
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
