"""What happened. Facts are the journal: applied in order they give the state, to the last unit.

A fact carries what it changed, never a rule to be worked out again: its `moves` are the amounts, in
units, that it moves between the accounts.
"""

from __future__ import annotations

import json
from dataclasses import field
from hashlib import sha256
from typing import Any, NamedTuple, get_args

from jackpot.cards.evaluator import Hand
from jackpot.core.codec import decoder, encoder, quoted
from jackpot.core.money import Account
from jackpot.core.records import SPARSE, frozen
from jackpot.core.versions import OLDEST, RULES, SCHEMA, as_written_today
from jackpot.games.adjustments import Adjusted
from jackpot.games.irregularities import Consequence, Irregularity
from jackpot.games.lines import Line, OpenWager
from jackpot.link.awards import Awards
from jackpot.link.days import Compared
from jackpot.link.fact import Fact as Fact
from jackpot.link.handovers import Method
from jackpot.link.meters import Meters
from jackpot.link.parameters import Basis, Changes, Parameters
from jackpot.link.pit_facts import PitFact
from jackpot.link.proposals import Adjustment, Change
from jackpot.link.rounds import HandRecord, HandResult, Promise, ReturnedBet, RoundState
from jackpot.link.state import Break, CameFrom, Offline, Registered, Scope, TableSetup, Then
from jackpot.link.table_terms import TableTerms
from jackpot.link.wins import Approval, ClaimOutcome, ClaimReason, DealEvidence, Due, Interval, Proof


@frozen(kw_only=True)
class Posted(Fact):
    """A fact that moves money; `contributed` is what it adds to the money bets brought to the pool."""

    moves: dict[Account, int] = field(default_factory=dict)
    contributed: int = 0


@frozen(kw_only=True)
class Settling(Posted):
    """A fact that settles the wagers of a round, each time all of them anew."""

    table: str
    round: int
    settlement: tuple[Line, ...] = ()
    adjustments: tuple[Adjusted, ...] = ()


# The link and its tables


@frozen(kw_only=True)
class LinkCreated(Posted):
    id: str
    name: str
    currency: str
    parameters: Parameters


@frozen(kw_only=True)
class LinkOpened(Fact):
    proposal: str
    persons: tuple[str, ...]
    reason: str


@frozen(kw_only=True)
class LinkClosed(Fact):
    person: str
    reason: str


@frozen(kw_only=True)
class DayClosed(Fact):
    """A gaming day, with what it came to when a person closed it. Nothing could happen in it any more."""

    day: str
    start: int
    end: int
    first: int
    """The journal sequence of its first entry; one more than `last` if nothing happened."""
    last: int
    person: str
    note: str
    compared: tuple[Compared, ...]
    """What was counted by people, beside what was recorded."""
    figures: dict[str, int]
    lifetime: dict[str, int]
    """What had happened since the link or pit began, up to the end of that day."""


@frozen(kw_only=True)
class TableAdded(Fact):
    setup: TableSetup
    person: str
    reason: str = field(default="", metadata=SPARSE)
    source: CameFrom | None = field(default=None, metadata=SPARSE)
    """Of one that was moved here."""


@frozen(kw_only=True)
class TableJoined(Fact):
    """It was heard of, for the first time or again after it had left: from now on it is in play."""

    table: str


@frozen(kw_only=True)
class TableLeft(Fact):
    table: str


@frozen(kw_only=True)
class TableOpened(Fact):
    table: str
    person: str
    reason: str
    in_play: bool
    """At once, if it is heard already; otherwise from its next message."""


@frozen(kw_only=True)
class TableClosed(Fact):
    table: str
    person: str
    reason: str


@frozen(kw_only=True)
class TableMoved(Fact):
    """It plays elsewhere from now on; the other journal has its arrival."""

    table: str
    to: str
    last_round: int
    person: str
    reason: str


@frozen(kw_only=True)
class TableChanged(Fact):
    """From its next round on; a round that has begun goes by what was before."""

    table: str
    was: TableTerms
    terms: TableTerms
    person: str
    reason: str


# Rounds of play


@frozen()
class StandingBets:
    """A box's bets as they stand after the excess and the inadmissible went back."""

    box: int
    ante: int
    bonus: int
    progressive: int


@frozen(kw_only=True)
class BetsClosed(Posted):
    table: str
    round: int
    closed_at: int
    dealt_from: int
    """What the House witnessed: no card of the round was dealt before."""
    sent_at: int
    received_at: int
    boxes: tuple[StandingBets, ...]
    returned: tuple[ReturnedBet, ...]
    meter_ppm: int
    reserve_ppm: int
    settles: int | None
    """The earlier round that stands from now on, because this one has begun."""
    left_open: tuple[OpenWager, ...] = ()
    """Of the round that this one ends: wagers whose outcome its table never told."""
    awards: Awards | None = field(default=None, metadata=SPARSE)
    """What its hands win, if not what the rule book says."""


