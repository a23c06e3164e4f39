"""What the rules of the poker games say when the jackpot cannot be reached (S 5.17 to 5.18, H 5.16 to 5.17).

A round of which no card was seen is void. One that was seen is finished, and its majors are promised from
the last registered value. Until the service is back no progressive bets are taken. What hands are worth, the
core knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from jackpot.cards.cards import parse_all
from jackpot.client.errors import Refused
from jackpot.client.fallback import Answers, Fallback, as_on_the_wire
from jackpot.client.messages import (
    Answer,
    BetsAnswer,
    Body,
    HandResult,
    HandsAnswer,
    Meter,
    ReturnedBet,
    VoidAnswer,
)
from jackpot.client.settlement import settled_lines, told, told_adjusted
from jackpot.client.spool import Offline, RoundKnown, Waiting
from jackpot.core import refusals
from jackpot.core.codec import names_of
from jackpot.core.instants import parse_instant, spoken_instant
from jackpot.core.money import percentage
from jackpot.games.progressive import Level
from jackpot.link.awards import RULE_BOOK, Awards, Policy
from jackpot.link.commands import BoxBets, HandReport, ReportHands
from jackpot.link.meters import Meters
from jackpot.link.rounds import PROGRESSIVE, Box, MainGame, Round, RoundState
from jackpot.link.rounds import ReturnedBet as Returned
from jackpot.link.state import TableSetup
from jackpot.link.table_terms import TableTerms
from jackpot.play.bets import check_boxes
from jackpot.play.hands import settled_now
from jackpot.play.merging import cards_on_table
from jackpot.play.reports import Assessed, assess
from jackpot.play.settlement import handed_back, settlement_of_void
from jackpot.play.void import check_unseen

_MAIN_GAME = names_of(MainGame)


class JackpotFallback(Fallback[RoundKnown]):
    known = RoundKnown
    answers: ClassVar[Answers] = {"bets": BetsAnswer, "hands": HandsAnswer, "void": VoidAnswer}

    def __init__(self, setup: TableSetup) -> None:
        super().__init__(setup.id, setup.paragraphs)
        self._setup = setup

    def on_terms(self, terms: TableTerms) -> None:
        self._setup = self._setup.under(terms)

    def _judged_by(self, played: Round) -> TableSetup:
        return self._setup if played.terms is None else self._setup.under(played.terms)

    @property
    def unseen(self) -> str:
        """The paragraph that voids a round of which no card was seen."""
        return self._setup.paragraphs.not_seen_voids

    def check_bets(self, body: Body) -> None:
        try:
            check_boxes(self._setup, [BoxBets(**box) for box in body["boxes"]], prescribed=None)
        except refusals.Refused as refused:
            raise as_on_the_wire(refused) from refused

    def check_unsettled(self, known: RoundKnown) -> None:
        if known.settled:
            raise as_on_the_wire(refusals.RoundStands(f"round {known.number} is settled"))

    def without_progressive(self, body: Body) -> Body:
        """The bets as they are taken while the jackpot is away."""
        return {**body, "boxes": [{**box, "progressive": 0} for box in body["boxes"]]}

    def progressive_off(self, number: int, body: Body, meter: Meter | None) -> BetsAnswer:
        rule = self._setup.paragraphs.then_progressive_off
        return BetsAnswer(
            table=self._setup.id,
            round=number,
            state=RoundState.BETS_CLOSED,
            returned=_all_back(body, (PROGRESSIVE,), "progressive_off", rule),
            meter=meter,
            local=True,
        )

    def bets_void(self, number: int, body: Body, meter: Meter | None) -> BetsAnswer:
        rule = self._setup.paragraphs.void_returns_all
        return BetsAnswer(
            table=self._setup.id,
            round=number,
            state=RoundState.VOIDED,
            returned=_all_back(body, (PROGRESSIVE, "ante", "bonus"), "round_voided", rule),
            meter=meter,
            local=True,
        )

    def alone(self, known: RoundKnown | None, message: Waiting, meter: Meter | None) -> Answer:
        if message.kind == "bets":
            return self.progressive_off(message.round, message.body, meter)
        current = self.check_current(known, message.round)
        if message.kind == "void":
            return self.void(current, meter, message.body["reason"])
        return self.hands(current, message.sent_at, message.body, meter)

    def void(self, known: RoundKnown, meter: Meter | None, reason: str) -> VoidAnswer:
        self.check_unsettled(known)
        rule, played = self._setup.paragraphs.void_returns_all, _played(known)
        if reason == self.unseen:
            try:
                check_unseen(self._judged_by(played), played, field="reason")
            except refusals.Refused as refused:
                raise as_on_the_wire(refused) from refused
        lines = settlement_of_void(self._judged_by(played), played)
        back = handed_back(played, lines, dict.fromkeys(played.boxes, rule), "round_voided")
        return VoidAnswer(
            state=RoundState.VOIDED,
            returned=_told_back(back),
            settlement=told(lines),
            adjustments=told_adjusted(known.handed, lines),
            meter=meter,
            local=True,
        )

    def hands(self, known: RoundKnown, sent_at: int, body: Body, meter: Meter | None) -> HandsAnswer:
        """The round's results as the service will find them, with what its majors are promised."""
        played = _played(known)
        try:
            report = _report(self._setup.id, known.number, sent_at, body)
            dealt = assess(self._judged_by(played), played, report)
            lines = settled_now(self._judged_by(played), played, report, dealt)
        except refusals.Refused as refused:
            raise as_on_the_wire(refused) from refused
        invalid = {one.record.box: one.record.invalidated for one in dealt if one.record.invalidated}
        return HandsAnswer(
            state=_state(known, dealt, final=body["final"]),
            results=_results(known, dealt, 0 if meter is None else meter.registered),
            returned=_told_back(handed_back(played, lines, invalid, "hand_invalidated")),
            settlement=told(lines),
            adjustments=told_adjusted(known.handed, lines),
            meter=meter,
            local=True,
        )

    def noted(self, known: RoundKnown | None, message: Waiting, told: Answer) -> RoundKnown | None:
        if isinstance(told, BetsAnswer):
            return RoundKnown(
                number=message.round,
                closed_at=parse_instant(message.body["closed_at"], field="closed_at"),
                boxes=tuple(box["box"] for box in message.body["boxes"]),
                bets={one.box: one.progressive for one in told.accepted},
                antes=_stands("ante", message, told),
                bonuses=_stands("bonus", message, told),
                voided=told.state == "voided",
                awards=told.awards,
                terms=self._setup.terms,
            )
        if known is None or known.number != message.round:
            return known
        settled = isinstance(told, HandsAnswer) and told.state == "settled"
        known = msgspec.structs.replace(known, settled=settled, voided=isinstance(told, VoidAnswer))
        if not isinstance(told, HandsAnswer):
            return known
        reported = self.reported(known, message.sent_at, message.body)
        awarded = sum(one.award or 0 for one in told.results)
        return msgspec.structs.replace(reported, handed=told.settlement, awarded=awarded)

    def metered(self, known: RoundKnown) -> Meters:
        """Of the jackpot's wager alone."""
        back = {one.box for one in known.records if one.invalidated is not None} | set(known.taken_back)
        return Meters(
            rounds=1,
            bets=sum(known.bets.values()),
            returned=sum(known.bets.get(box, 0) for box in back),
            awards=known.awarded,
        )

    def turned(self, known: RoundKnown, refused: Refused) -> RoundKnown:
        box = refused.problem.get("box")
        if refused.code == refusals.HandInvalid.code and box in known.bets:
            return msgspec.structs.replace(known, taken_back=(*known.taken_back, box))
        return super().turned(known, refused)

    def offline(self, promised: Offline, batch: list[Waiting]) -> tuple[list[Waiting], Body | None]:
        """Bets that were sent before the service went away belong before the outage; the rest into it."""
        if batch[0].kind == "bets" and batch[0].tried:
            return batch[:1], None
        return batch, {**msgspec.to_builtins(promised), "since": spoken_instant(promised.since)}

    def reported(self, known: RoundKnown, sent_at: int, body: Body) -> RoundKnown:
        """The round once these hands were taken. What they leave unsaid stays as told."""
        played = _played(known)
        try:
            report = _report(self._setup.id, known.number, sent_at, body)
            dealt = assess(self._judged_by(played), played, report)
        except refusals.Refused:
            return known  # the service knows the layout better than this client was told
        records = tuple(one.record for one in dealt)
        main = known.main | {one.box: one.main for one in records}
        shown = cards_on_table(played, report)
        return msgspec.structs.replace(
            known, records=records, main=main, community=shown.community, dealer=shown.dealer
        )


