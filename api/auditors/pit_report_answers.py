"""What a pit did between two times, as it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from api.operators.house_answers import Instant, MinorUnits, Told
from jackpot.book.reading.pit_report import PitReport, PitTableFigures, WagerFigures
from jackpot.core.instants import spoken_instant
from jackpot.games.blackjack import WAGERS
from jackpot.link.state import Pit, PitSetup


class WagerReported(Told):
    wager: str
    name: str = Field(description="What people call it.")
    laid: MinorUnits = Field(description="Stakes whose outcome was told.")
    won: MinorUnits = Field(description="What the house added to stakes, markers included.")
    collected: MinorUnits = Field(description="Stakes that were lost.")
    returned: MinorUnits = Field(description="Stakes that went back without having played to the end.")
    markers: MinorUnits = Field(description="The part of `won` that Free Bet Markers were paid.")

    @classmethod
    def all_of(cls, found: dict[str, WagerFigures]) -> list[WagerReported]:
        return [
            cls(wager=wager, name=name, **{figure: getattr(one, figure) for figure in one.__slots__})
            for wager, name in WAGERS.items()
            if (one := found.get(wager)) is not None
        ]


class FiguresTold(Told):
    rounds: int
    voided: int
    won: MinorUnits
    collected: MinorUnits
    house: MinorUnits = Field(description="Collected less won: what the house kept; below zero what it paid.")
    wagers: list[WagerReported]


def _figures(one: PitTableFigures) -> dict[str, object]:
    won = sum(figures.won for figures in one.wagers.values())
    collected = sum(figures.collected for figures in one.wagers.values())
    return {
        "rounds": one.rounds,
        "voided": one.voided,
        "won": won,
        "collected": collected,
        "house": collected - won,
        "wagers": WagerReported.all_of(one.wagers),
    }


class TableReported(FiguresTold):
    table: str
    game: str
    game_name: str


class PitReportTold(Told):
    COLUMNS: ClassVar = ("section", "name", "wager", "figure", "value")

    pit: str
    currency: str
    start: Instant = Field(serialization_alias="from")
    end: Instant = Field(serialization_alias="to")
    first_sequence: int
    last_sequence: int
    tables: list[TableReported]
    total: FiguresTold

    @classmethod
    def of(cls, pit: Pit, start: int, end: int, found: PitReport) -> PitReportTold:
        setups = {name: table.setup for name, table in pit.tables.items()}
        return cls(
            pit=pit.id,
            currency=pit.currency,
            start=spoken_instant(start),
            end=spoken_instant(end),
            first_sequence=found.first,
            last_sequence=found.last,
            tables=[
                TableReported.model_validate(
                    {"table": name, "game": setup.game, "game_name": setup.rules.name} | _figures(one)
                )
                for name, one in found.tables.items()
                if isinstance(setup := setups[name], PitSetup)
            ],
            total=FiguresTold.model_validate(_figures(found.total)),
        )

    def rows(self) -> Iterator[tuple[str, str, str, str, object]]:
        """One figure to a row, for spreadsheets."""
        for name in ("pit", "currency", "from", "to", "first_sequence", "last_sequence"):
            yield "report", self.pit, "", name, self.model_dump(by_alias=True)[name]
        for table in self.tables:
            yield from _rows("table", table.table, table)
        yield from _rows("total", self.pit, self.total)


def _rows(section: str, name: str, told: FiguresTold) -> Iterator[tuple[str, str, str, str, object]]:
    for figure in ("rounds", "voided", "won", "collected", "house"):
        yield section, name, "", figure, getattr(told, figure)
    for one in told.wagers:
        for figure, value in one.model_dump(exclude={"wager", "name"}).items():
            yield section, name, one.wager, figure, value
