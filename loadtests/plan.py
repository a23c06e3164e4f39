"""What is to be played: handed to the process of the floor as a file."""

from __future__ import annotations

from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from jackpot.games import GAMES

LINK = "main"
MOST_TABLES = 200
MOST_SIGNS = 500
MOST_ROUNDS = 200.0
"""A second, of the whole floor: this is a test of one machine, not a weapon."""

DECIDED_WITHIN = 15.0
"""Seconds in which this House has a major approved and paid, once no table can report an earlier one."""


class PlanWrong(Exception):
    pass


class Shape(StrEnum):
    STEADY = "steady"
    SHIFT = "shift"
    BURST = "burst"


class Plan(Struct, frozen=True, kw_only=True):
    folder: Path
    shape: Shape = Shape.STEADY
    seconds: float = 60.0
    tables: int = 40
    rate: float = 12.0
    """Rounds a second, of the whole floor."""
    signs: int = 40
    """That poll once a second; as many again hold a stream."""
    majors_every: float = 10.0
    """Seconds between two rigged majors, somewhere on the floor."""
    seed: int = 7
    urls: tuple[str, ...] = ()

    @property
    def table_ids(self) -> list[str]:
        games = [rulebook.short for rulebook in GAMES.values()]
        many = len(games)
        return [f"{games[number % many]}-{number // many + 1:03}" for number in range(self.tables)]

    @property
    def round_every(self) -> float:
        """Seconds from one round to the next at a table."""
        return self.tables / self.rate

    @property
    def paid_within(self) -> float:
        """Seconds from a major's registration to its payment, at most: every open round is finished first."""
        return self.round_every + DECIDED_WITHIN

    @property
    def kinds(self) -> frozenset[str]:
        """What is asked in such a run, if everybody does what they are there for."""
        found = {"bets", "hands", "heartbeat", "poll", "stream", "wins"}
        if self.seconds > self.majors_every / 2 + self.paid_within:
            found.add("approve")
        if self.shape is Shape.BURST:
            found.add("events")
        return frozenset(found)

    def url(self, number: int) -> str:
        """The replica that somebody talks to."""
        return self.urls[number % len(self.urls)]

    @property
    def requests_file(self) -> Path:
        return self.folder / "requests.csv"

    @property
    def answered_file(self) -> Path:
        return self.folder / "answered.csv"


def checked(plan: Plan) -> Plan:
    """Bounded, and on this machine."""
    limits = {"tables": MOST_TABLES, "signs": MOST_SIGNS, "rate": MOST_ROUNDS}
    for name, most in limits.items():
        if not 0 < getattr(plan, name) <= most:
            raise PlanWrong(f"{name} is more than 0 and at most {most}")
    if plan.seconds < 1 or plan.majors_every <= 0:
        raise PlanWrong("seconds is at least 1, majors-every more than 0")
    for url in plan.urls:
        _check_here(url)
    return plan


def _check_here(url: str) -> None:
    host = urlsplit(url).hostname or ""
    try:
        here = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        here = False
    if not here:
        raise PlanWrong(f"{url}: load is put on this machine only")


def write_plan(plan: Plan) -> Path:
    file = plan.folder / "plan.json"
    file.write_bytes(msgspec.json.encode(plan, enc_hook=str))
    return file


def read_plan(file: Path) -> Plan:
    return checked(msgspec.json.decode(file.read_bytes(), type=Plan, dec_hook=lambda kind, said: kind(said)))
