"""The meters of a link or pit: everything that was counted since it began, after an entry of its journal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jackpot.core.money import Account
from jackpot.figures import jackpots, pits
from jackpot.figures.counters import Counters, add, difference, total
from jackpot.figures.jackpots import Told
from jackpot.link import facts, pit_facts

_AT_TABLES: dict[str, Callable[[Counters, Told, Any], None]] = {
    facts.BetsClosed.__name__: jackpots.close_bets,
    facts.HandsReported.__name__: jackpots.report_hands,
    facts.HandsInvalidated.__name__: jackpots.invalidate_hands,
    facts.RoundVoided.__name__: jackpots.void_round,
    pit_facts.PitBetsClosed.__name__: pits.close_bets,
    pit_facts.PitHandsReported.__name__: pits.settle,
    pit_facts.PitBetsReturned.__name__: pits.settle,
    pit_facts.PitRoundVoided.__name__: pits.void_round,
}
COUNTED_AT_TABLES = frozenset(_AT_TABLES)
"""The kinds of which more than the moves is needed."""
LAYOUT = 1
"""Of what is counted. Roll-ups of another layout are left alone, and those of this one are made anew."""
PAID, DECIDED = facts.WinPaid.__name__, facts.ClaimDecided.__name__


@dataclass(slots=True)
class Meters:
    tables: dict[str, Counters] = field(default_factory=dict)
    whole: Counters = field(default_factory=dict)
    """Of the link or pit: what was posted to each account, how each kind of fact moved the meter, and how
    many facts of each kind there were."""
    told: dict[str, Told] = field(default_factory=dict)
    """By table, what a later word on its current round takes out again."""

    def hear(self, kind: str, fact: Any) -> None:
        """A fact by the name of its kind. Of kinds that are not counted at tables only the moves matter."""
        counted = _AT_TABLES.get(kind)
        if counted is not None:
            name = fact.table
            counted(self.tables.setdefault(name, {}), self.told.setdefault(name, {}), fact)
        elif kind == PAID:
            jackpots.pay(self.tables.setdefault(fact.table, {}), fact.hand, fact.amount)
        elif kind == DECIDED:
            hand = fact.claim.rpartition(".")[2]  # it is named by box and hand
            jackpots.pay(self.tables.setdefault(fact.table, {}), hand, fact.amount)
        self._post(kind, getattr(fact, "moves", {}))

    def _post(self, kind: str, moves: Mapping[str, int]) -> None:
        add(self.whole, {f"facts.{kind}.count": 1})
        add(self.whole, {f"account.{account}.units": units for account, units in moves.items()})
        if moved := moves.get(Account.METER):
            add(self.whole, {f"moved.{kind}.count": 1, f"moved.{kind}.units": moved})

    def copied(self) -> Meters:
        told = {name: {place: dict(one) for place, one in of.items()} for name, of in self.told.items()}
        return Meters({name: dict(one) for name, one in self.tables.items()}, dict(self.whole), told)

    def to_bytes(self) -> bytes:
        """The same for the same figures, whoever counted them."""
        said = {"tables": self.tables, "told": self.told, "whole": self.whole}
        return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Meters:
        said = json.loads(data)
        return cls(tables=said["tables"], whole=said["whole"], told=said["told"])


@dataclass(frozen=True, slots=True)
class Figures:
    """What happened between two entries of a journal, and what had happened since the link or pit began."""

    tables: dict[str, Counters]
    whole: Counters
    before: Meters
    after: Meters

    @classmethod
    def between(cls, before: Meters, after: Meters) -> Figures:
        tables = {
            name: difference(after.tables[name], before.tables.get(name, {})) for name in sorted(after.tables)
        }
        played = {name: one for name, one in tables.items() if one}
        return cls(played, difference(after.whole, before.whole), before, after)

    @property
    def totals(self) -> Counters:
        """Of all tables together, and of the whole."""
        return _sum(self.tables, self.whole)

    @property
    def lifetime(self) -> Counters:
        return _sum(self.after.tables, self.after.whole)


def _sum(tables: Mapping[str, Counters], whole: Counters) -> Counters:
    found = total([*tables.values(), whole])
    return {name: found[name] for name in sorted(found) if found[name]}
