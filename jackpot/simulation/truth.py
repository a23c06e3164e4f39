"""What a simulation knows and the House does not: when each hand really was dealt, and who lies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jackpot.games.progressive import ALL_OF_IT
from jackpot.link.awards import Policy
from jackpot.link.facts import ClaimRaised, Entry, RoundContinued, WinPaid, WinRegistered
from jackpot.link.parameters import Basis
from jackpot.link.state import Link
from jackpot.link.wins import Interval
from jackpot.machine.invariants import InvariantBroken
from jackpot.machine.memory_book import MemoryArchive
from jackpot.pools.claims import place_of
from jackpot.pools.order import Dealt, Simultaneous, certainly_before, counting
from jackpot.pools.payout import place_rests_on, simultaneous
from jackpot.simulation.liars import LyingTable
from jackpot.simulation.tables import SimulatedTable
from jackpot.simulation.timekeepers import HouseTime


class Truth:
    def __init__(self, tables: Iterable[SimulatedTable], time: HouseTime, archive: MemoryArchive) -> None:
        self._tables = {table.setup.id: table for table in tables}
        self._time, self._archive = time, archive
        self._royals: list[tuple[int, str]] = []
        """Paid, each with the sequence of its payment."""

    def check(self, link: Link, entries: Iterable[Entry], heard: Mapping[str, int]) -> None:
        """`heard` is the newest reading that each honest table has shown to have heard."""
        for entry in entries:
            match entry.fact:
                case WinRegistered() as fact:
                    self._check_deal(fact)
                    self._check_fallen_back(fact)
                case ClaimRaised() as fact:
                    self._check_deal(fact)
                case RoundContinued() as fact:
                    self._check_reading(link, fact, heard)
                case WinPaid() as fact:
                    self._note_payment(entry, fact)
        if any(isinstance(entry.fact, WinRegistered) for entry in entries):
            self._check_order(link)

    def _note_payment(self, entry: Entry, fact: WinPaid) -> None:
        """Paid as its proof says, and its proof as the policy says: worked out here once more."""
        if fact.percent == ALL_OF_IT:
            self._royals.append((entry.sequence, fact.win))
        proof = fact.proof
        if proof is None or (proof.amount, proof.percent) != (fact.amount, fact.percent):
            raise InvariantBroken(f"{fact.win} is not paid what is proved of it")
        whole = (proof.reading * proof.percent + 50) // 100
        place, count = proof.wins.index(fact.win), len(proof.wins)
        due = (whole + count - 1 - place) // count if proof.policy is Policy.SPLIT else whole
        if fact.amount != due:
            raise InvariantBroken(f"{fact.win} is paid {fact.amount}, and {due} is due")

    def _honest(self, table: str) -> bool:
        return not isinstance(self._tables[table], LyingTable)

    def _dealt(self, one: Dealt) -> int:
        return self._tables[one.table].truth[one.round, one.box]

    def _check_deal(self, fact: WinRegistered | ClaimRaised) -> None:
        inside, outside = fact.interval, fact.witnessed
        if not outside.start <= inside.start <= inside.end <= outside.end:
            raise InvariantBroken(f"{inside} of {fact.table} is not inside of {outside}")
        if not self._honest(fact.table):
            return
        dealt = self._time.at(self._tables[fact.table].truth[fact.round, fact.box])
        for interval in (inside, outside):
            if not _holds(interval, dealt):
                raise InvariantBroken(f"{fact.table} dealt round {fact.round} at {dealt}, outside {interval}")

    def _check_order(self, link: Link) -> None:
        """What is certain is true; of a liar's win, if the House witnessed it."""
        deals: list[Dealt] = [*link.queue.values(), *link.hits]
        for one in deals:
            for other in deals:
                if one.table != other.table and self._dealt(one) > self._dealt(other):
                    self._check_not_before(one, other, simultaneous(link))
        for name, win in link.queue.items():
            if place_rests_on(link, name) is Basis.WITNESSED and self._honest(win.table):
                self._check_overtaken(link, win, deals)

    def _check_not_before(self, later: Dealt, earlier: Dealt, meeting: Simultaneous) -> None:
        if not self._honest(earlier.table):
            return
        bases = tuple(Basis) if self._honest(later.table) else (Basis.WITNESSED,)
        for basis in bases:
            if certainly_before(counting(later, basis), counting(earlier, basis), meeting):
                raise InvariantBroken(
                    f"{basis}: {later.table} {later.interval} stands before"
                    f" {earlier.table} {earlier.interval},"
                    f" but was dealt at {self._time.at(self._dealt(later))}"
                    f" and the other at {self._time.at(self._dealt(earlier))}"
                )

    def _check_overtaken(self, link: Link, win: Dealt, deals: list[Dealt]) -> None:
        basis = link.parameters.order_basis
        for other in deals:
            before = certainly_before(counting(other, basis), counting(win, basis), simultaneous(link))
            if before and other.table != win.table and self._dealt(other) > self._dealt(win):
                raise InvariantBroken(f"{other.table} overtook {win.table}, whose place was witnessed")

    def _check_reading(self, link: Link, fact: RoundContinued, heard: Mapping[str, int]) -> None:
        """Nobody falls back to an older reading than he was told."""
        current = link.tables[fact.table].round
        by_table = heard.get(fact.table, 0) if fact.heard is not None else 0
        oldest = max(by_table, 0 if current is None else current.sequence)
        if fact.registered.sequence < oldest:
            raise InvariantBroken(
                f"{fact.table} falls back to {fact.registered.sequence}, but was told {oldest}"
            )

    def _check_fallen_back(self, fact: WinRegistered) -> None:
        """Nobody wins from a reading that a royal flush has emptied since, unless it waited then."""
        reading = None if fact.registered is None else self._archive.reading_at(fact.registered)
        if reading is None:
            return
        waited = {place_of(then.win) for then in reading.pending}
        for paid, win in self._royals:
            if paid > reading.sequence and place_of(win) not in waited:
                raise InvariantBroken(f"{fact.win} is to be paid from a reading from before {win} was paid")


def _holds(interval: Interval, moment: int) -> bool:
    return interval.start <= moment <= interval.end