@frozen(kw_only=True)
class HandsReported(Settling):
    state: RoundState
    content: str
    sent_at: int
    received_at: int
    records: tuple[HandRecord, ...]
    results: tuple[HandResult, ...]
    community: tuple[str, ...]
    dealer: tuple[str, ...]
    returned: tuple[ReturnedBet, ...]
    """Bets of the boxes that this message invalidates."""
    restored: tuple[int, ...]
    """Boxes whose invalidation this message takes back: their bets stand again."""


@frozen(kw_only=True)
class RoundVoided(Settling):
    reason: str
    note: str
    by: str
    returned: tuple[ReturnedBet, ...]
    malfunction: str | None = None
    irregularity: str | None = None


@frozen(kw_only=True)
class IrregularityDeclared(Fact):
    """Something went wrong in a round: what the House says of it, and what the rules make of that."""

    irregularity: str
    table: str
    round: int
    person: str
    said: Irregularity
    consequence: Consequence
    undone: tuple[HandResult, ...]
    """Awards, wins and claims of the boxes whose bets go back: none of them is paid."""


@frozen(kw_only=True)
class HandsInvalidated(Settling):
    """By the House, after an irregularity: the bets of these boxes go back, and nothing restores them."""

    irregularity: str
    state: RoundState
    content: str
    """Of the act: it replaces what hands the table reported last."""
    boxes: dict[int, str]
    """Each with the paragraph that says so."""
    returned: tuple[ReturnedBet, ...]
    results: tuple[HandResult, ...] = field(default=(), metadata=SPARSE)
    """Of boxes that stand, where the cap of the round leaves them more than before."""


# Majors


@frozen(kw_only=True)
class WinRegistered(Fact):
    win: str
    table: str
    round: int
    box: int
    hand: Hand
    cards: tuple[str, ...]
    bet: int
    interval: Interval
    witnessed: Interval
    evidence: DealEvidence
    segment: int
    replaces: str | None
    registered: int | None
    """The reading from which a malfunction has it paid."""
    percent: int | None = field(default=None, metadata=SPARSE)
    """Of the displayed value, if not what the rule book says."""


@frozen(kw_only=True)
class WinWithdrawn(Posted):
    win: str
    reason: str
    joined: tuple[int, ...]
    """The carryover segments that joined the pool."""
    registers: tuple[Registered, ...] = ()
    """Amounts registered before malfunctions, as this leaves them."""


@frozen(kw_only=True)
class WinApproved(Fact):
    win: str
    person: str
    note: str


@frozen(kw_only=True)
class WinRejected(Posted):
    win: str
    persons: tuple[str, ...]
    reason: str
    joined: tuple[int, ...]
    registers: tuple[Registered, ...] = ()


@frozen(kw_only=True)
class WinsOrdered(Fact):
    """No table in play can still report a major dealt before these: no round that is open can have been dealt
    before their end."""

    wins: tuple[str, ...]
    open: dict[str, int]
    """The rounds that were open, by table: all of them were journalled later."""
    bases: dict[str, Basis]
    """What the place of each rests on; a place that the House decided rests on neither."""


@frozen(kw_only=True)
class OrderReopened(Fact):
    """Another win has joined their cluster: what is unpaid of it needs a new order."""

    wins: tuple[str, ...]


@frozen(kw_only=True)
class OrderDecided(Fact):
    wins: tuple[str, ...]
    person: str
    reason: str


@frozen(kw_only=True)
class WinPaid(Posted):
    win: str
    table: str
    round: int
    box: int
    hand: Hand
    interval: Interval
    witnessed: Interval
    basis: Basis | None
    """What its place in the line rested on; None if the House decided it."""
    spooled: bool
    before: int
    percent: int
    registered: Registered | None
    """The amount registered before a malfunction, from which it was paid instead."""
    amount: int
    after: int
    from_pool: int
    """Units of the amount that the meter gave; the rest came from reserve, then house."""
    joined: tuple[int, ...]
    registers: tuple[Registered, ...]
    parameters: Parameters | None
    """After a reset: the parameters in force from now on."""
    contributed_before_reset: int
    approvals: tuple[Approval, ...]
    ordered_by: int
    """The journal sequence of the fact that ordered it."""
    proof: Proof | None = None
    """How its amount comes about; None in what was written before there were policies."""
    due: tuple[Due, ...] = field(default=(), metadata=SPARSE)
    """What the other wins of its cluster are paid by the facts that follow at once."""
    slip: int | None = field(default=None, metadata=SPARSE)
    """The number of the slip by which it is handed over; None before there were slips, or of nothing."""


