"""What is told of a round in a pit: the bets as they lay, the hands as they were split, the settlement with
its paragraphs, and everything that was reported and decided, so that a dispute can be settled from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import Field

from api.auditors.pit_play_answers import TableOfCards
from api.auditors.record_answers import PitEntryTold
from api.auditors.round_reports import ClockOfRound, clock_readings
from api.auditors.round_story import Step, steps_of
from api.controllers.pit_answers import told_pit_adjustments, told_pit_lines
from api.operators.house_answers import Instant, MinorUnits, Told
from api.operators.pit_answers import TermsOfTable
from api.operators.pit_irregularity_answers import PitIrregularityTold
from jackpot.book.reading.evidence import PitRoundEvidence
from jackpot.book.reading.history import Told as Entered
from jackpot.core.instants import spoken_instant
from jackpot.games.blackjack import (
    WAGERS,
    Adjusted,
    Bets,
    Closing,
    Line,
    Report,
    close,
    played,
    playing,
)
from jackpot.link.pit_facts import PitBetsClosed, PitBetsReturned, PitHandsReported, PitRoundVoided
from jackpot.link.state import Pit, PitTable
from jackpot.play.pit_rounds import play_of

_OVERRULES = (PitHandsReported, PitBetsReturned, PitRoundVoided)


class PitWagerTold(Told):
    box: int | None = Field(description="Null: it lies on no box.")
    player: str
    hand: int | None = Field(description="Its number as played; null for side bets and insurance.")
    wager: str
    name: str = Field(description="What people call the wager.")
    outcome: str = Field(description="win, lose, stand_off or returned.")
    stake: MinorUnits
    pays: str | None = Field(description="The odds of a win.")
    payout: MinorUnits = Field(description="All that the player is handed.")
    won: MinorUnits
    collected: MinorUnits
    rule: str = Field(description="The paragraph of the table's own game that says so.")
    marker: MinorUnits | None = Field(default=None, description="Of a Free Bet Marker: the value it pays on.")


def pit_lines(lines: Iterable[Line]) -> list[PitWagerTold]:
    return [
        PitWagerTold.model_validate(one | {"name": WAGERS[one["wager"]]}) for one in told_pit_lines(lines)
    ]


class PitAdjustmentTold(Told):
    box: int | None
    player: str
    hand: int | None
    wager: str
    name: str
    before: MinorUnits
    after: MinorUnits
    difference: MinorUnits


def pit_adjustments(adjustments: Iterable[Adjusted]) -> list[PitAdjustmentTold]:
    return [PitAdjustmentTold(**one, name=WAGERS[one["wager"]]) for one in told_pit_adjustments(adjustments)]


# Bets


class LaidTold(Told):
    box: int | None = Field(description="Null: it lies on no box.")
    player: str
    standing: bool
    wager: str
    name: str
    laid: MinorUnits


class PlayingTold(Told):
    box: int | None
    player: str
    wager: str
    name: str
    stake: MinorUnits


class PitBetsTold(Told):
    laid: list[LaidTold] = Field(description="Every bet as it lay at the closing, in the order of placing.")
    playing: list[PlayingTold] = Field(description="The part of each that plays.")
    returned: list[PitWagerTold] = Field(description="What went back at once.")
    table_closed: bool = Field(description="The House had closed the table: all went back.")
    closed_at: Instant = Field(description="By the table's clock.")
    dealt_from: Instant
    sent_at: Instant = Field(description="By the table's clock.")
    received_at: Instant
    sequence: int
    hash: str

    @classmethod
    def of(cls, story: Sequence[Entered], closing: Closing) -> PitBetsTold:
        entry, fact = next((at, fact) for at, fact in story if isinstance(fact, PitBetsClosed))
        return cls(
            laid=_laid(fact.bets, closing),
            playing=[
                PlayingTold(
                    box=one.box,
                    player=one.player,
                    wager=one.wager,
                    name=WAGERS[one.wager],
                    stake=one.stake,
                )
                for one in playing(closing)
            ],
            returned=pit_lines(fact.settlement),
            table_closed=fact.table_closed,
            closed_at=spoken_instant(fact.closed_at),
            dealt_from=spoken_instant(fact.dealt_from),
            sent_at=spoken_instant(fact.sent_at),
            received_at=spoken_instant(fact.received_at),
            sequence=entry.sequence,
            hash=entry.hash,
        )


def _laid(bets: Bets, closing: Closing) -> list[LaidTold]:
    found = [
        LaidTold(
            box=one.box,
            player=one.name,
            standing=one.standing,
            wager=wager,
            name=WAGERS[wager],
            laid=amount,
        )
        for one in bets.boxes
        for wager, amount in {"bet": one.bet, **one.side}.items()
        if amount
    ]
    table = closing.rules.table_bet
    if table is not None:
        found += [
            LaidTold(
                box=None,
                player=one.player,
                standing=False,
                wager=table.name,
                name=WAGERS[table.name],
                laid=one.bet,
            )
            for one in bets.boom_busted
        ]
    return found


# What the table reported


class PitReportedTold(Told):
    """A hands message."""

    sequence: int
    hash: str
    at: Instant
    by: str
    sent_at: Instant = Field(description="By the table's clock.")
    received_at: Instant
    state: str
    final: bool
    correction: bool = Field(description="Something of the round was told before.")
    superseded_by: int | None = Field(description="The entry that changed what it said.")
    told: TableOfCards
    settlement: list[PitWagerTold]
    adjustments: list[PitAdjustmentTold]


def _reports(story: Sequence[Entered], closing: Closing) -> list[PitReportedTold]:
    changes = [entry.sequence for entry, fact in story if isinstance(fact, _OVERRULES)]
    reports = [(entry, fact) for entry, fact in story if isinstance(fact, PitHandsReported)]
    return [
        PitReportedTold(
            sequence=entry.sequence,
            hash=entry.hash,
            at=spoken_instant(entry.at),
            by=fact.table,
            sent_at=spoken_instant(fact.sent_at),
            received_at=spoken_instant(fact.received_at),
            state=fact.state,
            final=fact.report.final,
            correction=place > 0,
            superseded_by=next((one for one in changes if one > entry.sequence), None),
            told=_as_told(closing, fact.report),
            settlement=pit_lines(fact.settlement),
            adjustments=pit_adjustments(fact.adjustments),
        )
        for place, (entry, fact) in enumerate(reports)
    ]


def _as_told(closing: Closing, report: Report) -> TableOfCards:
    return TableOfCards.of(played(closing, report), {})


# The round


class PitVoidTold(Told):
    reason: str = Field(description="The paragraph of the table's own game.")
    note: str
    by: str
    irregularity: str | None
    returned: list[PitWagerTold]
    adjustments: list[PitAdjustmentTold]
    at: Instant
    sequence: int


class PitChainedEntry(PitEntryTold):
    before: str = Field(description="The hash of the entry before it, to which it is chained.")


class OpenTold(Told):
    box: int | None
    player: str
    hand: int | None
    wager: str
    name: str


class PitRoundTold(TableOfCards):
    table: str
    round: int
    pit: str
    currency: str
    game: str
    terms: TermsOfTable
    state: str
    open: bool
    current: bool = Field(description="Whether it is the table's latest.")
    closed_at: Instant = Field(description="By the table's clock; it orders nothing.")
    dealt_from: Instant = Field(description="House time before which no card of it was dealt.")
    bets: PitBetsTold
    reports: list[PitReportedTold] = Field(description="Every hands message, also those that were corrected.")
    settlement: list[PitWagerTold] = Field(description="As it stands.")
    adjustments: list[PitAdjustmentTold] = Field(
        description="What the last report, irregularity or void changed in what had been handed out before."
    )
    left_open: list[OpenTold] = Field(
        description="Wagers whose outcome its table never told before the next round began."
    )
    irregularities: list[PitIrregularityTold]
    void: PitVoidTold | None
    clock: list[ClockOfRound] = Field(description="The table's clock beside the House's, message by message.")
    story: list[Step] = Field(description="What happened, in order, in words.")
    entries: list[PitChainedEntry] = Field(description="Every entry of the journal about it.")

    @classmethod
    def evidence(cls, pit: Pit, table: PitTable, found: PitRoundEvidence) -> PitRoundTold:
        one, setup = found.round, table.setup_of(found.round)
        play = play_of(setup, one)
        closing = close(setup.layout, one.bets)
        return cls(
            **dict(TableOfCards.of(play, one.returned)),
            table=setup.id,
            round=one.number,
            pit=pit.id,
            currency=pit.currency,
            game=setup.game,
            terms=TermsOfTable.of(setup),
            state=one.state,
            open=one.open,
            current=table.last_round == one.number,
            closed_at=spoken_instant(one.closed_at),
            dealt_from=spoken_instant(one.dealt_from),
            bets=PitBetsTold.of(found.story, closing),
            reports=_reports(found.story, closing),
            settlement=pit_lines(one.settlement),
            adjustments=pit_adjustments(one.adjustments),
            left_open=_left_open(found.story, one.number),
            irregularities=PitIrregularityTold.all_of(pit.currency, found.story),
            void=_void(found.story),
            clock=clock_readings(found.story),
            story=steps_of(found.story, table=setup.id, number=one.number, currency=pit.currency),
            entries=[_chained(entry, found.before) for entry, _ in found.story],
        )


def _chained(entry: Any, before: dict[int, str]) -> PitChainedEntry:
    return PitChainedEntry(**dict(PitEntryTold.of(entry)), before=before[entry.sequence])


def _left_open(story: Sequence[Entered], number: int) -> list[OpenTold]:
    return [
        OpenTold(box=one.box, player=one.player, hand=one.hand, wager=one.wager, name=WAGERS[one.wager])
        for _, fact in story
        if isinstance(fact, PitBetsClosed) and fact.settles == number
        for one in fact.left_open
    ]


def _void(story: Sequence[Entered]) -> PitVoidTold | None:
    for entry, fact in story:
        if isinstance(fact, PitRoundVoided):
            return PitVoidTold(
                reason=fact.reason,
                note=fact.note,
                by=fact.by,
                irregularity=fact.irregularity,
                returned=pit_lines(fact.settlement),
                adjustments=pit_adjustments(fact.adjustments),
                at=spoken_instant(entry.at),
                sequence=entry.sequence,
            )
    return None
