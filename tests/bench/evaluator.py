"""Five-card evaluation as Python programs call it: ours beside treys, eval7, phevaluator and pokerkit.

Every library gets the same random hands in its own kind of cards, prepared beforehand; then the same hands
as strings, whose parsing counts. Each is called the way its documentation calls it, once per hand.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import eval7
import numpy as np
import phevaluator
import pokerkit
import treys

from jackpot.cards import bulk
from jackpot.cards.cards import DECK, names
from jackpot.cards.evaluator import strength, strength_of, strength_of_names
from tests.bench.timing import AT_ONCE, EACH, EACH_OF_FIVE, Contestant, rates

PEERS = ("eval7", "treys", "phevaluator", "pokerkit")
HANDS, SLOW_HANDS, BULK_HANDS, TURNS = 100_000, 10_000, 1_000_000, 21
TREYS = "for hand in hands: function(hand, [])"
UNCHECKED, CHECKED, STRINGS = "ours, unchecked", "ours, checked", "ours, checked, from strings"
BULK, BULK_CHECKED = "ours, bulk, unchecked", "ours, bulk, checked"


def _prepared(hands: list[tuple[int, ...]]) -> list[Contestant]:
    texts = [names(hand) for hand in hands]
    for_eval7 = [[eval7.Card(text) for text in hand] for hand in texts]
    for_treys = [[treys.Card.new(text) for text in hand] for hand in texts]
    for_pokerkit = [tuple(pokerkit.Card.parse("".join(hand))) for hand in texts[:SLOW_HANDS]]
    return [
        Contestant(UNCHECKED, EACH_OF_FIVE, strength_of, hands),
        Contestant(CHECKED, EACH, strength, hands),
        Contestant("eval7", EACH, eval7.evaluate, for_eval7),
        Contestant("treys", TREYS, treys.Evaluator().evaluate, for_treys),
        Contestant("phevaluator", EACH_OF_FIVE, phevaluator.evaluate_cards, hands),
        Contestant("pokerkit", EACH, pokerkit.StandardHighHand, for_pokerkit),
    ]


def _from_strings(hands: list[tuple[int, ...]]) -> list[Contestant]:
    texts = [names(hand) for hand in hands]
    evaluate, new, card = treys.Evaluator().evaluate, treys.Card.new, eval7.Card
    by_eval7, by_treys, by_phevaluator, by_pokerkit = (f"{peer}, from strings" for peer in PEERS)
    return [
        Contestant(STRINGS, EACH, strength_of_names, texts),
        Contestant(by_eval7, EACH, lambda hand: eval7.evaluate([card(text) for text in hand]), texts),
        Contestant(by_treys, EACH, lambda hand: evaluate([new(text) for text in hand], []), texts),
        Contestant(by_phevaluator, EACH_OF_FIVE, phevaluator.evaluate_cards, texts),
        Contestant(by_pokerkit, EACH, _pokerkit_from_strings, texts[:SLOW_HANDS]),
    ]


def _pokerkit_from_strings(hand: Sequence[str]) -> object:
    return pokerkit.StandardHighHand("".join(hand))


def _by_the_million() -> list[Contestant]:
    dealt: Any = random_hands(BULK_HANDS)
    return [
        Contestant(BULK, AT_ONCE, partial(bulk.strengths, checked=False), dealt),
        Contestant(BULK_CHECKED, AT_ONCE, bulk.strengths, dealt),
    ]


def random_hands(count: int, size: int = 5) -> bulk.Cards:
    """Hands of different cards: each card is drawn from those that are left, like from a deck."""
    rng = np.random.default_rng(1)
    hands = np.empty((count, size), np.uint8)
    for place in range(size):
        drawn = rng.integers(0, 52 - place, count, np.uint8)
        for earlier in np.sort(hands[:, :place], axis=1).T:
            drawn += drawn >= earlier
        hands[:, place] = drawn
    return hands


def measured() -> dict[str, float]:
    """Hands per second of every contestant, all in one run."""
    dealer = random.Random(1)
    hands = [tuple(dealer.sample(DECK, 5)) for _ in range(HANDS)]
    return rates([*_prepared(hands), *_from_strings(hands), *_by_the_million()], TURNS)
