"""What a round's table reported, message by message: bets, hands and corrections, and by which clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from api.auditors.round_wagers import AdjustmentTold, WagerTold, adjustments_told, lines_told
from api.operators.house_answers import Instant, MinorUnits, Told, maybe, plain
from jackpot.book.reading.history import Told as Entered
from jackpot.core.instants import spoken_instant
from jackpot.link.facts import (
    BetsClosed,
    ClaimRaised,
    HandsInvalidated,
    HandsReported,
    RoundVoided,
    WinRegistered,
)
from jackpot.link.pit_facts import PitBetsClosed, PitHandsReported
from jackpot.link.rounds import PROGRESSIVE, HandRecord, ReturnedBet
from jackpot.link.wins import DealEvidence

_OVERRULES = (HandsReported, HandsInvalidated, RoundVoided)


class ReturnTold(Told):
    box: int
    amount: MinorUnits
    code: str
    rule: str | None
    wager: str

    @classmethod
    def of(cls, one: ReturnedBet) -> ReturnTold:
        return cls(box=one.box, amount=one.amount, code=one.code, rule=one.rule, wager=one.wager)


class BetOfBox(Told):
    """As it was sent, before anything went back."""

    box: int
    ante: MinorUnits
    bonus: MinorUnits
    progressive: MinorUnits
    accepted: MinorUnits = Field(description="Of the progressive.")


class BetsTold(Told):
    boxes: list[BetOfBox]
    returned: list[ReturnTold]
    closed_at: Instant = Field(description="By the table's clock.")
    dealt_from: Instant
    sent_at: Instant = Field(description="By the table's clock.")
    received_at: Instant
    meter_ppm: int
    reserve_ppm: int
    sequence: int
    hash: str

    @classmethod
    def of(cls, story: Sequence[Entered]) -> BetsTold:
        entry, fact = next((at, fact) for at, fact in story if isinstance(fact, BetsClosed))
        return cls(
            boxes=_sent(fact),
            returned=[ReturnTold.of(one) for one in fact.returned],
            closed_at=spoken_instant(fact.closed_at),
            dealt_from=spoken_instant(fact.dealt_from),
            sent_at=spoken_instant(fact.sent_at),
            received_at=spoken_instant(fact.received_at),
            meter_ppm=fact.meter_ppm,
            reserve_ppm=fact.reserve_ppm,
            sequence=entry.sequence,
            hash=entry.hash,
        )


def _sent(fact: BetsClosed) -> list[BetOfBox]:
    """What stands and what went back together are what was placed."""
    back = {(one.box, one.wager): one.amount for one in fact.returned}
    return [
        BetOfBox(
            box=one.box,
            ante=one.ante + back.get((one.box, "ante"), 0),
            bonus=one.bonus + back.get((one.box, "bonus"), 0),
            progressive=one.progressive + back.get((one.box, PROGRESSIVE), 0),
            accepted=one.progressive,
        )
        for one in fact.boxes
    ]


class HandTold(Told):
    box: int
    cards: list[str]
    revealed: bool
    dealt_at: Instant | None = Field(description="By the table's clock.")
    deal_order: int | None
    folded: bool
    invalidated: str | None
    main: dict[str, Any] | None = Field(description="What was said of the main game.")

    @classmethod
    def of(cls, one: HandRecord) -> HandTold:
        return cls(
            box=one.box,
            cards=list(one.cards),
            revealed=bool(one.cards) or one.awaited,
            dealt_at=maybe(one.dealt_at),
            deal_order=one.deal_order,
            folded=one.folded,
            invalidated=one.invalidated,
            main=None if one.main is None else plain(one.main),
        )


class HandsTold(Told):
    sequence: int
    hash: str
    at: Instant
    by: str
    sent_at: Instant = Field(description="By the table's clock.")
    received_at: Instant
    state: str
    correction: bool = Field(description="It replaced what was reported before.")
    superseded_by: int | None = Field(
        description="The entry that replaced it: a correction, an invalidation or the void."
    )
    community: list[str]
    dealer: list[str]
    hands: list[HandTold]
    results: list[dict[str, Any]]
    returned: list[ReturnTold]
    restored: list[int]
    settlement: list[WagerTold]
    adjustments: list[AdjustmentTold]


def reports_of(story: Sequence[Entered]) -> list[HandsTold]:
    changes = [entry.sequence for entry, fact in story if isinstance(fact, _OVERRULES)]
    reports = [(entry, fact) for entry, fact in story if isinstance(fact, HandsReported)]
    return [
        HandsTold(
            sequence=entry.sequence,
            hash=entry.hash,
            at=spoken_instant(entry.at),
            by=fact.table,
            sent_at=spoken_instant(fact.sent_at),
            received_at=spoken_instant(fact.received_at),
            state=fact.state,
            correction=place > 0,
            superseded_by=next((one for one in changes if one > entry.sequence), None),
            community=list(fact.community),
            dealer=list(fact.dealer),
            hands=[HandTold.of(one) for one in fact.records],
            results=[plain(one) for one in fact.results],
            returned=[ReturnTold.of(one) for one in fact.returned],
            restored=list(fact.restored),
            settlement=lines_told(fact.settlement),
            adjustments=adjustments_told(fact.adjustments),
        )
        for place, (entry, fact) in enumerate(reports)
    ]


class ClockOfRound(Told):
    message: str
    sequence: int
    sent_at: Instant = Field(description="By the table's clock.")
    received_at: Instant = Field(description="By the House's.")
    difference_us: int = Field(description="received_at less sent_at: the clock's offset and the way here.")
    offset_from_us: int | None = Field(
        description="As the House measured it; known where a major's deal depended on it."
    )
    offset_to_us: int | None
    live: bool | None


def clock_readings(story: Sequence[Entered]) -> list[ClockOfRound]:
    deals = {
        fact.evidence.sent_at: fact.evidence
        for _, fact in story
        if isinstance(fact, WinRegistered | ClaimRaised)
    }
    told = []
    for entry, fact in story:
        if isinstance(fact, BetsClosed | HandsReported | PitBetsClosed | PitHandsReported):
            told.append(_clock(entry.sequence, fact, deals.get(fact.sent_at)))
    return told


def _clock(
    sequence: int,
    fact: BetsClosed | HandsReported | PitBetsClosed | PitHandsReported,
    deal: DealEvidence | None,
) -> ClockOfRound:
    return ClockOfRound(
        message="bets" if isinstance(fact, BetsClosed | PitBetsClosed) else "hands",
        sequence=sequence,
        sent_at=spoken_instant(fact.sent_at),
        received_at=spoken_instant(fact.received_at),
        difference_us=fact.received_at - fact.sent_at,
        offset_from_us=None if deal is None else deal.offset.least,
        offset_to_us=None if deal is None else deal.offset.most,
        live=None if deal is None else deal.live,
    )
