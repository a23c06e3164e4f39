"""What winning bets are paid (4.1), and the most that is paid (4.1.1), as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from jackpot.cards.evaluator import Hand


class Odds(NamedTuple):
    times: int
    """What is added to the stake, which goes back to the player on top: odds are "to 1"."""
    text: str


Held = TypeVar("Held", bound=str)
"""What a pay table calls the cards by."""
PayTable = Mapping[Held, Odds]


def _to_one(times: int) -> Odds:
    return Odds(times, f"{times} to 1")


EVEN = _to_one(1)

MOST_WON = 10_000_000
"""With the BET or the Bonus: SGD 100,000.00, and as much of any other currency that has two decimals. Of one
that has not, the House says its own for each table: nobody meant 100 dinars' worth of dollars, nor of won."""

STUD_BET: PayTable[Hand] = {
    Hand.ROYAL_FLUSH: _to_one(250),
    Hand.STRAIGHT_FLUSH: _to_one(50),
    Hand.FOUR_OF_A_KIND: _to_one(20),
    Hand.FULL_HOUSE: _to_one(7),
    Hand.FLUSH: _to_one(5),
    Hand.STRAIGHT: _to_one(4),
    Hand.THREE_OF_A_KIND: _to_one(3),
    Hand.TWO_PAIRS: _to_one(2),
    Hand.ONE_PAIR: EVEN,
    Hand.FIVE_ODD_CARDS: EVEN,
}

ACES = "AA"
BOTH_ACES = _to_one(1000)
"""A-A in the player's hand and in the dealer's."""
HOLDEM_BONUS: PayTable[str] = {
    ACES: _to_one(30),
    "AKs": _to_one(25),
    "AQs": _to_one(20),
    "AJs": _to_one(20),
    "AKo": _to_one(15),
    **dict.fromkeys(("KK", "QQ", "JJ"), _to_one(10)),
    "AQo": _to_one(5),
    "AJo": _to_one(5),
    **dict.fromkeys(("TT", "99", "88", "77", "66", "55", "44", "33", "22"), _to_one(3)),
}
"""By hole cards, the higher first; `s` is of one suit, `o` of two."""

ANTE_FROM = Hand.STRAIGHT
"""Hold'em pays the Ante of a winning hand from this one up (3.13)."""
