"""A floor file with a pit of blackjack tables beside a link, and what its controllers send."""

from __future__ import annotations

from typing import Any

import httpx

from tests.in_process import LINK, TABLES, House, credential, machines, now, people
from tests.service import Json

PIT = """
[[pit]]
id = "pit-3"
name = "Blackjack"
currency = "SGD"

[[table]]
id = "bj"
pit = "pit-3"
game = "blackjack"
boxes = 7
decks = 8

[[table]]
id = "pp"
pit = "pit-3"
game = "blackjack_perfect_pairs"
boxes = 7
decks = 8
minimum = 2500
maximum = 50000

[[table]]
id = "fb"
pit = "pit-3"
game = "free_bet_blackjack"
boxes = 6
decks = 8
side = { boom_busted = { maximum = 1000 } }
"""
OF_GAME = {"blackjack": "bj", "blackjack_perfect_pairs": "pp", "free_bet_blackjack": "fb"}


def pit_floor_text() -> str:
    controllers = "".join(credential(name, "table", table=name) for name in OF_GAME.values())
    return LINK + PIT + TABLES + machines() + controllers + people()


class BlackjackTable:
    """The controller of one table."""

    def __init__(self, house: House, table: str) -> None:
        self.house, self.table, self.round = house, table, 0

    def path(self, what: str, round: int | None = None) -> str:
        return f"/v1/tables/{self.table}/rounds/{self.round if round is None else round}/{what}"

    async def bets(self, *boxes: Json, **more: Any) -> httpx.Response:
        self.round += 1
        at = now()
        body = {"sent_at": at, "closed_at": at, "boxes": list(boxes)} | more
        return await self.house.say("PUT", self.path("bets"), self.table, json=body)

    async def hands(self, *hands: Json, dealer: str = "", **more: Any) -> httpx.Response:
        told = {"dealer": {"cards": dealer.split()}} if dealer else {}
        body = {"sent_at": now(), "hands": list(hands)} | told | more
        return await self.house.say("PUT", self.path("hands"), self.table, json=body)

    async def void(self, reason: str, **more: Any) -> httpx.Response:
        body = {"sent_at": now(), "reason": reason} | more
        return await self.house.say("POST", self.path("void"), self.table, json=body)
