"""What is told of a round of play: everything reported and decided about it, so that a dispute can be settled
from this one document."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from api.auditors.record_answers import EntryTold
from api.auditors.round_reports import BetsTold, ClockOfRound, HandsTold, clock_readings, reports_of
from api.auditors.round_story import Step, steps_of
from api.auditors.round_wagers import (
    AdjustmentTold,
    WagerTold,
    adjustments_told,
    lines_told,
    progressive_wagers,
)
from api.operators.claim_answers import ClaimTold
from api.operators.house_answers import Instant, MinorUnits, Told, plain
from api.operators.irregularity_answers import IrregularityTold
from api.operators.win_answers import WinProof, WinTold, win_proof
from jackpot.book.reading.evidence import RoundEvidence
from jackpot.book.reading.history import PastClaim
from jackpot.core.instants import spoken_instant
from jackpot.link.facts import MalfunctionCleared, MalfunctionDeclared, RoundContinued, RoundVoided
from jackpot.link.rounds import Box
from jackpot.link.state import Link, Table
from jackpot.readings.waiting import waiting_wins


class BoxTold(Told):
    box: int
    ante: MinorUnits
    bonus: MinorUnits
    progressive: MinorUnits
    returned: bool
    invalidated: str | None = Field(description="The paragraph by which the House invalidated its hand.")
    paid: bool
    hand: dict[str, Any] | None = Field(description="As the table reported it.")
    result: dict[str, Any] | None

    @classmethod
    def of(cls, box: Box) -> BoxTold:
        return cls(
            box=box.number,
            ante=box.ante,
            bonus=box.bonus,
            progressive=box.bet,
            returned=box.returned,
            invalidated=box.invalidated,
            paid=box.paid,
            hand=None if box.record is None else plain(box.record),
            result=None if box.result is None else plain(box.result),
        )


class LimitsTold(Told):
    minimum: MinorUnits | None
    maximum: MinorUnits | None


class VoidTold(Told):
    reason: str = Field(description="The paragraph of the table's own game.")
    note: str
    by: str
    malfunction: str | None
    irregularity: str | None
    returned: list[dict[str, Any]]
    adjustments: list[AdjustmentTold]
    at: Instant
    sequence: int


class MalfunctionOfRound(Told):
    id: str
    scope: dict[str, Any]
    observed_at: Instant
    declared_at: Instant
    by: str
    note: str
    then: str
    effect: str = Field(description="voided or continued.")
    rule: str
    registered_value: MinorUnits | None = Field(
        description="What the wins of a round that goes on are paid from."
    )
    cleared_at: Instant | None
    cleared_by: str | None
    sequence: int


class ChainedEntry(EntryTold):
    before: str = Field(description="The hash of the entry before it, to which it is chained.")


class RoundTold(Told):
    table: str
    round: int
    link: str
    currency: str
    game: str
    state: str
    open: bool
    current: bool = Field(description="Whether it is the table's latest.")
    closed_at: Instant = Field(description="By the table's clock; it orders nothing.")
    dealt_from: Instant = Field(description="House time before which no card of it was dealt.")
    registered_value: MinorUnits | None = Field(
        description="Since a malfunction after cards were seen: what its wins are paid from."
    )
    limits: LimitsTold
    community: list[str]
    dealer: list[str]
    boxes: list[BoxTold]
    playing: list[int] = Field(description="The boxes whose bets stand and whose hands are valid.")
    bets: BetsTold
    reports: list[HandsTold] = Field(description="Every hands message, also those that were corrected.")
    settlement: list[WagerTold] = Field(description="Of the main game, as it stands.")
    progressive: list[WagerTold] = Field(description="What became of each Progressive Jackpot Bet.")
    adjustments: list[AdjustmentTold] = Field(
        description="What the last report, irregularity or void changed in what had been handed out before."
    )
    irregularities: list[IrregularityTold]
    malfunctions: list[MalfunctionOfRound]
    void: VoidTold | None
    wins: list[str]
    claims: list[str]
    majors: list[WinProof] = Field(description="Every win it ever had, with order, approvals and payment.")
    late_claims: list[ClaimTold]
    clock: list[ClockOfRound] = Field(description="The table's clock beside the House's, message by message.")
    story: list[Step] = Field(description="What happened, in order, in words.")
    entries: list[ChainedEntry] = Field(description="Every entry of the journal about it.")

    @classmethod
    def of(cls, link: Link, table: Table, found: RoundEvidence) -> RoundTold:
        one, setup = found.round, table.setup_of(found.round)
        majors, claims = majors_of(link, found), _late_claims(link, found)
        return cls(
            table=setup.id,
            round=one.number,
            link=link.id,
            currency=link.currency,
            game=setup.game,
            state=one.state,
            open=one.open,
            current=table.last_round == one.number,
            closed_at=spoken_instant(one.closed_at),
            dealt_from=spoken_instant(one.dealt_from),
            registered_value=one.registered_value,
            limits=LimitsTold(minimum=setup.minimum, maximum=setup.maximum),
            community=list(one.community),
            dealer=list(one.dealer),
            boxes=[BoxTold.of(box) for box in one.boxes.values()],
            playing=one.playing,
            bets=BetsTold.of(found.story),
            reports=reports_of(found.story),
            settlement=lines_told(one.settlement),
            progressive=progressive_wagers(found, majors, claims),
            adjustments=adjustments_told(one.adjustments),
            irregularities=IrregularityTold.all_of(link.id, link.currency, [at.entry for at in found.story]),
            malfunctions=_malfunctions(found),
            void=_void(found),
            wins=one.wins,
            claims=one.claims,
            majors=majors,
            late_claims=claims,
            clock=clock_readings(found.story),
            story=steps_of(found.story, table=setup.id, number=one.number, currency=link.currency),
            entries=[
                ChainedEntry(**dict(EntryTold.of(entry)), before=found.before[entry.sequence])
                for entry, _ in found.story
            ],
        )


def majors_of(link: Link, found: RoundEvidence) -> list[WinProof]:
    waiting = {one.win.id: one for one in waiting_wins(link)} if found.wins else {}
    told = []
    for name, proof in found.wins.items():
        if proof.ended is not None:
            ended = WinTold.ended(proof.ended, found.read_at)
            told.append(win_proof(ended, proof.ended.registered.evidence, proof, link.currency))
        else:
            one = waiting[name]
            waits = WinTold.waiting(one, found.read_at)
            told.append(win_proof(waits, one.win.evidence, proof, link.currency))
    return told


def _late_claims(link: Link, found: RoundEvidence) -> list[ClaimTold]:
    return [
        ClaimTold.past(one) if isinstance(one, PastClaim) else ClaimTold.open(link, one)
        for one in found.claims.values()
    ]


def _void(found: RoundEvidence) -> VoidTold | None:
    for entry, fact in found.story:
        if isinstance(fact, RoundVoided):
            return VoidTold(
                reason=fact.reason,
                note=fact.note,
                by=fact.by,
                malfunction=fact.malfunction,
                irregularity=fact.irregularity,
                returned=[plain(one) for one in fact.returned],
                adjustments=adjustments_told(fact.adjustments),
                at=spoken_instant(entry.at),
                sequence=entry.sequence,
            )
    return None


def _malfunctions(found: RoundEvidence) -> list[MalfunctionOfRound]:
    effects = {
        fact.malfunction: fact
        for _, fact in found.story
        if isinstance(fact, RoundVoided | RoundContinued) and fact.malfunction is not None
    }
    cleared = {
        fact.malfunction: (entry, fact) for entry, fact in found.story if isinstance(fact, MalfunctionCleared)
    }
    told = []
    for entry, fact in found.story:
        if isinstance(fact, MalfunctionDeclared):
            effect, end = effects[fact.malfunction], cleared.get(fact.malfunction)
            continued = isinstance(effect, RoundContinued)
            told.append(
                MalfunctionOfRound(
                    id=fact.malfunction,
                    scope=plain(fact.scope),
                    observed_at=spoken_instant(fact.observed_at),
                    declared_at=spoken_instant(entry.at),
                    by=fact.by,
                    note=fact.note,
                    then=fact.then,
                    effect="continued" if continued else "voided",
                    rule=effect.rule if isinstance(effect, RoundContinued) else effect.reason,
                    registered_value=effect.registered.value if isinstance(effect, RoundContinued) else None,
                    cleared_at=None if end is None else spoken_instant(end[0].at),
                    cleared_by=None if end is None else end[1].person,
                    sequence=entry.sequence,
                )
            )
    return told
