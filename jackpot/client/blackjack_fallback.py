"""A blackjack table without the service: it plays on, for no jackpot is missing. `jackpot.play` checks and
settles its rounds here as it does in the service."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from jackpot.client.blackjack_messages import (
    BlackjackAnswer,
    BlackjackBetsAnswer,
    BlackjackHandsAnswer,
    BlackjackVoidAnswer,
    bets_body,
    bets_of,
    handed_back,
    hands_body,
    report_of,
)
from jackpot.client.fallback import Answers, Fallback, as_on_the_wire
from jackpot.client.messages import Answer, Body, Meter
from jackpot.client.spool import Known, Offline, Waiting
from jackpot.core import refusals
from jackpot.core.instants import parse_instant
from jackpot.games.blackjack import (
    Bets,
    Line,
    adjusted,
    check_bets,
    check_void,
    close,
    dealer_view,
    hands_view,
    playing,
    void_lines,
)
from jackpot.games.blackjack.retelling import laid_over, spelled
from jackpot.link.execution import bounded
from jackpot.link.meters import Meters
from jackpot.link.pit_rounds import PitRound, ShoeCount
from jackpot.link.rounds import RoundState
from jackpot.link.state import PitSetup, PitTable
from jackpot.link.table_terms import TableTerms
from jackpot.play.bets import LARGEST_ROUND, check_closing_time
from jackpot.play.pit_rounds import (
    counted_shoe,
    judged,
    play_of,
    returned_with_bets,
    state_after,
    untold,
)
from jackpot.play.reconciliation import of_lines


class Said(Struct, frozen=True):
    """The last message of a round: the same again is answered alike."""

    kind: str
    body: Body
    answer: msgspec.Raw


class PlayKnown(Known, frozen=True, kw_only=True):
    """A round of blackjack: as much of it as is needed to go on alone."""

    state: RoundState
    bets: Body
    """Those that play, as they were said; none at a table that the House has closed."""
    report: Body | None = None
    """The round so far, as it was last told."""
    settlement: tuple[Line, ...] = ()
    """What was last answered."""
    shoe: ShoeCount | None = None
    """What has left the shoe before this round."""
    last: Said
    closing: tuple[Line, ...] = ()
    """What was handed back with the bets at a table that the House has closed."""


class BlackjackFallback(Fallback[PlayKnown]):
    known = PlayKnown
    answers: ClassVar[Answers] = {
        "bets": BlackjackBetsAnswer,
        "hands": BlackjackHandsAnswer,
        "void": BlackjackVoidAnswer,
    }

    def __init__(self, setup: PitSetup) -> None:
        super().__init__(setup.id, setup.rules.paragraphs)
        self._setup = setup

    def on_terms(self, terms: TableTerms) -> None:
        self._setup = self._setup.under(terms)

    def offline(self, promised: Offline, batch: list[Waiting]) -> tuple[list[Waiting], Body | None]:  # noqa: ARG002
        """Without a jackpot nothing was promised."""
        return batch, None

    def differs(self, alone: Answer, answered: Answer) -> bool:
        return _money(alone) != _money(answered)

    # What is answered

    def alone(self, known: PlayKnown | None, message: Waiting, meter: Meter | None) -> Answer:  # noqa: ARG002
        if known is not None and known.number == message.round:
            last = known.last
            if (last.kind, last.body) == (message.kind, message.body):
                answer = msgspec.json.decode(last.answer, type=self.answers[last.kind])
                return replace(answer, local=True, replied_at=None)
        try:
            if message.kind == "bets":
                return self._bets(known, message)
            return self._void(known, message) if message.kind == "void" else self._hands(known, message)
        except refusals.Refused as refused:
            raise as_on_the_wire(refused) from refused

    def _bets(self, known: PlayKnown | None, message: Waiting) -> BlackjackBetsAnswer:
        self._check_number(known, message.round)
        check_closing_time(_closed_at(message), message.sent_at)
        layout, bets = self._setup.layout, bets_of(message.body)
        check_bets(layout, bets)
        closing = close(layout, bets)
        return BlackjackBetsAnswer(
            table=self.table,
            round=message.round,
            state=RoundState.BETS_CLOSED,
            playing=playing(closing),
            settlement=returned_with_bets(closing, table_closed=False),
            local=True,
        )

    def _check_number(self, known: PlayKnown | None, number: int) -> None:
        if not 1 <= number <= LARGEST_ROUND:
            raise refusals.RoundNumberWrong(f"rounds are numbered 1 to {LARGEST_ROUND}", field="round")
        if known is not None and known.number == number:
            rule = self._setup.rules.paragraphs.late_bet
            raise refusals.ContentConflict(f"other bets of round {number} were closed before", rule=rule)
        self.check_new(known, number)

    def _hands(self, known: PlayKnown | None, message: Waiting) -> BlackjackHandsAnswer:
        table, current = self._current(known, message.round)
        found = judged(table, current, report_of(message.body))
        return BlackjackHandsAnswer(
            table=self.table,
            round=message.round,
            state=state_after(found),
            hands=hands_view(found.play),
            dealer=dealer_view(found.play),
            settlement=found.lines,
            adjustments=adjusted(current.settlement, found.lines),
            local=True,
        )

    def _void(self, known: PlayKnown | None, message: Waiting) -> BlackjackVoidAnswer:
        reason = message.body["reason"]
        bounded(message.body["note"], field="note")
        check_void(self._setup.rules, reason, ())
        table, current = self._current(known, message.round)
        check_void(self._setup.rules, reason, current.settlement)
        lines = void_lines(play_of(table.played, current))
        return BlackjackVoidAnswer(
            table=self.table,
            round=message.round,
            state=RoundState.VOIDED,
            settlement=lines,
            adjustments=adjusted(current.settlement, lines),
            returned=handed_back(untold(lines, current.settlement)),
            local=True,
        )

    def _current(self, known: PlayKnown | None, number: int) -> tuple[PitTable, PitRound]:
        current = self.check_current(known, number)
        if current.settled:
            rule = self._setup.rules.paragraphs.earlier_rounds_stand
            raise refusals.RoundStands(f"round {number} is over and its outcome stands", rule=rule)
        played = _played(current)
        return self._table(current, played), played

    def _table(self, known: PlayKnown, current: PitRound) -> PitTable:
        return PitTable(setup=self._setup, last_round=known.number, round=current, shoe=known.shoe)

    # What is known

    def noted(self, known: PlayKnown | None, message: Waiting, told: Answer) -> PlayKnown | None:
        if not isinstance(told, BlackjackAnswer):
            return known
        last = Said(message.kind, message.body, msgspec.Raw(msgspec.json.encode(told)))
        if isinstance(told, BlackjackBetsAnswer):
            return self._begun(known, message, told, last)
        if known is None or known.number != message.round:
            return known
        known = replace(
            known,
            state=RoundState(told.state),
            settled=told.state == RoundState.SETTLED,
            voided=told.state == RoundState.VOIDED,
            settlement=told.settlement,
            last=last,
        )
        return self._reported(known, message.body) if message.kind == "hands" else known

    def metered(self, known: PlayKnown) -> Meters:
        return of_lines(known.settlement or known.closing)

    def _begun(
        self, known: PlayKnown | None, message: Waiting, told: BlackjackBetsAnswer, last: Said
    ) -> PlayKnown:
        if known is not None and known.number == message.round:
            return known  # the same bets again
        closed = not told.playing and bool(playing(close(self._setup.layout, bets_of(message.body))))
        return PlayKnown(
            number=message.round,
            closed_at=_closed_at(message),
            state=RoundState(told.state),
            bets=bets_body(_closed_at(message), Bets()) if closed else message.body,
            settlement=() if closed else told.settlement,
            closing=told.settlement if closed else (),
            shoe=None if known is None else counted_shoe(self._table(known, _played(known))),
            last=last,
            terms=self._setup.terms,
        )

    def _reported(self, known: PlayKnown, body: Body) -> PlayKnown:
        before = None if known.report is None else report_of(known.report)
        report = spelled(self._setup.rules, laid_over(before, report_of(body)))
        return replace(known, report=hands_body(report))


def _closed_at(message: Waiting) -> int:
    return parse_instant(message.body["closed_at"], field="closed_at")


def _played(known: PlayKnown) -> PitRound:
    return PitRound(
        number=known.number,
        closed_at=known.closed_at,
        dealt_from=known.closed_at,
        sequence=0,
        state=known.state,
        bets=bets_of(known.bets),
        report=None if known.report is None else report_of(known.report),
        settlement=known.settlement,
        terms=known.terms,
    )


def _money(answer: Answer) -> Answer:
    """Without what is the service's alone to say."""
    if isinstance(answer, BlackjackBetsAnswer):
        answer = replace(answer, notice=None)
    return replace(answer, local=False, meter=None, replied_at=None)
