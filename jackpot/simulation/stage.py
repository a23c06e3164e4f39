"""A journal on which a simulation plays, step by step, and the story of what broke it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from jackpot.core.instants import SECOND
from jackpot.core.refusals import Refused
from jackpot.link.commands import BreakTime, Command
from jackpot.link.state import Break, Contact
from jackpot.machine.applying import apply, created, unborn
from jackpot.machine.auditing import audit
from jackpot.machine.execute import Outcome
from jackpot.machine.invariants import InvariantBroken, check
from jackpot.machine.memory_book import MemoryJournal
from jackpot.simulation.house import PEOPLE
from jackpot.simulation.mischief import Garbled
from jackpot.simulation.timekeepers import Broke

START = 1_767_225_600 * SECOND


@dataclass(frozen=True, slots=True)
class Restart:
    """The process dies and comes back: its state is worked out anew from the journal."""

    forgetful: bool
    """Even what tables last said of themselves is lost."""


@dataclass(frozen=True, slots=True)
class Step:
    at: int
    """House time, as the replica knows it that carries this out."""
    doing: Command | Garbled | Restart | Broke
    error: int = 0


class SimulationFailed(Exception):
    def __init__(self, seed: int, story: Sequence[Step], cause: Exception, *, pit: bool = False) -> None:
        super().__init__(f"seed {seed}: {type(cause).__name__}: {cause}")
        self.seed, self.story, self.cause = seed, tuple(story), cause
        self.pit = pit
        """It happened in the pit of that floor."""


@dataclass
class Stage:
    """A book on which steps are played, and what came of them."""

    book: MemoryJournal
    steps: list[Step] = field(default_factory=list, kw_only=True)
    refused: Counter[str] = field(default_factory=Counter, kw_only=True)
    outcome: Outcome | None = field(default=None, kw_only=True)
    """Of the last command that was taken."""
    refusal: Refused | None = field(default=None, kw_only=True)
    """Of the last step, if it was not taken."""

    def play(self, step: Step) -> bool:
        """Whether it was taken. Anything but a refusal is a failure of the rules."""
        self.steps.append(step)
        before, self.refusal = self._looks(), None
        try:
            self._play(step)
        except Refused as refusal:
            self.refused[refusal.code] += 1
            self.refusal = refusal
            if self._looks() != before:
                raise InvariantBroken(f"{refusal.code} changed the state") from refusal
            return False
        return True

    def audit(self) -> None:
        """Every fact is what the rules give, and the journal alone gives the state."""
        first, *rest = self.book.entries
        audit(unborn(first), first.fact, first.at)
        pit = created(first)
        for entry in rest:
            audit(pit, entry.fact, entry.at)
            apply(pit, entry.fact, entry.stamp)
            pit.head = entry.hash
        if pit != self.book.pit:
            raise InvariantBroken("the journal gives another state")

    def _looks(self) -> tuple[object, ...]:
        """What no refusal changes."""
        return self.book.pit.sequence, self.book.pit.head

    def _play(self, step: Step) -> None:
        if isinstance(step.doing, Garbled):
            step.doing.read()
        elif isinstance(step.doing, Restart):
            self._restart(step.doing)
        elif isinstance(step.doing, Broke):
            self._break(step.doing, step.at)
        else:
            self.outcome = self.book.submit(step.doing, at=step.at, error=step.error)

    def _break(self, broke: Broke, at: int) -> None:
        set_by = PEOPLE[:2] if broke.cause is Break.SET else ()
        command = BreakTime(
            person="service",
            cause=broke.cause,
            before=at - broke.leap,
            difference=0,
            persons=set_by,
            reason="simulated" if set_by else "",
        )
        self.book.submit(command, at=at)

    def _restart(self, restart: Restart) -> None:
        before = self.book.restart()
        if before != self.book.pit:
            raise InvariantBroken("the facts do not give the state they came from")
        check(self.book.pit)
        if restart.forgetful:
            for table in self.book.pit.tables.values():
                table.contact = Contact(seq=table.contact.seq, sent_at=table.contact.sent_at)
