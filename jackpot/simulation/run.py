"""Runs of the simulated floor: one seed after another, every invariant after every step."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from jackpot.core import refusals
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.games import GAMES, Game
from jackpot.link import facts
from jackpot.link.commands import AddTable, BreakTime, ChangeTable, Command, Heartbeat, TableMessage
from jackpot.link.fact import Fact
from jackpot.link.parameters import Parameters
from jackpot.link.rounds import Promise
from jackpot.link.state import Break, TableSetup
from jackpot.machine.execute import Outcome
from jackpot.machine.invariants import InvariantBroken
from jackpot.machine.memory_book import MemoryBook
from jackpot.simulation.dealing import RIGGED
from jackpot.simulation.house import SimulatedHouse
from jackpot.simulation.liars import LyingTable
from jackpot.simulation.metering import Expected, SimulatedMeters, check_counted, check_told
from jackpot.simulation.mischief import Garbled, Mischief
from jackpot.simulation.outages import Outage, alone, duration
from jackpot.simulation.pits import PitSimulation, PitStage
from jackpot.simulation.players import MAXIMUM
from jackpot.simulation.stage import START, Restart, SimulationFailed, Stage, Step
from jackpot.simulation.tables import SimulatedTable, TableClock
from jackpot.simulation.terms import currency_of, most_won_of, parameters_of
from jackpot.simulation.timekeepers import LEAPS, Broke, HouseTime
from jackpot.simulation.truth import Truth

DEFAULT_STEPS = 400
OUTAGE = 0.01
"""How often a table that wants to speak cannot reach the service."""
ECHOED = 30 * SECOND
"""An echo that is no older counts for sure."""
LYING = 0.25
"""How many tables say of times what may help them."""
HURRIED, HURRIED_RIGGED = 0.3, 0.4
"""How many floors are such that majors are often dealt at the same time."""
HONEST_METERS = 0.5
"""How many controllers count nothing wrong and are never replaced."""
NONSENSE = 0.05
"""How many heartbeats come after one with meters that cannot be."""
CLOSING = 0.1
"""How many floors come to an end."""
CALM_CURRENCY = "SGD"
CALM_PARAMETERS = Parameters(seed=5_000_000, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class Character:
    """How unkind a floor is."""

    calm: bool = False
    """No mischief, no restarts, and a House that only does what must be done."""
    rigged: float = RIGGED


@dataclass(frozen=True, slots=True)
class Report:
    seed: int
    steps: int
    hash: str
    facts: Counter[str]
    refusals: Counter[str]
    pit_hash: str = ""
    """Of the journal of the floor's pit, if it was played too."""


@dataclass
class LinkStage(Stage):
    seed: int
    parameters: Parameters
    currency: str
    book: MemoryBook = field(init=False)

    def __post_init__(self) -> None:
        self.book = MemoryBook("main", "Multi-Link Progressive", self.currency, self.parameters, at=START)

    def _looks(self) -> tuple[object, ...]:
        return *super()._looks(), self.book.link.pool.value


