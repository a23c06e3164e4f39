"""Basic strategy of the blackjack games: what a player calls who knows his cards and the dealer's first one.

It goes by totals, not by the cards that make them. It takes no insurance and no even money.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from jackpot.games.blackjack.points import POINTS, points

ACE = 11
"""As points."""
_TEN = 10
_MOST_HANDS = 4


class Call(StrEnum):
    """What is called for a hand. All but a draw are the decisions that tables tell."""

    DRAW = "draw"
    STAND = "stand"
    SURRENDER = "surrender"
    DOUBLE = "double"
    FREE_DOUBLE = "free_double"
    SPLIT = "split"
    FREE_SPLIT = "free_split"


Row = str
"""A letter for each card of the dealer: 2 3 4 5 6 7 8 9 10 A.

H draw, S stand, P split; D double, R surrender, else draw; d double, r surrender, else stand; F free double,
else draw.
"""
_DRAW, _STAND, _SPLIT = "H" * 10, "S" * 10, "P" * 10
_LOWER = dict.fromkeys(range(4, 9), _DRAW)
_HIGHER = dict.fromkeys(range(18, 22), _STAND)


@dataclass(frozen=True, kw_only=True, slots=True)
class Strategy:
    words: str
    hard: Mapping[int, Row]
    """By total."""
    soft: Mapping[int, Row]
    pairs: Mapping[int, Row]
    """By the points of one card. A pair without a row, or that can be split no more, goes by its total."""
    free: bool = False
    """Pairs without a picture card are split for free."""
    pip_tens: Row | None = None
    """Of two tens that are no picture cards, if they are split at all."""
    on_marker: Strategy | None = None
    """Of a hand that carries no money and has nothing to lose."""


PAID = Strategy(
    words="basic strategy by totals; no insurance, no even money",
    hard={
        **_LOWER,
        9: "HDDDDHHHHH",
        10: "DDDDDDDDHH",
        11: "DDDDDDDDDH",
        12: "HHSSSHHHHH",
        13: "SSSSSHHHHH",
        14: "SSSSSHHHRH",
        15: "SSSSSHHHRH",
        16: "SSSSSHHRRH",
        17: _STAND,
        **_HIGHER,
    },
    soft={
        12: _DRAW,
        13: "HHHHDHHHHH",
        14: "HHHDDHHHHH",
        15: "HHHDDHHHHH",
        16: "HHDDDHHHHH",
        17: "HDDDDHHHHH",
        18: "SddddSSHHH",
        19: _STAND,
        20: _STAND,
        21: _STAND,
    },
    pairs={
        ACE: _SPLIT,
        2: "PPPPPPHHHH",
        3: "PPPPPPHHHH",
        4: "HHHPPHHHHH",
        6: "PPPPPHHHHH",
        7: "PPPPPPHHRH",
        8: "PPPPPPPPRP",
        9: "PPPPPSPPSS",
    },
)
"""Where splits and doubles cost money: Blackjack and Blackjack Perfect Pairs."""

_FREE_HARD: Mapping[int, Row] = {
    **_LOWER,
    9: "F" * 10,
    10: "F" * 10,
    11: "F" * 10,
    12: "HHHSSHHHHH",
    13: "HSSSSHHHHH",
    14: "SSSSSHHHRH",
    15: "SSSSSHHHRH",
    16: "SSSSSHHRRH",
    17: "SSSSSSSSrS",
    **_HIGHER,
}
_FREE_SOFT: Mapping[int, Row] = {
    **dict.fromkeys(range(12, 17), _DRAW),
    17: "HHHHDHHHHH",
    18: "SSSddSSHHH",
    19: _STAND,
    20: _STAND,
    21: _STAND,
}
_FREE_PAIRS: Mapping[int, Row] = dict.fromkeys((ACE, 2, 3, 4, 6, 7, 8, 9), _SPLIT)
_ON_MARKER = Strategy(
    words="a hand that carries only a marker",
    hard={**_FREE_HARD, 14: "HSSSSHHHRH", 17: "SSSSSHHHrH"},
    soft={
        **_FREE_SOFT,
        16: "HHHHDHHHHH",
        17: "HHHHDHHHHH",
        18: "HHDDdSHHHH",
        19: "SSSddSSSSS",
        20: "SSSSdSSSSS",
    },
    pairs=_FREE_PAIRS,
    free=True,
)
FREE = Strategy(
    words="basic strategy by totals, every free split and double but of tens; no insurance, no even money",
    hard=_FREE_HARD,
    soft=_FREE_SOFT,
    pairs=_FREE_PAIRS,
    free=True,
    on_marker=_ON_MARKER,
)
"""Free Bet Blackjack."""

_TENS = "SPPPPPSSSS"
FREE_WITH_TENS = replace(
    FREE,
    words="as basic strategy, and pip tens are split for free against 3 to 7",
    pip_tens=_TENS,
    on_marker=replace(_ON_MARKER, pip_tens=_TENS),
)
"""What F 1.13 allows by its letter."""


def decide(
    strategy: Strategy,
    cards: Sequence[str],
    up: str,
    *,
    of_split: bool = False,
    hands: int = 1,
    marker_only: bool = False,
) -> Call:
    """`up` is the dealer's first card, `hands` how many the box has. Cards are named as in `jackpot.cards`.

    >>> decide(PAID, ("8c", "8d"), "6h"), decide(FREE, ("5c", "4d"), "Ah")
    (<Call.SPLIT: 'split'>, <Call.FREE_DOUBLE: 'free_double'>)
    """
    if len(cards) < 2:
        return Call.DRAW
    if of_split and POINTS[cards[0]] == ACE:
        return Call.STAND  # one card each, nothing more
    rows = strategy.on_marker if marker_only and strategy.on_marker else strategy
    place = POINTS[up] - 2
    letter = _pair_letter(rows, cards, place) if hands < _MOST_HANDS else None
    if letter == "P":
        return Call.FREE_SPLIT if rows.free else Call.SPLIT
    total, soft = points(cards)
    if total > 21:
        return Call.STAND
    return _called(letter or (rows.soft if soft else rows.hard)[total][place], cards, of_split=of_split)


def _pair_letter(rows: Strategy, cards: Sequence[str], place: int) -> str | None:
    if len(cards) != 2 or (worth := POINTS[cards[0]]) != POINTS[cards[1]]:
        return None
    if worth == _TEN and rows.pip_tens and cards[0][0] == cards[1][0] == "T":
        return rows.pip_tens[place]
    row = rows.pairs.get(worth)
    return None if row is None else row[place]


def _called(letter: str, cards: Sequence[str], *, of_split: bool) -> Call:
    """What the letter says, where the hand is still free to do it."""
    first_two = len(cards) == 2
    if first_two and letter in "Dd":
        return Call.DOUBLE
    if first_two and letter == "F":
        return Call.FREE_DOUBLE
    if first_two and not of_split and letter in "Rr":
        return Call.SURRENDER
    return Call.STAND if letter in "Sdr" else Call.DRAW
