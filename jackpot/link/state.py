"""What a link or a pit knows now: small, whatever happened before. A link is a pit with a jackpot.

Records that are evidence are frozen. The rest is changed only by `applying.apply`, fact by fact, except
`Contact`: a table's clock and last messages stand outside the journal and are set by `tables`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self, TypeVar

from jackpot.cards.evaluator import Hand
from jackpot.core.money import Account, displayed
from jackpot.core.records import SPARSE, Kept, frozen
from jackpot.games import GAMES
from jackpot.games.blackjack import BLACKJACK_GAMES, BlackjackRules, Layout, PitGame, SideLimits
from jackpot.games.paragraphs import Paragraphs
from jackpot.games.rulebook import Game, Rulebook
from jackpot.link.awards import Awards, Policy
from jackpot.link.clocks import Bounds, Told
from jackpot.link.days import ClosedDay
from jackpot.link.handovers import Handover
from jackpot.link.meters import Baseline, Difference, Meters, MetersAfter
from jackpot.link.parameters import Parameters
from jackpot.link.pit_rounds import PitRound, ShoeCount
from jackpot.link.proposals import Proposal, Scheduled
from jackpot.link.rounds import Promise, Round, RoundOfPlay
from jackpot.link.table_terms import TableTerms
from jackpot.link.wins import Claim, ClockWord, Decision, Due, Hit, Win, percent_of

T = TypeVar("T")


class TableStatus(StrEnum):
    UNHEARD = "unheard"
    IN_PLAY = "in_play"
    AWAY = "away"
    """Out of play by its own word."""
    CLOSED = "closed"
    """Out of play by the House."""


class Then(StrEnum):
    """What the House chooses for the rounds after a malfunction (S 5.18.2, H 5.17.2)."""

    CLOSE = "close"
    BLOCK_BOX = "block_box"
    PROGRESSIVE_OFF = "progressive_off"


class Break(StrEnum):
    """Why house time did not simply go on."""

    START = "start"
    """No process was there to keep it."""
    SET = "set"
    """Two people set it."""


@frozen(kw_only=True)
class Setup(Kept):
    """A table of any game: its layout, and the limits of its main bets in minor units."""

    id: str
    boxes: int
    minimum: int | None = None
    maximum: int | None = None
    name: str = field(default="", metadata=SPARSE)
    """By which people are shown it; its id if there is none."""

    @property
    def terms(self) -> TableTerms:
        """What of it may change while it runs."""
        return TableTerms(boxes=self.boxes, minimum=self.minimum, maximum=self.maximum, name=self.name)

    def under(self, terms: TableTerms) -> Self:
        """The same table on these terms."""
        return replace(self, boxes=terms.boxes, minimum=terms.minimum, maximum=terms.maximum, name=terms.name)


@frozen(kw_only=True)
class TableSetup(Setup):
    """Of a table that plays on a link."""

    game: Game
    most_won: int | None = field(default=None, metadata=SPARSE)
    """By a box, with the BET or the Bonus (4.1.1); None is the rule book's."""

    @property
    def rulebook(self) -> Rulebook:
        return GAMES[self.game]

    @property
    def paragraphs(self) -> Paragraphs:
        return GAMES[self.game].paragraphs


@frozen(kw_only=True)
class PitSetup(Setup):
    """Of a table that plays in a pit."""

    game: PitGame
    decks: int
    side: dict[str, SideLimits] = field(default_factory=dict)

    @property
    def terms(self) -> TableTerms:
        return TableTerms(
            boxes=self.boxes, minimum=self.minimum, maximum=self.maximum, name=self.name, side=self.side
        )

    def under(self, terms: TableTerms) -> Self:
        return replace(
            self,
            boxes=terms.boxes,
            minimum=terms.minimum,
            maximum=terms.maximum,
            name=terms.name,
            side=terms.side,
        )

    @property
    def rules(self) -> BlackjackRules:
        return BLACKJACK_GAMES[self.game]

    @property
    def layout(self) -> Layout:
        return Layout(
            rules=self.rules,
            boxes=self.boxes,
            decks=self.decks,
            minimum=self.minimum,
            maximum=self.maximum,
            side=self.side,
        )


@frozen(kw_only=True)
class Segment:
    """Carryover of one stretch of a hold: the bets between two registrations."""

    number: int
    amount: int


@frozen(kw_only=True)
class PendingThen:
    """A win that was waiting when an amount was registered."""

    win: str
    hand: Hand
    segment: int
    said_percent: int | None = field(default=None, metadata=SPARSE)
    cluster: int = field(default=0, metadata=SPARSE)
    """Wins that would be paid together have the same number."""

    @property
    def percent(self) -> int:
        return percent_of(self.hand, self.said_percent)


