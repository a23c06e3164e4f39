"""The House: one person approves what was won, the other orders what is ambiguous and signs royals too."""

from __future__ import annotations

from typing import Any

from locust import task

from loadtests.callers import Caller, rest
from loadtests.plan import LINK
from tests.service import token_of

LOOK_EVERY = 0.5
OVERTAKEN = frozenset(
    {
        "win_unknown",
        "win_paid",
        "already_approved",
        "not_ambiguous",
        "order_incomplete",
        "order_contradicts_deal",
    }
)
"""The list was looked at a moment ago, and somebody has acted or another win has come since."""


class Person(Caller):
    abstract = True
    name = ""

    def __init__(self, environment: Any) -> None:
        super().__init__(environment)
        self.token = token_of(self.name)

    @task
    def look(self) -> None:
        rest(LOOK_EVERY)
        told = self.ask("GET", f"/v1/links/{LINK}/wins", "wins")
        if told.status == 200:
            for win in told.body["wins"]:
                if win["state"] in ("pending", "ordered"):
                    self.decide(win)

    def decide(self, win: dict[str, Any]) -> None:
        raise NotImplementedError

    def approve(self, win: dict[str, Any]) -> None:
        if self.name not in {one["person"] for one in win["approvals"]}:
            path = f"/v1/links/{LINK}/wins/{win['id']}/approve"
            self.ask("POST", path, "approve", {"note": "seen on camera"}, fine=OVERTAKEN)


class Operator(Person):
    name = "ana"
    fixed_count = 1

    def decide(self, win: dict[str, Any]) -> None:
        self.approve(win)


class Supervisor(Person):
    name = "sue"
    fixed_count = 1

    def decide(self, win: dict[str, Any]) -> None:
        if win["ambiguous"] and win["id"] == win["cluster"][0]:
            order = {"wins": win["cluster"], "reason": "camera"}
            self.ask("POST", f"/v1/links/{LINK}/order", "order", order, fine=OVERTAKEN)
        if len(win["approvals"]) < (win["approvals_needed"] or 0):
            self.approve(win)
