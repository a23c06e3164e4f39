"""What people are told of the meters that table controllers keep."""

from __future__ import annotations

from pydantic import Field

from api.operators.house_answers import Instant, MinorUnits, Told
from jackpot.book.reading.differences import Mended
from jackpot.core.instants import spoken_instant
from jackpot.link.facts import MetersDiffered
from jackpot.link.meters import Difference, Meters, rounds_named
from jackpot.link.state import Pit
from jackpot.readings.comparison import Comparison, comparison


class MetersShown(Told):
    rounds: int
    bets: MinorUnits
    returned: MinorUnits
    awards: MinorUnits

    @classmethod
    def of(cls, meters: Meters) -> MetersShown:
        return cls(rounds=meters.rounds, bets=meters.bets, returned=meters.returned, awards=meters.awards)

    @classmethod
    def maybe(cls, meters: Meters | None) -> MetersShown | None:
        return None if meters is None else cls.of(meters)


class MeterDifferenceTold(Told):
    id: str
    since: Instant
    after: int = Field(description="The round after which both last agreed.")
    round: int = Field(description="The round after which they differ.")
    rounds: list[int] = Field(
        description="The rounds in which it began that the House remembers; earlier ones may be missing."
    )
    where: str = Field(description="The same in words.", examples=["round 17", "rounds 15 to 17"])
    expected: MetersShown = Field(description="What the controller should have told.")
    told: MetersShown | None = Field(
        description="Null: the controller began to count anew, and these rounds were told by nobody."
    )
    difference: MetersShown | None = Field(description="What was told, less what was expected.")

    @classmethod
    def of(cls, found: Difference) -> MeterDifferenceTold:
        return cls(
            id=found.id,
            since=spoken_instant(found.at),
            after=found.after,
            round=found.round,
            rounds=list(found.rounds),
            where=found.where,
            expected=MetersShown.of(found.house),
            told=MetersShown.maybe(found.told),
            difference=None if found.told is None else MetersShown.of(found.offset),
        )


class TableMeters(Told):
    table: str
    state: str = Field(description="tells_none, agrees or differs.")
    round: int | None = Field(description="The last that is over.")
    house: MetersShown = Field(description="The House's own after that round.")
    agreed: int | None = Field(description="The round after which both last agreed.")
    told: MetersShown | None = Field(
        description="What the controller told then, or told otherwise; null if that is not remembered."
    )
    difference: MeterDifferenceTold | None = Field(description="What somebody has to settle.")

    @classmethod
    def of(cls, found: Comparison) -> TableMeters:
        return cls(
            table=found.table,
            state=found.state,
            round=found.round,
            house=MetersShown.of(found.house),
            agreed=found.agreed,
            told=MetersShown.maybe(found.told),
            difference=None if found.difference is None else MeterDifferenceTold.of(found.difference),
        )


class SettledDifference(Told):
    id: str
    table: str
    since: Instant
    after: int
    round: int
    rounds: list[int]
    where: str
    difference: MetersShown | None
    settled_at: Instant
    person: str
    reason: str
    sequence: int = Field(description="Of the journal entry that settled it.")

    @classmethod
    def of(cls, one: Mended) -> SettledDifference:
        fact = one.difference
        return cls(
            id=fact.difference,
            table=fact.table,
            since=spoken_instant(one.began.at),
            after=fact.after,
            round=fact.round,
            rounds=list(fact.rounds),
            where=rounds_named(fact.after, fact.round, fact.rounds),
            difference=_less(fact),
            settled_at=spoken_instant(one.ended.at),
            person=one.mending.person,
            reason=one.mending.reason,
            sequence=one.ended.sequence,
        )


def _less(fact: MetersDiffered) -> MetersShown | None:
    return None if fact.told is None else MetersShown.of(fact.told.less(fact.house))


class Reconciliation(Told):
    currency: str
    tables: list[TableMeters]
    settled: list[SettledDifference] = Field(description="The last hundred, the latest first.")

    @classmethod
    def of(cls, place: Pit, settled: list[Mended]) -> Reconciliation:
        return cls(
            currency=place.currency,
            tables=[TableMeters.of(comparison(table)) for table in place.tables.values()],
            settled=[SettledDifference.of(one) for one in settled],
        )
