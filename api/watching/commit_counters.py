"""What this process committed, counted from the facts themselves."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations

from jackpot.book.stores.committed import Committed
from jackpot.book.writing.histograms import Histogram
from jackpot.core.instants import SECOND
from jackpot.core.money import UNITS_PER_MINOR_UNIT, Account, to_units
from jackpot.games.progressive import Level
from jackpot.link import facts
from jackpot.link.rounds import PROGRESSIVE, RoundState
from jackpot.link.wins import WinState
from jackpot.machine.kind import ClaimBegan, ClaimEnded, WinBegan, WinEnded
from jackpot.machine.kinds import remembered

PAID_AFTER = tuple(seconds * SECOND for seconds in (5, 15, 30, 60, 120, 300, 600, 1800, 3600))
TAKEN_BACK = "minor_taken_back"
_POOL = (Account.METER, Account.CARRYOVER, Account.OVERFLOW)


@dataclass(slots=True)
class LinkTally:
    """Amounts of bets and prizes in minor units, of contributions in the pool's: these need not be whole."""

    bets: int = 0
    staked: int = 0
    contributed: int = 0
    reversed: int = 0
    claims: int = 0
    returned: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    hands: Counter[str] = field(default_factory=Counter)
    wins: Counter[tuple[str, str]] = field(default_factory=Counter)
    prizes: Counter[str] = field(default_factory=Counter)
    paid_after: Histogram = field(default_factory=lambda: Histogram(PAID_AFTER))

    def count(self, entry: facts.Entry) -> None:
        fact = entry.fact
        if isinstance(
            fact, facts.BetsClosed | facts.HandsReported | facts.HandsInvalidated | facts.RoundVoided
        ):
            brought = sum(fact.moves.get(account, 0) for account in _POOL)
            self.contributed += max(0, brought)
            self.reversed += max(0, -brought)
            awarded = fact.moves.get(Account.PRIZES, 0) // UNITS_PER_MINOR_UNIT
            if awarded:
                self.prizes[Level.MINOR if awarded > 0 else TAKEN_BACK] += abs(awarded)
        match fact:
            case facts.BetsClosed():
                self._bets_closed(fact)
            case facts.HandsReported():
                self._hands_reported(fact)
            case facts.RoundVoided() | facts.HandsInvalidated():
                self.rounds[RoundState.VOIDED] += isinstance(fact, facts.RoundVoided)
                self.returned.update(_returned(fact))
            case _:
                self._win(entry)

    def _bets_closed(self, fact: facts.BetsClosed) -> None:
        stakes = [one.progressive for one in fact.boxes if one.progressive]
        self.bets += len(stakes)
        self.staked += sum(stakes)
        self.rounds[RoundState.BETS_CLOSED] += 1
        if fact.returned:
            self.returned.update(_returned(fact))

    def _hands_reported(self, fact: facts.HandsReported) -> None:
        if fact.state is RoundState.SETTLED:
            self.rounds[RoundState.SETTLED] += 1
        if fact.returned:
            self.returned.update(_returned(fact))
        for result in fact.results:
            if result.hand is not None:
                self.hands[result.hand.value] += 1
        self.wins[Level.MINOR, WinState.PAID] += _new_minors(fact)

    def _win(self, entry: facts.Entry) -> None:
        match remembered(entry.fact):
            case WinBegan():
                self.wins[Level.MAJOR, WinState.PENDING] += 1
            case WinEnded(state=state):
                self.wins[Level.MAJOR, state] += 1
            case ClaimBegan():
                self.claims += 1
            case ClaimEnded(decided=True, amount=amount):
                self.prizes["claim"] += amount or 0
        match entry.fact:
            case facts.WinsOrdered(wins=wins):
                self.wins[Level.MAJOR, WinState.ORDERED] += len(wins)
            case facts.WinPaid() as paid:
                self.prizes[Level.MAJOR] += paid.amount
                self.paid_after.observe(max(0, entry.at - paid.interval.end))


def _returned(
    fact: facts.BetsClosed | facts.HandsReported | facts.RoundVoided | facts.HandsInvalidated,
) -> list[str]:
    """Why bets on the jackpot went back."""
    return [one.code for one in fact.returned if one.wager == PROGRESSIVE]


def _new_minors(fact: facts.HandsReported) -> int:
    """Each message tells all minors of its round again, and another process may have taken the one before:
    the new ones are those whose awards make up what is paid now."""
    paid = fact.moves.get(Account.PRIZES, 0)
    awards = [to_units(one.award or 0) for one in fact.results if one.level is Level.MINOR]
    if paid <= 0:
        return 0
    counts = range(1, len(awards) + 1)
    return next((many for many in counts if paid in map(sum, combinations(awards, many))), 0)


class Tally:
    def __init__(self) -> None:
        self.links: dict[str, LinkTally] = defaultdict(LinkTally)

    def heard(self, told: Committed) -> None:
        """A listener of the writers."""
        link = self.links[told.link]
        for entry in told.entries:
            link.count(entry)
