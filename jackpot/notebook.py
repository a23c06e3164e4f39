"""A link with its journal and past in memory: for simulations, demonstrations and tests."""

from __future__ import annotations

from jackpot import applying
from jackpot.commands import Command
from jackpot.facts import ClaimDecided, ClaimRaised, ClaimWithdrawn, Entry, Fact, WinPaid, read_entry
from jackpot.link import Outcome, create_link, execute
from jackpot.parameters import Parameters
from jackpot.past import Memory
from jackpot.payout import registered
from jackpot.state import Link


class Notebook:
    def __init__(self, id: str, name: str, currency: str, parameters: Parameters, *, at: int) -> None:
        self.past = Memory()
        self.entries: list[Entry] = []
        self.link, first = create_link(id, name, currency, parameters, at=at)
        self.entries.append(first)
        self.past.keep_reading(at, registered(self.link))

    def submit(self, command: Command, *, at: int, error: int = 0) -> Outcome:
        outcome = execute(self.link, command, at=at, error=error, past=self.past, witness=self._witness)
        self.entries += outcome.entries
        said = outcome.said
        if said is not None and said.key is not None and said.content is not None:
            self.past.keep_answer(said.key, said.content, said.answer)
        return outcome

    def restart(self) -> Link:
        """Forget the state and work it out again from the journal's bytes; what tables last said is kept."""
        before, entries = self.link, self._read_again()
        self.link = applying.replayed(entries)
        for name, table in before.tables.items():
            self.link.tables[name].contact = table.contact
            found = self.link.tables[name].round
            if found is not None:
                self.past.keep_round(name, found)
        return before

    def _read_again(self) -> list[Entry]:
        entries: list[Entry] = []
        for entry in self.entries:
            entries.append(read_entry(self.link.id, entry.data, entries[-1].hash if entries else ""))
        return entries

    def _witness(self, sequence: int, fact: Fact, link: Link) -> None:
        self.past.keep_kind(sequence, type(fact).__name__)
        self.past.keep_reading(link.time, registered(link))
        match fact:
            case ClaimRaised(claim=claim):
                self.past.keep_claim(claim)
            case ClaimWithdrawn(claim=claim):
                self.past.forget_claim(claim)
            case WinPaid() | ClaimDecided() as paid if paid.amount:
                self.past.keep_paid(paid.table, paid.round, paid.box)
        table = getattr(fact, "table", None)
        current = link.tables[table].round if table in link.tables else None
        if current is not None:
            self.past.keep_round(str(table), current)
