"""Rounds of cards from one deck, in which rare hands are made frequent."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from jackpot.cards import DECK
from jackpot.rulebook import Game

RIGGED = 0.12
"""How often a box is given a hand that pays, if the deck still has its cards."""


@dataclass(frozen=True, slots=True)
class Deal:
    hands: dict[int, tuple[int, ...]]
    community: tuple[int, ...]
    dealer: tuple[int, ...]


def deal(rng: Random, game: Game, boxes: list[int], *, rigged: float = RIGGED) -> Deal:
    deck = list(DECK)
    rng.shuffle(deck)
    return _stud(rng, deck, boxes, rigged) if game is Game.CASINO_STUD else _holdem(rng, deck, boxes, rigged)


def deal_major(rng: Random, game: Game, boxes: list[int], lucky: int, *, royal: bool) -> Deal:
    """A round in which one box has a royal flush, or else a straight flush."""
    deck = list(DECK)
    rng.shuffle(deck)
    low = 8 if royal else rng.randrange(8)
    suit = rng.randrange(4)
    wanted = _take(deck, [4 * (low + step) + suit for step in range(5)])
    if game is Game.CASINO_STUD:
        hands = {box: wanted if box == lucky else _take(deck, deck[:5]) for box in boxes}
        return Deal(hands, (), _take(deck, deck[:5]))
    hands = {box: wanted[3:] if box == lucky else _take(deck, deck[:2]) for box in boxes}
    return Deal(hands, (*wanted[:3], *_take(deck, deck[:2])), _take(deck, deck[:2]))


def _stud(rng: Random, deck: list[int], boxes: list[int], rigged: float) -> Deal:
    hands = {}
    for box in boxes:
        wanted = paying_hand(rng) if rng.random() < rigged else ()
        hands[box] = _take(deck, wanted) if wanted and set(wanted) <= set(deck) else _take(deck, deck[:5])
    return Deal(hands, (), _take(deck, deck[:5]))


def _holdem(rng: Random, deck: list[int], boxes: list[int], rigged: float) -> Deal:
    if rng.random() >= rigged * max(1, len(boxes)):
        hands = {box: _take(deck, deck[:2]) for box in boxes}
        return Deal(hands, _take(deck, deck[:5]), _take(deck, deck[:2]))
    wanted = list(paying_hand(rng))
    rng.shuffle(wanted)
    flop = _take(deck, tuple(wanted[:3]))
    lucky = rng.choice(boxes) if boxes else 0
    hole = _take(deck, tuple(wanted[3:]))
    hands = {box: hole if box == lucky else _take(deck, deck[:2]) for box in boxes}
    return Deal(hands, (*flop, *_take(deck, deck[:2])), _take(deck, deck[:2]))


def _take(deck: list[int], cards: tuple[int, ...] | list[int]) -> tuple[int, ...]:
    taken = tuple(cards)
    for card in taken:
        deck.remove(card)
    return taken


def paying_hand(rng: Random) -> tuple[int, ...]:
    suit, rank = rng.randrange(4), rng.randrange(13)
    kind = rng.choice(
        ("royal", "straight flush", "straight flush", "quads", "full house", "flush", "straight")
    )
    if kind == "royal":
        return tuple(4 * high + suit for high in range(8, 13))
    if kind == "straight flush":
        low = rng.randrange(8)
        return tuple(4 * (low + step) + suit for step in range(5))
    if kind == "quads":
        return (*(4 * rank + each for each in range(4)), 4 * ((rank + 1) % 13))
    if kind == "full house":
        other = (rank + 1 + rng.randrange(12)) % 13
        return (*(4 * rank + each for each in range(3)), 4 * other, 4 * other + 1)
    if kind == "flush":
        return tuple(4 * each + suit for each in (0, 2, 4, 6, 9))
    low = rng.randrange(9)
    return (*(4 * (low + step) + suit for step in range(4)), 4 * (low + 4) + (suit + 1) % 4)
