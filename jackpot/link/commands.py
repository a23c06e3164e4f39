"""What tables report and the House orders. Values are parsed; whether they may stand is for the link."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cache
from hashlib import sha256
from operator import attrgetter
from typing import Any

from jackpot.core.codec import Encoder, encoder_without
from jackpot.core.money import Account
from jackpot.core.records import SPARSE, frozen
from jackpot.games import blackjack
from jackpot.games.irregularities import Irregularity
from jackpot.link.clocks import Echo
from jackpot.link.days import Counted
from jackpot.link.handovers import Method
from jackpot.link.meters import MetersTold
from jackpot.link.proposals import Change
from jackpot.link.rounds import MainGame, Promise
from jackpot.link.state import Break, CameFrom, PitSetup, Scope, TableSetup, Then
from jackpot.link.table_terms import TableChanges
from jackpot.link.wins import ClaimOutcome, ClockWord

_DELIVERY = frozenset(
    {"sent_at", "received_at", "error", "seq", "live", "echo", "clock", "receiver", "own_only"}
)


@frozen(kw_only=True)
class TableMessage:
    table: str
    sent_at: int
    """In the table's own time, as every stamp a table makes."""
    received_at: int
    """In house time, as every stamp the House makes."""
    error: int = 0
    """What the receiving replica's house time may be wrong by."""
    seq: int | None = None
    live: bool = True
    """False for a spool that is replayed: its age says nothing about the clock."""
    echo: Echo | None = None

    @property
    def key(self) -> str | None:
        """Messages with the same key and content are the same message."""
        return None


@frozen(kw_only=True)
class BoxBets:
    box: int
    ante: int = 0
    progressive: int = 0
    bonus: int = 0


@frozen(kw_only=True)
class CloseBets(TableMessage):
    round: int
    closed_at: int
    boxes: tuple[BoxBets, ...]

    @property
    def key(self) -> str:
        return f"{self.table}/{self.round}/bets"


@frozen(kw_only=True)
class HandReport:
    """What a message says of a box; None for what it leaves unsaid, which stays as told."""

    box: int
    cards: tuple[int, ...] | None = None
    """None at all (`()`) retracts the cards that were told."""
    dealt_at: int | None = None
    deal_order: int | None = None
    folded: bool | None = None
    """False retracts a fold."""
    revealed: bool | None = None
    invalidated: str | None = None
    main: MainGame | None = None


@frozen(kw_only=True)
class ReportHands(TableMessage):
    """What is known of a round's hands, and what was told wrongly before. What it leaves unsaid stays."""

    round: int
    hands: tuple[HandReport, ...]
    community: tuple[int, ...] | None = None
    dealer: tuple[int, ...] | None = None
    final: bool = False

    @property
    def key(self) -> str | None:
        return f"{self.table}/{self.round}/hands"


@frozen(kw_only=True)
class ClosePitBets(TableMessage):
    round: int
    closed_at: int
    bets: blackjack.Bets

    @property
    def key(self) -> str:
        return f"{self.table}/{self.round}/bets"


@frozen(kw_only=True)
class ReportPlay(TableMessage):
    """A round in a pit so far, whole."""

    round: int
    report: blackjack.Report

    @property
    def key(self) -> str | None:
        return f"{self.table}/{self.round}/hands"


@frozen(kw_only=True)
class VoidRound(TableMessage):
    round: int
    reason: str
    note: str = ""

    @property
    def key(self) -> str | None:
        return f"{self.table}/{self.round}/void"


@frozen(kw_only=True)
class Heartbeat(TableMessage):
    clock: ClockWord | None = None
    in_play: bool = True
    meters: MetersTold | None = None


@frozen(kw_only=True)
class ByPerson:
    person: str
    act_id: str | None = None
    """Chosen by the caller: the same act again is answered as the first time."""

    @property
    def key(self) -> str | None:
        """Unlike any key of a table, and no person's act can be taken for another's."""
        return None if self.act_id is None else f"act/{len(self.person)}/{self.person}/{self.act_id}"


@frozen(kw_only=True)
class AddTable(ByPerson):
    setup: TableSetup | PitSetup
    reason: str = field(default="", metadata=SPARSE)
    """None from the floor file, which says nothing of why."""


@frozen(kw_only=True)
class ChangeTable(ByPerson):
    table: str
    changes: TableChanges
    reason: str
    known: int | None = None
    """The journal sequence of the terms that the person has seen: others have changed since if it is not the
    table's. None: whatever they are."""


@frozen(kw_only=True)
class MoveTable(ByPerson):
    table: str
    to: str
    reason: str
    receiver: str | None = None
    """The other link or pit, by the book that carries out both sides in one transaction."""


@frozen(kw_only=True)
class ReceiveTable(ByPerson):
    """The other side of a move: only the book gives it, in the transaction of that move."""

    setup: TableSetup | PitSetup
    source: CameFrom
    currency: str
    reason: str

    @property
    def key(self) -> str:
        return f"table/{self.source.place}/{self.source.sequence}"


@frozen(kw_only=True)
class OpenTable(ByPerson):
    table: str
    reason: str


@frozen(kw_only=True)
class CloseTable(ByPerson):
    table: str
    reason: str


@frozen(kw_only=True)
class CloseLink(ByPerson):
    reason: str


