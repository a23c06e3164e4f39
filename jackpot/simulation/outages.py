"""A simulated table that cannot reach the service for a while: what it does alone, and tells afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from jackpot.core.instants import SECOND
from jackpot.link.commands import HouseAct, ReportHands, ReportOffline, ReturnOnline, TableMessage, VoidRound
from jackpot.link.rounds import Promise
from jackpot.simulation.tables import SimulatedTable


@dataclass(frozen=True, slots=True)
class Outage:
    """What a table has to say when it is back, in this order."""

    report: ReportOffline
    spool: tuple[TableMessage, ...]
    back: ReturnOnline

    def told(self, *, now: int) -> list[TableMessage | HouseAct]:
        spool = [replace(one, received_at=now) for one in self.spool]
        return [self.report, *spool, self.back]


def alone(rng: Random, table: SimulatedTable, *, now: int, told: Promise) -> Outage:
    """Before any cards were seen it voids its round, afterwards it finishes it on what it was told."""
    name, since = table.setup.id, table.clock.shows(now, table.start)
    seen = rng.random() < 0.7
    spool: list[TableMessage] = []
    if table.phase == "dealt":
        spool.append(_finished(table, now) if seen else _voided(table, since))
    report = ReportOffline(
        person=name,
        table=name,
        since=since,
        cards_seen=seen if table.phase == "dealt" else None,
        round=table.round if rng.random() < 0.8 else None,
        registered=_promised(rng, told),
    )
    return Outage(report, tuple(_numbered(table, spool)), ReturnOnline(person=name, table=name))


def _promised(rng: Random, told: Promise) -> Promise | None:
    """Mostly what it was told; now and then it remembers wrongly, or nothing."""
    luck = rng.random()
    if luck < 0.6:
        return told
    return None if luck < 0.7 else replace(told, value=told.value + 100_00)


def _finished(table: SimulatedTable, now: int) -> ReportHands:
    return replace(table.report(now), final=True)


def _voided(table: SimulatedTable, since: int) -> VoidRound:
    rule = table.setup.paragraphs.not_seen_voids
    return VoidRound(
        table=table.setup.id, round=table.round, reason=rule, sent_at=since, received_at=since, note="alone"
    )


def _numbered(table: SimulatedTable, spool: list[TableMessage]) -> list[TableMessage]:
    seq = table.seq
    return [
        replace(one, live=False, seq=seq + place if table.numbered else None)
        for place, one in enumerate(spool)
    ]


def duration(rng: Random) -> int:
    return rng.randrange(4, 25) * SECOND
