"""Table controllers that keep a service busy over HTTP, and remember everything they were answered."""

from __future__ import annotations

import asyncio
from collections import Counter

import httpx

from jackpot.cards.cards import names
from tests.book_floor import Checked, dealt
from tests.callers import BOX, now
from tests.service import TRUST, Json, Served, token_of

BOXES = range(1, 8)
NO_MAJOR = 9
"""Every so many rounds `dealt` deals no straight flush: nobody is here to approve it."""

AWAY = 0.2
"""Seconds before a controller tries again to reach a service that is not there."""


class Controllers:
    """A round after the other at each table; a message that is not answered is sent again as it was."""

    def __init__(
        self, service: Served, tables: list[str], *, insist: bool = True, pause: float = 0.0
    ) -> None:
        self._service, self._tables, self._insist = service, tables, insist
        self.pause = pause
        """Seconds from round to round, and before a message that was refused is sent again."""
        self.answered: dict[str, tuple[int, int]] = {}
        """By its key, the journal's sequence and the meter that a message was answered with."""
        self.statuses: Counter[int] = Counter()
        self.broken: Counter[str] = Counter()
        self.stopping = False

    async def play(self) -> None:
        limits = httpx.Limits(max_connections=len(self._tables) + 4)
        client = httpx.AsyncClient(base_url=self._service.base, timeout=20, limits=limits, verify=TRUST)
        async with client as http, asyncio.TaskGroup() as group:
            for table in self._tables:
                group.create_task(self._sit(http, table))

    async def _sit(self, http: httpx.AsyncClient, table: str) -> None:
        number = 0
        while not self.stopping:
            number += 1
            boxes = [BOX | {"box": box} for box in BOXES]
            bets = {"closed_at": now(), "boxes": boxes}
            if not await self._say(http, table, number, "bets", bets):
                return
            hands = [
                {"box": box, "cards": list(names(cards))}
                for box, cards in zip(BOXES, dealt(table, NO_MAJOR * number), strict=True)
            ]
            if not await self._say(http, table, number, "hands", {"hands": hands, "final": True}):
                return
            await asyncio.sleep(self.pause)

    async def _say(self, http: httpx.AsyncClient, table: str, number: int, tail: str, body: Json) -> bool:
        """Whether it was answered. Who does not insist goes home at the first broken connection."""
        path = f"/v1/tables/{table}/rounds/{number}/{tail}"
        headers = {"Authorization": f"Bearer {token_of(table)}"}
        while True:
            try:
                response = await http.put(path, json=body | {"sent_at": now()}, headers=headers)
            except httpx.TransportError as error:
                self.broken[type(error).__name__] += 1
                if self.stopping or not self._insist:
                    return False
                await asyncio.sleep(AWAY)
                continue
            self.statuses[response.status_code] += 1
            if response.status_code in (200, 201):
                meter = response.json()["meter"]
                self.answered[f"{table}/{number}/{tail}"] = (meter["sequence"], meter["value"])
                return True
            assert response.status_code in (429, 503), response.text
            assert int(response.headers["retry-after"]) >= 0
            if self.stopping or not self._insist:
                return False
            await asyncio.sleep(max(0.02, self.pause))


def check_answered(found: Checked, answered: dict[str, tuple[int, int]]) -> None:
    """Every answered message is in the journal exactly once, as it was told."""
    for key, (sequence, value) in answered.items():
        said = found.said.get(key, [])
        assert len(said) == 1, f"{key} is in the journal {len(said)} times"
        meter = said[0].answer.reading
        assert (meter.sequence, meter.value) == (sequence, value), key
    assert not [key for key, said in found.said.items() if len(said) > 1]
