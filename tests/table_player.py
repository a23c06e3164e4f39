"""A table that plays on and notes what it said and was told."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from jackpot.cards.cards import names
from jackpot.client import Bets, BetsAnswer, Game, Hand, Patience, TableClient
from jackpot.simulation.dealing import deal
from tests.service import token_of

ONE_TRY = Patience(whole=60, attempt=60, first_wait=200, longest_wait=200)
"""What is cut is given up at once, and no machine is too slow to be waited for."""
PATIENT = Patience(whole=600, attempt=60, first_wait=0.02, longest_wait=0.1)
"""What is cut is tried again until it is answered."""
Note = Callable[[str], None]


def game_of(table: str) -> Game:
    return Game.TEXAS_HOLDEM if "holdem" in table else Game.CASINO_STUD


def client_of(url: str, table: str, folder: Path, **more: Any) -> TableClient:
    settings: dict[str, Any] = {"patience": ONE_TRY, "heartbeat_every": 0.1, "boxes": 7} | more
    return TableClient(url, table, token_of(table), game_of(table), folder / f"{table}.spool", **settings)


class TablePlayer:
    def __init__(self, client: TableClient, table: str, rng: Random, note: Note | None = None) -> None:
        self.client, self._table, self._rng = client, table, rng
        self._note = note or (lambda _: None)
        self.said: list[tuple[str, int]] = []
        """What must be on the record, in this order and nothing else."""
        self.accepted: dict[int, int] = {}
        self.local = 0
        """Answers of the fallback."""
        self.served = 0
        """Answers of the service."""
        self.stopping = False

    async def play(self, rounds: int | None = None, pause: float = 0.02) -> None:
        number = self.client.last_round
        while not self.stopping and rounds != 0:
            number += 1
            await self.round(number)
            rounds = None if rounds is None else rounds - 1
            await asyncio.sleep(self._rng.uniform(0, pause))

    async def round(self, number: int) -> None:
        boxes = sorted(self._rng.sample(range(1, 8), self._rng.randrange(1, 5)))
        self._note(f"closing {number}")
        answer = await self.client.close_bets(
            number, [Bets(box=box, ante=2500, progressive=self._rng.choice((0, 500, 500))) for box in boxes]
        )
        self._heard_bets(number, answer)
        if answer.state == "voided":
            return
        cards = deal(self._rng, game_of(self._table), boxes, rigged=0)
        hands = [
            Hand(box=box, cards=names(own), dealt_at=self.client.now()) for box, own in cards.hands.items()
        ]
        for final in (False, True):
            self._note(f"hands {number} {final}")
            told = await self.client.report_hands(
                number, hands, community=names(cards.community), final=final
            )
            self._count(local=told.local)
            self.said.append(("hands", number))
            self._note(f"told {number} {final}")

    def _count(self, *, local: bool) -> None:
        self.local += local
        self.served += not local

    def _heard_bets(self, number: int, answer: BetsAnswer) -> None:
        self._count(local=answer.local)
        self.said.append(("bets", number))
        self.accepted[number] = sum(one.progressive for one in answer.accepted)
        if answer.state == "voided":
            self.said.append(("void", number))
        self._note(f"closed {number} {self.accepted[number]} {answer.state}")


def play_until_killed(url: str, table: str, folder: Path, seed: int) -> None:
    """In a process of its own."""
    asyncio.run(_until_killed(url, table, folder, seed))


async def _until_killed(url: str, table: str, folder: Path, seed: int) -> None:
    file = os.open(folder / "ledger", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    client = client_of(url, table, folder, patience=PATIENT)
    async with client:
        for message, _ in client.delivered:
            os.write(file, f"delivered {message.kind} {message.round}\n".encode())
        player = TablePlayer(client, table, Random(seed), lambda line: _write(file, line))
        await player.play()


def _write(file: int, line: str) -> None:
    os.write(file, f"{line}\n".encode())
