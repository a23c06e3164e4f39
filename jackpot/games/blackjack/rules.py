"""What a game of blackjack is: one object for all that differs between the games, its paragraphs by meaning.

Nothing else in this package asks which game it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from jackpot.core.records import frozen
from jackpot.games.blackjack.points import Points
from jackpot.games.blackjack.told import Decision


class PitGame(StrEnum):
    """On the wire and in the journal: never changed again."""

    BLACKJACK = "blackjack"
    BLACKJACK_PERFECT_PAIRS = "blackjack_perfect_pairs"
    FREE_BET_BLACKJACK = "free_bet_blackjack"


class Odds(NamedTuple):
    """`won` for every `to` staked; the stake goes back on top."""

    won: int
    to: int
    text: str

    def winnings(self, stake: int) -> int:
        """Half a minor unit goes to the player.

        >>> Odds(3, 2, "3 to 2").winnings(2505)
        3758
        """
        return -(-stake * self.won // self.to)


def to_one(times: int) -> Odds:
    return Odds(times, 1, f"{times} to 1")


EVEN = to_one(1)
INSURED = to_one(2)
NATURAL = Odds(3, 2, "3 to 2")


class Pays(NamedTuple):
    """A line of a pay table."""

    words: str
    odds: Odds
    rule: str


@frozen(kw_only=True)
class CardBet:
    """A side bet on the first two cards of a box."""

    name: str
    pays: tuple[tuple[Callable[[str, str], bool], Pays], ...]
    """What the cards must be, the rarest first."""
    lost: str
    """The paragraph by which anything else loses."""
    bounded: str | None = None
    """The paragraph by which it may not exceed the Initial Bets on its box."""

    def won_with(self, first: str, second: str) -> Pays | None:
        for holds, pays in self.pays:
            if holds(first, second):
                return pays
        return None


@frozen(kw_only=True)
class CountBet:
    """A side bet on a number: of markers used on a box, or of cards with which the dealer is bust."""

    name: str
    pays: Mapping[int, Pays]
    lost: str

    def won_with(self, count: int) -> Pays | None:
        """Of more than the table lists, as of the most."""
        return self.pays.get(min(count, max(self.pays)))


@frozen(kw_only=True)
class TableBet(CountBet):
    """A side bet that lies on no box, with one limit for the table."""

    over_maximum: str
    no_initial_bet: str


@frozen(kw_only=True)
class Paragraphs:
    """Which number of a game's own document says what. What all games number alike is filled in."""

    even_money: str
    insurance: str
    ace_up: str
    natural: str
    surrender: str
    no_draw: str
    bust: str
    draw_to_twelve: str
    stand: str
    split: str
    split_declined: str
    split_limits: str
    split_lost: str
    double: str
    double_declined: str
    double_lost: str
    dealer_draws: str
    dealer_bust: str
    higher: str
    lower: str
    equal: str
    noticed_later: str
    chips_as_they_lie: str
    side_without_bet: str
    side_settled_late: str
    void_returns_all: str
    staff_bets: str
    house_resolves: str
    dealer_22: str | None = None
    free_double: str | None = None
    marker: str | None = None
    damaged_card: str | None = None
    layout: str = "2.1.1"
    decks: str = "2.2.1"
    caller: str = "3.8"
    side_bets: str = "3.9"
    bets_closed: str = "3.10"
    deal: str = "3.11"
    face_down: str = "3.12"
    side_settled: str = "3.13"
    over_maximum: str = "5.1.1"
    over_maximum_below_minimum: str = "5.1.2"
    below_minimum: str = "5.2.1"
    walked_away: str = "5.3"
    interruption: str = "5.4"
    interruption_continues: str = "5.4.1"
    interruption_voids: str = "5.4.2"
    voided_when: str = "5.5"
    earlier_rounds_stand: str = "5.6"
    dealing_error: str = "5.7"
    goes_on: str = "5.7.1"
    goes_on_put_right: str = "5.7.2"
    bets_back: str = "5.7.3"
    late_bet: str = "5.8"
    put_right: str = "5.9"
    not_put_right: str = "5.10.1"
    dealer_overdrawn: str = "5.10.2"
    cards_without_bet: str = "5.10.3"
    face_up_in_shoe: str = "5.11"
    drawn_at_once: str = "5.12"
    drawn_at_once_dealer: str = "5.12.1"
    drawn_at_once_options: str = "5.12.2"

    @property
    def discards(self) -> frozenset[str]:
        """By which cards leave the shoe and belong to no hand."""
        return frozenset({self.dealer_overdrawn, self.cards_without_bet, self.drawn_at_once_dealer})

    @property
    def voids(self) -> frozenset[str]:
        """The reasons a table may give for its own void."""
        own = {self.interruption_voids, self.voided_when, self.house_resolves}
        own |= {f"{self.voided_when}.{number}" for number in range(1, 5)}
        return frozenset(own if self.damaged_card is None else own | {f"{self.damaged_card}.2"})


_CALLS = frozenset({Decision.STAND, Decision.DOUBLE, Decision.SPLIT, Decision.SURRENDER, Decision.WALK_AWAY})
_FREE_CALLS = _CALLS | {Decision.FREE_DOUBLE, Decision.FREE_SPLIT}


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class BlackjackRules:
    game: PitGame
    name: str
    short: str
    """In commands."""
    decks: range
    paragraphs: Paragraphs
    card_bets: tuple[CardBet, ...] = ()
    marker_bet: CountBet | None = None
    table_bet: TableBet | None = None
    most_boxes: int | None = None
    """None: as many as the layout shows."""
    draws_to_soft_17: bool = False
    stands_off_with_22: bool = False
    free_bets: bool = False
    side: tuple[str, ...] = field(init=False)
    """The side bets of a box, in the order in which they are told."""
    bounds: Mapping[str, str | None] = field(init=False)
    """By side bet of a box: the paragraph by which the Initial Bets bound it."""

    def __post_init__(self) -> None:
        bounds = {bet.name: bet.bounded for bet in self.card_bets}
        if self.marker_bet is not None:
            bounds[self.marker_bet.name] = None
        object.__setattr__(self, "side", tuple(bounds))
        object.__setattr__(self, "bounds", bounds)

    @property
    def side_bets(self) -> tuple[str, ...]:
        """Of a box, and of the table."""
        return self.side if self.table_bet is None else (*self.side, self.table_bet.name)

    @property
    def decisions(self) -> frozenset[Decision]:
        return _FREE_CALLS if self.free_bets else _CALLS

    @property
    def wagers(self) -> tuple[str, ...]:
        """Every wager of the game, in the order in which a player's are told."""
        free = ("free_split", "free_double") if self.free_bets else ()
        table = () if self.table_bet is None else (self.table_bet.name,)
        return ("insurance", *self.side, "bet", "split", "double", *free, *table)

    @property
    def bust_over(self) -> int:
        """The dealer's."""
        return 22 if self.stands_off_with_22 else 21

    def dealer_stands(self, dealer: Points) -> bool:
        """On 17 and more; where he draws to a soft 17, on a hard one."""
        return dealer.total > 17 or (dealer.total == 17 and not (dealer.soft and self.draws_to_soft_17))
