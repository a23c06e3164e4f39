"""Simulated table controllers of blackjack: they tell rounds in one message or in many, misread cards, void
rounds or leave them unfinished, and know what the House must say to each message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from jackpot.cards.cards import NAMES
from jackpot.core.refusals import BadInput, OutcomeEstablished, Refused, RoundIsVoid
from jackpot.games.blackjack import Line, Report, Shoe, close, established
from jackpot.link.answers import Answer, PitBetsAnswer, PitHandsAnswer, PitIrregularityAnswer, PitVoidAnswer
from jackpot.link.commands import ClosePitBets, Heartbeat, ReportPlay, TableMessage, VoidRound
from jackpot.link.rounds import RoundState
from jackpot.link.state import PitSetup
from jackpot.machine.invariants import InvariantBroken
from jackpot.simulation.pit_dealing import Laid, SimulatedPlay, SimulatedShoe, laid_before
from jackpot.simulation.pit_players import any_bets
from jackpot.simulation.tables import TableClock

_RESHUFFLED = 150
"""With fewer cards left there is a new shoe."""


@dataclass(kw_only=True)
class SimulatedPitTable:
    setup: PitSetup
    rng: Random
    clock: TableClock
    start: int
    numbered: bool
    names_shoes: bool
    """One shoe lasts for several rounds; otherwise it is shuffled after each."""
    seq: int = 1
    round: int = 0
    shoes: int = 0
    bets: ClosePitBets | None = None
    play: SimulatedPlay | None = None
    """Of a round that is not over."""
    told: Report | None = None
    """The play as the House has last taken it."""
    lines: tuple[Line, ...] = ()
    """What the House has last said of the wagers."""
    reopened: bool = False
    """The House has not heard it since it was opened."""
    _shoe: SimulatedShoe | None = None
    _events: Iterator[None] = field(default_factory=lambda: iter(()))
    _pace: float = 1.0
    _shoe_late: bool = False
    _laid: Laid = field(default_factory=Laid)
    """As far as it was told."""
    _misread: bool = False
    """What the House has last taken is not what happened."""
    _spoiled: bool = False
    """So it may count a card in this shoe that was none."""
    void_unheard: bool = False
    """The House has voided the round, and the table does not know."""
    irregular: bool = False
    """Something was declared of this round."""
    _undone: bool = False
    """Lines that were told may be told otherwise: something was misread or declared to be wrong."""

    # What it says

    def speak(self, now: int) -> TableMessage:
        if self.play is None:
            return self._close_bets(now) if self.rng.random() < 0.9 else self._heartbeat(now)
        if self._misread:
            return self._report(now, self.play)
        luck = self.rng.random()
        if luck < 0.02:
            return self._void(now)
        if luck < 0.03:
            self.play = None  # the next round's bets will overtake this one
            return self._close_bets(now)
        over = self._goes_on()
        if not over and luck < 0.08:
            return self._misreads(now, self.play)
        return self._report(now, self.play, final=over)

    def _goes_on(self) -> bool:
        """Until there is something to tell. Whether the round is over."""
        return all(self.rng.random() >= self._pace for _ in self._events)

    def _said(self, now: int) -> dict[str, Any]:
        shown = self.clock.shows(now, self.start)
        return {
            "table": self.setup.id,
            "sent_at": shown,
            "received_at": now,
            "seq": self.seq if self.numbered else None,
        }

    def _heartbeat(self, now: int) -> TableMessage:
        return Heartbeat(**self._said(now))

    def _close_bets(self, now: int) -> ClosePitBets:
        bets = any_bets(self.rng, self.setup)
        shown = self.clock.shows(now, self.start)
        self.bets = ClosePitBets(**self._said(now), round=self.round + 1, closed_at=shown, bets=bets)
        return self.bets

    def _void(self, now: int) -> VoidRound:
        reason = self.rng.choice(sorted(self.setup.rules.paragraphs.voids))
        return VoidRound(**self._said(now), round=self.round, reason=reason)

    def _report(self, now: int, play: SimulatedPlay, *, final: bool = False) -> ReportPlay:
        report = play.report(final=final, shoe=self._told_shoe(final=final))
        return ReportPlay(**self._said(now), round=self.round, report=report)

    def _told_shoe(self, *, final: bool) -> Shoe | None:
        assert self._shoe is not None  # noqa: S101  a round is in play
        drawn = None if self._shoe_late and not final else tuple(self._shoe.drawn)
        return None if drawn is None and self._shoe.id is None else Shoe(id=self._shoe.id, drawn=drawn)

    def _misreads(self, now: int, play: SimulatedPlay) -> ReportPlay:
        """One card is taken for another."""
        drawn = play.shoe.drawn
        if not drawn:
            return self._report(now, play)
        place, right = self.rng.randrange(len(drawn)), list(drawn)
        drawn[place] = self.rng.choice(NAMES)
        wrong = self._report(now, play)
        drawn[:] = right
        return wrong

    # What the House answers

    def answered(self, message: TableMessage, answer: Answer) -> None:
        self.seq += 1
        self.reopened = False
        if isinstance(message, ClosePitBets) and isinstance(answer, PitBetsAnswer):
            self._begin(message, answer)
        elif isinstance(message, ReportPlay) and isinstance(answer, PitHandsAnswer):
            self._take(message, answer)
        elif isinstance(message, VoidRound) and isinstance(answer, PitVoidAnswer):
            self._voided(answer.settlement)

    def refused(self, message: TableMessage, refusal: Refused) -> None:
        """An honest table is refused nothing but a round that the House has voided, or a misread card."""
        told = message if isinstance(message, ReportPlay) else None
        if isinstance(refusal, RoundIsVoid) and self.void_unheard:
            self.play = None
        elif isinstance(refusal, BadInput) and told is not None and self._differs(told, self.play):
            pass
        elif not (isinstance(refusal, OutcomeEstablished) and established(self.lines)):
            raise InvariantBroken(f"refused {refusal.code}: {refusal.message}: {message}")

    def _differs(self, message: ReportPlay, play: SimulatedPlay | None) -> bool:
        """It is not what happened."""
        final = message.report.final
        return play is None or replace(message.report, shoe=None) != play.report(final=final)

    def _begin(self, message: ClosePitBets, answer: PitBetsAnswer) -> None:
        self.round, self.told, self.lines = message.round, None, answer.settlement
        self._laid = laid_before(message.bets)
        self._misread = self._undone = self.void_unheard = self.irregular = False
        if answer.notice is not None:
            self._all_back(answer.settlement)  # the House has closed the table
            self.play = None
            return
        closing = close(self.setup.layout, message.bets)
        self.play = SimulatedPlay(self.rng, closing, self._next_shoe(), self._laid.copy())
        self._events = self.play.events()
        self._pace = self.rng.choice((1.0, 0.3, 0.1, 0.0))
        self._shoe_late = self.rng.random() < 0.3

    def _next_shoe(self) -> SimulatedShoe:
        shoe = self._shoe
        if shoe is None or not self.names_shoes or self._spoiled or len(shoe.left) < _RESHUFFLED:
            self.shoes += 1
            name = f"{self.setup.id}/{self.shoes}" if self.names_shoes else None
            self._shoe = shoe = SimulatedShoe(self.rng, self.setup.decks, name)
            self._spoiled = False
        return shoe

    def _take(self, message: ReportPlay, answer: PitHandsAnswer) -> None:
        play = self.play
        assert play is not None  # noqa: S101  it has just told of it
        honest = not self._differs(message, play)
        if honest and answer.adjustments and not self._undone and not play.returned:
            raise InvariantBroken(f"lines were told, and are told otherwise: {answer.adjustments}")
        self._misread = self._spoiled = not honest
        self.told, self.lines = message.report, answer.settlement
        self._undone = not honest
        if honest:
            self._laid = play.laid.copy()
        if message.report.final:
            if answer.state is not RoundState.SETTLED:
                raise InvariantBroken(f"a final report leaves round {self.round} {answer.state}")
            self._add_up(answer.settlement)
            self.play = None

    def declared(self, answer: PitIrregularityAnswer) -> None:
        """The House has told it what follows from an irregularity."""
        if self.play is None:
            return
        self._undone = self.irregular = True
        self.lines = answer.settlement
        self.play.returned |= set(answer.consequence.returned)
        if answer.state is RoundState.VOIDED:
            self._voided(answer.settlement)

    def _voided(self, lines: tuple[Line, ...]) -> None:
        """Now and then it does not hear of it, and goes on."""
        self._all_back(lines)
        self.void_unheard = self.rng.random() < 0.3
        if not self.void_unheard:
            self.play = None

    # What must be

    def _all_back(self, lines: tuple[Line, ...]) -> None:
        if any(one.payout != one.stake for one in lines):
            raise InvariantBroken(f"round {self.round} is void, and {lines}")
        self._add_up(lines)

    def _add_up(self, lines: tuple[Line, ...]) -> None:
        """Of every wager the House tells as much as the table has seen to lie there."""
        if self._misread:
            return
        found: Laid = Laid()
        for one in lines:
            found[one.box, one.player, one.wager] += one.stake
        if +found != +self._laid:
            raise InvariantBroken(f"round {self.round}: laid {+self._laid}, told {+found}")
