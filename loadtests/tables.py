"""Table controllers: both games, heartbeats, and a spool for the time without the service."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from locust import task

from jackpot.client.clock import TableClock
from jackpot.client.messages import Body
from jackpot.core.instants import spoken_instant
from loadtests.callers import Caller, Told, rest
from loadtests.notes import Answered
from loadtests.rounds import Round, game_of, honest_round, rigged_round
from loadtests.shapes import Presence, presence
from tests.service import token_of

BEAT_EVERY = 1.0
AT_ONCE = 50
"""Messages of a spool in one request, as the client sends them."""
AGAIN = 0.01
"""How often a message that was answered is sent once more, as a controller does that missed the answer."""
LATER = 0.2
METHODS = {"bets": "PUT", "hands": "PUT"}


class TableUser(Caller):
    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self.table = self.floor.plan.table_ids[self.number]
        self.token = token_of(self.table)
        self.rng = Random(f"{self.floor.plan.seed} {self.table}")
        self.clock = TableClock()
        self.round, self.seq = 0, 0
        self.registered: Body | None = None
        self.echo: Body = {}
        """Of the last answer heard, as the next message carries it."""
        self.spool: list[Body] = []
        self.offline: Body | None = None
        self.closed = False
        self.beaten = 0.0
        self.next_round = time.monotonic() + self.rng.uniform(0, self.floor.plan.round_every)

    @task
    def turn(self) -> None:
        now = presence(self.floor.plan, self.number, self.floor.seconds)
        if now is Presence.ALONE:
            self._play_alone()
        elif self.offline is not None:
            self._replay()
        elif now is Presence.CLOSED:
            self._stay_closed()
        else:
            self._play()

    # With the service

    def _play(self) -> None:
        self.closed = False
        self._wait_until(self.next_round)
        if presence(self.floor.plan, self.number, self.floor.seconds) is not Presence.PLAYING:
            return  # it has changed while the table waited
        self.next_round = max(self.next_round + self.floor.plan.round_every, time.monotonic())
        played, dealt_at = self._begin()
        pause = self.floor.plan.round_every / 5
        self._wait_until(time.monotonic() + self.rng.uniform(0, pause))
        self._say("hands", played.first_hands(dealt_at))
        self._wait_until(time.monotonic() + self.rng.uniform(0, pause))
        self._say("hands", played.last_hands(dealt_at))

    def _begin(self) -> tuple[Round, int]:
        """Bets are closed and reported; when they are answered, the cards are dealt."""
        game, royal = game_of(self.table), self.floor.rigged()
        played = honest_round(self.rng, game) if royal is None else rigged_round(self.rng, game, royal=royal)
        self.round += 1
        self._say("bets", played.bets_body(self.clock.now()))
        return played, self.clock.now()

    def _stay_closed(self) -> None:
        if not self.closed:
            self._beat(in_play=False)
            self.closed = True
        rest(LATER)
        self.next_round = time.monotonic() + self.rng.uniform(0, 1)

    def _wait_until(self, moment: float) -> None:
        while (now := time.monotonic()) < moment:
            if now - self.beaten >= BEAT_EVERY:
                self._beat()
            else:
                rest(min(moment, self.beaten + BEAT_EVERY) - now)

    def _beat(self, *, in_play: bool = True) -> None:
        self.beaten = time.monotonic()
        body = self._stamped({"in_play": in_play})
        told = self.ask("POST", f"/v1/tables/{self.table}/heartbeat", "heartbeat", body)
        if told.status == 200:
            self._hear(told.body)

    def _stamped(self, body: Body) -> Body:
        return {**body, **self.echo, "sent_at": spoken_instant(self.clock.now())}

    def _hear(self, told: Body) -> None:
        heard_at = spoken_instant(self.clock.now())
        self.echo = {"echo": {"replied_at": told["replied_at"], "heard_at": heard_at}}
        self.registered = told["meter"]

    def _say(self, kind: str, body: Body) -> None:
        """Until it is answered; what is refused has failed the run already and is not said again."""
        self.seq += 1
        body = {**self._stamped(body), "seq": self.seq}
        told = self._sent(kind, kind, body)
        while told.status in (0, 429, 503):
            rest(LATER)
            told = self._sent(kind, kind, body)
        if told.status not in (200, 201):
            self.seq -= 1
            return
        self._note(kind, self.round, told.body)
        if self.rng.random() < AGAIN:
            again = self._sent(kind, f"{kind} again", body)
            if again.status in (200, 201) and _content(again.body) != _content(told.body):
                self.wrong(f"{kind} again", "answered otherwise than the first time")

    def _sent(self, kind: str, name: str, body: Body) -> Told:
        return self.ask(METHODS[kind], f"/v1/tables/{self.table}/rounds/{self.round}/{kind}", name, body)

    def _note(self, kind: str, round: int, told: Body) -> None:
        self._hear(told)
        bets = [one["progressive"] for one in told.get("accepted", ())]
        key, meter = f"{self.table}/{round}/{kind}", told["meter"]
        self.floor.notes.answered(Answered(key, meter["sequence"], meter["value"], len(bets), sum(bets)))

    # Without it

    def _play_alone(self) -> None:
        """The round in which the service is lost has progressive bets; those after it have none."""
        if self.offline is None:
            played, dealt_at = self._begin()
            self.offline = {
                "since": spoken_instant(dealt_at),
                "round": self.round,
                "cards_seen": True,
                "registered": self.registered,
            }
        else:
            played = honest_round(self.rng, game_of(self.table), progressive=False)
            self.round += 1
            dealt_at = self.clock.now()
            self._keep("bets", played.bets_body(dealt_at))
        self._keep("hands", played.first_hands(dealt_at))
        self._keep("hands", played.last_hands(dealt_at))
        rest(min(self.floor.plan.round_every, 1.0))

    def _keep(self, kind: str, body: Body) -> None:
        stamp = {"sent_at": spoken_instant(self.clock.now()), "kind": kind, "round": self.round}
        self.spool.append({**body, **stamp})

    def _replay(self) -> None:
        while self.spool:
            batch = self.spool[:AT_ONCE]
            numbered = [{**one, "seq": self.seq + place} for place, one in enumerate(batch, 1)]
            body = {"events": numbered, "offline": self.offline}
            told = self.ask("POST", f"/v1/tables/{self.table}/events", "events", body)
            if told.status == 200:
                self._sort(batch, told.body["answers"])
            else:
                rest(LATER)
        self.offline = None

    def _sort(self, batch: list[Body], answers: list[Body]) -> None:
        for event, one in zip(batch, answers, strict=True):
            if one["status"] in (200, 201):
                self.seq += 1
                self._note(event["kind"], event["round"], one["answer"])
            else:
                self.wrong("event", f"{one['status']} {one['problem']['code']}")
        del self.spool[: len(batch)]


def _content(told: Body) -> Body:
    """Without the stamp: a repeat has its own."""
    return {name: value for name, value in told.items() if name != "replied_at"}
