"""What is counted of an entry, and no more of it: read in a fraction of the time that its fact would take."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from jackpot.figures.meters import COUNTED_AT_TABLES, DECIDED, PAID
from jackpot.link.rounds import PROGRESSIVE


class _Bet(msgspec.Struct):
    progressive: int


class _Returned(msgspec.Struct):
    amount: int
    wager: str = PROGRESSIVE


class _Result(msgspec.Struct):
    box: int
    hand: str | None
    level: str | None
    award: int | None


class _Line(msgspec.Struct):
    wager: str
    outcome: str
    stake: int
    payout: int
    marker: int | None = None


_PARTS: dict[str, list[tuple[str, Any]]] = {
    "BetsClosed": [("boxes", list[_Bet]), ("returned", list[_Returned])],
    "HandsReported": [
        ("results", list[_Result]),
        ("returned", list[_Returned]),
        ("restored", list[int]),
    ],
    "HandsInvalidated": [("boxes", dict[str, Any]), ("returned", list[_Returned])],
    "RoundVoided": [("returned", list[_Returned])],
    "PitBetsClosed": [("settlement", list[_Line]), ("table_closed", bool)],
    "PitHandsReported": [("settlement", list[_Line])],
    "PitBetsReturned": [("settlement", list[_Line])],
    "PitRoundVoided": [("settlement", list[_Line])],
    PAID: [("hand", str), ("amount", int)],
    DECIDED: [("claim", str), ("amount", int)],
}
_MOVES: tuple[str, Any, Any] = ("moves", dict[str, int], msgspec.field(default_factory=dict))
_RESULTS: tuple[str, Any, Any] = ("results", list[_Result], msgspec.field(default_factory=list))
"""Of a hand that the House has invalidated, only where another is awarded more."""


@cache
def _reader(kind: str) -> Callable[[bytes], Any]:
    parts: list[Any] = [_MOVES]
    if kind in _PARTS:
        parts = [("table", str), *_PARTS[kind], _MOVES]
    if kind == "HandsInvalidated":
        parts.append(_RESULTS)
    fact = msgspec.defstruct(f"{kind}Counted", parts, kw_only=True)
    return msgspec.json.Decoder(msgspec.defstruct(f"{kind}Entry", [("fact", fact)])).decode


def happened(kind: str, data: bytes) -> Any:
    """Of an entry's canonical bytes, for `Meters.hear`. Whoever doubts them verifies the book."""
    return _reader(kind)(data).fact


if COUNTED_AT_TABLES | {PAID, DECIDED} != _PARTS.keys():
    raise TypeError("what is counted of a kind of fact is not what is read of it")
