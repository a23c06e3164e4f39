"""What a link knows now: small, whatever happened before.

Records that are evidence are frozen. The rest is changed only by `applying.apply`, fact by fact, except
`Contact`: a table's clock, mark and last message stand outside the journal and are set by `tables`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from jackpot.codec import Tagged, quick
from jackpot.evaluator import Hand
from jackpot.games.adjustments import Adjusted
from jackpot.games.lines import Decision as Decided
from jackpot.games.lines import Line
from jackpot.hands import Level
from jackpot.irregularities import Consequence
from jackpot.money import Account, Rates, displayed
from jackpot.parameters import Changes, Parameters
from jackpot.rulebook import PARAGRAPHS, Game, Paragraphs

Said = TypeVar("Said")


class TableStatus(StrEnum):
    UNHEARD = "unheard"
    IN_PLAY = "in_play"
    AWAY = "away"
    """Out of play by its own word."""
    CLOSED = "closed"
    """Out of play by the House."""


class RoundState(StrEnum):
    BETS_CLOSED = "bets_closed"
    HANDS_KNOWN = "hands_known"
    SETTLED = "settled"
    VOIDED = "voided"


class WinState(StrEnum):
    PENDING = "pending"
    ORDERED = "ordered"
    PAID = "paid"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Then(StrEnum):
    """What the House chooses for the rounds after a malfunction (S 5.18.2, H 5.17.2)."""

    CLOSE = "close"
    BLOCK_BOX = "block_box"
    PROGRESSIVE_OFF = "progressive_off"


class ClaimReason(StrEnum):
    OVERLAPS_PAID = "overlaps_paid"
    ROUND_SETTLED = "round_settled"
    PROMISE_DENIED = "promise_denied"
    """Its table finished the round without the service, on a value that the journal denies."""


class ClaimOutcome(StrEnum):
    IN_ORDER = "in_order"
    REGISTERED = "registered"
    PROMISED = "promised"
    """What the table told its players while it was alone."""
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSetup:
    id: str
    game: Game
    boxes: int
    minimum: int | None = None
    maximum: int | None = None

    @property
    def paragraphs(self) -> Paragraphs:
        return PARAGRAPHS[self.game]


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """When, in house time, a hand was dealt: not before `start`, not after `end`."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Clock:
    """A measurement of a table's clock: house time is table time plus `offset`, give or take `error`."""

    offset: int
    error: int
    measured_at: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class DealEvidence:
    """What a deal interval was computed from."""

    dealt_at: int | None
    sent_at: int
    received_at: int
    closed_from: int
    offset: int
    error: int
    suspect: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """Carryover of one stretch of a hold: the bets between two registrations."""

    number: int
    amount: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingThen:
    """A win that was waiting when an amount was registered."""

    win: str
    hand: Hand
    segment: int


@quick
@dataclass(frozen=True, kw_only=True, slots=True)
class Registered:
    """The pool as the system had registered it before a malfunction (S 5.18.1, H 5.17.1), less what has
    been paid from it since: the wins that were pending then, and the wins of the malfunction itself."""

    sequence: int
    meter: int
    overflow: int
    segments: tuple[Segment, ...]
    pending: tuple[PendingThen, ...]
    contributed: int

    @property
    def value(self) -> int:
        return displayed(self.meter)


@dataclass(frozen=True, kw_only=True, slots=True)
class Promise:
    """The reading a table was last told, on which it finished a round without the service."""

    value: int
    sequence: int
    next: int | None = None
    """Of a reading at which a win was pending: what that left."""

    @property
    def amount(self) -> int:
        """From which a major is promised (S 5.18.1, H 5.17.1)."""
        return self.value if self.next is None else self.next


@dataclass(frozen=True, kw_only=True, slots=True)
class Offline:
    """What a table says of a time in which it could not reach the service."""

    since: int
    """In the table's own time."""
    round: int | None
    cards_seen: bool | None
    promised: Promise | None
    confirmed: bool | None
    """Whether the journal has that reading; None if no round depended on it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MainGame:
    """What a table says of a box's main game, from which it is settled."""

    bet: int | None = None
    """Casino Stud; Flop, Turn and River are Hold'em's."""
    flop: int | None = None
    turn: int | None = None
    river: int | None = None
    decision: str | None = None
    examined: bool | None = None
    player: str | None = None

    @property
    def wagered(self) -> bool:
        """Whether anything is said of the player's bets."""
        return (self.bet, self.flop, self.turn, self.river, self.decision) != (None,) * 5

    @property
    def leaves(self) -> bool:
        """The player has walked away, and nothing is said of what he stays in with."""
        return self.decision == Decided.WALK_AWAY and self.bet is None and self.flop is None

    def played_by(self, said: MainGame | None) -> MainGame:
        """The same bets, with what is said now of who plays them."""
        if said is None:
            return self
        examined, player = _either(said.examined, self.examined), _either(said.player, self.player)
        return replace(self, examined=examined, player=player)


