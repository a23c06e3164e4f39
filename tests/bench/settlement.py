"""What it costs to settle a round of seven boxes, beside evaluating its seven hands with treys.

Rounds are dealt beforehand and differ, as at a table: some fold, some win, some meet a dealer who does not
qualify. The figure that travels is the ratio: treys only ranks the seven hands (of five cards or of seven),
the settlement also ranks the dealer's, compares, pays and says by which paragraph.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import treys

from jackpot.cards.cards import names
from jackpot.games import GAMES
from jackpot.games.lines import Decision, Limits, Stakes
from jackpot.games.rulebook import Game
from jackpot.games.strategies import bets_stud, folds_holdem, later_bets
from tests.bench.timing import EACH, Contestant, machine, rates

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-settlement.md"
BOXES, ROUNDS, TURNS = 7, 1_000, 21
AIM = 200
"""Microseconds, for a round of seven boxes."""
LIMITS = Limits(minimum=1_000, maximum=100_000)
ANTE, BONUS = 2_500, 500
Tell = Callable[[str], None]
Dealt = tuple[tuple[Stakes, ...], tuple[int, ...], tuple[int, ...]]


def _stud(dealer: random.Random) -> Dealt:
    deck = dealer.sample(range(52), 5 * (BOXES + 1))
    hands = [tuple(deck[start : start + 5]) for start in range(0, len(deck), 5)]
    boxes = [
        Stakes(
            box=box,
            ante=ANTE,
            cards=cards,
            known=True,
            decision=Decision.BET if bets_stud(cards) else Decision.FOLD,
        )
        for box, cards in enumerate(hands[:BOXES], 1)
    ]
    return tuple(boxes), hands[BOXES], ()


def _holdem(dealer: random.Random) -> Dealt:
    deck = dealer.sample(range(52), 2 * (BOXES + 1) + 5)
    community = tuple(deck[-5:])
    hands = [tuple(deck[start : start + 2]) for start in range(0, len(deck) - 5, 2)]
    boxes = [_holdem_box(box, cards, community) for box, cards in enumerate(hands[:BOXES], 1)]
    return tuple(boxes), hands[BOXES], community


def _holdem_box(box: int, cards: tuple[int, ...], community: tuple[int, ...]) -> Stakes:
    if folds_holdem(cards):
        return Stakes(box=box, ante=ANTE, bonus=BONUS, cards=cards, known=True, decision=Decision.FOLD)
    later = later_bets(cards, community)
    return Stakes(
        box=box,
        ante=ANTE,
        bonus=BONUS,
        cards=cards,
        known=True,
        decision=Decision.BET,
        turn=ANTE * later.turn,
        river=ANTE * later.river,
    )


def _settled(game: Game, dealt: Dealt) -> object:
    boxes, dealer, community = dealt
    return GAMES[game].settle(LIMITS, boxes, dealer=dealer, community=community)


def _ranked(evaluator: treys.Evaluator, hands: list[tuple[list[int], list[int]]]) -> None:
    for own, community in hands:
        evaluator.evaluate(own, community)


def _for_treys(dealt: Dealt) -> list[tuple[list[int], list[int]]]:
    boxes, _, community = dealt
    shown = [treys.Card.new(name) for name in names(community)]
    return [([treys.Card.new(name) for name in names(box.cards)], shown) for box in boxes]


def _contestants() -> list[Contestant]:
    found = []
    ranked = partial(_ranked, treys.Evaluator())
    for name, game, deal in (
        ("Casino Stud", Game.CASINO_STUD, _stud),
        ("Texas Hold'em", Game.TEXAS_HOLDEM, _holdem),
    ):
        dealer = random.Random(1)
        rounds = [deal(dealer) for _ in range(ROUNDS)]
        found.append(Contestant(name, EACH, partial(_settled, game), rounds))
        found.append(Contestant(f"{name}, treys", EACH, ranked, [_for_treys(each) for each in rounds]))
    return found


def main(tell: Tell) -> str:
    tell(f"settlement: {ROUNDS:,} rounds of {BOXES} boxes, {TURNS} turns")
    rate = rates(_contestants(), TURNS, process_time)
    rows = []
    for game in ("Casino Stud", "Texas Hold'em"):
        ours, other = 1e6 / rate[game], 1e6 / rate[f"{game}, treys"]
        rows.append(f"| {game} | {ours:.0f} | {other:.0f} | {ours / other:.2f} |")
    head = (
        "# Settling a round\n\n"
        f"Written by `make bench`. This machine: {machine()}.\n\n"
        f"{ROUNDS:,} different rounds of {BOXES} boxes each, in turns, medians of {TURNS} turns:"
        " microseconds of the processor to settle a round, beside treys ranking the hands of its boxes and"
        " nothing else."
        f" We aim for less than {AIM}.\n\n"
        "| | a round settled | its hands ranked by treys | ratio |\n"
        "|---|---:|---:|---:|"
    )
    return "\n".join([head, *rows, ""])
