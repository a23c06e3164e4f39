"""A game is one object: everything that the house must know of it, as required fields.

`Game` is its name on the wire and in the journal; `jackpot.games.GAMES` lists the rule book of each. A game
that lacks a part does not type-check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import TypeVar

from jackpot.cards.evaluator import Hand
from jackpot.core.records import frozen
from jackpot.games.irregularities import Case, Consequence, Irregularity, Provision, consequence
from jackpot.games.lines import Decision, Limits, Line, Stakes, Wager
from jackpot.games.paragraphs import Paragraphs
from jackpot.games.paytables import PayTable
from jackpot.games.progressive import Progressive
from jackpot.games.strategies import Strategy
from jackpot.games.wagers import Laid, returned_all

Cards = tuple[int, ...]
T = TypeVar("T")


_BOX = attrgetter("box")


class Game(StrEnum):
    CASINO_STUD = "casino_stud"
    TEXAS_HOLDEM = "texas_holdem"


@frozen(kw_only=True)
class CardCounts:
    """How many cards a round has."""

    own: int
    """Of each box."""
    dealer: int
    community: int

    @property
    def to_one_box(self) -> int:
        """All cards of a round that one box plays."""
        return self.own + self.dealer + self.community


@frozen(kw_only=True)
class Rulebook:
    game: Game
    name: str
    """For people, on displays and pages."""
    short: str
    """What commands call it, and what the names of simulated tables begin with."""
    decks: int
    boxes: int
    """On the usual layout. A table says how many its own has."""
    dealt: CardCounts
    community_told: frozenset[int]
    """As many community cards may be known while a round is reported."""
    wagers: frozenset[Wager]
    further: tuple[Wager, ...]
    """Those that a player may add after the deal. With the first he stays in, and places twice the Ante."""
    decisions: frozenset[Decision]
    paragraphs: Paragraphs
    pay_tables: Mapping[Wager, PayTable[Hand] | PayTable[str]]
    """Of the wagers that do not simply pay 1 to 1."""
    progressive: Progressive | None
    """How the Progressive Jackpot Hand is made; None for a game that has no jackpot."""
    laid: Callable[[Stakes], list[Laid]]
    """All that a box has placed, in the order in which it is settled."""
    settle_boxes: Callable[[Limits, Sequence[Stakes], Cards, Cards], list[Line]]
    """Boxes in clockwise order, the dealer's cards, the community's. See `settle`."""
    irregularities: Mapping[str, Provision]
    """By paragraph: what happened, and what follows."""
    strategy: Strategy

    @property
    def shared(self) -> int:
        """How many community cards belong to every box's Progressive Jackpot Hand."""
        return 0 if self.progressive is None else self.progressive.community

    def progressive_cards(self, own: Sequence[T], community: Sequence[T]) -> tuple[T, ...]:
        return () if self.progressive is None else self.progressive.cards(own, community)

    def progressive_hand(self, own: Sequence[int], community: Sequence[int]) -> Hand | None:
        return None if self.progressive is None else self.progressive.hand(own, community)

    def settle(
        self, limits: Limits, boxes: Sequence[Stakes], *, dealer: Cards, community: Cards = ()
    ) -> tuple[Line, ...]:
        """Every wager whose outcome is conclusively known from this, by box and wager, and no other.

        A bet that cannot play (no Ante, no such bet in this game) goes back at once. Of a box that plays
        nothing is told before its decisions, all of them: who walks away before has folded, and loses what
        seemed won (5.5). A fold, or a hand that is not revealed, loses before the dealer shows.
        """
        in_order = sorted(boxes, key=_BOX)
        return tuple(self.settle_boxes(limits, in_order, dealer, community))

    def give_back(self, boxes: Sequence[Stakes], rule: str) -> tuple[Line, ...]:
        """All bets of a round that is void (S 5.22, H 5.21)."""
        return tuple([line for box in boxes for line in returned_all(box, self.laid(box), rule)])

    def consequence(self, said: Irregularity, *, playing: Sequence[int], established: bool) -> Consequence:
        """What follows from an irregularity. `playing` are the boxes whose bets stand; `established`: some
        bet has conclusively won or lost."""
        case = Case(paragraphs=self.paragraphs, said=said, playing=playing, established=established)
        return consequence(self.irregularities, case)
