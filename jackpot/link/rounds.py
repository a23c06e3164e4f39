"""A round of play as it stands: its boxes, their bets, hands and results."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from jackpot.cards.evaluator import Hand
from jackpot.core.money import Rates
from jackpot.core.records import SPARSE, Kept, frozen
from jackpot.core.versions import RULES
from jackpot.games.adjustments import Adjusted
from jackpot.games.irregularities import Consequence
from jackpot.games.lines import Decision as Decided
from jackpot.games.lines import Line
from jackpot.games.progressive import MINOR, Level
from jackpot.link.awards import RULE_BOOK, Awards
from jackpot.link.table_terms import TableTerms

PROGRESSIVE = "progressive"
"""The wager that no game settles: its outcome is a result, not a line."""


_FOLD = Decided.FOLD
_UNSAID, _UNWAGERED = (None,) * 7, (None,) * 5


class RoundState(StrEnum):
    BETS_CLOSED = "bets_closed"
    HANDS_KNOWN = "hands_known"
    SETTLED = "settled"
    VOIDED = "voided"


_OVER = (RoundState.SETTLED, RoundState.VOIDED)


@frozen(kw_only=True)
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


@frozen(kw_only=True)
class MainGame(Kept):
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
        return (self.bet, self.flop, self.turn, self.river, self.decision) != _UNWAGERED

    @property
    def silent(self) -> bool:
        """Nothing at all is said."""
        said = (self.bet, self.flop, self.turn, self.river, self.decision, self.examined, self.player)
        return said == _UNSAID

    @property
    def folds(self) -> bool:
        """Said to fold; or decided and placed no BET or Flop: there is no third way (S 3.12, H 3.11.2)."""
        if self.decision is None:
            return self.bet == 0 or self.flop == 0
        return self.decision == _FOLD


@frozen(kw_only=True)
class HandRecord(Kept):
    """A box's hand as reported. No cards: not revealed (4.3), or invalidated by the paragraph named."""

    box: int
    cards: tuple[str, ...] = ()
    dealt_at: int | None = None
    deal_order: int | None = None
    folded: bool = False
    invalidated: str | None = None
    main: MainGame | None = None
    awaited: bool = False
    """Its five progressive cards are not all known yet; without any card, then, it is not unrevealed."""

    @property
    def out(self) -> bool:
        """Its player has folded, however that was told."""
        return self.folded or (self.main is not None and self.main.folds)


@frozen(kw_only=True)
class HandResult(Kept):
    box: int
    hand: Hand | None = None
    level: Level | None = None
    award: int | None = None
    win: str | None = None
    claim: str | None = None


@frozen(kw_only=True)
class ReturnedBet(Kept):
    box: int
    amount: int
    code: str
    rule: str | None
    wager: str = PROGRESSIVE


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

    @property
    def stands(self) -> bool:
        return self.bet > 0 and not self.returned

    @property
    def awaited(self) -> bool:
        """Its progressive hand is still to come."""
        return self.record is None or self.record.awaited

    @property
    def seen(self) -> bool:
        """Its player has seen his cards: he has decided, or is said to have looked."""
        played = self.main is not None and (self.main.wagered or self.main.examined is True)
        return played or (self.record is not None and self.record.out)

    @property
    def playing(self) -> bool:
        invalid = self.invalidated or (self.record and self.record.invalidated)
        return bool(self.ante or self.bonus or self.bet) and not invalid

    @property
    def minor(self) -> int:
        """The minor award it was given, 0 for none."""
        return (self.result.award or 0) if self.result is not None and self.result.level is MINOR else 0


@dataclass(kw_only=True, slots=True)
class RoundOfPlay:
    """What a round of any game has."""

    number: int
    closed_at: int
    """By the table's clock; evidence that orders nothing."""
    dealt_from: int
    """Cards are dealt after the bets were answered: not before this house time."""
    sequence: int
    """Of the entry that took its bets."""
    state: RoundState
    hands_content: str | None = None
    hands_sent_at: int | None = None
    rules: int = RULES
    """The version of the rules that its bets were taken by: the whole round goes by it."""
    terms: TableTerms | None = field(default=None, metadata=SPARSE)
    """Those with which it began, where its table's have changed since."""

    @property
    def stands(self) -> bool:
        return self.state in _OVER

    @property
    def open(self) -> bool:
        return not self.stands


@dataclass(kw_only=True, slots=True)
class Round(RoundOfPlay):
    """Of a table that plays on a link."""

    boxes: dict[int, Box]
    meter_ppm: int
    reserve_ppm: int
    community: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    registered: int | None = None
    """The reading from which its wins are paid, since a malfunction after cards were seen."""
    registered_value: int | None = None
    emptied: bool = False
    """A royal flush has been paid since that reading: its majors are cases for the House."""
    promised: Promise | None = None
    """What its table promised alone and the journal denies: its majors are cases for the House."""
    settlement: tuple[Line, ...] = ()
    """What is known of the main game's wagers; provisional until the round stands."""
    adjustments: tuple[Adjusted, ...] = ()
    """What the latest report, or the void, changed in what the settlement before it had handed out."""
    void_returned: tuple[ReturnedBet, ...] | None = None
    """What went back because the House voided it; None if it did not."""
    void_denied: bool = False
    """Its table says that it voided the round alone because nobody had seen cards; somebody had."""
    consequence: Consequence | None = None
    """Of the irregularity declared last."""
    said_awards: Awards | None = field(default=None, metadata=SPARSE)

    @property
    def awards(self) -> Awards:
        """What its hands win: as its players were told when they bet."""
        return RULE_BOOK if self.said_awards is None else self.said_awards

    @property
    def rates(self) -> Rates:
        return Rates(self.meter_ppm, self.reserve_ppm)

    @property
    def open(self) -> bool:
        """An accepted bet is still without a hand."""
        return not self.stands and any(box.stands and box.awaited for box in self.boxes.values())

    @property
    def seen(self) -> bool:
        """A player has seen his cards, by what was told: a decision, a fold, a wager beyond Ante and Bonus,
        or that he has looked."""
        return any(box.seen for box in self.boxes.values())

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
