"""Whole rounds as tables tell them: bets of every box, then final hands with all that settles them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from jackpot.cards.cards import names
from jackpot.cards.evaluator import hand_of, strength
from jackpot.games.blackjack import Bets, BlackjackRules, BoxBet, Layout, close
from jackpot.games.blackjack.told import Hand
from jackpot.games.progressive import Level
from jackpot.games.strategies import bets_stud
from jackpot.link.awards import RULE_BOOK
from jackpot.simulation.pit_evenings import LongShoe, deal_table

DECKS = 8
Json = dict[str, Any]
Round = tuple[Json, Json]


def stud_rounds(chance: random.Random) -> Iterator[Round]:
    while True:
        deck = chance.sample(range(52), 40)
        hands = [tuple(deck[start : start + 5]) for start in range(0, 40, 5)]
        if any(_is_major(one) for one in hands[:7]):
            continue  # it would hold the pool for the rest of the turn
        boxes = [{"box": box, "ante": 2500, "progressive": 500} for box in range(1, 8)]
        told = [
            {"box": box, "cards": names(cards), **_stud_decision(cards)}
            for box, cards in enumerate(hands[:7], 1)
        ]
        yield {"boxes": boxes}, {"hands": told, "dealer": {"cards": names(hands[7])}, "final": True}


def _is_major(cards: Sequence[int]) -> bool:
    return RULE_BOOK.level_of(hand_of(strength(cards))) is Level.MAJOR


def _stud_decision(cards: tuple[int, ...]) -> Json:
    return {"decision": "bet", "bet": 5000} if bets_stud(cards) else {"decision": "fold"}


def holdem_rounds(chance: random.Random) -> Iterator[Round]:
    while True:
        deck = chance.sample(range(52), 21)
        if any(_is_major((*deck[2 * box - 2 : 2 * box], *deck[14:17])) for box in range(1, 8)):
            continue
        boxes = [{"box": box, "ante": 2500, "progressive": 500} for box in range(1, 8)]
        told = [
            {"box": box, "cards": names(deck[2 * box - 2 : 2 * box])} | _holdem_decision(box)
            for box in range(1, 8)
        ]
        table = {"community": names(deck[14:19]), "dealer": {"cards": names(deck[19:])}}
        yield {"boxes": boxes}, {"hands": told, "final": True, **table}


def _holdem_decision(box: int) -> Json:
    if box % 7 == 0:
        return {"decision": "fold"}
    return {"decision": "bet", "flop": 5000, "turn": 2500, "river": 0}


def blackjack_rounds(chance: random.Random, rules: BlackjackRules) -> Iterator[Round]:
    boxes, shoe = range(1, (rules.most_boxes or 7) + 1), LongShoe(chance, DECKS, "bench")
    side = dict.fromkeys(rules.side[:1], 500)
    laid = Bets(boxes=tuple(BoxBet(box=box, bet=2500, side=side) for box in boxes))
    closing = close(Layout(rules=rules, boxes=len(boxes), decks=DECKS), laid)
    while True:
        found = deal_table(shoe, closing, lambda _box, _player, _natural: None).final
        told = {"hands": [_told(one) for one in found.hands], "dealer": {"cards": found.dealer}}
        drawn = found.shoe.drawn if found.shoe is not None else ()
        bets = {"boxes": [{"box": box, "bet": 2500, **side} for box in boxes]}
        yield bets, told | {"shoe": {"drawn": drawn}, "final": True}


def _told(hand: Hand) -> Json:
    told: Json = {"cards": hand.cards}
    if box := getattr(hand, "box", None):
        told["box"] = box
    if hand.decision is not None:
        told["decision"] = hand.decision
    return told | ({"split": [_told(one) for one in hand.split]} if hand.split else {})
