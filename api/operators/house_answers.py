"""What people are told of links, tables, wins, claims, proposals and malfunctions."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from jackpot.book.writing.clock import HouseClock
from jackpot.cards.evaluator import Hand
from jackpot.core.codec import to_bytes
from jackpot.core.instants import MILLISECOND, SECOND, spoken_instant
from jackpot.core.money import spoken
from jackpot.games.progressive import Levels
from jackpot.link.parameters import Parameters
from jackpot.link.proposals import Proposal
from jackpot.link.rounds import RoundOfPlay
from jackpot.link.state import Link, Malfunction, Pit, Table, TableOfPlay, TableStatus
from jackpot.link.wins import Interval
from jackpot.play.status import blocked_boxes, meter_state, notice, table_closed
from jackpot.readings.alerts import Alert, clock_alerts
from jackpot.readings.table_views import clock_offset

MinorUnits = Annotated[int, Field(description="Minor units of the currency.")]
Units = Annotated[int, Field(description="Millionths of a minor unit of the currency, exact.")]
Instant = Annotated[str, Field(description="RFC 3339, house time.", examples=["2026-01-01T00:00:00.250000Z"])]


def maybe(instant: int | None) -> str | None:
    return None if instant is None else spoken_instant(instant)


def plain(record: object) -> dict[str, Any]:
    """A record of the rules as the journal would write it."""
    return dict(json.loads(to_bytes(record)))


class Told(BaseModel):
    model_config = ConfigDict(frozen=True)


class Span(Told):
    start: Instant = Field(serialization_alias="from")
    end: Instant = Field(serialization_alias="to")

    @classmethod
    def of(cls, interval: Interval) -> Span:
        return cls(start=spoken_instant(interval.start), end=spoken_instant(interval.end))


# Links and tables


class ApprovalsWanted(Told):
    straight_flush: int
    royal_flush: int


class LevelTold(Told):
    """What a hand wins: a share of the displayed value in percent, or odds for 1."""

    hand: str
    share: int | None = None
    odds: int | None = None


def levels_told(levels: Levels) -> list[LevelTold]:
    return [
        LevelTold(hand=hand, share=levels[hand].share, odds=levels[hand].odds)
        for hand in reversed(Hand)
        if hand in levels
    ]


class Terms(Told):
    """The parameters of a link, named as in the floor file."""

    seed: MinorUnits
    progressive_bet: MinorUnits
    meter_ppm: int
    reserve_ppm: int
    ceiling: MinorUnits | None
    top_up_to_seed: bool
    approvals: ApprovalsWanted
    silent_after_s: int
    order_basis: str
    policy: str
    window_ms: int | None
    cap: MinorUnits | None
    level: list[LevelTold] = Field(description="The pay table, best hand first.")
    unclaimed_after_days: int = Field(description="How long a paid win waits for its winner.")

    @classmethod
    def of(cls, terms: Parameters) -> Terms:
        return cls(
            seed=terms.seed,
            progressive_bet=terms.progressive_bet,
            meter_ppm=terms.meter_ppm,
            reserve_ppm=terms.reserve_ppm,
            ceiling=terms.ceiling,
            top_up_to_seed=terms.top_up_to_seed,
            approvals=ApprovalsWanted(
                straight_flush=terms.straight_flush_approvals, royal_flush=terms.royal_flush_approvals
            ),
            silent_after_s=terms.silent_after // SECOND,
            order_basis=terms.order_basis,
            policy=terms.awards.policy,
            window_ms=None if terms.awards.window is None else terms.awards.window // MILLISECOND,
            cap=terms.awards.cap,
            level=levels_told(terms.awards.levels),
            unclaimed_after_days=terms.unclaimed_after_days,
        )


class BreakEvenTold(Told):
    """The displayed value at which a bet returns what it costs on average."""

    value: MinorUnits
    display: str
    passed: bool = Field(description="The displayed value is above it: bets favour players.")
    passed_at: Instant | None = Field(
        description="Since when it is above without a break; null too if that was too long ago to look for."
    )
    edge_ppm: int = Field(
        description="Parts per million of a bet that its player loses on average now; below zero, gains."
    )


class LinkTold(Told):
    id: str
    name: str
    currency: str
    state: str
    value: MinorUnits
    display: str
    sequence: int
    as_of: Instant
    pending: int
    claims: int
    handovers: int = Field(description="How many paid wins are due to be handed over.")
    tables: int
    parameters: Terms
    scheduled: list[dict[str, Any]] = Field(description="Confirmed changes that wait for the next reset.")
    accounts: dict[str, Units]
    break_even: BreakEvenTold
    stopped: str | None = Field(description="Why nothing is taken: its book was found to deny itself.")

    @classmethod
    def of(cls, link: Link, break_even: BreakEvenTold, stopped: str | None) -> LinkTold:
        return cls(
            id=link.id,
            name=link.name,
            currency=link.currency,
            state=meter_state(link),
            value=link.pool.value,
            display=spoken(link.pool.value, link.currency),
            sequence=link.sequence,
            as_of=spoken_instant(link.time),
            pending=len(link.queue),
            claims=len(link.claims),
            handovers=sum(one.unclaimed is None for one in link.handovers.values()),
            tables=len(link.tables),
            parameters=Terms.of(link.parameters),
            scheduled=[plain(one.changes) | {"sequence": one.sequence} for one in link.scheduled],
            accounts={account.value: units for account, units in link.pool.accounts.items()},
            break_even=break_even,
            stopped=stopped,
        )


class AlertTold(Told):
    code: str
    since: Instant
    detail: str | None = Field(description="What the code alone does not tell, in words.")

    @classmethod
    def of(cls, alert: Alert) -> AlertTold:
        return cls(code=alert.code, since=spoken_instant(alert.since), detail=alert.detail)


class HouseClockTold(Told):
    """House time, as this replica knows it."""

    now: Instant
    error_us: int
    difference_us: int = Field(description="House time less the database server's clock.")
    alerts: list[AlertTold]

    @classmethod
    def of(cls, clock: HouseClock) -> HouseClockTold:
        at, error = clock.moment()
        raised = clock_alerts(clock.differs_since)
        return cls(
            now=spoken_instant(at),
            error_us=error,
            difference_us=clock.difference,
            alerts=[AlertTold.of(one) for one in raised],
        )


class Links(Told):
    links: list[LinkTold]
    clock: HouseClockTold


class ClockTold(Told):
    """House time is table time plus an offset, as the House has measured it; null where nothing is known."""

    offset_from_us: int | None
    offset_to_us: int | None
    echoed_at: Instant | None = Field(description="When the House gave the newest answer that was echoed.")
    word: dict[str, int] | None = Field(description="What the table claims. It decides nothing.")

    @classmethod
    def of(cls, place: Pit, table: TableOfPlay, now: int) -> ClockTold:
        offset, contact = clock_offset(place, table, now=now), table.contact
        word = contact.word
        return cls(
            offset_from_us=offset.least,
            offset_to_us=offset.most,
            echoed_at=None if offset.least is None else maybe(contact.bounds.echoed_at),
            word=None if word is None else {"offset_us": word.offset, "error_us": word.error},
        )


class CurrentRound(Told):
    round: int
    state: str
    open: bool = Field(
        description="An accepted progressive bet is still without a hand; in a pit, it does not stand yet."
    )
    closed_at: Instant = Field(description="By the table's clock.")
    journalled_at: Instant = Field(description="By the House's: no card of it was dealt before.")

    @classmethod
    def of(cls, current: RoundOfPlay) -> CurrentRound:
        return cls(
            round=current.number,
            state=current.state,
            open=current.open,
            closed_at=spoken_instant(current.closed_at),
            journalled_at=spoken_instant(current.dealt_from),
        )


class AnyTableTold(Told):
    """What is told of a table wherever it plays."""

    id: str
    name: str = Field(description="By which people are shown it; empty for its id.")
    game: str
    boxes: int
    minimum: MinorUnits | None = Field(description="Of the main bets, for the rounds to come.")
    maximum: MinorUnits | None
    changed: int = Field(
        description="The journal sequence at which its limits, boxes or name were last changed; 0 for never."
    )
    state: str
    in_play: bool
    notice: str | None
    last_seen: Instant | None
    clock: ClockTold
    round: CurrentRound | None
    alerts: list[AlertTold]

    @staticmethod
    def common(place: Pit, table: TableOfPlay, alerts: list[Alert], now: int) -> dict[str, Any]:
        return {
            "id": table.setup.id,
            "name": table.setup.name,
            "boxes": table.setup.boxes,
            "minimum": table.setup.minimum,
            "maximum": table.setup.maximum,
            "changed": table.changed,
            "state": TableStatus.CLOSED if table_closed(place, table) else table.status,
            "in_play": place.in_play(table),
            "notice": notice(place, table),
            "last_seen": maybe(table.contact.seen_at),
            "clock": ClockTold.of(place, table, now),
            "round": None if table.round is None else CurrentRound.of(table.round),
            "alerts": [AlertTold.of(one) for one in alerts if one.table == table.setup.id],
        }


class TableTold(AnyTableTold):
    progressive: str
    blocked_boxes: list[int]
    most_won: MinorUnits | None = Field(
        description="By a box, with the BET or the Bonus (4.1.1); null for as much as the rule book says."
    )

    @classmethod
    def of(cls, link: Link, table: Table, alerts: list[Alert], *, now: int) -> TableTold:
        return cls(
            **cls.common(link, table, alerts, now),
            game=table.setup.game,
            progressive="on" if notice(link, table) is None else "off",
            blocked_boxes=sorted(blocked_boxes(link, table)),
            most_won=table.setup.most_won,
        )


class Tables(Told):
    tables: list[TableTold]


# Proposals and malfunctions


class ProposalTold(Told):
    id: str
    link: str
    change: dict[str, Any] = Field(description="What is to be done; `kind` says which change it is.")
    reason: str
    person: str
    at: Instant

    @classmethod
    def of(cls, link: str, proposal: Proposal) -> ProposalTold:
        return cls(
            id=proposal.id,
            link=link,
            change=plain(proposal.change),
            reason=proposal.reason,
            person=proposal.person,
            at=spoken_instant(proposal.at),
        )


class Proposals(Told):
    proposals: list[ProposalTold]


class MalfunctionTold(Told):
    id: str
    link: str
    scope: dict[str, str | int] = Field(description="As it was declared: link, table, or table and box.")
    then: str
    observed_at: Instant
    declared_at: Instant
    by: str
    note: str

    @classmethod
    def of(cls, link: str, malfunction: Malfunction) -> MalfunctionTold:
        scope = malfunction.scope
        named = {"table": scope.table, "box": scope.box} if scope.table else {"link": link}
        return cls(
            id=malfunction.id,
            link=link,
            scope={part: name for part, name in named.items() if name is not None},
            then=malfunction.then,
            observed_at=spoken_instant(malfunction.observed_at),
            declared_at=spoken_instant(malfunction.declared_at),
            by=malfunction.by,
            note=malfunction.note,
        )


class Malfunctions(Told):
    malfunctions: list[MalfunctionTold]
