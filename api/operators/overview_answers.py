"""What people are told of the whole house at a glance: every link and pit, and what waits there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from api.operators.house_answers import (
    HouseClockTold,
    Instant,
    MalfunctionTold,
    MinorUnits,
    ProposalTold,
    Told,
)
from api.watching.last_day import PlaceDay
from displays.pages.console import PAGES
from jackpot.core.instants import spoken_instant
from jackpot.core.money import spoken
from jackpot.link.state import Link, Pit
from jackpot.play.status import MeterState, meter_state
from jackpot.readings.alerts import SILENT
from jackpot.readings.attention import Matter, Waiting

PAGE_OF = {
    Matter.WIN: "wins",
    Matter.CLAIM: "claims",
    Matter.HANDOVER: "payouts",
    Matter.PROPOSAL: "changes",
    Matter.MALFUNCTION: "malfunctions",
    Matter.ALERT: "floor",
}


def page_of(one: Waiting) -> str:
    """The page of the console that shows it. What is wrong with the whole house two people change."""
    return "changes" if one.place is None else PAGE_OF[one.matter]


def seen_by(role: str, waiting: Iterable[Waiting]) -> list[Waiting]:
    """As much of it as this role may look at."""
    return [one for one in waiting if role in PAGES[page_of(one)].roles]


class WaitingTold(Told):
    id: str = Field(description="The same for as long as it waits, and never that of something else.")
    matter: str = Field(description="`win`, `claim`, `handover`, `proposal`, `malfunction` or `alert`.")
    place: str | None = Field(description="The link or pit; null: the whole house.")
    table: str | None
    since: Instant
    what: str = Field(description="Which hand, which change, what a malfunction does, which alert.")
    detail: str | None
    page: str = Field(description="The page of the console that shows it.")

    @classmethod
    def of(cls, one: Waiting) -> WaitingTold:
        return cls(
            id=one.id,
            matter=one.matter,
            place=one.place,
            table=one.table,
            since=spoken_instant(one.since),
            what=one.what,
            detail=one.detail,
            page=page_of(one),
        )


class CountsTold(Told):
    """How much of each waits there."""

    wins: int
    claims: int
    handovers: int
    proposals: int
    malfunctions: int
    alerts: int

    @classmethod
    def of(cls, waiting: Iterable[Waiting]) -> CountsTold:
        found = Counter(one.matter for one in waiting)
        return cls(**{f"{matter}s": found[matter] for matter in Matter})


class PlaceTold(Told):
    id: str
    name: str
    pit: bool = Field(description="Tables without a jackpot.")
    currency: str
    state: str = Field(description="Of the meter; of a pit always `open`.")
    stopped: str | None = Field(description="Why nothing is taken: its book was found to deny itself.")
    value: MinorUnits | None = Field(description="What signs show; null of a pit.")
    display: str | None
    sequence: int
    as_of: Instant
    tables: int
    in_play: int = Field(description="How many of its tables are in play.")
    silent: int = Field(description="How many of these have not been heard for too long.")
    waiting: CountsTold

    @classmethod
    def of(cls, pit: Pit, waiting: Sequence[Waiting], stopped: str | None) -> PlaceTold:
        link = pit if isinstance(pit, Link) else None
        return cls(
            id=pit.id,
            name=pit.name,
            pit=link is None,
            currency=pit.currency,
            state=MeterState.OPEN if link is None else meter_state(link),
            stopped=stopped,
            value=None if link is None else link.pool.value,
            display=None if link is None else spoken(link.pool.value, link.currency),
            sequence=pit.sequence,
            as_of=spoken_instant(pit.time),
            tables=len(pit.tables),
            in_play=sum(pit.in_play(table) for table in pit.tables.values()),
            silent=sum(one.what == SILENT for one in waiting),
            waiting=CountsTold.of(waiting),
        )


class OverviewTold(Told):
    places: list[PlaceTold] = Field(description="Links, then pits.")
    waiting: list[WaitingTold] = Field(description="Everything that waits for a person, the oldest first.")
    proposals: list[ProposalTold] = Field(description="As `GET /v1/proposals` tells them.")
    malfunctions: list[MalfunctionTold] = Field(description="As `GET /v1/malfunctions` tells them.")
    clock: HouseClockTold


class TodayTold(Told):
    """The last day of a link or pit, in equal steps, the oldest first."""

    id: str
    values: list[MinorUnits | None] = Field(
        description="What the meter showed at the end of each step, null before it was there; none of a pit."
    )
    rounds: list[int] = Field(description="Rounds whose bets were closed in each step.")

    @classmethod
    def of(cls, pit: Pit, day: PlaceDay) -> TodayTold:
        return cls(id=pit.id, values=day.values if isinstance(pit, Link) else [], rounds=day.rounds)


class DaysTold(Told):
    start: Instant = Field(serialization_alias="from", description="When the first step begins.")
    step_s: int
    complete: bool = Field(description="False while the journals of that day are still being read.")
    places: list[TodayTold]

    @classmethod
    def of(cls, places: Sequence[Pit], days: Mapping[str, PlaceDay], start: int, step: int) -> DaysTold:
        told = [TodayTold.of(one, days[one.id]) for one in places if one.id in days]
        return cls(
            start=spoken_instant(start),
            step_s=step,
            complete=len(told) == len(places),
            places=told,
        )
