"""Runs of a simulated pit: a table of each blackjack game, every invariant after every step.

It stands beside the floor of the same seed, with a journal and a luck of its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.games.blackjack import PitGame
from jackpot.link.answers import PitIrregularityAnswer
from jackpot.link.commands import AddTable, ChangeTable, Command, Heartbeat, OpenTable, TableMessage
from jackpot.link.fact import Fact
from jackpot.link.state import Break, TableOfPlay
from jackpot.machine.invariants import InvariantBroken
from jackpot.machine.memory_book import MemoryPit
from jackpot.simulation.metering import SimulatedMeters, check_counted, check_told
from jackpot.simulation.mischief import Garbled
from jackpot.simulation.pit_house import SimulatedPitHouse
from jackpot.simulation.pit_mischief import any_wrong
from jackpot.simulation.pit_players import any_setup
from jackpot.simulation.pit_tables import SimulatedPitTable
from jackpot.simulation.stage import START, Restart, SimulationFailed, Stage, Step
from jackpot.simulation.tables import TableClock
from jackpot.simulation.terms import currency_of
from jackpot.simulation.timekeepers import Broke

HONEST_METERS = 0.3
"""How many controllers count nothing wrong and are never replaced."""


@dataclass(frozen=True, slots=True)
class PitReport:
    steps: int
    head: str
    facts: Counter[str]
    refusals: Counter[str]


@dataclass
class PitStage(Stage):
    currency: str
    book: MemoryPit = field(init=False)

    def __post_init__(self) -> None:
        self.book = MemoryPit("pit", "Blackjack", self.currency, at=START)


class PitSimulation:
    """One seeded pit."""

    def __init__(self, seed: int) -> None:
        self.seed, self.rng = seed, Random(f"pit {seed}")
        self.stage = PitStage(currency_of(seed, "pit"))
        self.now = START
        self.house = SimulatedPitHouse(self.rng)
        self.tables = {f"{one.setup.id}": one for one in map(self._table, PitGame)}
        self.meters = {name: self._meters(name) for name in self.tables}
        self._sent: list[TableMessage] = []
        """Messages that may come once more."""

    def _table(self, game: PitGame) -> SimulatedPitTable:
        return SimulatedPitTable(
            setup=any_setup(self.rng, game),
            rng=self.rng,
            clock=TableClock.any(self.rng),
            start=START,
            numbered=self.rng.random() < 0.5,
            names_shoes=self.rng.random() < 0.7,
        )

    def _meters(self, name: str) -> SimulatedMeters:
        luck = Random(f"meters of the pit {self.seed} {name}")
        return SimulatedMeters(rng=luck, honest=luck.random() < HONEST_METERS)

    def run(self, steps: int) -> PitReport:
        try:
            for table in self.tables.values():
                self._play(AddTable(person="floor", setup=table.setup))
            while len(self.stage.steps) < steps:
                self._step()
            self._play(Restart(forgetful=False))
            self.stage.audit()
        except Exception as cause:  # whatever broke, the story that broke it is what matters
            raise SimulationFailed(self.seed, self.stage.steps, cause, pit=True) from cause
        entries = self.stage.book.entries
        kinds = Counter(type(entry.fact).__name__ for entry in entries)
        return PitReport(len(self.stage.steps), entries[-1].hash, kinds, self.stage.refused)

    def _step(self) -> None:
        self.now += self.rng.randrange(20, 1500) * MILLISECOND
        luck = self.rng.random()
        if luck < 0.8:
            self._speak(self.rng.choice(list(self.tables.values())))
        elif luck < 0.86:
            self._mischief(self.rng.choice(list(self.tables.values())))
        elif luck < 0.91:
            self._again()
        elif luck < 0.99:
            self._house_acts()
        else:
            self._restart()

    def _play(self, doing: Command | Garbled | Restart | Broke) -> bool:
        before = len(self.stage.book.entries)
        taken = self.stage.play(Step(self.now, doing))
        for entry in self.stage.book.entries[before:]:
            self._count(entry.fact)
        for name, table in self.stage.book.pit.tables.items():
            check_counted(self.meters[name].counted, table)
        return taken

    def _count(self, fact: Fact) -> None:
        name = getattr(fact, "table", None)
        if name in self.meters:
            self.meters[name].counted.see(fact)

    def _speak(self, table: SimulatedPitTable) -> None:
        message = table.speak(self.now)
        if self.rng.random() < 0.2:
            self._mischief(table)  # it stumbles over what it has to tell
        expected = None
        if isinstance(message, Heartbeat):
            message, expected = self.meters[table.setup.id].said(message, self._seat(table))
        taken = self._play(message)
        if taken and expected is not None:
            check_told(expected, self._seat(table))
        if taken and self.stage.outcome is not None:
            table.answered(message, self.stage.outcome.answer)
            self._sent += [message] if message.key is not None else []
        elif self.stage.refusal is not None:
            table.refused(message, self.stage.refusal)

    def _seat(self, table: SimulatedPitTable) -> TableOfPlay:
        return self.stage.book.pit.tables[table.setup.id]

    def _again(self) -> None:
        """A repeat is answered as the first time, and nothing happens twice."""
        if not self._sent:
            return
        message = self.rng.choice(self._sent[-20:])
        entries = len(self.stage.book.entries)
        if not self._play(message) or len(self.stage.book.entries) != entries:
            raise InvariantBroken(f"said again, and not known again: {message}")

    def _mischief(self, table: SimulatedPitTable) -> None:
        """What cannot be is refused, and as what it is."""
        wrong = any_wrong(self.rng, table, self.now, self.stage.refused)
        if wrong is None:
            return
        if self._play(wrong.message) or self.stage.refusal is None:
            raise InvariantBroken(f"taken, but is {wrong.codes}: {wrong.message}")
        if self.stage.refusal.code not in wrong.codes:
            raise InvariantBroken(f"{self.stage.refusal.code}, not {wrong.codes}: {wrong.message}")

    def _house_acts(self) -> None:
        act = self.house.act(self.stage.book.pit, self.now)
        if not self._play(act) or self.stage.outcome is None:
            return
        answer = self.stage.outcome.answer
        if isinstance(answer, PitIrregularityAnswer):
            self.tables[answer.table].declared(answer)
        elif isinstance(act, ChangeTable):
            table = self.stage.book.pit.tables[act.table]
            self.tables[act.table].setup = self.tables[act.table].setup.under(table.setup.terms)
        elif isinstance(act, OpenTable):
            # Of a table that is opened the House expects any number: what comes late would count again.
            self._sent = [one for one in self._sent if one.table != act.table]
            self.tables[act.table].reopened = True

    def _restart(self) -> None:
        self._play(Restart(forgetful=self.rng.random() < 0.3))
        if self.rng.random() < 0.3:
            leap = self.rng.choice((0, 7 * SECOND))
            self.now += leap
            self._play(Broke(Break.START, leap))