def _stands(wager: str, message: Waiting, told: BetsAnswer) -> dict[int, int]:
    """By box: what was placed, less what went back."""
    back = {one.box: one.amount for one in told.returned if one.wager == wager}
    return {box["box"]: box.get(wager, 0) - back.get(box["box"], 0) for box in message.body["boxes"]}


def _all_back(body: Body, wagers: Sequence[str], code: str, rule: str) -> tuple[ReturnedBet, ...]:
    placed = [(box["box"], wager, box.get(wager, 0)) for box in body["boxes"] for wager in wagers]
    return tuple(ReturnedBet(box, amount, code, rule, wager) for box, wager, amount in placed if amount)


def _told_back(returned: Sequence[Returned]) -> tuple[ReturnedBet, ...]:
    return tuple(ReturnedBet(one.box, one.amount, one.code, one.rule, one.wager) for one in returned)


def _played(known: RoundKnown) -> Round:
    records = {one.box: one for one in known.records}
    boxes = {
        number: Box(
            number=number,
            ante=known.antes.get(number, 0),
            bonus=known.bonuses.get(number, 0),
            bet=known.bets.get(number, 0),
            payments=0,
            main=known.main.get(number),
            record=records.get(number),
            returned=number in records and records[number].invalidated is not None,
        )
        for number in known.boxes
    }
    return Round(
        number=known.number,
        closed_at=known.closed_at,
        dealt_from=known.closed_at,
        sequence=0,
        state=RoundState.BETS_CLOSED,
        boxes=boxes,
        meter_ppm=0,
        reserve_ppm=0,
        community=known.community,
        terms=known.terms,
        dealer=known.dealer,
        settlement=settled_lines(known.handed),
        said_awards=known.awards,
    )