class Simulation:
    """One seeded floor."""

    def __init__(self, seed: int, character: Character = Character()) -> None:  # noqa: B008  it is frozen
        self.seed, self.character = seed, character
        self.rng = Random(seed)
        parameters = CALM_PARAMETERS if character.calm else parameters_of(seed)
        self.stage = LinkStage(seed, parameters, CALM_CURRENCY if character.calm else currency_of(seed))
        self.now = START
        """True time, which no clock shows."""
        self.time = HouseTime(self.rng, START, calm=character.calm)
        self.house = SimulatedHouse(self.rng, calm=character.calm)
        self.mischief = Mischief(self.rng)
        self._hurried = not character.calm and self.rng.random() < HURRIED
        count = 6 if character.calm else self.rng.randrange(3, 9)
        self.tables = [self._table(number) for number in range(1, count + 1)]
        self.liars = [table for table in self.tables if isinstance(table, LyingTable)]
        for liar in self.liars:
            liar.rivals = [table for table in self.tables if table is not liar]
        self.meters = {table.setup.id: self._meters(table) for table in self.tables}
        self.truth = Truth(self.tables, self.time, self.stage.book.archive)
        self._told: dict[str, Promise] = {}
        """The reading each table was last told."""
        self._answered: dict[str, int] = {}
        self._heard: dict[str, int] = {}
        """The newest reading that each honest table has shown to have heard."""
        self._broke = 0
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._planned = 0

    def _table(self, number: int) -> SimulatedTable:
        game = self.rng.choice(tuple(Game))
        boxes, maximum = self.rng.randrange(2, 8), self.rng.choice((None, MAXIMUM))
        name = f"{GAMES[game].short}-{number:02d}"
        most = None if self.character.calm else most_won_of(self.seed, name, self.stage.currency)
        setup = TableSetup(id=name, game=game, boxes=boxes, maximum=maximum, most_won=most)
        honest = SimulatedTable(
            setup=setup,
            rng=self.rng,
            clock=TableClock.any(self.rng),
            start=START,
            numbered=self.rng.random() < 0.5,
            prescribed=self.stage.book.link.parameters.progressive_bet,
            calm=self.character.calm,
            rigged=HURRIED_RIGGED if self._hurried else self.character.rigged,
            hurried=self._hurried,
        )
        if self.character.calm or self.rng.random() >= LYING:
            return honest
        return LyingTable(**vars(honest), behind=self.rng.randrange(3 * SECOND))

    def _meters(self, table: SimulatedTable) -> SimulatedMeters:
        luck = Random(f"meters {self.seed} {table.setup.id}")
        return SimulatedMeters(rng=luck, honest=self.character.calm or luck.random() < HONEST_METERS)

    def run(self, steps: int) -> Report:
        try:
            for _ in self.events():
                if len(self.stage.steps) >= steps:
                    break
            self._play(Restart(forgetful=False))
            self.stage.audit()
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
            self._later(10 * SECOND, self._take_over)
            self._later(SECOND, self._deceive)
            if self.rng.random() < CLOSING:
                self._later(self.rng.randrange(20, 50) * SECOND, self._close_down)
        while True:
            yield self._due[0][0]
            self.now, _, action = heapq.heappop(self._due)
            action()

    def _later(self, delay: int, action: Callable[[], None]) -> None:
        self._planned += 1
        heapq.heappush(self._due, (self.now + delay, self._planned, action))

    def _play(self, doing: Command | Garbled | Restart) -> bool:
        """By whichever replica: one receives a table's message, one carries it out."""
        if isinstance(doing, TableMessage):
            received = self.time.moment(self.now)
            doing = replace(doing, received_at=received.at, error=received.error)
        by = self.time.moment(self.now)
        return self._checked(Step(by.at, doing, by.error))

    def _checked(self, step: Step) -> bool:
        before = len(self.stage.book.entries)
        taken = self.stage.play(step)
        new = self.stage.book.entries[before:]
        self.truth.check(self.stage.book.link, new, self._heard)
        for entry in new:
            self._count(entry.fact)
        for name, table in self.stage.book.link.tables.items():
            if name in self.meters:  # a guest has no controller here
                check_counted(self.meters[name].counted, table)
        return taken

    def _count(self, fact: Fact) -> None:
        name = getattr(fact, "table", None)
        if name in self.meters:
            self.meters[name].counted.see(fact)

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
        stamped, expected = table.stamped(message, now=sent), None
        if isinstance(stamped, Heartbeat):
            stamped, expected = self._metered(table, stamped)
        taken = self._play(stamped)
        if taken and expected is not None:
            check_told(expected, self.stage.book.link.tables[table.setup.id])
        heard_at = self.now + self.rng.randrange(1, 20) * MILLISECOND
        table.delivered(message, taken=taken, now=heard_at)
        if taken and self.stage.outcome is not None:
            self._answer(table, stamped, self.stage.outcome, heard_at)
        if self.rng.random() < 0.1:
            self._later(self._delay(), lambda: self._again(stamped))
        self._later(20 * MILLISECOND + table.pause(), lambda: self._speak(table))

    def _metered(self, table: SimulatedTable, beat: Heartbeat) -> tuple[Heartbeat, Expected | None]:
        """With the controller's meters; before it, now and then, one with nonsense."""
        meters = self.meters[table.setup.id]
        if not self.character.calm and meters.rng.random() < NONSENSE:
            self._play(meters.nonsense(beat))
        return meters.said(beat, self.stage.book.link.tables[table.setup.id])

    def _answer(self, table: SimulatedTable, message: TableMessage, outcome: Outcome, heard_at: int) -> None:
        meter, name = outcome.answer.reading, table.setup.id
        if isinstance(table, LyingTable):
            table.readings.append(Promise(value=meter.value, sequence=meter.sequence, next=meter.next))
        elif message.echo is not None and self._answered.get(name, 0) > max(self._broke, self.now - ECHOED):
            self._heard[name] = max(self._heard.get(name, 0), self._told[name].sequence)
        table.heard(replied_at=outcome.replied_at or 0, now=heard_at)
        self._told[name] = Promise(value=meter.value, sequence=meter.sequence, next=meter.next)
        self._answered[name] = self.now

    def _come_back(self, table: SimulatedTable, outage: Outage) -> None:
        for one in outage.told(now=self.now):
            taken = self._play(one)
            if isinstance(one, TableMessage):
                table.delivered(one, taken=taken, now=self.now)
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
        act = self.house.act(self.stage.book.link, self.time.moment(self.now).at)
        if act is not None:
            self._play(act)
        if isinstance(act, ChangeTable):
            self._on_new_terms(act.table)
        self._later(self.rng.randrange(50, 1500) * MILLISECOND, self._house_acts)

    def _on_new_terms(self, name: str) -> None:
        """Players lay their bets on the boxes that there are."""
        for table in self.tables:
            if table.setup.id == name:
                table.setup = table.setup.under(self.stage.book.link.tables[name].setup.terms)

    def _mischief_acts(self) -> None:
        house_time = self.time.moment(self.now).at
        act = self.mischief.act(self.stage.book.link, self.tables, self.now, house_time)
        if act is not None:
            self._play(act)
        self._later(self.rng.randrange(50, 1500) * MILLISECOND, self._mischief_acts)

    def _deceive(self) -> None:
        if self.liars:
            liar = self.rng.choice(self.liars)
            for act in liar.deceit(self.stage.book.link, self.time.moment(self.now).at):
                self._play(act)
        self._later(self.rng.randrange(2, 20) * SECOND, self._deceive)

    def _take_over(self) -> None:
        self.time.take_over(self.now)
        if self.rng.random() < 0.3:
            if self._quiet():
                self._break(Break.SET)
            else:
                self._play(BreakTime(person="service", cause=Break.SET, before=0, difference=0))
        self._later(self.rng.randrange(5, 40) * SECOND, self._take_over)

    def _quiet(self) -> bool:
        """The clock is set only while nothing that it has measured is open."""
        link = self.stage.book.link
        rounds = [table.round for table in link.tables.values() if table.round is not None]
        return link.retired is None and not link.queue and not any(one.open for one in rounds)

    def _restart(self) -> None:
        forgetful = self.rng.random() < 0.3
        self._play(Restart(forgetful=forgetful))
        if forgetful:
            self._heard.clear()
        if self.stage.book.link.retired is None and self.rng.random() < 0.7:
            self._break(Break.START)
        self._later(self.rng.randrange(20, 90) * SECOND, self._restart)

    def _break(self, cause: Break) -> None:
        self._broke = self.now
        leap = self.rng.choice(LEAPS) * self.rng.choice((1, -1))
        at = self.time.begin_anew(self.now, last=self.stage.book.link.time, leap=leap)
        self._checked(Step(at, Broke(cause, leap)))


