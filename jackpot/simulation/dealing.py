"""Rounds of cards from one deck, in which rare hands are made frequent."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from jackpot.cards.cards import DECK
from jackpot.games import GAMES, Game, Rulebook

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
    rulebook = GAMES[game]
    if not rulebook.shared:
        return _rigged_boxes(rng, rulebook, deck, boxes, rigged)
    if rng.random() >= rigged * max(1, len(boxes)):
        return _dealt(rulebook, deck, boxes)
    wanted = list(paying_hand(rng))
    rng.shuffle(wanted)
    return _dealt(rulebook, deck, boxes, tuple(wanted), rng.choice(boxes) if boxes else 0)


def deal_major(rng: Random, game: Game, boxes: list[int], lucky: int, *, royal: bool) -> Deal:
    """A round in which one box has a royal flush, or else a straight flush."""
    deck = list(DECK)
    rng.shuffle(deck)
    low = 8 if royal else rng.randrange(8)
    suit = rng.randrange(4)
    wanted = tuple(4 * (low + step) + suit for step in range(5))
    return _dealt(GAMES[game], deck, boxes, wanted, lucky)


def _dealt(
    rulebook: Rulebook, deck: list[int], boxes: list[int], wanted: tuple[int, ...] = (), lucky: int = 0
) -> Deal:
    """The lucky box makes the hand that is wanted; all else comes from the top of the deck."""
    many = rulebook.dealt
    _take(deck, wanted)
    board, own = wanted[: rulebook.shared], wanted[rulebook.shared :]
    hands = {box: own if box == lucky else _take(deck, deck[: many.own]) for box in boxes}
    community = (*board, *_take(deck, deck[: many.community - len(board)]))
    return Deal(hands, community, _take(deck, deck[: many.dealer]))


def _rigged_boxes(rng: Random, rulebook: Rulebook, deck: list[int], boxes: list[int], rigged: float) -> Deal:
    """Where boxes share no cards, each has its own luck."""
    hands, many = {}, rulebook.dealt
    for box in boxes:
        wanted = paying_hand(rng) if rng.random() < rigged else ()
        cards = wanted if wanted and set(wanted) <= set(deck) else deck[: many.own]
        hands[box] = _take(deck, cards)
    return Deal(hands, (), _take(deck, deck[: many.dealer]))


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