@frozen(kw_only=True)
class Registered:
    """The pool as the system had registered it before a malfunction (S 5.18.1, H 5.17.1), less what has
    been paid from it since: the wins that were pending then, and the wins of the malfunction itself."""

    sequence: int
    meter: int
    overflow: int
    segments: tuple[Segment, ...]
    pending: tuple[PendingThen, ...]
    contributed: int
    policy: Policy | None = field(default=None, metadata=SPARSE)
    """By which the pending ones would have been paid together, whatever has come into force since; None if in
    order."""

    @property
    def value(self) -> int:
        return displayed(self.meter)


@frozen(kw_only=True)
class Offline:
    """What a table says of a time in which it could not reach the service."""

    since: int
    """In the table's own time."""
    round: int | None
    cards_seen: bool | None
    promised: Promise | None
    confirmed: bool | None
    """Whether the journal has that reading; None if no round depended on it."""


@dataclass(kw_only=True, slots=True)
class Contact:
    """When and how a table was last heard. Working values: kept beside the journal, not in it."""

    seq: int | None = None
    sent_at: int | None = None
    seen_at: int | None = None
    era: int = 0
    """When house time had last broken as the bounds were measured."""
    bounds: Bounds = field(default_factory=Bounds)
    told: tuple[Told, ...] = ()
    """The last answers it was given, oldest first."""
    heard: int = 0
    """The newest reading that it is known to have heard, by its journal sequence."""
    word: ClockWord | None = None
    clock_set_at: int | None = None
    """When what it said of time last contradicted what it had said before."""
    dealt_outside_at: int | None = None
    """When it last told a deal that cannot have been then, as before its bets were answered."""
    agreed: int | None = field(default=None, metadata=SPARSE)
    """The round after which its meters were last what they should be."""


@frozen(kw_only=True)
class CameFrom:
    """Where a table played before it was moved here."""

    place: str
    sequence: int
    """Of the entry there by which it left."""
    last_round: int
    closed: bool = False
    """The House had closed it, and it stays so."""
    counted: tuple[MetersAfter, ...] = field(default=(), metadata=SPARSE)
    """The House's own meters of it: its controller goes on counting, and what it tells is compared on."""
    baseline: Baseline | None = field(default=None, metadata=SPARSE)


@dataclass(kw_only=True, slots=True)
class TableOfPlay:
    """What a table of any game has."""

    setup: Setup
    status: TableStatus = TableStatus.UNHEARD
    last_round: int = 0
    round: RoundOfPlay | None = None
    wagers_open: int | None = None
    """When a round of it was ended by the next one's bets while wagers of its main game were open; None once
    a later round has ended whole."""
    changed: int = field(default=0, metadata=SPARSE)
    """The journal sequence at which its terms were last changed; 0 while they are those it was added with."""
    came_from: CameFrom | None = field(default=None, metadata=SPARSE)
    counted: tuple[MetersAfter, ...] = field(default=(), metadata=SPARSE)
    """The House's own meters of it after its last rounds, oldest first."""
    baseline: Baseline | None = field(default=None, metadata=SPARSE)
    """None: its controller has never told its meters."""
    difference: Difference | None = field(default=None, metadata=SPARSE)
    """Of its controller's meters, until a person has settled it."""
    contact: Contact = field(default_factory=Contact, compare=False)

    @property
    def meters(self) -> Meters:
        """The House's own, after the last round that is over."""
        return self.counted[-1].meters if self.counted else Meters()


@dataclass(kw_only=True, slots=True)
class Table(TableOfPlay):
    """A table of a link."""

    setup: TableSetup
    round: Round | None = None

    @property
    def played(self) -> TableSetup:
        """As its current round is judged: on the terms with which that began."""
        return self.setup if self.round is None else self.setup_of(self.round)

    def setup_of(self, played: Round) -> TableSetup:
        return self.setup if played.terms is None else self.setup.under(played.terms)


@dataclass(kw_only=True, slots=True)
class PitTable(TableOfPlay):
    setup: PitSetup
    round: PitRound | None = None
    shoe: ShoeCount | None = None
    """What has left the shoe before the current round, where the table names its shoes."""

    @property
    def played(self) -> PitSetup:
        """As its current round is judged: on the terms with which that began."""
        return self.setup if self.round is None else self.setup_of(self.round)

    def setup_of(self, played: PitRound) -> PitSetup:
        return self.setup if played.terms is None else self.setup.under(played.terms)


