"""What is told of a round in a pit: the bets as they lay, the hands as they were split, the settlement with
its paragraphs, and everything that was reported and decided, so that a dispute can be settled from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import Field

from api.auditors.record_answers import PitEntryTold
from api.auditors.round_reports import ClockOfRound, clock_readings
from api.auditors.round_story import Step, steps_of
from api.controllers.pit_answers import told_pit_adjustments, told_pit_lines
from api.operators.house_answers import Cents, Instant, Told, plain
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
    HandTree,
    Line,
    PlayerWagers,
    Report,
    close,
    dealer_view,
    hand_tree,
    played,
    playing,
)
from jackpot.games.blackjack.play import Play, Returned
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
    stake: Cents
    pays: str | None = Field(description="The odds of a win.")
    payout: Cents = Field(description="All that the player is handed.")
    won: Cents
    collected: Cents
    rule: str = Field(description="The paragraph of the table's own game that says so.")
    marker: Cents | None = Field(default=None, description="Of a Free Bet Marker: the value it pays on.")


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
    before: Cents
    after: Cents
    difference: Cents


def pit_adjustments(adjustments: Iterable[Adjusted]) -> list[PitAdjustmentTold]:
    return [PitAdjustmentTold(**one, name=WAGERS[one["wager"]]) for one in told_pit_adjustments(adjustments)]


# Bets


class LaidTold(Told):
    box: int | None = Field(description="Null: it lies on no box.")
    player: str
    standing: bool
    wager: str
    name: str
    laid: Cents


class PlayingTold(Told):
    box: int | None
    player: str
    wager: str
    name: str
    stake: Cents


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


# The play


class SaidByPlayer(Told):
    """What only a player can say of a hand; what is null he did not say."""

    player: str
    insurance: Cents | None
    even_money: bool | None
    split: str | None
    double: Cents | None
    free_double: bool | None
    invalidated: str | None

    @classmethod
    def of(cls, box: int, one: PlayerWagers) -> SaidByPlayer:
        return cls(
            player=one.name(box),
            insurance=one.insurance,
            even_money=one.even_money,
            split=one.split,
            double=one.double,
            free_double=one.free_double,
            invalidated=one.invalidated,
        )


class HandPlayed(Told):
    number: int | None = Field(description="As it was played, 1 to 4; null of a hand that was split.")
    cards: list[str] = Field(description="In the order received.")
    total: int
    soft: bool
    blackjack: bool
    bust: bool
    decision: str | None = Field(description="How it ended, as called for the box; null: it stood.")
    wagers: list[SaidByPlayer]
    split: list[HandPlayed] = Field(description="The two hands that came of it.")

    @classmethod
    def of(cls, box: int, one: HandTree) -> HandPlayed:
        return cls(
            number=one.number,
            cards=list(one.cards),
            total=one.total,
            soft=one.soft,
            blackjack=one.blackjack,
            bust=one.bust,
            decision=one.decision,
            wagers=[SaidByPlayer.of(box, said) for said in one.wagers],
            split=[cls.of(box, hand) for hand in one.split],
        )


class PlayerOfBox(Told):
    player: str
    seated: bool
    caller: bool = Field(description="Who calls for the box (3.8).")
    plays: Cents = Field(description="The part of his Initial Bet that plays.")
    returned_by: str | None = Field(description="The paragraph by which his bets went back.")


class BoxPlayed(Told):
    box: int
    players: list[PlayerOfBox] = Field(description="Who has anything on it, in the order of placing.")
    hand: HandPlayed | None = Field(description="As it was last told; null while it has no cards.")
    invalidated: str | None


class DealerTold(Told):
    cards: list[str]
    total: int
    soft: bool
    blackjack: bool
    bust: bool
    finished: bool


class DiscardTold(Told):
    card: str
    rule: str


class ShoeTold(Told):
    id: str | None
    drawn: list[str] | None = Field(description="All cards of the round as the shoe counted them out.")


class TableOfCards(Told):
    """A round as far as it was told."""

    boxes: list[BoxPlayed]
    dealer: DealerTold
    discarded: list[DiscardTold] = Field(description="Cards that left the shoe and belong to no hand.")
    shoe: ShoeTold | None

    @classmethod
    def of(cls, play: Play, returned: Returned) -> TableOfCards:
        report = play.report
        return cls(
            boxes=_boxes(play, returned),
            dealer=DealerTold.model_validate(plain(dealer_view(play))),
            discarded=[DiscardTold(card=one.card, rule=one.rule) for one in report.discarded],
            shoe=None
            if report.shoe is None
            else ShoeTold(
                id=report.shoe.id, drawn=None if report.shoe.drawn is None else list(report.shoe.drawn)
            ),
        )


def _boxes(play: Play, returned: Returned) -> list[BoxPlayed]:
    found = []
    for number, box in play.boxes.items():
        closed = box.closed
        caller = closed.caller(frozenset(box.back))
        back = {name: one.rule for name, one in box.back.items()}
        back |= {name: one.rule for (at, name), one in returned.items() if at == number}
        players = [
            PlayerOfBox(
                player=name,
                seated=name == closed.seated,
                caller=name == caller,
                plays=closed.players[name].plays if name in closed.players else 0,
                returned_by=back.get(name),
            )
            for name in closed.bettors
        ]
        hand = HandPlayed.of(number, hand_tree(box)) if box.told is not None and box.told.cards else None
        told = box.told
        found.append(
            BoxPlayed(
                box=number, players=players, hand=hand, invalidated=None if told is None else told.invalidated
            )
        )
    return found


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
        one, setup = found.round, table.setup
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
