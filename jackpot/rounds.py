"""A round of play as it stands: its boxes, their bets, hands and results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from jackpot.evaluator import Hand
from jackpot.games.adjustments import Adjusted
from jackpot.games.lines import Decision as Decided
from jackpot.games.lines import Line
from jackpot.hands import Level
from jackpot.irregularities import Consequence
from jackpot.money import Rates
from jackpot.rulebook import Game
from jackpot.versions import RULES

Said = TypeVar("Said")


class RoundState(StrEnum):
    BETS_CLOSED = "bets_closed"
    HANDS_KNOWN = "hands_known"
    SETTLED = "settled"
    VOIDED = "voided"


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
    """By the table's clock; evidence that orders nothing."""
    dealt_from: int
    """Cards are dealt after the bets were answered: not before this house time."""
    sequence: int
    """Of the entry that took its bets."""
    state: RoundState
    boxes: dict[int, Box]
    meter_ppm: int
    reserve_ppm: int
    hands_content: str | None = None
    hands_sent_at: int | None = None
    community: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    registered: int | None = None
    """The reading from which its wins are paid, since a malfunction after cards were seen."""
    registered_value: int | None = None
    heard: int | None = None
    """If its own table declared that malfunction: the newest reading it was known to have heard."""
    emptied: bool = False
    """A royal flush has been paid since that reading: its majors are cases for the House."""
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
    rules: int = RULES
    """The version of the rules that its bets were taken by: the whole round goes by it."""

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
