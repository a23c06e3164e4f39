"""Rounds of both games as tables might report them: whole and half, right and wrong, with decks rigged now
and then so that what is rare comes often. Whoever chooses, a seeded random or Hypothesis, is handed in."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hypothesis import strategies as st

from jackpot.cards.cards import parse_all
from jackpot.core.codec import names_of
from jackpot.games.lines import Decision, Limits, Stakes
from jackpot.games.rulebook import Game

T = TypeVar("T")


class Chooser(Protocol):
    def one_of(self, options: Sequence[T]) -> T: ...

    def deck(self) -> list[int]: ...


class Seeded:
    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def one_of(self, options: Sequence[T]) -> T:
        return options[int(self._rng.random() * len(options))]

    def deck(self) -> list[int]:
        return sorted(range(52), key=lambda _card: self._rng.random())


class Drawn:
    """Hypothesis chooses; the first option is the simplest."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def one_of(self, options: Sequence[T]) -> T:
        return self._data.draw(st.sampled_from(options))

    def deck(self) -> list[int]:
        return list(self._data.draw(st.permutations(range(52))))


@dataclass(frozen=True, kw_only=True)
class Round:
    game: Game
    limits: Limits
    boxes: tuple[Stakes, ...]
    dealer: tuple[int, ...]
    community: tuple[int, ...] = ()


LIMITS = (
    Limits(),
    Limits(minimum=1_000, maximum=50_000),
    Limits(minimum=2_500, maximum=2_500),
    Limits(maximum=7),
    Limits(minimum=25_000, maximum=1_000_000, most_won=1_000_000),
    Limits(most_won=7_001),
)
ANTES = (2_500, 2_500, 2_500, 1, 1_000, 49_999, 60_000, 2_000_000, 0)
BONUSES = (0, 0, 500, 1, 9_999, 10_001, 60_000, 400_000)
SIZES = (None, None, None, "exact", "exact", "less", "more", "one more")
INVALID = {
    Game.CASINO_STUD: ("5.15", "5.10.3", "5.19"),
    Game.TEXAS_HOLDEM: ("5.15", "5.10.3", "5.18"),
}
WAYS = ("plays",) * 10 + (
    "folds",
    "folds, as the table says",
    "folds with a bet of nothing",
    "is not revealed",
    "is not revealed after betting",
    "is not yet reported",
    "is left out after a fold",
    "is left out after betting",
    "is left out after walking away",
    "has not decided",
    "walks away",
    "walks away after betting",
    "is invalid",
    "is invalid after betting",
    "folds before its cards are told",
    "bets before its cards are told",
    "folds and does not reveal",
    "walks away and does not reveal",
)
LOST_BY = (None, "3.11.2", "3.12.1", "4.3", "5.5")
"""The paragraph of a loss that was told before."""
NOT_REPORTED: dict[str, object] = {"cards": (), "known": False}


def round_of(game: Game, chooser: Chooser) -> Round:
    deal = _stud_deal if game is Game.CASINO_STUD else _holdem_deal
    hands, dealer, community = deal(chooser, chooser.one_of((1, 2, 3, 7)))
    boxes = [_box(game, chooser, number, cards) for number, cards in enumerate(hands, 1)]
    return Round(
        game=game,
        limits=chooser.one_of(LIMITS),
        boxes=tuple(reversed(boxes) if chooser.one_of((False, True)) else boxes),
        dealer=dealer[: chooser.one_of((len(dealer),) * 9 + (0, 1))],
        community=community[: chooser.one_of((5,) * 9 + (0, 3, 4))],
    )


# Bets and decisions


def _box(game: Game, chooser: Chooser, number: int, cards: tuple[int, ...]) -> Stakes:
    ante, bonus, way = chooser.one_of(ANTES), chooser.one_of(BONUSES), chooser.one_of(WAYS)
    stakes = Stakes(box=number, ante=ante, bonus=bonus, cards=cards, known=True)
    stud = game is Game.CASINO_STUD
    if way in (
        "plays",
        "is not revealed after betting",
        "is left out after betting",
        "walks away after betting",
        "is invalid after betting",
        "bets before its cards are told",
    ):
        stakes = _betting(stakes, stud=stud, chooser=chooser)
    changes: dict[str, dict[str, object]] = {
        "folds": {"decision": Decision.FOLD},
        "folds, as the table says": {"folded": True},
        "folds with a bet of nothing": {"bet": 0} if stud else {"flop": 0},
        "is not revealed": {"cards": ()},
        "is not revealed after betting": {"cards": ()},
        "is not yet reported": NOT_REPORTED,
        "is left out after a fold": NOT_REPORTED | {"decision": Decision.FOLD},
        "is left out after betting": NOT_REPORTED,
        "is left out after walking away": NOT_REPORTED | {"decision": Decision.WALK_AWAY},
        "walks away": {"decision": Decision.WALK_AWAY},
        "walks away after betting": {"decision": Decision.WALK_AWAY},
        "is invalid": {"invalidated": chooser.one_of(INVALID[game])},
        "is invalid after betting": {"invalidated": chooser.one_of(INVALID[game]), "cards": ()},
        "folds before its cards are told": {"folded": True, "cards": (), "awaited": True},
        "bets before its cards are told": {"cards": (), "awaited": True},
        "folds and does not reveal": {"folded": True, "cards": (), "lost_by": chooser.one_of(LOST_BY)},
        "walks away and does not reveal": {
            "decision": Decision.WALK_AWAY,
            "cards": (),
            "lost_by": chooser.one_of(LOST_BY),
        },
    }
    return _changed(stakes, **changes.get(way, {}))


