"""What a pit did between two times, as it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import Field

from api.auditors.figures_told import counts, ppm
from api.auditors.spans import SPAN_TOLD, Span
from api.operators.house_answers import Instant, MinorUnits, Told
from jackpot.book.reading.report import Report
from jackpot.figures.counters import Counters, parts
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
    def all_of(cls, found: Mapping[str, Counters]) -> list[WagerReported]:
        return [
            cls(wager=wager, name=name, **{figure: one.get(figure, 0) for figure in _FIGURES})
            for wager, name in WAGERS.items()
            if (one := found.get(wager)) is not None
        ]


_FIGURES = ("laid", "won", "collected", "returned", "markers")


class FiguresTold(Told):
    rounds: int
    voided: int
    won: MinorUnits
    collected: MinorUnits
    house: MinorUnits = Field(description="Collected less won: what the house kept; below zero what it paid.")
    hold_ppm: int | None = Field(
        description="`house` in parts per million of what was laid; null where nothing was."
    )
    wagers: list[WagerReported]


def _figures(counted: Counters) -> dict[str, Any]:
    wagers = parts(counted, "wager")
    laid, won, collected = (sum(one.get(name, 0) for one in wagers.values()) for name in _FIGURES[:3])
    return {
        "rounds": counted.get("rounds", 0),
        "voided": counted.get("voided", 0),
        "won": won,
        "collected": collected,
        "house": collected - won,
        "hold_ppm": ppm(collected - won, laid),
        "wagers": WagerReported.all_of(wagers),
    }


class PitLifetime(FiguresTold):
    """Since the pit began, up to the end of that time."""

    counts: dict[str, int]


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
    day: str | None = Field(description="The gaming day, or the first of several, if days were asked for.")
    last_day: str | None
    shift: str | None
    tables: list[TableReported]
    total: FiguresTold
    counts: dict[str, int] = Field(description="Entries of the journal in that time, by kind of fact.")
    lifetime: PitLifetime

    @classmethod
    def of(cls, pit: Pit, span: Span, found: Report) -> PitReportTold:
        counted, lifetime = found.figures.totals, found.figures.lifetime
        return cls(
            pit=pit.id,
            currency=pit.currency,
            **span.told(),
            first_sequence=found.first,
            last_sequence=found.last,
            tables=[
                TableReported(
                    table=name,
                    game=setup.game,
                    game_name=setup.rules.name,
                    **_figures(found.figures.tables.get(name, {})),
                )
                for name in sorted(pit.tables)
                if isinstance(setup := pit.tables[name].setup, PitSetup)
            ],
            total=FiguresTold(**_figures(counted)),
            counts=counts(counted),
            lifetime=PitLifetime(counts=counts(lifetime), **_figures(lifetime)),
        )

    def rows(self) -> Iterator[tuple[str, str, str, str, object]]:
        """One figure to a row, for spreadsheets."""
        told = self.model_dump(by_alias=True)
        for name in ("pit", "currency", *SPAN_TOLD, "first_sequence", "last_sequence"):
            yield "report", self.pit, "", name, told[name]
        for table in self.tables:
            yield from _rows("table", table.table, table)
        yield from _rows("total", self.pit, self.total)
        for kind, count in self.counts.items():
            yield "count", kind, "", "count", count
        yield from _rows("lifetime", self.pit, self.lifetime)


def _rows(section: str, name: str, told: FiguresTold) -> Iterator[tuple[str, str, str, str, object]]:
    for figure in ("rounds", "voided", "won", "collected", "house", "hold_ppm"):
        yield section, name, "", figure, getattr(told, figure)
    for one in told.wagers:
        for figure, value in one.model_dump(exclude={"wager", "name"}).items():
            yield section, name, one.wager, figure, value
