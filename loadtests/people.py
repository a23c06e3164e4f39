"""The House: two people approve what was won, order what is ambiguous, and hand over what was paid."""

from __future__ import annotations

from typing import Any

from locust import task

from loadtests.callers import Caller, rest
from loadtests.plan import LINK
from tests.service import token_of

LOOK_EVERY = 0.5
WHOLE = 100
"""Percent of the jackpot that a royal flush wins."""
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
PAID_OUT = frozenset({"handed_over", "already_proposed", "proposal_ended"})


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
                elif win["handover"] == "due":
                    self.pay_out(win)

    def decide(self, win: dict[str, Any]) -> None:
        raise NotImplementedError

    def pay_out(self, win: dict[str, Any]) -> None:
        """What one has approved, the other hands over."""
        if {one["person"] for one in win["approvals"]} != {self.name}:
            path = f"/v1/links/{LINK}/wins/{win['id']}/hand-over"
            said = {"reference": f"LOAD-{win['sequence']}", "method": "cash"}
            self.ask("POST", path, "hand over", said, fine=PAID_OUT)

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

    def pay_out(self, win: dict[str, Any]) -> None:
        """What takes two, the other has proposed."""
        if win["percent"] == WHOLE:
            self.confirm(win["id"])
        else:
            super().pay_out(win)

    def confirm(self, win: str) -> None:
        told = self.ask("GET", "/v1/proposals", "proposals")
        for one in told.body["proposals"] if told.status == 200 else ():
            if one["change"].get("win") == win:
                self.ask("POST", f"/v1/proposals/{one['id']}/confirm", "confirm", {}, fine=PAID_OUT)
