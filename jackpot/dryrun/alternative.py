"""The link as it would have been: recorded facts come in, and those that would have been written go out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jackpot.dryrun.overrides import at_once, seed_of
from jackpot.link.fact import Fact
from jackpot.link.facts import Stamp
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Scheduled
from jackpot.link.state import Link, Registered
from jackpot.machine.applying import apply
from jackpot.pools.payout import registered
from jackpot.pools.pool import changeover, post


class Recorded(NamedTuple):
    """A fact of the journal with its place."""

    fact: Fact
    stamp: Stamp
    ends: bool
    """It is the last one of its command."""


@dataclass
class Noted:
    """What the dry run had to assume, by win, claim or entry."""

    fell_away: set[str] = field(default_factory=set)
    """Majors of the journal that other levels make none."""
    proposed: set[str] = field(default_factory=set)
    """Wins paid in the proposed order, since nobody had to decide it then."""
    cut: set[int] = field(default_factory=set)
    """Adjustments and transfers of more than was there."""
    best_known: int | None = None
    """Microseconds: the shortest interval in which a win of the journal was dealt."""


class Alternative:
    """The alternative link, and what it knows of the journal beside its state."""

    def __init__(self, link: Link, overrides: Changes, *, readings: Collection[int] = ()) -> None:
        """`readings`: the entries whose reading a malfunction will ask for."""
        self.link, self.overrides = link, overrides
        self.made: list[Fact] = []
        """What the command at hand has come to."""
        self.following: Sequence[Recorded] = ()
        """The recorded facts of the same command after the one at hand."""
        self.stamp = Stamp(link.sequence, link.time)
        self.signalled: set[str] = set()
        """Wins that the journal has paid: they are ordered and approved."""
        self.only_here: dict[str, int] = {}
        """Wins that the journal does not know, with the entry of their hand."""
        self.places: dict[str, int] = {}
        """The carryover segments of wins that the command at hand has withdrawn."""
        self.notes = Noted()
        self.readings: dict[int, Registered] = {}
        self._wanted = frozenset(readings)
        if link.sequence:
            self._take_over()

    def _take_over(self) -> None:
        """In mid-journal: at once what may change at once, and a new seed from the next reset."""
        link, overrides = self.link, self.overrides
        scheduled = [
            Scheduled(changes=one.changes.beside(overrides), sequence=one.sequence) for one in link.scheduled
        ]
        if overrides.seed is not None:
            scheduled.insert(0, Scheduled(changes=seed_of(overrides), sequence=0))
        new = at_once(overrides, link.parameters)
        if link.held and new.awards != link.awards:
            link.held_awards = link.awards  # a hold keeps those with which it began
        post(link.pool, changeover(link.pool, link.parameters, new).moves, 0, None)
        link.parameters, link.scheduled = new, scheduled

    def write(self, fact: Fact) -> None:
        self.made.append(fact)
        apply(self.link, fact, self.stamp)

    def passed(self) -> None:
        """The entry at hand is done, whether or not it left anything here."""
        link, stamp = self.link, self.stamp
        link.sequence, link.time = stamp.sequence, stamp.at
        if stamp.sequence in self._wanted:
            self.readings[stamp.sequence] = registered(link)