# Late claims


@frozen(kw_only=True)
class ClaimRaised(Fact):
    claim: str
    table: str
    round: int
    box: int
    hand: Hand
    cards: tuple[str, ...]
    bet: int
    interval: Interval
    witnessed: Interval
    evidence: DealEvidence
    reason: ClaimReason
    in_order: int
    registered: int
    promised: int | None = None
    percent: int | None = field(default=None, metadata=SPARSE)
    """Of the displayed value, if not what the rule book says."""


@frozen(kw_only=True)
class ClaimWithdrawn(Fact):
    claim: str
    reason: str


@frozen(kw_only=True)
class ClaimDecided(Posted):
    claim: str
    table: str
    round: int
    box: int
    outcome: ClaimOutcome
    amount: int
    persons: tuple[str, ...]
    reason: str
    slip: int | None = field(default=None, metadata=SPARSE)


# What is handed over


@frozen(kw_only=True)
class SlipPrinted(Fact):
    win: str
    slip: int
    copy: int
    """1 is the original."""
    person: str


@frozen(kw_only=True)
class WinHandedOver(Posted):
    """A paid win or late claim is in its winner's hands; what was unclaimed goes back to the prizes first."""

    win: str
    slip: int
    amount: int
    reference: str
    """Under which another system knows who was paid."""
    method: Method
    note: str
    persons: tuple[str, ...]


@frozen(kw_only=True)
class WinUnclaimed(Posted):
    """Nobody came for it in time: it goes from the prizes to the unclaimed money."""

    win: str
    slip: int
    amount: int
    person: str
    reason: str


# Malfunctions


@frozen(kw_only=True)
class MalfunctionDeclared(Fact):
    malfunction: str
    scope: Scope
    then: Then
    observed_at: int
    by: str
    note: str
    offline: Offline | None = None


@frozen(kw_only=True)
class RoundContinued(Fact):
    """Cards were seen: the round goes on in spite of a malfunction, its majors are paid from this reading."""

    table: str
    round: int
    malfunction: str
    rule: str
    registered: Registered
    heard: int | None = None
    """If the table declared it: the newest reading it is known to have heard; an older one is not used."""
    emptied: bool = False
    """A royal flush was paid since that the reading knew nothing of: the majors are cases for the House."""
    promised: Promise | None = None
    """What the table had promised instead, if the journal denies it."""
    void_denied: bool = False
    """The table had voided it alone, though cards were seen."""


@frozen(kw_only=True)
class MalfunctionCleared(Fact):
    malfunction: str
    person: str
    note: str


# House time


@frozen(kw_only=True)
class HouseTimeBroke(Fact):
    """House time did not go on at its own pace: nothing that was measured before can be compared with it."""

    cause: Break
    before: int
    """House time as it would have gone on; at a start the last journal time of this link."""
    difference: int
    """House time less the server's clock from now on."""
    persons: tuple[str, ...] = ()
    """Who set it."""
    reason: str = ""


# Meters that table controllers keep


@frozen(kw_only=True)
class MetersBegun(Fact):
    """A controller tells its meters for the first time, or has begun to count anew."""

    table: str
    after: int
    """The round from which on they are compared: the meters below are those after it."""
    told: Meters
    house: Meters
    first: int | None = field(default=None, metadata=SPARSE)


@frozen(kw_only=True)
class MetersDiffered(Fact):
    """They are not what they should be: it began in one of the rounds after the one in which both agreed."""

    difference: str
    table: str
    after: int
    """The round after which both last agreed, as far as the House remembers."""
    round: int
    house: Meters
    """What the controller should have told."""
    told: Meters | None
    """None: it began to count anew after this round, and what the one before it counted is not known."""
    rounds: tuple[int, ...] = field(default=(), metadata=SPARSE)


@frozen(kw_only=True)
class MetersMended(Fact):
    """A person has found out why: from that difference on they are compared anew."""

    difference: str
    table: str
    person: str
    reason: str


# What two people agree on


@frozen(kw_only=True)
class Proposed(Fact):
    proposal: str
    change: Change
    reason: str
    person: str


@frozen(kw_only=True)
class ProposalWithdrawn(Fact):
    proposal: str
    person: str | None
    """None if what it was about is gone."""


@frozen(kw_only=True)
class ProposalConfirmed(Fact):
    proposal: str
    person: str


@frozen(kw_only=True)
class ParametersScheduled(Fact):
    proposal: str
    changes: Changes


