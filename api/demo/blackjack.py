"""Simulated controllers of blackjack tables: they deal from a shoe and play through the client."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

from api.demo.floor import DemoPitTable
from jackpot.client import BlackjackClient, BoomBet, BoxBet, PlayerWagers, Refused
from jackpot.games.blackjack import Bets, Report, close
from jackpot.maths.blackjack_tables import LongShoe, Protects, deal_table

STAKES = (2500, 2500, 5000, 10000)
SIDE_STAKES = (500, 1000, 2500)
STANDING = ("Mrs Tan", "Mr Lim", "Ms Wong")


class DemoBlackjack:
    def __init__(self, table: DemoPitTable, url: str, folder: Path, seed: int, speed: float) -> None:
        self._setup, self._speed = table.setup, speed
        self._rng = Random(f"{seed} {table.id}")  # noqa: S311  a seeded floor plays the same cards
        self._shoe = self._new_shoe(0)
        self.client = BlackjackClient(
            url,
            table.id,
            table.token,
            table.setup.game,
            folder / f"spool-{table.id}.db",
            boxes=table.setup.boxes,
            decks=table.setup.decks,
            minimum=table.setup.minimum,
            maximum=table.setup.maximum,
            side=table.setup.side,
        )
        self.rounds = 0

    async def play(self) -> None:
        async with self.client:
            number = self.client.last_round
            self._shoe = self._new_shoe(number)
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

    def _new_shoe(self, after: int) -> LongShoe:
        return LongShoe(self._rng, self._setup.decks, f"{self._setup.id}/{after}")

    async def _pause(self, least: float, most: float) -> None:
        await asyncio.sleep(self._rng.uniform(least, most) / self._speed)

    async def _round(self, number: int) -> None:
        await self._pause(2.0, 5.0)
        bets = self._bets()
        answer = await self.client.close_bets(number, bets.boxes, boom_busted=bets.boom_busted)
        if answer.state == "voided" or not answer.playing:
            return
        played = deal_table(self._shoe, close(self._setup.layout, bets), self._protects(bets))
        await self._pause(2.0, 3.0)
        await self._report(number, played.dealt)
        await self._pause(3.0, 6.0)
        await self._report(number, played.final)

    async def _report(self, number: int, report: Report) -> None:
        await self.client.report_hands(
            number, report.hands, dealer=report.dealer, shoe=report.shoe, final=report.final
        )

    # Players

    def _bets(self) -> Bets:
        count = self._rng.randrange(1, self._setup.boxes + 1)
        boxes = sorted(self._rng.sample(range(1, self._setup.boxes + 1), count))
        laid = [self._bet(box) for box in boxes]
        if self._rng.random() < 0.4:
            laid.append(self._bet(self._rng.choice(boxes), player=self._rng.choice(STANDING)))
        return Bets(boxes=tuple(laid), boom_busted=self._boom_busted())

    def _bet(self, box: int, player: str | None = None) -> BoxBet:
        side = {
            wager: self._rng.choice(SIDE_STAKES)
            for wager in self._setup.rules.side
            if self._rng.random() < 0.25
        }
        stake = self._rng.choice(STAKES)
        return BoxBet(box=box, player=player, standing=player is not None, bet=stake, side=side)

    def _boom_busted(self) -> tuple[BoomBet, ...]:
        if self._setup.rules.table_bet is None or self._rng.random() < 0.5:
            return ()
        names = self._rng.sample(STANDING, self._rng.randrange(1, len(STANDING)))
        return tuple(BoomBet(player=name, bet=self._rng.choice(SIDE_STAKES)) for name in names)

    def _protects(self, bets: Bets) -> Protects:
        """Against an ace: even money for most naturals, insurance for half of what is laid now and then."""
        laid = {(one.box, one.name): one.bet for one in bets.boxes}

        def says(box: int, name: str, natural: bool) -> PlayerWagers | None:  # noqa: FBT001
            player = None if name == str(box) else name
            if natural:
                return PlayerWagers(player=player, even_money=True) if self._rng.random() < 0.7 else None
            if self._rng.random() < 0.3:
                return PlayerWagers(player=player, insurance=laid[box, name] // 2)
            return None

        return says
