"""Where one command is carried out: the pit or link, the time, the archive, and the facts written so far.

A handler first checks everything and raises its refusal, then writes facts. Each fact is applied as it
is written, so that the next one is worked out from the state it left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from jackpot.core.refusals import (
    NoJackpot,
    PersonMissing,
    ReasonMissing,
    TableUnknown,
    TextInvisible,
    TextMalformed,
    TextTooLong,
    WagerNotInGame,
)
from jackpot.core.texts import unseen
from jackpot.link.answers import Meter, Said
from jackpot.link.archive import Archive
from jackpot.link.fact import Fact
from jackpot.link.facts import AnyFact, Entry, Stamp, chain
from jackpot.link.pit_rounds import PitRound
from jackpot.link.rounds import Round
from jackpot.link.state import Link, Pit, PitTable, Table, TableOfPlay

LONGEST_TEXT = 500
Witness = Callable[[int, Fact, Pit], None]


class Machine(Protocol):
    """What the desk asks of the room that knows all rules."""

    def apply(self, pit: Pit, fact: Fact, stamp: Stamp) -> None:
        """Change the state as the fact says, and check what must hold between two facts."""
        ...

    def meter(self, pit: Pit) -> Meter | None:
        """The reading that comes with every answer; None where there is no jackpot."""
        ...


class Desk:
    def __init__(
        self,
        pit: Pit,
        machine: Machine,
        *,
        at: int,
        archive: Archive,
        error: int = 0,
        witness: Witness | None = None,
        content: str = "",
    ) -> None:
        self._machine = machine
        self.pit = pit
        self.now, self.error = at, error
        """House time as this process knows it, give or take its error."""
        self.at = max(at, pit.time)
        self.archive = archive
        self.content = content
        """What the command says, as a hash; empty if it has no key."""
        self.facts: list[tuple[Stamp, Fact]] = []
        self._witness = witness
        self._meter: Meter | None = None

    @property
    def link(self) -> Link:
        """The pit, if its tables share a jackpot; what needs one is refused elsewhere."""
        if not isinstance(self.pit, Link):
            raise NoJackpot(f"{self.pit.id} is a pit: its tables share no jackpot")
        return self.pit

    def need_jackpot(self) -> None:
        _ = self.link

    def write(self, fact: AnyFact) -> None:
        pit = self.pit
        stamp = Stamp(pit.sequence + 1, self.at)
        self._machine.apply(pit, fact, stamp)
        self.facts.append((stamp, fact))
        if self._witness is not None:
            self._witness(stamp.sequence, fact, pit)

    def seal(self, said: Said | None) -> tuple[Entry, ...]:
        """The facts as entries of the journal, the last with what was said."""
        entries: list[Entry] = []
        for stamp, fact in self.facts:
            last = said is not None and stamp.sequence == self.pit.sequence
            text = said.text() if said is not None and last else "null"
            entries.append(chain(self.pit.id, fact, stamp, head=self.pit.head, said=text))
            self.pit.head = entries[-1].hash
        return tuple(entries)

    def next_id(self, letter: str) -> str:
        """An id no other record of this link has: the sequence of the fact that will create it."""
        return f"{self.pit.id}.{letter}{self.pit.sequence + 1}"

    def was_made(self, id: str, letter: str, kind: type[Fact]) -> bool:
        """Whether such a record has ever had this id."""
        number = id.removeprefix(f"{self.pit.id}.{letter}")
        if number == id or not (number.isascii() and number.isdigit() and len(number) < 19):
            return False
        return self.archive.kind_of(int(number)) == kind.__name__

    def meter(self) -> Meter | None:
        if self._meter is None or self._meter.sequence != self.pit.sequence:
            self._meter = self._machine.meter(self.pit)
        return self._meter

    def any_table(self, name: str) -> TableOfPlay:
        table = self.pit.tables.get(name)
        if table is None:
            raise TableUnknown(f"{self.pit.id} has no table {name[:80]!r}", table=name[:80])
        return table

    def table(self, name: str) -> Table:
        """A table of a link."""
        table = self.any_table(name)
        if not isinstance(table, Table):
            raise WagerNotInGame(f"table {name} plays another game", field="table")
        return table

    def pit_table(self, name: str) -> PitTable:
        table = self.any_table(name)
        if not isinstance(table, PitTable):
            raise WagerNotInGame(f"table {name} plays another game", field="table")
        return table

    def past_round(self, table: Table, number: int) -> Round | None:
        """One that has left the state."""
        found = self.archive.round(table.setup.id, number)
        return found if isinstance(found, Round) else None

    def past_pit_round(self, table: PitTable, number: int) -> PitRound | None:
        found = self.archive.round(table.setup.id, number)
        return found if isinstance(found, PitRound) else None


def named(person: str) -> str:
    if not person.strip() or len(person) > LONGEST_TEXT:
        raise PersonMissing("an act of the House names the person who does it", field="person")
    return _seen(bounded(person, field="person"), "person", lines=False)


def reasoned(text: str, *, field: str = "reason") -> str:
    if not text.strip():
        raise ReasonMissing("an act of the House says why", field=field)
    return bounded(text, field=field)


def bounded(text: str, *, field: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise TextTooLong(f"{field} is longer than {LONGEST_TEXT} characters", field=field)
    if text.isascii() and text.isprintable():
        return text
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
        raise TextMalformed(f"{field} is not text that can be written", field=field)
    return _seen(text, field, lines=True)


def _seen(text: str, field: str, *, lines: bool) -> str:
    if character := unseen(text, lines=lines):
        raise TextInvisible(f"{field} has a character that cannot be seen: {character}", field=field)
    return text