@frozen(kw_only=True)
class CloseDay(ByPerson):
    """A gaming day that is over, from `start` on and before `end`."""

    day: str
    start: int
    end: int
    counted: tuple[Counted, ...] = ()
    note: str = ""


@frozen(kw_only=True)
class ApproveWin(ByPerson):
    win: str
    note: str = ""


@frozen(kw_only=True)
class RejectWin(ByPerson):
    win: str
    reason: str


@frozen(kw_only=True)
class DecideOrder(ByPerson):
    wins: tuple[str, ...]
    reason: str


@frozen(kw_only=True)
class DeclareMalfunction(ByPerson):
    scope: Scope
    observed_at: int
    cards_seen: dict[str, bool]
    then: Then
    note: str = ""
    by_table: str | None = None
    """A table declares it of itself."""


@frozen(kw_only=True)
class ClearMalfunction(ByPerson):
    malfunction: str
    note: str = ""


@frozen(kw_only=True)
class DeclareIrregularity(ByPerson):
    table: str
    round: int
    said: Irregularity | blackjack.Irregularity
    """In the words of the table's game."""


@frozen(kw_only=True)
class MendMeters(ByPerson):
    """It is known why a controller's meters differ from the House's."""

    difference: str
    reason: str


@frozen(kw_only=True)
class Propose(ByPerson):
    change: Change
    reason: str


@frozen(kw_only=True)
class Confirm(ByPerson):
    proposal: str
    receiver: str | None = None
    """The other link, by the book that carries out both sides in one transaction."""


@frozen(kw_only=True)
class Withdraw(ByPerson):
    proposal: str
    own_only: bool = False
    """Whether this person may withdraw nobody else's."""


@frozen(kw_only=True)
class DecideClaim(ByPerson):
    claim: str
    outcome: ClaimOutcome
    reason: str


@frozen(kw_only=True)
class PrintSlip(ByPerson):
    win: str
    """Or a late claim, as below."""


@frozen(kw_only=True)
class HandOver(ByPerson):
    win: str
    reference: str
    method: Method
    note: str = ""


@frozen(kw_only=True)
class LeaveUnclaimed(ByPerson):
    win: str
    reason: str


@frozen(kw_only=True)
class ReceiveTransfer(ByPerson):
    """The other side of a departure: only the book gives it, in the transaction of that departure."""

    transfer: str
    source: str
    currency: str
    amounts: dict[Account, int]
    persons: tuple[str, ...]
    reason: str

    @property
    def key(self) -> str:
        return f"transfer/{self.transfer}"


@frozen(kw_only=True)
class BreakTime(ByPerson):
    """House time begins anew with the time of this command: only the book gives it, to every link at once."""

    cause: Break
    before: int
    """House time as it would have gone on."""
    difference: int
    """House time less the server's clock from now on."""
    persons: tuple[str, ...] = ()
    reason: str = ""


@frozen(kw_only=True)
class ReportOffline(ByPerson):
    """A table is back that could not reach the service. It comes before what the table has to tell of
    that time; it has no number among the table's messages, since it stands outside their order."""

    table: str
    since: int
    """In the table's own time."""
    cards_seen: bool | None = None
    round: int | None = None
    """The round that was in play there; None: the last one the service knows of."""
    registered: Promise | None = None

    @property
    def key(self) -> str:
        return f"{self.table}/offline/{self.since}"


@frozen(kw_only=True)
class ReturnOnline(ByPerson):
    """The table has told everything: it takes progressive bets again."""

    table: str


HouseAct = (
    AddTable
    | ChangeTable
    | MoveTable
    | ReceiveTable
    | OpenTable
    | CloseTable
    | CloseLink
    | CloseDay
    | ApproveWin
    | RejectWin
    | DecideOrder
    | DeclareMalfunction
    | ClearMalfunction
    | DeclareIrregularity
    | MendMeters
    | Propose
    | Confirm
    | Withdraw
    | DecideClaim
    | PrintSlip
    | HandOver
    | LeaveUnclaimed
    | ReceiveTransfer
    | BreakTime
    | ReportOffline
    | ReturnOnline
)
"""All that is ordered of a link in somebody's name: `jackpot.house.acts` carries each of them out."""
Command = TableMessage | HouseAct
_box = attrgetter("box")


def content_of(command: Command) -> str:
    """What a message says, whenever and however often it was sent, as a hash."""
    kind: Any = type(command)
    said = f"{kind.__name__}{_content_encoder(kind)(_by_box(command))}"
    # What cannot be written is refused later; here it must only not be mistaken for something else.
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _by_box(command: Command) -> Command:
    """The same boxes in another order say the same."""
    if isinstance(command, CloseBets):
        boxes = tuple(sorted(command.boxes, key=_box))
        return command if boxes == command.boxes else replace(command, boxes=boxes)
    if isinstance(command, ReportHands):
        hands = tuple(sorted(command.hands, key=_box))
        return command if hands == command.hands else replace(command, hands=hands)
    if isinstance(command, ReportPlay):
        told = command.report
        in_order = tuple(sorted(told.hands, key=_box))
        return command if in_order == told.hands else replace(command, report=replace(told, hands=in_order))
    return command


@cache
def _content_encoder(kind: Any) -> Encoder:
    return encoder_without(kind, _DELIVERY)
