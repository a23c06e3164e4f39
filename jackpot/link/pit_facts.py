"""What happens in pits: tables without a jackpot, and rounds of blackjack at them.

That a table joins, leaves, is opened or closed, and that house time broke, are the facts of any pit, also of
a link: they are in `jackpot.link.facts`.
"""

from __future__ import annotations

from dataclasses import field

from jackpot.core.records import SPARSE, frozen
from jackpot.games.blackjack import Adjusted, Bets, Consequence, Irregularity, Line, OpenWager, Report
from jackpot.link.fact import Fact
from jackpot.link.rounds import RoundState
from jackpot.link.state import CameFrom, PitSetup


@frozen(kw_only=True)
class PitSettling(Fact):
    """A fact that settles the wagers of a round, each time all of them anew."""

    table: str
    round: int
    settlement: tuple[Line, ...] = ()
    adjustments: tuple[Adjusted, ...] = ()


@frozen(kw_only=True)
class PitCreated(Fact):
    id: str
    name: str
    currency: str


@frozen(kw_only=True)
class PitTableAdded(Fact):
    setup: PitSetup
    person: str
    reason: str = field(default="", metadata=SPARSE)
    source: CameFrom | None = field(default=None, metadata=SPARSE)
    """Of one that was moved here."""


@frozen(kw_only=True)
class PitBetsClosed(PitSettling):
    """Its settlement is what goes back at once."""

    closed_at: int
    dealt_from: int
    """What the House witnessed: no card of the round was dealt before."""
    sent_at: int
    received_at: int
    bets: Bets
    """As they lay."""
    table_closed: bool
    """The House had closed the table: all of them go back, and nothing plays."""
    settles: int | None
    """The earlier round that stands from now on, because this one has begun."""
    left_open: tuple[OpenWager, ...] = ()
    """Of the round that this one ends: wagers whose outcome its table never told."""


@frozen(kw_only=True)
class PitHandsReported(PitSettling):
    state: RoundState
    content: str
    sent_at: int
    received_at: int
    report: Report
    """The round so far, whole, with every card by its canonical name."""


@frozen(kw_only=True)
class PitRoundVoided(PitSettling):
    reason: str
    note: str
    by: str
    irregularity: str | None = None


@frozen(kw_only=True)
class PitIrregularityDeclared(Fact):
    """Something went wrong in a round: what the House says of it, and what the rules make of that."""

    irregularity: str
    table: str
    round: int
    person: str
    said: Irregularity
    consequence: Consequence


@frozen(kw_only=True)
class PitBetsReturned(PitSettling):
    """By the House, after an irregularity: the bets of players who chose so go back (5.7.3)."""

    irregularity: str
    content: str
    """Of the act: it replaces what hands the table reported last."""


PitFact = (
    PitCreated
    | PitTableAdded
    | PitBetsClosed
    | PitHandsReported
    | PitRoundVoided
    | PitIrregularityDeclared
    | PitBetsReturned
)
PitRoundFact = PitBetsClosed | PitHandsReported | PitRoundVoided | PitIrregularityDeclared | PitBetsReturned
