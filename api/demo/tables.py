"""Simulated table controllers: they play every game through the client, as a real one would."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from msgspec.structs import replace

from api.demo.floor import PRESCRIBED, DemoTable
from jackpot.cards.cards import names
from jackpot.client import Bets, Hand, Refused, TableClient
from jackpot.games import GAMES
from jackpot.games.lines import Wager
from jackpot.simulation.dealing import Deal, deal, deal_major

ANTE = 2500
BONUS = 500


@dataclass
class Rig:
    """Now and then the two tables that come to deal next get a major each, at the same moment."""

    every: float
    rng: Random
    due: float
    _waiting: asyncio.Future[None] | None = field(default=None, init=False)
    _royal: bool = field(default=False, init=False)

    async def turn(self) -> bool | None:
        """Of a table that is about to deal: whether it deals a royal flush; None for honest cards."""
        now = asyncio.get_running_loop().time()
        if self._waiting is None:
            if now < self.due:
                return None
            self._waiting, self._royal = asyncio.get_running_loop().create_future(), self.rng.random() < 0.5
            await asyncio.shield(self._waiting)
            return False
        waiting, self._waiting = self._waiting, None
        self.due = now + self.every
        waiting.set_result(None)
        return self._royal


class DemoController:
    def __init__(self, table: DemoTable, url: str, folder: Path, rig: Rig, seed: int, speed: float) -> None:
        self._rulebook = GAMES[table.game]
        self._table, self._rig, self._speed = table, rig, speed
        self._rng = Random(f"{seed} {table.id}")  # noqa: S311  a seeded floor plays the same cards
        spool = folder / f"spool-{table.id}.db"
        self.client = TableClient(url, table.id, table.token, table.game, spool, boxes=table.boxes)
        self.rounds = 0

    async def play(self) -> None:
        async with self.client:
            number = self.client.last_round
            while True:
                number += 1
                try:
                    await self._round(number)
                    self.rounds += 1
                except Refused as refused:
                    # Somebody has voided the round, or spoken for this table: go on with the next.
                    self.client.reopen_bets()
                    if refused.code == "round_passed" and refused.expected is not None:
                        number = refused.expected - 1

    async def _pause(self, least: float, most: float) -> None:
        await asyncio.sleep(self._rng.uniform(least, most) / self._speed)

    async def _round(self, number: int) -> None:
        await self._pause(1.0, 4.0)
        boxes = self._boxes()
        answer = await self.client.close_bets(number, [self._bets(box) for box in boxes])
        if answer.state == "voided":
            return
        cards = await self._deal(boxes, [one.box for one in answer.accepted])
        dealt_at = self.client.now()
        await self._pause(0.8, 1.6)
        hands = [self._hand(box, own, dealt_at) for box, own in cards.hands.items()]
        shared = cards.community[: self._rulebook.shared]
        await self.client.report_hands(number, hands, community=names(shared))
        await self._pause(1.0, 2.0)
        hands = [self._to_the_end(one, cards) for one in hands]
        board, dealer = names(cards.community), names(cards.dealer)
        await self.client.report_hands(number, hands, community=board, dealer=dealer, final=True)

    def _boxes(self) -> list[int]:
        count = self._rng.randrange(2, self._table.boxes + 1)
        return sorted(self._rng.sample(range(1, self._table.boxes + 1), count))

    def _bets(self, box: int) -> Bets:
        progressive = PRESCRIBED if self._rng.random() < 0.85 else 0
        bonus = BONUS if Wager.BONUS in self._rulebook.wagers and self._rng.random() < 0.3 else 0
        return Bets(box=box, ante=ANTE, progressive=progressive, bonus=bonus)

    async def _deal(self, boxes: list[int], betting: list[int]) -> Deal:
        await self._pause(0.4, 0.8)
        royal = await self._rig.turn() if betting else None
        if royal is None:
            return deal(self._rng, self._table.game, boxes, rigged=0)
        lucky = self._rng.choice(betting)
        return deal_major(self._rng, self._table.game, boxes, lucky, royal=royal)

    def _hand(self, box: int, own: tuple[int, ...], dealt_at: int) -> Hand:
        dealt = Hand(box=box, cards=names(own), dealt_at=dealt_at)
        if not self._rulebook.strategy.stays(own):
            return replace(dealt, folded=True)
        return replace(dealt, **{self._rulebook.further[0]: 2 * ANTE})

    def _to_the_end(self, hand: Hand, cards: Deal) -> Hand:
        if hand.folded:
            return hand
        later = self._rulebook.strategy.later(cards.hands[hand.box], cards.community)
        placed = zip(self._rulebook.further[1:], later, strict=True)
        return replace(hand, **{wager: ANTE * bets for wager, bets in placed})
