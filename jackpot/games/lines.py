"""What the settlement of a round reads, and the lines it writes: one for each box and wager, with the
paragraph of the table's own game that says so."""

from __future__ import annotations

from enum import StrEnum

from jackpot.core.records import Kept, frozen
from jackpot.games.paytables import MOST_WON


class Wager(StrEnum):
    ANTE = "ante"
    BET = "bet"
    """Casino Stud; Flop, Turn, River and Bonus are Hold'em's."""
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    BONUS = "bonus"


class Outcome(StrEnum):
    WIN = "win"
    LOSE = "lose"
    STAND_OFF = "stand_off"
    RETURNED = "returned"


WIN, LOSE, STAND_OFF, RETURNED = Outcome
"""Bound once: looking up a member costs as much as a comparison of two hands."""


class Decision(StrEnum):
    FOLD = "fold"
    BET = "bet"
    """Stays in: BET in Casino Stud, Flop in Hold'em."""
    CHECK = "check"
    """Hold'em: stays in without a further bet."""
    WALK_AWAY = "walk_away"
    """Left the table after placing a bet (5.5, 5.6)."""


@frozen()
class Line(Kept):
    """One wager of one box, or a part of it that goes back on its own."""

    box: int
    wager: Wager
    outcome: Outcome
    stake: int
    payout: int
    """All that the player is handed: the stake and what it won, the stake alone, or nothing."""
    rule: str
    pays: str | None = None
    """The odds of a win: "7 to 1"."""

    @property
    def won(self) -> int:
        """What the house adds to the stake."""
        return self.payout - self.stake if self.outcome is WIN else 0

    @property
    def collected(self) -> int:
        return self.stake if self.outcome is LOSE else 0


@frozen(kw_only=True)
class Limits:
    """Of the table's main game. The minimum changes no settlement (5.1.1, 5.2.1)."""

    minimum: int | None = None
    maximum: int | None = None
    most_won: int = MOST_WON
    """By a box, with the BET or the Bonus (4.1.1)."""


_UNTOLD = (None,) * 5


@frozen(kw_only=True)
class Stakes:
    """A box of the round with its bets, its cards and what its player decided, as far as known."""

    box: int
    ante: int
    bonus: int = 0
    cards: tuple[int, ...] = ()
    known: bool = False
    """The table has reported this box: without cards, unless they are awaited, it is not revealed (4.3)."""
    awaited: bool = False
    """Without cards: they are not told yet, and may still come."""
    folded: bool = False
    invalidated: str | None = None
    """The paragraph by which its hand is invalid and its bets go back."""
    decision: Decision | None = None
    bet: int | None = None
    """Of BET and Flop None says nothing, 0 that the player has decided and placed none."""
    flop: int | None = None
    turn: int | None = None
    """Of Turn and River None says nothing was decided yet, 0 that the player checked."""
    river: int | None = None
    lost_by: str | None = None
    """The paragraph by which its loss was told before: it stays the reason while it holds."""

    @property
    def wagered(self) -> bool:
        """Whether anything was told of the player's bets."""
        return (self.bet, self.flop, self.turn, self.river, self.decision) != _UNTOLD


@frozen(kw_only=True)
class OpenWager:
    """A wager that lies on the layout and whose outcome is not known."""

    box: int
    wager: Wager
