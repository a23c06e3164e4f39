"""What people are told of pits and their tables."""

from __future__ import annotations

from pydantic import Field

from api.operators.house_answers import AnyTableTold, HouseClockTold, Instant, MinorUnits, Told
from jackpot.core.instants import spoken_instant
from jackpot.games.blackjack import WAGERS
from jackpot.link.state import Pit, PitSetup, PitTable
from jackpot.readings.alerts import Alert


class PitTold(Told):
    id: str
    name: str
    currency: str
    tables: int
    in_play: int = Field(description="How many of its tables are in play.")
    sequence: int
    as_of: Instant
    stopped: str | None = Field(description="Why nothing is taken: its book was found to deny itself.")

    @classmethod
    def of(cls, pit: Pit, stopped: str | None) -> PitTold:
        return cls(
            id=pit.id,
            name=pit.name,
            currency=pit.currency,
            tables=len(pit.tables),
            in_play=sum(pit.in_play(table) for table in pit.tables.values()),
            sequence=pit.sequence,
            as_of=spoken_instant(pit.time),
            stopped=stopped,
        )


class Pits(Told):
    pits: list[PitTold]
    clock: HouseClockTold


class LimitsTold(Told):
    minimum: MinorUnits | None
    maximum: MinorUnits | None


class SideBetTold(LimitsTold):
    wager: str
    name: str = Field(description="What people call it.")


class TermsOfTable(Told):
    """What a table in a pit plays, and within which limits."""

    game: str
    game_name: str = Field(description="What people call it.")
    boxes: int
    decks: int
    limits: LimitsTold = Field(description="Of the Initial Bets of a box.")
    side: list[SideBetTold] = Field(description="The side bets of the game, limited or not.")

    @classmethod
    def of(cls, setup: PitSetup) -> TermsOfTable:
        return cls(
            game=setup.game,
            game_name=setup.rules.name,
            boxes=setup.boxes,
            decks=setup.decks,
            limits=LimitsTold(minimum=setup.minimum, maximum=setup.maximum),
            side=[_side(setup, wager) for wager in setup.rules.side_bets],
        )


def _side(setup: PitSetup, wager: str) -> SideBetTold:
    limits = setup.side.get(wager)
    return SideBetTold(
        wager=wager,
        name=WAGERS[wager],
        minimum=None if limits is None else limits.minimum,
        maximum=None if limits is None else limits.maximum,
    )


class PitTableTold(AnyTableTold):
    terms: TermsOfTable

    @classmethod
    def of(cls, pit: Pit, table: PitTable, alerts: list[Alert], *, now: int) -> PitTableTold:
        common = cls.common(pit, table, alerts, now)
        return cls(**common, game=table.setup.game, terms=TermsOfTable.of(table.setup))


class PitTables(Told):
    tables: list[PitTableTold]
