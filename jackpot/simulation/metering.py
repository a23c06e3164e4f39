"""Simulated table controllers that tell their meters: mostly rightly, some with a miscount, some after they
were replaced, and now and then nonsense. What is right is counted here once more, from the facts alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from jackpot.core.records import frozen
from jackpot.games.progressive import Level
from jackpot.link import facts, pit_facts
from jackpot.link.commands import Heartbeat
from jackpot.link.fact import Fact
from jackpot.link.meters import Meters, MetersTold
from jackpot.link.rounds import PROGRESSIVE, HandResult, RoundState
from jackpot.link.state import TableOfPlay
from jackpot.machine.invariants import InvariantBroken

MISCOUNTS = 0.1
REPLACED = 0.08
TELLS = 0.8
_ZERO = Meters()


@dataclass(kw_only=True)
class RoundCount:
    """A round that is being played, as the facts tell it."""

    number: int
    bets: dict[int, int] = field(default_factory=dict)
    back: set[int] = field(default_factory=set)
    awards: dict[int, int] = field(default_factory=dict)
    lines: tuple[int, int, int] = (0, 0, 0)

    def result(self) -> Meters:
        laid, back, awarded = self.lines
        returned = sum(self.bets.get(box, 0) for box in self.back)
        return Meters(
            rounds=1,
            bets=sum(self.bets.values()) + laid,
            returned=returned + back,
            awards=sum(self.awards.values()) + awarded,
        )


@dataclass(kw_only=True)
class CountedTable:
    """The true meters of a table after each of its rounds."""

    after: dict[int, Meters] = field(default_factory=dict)
    current: RoundCount | None = None

    @property
    def total(self) -> Meters:
        return self.after[max(self.after)] if self.after else _ZERO

    def see(self, fact: Fact) -> None:
        match fact:
            case facts.BetsClosed():
                self._end()
                bets = {one.box: one.progressive for one in fact.boxes}
                self.current = RoundCount(number=fact.round, bets=bets)
            case pit_facts.PitBetsClosed():
                self._end()
                self.current = RoundCount(number=fact.round)
                self._lines(fact)
            case facts.RoundVoided() | pit_facts.PitRoundVoided():
                self._end(Meters(rounds=1))
            case facts.HandsReported():
                self._hands(fact)
            case facts.HandsInvalidated():
                self._invalidated(fact)
            case pit_facts.PitSettling():
                self._lines(fact)
                if isinstance(fact, pit_facts.PitHandsReported) and fact.state is RoundState.SETTLED:
                    self._end()

    def _hands(self, fact: facts.HandsReported) -> None:
        if self.current is None:
            return
        self.current.back |= {one.box for one in fact.returned if one.wager == PROGRESSIVE}
        self.current.back -= set(fact.restored)
        self.current.awards = _minors(fact.results)
        if fact.state is RoundState.SETTLED:
            self._end()

    def _invalidated(self, fact: facts.HandsInvalidated) -> None:
        if self.current is None:
            return
        self.current.back |= set(fact.boxes)
        for box in fact.boxes:
            self.current.awards.pop(box, None)
        self.current.awards |= _minors(fact.results)

    def _lines(self, fact: pit_facts.PitSettling) -> None:
        if self.current is not None:
            several = fact.settlement
            back = sum(one.payout for one in several if one.outcome == "returned")
            handed = sum(one.payout for one in several)
            self.current.lines = sum(one.stake for one in several), back, handed - back

    def _end(self, told: Meters | None = None) -> None:
        if self.current is not None:
            found = self.current.result() if told is None else told
            self.after[self.current.number] = self.total.plus(found)
            self.current = None


def _minors(results: tuple[HandResult, ...]) -> dict[int, int]:
    return {one.box: one.award or 0 for one in results if one.level is Level.MINOR}


@frozen(kw_only=True)
class Expected:
    """What must become of a heartbeat with these meters."""

    told: MetersTold
    differs: bool


@dataclass(kw_only=True)
class SimulatedMeters:
    """What one table's controller tells."""

    rng: Random
    honest: bool
    counted: CountedTable = field(default_factory=CountedTable)
    first: int = 1
    start: Meters = _ZERO
    error: Meters = _ZERO
    """What it shows too much."""

    def said(self, beat: Heartbeat, table: TableOfPlay) -> tuple[Heartbeat, Expected | None]:
        """The heartbeat with what it tells, and what must become of that."""
        if not self.counted.after or self.rng.random() >= TELLS:
            return beat, None
        if not self.honest and self.rng.random() < REPLACED:
            self._replaced()
        elif not self.honest and self.rng.random() < MISCOUNTS:
            self.error = self.error.plus(self._slip())
        told = self._told()
        return (beat if told is None else replace(beat, meters=told)), self._expected(told, table)

    def _told(self) -> MetersTold | None:
        last = max(self.counted.after)
        if last < self.first:
            return None
        shown = self.counted.total.less(self.start).plus(self.error)
        negative = min(shown.bets, shown.returned, shown.awards) < 0
        return None if negative else MetersTold(round=last, first=self.first, meters=shown)

    def _replaced(self) -> None:
        """A new device counts from the next round on, or from one that has just been played."""
        last = max(self.counted.after)
        again = self.rng.random() < 0.3
        self.first = last if again else last + 1
        earlier = [number for number in self.counted.after if number < self.first]
        self.start = self.counted.after[max(earlier)] if earlier else _ZERO
        self.error = _ZERO

    def _slip(self) -> Meters:
        amount = self.rng.choice((100, 500, 2500))
        return self.rng.choice((Meters(bets=amount), Meters(returned=amount), Meters(awards=amount)))

    def _expected(self, told: MetersTold | None, table: TableOfPlay) -> Expected | None:
        """While a difference is open, or a new device begins, more is asked than whether they are equal."""
        baseline = table.baseline
        if told is None or table.difference is not None:
            return None
        if baseline is None or baseline.first != told.first:
            return None
        known = baseline.offset
        right = self.counted.total.plus(known)
        return Expected(told=told, differs=told.meters != right)

    def nonsense(self, beat: Heartbeat) -> Heartbeat:
        """What no controller can have counted."""
        last = max(self.counted.after, default=0)
        told = MetersTold(round=max(last, 1), meters=Meters(rounds=1))
        wrong = (
            replace(told, meters=Meters(bets=-1)),
            replace(told, meters=Meters(awards=2**60)),
            replace(told, round=last + 1),
            replace(told, round=0),
            replace(told, first=last + 2),
        )
        return replace(beat, meters=self.rng.choice(wrong))


def check_counted(counted: CountedTable, table: TableOfPlay) -> None:
    """What the House has counted is what the facts say."""
    for one in table.counted:
        if counted.after.get(one.round) != one.meters:
            raise InvariantBroken(f"{table.setup.id} round {one.round}: {one.meters}, not {counted.after}")


def check_told(expected: Expected, table: TableOfPlay) -> None:
    if (table.difference is not None) != expected.differs:
        raise InvariantBroken(f"{expected}, but {table.difference}")
