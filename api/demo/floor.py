"""The demo's floor. Its secrets are known to everybody: it is served on this machine only."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.games import GAMES, Game

LINK = "main"
PRESCRIBED = 500


@dataclass(frozen=True, slots=True)
class DemoTable:
    id: str
    game: Game

    @property
    def boxes(self) -> int:
        return GAMES[self.game].boxes

    @property
    def token(self) -> str:
        return f"demo-{self.id}"


@dataclass(frozen=True, slots=True)
class DemoPerson:
    name: str
    role: str

    @property
    def token(self) -> str:
        return f"demo-{self.name}"

    @property
    def password(self) -> str:
        return f"{self.name}-demo"


TABLES = tuple(
    DemoTable(f"{rulebook.short}-0{number}", game) for game, rulebook in GAMES.items() for number in (1, 2, 3)
)
OPERATOR, SUPERVISOR, AUDITOR = (
    DemoPerson("ana", "operator"),
    DemoPerson("ben", "supervisor"),
    DemoPerson("eve", "auditor"),
)
PEOPLE = (OPERATOR, SUPERVISOR, AUDITOR)
_TERMS = f"""\
[[link]]
id = "{LINK}"
name = "Multi-Link Progressive"
currency = "SGD"
seed = 5000000
progressive_bet = {PRESCRIBED}
meter_ppm = 400000
reserve_ppm = 50000
approvals = {{ straight_flush = 1, royal_flush = 2 }}
"""


def floor_file() -> str:
    tables = [
        f'[[table]]\nid = "{one.id}"\nlink = "{LINK}"\ngame = "{one.game}"\nboxes = {one.boxes}\n'
        for one in TABLES
    ]
    machines = [
        f'[[credential]]\nname = "{one.id}"\nrole = "table"\ntable = "{one.id}"\ntoken = "{one.token}"\n'
        for one in TABLES
    ]
    people = [
        f'[[credential]]\nname = "{one.name}"\nrole = "{one.role}"\ntoken = "{one.token}"\n'
        f'password = "{one.password}"\n'
        for one in PEOPLE
    ]
    sign = '[[credential]]\nname = "sign-01"\nrole = "sign"\ntoken = "demo-sign-01"\n'
    return "\n".join([_TERMS, *tables, *machines, *people, sign])