def _betting(stakes: Stakes, *, stud: bool, chooser: Chooser) -> Stakes:
    first = _sized(2 * stakes.ante, chooser)
    decision = chooser.one_of((Decision.BET, None)) if first else Decision.BET
    if stud:
        return _changed(stakes, decision=decision, bet=first)
    sizes = (0, 0, 0, None, *[_sized(stakes.ante, chooser) or 0 for _ in range(2)])
    turn, river = (chooser.one_of(sizes) for _ in range(2))
    return _changed(stakes, decision=decision, flop=first, turn=turn, river=river)


def _sized(right: int, chooser: Chooser) -> int | None:
    amounts = {"exact": right, "less": right // 2, "more": 3 * right + 5, "one more": right + 1}
    size = chooser.one_of(SIZES)
    return None if size is None else amounts[size]


def _changed(stakes: Stakes, **changes: object) -> Stakes:
    told = {name: getattr(stakes, name) for name in names_of(Stakes)}
    return Stakes(**(told | changes))


# Cards

Deal = tuple[list[tuple[int, ...]], tuple[int, ...], tuple[int, ...]]


def _stud_deal(chooser: Chooser, boxes: int) -> Deal:
    deck = chooser.deck()
    rigged = chooser.one_of(("fair", "fair", "fair", "strong", "same", "both strong"))
    first = list(parse_all(chooser.one_of(STRONG).split())) if "strong" in rigged else deck[:5]
    dealer: list[int] = []
    if rigged == "same":
        dealer = _alike(first)
    elif rigged == "both strong":
        dealer = list(parse_all(["Ac", "Ad", "7c", "5d", "2h"]))
        dealer = [] if set(dealer) & set(first) else dealer
    return _dealt_around(deck, [first], dealer, boxes, size=5)


STRONG = (
    "Ks Qs Js 10s 9s",
    "As Ks Qs Js 10s",
    "9c 9d 9h 9s 2c",
    "8c 8d 8h 3s 3c",
    "Kh Jh 9h 5h 3h",
    "10c 9d 8h 7s 6c",
    "Qc Qd Qh 8s 3c",
    "Kc Kd 4h 4s Jc",
    "6c 6d Kh 10s 3c",
    "As Kh Qd Jc 9s",
)


def _alike(hand: Sequence[int]) -> list[int]:
    """The same ranks in the next suits, as long as that takes other cards."""
    other = [card // 4 * 4 + (card + 1) % 4 for card in hand]
    return other if not set(other) & set(hand) else []


def _dealt_around(
    deck: list[int], first: list[list[int]], dealer: list[int], boxes: int, *, size: int
) -> Deal:
    taken = {card for hand in first for card in hand} | set(dealer)
    left = [card for card in deck if card not in taken]
    hands = [tuple(hand) for hand in first]
    while len(hands) < boxes:
        hands.append(tuple(left.pop() for _ in range(size)))
    dealer = dealer or [left.pop() for _ in range(size)]
    return hands, tuple(dealer), tuple(left.pop() for _ in range(5))


HOLES = (
    "As Ac",
    "As Ks",
    "As Qs",
    "As Js",
    "As Kc",
    "As Qc",
    "As Jc",
    "Ks Kc",
    "Js Jc",
    "10s 10c",
    "2s 2c",
    "7s 2c",
)
BOARDS = ("Ah Kh Qh Jh 10h", "Kd Qd Jc 10h 3h", "9d 9h 9c 4d 4h", "Kd 10d 6d 4d 3h", "Ad 8h 8c 6h 5d")


def _holdem_deal(chooser: Chooser, boxes: int) -> Deal:
    deck = chooser.deck()
    rigged = chooser.one_of(("fair", "fair", "hole", "board", "both aces", "same"))
    if rigged == "fair":
        return _dealt_around(deck, [], [], boxes, size=2)
    if rigged == "both aces":
        return _dealt_around(deck, [[50, 51]], [48, 49], boxes, size=2)
    first = list(parse_all(chooser.one_of(HOLES).split())) if rigged != "board" else deck[:2]
    if rigged == "same":
        return _dealt_around(deck, [first], _alike(first), boxes, size=2)
    if rigged == "hole":
        return _dealt_around(deck, [first], [], boxes, size=2)
    board = parse_all(chooser.one_of(BOARDS).split())
    rest = [card for card in deck if card not in board]
    hands, dealer, _ = _dealt_around(rest, [], [], boxes, size=2)
    return hands, dealer, board