@frozen(kw_only=True)
class ParametersChanged(Posted):
    proposal: str
    parameters: Parameters


@frozen(kw_only=True)
class MeterAdjusted(Posted):
    proposal: str
    adjustment: Adjustment
    persons: tuple[str, ...]
    reason: str


@frozen(kw_only=True)
class PoolDeparted(Posted):
    """Units by account that leave for another link, where the arrival has the same transfer's id."""

    transfer: str
    proposal: str
    to: str | None
    """None: the house keeps them."""
    amounts: dict[Account, int]
    persons: tuple[str, ...]
    reason: str


@frozen(kw_only=True)
class PoolArrived(Posted):
    transfer: str
    source: str
    amounts: dict[Account, int]
    persons: tuple[str, ...]
    reason: str


@frozen(kw_only=True)
class LinkRetired(Fact):
    proposal: str
    persons: tuple[str, ...]
    reason: str


LinkFact = LinkCreated | LinkOpened | LinkClosed | LinkRetired | DayClosed | HouseTimeBroke
TableFact = TableAdded | TableJoined | TableLeft | TableOpened | TableClosed | TableChanged | TableMoved
RoundFact = (
    BetsClosed | HandsReported | RoundVoided | IrregularityDeclared | HandsInvalidated | RoundContinued
)
WinFact = (
    WinRegistered
    | WinWithdrawn
    | WinApproved
    | WinRejected
    | WinsOrdered
    | OrderReopened
    | OrderDecided
    | WinPaid
)
CaseFact = ClaimRaised | ClaimWithdrawn | ClaimDecided | MalfunctionDeclared | MalfunctionCleared
MetersFact = MetersBegun | MetersDiffered | MetersMended
HandoverFact = SlipPrinted | WinHandedOver | WinUnclaimed
AgreementFact = (
    Proposed
    | ProposalWithdrawn
    | ProposalConfirmed
    | ParametersScheduled
    | ParametersChanged
    | MeterAdjusted
    | PoolDeparted
    | PoolArrived
)
AnyFact = (
    LinkFact
    | TableFact
    | RoundFact
    | WinFact
    | CaseFact
    | HandoverFact
    | MetersFact
    | AgreementFact
    | PitFact
)
"""Every fact that may be written. What each of them means is declared in `jackpot.machine.kinds`."""
KINDS: dict[str, type[Fact]] = {kind.__name__: kind for kind in get_args(AnyFact)}
"""Every kind of fact by its name on the record."""


def names_of(kinds: Any) -> tuple[str, ...]:
    """The names on the record of a union of facts."""
    return tuple(kind.__name__ for kind in get_args(kinds))


class Stamp(NamedTuple):
    """Where in the journal a fact stands, and by which version of the rules it was made."""

    sequence: int
    at: int
    rules: int = RULES


@frozen()
class Entry:
    """A fact as the journal keeps it: the bytes that were hashed, chained to the entry before. The last
    entry of a command also holds what was said: the message's key and content, and its answer."""

    sequence: int
    at: int
    fact: Fact
    data: bytes
    hash: str
    rules: int = RULES

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.sequence, self.at, self.rules)


def chain(link: str, fact: Fact, stamp: Stamp, *, head: str, said: str = "null") -> Entry:
    data = (
        f'{{"at":{stamp.at},"fact":{encoder(type(fact))(fact)},"link":{quoted(link)},"rules":{RULES},'
        f'"said":{said},"schema":{SCHEMA},"sequence":{stamp.sequence}}}'
    ).encode()
    return Entry(stamp.sequence, stamp.at, fact, data, chained(head, data))


def chained(head: str, data: bytes) -> str:
    return sha256(head.encode() + data).hexdigest()


class UnknownVersion(Exception):
    """Written by a release this one does not know: stop, rather than guess what it meant."""


class ForeignEntry(Exception):
    """An entry of another link's journal."""


def read_entry(link: str, data: bytes, head: str) -> Entry:
    """An entry of that link from its bytes, chained to the one before it."""
    envelope = json.loads(data)
    sequence, at, schema, rules = (envelope[name] for name in ("sequence", "at", "schema", "rules"))
    if not (OLDEST <= schema <= SCHEMA and OLDEST <= rules <= RULES):
        raise UnknownVersion(f"schema {schema}, rules {rules} at entry {sequence}")
    if envelope["link"] != link:
        raise ForeignEntry(f"entry {sequence} is of link {envelope['link']}")
    told = as_written_today(envelope["fact"], at=at, schema=schema)
    return Entry(sequence, at, decoder(KINDS[told["kind"]])(told), data, chained(head, data), rules)