@frozen(kw_only=True)
class Scope:
    """A whole link (neither named), a table, or a box of a table."""

    table: str | None = None
    box: int | None = None


@frozen(kw_only=True)
class Malfunction:
    id: str
    scope: Scope
    then: Then
    observed_at: int
    declared_at: int
    by: str
    note: str
    offline: Offline | None = None

    def covers(self, table: str) -> bool:
        return self.scope.table in (None, table)

    @property
    def takes_out(self) -> bool:
        """A blocked box leaves its table in play. So does a table's own return from being alone: what it
        has still to tell may have been dealt before every win that waits."""
        return self.then is not Then.BLOCK_BOX and self.offline is None


@dataclass(kw_only=True, slots=True)
class Pool:
    """The money of a link. `segments` are the parts of the carryover, oldest first."""

    accounts: dict[Account, int]
    segments: list[Segment] = field(default_factory=list)
    next_segment: int = 1
    payments: int = 0
    contributed: int = 0
    """Every unit that bets have ever brought to meter and carryover."""
    contributed_before_reset: int = 0
    """The part of `contributed` that a royal flush has already won."""

    @property
    def meter(self) -> int:
        return self.accounts[Account.METER]

    @property
    def value(self) -> int:
        """The displayed value in minor units."""
        return displayed(self.accounts[Account.METER])


def in_order_made(records: Mapping[str, T]) -> list[T]:
    """As their facts were written. A stored state comes back in the order of its names, in which p144 stands
    before p80; ids of one kind differ in the sequence of their fact alone."""
    return [records[name] for name in sorted(records, key=lambda name: (len(name), name))]


@dataclass(kw_only=True, slots=True)
class Pit:
    """Tables with a journal of their own. What a jackpot needs besides is in `Link`."""

    id: str
    name: str
    currency: str
    created_at: int
    tables: Mapping[str, TableOfPlay] = field(default_factory=dict[str, PitTable])
    departed: dict[str, str] = field(default_factory=dict, metadata=SPARSE)
    """Tables that were moved away, each with the link or pit that it went to."""
    broke_at: int = 0
    """When house time last broke: what was measured of tables' clocks before that is worth nothing."""
    sequence: int = 0
    time: int = 0
    head: str = ""
    closed_day: ClosedDay | None = field(default=None, metadata=SPARSE)
    """The last gaming day that a person closed."""

    def malfunctions_at(self, table: str) -> list[Malfunction]:  # noqa: ARG002  of a link's jackpot
        return []

    def in_play(self, table: TableOfPlay) -> bool:
        out = any(one.takes_out for one in self.malfunctions_at(table.setup.id))
        return table.status is TableStatus.IN_PLAY and not out


@dataclass(kw_only=True, slots=True)
class Link(Pit):
    """A pit whose tables share a Progressive Jackpot."""

    parameters: Parameters
    pool: Pool
    closed: bool = False
    retired: int | None = None
    """The journal sequence of its retirement: it is only read from then on."""
    tables: dict[str, Table] = field(default_factory=dict)
    queue: dict[str, Win] = field(default_factory=dict)
    held_since: int | None = None
    """The journal sequence of the registration that froze the pool."""
    held_awards: Awards | None = field(default=None, metadata=SPARSE)
    """Those with which the hold began, where a reset in it has brought others."""
    due: tuple[Due, ...] = field(default=(), metadata=SPARSE)
    """What is left to pay of a cluster that is being paid: nothing, between two commands."""
    decisions: list[Decision] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    """The last paid majors, oldest first."""
    registers: dict[int, Registered] = field(default_factory=dict)
    """Amounts registered before malfunctions, by journal sequence, while something is paid from them."""
    claims: dict[str, Claim] = field(default_factory=dict)
    malfunctions: dict[str, Malfunction] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    scheduled: list[Scheduled] = field(default_factory=list)
    slips: int = field(default=0, metadata=SPARSE)
    """The number of the last slip."""
    handovers: dict[str, Handover] = field(default_factory=dict, metadata=SPARSE)
    """What was paid and is not handed over yet, by win or late claim."""

    @property
    def held(self) -> bool:
        return self.held_since is not None

    @property
    def awards(self) -> Awards:
        """By which the wins in line are paid: a hold keeps those with which it began."""
        return self.parameters.awards if self.held_awards is None else self.held_awards

    def slip_for(self, amount: int) -> int | None:
        """The number of the next slip; of nothing there is none."""
        return self.slips + 1 if amount else None

    def malfunctions_at(self, table: str) -> list[Malfunction]:
        if not self.malfunctions:
            return []
        return [one for one in in_order_made(self.malfunctions) if one.covers(table)]
