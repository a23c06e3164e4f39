"""The demo's House: two people who look at each win for a moment, approve it, and later hand it over."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx

from api.demo.floor import CURRENCY, LINK, OPERATOR, SUPERVISOR, DemoPerson
from jackpot.core.money import spoken
from jackpot.games.progressive import ALL_OF_IT
from jackpot.link.handovers import HandoverState

HANDED_OVER_AFTER = 20
"""Times as long as a win is looked at."""


@dataclass
class DemoHouse:
    http: httpx.AsyncClient
    look: float
    """Seconds for which each of them looks at a win."""
    paid: dict[str, int] = field(default_factory=dict)
    story: list[str] = field(default_factory=list)
    _seen: dict[str, float] = field(default_factory=dict)

    async def work(self) -> None:
        while True:
            with suppress(httpx.TransportError):  # the service is away, and they look again later
                await self._look_around()
            await asyncio.sleep(0.25)

    async def _look_around(self) -> None:
        answer = await self.http.get(f"/v1/links/{LINK}/wins", headers=_as(SUPERVISOR))
        if answer.status_code != 200:
            return
        wins = answer.json()["wins"]
        for win in sorted(wins, key=lambda win: win["ended_at"] or win["registered_at"]):
            self._notice(win)
        line = [win for win in wins if win["state"] in ("pending", "ordered")]
        for win in line:
            if win["ambiguous"]:
                await self._order(win["cluster"])
                return
        for win in line:
            await self._approve(win)
        for win in wins:
            await self._hand_over(win)

    def _notice(self, win: dict[str, Any]) -> None:
        where = f"{win['table']} box {win['box']}"
        if win["id"] not in self._seen:
            self._seen[win["id"]] = asyncio.get_running_loop().time()
            if win["state"] in ("pending", "ordered"):
                self.story.append(
                    f"{win['hand'].replace('_', ' ').upper()} at {where}: {' '.join(win['cards'])}"
                )
        if win["state"] == "paid" and win["id"] not in self.paid:
            self.paid[win["id"]] = win["amount"]
            self.story.append(f"{where} is paid {spoken(win['amount'], CURRENCY)}")

    async def _order(self, cluster: list[str]) -> None:
        order = {"wins": cluster, "reason": "camera"}
        if await self._act(SUPERVISOR, f"/v1/links/{LINK}/order", order):
            self.story.append(f"{SUPERVISOR.name} decides the order: {' before '.join(cluster)}")

    async def _approve(self, win: dict[str, Any]) -> None:
        looked = asyncio.get_running_loop().time() - self._seen[win["id"]]
        approved = {one["person"] for one in win["approvals"]}
        for number, person in enumerate((OPERATOR, SUPERVISOR), 1):
            missing = len(approved) < win["approvals_needed"] and person.name not in approved
            if missing and looked > number * self.look:
                approved.add(person.name)
                path = f"/v1/links/{LINK}/wins/{win['id']}/approve"
                if await self._act(person, path, {"note": "seen on camera"}):
                    self.story.append(f"{person.name} approves {win['id']}")

    async def _hand_over(self, win: dict[str, Any]) -> None:
        """Once there was time to look at it under Payouts; of the whole jackpot by both of them."""
        looked = asyncio.get_running_loop().time() - self._seen[win["id"]]
        if win["handover"] != HandoverState.DUE or looked < HANDED_OVER_AFTER * self.look:
            return
        alone = win["percent"] != ALL_OF_IT
        person = SUPERVISOR if alone else OPERATOR
        said = {"reference": f"DEMO-{win['sequence']:06d}", "method": "cash"}
        path = f"/v1/links/{LINK}/wins/{win['id']}/hand-over"
        answer = await self.http.post(path, json=said, headers=_as(person))
        if answer.status_code == 202:
            confirm = f"/v1/proposals/{answer.json()['proposal']}/confirm"
            answer = await self.http.post(confirm, headers=_as(SUPERVISOR))
        if answer.status_code == 200:
            self.story.append(f"{win['id']} is handed over")

    async def _act(self, person: DemoPerson, path: str, body: dict[str, Any]) -> bool:
        answer = await self.http.post(path, json=body, headers=_as(person))
        return answer.status_code == 200


def _as(person: DemoPerson) -> dict[str, str]:
    return {"Authorization": f"Bearer {person.token}"}