def _report(table: str, number: int, sent_at: int, body: Body) -> ReportHands:
    return ReportHands(
        table=table,
        round=number,
        sent_at=sent_at,
        received_at=sent_at,
        hands=tuple(_hand(hand) for hand in body["hands"]),
        community=_cards(body.get("community"), "community"),
        dealer=_cards(body.get("dealer", {}).get("cards"), "dealer"),
        final=body["final"],
    )


def _hand(hand: Body) -> HandReport:
    dealt_at, said = hand.get("dealt_at"), {name: hand[name] for name in _MAIN_GAME if name in hand}
    return HandReport(
        box=hand["box"],
        cards=_cards(hand.get("cards"), "cards"),
        dealt_at=None if dealt_at is None else parse_instant(dealt_at, field="dealt_at"),
        deal_order=hand.get("deal_order"),
        folded=hand.get("folded"),
        revealed=hand.get("revealed"),
        invalidated=hand.get("invalidated"),
        main=MainGame(**said) if said else None,
    )


def _cards(said: Sequence[str] | None, field: str) -> tuple[int, ...] | None:
    return None if said is None else parse_all(said, field=field)


def _state(known: RoundKnown, dealt: Sequence[Assessed], *, final: bool) -> RoundState:
    if final:
        return RoundState.SETTLED
    missing = known.bets.keys() - {one.record.box for one in dealt if not one.record.awaited}
    return RoundState.BETS_CLOSED if missing else RoundState.HANDS_KNOWN


def _whole_is_certain(awards: Awards, told: Sequence[tuple[Assessed, int]]) -> bool:
    """Whether the one major of a round is paid its whole percentage, whoever else wins."""
    majors = [one for one, bet in told if bet and one.hand and awards.level_of(one.hand) is Level.MAJOR]
    return awards.policy is Policy.FULL_EACH and len(majors) == 1


def _results(known: RoundKnown, dealt: Sequence[Assessed], value: int) -> tuple[HandResult, ...]:
    awards, results = known.awards or RULE_BOOK, []
    told = [(one, known.bets.get(one.record.box, 0)) for one in dealt if not one.record.awaited]
    minors = {one.record.box: awards.minor_award(one.hand, bet) for one, bet in told if one.hand is not None}
    within = awards.within_cap(minors)
    if awards.together and not _whole_is_certain(awards, told):
        value = 0  # promise nothing: with whom it is shared, or paid together, only the House can say
    for one, bet in told:
        level = awards.level_of(one.hand) if bet and one.hand is not None else None
        promised = None
        if level is Level.MAJOR and one.hand is not None:
            # Clockwise, each from what the one before leaves; what a royal leaves only the House can say.
            promised, value = percentage(value, awards.share_of(one.hand)) if value else (None, value)
        award = within[one.record.box] if level is Level.MINOR else None
        results.append(
            HandResult(box=one.record.box, hand=one.hand, level=level, award=award, promised=promised)
        )
    return tuple(results)