def _either(said: Said | None, before: Said | None) -> Said | None:
    return before if said is None else said


@dataclass(frozen=True, kw_only=True, slots=True)
class HandRecord:
    """A box's hand as reported. No cards: not revealed (4.3), or invalidated by the paragraph named."""

    box: int
    cards: tuple[str, ...] = ()
    dealt_at: int | None = None
    deal_order: int | None = None
    folded: bool = False
    invalidated: str | None = None
    main: MainGame | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class HandResult:
    box: int
    hand: Hand | None = None
    level: Level | None = None
    award: int | None = None
    win: str | None = None
    claim: str | None = None


@dataclass(kw_only=True, slots=True)
class Box:
    number: int
    ante: int
    bonus: int
    bet: int
    """The accepted Progressive Jackpot Bet, 0 for none."""
    payments: int
    """How many majors had been paid when its contribution was registered."""
    returned: bool = False
    """Its hand was invalidated and its bets went back."""
    invalidated: str | None = None
    """The paragraph by which the House has invalidated its hand; no report restores it."""
    paid: bool = False
    """A major or a late claim of this box has been paid."""
    registrations: int = 0
    main: MainGame | None = None
    """What was last told of its main game, in whichever message."""
    record: HandRecord | None = None
    result: HandResult | None = None

    def told(self, record: HandRecord, game: Game) -> MainGame | None:
        """Its main game once this is reported: chips that lie there do not vanish because a message is silent
        about them or their player leaves, nor do they change once the House has returned them. Of a hand that
        is said to be folded only those lie there that the same message names."""
        said, lying = record.main, self.main
        if lying is None:
            return said
        silent = said is None or not said.wagered
        if (silent and not record.folded) or (self.invalidated is not None and lying.wagered):
            return lying.played_by(said)
        if said is None or record.folded or not said.leaves:
            return said
        return self._left(lying, said, game)

    def _left(self, lying: MainGame, said: MainGame, game: Game) -> MainGame:
        """A BET or Flop that was only announced is twice the Ante (S 3.12.2, H 1.11)."""
        announced = 2 * self.ante if lying.decision == Decided.BET else None
        stud = game is Game.CASINO_STUD
        return replace(
            lying.played_by(said),
            bet=_either(lying.bet, announced if stud else None),
            flop=_either(lying.flop, None if stud else announced),
            turn=_either(said.turn, lying.turn),
            river=_either(said.river, lying.river),
            decision=said.decision,
        )

    @property
    def stands(self) -> bool:
        return self.bet > 0 and not self.returned

    @property
    def playing(self) -> bool:
        invalid = self.invalidated or (self.record and self.record.invalidated)
        return bool(self.ante or self.bonus or self.bet) and not invalid

    @property
    def minor(self) -> int:
        """The minor award it was given, 0 for none."""
        return (self.result.award or 0) if self.result and self.result.level is Level.MINOR else 0


@dataclass(kw_only=True, slots=True)
class Round:
    number: int
    closed_at: int
    closed_from: int
    """The earliest house time at which its bets can have been closed."""
    state: RoundState
    boxes: dict[int, Box]
    meter_ppm: int
    reserve_ppm: int
    hands_content: str | None = None
    hands_sent_at: int | None = None
    community: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    promise_broken: bool = False
    """Its bets were closed before the table's mark."""
    registered: int | None = None
    """The reading from which its wins are paid, since a malfunction after cards were seen."""
    registered_value: int | None = None
    promised: Promise | None = None
    """What its table promised alone and the journal denies: its majors are cases for the House."""
    settlement: tuple[Line, ...] = ()
    """What is known of the main game's wagers; provisional until the round stands."""
    adjustments: tuple[Adjusted, ...] = ()
    """What the latest report, or the void, changed in what the settlement before it had handed out."""
    void_returned: tuple[int, ...] | None = None
    """The boxes whose bets went back because the House voided it; None if it did not."""
    consequence: Consequence | None = None
    """Of the irregularity declared last."""

    @property
    def rates(self) -> Rates:
        return Rates(self.meter_ppm, self.reserve_ppm)

    @property
    def stands(self) -> bool:
        return self.state in (RoundState.SETTLED, RoundState.VOIDED)

    @property
    def open(self) -> bool:
        """An accepted bet is still without a hand."""
        return not self.stands and any(box.stands and box.record is None for box in self.boxes.values())

    @property
    def playing(self) -> list[int]:
        """The boxes on which a bet was placed and no hand was invalidated."""
        return [box.number for box in self.boxes.values() if box.playing]

    @property
    def wins(self) -> list[str]:
        return [box.result.win for box in self.boxes.values() if box.result and box.result.win]

    @property
    def claims(self) -> list[str]:
        return [box.result.claim for box in self.boxes.values() if box.result and box.result.claim]


