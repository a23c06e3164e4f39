"""What each message of a table costs the service over HTTP, in polls of the meter.

Tables on one connection each, that send the next message when the last is answered; one kind of message after
the other, in turns, on one service with PostgreSQL and fsync. What is compared is the CPU of the serving
process: it depends little on what else the machine does, and a poll measured in the same run is its unit.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from jackpot.cards.cards import names
from jackpot.cards.evaluator import hand_of, strength
from jackpot.games.blackjack import BLACKJACK_GAMES, Bets, BlackjackRules, BoxBet, Layout, close
from jackpot.games.blackjack.told import Hand
from jackpot.games.progressive import Level, level_of
from jackpot.games.strategies import bets_stud
from jackpot.simulation.pit_evenings import LongShoe, deal_table
from tests.bench.timing import cpu_of
from tests.service import FloorFile, Service, link_entry, token_of

TABLES = 64
"""Of each game."""
DECKS = 8
STUD, HOLDEM = "casino_stud", "texas_holdem"
Json = dict[str, Any]
Round = tuple[Json, Json]
Request = tuple[str, str, Json | None]
"""Method, path and body."""
_REPLIED = re.compile(rb'"replied_at":"([^"]+)"')


def stud_rounds(chance: random.Random) -> Iterator[Round]:
    while True:
        deck = chance.sample(range(52), 40)
        hands = [tuple(deck[start : start + 5]) for start in range(0, 40, 5)]
        if any(_is_major(one) for one in hands[:7]):
            continue  # it would hold the pool for the rest of the turn
        boxes = [{"box": box, "ante": 2500, "progressive": 500} for box in range(1, 8)]
        told = [
            {"box": box, "cards": names(cards), **_stud_decision(cards)}
            for box, cards in enumerate(hands[:7], 1)
        ]
        yield {"boxes": boxes}, {"hands": told, "dealer": {"cards": names(hands[7])}, "final": True}


def _is_major(cards: Sequence[int]) -> bool:
    return level_of(hand_of(strength(cards))) is Level.MAJOR


def _stud_decision(cards: tuple[int, ...]) -> Json:
    return {"decision": "bet", "bet": 5000} if bets_stud(cards) else {"decision": "fold"}


def holdem_rounds(chance: random.Random) -> Iterator[Round]:
    while True:
        deck = chance.sample(range(52), 21)
        if any(_is_major((*deck[2 * box - 2 : 2 * box], *deck[14:17])) for box in range(1, 8)):
            continue
        boxes = [{"box": box, "ante": 2500, "progressive": 500} for box in range(1, 8)]
        told = [
            {"box": box, "cards": names(deck[2 * box - 2 : 2 * box])} | _holdem_decision(box)
            for box in range(1, 8)
        ]
        table = {"community": names(deck[14:19]), "dealer": {"cards": names(deck[19:])}}
        yield {"boxes": boxes}, {"hands": told, "final": True, **table}


def _holdem_decision(box: int) -> Json:
    if box % 7 == 0:
        return {"decision": "fold"}
    return {"decision": "bet", "flop": 5000, "turn": 2500, "river": 0}


def blackjack_rounds(chance: random.Random, rules: BlackjackRules) -> Iterator[Round]:
    boxes, shoe = range(1, (rules.most_boxes or 7) + 1), LongShoe(chance, DECKS, "bench")
    side = dict.fromkeys(rules.side[:1], 500)
    laid = Bets(boxes=tuple(BoxBet(box=box, bet=2500, side=side) for box in boxes))
    closing = close(Layout(rules=rules, boxes=len(boxes), decks=DECKS), laid)
    while True:
        found = deal_table(shoe, closing, lambda _box, _player, _natural: None).final
        told = {"hands": [_told(one) for one in found.hands], "dealer": {"cards": found.dealer}}
        drawn = found.shoe.drawn if found.shoe is not None else ()
        bets = {"boxes": [{"box": box, "bet": 2500, **side} for box in boxes]}
        yield bets, told | {"shoe": {"drawn": drawn}, "final": True}


def _told(hand: Hand) -> Json:
    told: Json = {"cards": hand.cards}
    if box := getattr(hand, "box", None):
        told["box"] = box
    if hand.decision is not None:
        told["decision"] = hand.decision
    return told | ({"split": [_told(one) for one in hand.split]} if hand.split else {})


@dataclass
class Table:
    """The controller of one table: what it says, message by message."""

    name: str
    rounds: Iterator[Round]
    number: int = 0

    def polling(self) -> Iterator[Request]:
        while True:
            yield "GET", "/v1/links/main/meter", None

    def beating(self) -> Iterator[Request]:
        while True:
            yield "POST", f"/v1/tables/{self.name}/heartbeat", {"in_play": True}

    def betting(self) -> Iterator[Request]:
        bets, _ = next(self.rounds)
        while True:
            yield self._bets(bets)

    def playing(self) -> Iterator[Request]:
        while True:
            bets, hands = next(self.rounds)
            yield self._bets(bets)
            yield "PUT", f"/v1/tables/{self.name}/rounds/{self.number}/hands", hands

    def _bets(self, bets: Json) -> Request:
        self.number += 1
        return "PUT", f"/v1/tables/{self.name}/rounds/{self.number}/bets", bets | {"closed_at": STAMP}


STAMP = "@now@"


@dataclass
class Loop:
    """Until when callers go on, and how long each waited."""

    end: float
    waits: list[float] = field(default_factory=list)
    size: int = 0


class Caller(asyncio.Protocol):
    """One connection: the next request goes out when the last is answered."""

    def __init__(
        self, token: str, requests: Iterator[Request], loop: Loop, done: asyncio.Future[None]
    ) -> None:
        self._requests, self._loop, self._done = requests, loop, done
        self._head = f"Host: bench\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        self._transport: Any = None
        self._sent = 0.0
        self._echo: Json = {}
        self._heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, found, body = self._heard.partition(b"\r\n\r\n")
        if not found or len(body) < _length(head):
            return
        if not head.startswith(b"HTTP/1.1 20"):
            self._fail(self._heard)
            return
        self._answered(time.perf_counter())

    def _answered(self, now: float) -> None:
        self._loop.waits.append(now - self._sent)
        if replied := _REPLIED.search(self._heard[-80:]) or _REPLIED.search(self._heard):
            self._echo = {"echo": {"replied_at": replied[1].decode(), "heard_at": _now()}}
        self._heard = b""
        if now < self._loop.end:
            self._send()
        else:
            self._transport.close()

    def connection_lost(self, _why: Exception | None) -> None:
        if not self._done.done():
            self._done.set_result(None)

    def _fail(self, data: bytes) -> None:
        if not self._done.done():
            self._done.set_exception(AssertionError(data[:1000].decode()))

    def _send(self) -> None:
        method, path, body = next(self._requests)
        said = ""
        if body is not None:
            now = _now()
            said = json.dumps(body | self._echo | {"sent_at": now}, separators=(",", ":")).replace(STAMP, now)
        whole = f"{method} {path} HTTP/1.1\r\n{self._head}Content-Length: {len(said)}\r\n\r\n{said}".encode()
        self._loop.size += len(whole)
        self._sent = time.perf_counter()
        self._transport.write(whole)


def _now() -> str:
    return datetime.now(UTC).isoformat()


def _length(head: bytes) -> int:
    at = head.lower().find(b"content-length:")
    return int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one kind of message in one turn."""

    cpu: float
    """Microseconds of the service a message."""
    rate: float
    middle: float
    slowest: float
    """Milliseconds: the median, and what one answer in a hundred exceeds."""


