"""The demo's floor. Its secrets are known to everybody: it is served on this machine only."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.games import GAMES, Game
from jackpot.games.blackjack import BLACKJACK_GAMES, SideLimits
from jackpot.link.state import PitSetup

LINK = "main"
PIT = "blackjack"
CURRENCY = "SGD"
PRESCRIBED = 500


class _Machine:
    id: str

    @property
    def token(self) -> str:
        return f"demo-{self.id}"


@dataclass(frozen=True)
class DemoTable(_Machine):
    id: str
    game: Game

    @property
    def boxes(self) -> int:
        return GAMES[self.game].boxes


@dataclass(frozen=True)
class DemoPitTable(_Machine):
    id: str
    setup: PitSetup


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
PIT_TABLES = tuple(
    DemoPitTable(
        f"{rules.short}-01",
        PitSetup(
            id=f"{rules.short}-01",
            game=game,
            boxes=6,
            decks=8,
            minimum=2500,
            maximum=500_000,
            side=dict.fromkeys(rules.side_bets, SideLimits(minimum=500, maximum=50_000)),
        ),
    )
    for game, rules in BLACKJACK_GAMES.items()
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
currency = "{CURRENCY}"
seed = 5000000
progressive_bet = {PRESCRIBED}
meter_ppm = 400000
reserve_ppm = 50000
approvals = {{ straight_flush = 1, royal_flush = 2 }}
"""
_PIT = f"""\
[[pit]]
id = "{PIT}"
name = "Blackjack Pit"
currency = "{CURRENCY}"
"""


def _pit_table(one: PitSetup) -> str:
    side = ", ".join(
        f"{wager} = {{ minimum = {limits.minimum}, maximum = {limits.maximum} }}"
        for wager, limits in one.side.items()
    )
    return (
        f'[[table]]\nid = "{one.id}"\npit = "{PIT}"\ngame = "{one.game}"\nboxes = {one.boxes}\n'
        f"decks = {one.decks}\nminimum = {one.minimum}\nmaximum = {one.maximum}\nside = {{ {side} }}\n"
    )


MACHINES: tuple[DemoTable | DemoPitTable, ...] = (*TABLES, *PIT_TABLES)


def floor_file() -> str:
    tables = [
        f'[[table]]\nid = "{one.id}"\nlink = "{LINK}"\ngame = "{one.game}"\nboxes = {one.boxes}\n'
        for one in TABLES
    ]
    machines = [
        f'[[credential]]\nname = "{one.id}"\nrole = "table"\ntable = "{one.id}"\ntoken = "{one.token}"\n'
        for one in MACHINES
    ]
    people = [
        f'[[credential]]\nname = "{one.name}"\nrole = "{one.role}"\ntoken = "{one.token}"\n'
        f'password = "{one.password}"\n'
        for one in PEOPLE
    ]
    sign = '[[credential]]\nname = "sign-01"\nrole = "sign"\ntoken = "demo-sign-01"\n'
    tables += [_pit_table(one.setup) for one in PIT_TABLES]
    return "\n".join([_TERMS, _PIT, *tables, *machines, *people, sign])