@dataclass(kw_only=True, slots=True)
class Contact:
    """When and how a table was last heard. Working values: kept beside the journal, not in it."""

    clock: Clock | None = None
    seq: int | None = None
    sent_at: int | None = None
    seen_at: int | None = None
    spoke_from: int | None = None
    """The earliest house time at which its latest message can have been sent."""


@dataclass(kw_only=True, slots=True)
class Table:
    setup: TableSetup
    status: TableStatus = TableStatus.UNHEARD
    last_round: int = 0
    round: Round | None = None
    contact: Contact = field(default_factory=Contact, compare=False)

    @property
    def mark(self) -> int | None:
        """No major dealt before this can still come from here; None while nothing is known."""
        if self.round is not None and self.round.open:
            return self.round.closed_from
        return self.contact.spoke_from


@dataclass(frozen=True, kw_only=True, slots=True)
class Approval:
    person: str
    at: int
    note: str


@dataclass(kw_only=True, slots=True)
class Win:
    id: str
    table: str
    round: int
    box: int
    hand: Hand
    cards: tuple[str, ...]
    bet: int
    interval: Interval
    evidence: DealEvidence
    segment: int
    """The carryover segment its registration began: bets from there on never raise this win."""
    registered_at: int
    sequence: int
    state: WinState = WinState.PENDING
    basis: int | None = None
    """The reading from which a malfunction has it paid, instead of the displayed value."""
    approvals: list[Approval] = field(default_factory=list)
    ordered_by: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A paid major, as much of it as a late claim needs."""

    win: str
    table: str
    round: int
    box: int
    hand: Hand
    interval: Interval
    before: int
    amount: int
    after: int
    at: int
    hold: int
    """The entry that began the hold in which it was paid."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """The House's order of an ambiguous cluster (4.5.2)."""

    wins: tuple[str, ...]
    person: str
    reason: str
    sequence: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    id: str
    table: str
    round: int
    box: int
    hand: Hand
    cards: tuple[str, ...]
    bet: int
    interval: Interval
    evidence: DealEvidence
    reason: ClaimReason
    in_order: int
    registered: int
    sequence: int
    promised: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """A whole link (neither named), a table, or a box of a table."""

    table: str | None = None
    box: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
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


@dataclass(frozen=True, kw_only=True, slots=True)
class ParameterChange(Tagged):
    changes: Changes
    now: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Adjustment(Tagged):
    amount: int
    """Signed cents: above zero raises the meter from `account`, below zero lowers it into `account`."""
    account: Account


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkOpening(Tagged):
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class RoyalRejection(Tagged):
    win: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimDecision(Tagged):
    claim: str
    outcome: ClaimOutcome


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolTransfer(Tagged):
    to: str
    """The link in whose account of the same name it arrives."""
    amount: int
    account: Account


@dataclass(frozen=True, kw_only=True, slots=True)
class Retirement(Tagged):
    to: str | None
    """The link that takes the whole pool; None for the house."""


Change = (
    ParameterChange | Adjustment | LinkOpening | RoyalRejection | ClaimDecision | PoolTransfer | Retirement
)
"""What two people must agree on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    id: str
    change: Change
    reason: str
    person: str
    at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduled:
    """Confirmed changes that wait for the next reset."""

    changes: Changes
    sequence: int


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
        """The displayed value in cents."""
        return displayed(self.accounts[Account.METER])


@dataclass(kw_only=True, slots=True)
class Link:
    id: str
    name: str
    currency: str
    parameters: Parameters
    pool: Pool
    created_at: int
    closed: bool = False
    retired: int | None = None
    """The journal sequence of its retirement: it is only read from then on."""
    tables: dict[str, Table] = field(default_factory=dict)
    queue: dict[str, Win] = field(default_factory=dict)
    held_since: int | None = None
    """The journal sequence of the registration that froze the pool."""
    decisions: list[Decision] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    """The last paid majors, oldest first."""
    registers: dict[int, Registered] = field(default_factory=dict)
    """Amounts registered before malfunctions, by journal sequence, while something is paid from them."""
    claims: dict[str, Claim] = field(default_factory=dict)
    malfunctions: dict[str, Malfunction] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    scheduled: list[Scheduled] = field(default_factory=list)
    sequence: int = 0
    time: int = 0
    head: str = ""

    @property
    def held(self) -> bool:
        return self.held_since is not None

    def malfunctions_at(self, table: str) -> list[Malfunction]:
        if not self.malfunctions:
            return []
        return [one for one in self.malfunctions.values() if one.covers(table)]

    def in_play(self, table: Table) -> bool:
        out = any(one.takes_out for one in self.malfunctions_at(table.setup.id))
        return table.status is TableStatus.IN_PLAY and not out
