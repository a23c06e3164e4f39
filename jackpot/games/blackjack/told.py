"""What tables tell of a round of blackjack: the bets when they are closed, and the play so far.

Cards are named as in `jackpot.cards`, decisions as on the wire: a word that no game knows is refused by
`legality`, with the part of the message it stands in.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from jackpot.core.codec import Tagged
from jackpot.core.records import frozen


class Decision(StrEnum):
    """How a hand ended, as called for the box (3.8)."""

    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    WALK_AWAY = "walk_away"
    """Its only player left; the House draws to 12 or more (5.3)."""
    FREE_DOUBLE = "free_double"
    FREE_SPLIT = "free_split"


class Follows(StrEnum):
    """What a player does when his box is split."""

    PAID = "paid"
    FREE = "free"
    NONE = "none"


@frozen(kw_only=True)
class BoxBet:
    """What one player has laid on one box."""

    box: int
    player: str | None = None
    """The table's name for him; None is the box's number."""
    standing: bool = False
    bet: int = 0
    """The Initial Bet."""
    side: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.box) if self.player is None else self.player


@frozen(kw_only=True)
class BoomBet:
    """A bet on Boom Busted, which lies on no box (F 3.9.1)."""

    player: str
    bet: int


@frozen(kw_only=True)
class Bets:
    """In the order of placing."""

    boxes: tuple[BoxBet, ...] = ()
    boom_busted: tuple[BoomBet, ...] = ()


@frozen(kw_only=True)
class PlayerWagers:
    """What only a player can say of a hand. None says nothing: he follows the call in full."""

    player: str | None = None
    insurance: int | None = None
    even_money: bool | None = None
    split: str | None = None
    """`Follows`, at a split."""
    double: int | None = None
    """At a double: how much; 0 for none."""
    free_double: bool | None = None
    invalidated: str | None = None
    """At the box only: his bets go back by this paragraph."""

    def name(self, box: int) -> str:
        return str(box) if self.player is None else self.player


@frozen(kw_only=True)
class SplitHand(Tagged):
    """A hand that came of a split: its first card is the one it was formed with."""

    cards: tuple[str, ...] = ()
    decision: str | None = None
    split: tuple[BoxHand | SplitHand, ...] = ()
    """With a split the two hands that came of it, never a box's. A union because a record that names only
    its own class cannot be encoded, and hands may be split again."""
    wagers: tuple[PlayerWagers, ...] = ()


@frozen(kw_only=True)
class BoxHand(Tagged):
    """The hand of a box, with all that came of it."""

    box: int
    cards: tuple[str, ...] = ()
    decision: str | None = None
    split: tuple[BoxHand | SplitHand, ...] = ()
    wagers: tuple[PlayerWagers, ...] = ()
    invalidated: str | None = None
    """The paragraph by which the bets of all its players go back."""


Hand = BoxHand | SplitHand


@frozen(kw_only=True)
class Discarded:
    """A card that left the shoe and belongs to no hand."""

    card: str
    rule: str


@frozen(kw_only=True)
class Shoe:
    id: str | None = None
    """Which shoe, if it is not shuffled after each round."""
    drawn: tuple[str, ...] | None = None
    """All cards of the round as the shoe counted them out."""


@frozen(kw_only=True)
class Report:
    """The round so far, whole."""

    final: bool = False
    hands: tuple[BoxHand, ...] = ()
    dealer: tuple[str, ...] = ()
    discarded: tuple[Discarded, ...] = ()
    shoe: Shoe | None = None
