"""A link or pit with its journal and archive in memory: for simulations, demonstrations and tests."""

from __future__ import annotations

from bisect import bisect_left

from jackpot.figures.meters import Figures, Meters
from jackpot.link.answers import Answer
from jackpot.link.commands import Command
from jackpot.link.days import Played
from jackpot.link.fact import Fact
from jackpot.link.facts import ClaimDecided, ClaimRaised, ClaimWithdrawn, Entry, WinPaid, read_entry
from jackpot.link.handovers import Ended
from jackpot.link.parameters import Parameters
from jackpot.link.rounds import RoundOfPlay
from jackpot.link.state import Link, Pit, Registered
from jackpot.machine import applying
from jackpot.machine.execute import Outcome, create_link, create_pit, execute
from jackpot.machine.kinds import ended_by
from jackpot.pools.payout import registered


class MemoryJournal:
    """Of a link or a pit."""

    def __init__(self, pit: Pit, first: Entry) -> None:
        self.archive = MemoryArchive()
        self.pit, self.entries = pit, [first]
        self.archive.keep_fact(first.fact)
        self.archive.keep_reading(first.at, registered(pit))

    def submit(self, command: Command, *, at: int, error: int = 0) -> Outcome:
        outcome = execute(self.pit, command, at=at, error=error, archive=self.archive, witness=self._witness)
        self.entries += outcome.entries
        said = outcome.said
        if said is not None and said.key is not None and said.content is not None:
            self.archive.keep_answer(said.key, said.content, said.answer)
        return outcome

    def restart(self) -> Pit:
        """Forget the state and work it out again from the journal's bytes; what tables last said is kept."""
        before, entries = self.pit, self._read_again()
        self.pit = applying.replayed(entries)
        for name, table in before.tables.items():
            self.pit.tables[name].contact = table.contact
            found = self.pit.tables[name].round
            if found is not None:
                self.archive.keep_round(name, found)
        return before

    def _read_again(self) -> list[Entry]:
        entries: list[Entry] = []
        for entry in self.entries:
            entries.append(read_entry(self.pit.id, entry.data, entries[-1].hash if entries else ""))
        return entries

    def _witness(self, sequence: int, fact: Fact, pit: Pit) -> None:
        self.archive.keep_kind(sequence, type(fact).__name__)
        self.archive.keep_reading(pit.time, registered(pit))
        if (ended := ended_by(fact)) is not None:
            self.archive.keep_ended(*ended)
        self.archive.keep_fact(fact)
        match fact:
            case ClaimRaised(claim=claim):
                self.archive.keep_claim(claim)
            case ClaimWithdrawn(claim=claim):
                self.archive.forget_claim(claim)
            case WinPaid() | ClaimDecided() as paid if paid.amount:
                self.archive.keep_paid(paid.table, paid.round, paid.box)
        table = getattr(fact, "table", None)
        current = pit.tables[str(table)].round if table in pit.tables else None
        if current is not None:
            self.archive.keep_round(str(table), current)


class MemoryBook(MemoryJournal):
    """Of a link."""

    def __init__(self, id: str, name: str, currency: str, parameters: Parameters, *, at: int) -> None:
        super().__init__(*create_link(id, name, currency, parameters, at=at))

    @property
    def link(self) -> Link:
        assert isinstance(self.pit, Link)  # noqa: S101  it was created as one
        return self.pit

    @link.setter
    def link(self, link: Link) -> None:
        self.pit = link


class MemoryPit(MemoryJournal):
    def __init__(self, id: str, name: str, currency: str, *, at: int) -> None:
        super().__init__(*create_pit(id, name, currency, at=at))


class MemoryArchive:
    """It grows with every message; the book's own, which looks things up, does not."""

    def __init__(self) -> None:
        self._answers: dict[str, dict[str, Answer]] = {}
        self._rounds: dict[tuple[str, int], RoundOfPlay] = {}
        self._times: list[int] = []
        self.readings: list[Registered] = []
        self._kinds: dict[int, str] = {}
        self._facts: list[Fact] = []
        self._claims: set[str] = set()
        self._paid: set[tuple[str, int, int]] = set()
        self._ended: dict[str, Ended] = {}

    def answer(self, key: str, content: str) -> Answer | None:
        return self._answers.get(key, {}).get(content)

    def taken(self, key: str) -> bool:
        return key in self._answers

    def round(self, table: str, number: int) -> RoundOfPlay | None:
        return self._rounds.get((table, number))

    def reading_before(self, at: int) -> Registered:
        return self.readings[max(0, bisect_left(self._times, at) - 1)]

    def reading_at(self, sequence: int) -> Registered | None:
        return self.readings[sequence - 1] if 1 <= sequence <= len(self.readings) else None

    def paid(self, table: str, number: int, box: int) -> bool:
        return (table, number, box) in self._paid

    def claimed(self, claim: str) -> bool:
        return claim in self._claims

    def handover(self, win: str) -> Ended | None:
        return self._ended.get(win)

    def kind_of(self, sequence: int) -> str | None:
        return self._kinds.get(sequence)

    def played(self, start: int, end: int) -> Played:
        first, last = bisect_left(self._times, start), bisect_left(self._times, end)
        before, after = self._counted(first), self._counted(last)
        figures = Figures.between(before, after)
        return Played(first=first + 1, last=last, figures=figures.totals, lifetime=figures.lifetime)

    def _counted(self, upto: int) -> Meters:
        meters = Meters()
        for fact in self._facts[:upto]:
            meters.hear(type(fact).__name__, fact)
        return meters

    def keep_kind(self, sequence: int, kind: str) -> None:
        self._kinds[sequence] = kind

    def keep_answer(self, key: str, content: str, answer: Answer) -> None:
        self._answers.setdefault(key, {})[content] = answer

    def keep_round(self, table: str, found: RoundOfPlay) -> None:
        self._rounds[table, found.number] = found

    def keep_reading(self, at: int, reading: Registered) -> None:
        self._times.append(at)
        self.readings.append(reading)

    def keep_fact(self, fact: Fact) -> None:
        self._facts.append(fact)

    def keep_paid(self, table: str, number: int, box: int) -> None:
        self._paid.add((table, number, box))

    def keep_ended(self, win: str, ended: Ended) -> None:
        self._ended[win] = ended

    def keep_claim(self, claim: str) -> None:
        self._claims.add(claim)

    def forget_claim(self, claim: str) -> None:
        self._claims.discard(claim)
