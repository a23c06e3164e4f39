"""Who calls the service: table controllers, and a House that decides on one link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from tests.service import Json, Served, tables_of

BOX = {"box": 1, "ante": 2500, "progressive": 500}
ROYAL = "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH = "9s 8s 7s 6s 5s"
QUADS = "9c 9d 9h 9s Kd"
NOTHING = "Qc Td 6h 4s 2c"


def now(seconds: float = 0) -> str:
    """The time so many seconds from now, as it stands on the wire."""
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat(timespec="microseconds")


class Controller:
    """A table controller. Its verbs send one message and hand back the response, whatever it is."""

    def __init__(self, service: Served, table: str) -> None:
        self._service, self.table = service, table
        self.round = 0
        self.echo: Json | None = None
        """The last answer it heard, and when."""

    @property
    def holdem(self) -> bool:
        return "holdem" in self.table

    def path(self, tail: str, round: int | None = None) -> str:
        number = self.round if round is None else round
        middle = "" if tail in ("heartbeat", "events") else f"rounds/{number}/"
        return f"/v1/tables/{self.table}/{middle}{tail}"

    def send(self, tail: str, body: Any, *, round: int | None = None, **more: Any) -> httpx.Response:
        method = "PUT" if tail in ("bets", "hands") else "POST"
        by = more.pop("by", self.table)
        if tail != "events" and self.echo is not None and isinstance(body, dict):
            body = {"echo": self.echo} | body
        response = self._service.call(method, self.path(tail, round), by, json=body, **more)
        if tail != "events" and response.status_code in (200, 201):
            self.echo = {"replied_at": response.json()["replied_at"], "heard_at": now()}
        return response

    # Messages, and what is in them

    def bets_body(self, boxes: Iterable[int | Json] = (1,), **more: Any) -> Json:
        said = [BOX | {"box": box} if isinstance(box, int) else box for box in boxes]
        return {"closed_at": (moment := now()), "sent_at": moment, "boxes": said} | more

    def hands_body(self, hands: Mapping[int, str | Json | None], community: str = "", **more: Any) -> Json:
        """Dealt when they are sent: a busy machine must not make the table seem to be past its own deal."""
        moment = now()
        said = [{"box": box} | _hand(hand, moment) for box, hand in hands.items()]
        table_cards = {"community": community.split()} if community else {}
        return {"sent_at": moment, "hands": said} | table_cards | more

    def bets(
        self, boxes: Iterable[int | Json] = (1,), *, round: int | None = None, **more: Any
    ) -> httpx.Response:
        """The next round's bets, unless a round is named."""
        self.round = self.round + 1 if round is None else self.round
        return self.send("bets", self.bets_body(boxes, **more), round=round)

    def hands(
        self, hands: Mapping[int, str | Json | None], *, round: int | None = None, **more: Any
    ) -> httpx.Response:
        return self.send("hands", self.hands_body(hands, **more), round=round)

    def void(self, *, round: int | None = None, **more: Any) -> httpx.Response:
        return self.send("void", {"sent_at": now(), "reason": "5.8.1"} | more, round=round)

    def beat(self, **more: Any) -> httpx.Response:
        return self.send("heartbeat", {"sent_at": now(), "in_play": True} | more)

    def events(self, *events: Json, **more: Any) -> httpx.Response:
        return self.send("events", {"events": list(events)} | more)

    # Stories

    def wins(self, cards: str = STRAIGHT_FLUSH, *, box: int = 1, final: bool = False) -> str:
        """A round in which that box is dealt that hand; the id of its win."""
        done(self.beat())
        done(self.bets([box]))
        dealt, flop = (cards.split()[:2], cards.split()[2:]) if self.holdem else (cards.split(), [])
        answer = done(self.hands({box: " ".join(dealt)}, community=" ".join(flop), final=final))
        return str(answer["results"][0]["win"])


def _hand(hand: str | Json | None, moment: str) -> Json:
    if hand is None:
        return {"revealed": False}
    return {"cards": hand.split(), "dealt_at": moment} if isinstance(hand, str) else hand


def done(response: httpx.Response) -> Json:
    """What was answered to a message that had to be taken."""
    assert response.status_code in (200, 201, 202), f"{response.status_code}: {response.text[:600]}"
    return dict(response.json())


def refused(response: httpx.Response, status: int, code: str | None = None) -> Json:
    """The problem with which a message was refused, as RFC 9457 writes it."""
    assert response.status_code == status, f"{response.status_code}: {response.text[:600]}"
    assert response.headers["content-type"].startswith("application/problem+json")
    problem = dict(response.json())
    assert problem["status"] == status
    assert problem["title"]
    assert code in (None, problem["code"]), problem
    return problem


class Floor:
    """One link with two tables of each game, and the House. Every test has a floor of its own."""

    def __init__(self, service: Served, link: str) -> None:
        self.service, self.link = service, link
        tables = [Controller(service, table) for table in tables_of(link)]
        self.stud, self.stud2, self.holdem, self.holdem2 = self.tables = tables

    def path(self, tail: str) -> str:
        return f"/v1/links/{self.link}/{tail}"

    def get(self, tail: str, by: str | None = "sue", **more: Any) -> httpx.Response:
        return self.service.get(self.path(tail), by, **more)

    def post(
        self, tail: str, by: str | None = "sue", body: Json | None = None, **more: Any
    ) -> httpx.Response:
        return self.service.post(self.path(tail), by, body, **more)

    def meter(self) -> Json:
        return done(self.get("meter", None))

    def mark(self) -> tuple[int, int]:
        """The journal's sequence and the meter: what a refusal must leave alone."""
        reading = self.meter()
        return int(reading["sequence"]), int(reading["value"])

    # The House

    def approve(self, win: str, by: str) -> httpx.Response:
        return self.post(f"wins/{win}/approve", by, {"note": "seen on camera"})

    def waiting(self, win: str) -> Json:
        """A win as the House's list shows it."""
        return next(one for one in done(self.get("wins"))["wins"] if one["id"] == win)

    def agree(self, tail: str, body: Json) -> httpx.Response:
        """An act of two people: ana proposes, sue confirms."""
        return self.confirm(str(done(self.post(tail, "ana", body))["proposal"]))

    def confirm(self, proposal: str, by: str = "sue") -> httpx.Response:
        return self.service.post(f"/v1/proposals/{proposal}/confirm", by)

    def paid(self, table: Controller, cards: str, *people: str) -> str:
        """A major that is won, approved, ordered and paid."""
        win = table.wins(cards)
        for person in people:
            if self.waiting(win)["state"] != "paid":
                done(self.approve(win, person))
        assert self.waiting(win)["state"] == "paid"
        return win
