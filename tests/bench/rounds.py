"""What whole rounds cost the service over HTTP, game by game: bets, then final hands with their settlement.

Each game has its tables, all of which play at once; the games take turns on one service, on PostgreSQL with
fsync. Every round is two messages of seven boxes (Free Bet Blackjack has six). What is compared is the CPU
that the service spends on a round, which depends little on what else the machine does.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from jackpot.cards.cards import names
from jackpot.games.blackjack import BLACKJACK_GAMES, Bets, BlackjackRules, BoxBet, Layout, close
from jackpot.games.blackjack.told import Hand
from jackpot.games.strategies import bets_stud
from jackpot.simulation.pit_evenings import LongShoe, deal_table
from tests.bench.service import _cpu
from tests.bench.timing import machine
from tests.servers import Postgres
from tests.service import FloorFile, Service, link_entry, serving, token_of

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-rounds.md"
TABLES, ROUNDS, TURNS = 32, 6, 5
"""Of each game, at each table in each turn."""
AIM = 1.5
DECKS = 8
STUD = "casino_stud"
Json = dict[str, Any]
Round = tuple[Json, Json]


def stud_rounds(chance: random.Random) -> Iterator[Round]:
    while True:
        deck = chance.sample(range(52), 40)
        hands = [tuple(deck[start : start + 5]) for start in range(0, 40, 5)]
        boxes = [{"box": box, "ante": 2500, "progressive": 500} for box in range(1, 8)]
        told = [
            {"box": box, "cards": names(cards), **_stud_decision(cards)}
            for box, cards in enumerate(hands[:7], 1)
        ]
        yield {"boxes": boxes}, {"hands": told, "dealer": {"cards": names(hands[7])}, "final": True}


def _stud_decision(cards: tuple[int, ...]) -> Json:
    return {"decision": "bet", "bet": 5000} if bets_stud(cards) else {"decision": "fold"}


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


@dataclass(slots=True)
class Player:
    """The controller of one table."""

    table: str
    rounds: Iterator[Round]
    number: int = 0

    async def play(self, caller: httpx.AsyncClient, told: list[Round]) -> None:
        for bets, hands in told:
            self.number += 1
            now = datetime.now(UTC).isoformat()
            await self._put(caller, "bets", bets | {"sent_at": now, "closed_at": now}, 201)
            await self._put(caller, "hands", hands | {"sent_at": datetime.now(UTC).isoformat()}, 200)

    async def _put(self, caller: httpx.AsyncClient, what: str, body: Json, status: int) -> None:
        headers = {"Authorization": f"Bearer {token_of(self.table)}", "Content-Type": "application/json"}
        path = f"/v1/tables/{self.table}/rounds/{self.number}/{what}"
        answer = await caller.put(path, content=json.dumps(body), headers=headers)
        if answer.status_code != status:
            raise AssertionError(answer.text)


async def turn(service: Service, caller: httpx.AsyncClient, players: list[Player]) -> float:
    """Microseconds of the service's CPU a round."""
    told = [[next(one.rounds) for _ in range(ROUNDS)] for one in players]
    before = _cpu(service.process.pid)
    await asyncio.gather(*(one.play(caller, some) for one, some in zip(players, told, strict=True)))
    return (_cpu(service.process.pid) - before) / (ROUNDS * len(players)) * 1e6


def tables_of(game: str) -> list[str]:
    return [f"{game}-{number:02d}" for number in range(TABLES)]


def bench_floor() -> FloorFile:
    floor = FloorFile(link=[link_entry("main")])
    floor.pit.append({"id": "pit", "name": "Blackjack", "currency": "SGD"})
    for table in tables_of(STUD):
        floor.add_table(table, "main")
    for game, rules in BLACKJACK_GAMES.items():
        about = {"pit": "pit", "game": game.value, "boxes": rules.most_boxes or 7, "decks": DECKS}
        for table in tables_of(game.value):
            floor.table.append({"id": table} | about)
            floor.add_credential(table, "table", table=table)
    return floor


async def measured(server: Postgres, folder: Path, tell: Callable[[str], None]) -> dict[str, float]:
    chance = random.Random(1)
    players = {STUD: [Player(table, stud_rounds(chance)) for table in tables_of(STUD)]}
    players |= {
        game.value: [Player(table, blackjack_rounds(chance, rules)) for table in tables_of(game.value)]
        for game, rules in BLACKJACK_GAMES.items()
    }
    found: dict[str, list[float]] = {name: [] for name in players}
    limits = httpx.Limits(max_connections=TABLES)
    with serving(await server.create("rounds"), bench_floor(), folder) as service:
        async with httpx.AsyncClient(base_url=service.base, limits=limits, timeout=60) as caller:
            for number in range(TURNS):
                tell(f"whole rounds, turn {number + 1} of {TURNS}")
                for name, several in players.items():
                    found[name].append(await turn(service, caller, several))
        verified = service.verify()
        if verified.returncode:
            raise AssertionError(verified.stdout + verified.stderr)
    return {name: median(turns) for name, turns in found.items()}


def page(found: dict[str, float]) -> str:
    return "\n".join(
        [
            "# Benchmarks of whole rounds",
            "",
            f"Written by `make bench` on: {machine()}; PostgreSQL with fsync, one process of the service.",
            f"A round is its bets and its final hands; {TABLES} tables a game, {ROUNDS} rounds each a turn,",
            f"medians of {TURNS} turns.",
            "",
            "| seven boxes (Free Bet Blackjack: six) | CPU of the service, µs a round | to Casino Stud |",
            "|---|---:|---:|",
            *(f"| {name} | {cost:,.0f} | {cost / found[STUD]:.2f} |" for name, cost in found.items()),
            "",
            f"We aim for at most {AIM} times a round of Casino Stud. Afterwards `jackpot verify` found no",
            "difference in the journals that this wrote.",
            "",
        ]
    )


def main(tell: Callable[[str], None]) -> str:
    server = Postgres()
    try:
        server.start()
        with tempfile.TemporaryDirectory() as folder:
            return page(asyncio.run(measured(server, Path(folder), tell)))
    finally:
        server.remove()