def simulate(seed: int, steps: int = DEFAULT_STEPS) -> Report:
    """A floor, and the pit beside it with half as many steps: each draws its own luck from the seed."""
    floor, pit = Simulation(seed).run(steps), PitSimulation(seed).run(steps // 2)
    return replace(
        floor,
        steps=floor.steps + pit.steps,
        facts=floor.facts + pit.facts,
        refusals=floor.refusals + pit.refusals,
        pit_hash=pit.head,
    )


def replays(seed: int, story: Sequence[Step], *, pit: bool = False) -> Exception | None:
    """Play a story on a fresh floor: what it breaks, if anything."""
    if pit:
        stage: Stage = PitStage(currency_of(seed, "pit"))
    else:
        stage = LinkStage(seed, parameters_of(seed), currency_of(seed))
    try:
        for step in story:
            stage.play(step)
    except Exception as cause:  # whatever broke is the answer
        return cause
    return None


def shortest_story(failure: SimulationFailed) -> tuple[Step, ...]:
    """Leave out steps, halves first, for as long as the same thing still breaks."""
    story, chunk = list(failure.story), max(1, len(failure.story) // 2)
    if type(replays(failure.seed, story, pit=failure.pit)) is not type(failure.cause):
        return tuple(story)
    while True:
        start, left_out = 0, False
        while start < len(story):
            shorter = story[:start] + story[start + chunk :]
            if type(replays(failure.seed, shorter, pit=failure.pit)) is type(failure.cause):
                story, left_out = shorter, True
            else:
                start += chunk
        if chunk == 1 and not left_out:
            return tuple(story)
        chunk = max(1, chunk // 2)


def never_happened(seen: Counter[str], refused: Counter[str]) -> tuple[list[str], list[str]]:
    """Kinds of facts and refusals that no run has shown."""
    missing_facts = [name for name in facts.KINDS if not seen[name]]
    # Unequal odds are refused when a floor is configured, before there is a link to play on, and a reading of
    # the future by who reads the past; simulated house time never falls; and nothing is paid without a slip.
    elsewhere = (
        refusals.RoundElsewhere,
        refusals.UnequalOdds,
        refusals.TimeInFuture,
        refusals.ClockWouldFall,
        refusals.WinWithoutSlip,
    )
    possible = [kind for kind in refusals.kinds() if kind not in elsewhere]
    missing = [kind.code for kind in possible if not refused[kind.code]]
    return missing_facts, missing