async def cost_of(service: Service, requests: list[tuple[str, Iterator[Request]]], seconds: float) -> Cost:
    """Of so many callers, each with its table's token."""
    loop, pid = asyncio.get_running_loop(), service.process.pid
    cpu, began = cpu_of(pid), time.perf_counter()
    shared, waiting = Loop(began + seconds), list[asyncio.Future[None]]()
    for table, said in requests:
        done: asyncio.Future[None] = loop.create_future()
        waiting.append(done)
        caller = Caller(token_of(table), said, shared, done)
        await loop.create_connection(lambda made=caller: made, "127.0.0.1", service.port)  # type: ignore[misc]
    await asyncio.gather(*waiting)
    taken, spent, waits = time.perf_counter() - began, cpu_of(pid) - cpu, sorted(shared.waits)
    count = len(waits)
    return Cost(spent / count * 1e6, count / taken, waits[count // 2] * 1e3, waits[count * 99 // 100] * 1e3)


def tables_of(game: str) -> list[str]:
    return [f"{game}-{number:02d}" for number in range(TABLES)]


def bench_floor() -> FloorFile:
    floor = FloorFile(link=[link_entry("main")])
    floor.pit.append({"id": "pit", "name": "Blackjack", "currency": "SGD"})
    for game in (STUD, HOLDEM):
        for table in tables_of(game):
            floor.table.append({"id": table, "link": "main", "game": game, "boxes": 7})
            floor.add_credential(table, "table", table=table)
    for game, rules in BLACKJACK_GAMES.items():
        about = {"pit": "pit", "game": game.value, "boxes": rules.most_boxes or 7, "decks": DECKS}
        for table in tables_of(game.value):
            floor.table.append({"id": table} | about)
            floor.add_credential(table, "table", table=table)
    return floor


def players(chance: random.Random) -> dict[str, list[Table]]:
    """By game."""
    found = {STUD: [Table(one, stud_rounds(chance)) for one in tables_of(STUD)]}
    found[HOLDEM] = [Table(one, holdem_rounds(chance)) for one in tables_of(HOLDEM)]
    for game, rules in BLACKJACK_GAMES.items():
        found[game.value] = [Table(one, blackjack_rounds(chance, rules)) for one in tables_of(game.value)]
    return found
