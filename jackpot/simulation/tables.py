"""Simulated table controllers: one message in flight at a time, clocks of every quality."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.games.lines import Wager
from jackpot.link.clocks import Echo
from jackpot.link.commands import (
    BoxBets,
    CloseBets,
    HandReport,
    Heartbeat,
    ReportHands,
    TableMessage,
    VoidRound,
)
from jackpot.link.state import TableSetup
from jackpot.link.wins import ClockWord
from jackpot.simulation.dealing import RIGGED, Deal, deal
from jackpot.simulation.players import ANTES, decided


@dataclass(kw_only=True)
class TableClock:
    """What a table's clock shows."""

    skew: int
    drift_ppm: int

    def shows(self, moment: int, start: int) -> int:
        return moment + self.skew + (moment - start) * self.drift_ppm // 1_000_000

    @classmethod
    def any(cls, rng: Random) -> TableClock:
        skew = rng.choice((5, 5, 5, 3600)) * SECOND
        return cls(skew=rng.randrange(-skew, skew), drift_ppm=rng.randrange(-150, 150))


@dataclass(kw_only=True)
class SimulatedTable:
    setup: TableSetup
    rng: Random
    clock: TableClock
    start: int
    numbered: bool
    prescribed: int
    calm: bool = False
    rigged: float = RIGGED
    hurried: bool = False
    """Rounds follow each other at once, so that many are dealt at the same time."""
    round: int = 0
    phase: str = "idle"
    closing: bool = False
    """It ends its round and begins no other."""
    seq: int = 1
    cards: Deal | None = None
    bets: CloseBets | None = None
    hands: ReportHands | None = None
    dealt: dict[int, int] = field(default_factory=dict)
    truth: dict[tuple[int, int], int] = field(default_factory=dict)
    """When each box of each round really was dealt: by no clock, but in true time."""
    echo: Echo | None = None
    """The last answer it heard."""
    answered: int = 0
    """When it heard the answer to its bets: cards are dealt after that."""

    def speak(self, now: int) -> TableMessage:
        """The next message of this table, its delivery still to be stamped."""
        if self.closing:
            return self._heartbeat(now) if self.phase == "idle" else replace(self.report(now), final=True)
        if self.phase == "idle" and self.hands is not None and self._chance(0.04):
            return self._corrected(now, self.hands, rigged=0.9)
        if self.phase == "idle":
            return self._close_bets(now) if self.rng.random() < 0.8 else self._heartbeat(now)
        if self._chance(0.06):
            return self._void(now)
        if self.phase == "dealt" or self._chance(0.5):
            return self.report(now)
        self.phase = "idle"
        return self._heartbeat(now)

    def _chance(self, probability: float) -> bool:
        """Whether something goes wrong; on a calm floor it does so far less often."""
        return self.rng.random() < (probability / 10 if self.calm else probability)

    def pause(self) -> int:
        """How long until it speaks again; now and then it falls silent."""
        if self.calm:
            return self.rng.randrange(300, 1500) * MILLISECOND
        if self.rng.random() < 0.02:
            return self.rng.randrange(10, 40) * SECOND
        if self.hurried:
            return self.rng.randrange(10, 200) * MILLISECOND
        return self.rng.randrange(20, 2500) * MILLISECOND

    def heard(self, *, replied_at: int, now: int) -> None:
        self.echo = Echo(replied_at=replied_at, heard_at=self.clock.shows(now, self.start))

    def delivered(self, message: TableMessage, *, taken: bool, now: int) -> None:
        if taken:
            self.seq += 1
            self.answered = now if isinstance(message, CloseBets) else self.answered
            self.phase = {"CloseBets": "dealt", "ReportHands": "reported"}.get(
                type(message).__name__, self.phase
            )
            if isinstance(message, VoidRound) or (isinstance(message, ReportHands) and message.final):
                self.phase = "idle"
        else:
            self.phase = "idle"

    def stamped(self, message: TableMessage, *, now: int) -> TableMessage:
        """As it is sent."""
        seq = self.seq if self.numbered else None
        return replace(message, sent_at=self._shown(now), seq=seq, echo=self.echo)

    def _shown(self, now: int) -> int:
        return self.clock.shows(now, self.start)

    def _heartbeat(self, now: int) -> Heartbeat:
        word = ClockWord(offset=self.rng.randrange(-SECOND, SECOND), error=0)
        in_play = not self._chance(0.05)
        return Heartbeat(
            table=self.setup.id, clock=word, in_play=in_play, sent_at=self._shown(now), received_at=now
        )

    def _close_bets(self, now: int) -> CloseBets:
        self.round += 1 if not self._chance(0.1) else 2
        boxes = sorted(
            self.rng.sample(range(1, self.setup.boxes + 1), self.rng.randrange(1, self.setup.boxes + 1))
        )
        bets = tuple(
            BoxBets(box=box, ante=self._ante(), progressive=self._bet(), bonus=self._bonus()) for box in boxes
        )
        shown = self._shown(now)
        closed_at = shown - self.rng.randrange(20) * MILLISECOND
        self.bets = CloseBets(
            table=self.setup.id,
            round=self.round,
            closed_at=closed_at,
            boxes=bets,
            sent_at=shown,
            received_at=now,
        )
        self.cards, self.dealt, self.hands = (
            deal(self.rng, self.setup.game, boxes, rigged=self.rigged),
            {},
            None,
        )
        return self.bets

    def _ante(self) -> int:
        return 0 if self._chance(0.05) else self.rng.choice(ANTES)

    def _bonus(self) -> int:
        return self.rng.choice((0, 0, 500)) if Wager.BONUS in self.setup.rulebook.wagers else 0

    def _bet(self) -> int:
        return self.rng.choice((0, *[self.prescribed] * 8, self.prescribed // 2, self.prescribed + 300))

    def _deal_times(self, now: int) -> None:
        """Stud is dealt round the table; a flop completes every Hold'em hand at once."""
        if self.dealt or self.bets is None:
            return
        shown = self.clock.shows(now, self.start)
        moment = self.answered + self.rng.randrange(max(1, (now - self.answered) // 2 + 1))
        for place, one in enumerate(self.bets.boxes):
            step = 0 if self.setup.rulebook.shared else place * 100
            self.truth[self.round, one.box] = min(moment + step, now)
            self.dealt[one.box] = min(self.clock.shows(moment + step, self.start), shown)

    def report(self, now: int) -> ReportHands:
        self._deal_times(now)
        if self.hands is None or self.cards is None or self.rng.random() < 0.6:
            self.hands = self._fresh_report(now)
        else:
            self.hands = self._corrected(now, self.hands)
        return self.hands

    def _fresh_report(self, now: int) -> ReportHands:
        cards = self.cards
        if cards is None or self.bets is None:
            raise ValueError("no round to report")
        stamped, final = self.rng.random() < 0.9, self.rng.random() < 0.4
        whole = final and not self._chance(0.1)
        reports = [
            self._hand(place, box, own, stamped=stamped, whole=whole)
            for place, (box, own) in enumerate(cards.hands.items())
        ]
        if self._chance(0.1):
            reports = reports[:-1]
        community = cards.community[: 5 if whole else self.rng.choice((3, 4, 5))]
        return ReportHands(
            table=self.setup.id,
            round=self.round,
            hands=tuple(reports),
            community=community,
            dealer=cards.dealer if whole or self.rng.random() < 0.5 else None,
            final=final,
            sent_at=self._shown(now),
            received_at=now,
        )

    def _hand(self, place: int, box: int, own: tuple[int, ...], *, stamped: bool, whole: bool) -> HandReport:
        luck = self.rng.random()
        if self._chance(0.03):
            return HandReport(box=box, revealed=False)
        if self._chance(0.03):
            return HandReport(box=box, invalidated="5.15")
        dealt_at = self.dealt.get(box) if stamped else None
        order, folded = place + 1 if luck < 0.5 else None, True if luck < 0.3 else None
        ante, folds = self._antes.get(box, 0), bool(folded)
        main = decided(self.rng, self.setup.game, ante, folded=folds, whole=whole)
        return HandReport(box=box, cards=own, dealt_at=dealt_at, deal_order=order, folded=folded, main=main)

    @property
    def _antes(self) -> dict[int, int]:
        return {} if self.bets is None else {one.box: one.ante for one in self.bets.boxes}

    def _corrected(self, now: int, earlier: ReportHands, *, rigged: float = 0.3) -> ReportHands:
        """The cards were misread: another deal of the same round replaces the first."""
        boxes = [report.box for report in earlier.hands]
        again = deal(self.rng, self.setup.game, boxes, rigged=rigged)
        reports = [
            replace(report, cards=again.hands[report.box] if report.cards else None)
            for report in earlier.hands
        ]
        final = self.rng.random() < 0.3
        return replace(
            earlier,
            hands=tuple(reports),
            community=again.community,
            dealer=again.dealer if earlier.dealer else None,
            final=final,
            sent_at=self._shown(now),
            received_at=now,
        )

    def _void(self, now: int) -> VoidRound:
        reason = self.rng.choice(("5.8.1", "5.8.3", "5.7.2"))
        return VoidRound(
            table=self.setup.id,
            round=self.round,
            reason=reason,
            note="simulated",
            sent_at=self._shown(now),
            received_at=now,
        )
