"""Runs of the simulated floor: one seed after another, every invariant after every step."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from jackpot import facts, refusals
from jackpot.commands import AddTable, BreakTime, Command, TableMessage
from jackpot.desk import meter_of
from jackpot.facts import WinRegistered
from jackpot.instants import MILLISECOND, SECOND
from jackpot.invariants import InvariantBroken, check
from jackpot.notebook import Notebook
from jackpot.parameters import Parameters
from jackpot.refusals import Refused
from jackpot.rounds import Promise
from jackpot.rulebook import Game
from jackpot.simulation.dealing import RIGGED
from jackpot.simulation.house import SimulatedHouse
from jackpot.simulation.mischief import Garbled, Mischief
from jackpot.simulation.outages import Outage, alone, duration
from jackpot.simulation.players import MAXIMUM
from jackpot.simulation.tables import SimulatedTable, TableClock
from jackpot.state import Break, Contact, TableSetup

START = 1_767_225_600 * SECOND
DEFAULT_STEPS = 400
OUTAGE = 0.01
"""How often a table that wants to speak cannot reach the service."""
CLOSING = 0.1
"""How many floors come to an end."""
BEGUN_ANEW = BreakTime(person="service", cause=Break.START, before=0, difference=0)
"""What a start writes when no other process has kept house time."""
CALM_PARAMETERS = Parameters(seed=5_000_000, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)


@dataclass(frozen=True, slots=True)
class Restart:
    """The process dies and comes back: its state is worked out anew from the journal."""

    forgetful: bool
    """Even what tables last said of themselves is lost."""


@dataclass(frozen=True, slots=True)
class Step:
    at: int
    doing: Command | Garbled | Restart


@dataclass(frozen=True, kw_only=True, slots=True)
class Character:
    """How unkind a floor is."""

    calm: bool = False
    """Measured clocks, no mischief, no restarts, and a House that only does what must be done."""
    rigged: float = RIGGED


@dataclass(frozen=True, slots=True)
class Report:
    seed: int
    steps: int
    hash: str
    facts: Counter[str]
    refusals: Counter[str]


class SimulationFailed(Exception):
    def __init__(self, seed: int, story: Sequence[Step], cause: Exception) -> None:
        super().__init__(f"seed {seed}: {type(cause).__name__}: {cause}")
        self.seed, self.story, self.cause = seed, tuple(story), cause


def parameters_of(seed: int) -> Parameters:
    rng = Random(f"parameters {seed}")
    return Parameters(
        seed=100_000,
        progressive_bet=500,
        meter_ppm=rng.choice((400_000, 333_333, 700_000)),
        reserve_ppm=rng.choice((0, 50_000, 123_457)),
        ceiling=rng.choice((None, None, 100_000, 150_000)),
        top_up_to_seed=rng.random() < 0.3,
        straight_flush_approvals=rng.choice((0, 1, 1, 2)),
        royal_flush_approvals=rng.choice((1, 2, 2)),
    )


@dataclass
class Stage:
    """A book on which steps are played, and what came of them."""

    seed: int
    parameters: Parameters
    book: Notebook = field(init=False)
    steps: list[Step] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.book = Notebook("main", "Multi-Link Progressive", "SGD", self.parameters, at=START)

    def play(self, step: Step) -> bool:
        """Whether it was taken. Anything but a refusal is a failure of the rules."""
        self.steps.append(step)
        sequence, head, before = self.book.link.sequence, self.book.link.head, self.book.link.pool.value
        try:
            self._play(step)
        except Refused as refusal:
            self.refused[refusal.code] += 1
            link = self.book.link
            if (link.sequence, link.head, link.pool.value) != (sequence, head, before):
                raise InvariantBroken(f"{refusal.code} changed the state") from refusal
            return False
        return True

    def _play(self, step: Step) -> None:
        if isinstance(step.doing, Garbled):
            step.doing.read()
        elif isinstance(step.doing, Restart):
            self._restart(step.doing, step.at)
        else:
            self.book.submit(step.doing, at=step.at)

    def _restart(self, restart: Restart, at: int) -> None:
        before = self.book.restart()
        if before != self.book.link:
            raise InvariantBroken("the facts do not give the state they came from")
        check(self.book.link)
        if restart.forgetful:
            for table in self.book.link.tables.values():
                table.contact = Contact(seq=table.contact.seq, sent_at=table.contact.sent_at)
        if self.book.link.retired is None:
            self.book.submit(BEGUN_ANEW, at=at)


class Simulation:
    """One seeded floor."""

    def __init__(self, seed: int, character: Character = Character()) -> None:  # noqa: B008  it is frozen
        self.seed, self.character = seed, character
        self.rng = Random(seed)
        self.stage = Stage(seed, CALM_PARAMETERS if character.calm else parameters_of(seed))
        self.now = START
        self.house = SimulatedHouse(self.rng, calm=character.calm)
        self.mischief = Mischief(self.rng)
        count = 6 if character.calm else self.rng.randrange(3, 9)
        self.tables = [self._table(number) for number in range(1, count + 1)]
        self._told: dict[str, Promise] = {}
        """The reading each table was last told."""
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0

    def _table(self, number: int) -> SimulatedTable:
        game = self.rng.choice(tuple(Game))
        name = "stud" if game is Game.CASINO_STUD else "holdem"
        boxes, maximum = self.rng.randrange(2, 8), self.rng.choice((None, MAXIMUM))
        setup = TableSetup(id=f"{name}-{number:02d}", game=game, boxes=boxes, maximum=maximum)
        return SimulatedTable(
            setup=setup,
            rng=self.rng,
            clock=TableClock.measured_well(self.rng) if self.character.calm else TableClock.any(self.rng),
            start=START,
            numbered=self.rng.random() < 0.5,
            prescribed=self.stage.book.link.parameters.progressive_bet,
            calm=self.character.calm,
            rigged=self.character.rigged,
        )

    def run(self, steps: int) -> Report:
        try:
            for _ in self.events():
                if len(self.stage.steps) >= steps:
                    break
            self._play(Restart(forgetful=False))
        except Exception as cause:  # whatever broke, the story that broke it is what matters
            raise SimulationFailed(self.seed, self.stage.steps, cause) from cause
        kinds = Counter(type(entry.fact).__name__ for entry in self.stage.book.entries)
        return Report(self.seed, len(self.stage.steps), self.stage.book.link.head, kinds, self.stage.refused)

    def events(self) -> Iterator[int]:
        """Play for ever; before each event the time at which it is due."""
        for table in self.tables:
            self._play(AddTable(person="floor", setup=table.setup))
            self._later(table.pause(), lambda table=table: self._speak(table))  # type: ignore[misc]
        self._later(SECOND, self._house_acts)
        if not self.character.calm:
            self._later(SECOND, self._mischief_acts)
            self._later(30 * SECOND, self._restart)
            if self.rng.random() < CLOSING:
                self._later(self.rng.randrange(20, 50) * SECOND, self._close_down)
        while True:
            yield self._due[0][0]
            self.now, _, action = heapq.heappop(self._due)
            action()

    def _later(self, delay: int, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._due, (self.now + delay, self._count, action))

    def _play(self, doing: Command | Garbled | Restart) -> bool:
        before = len(self.stage.book.entries)
        taken = self.stage.play(Step(self.now, doing))
        for entry in self.stage.book.entries[before:]:
            if isinstance(entry.fact, WinRegistered):
                self._check_truth(entry.fact)
        return taken

    def _check_truth(self, win: WinRegistered) -> None:
        """A measured clock never claims an interval that the deal was not in."""
        table = next(one for one in self.tables if one.setup.id == win.table)
        dealt = table.truth[win.round, win.box]
        known = self.stage.book.link.tables[win.table].contact.clock is not None
        if table.honest and known and not win.interval.start <= dealt <= win.interval.end:
            raise InvariantBroken(f"{win.win} was dealt at {dealt}, outside {win.interval}")

    def _speak(self, table: SimulatedTable) -> None:
        told = self._told.get(table.setup.id)
        if told is not None and not self.character.calm and self.rng.random() < OUTAGE:
            outage = alone(self.rng, table, now=self.now, told=told)
            self._later(duration(self.rng), lambda: self._come_back(table, outage))
            return
        message, sent = table.speak(self.now), self.now
        self._later(self._delay(), lambda: self._deliver(table, message, sent))

    def _delay(self) -> int:
        chosen = self.rng.random()
        if chosen < 0.9:
            return self.rng.randrange(1, 50) * MILLISECOND
        return self.rng.randrange(50, 1500 if chosen < 0.98 else 4000) * MILLISECOND

    def _deliver(self, table: SimulatedTable, message: TableMessage, sent: int) -> None:
        stamped = table.stamped(message, now=sent, received_at=self.now)
        taken = self._play(stamped)
        table.delivered(message, taken=taken)
        if taken:
            meter = meter_of(self.stage.book.link)
            self._told[table.setup.id] = Promise(value=meter.value, sequence=meter.sequence, next=meter.next)
        if self.rng.random() < 0.1:
            self._later(self._delay(), lambda: self._again(stamped))
        self._later(table.pause(), lambda: self._speak(table))

    def _come_back(self, table: SimulatedTable, outage: Outage) -> None:
        for one in outage.told(now=self.now):
            taken = self._play(one)
            if isinstance(one, TableMessage):
                table.delivered(one, taken=taken)
        if self.rng.random() < 0.3:
            self._replay(outage)
        self._later(table.pause(), lambda: self._speak(table))

    def _replay(self, outage: Outage) -> None:
        """The answer was lost: the table tells everything once more, and nothing happens twice."""
        entries = len(self.stage.book.entries)
        for one in outage.told(now=self.now):
            self._play(one)
        if len(self.stage.book.entries) != entries:
            raise InvariantBroken(f"what {outage.back.table} replayed happened twice")

    def _close_down(self) -> None:
        """The tables end their rounds, and the House gives the link up."""
        self.house.closing = True
        for table in self.tables:
            table.closing = True

    def _again(self, message: TableMessage) -> None:
        self._play(message)

    def _house_acts(self) -> None:
        act = self.house.act(self.stage.book.link, self.now)
        if act is not None:
            self._play(act)
        self._later(self.rng.randrange(50, 1500) * MILLISECOND, self._house_acts)

    def _mischief_acts(self) -> None:
        act = self.mischief.act(self.stage.book.link, self.tables, self.now)
        if act is not None:
            self._play(act)
        self._later(self.rng.randrange(50, 1500) * MILLISECOND, self._mischief_acts)

    def _restart(self) -> None:
        self._play(Restart(forgetful=self.rng.random() < 0.3))
        self._later(self.rng.randrange(20, 90) * SECOND, self._restart)


def simulate(seed: int, steps: int = DEFAULT_STEPS) -> Report:
    return Simulation(seed).run(steps)


def replays(seed: int, story: Sequence[Step]) -> Exception | None:
    """Play a story on a fresh floor: what it breaks, if anything."""
    stage = Stage(seed, parameters_of(seed))
    try:
        for step in story:
            stage.play(step)
    except Exception as cause:  # whatever broke is the answer
        return cause
    return None


def shortest_story(failure: SimulationFailed) -> tuple[Step, ...]:
    """Leave out steps, halves first, for as long as the same thing still breaks."""
    story, chunk = list(failure.story), max(1, len(failure.story) // 2)
    if type(replays(failure.seed, story)) is not type(failure.cause):
        return tuple(story)
    while True:
        start, left_out = 0, False
        while start < len(story):
            shorter = story[:start] + story[start + chunk :]
            if type(replays(failure.seed, shorter)) is type(failure.cause):
                story, left_out = shorter, True
            else:
                start += chunk
        if chunk == 1 and not left_out:
            return tuple(story)
        chunk = max(1, chunk // 2)


def never_happened(seen: Counter[str], refused: Counter[str]) -> tuple[list[str], list[str]]:
    """Kinds of facts and refusals that no run has shown."""
    missing_facts = [name for name in facts.KINDS if not seen[name]]
    # Unequal odds are refused when a floor is configured, before there is a link to play on; and here time
    # never falls.
    impossible = (refusals.UnequalOdds, refusals.ClockWouldFall)
    possible = [kind for kind in refusals.kinds() if kind not in impossible]
    missing = [kind.code for kind in possible if not refused[kind.code]]
    return missing_facts, missing
