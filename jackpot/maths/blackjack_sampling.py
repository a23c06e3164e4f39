"""Rounds of blackjack settled as at a table, and the figures that the main games are known to keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from jackpot.games.blackjack import BlackjackRules, Closing, Layout, check_bets, close, judge
from jackpot.maths.blackjack_rounds import STAKE, Chance, Round, bets_of, deal_round
from jackpot.maths.blackjack_strategy import Call, Strategy
from jackpot.maths.sampling import Sample

MAIN = "bet"
_WITH_THE_HAND = frozenset({MAIN, "split", "double", "free_split", "free_double"})
_SPLITS = (Call.SPLIT.value, Call.FREE_SPLIT.value)
_TELL_EVERY = 1_000

PAID_GAMES: Mapping[int, Fraction] = {
    4: Fraction("0.00127"),
    6: Fraction("0.00171"),
    8: Fraction("0.00193"),
}
"""Edges of Blackjack and Blackjack Perfect Pairs by decks. Hands that are not split were counted by
composition, split hands sampled by 60 million rounds: the standard error is below 0.00001."""
FREE_GAME: Mapping[int, Fraction] = {
    4: Fraction("0.00698"),
    6: Fraction("0.00685"),
    8: Fraction("0.00675"),
    10: Fraction("0.00673"),
}
"""Of Free Bet Blackjack, likewise."""


def known_edge(rules: BlackjackRules, decks: int) -> Fraction | None:
    """Of the Initial Bet, by basic strategy; None for a number of decks that was not worked out."""
    return (FREE_GAME if rules.free_bets else PAID_GAMES).get(decks)


@dataclass(slots=True)
class SampledGame:
    wagers: dict[str, Sample] = field(default_factory=dict)
    """`bet` for all that lies on hands, as a part of the Initial Bet; each side bet under its own name."""
    surrendered: int = 0
    split: int = 0

    @property
    def main(self) -> Sample:
        return self.wagers[MAIN]


def sampled_game(
    rules: BlackjackRules,
    decks: int,
    chance: Chance,
    rounds: int,
    progress: Callable[[int], None],
    strategy: Strategy | None = None,
) -> SampledGame:
    """So many rounds of one box, each from a fresh shoe, checked and settled as a table's."""
    closing = _closed(rules, decks)
    table = () if rules.table_bet is None else (rules.table_bet.name,)
    found = SampledGame({name: Sample(STAKE) for name in (MAIN, *rules.side, *table)})
    for number in range(1, rounds + 1):
        _settle(closing, deal_round(chance, rules, decks, strategy), found)
        if number % _TELL_EVERY == 0:
            progress(number)
    return found


def _closed(rules: BlackjackRules, decks: int) -> Closing:
    """The bets of every round, which are always the same."""
    layout, bets = Layout(rules=rules, boxes=1, decks=decks), bets_of(rules)
    check_bets(layout, bets)
    return close(layout, bets)


def _settle(closing: Closing, played: Round, found: SampledGame) -> None:
    results = dict.fromkeys(found.wagers, 0)
    for line in judge(closing, played.report).lines:
        name = MAIN if line.wager in _WITH_THE_HAND else line.wager
        results[name] += line.payout - line.stake
    for name, result in results.items():
        found.wagers[name].add(result)
    decision = played.report.hands[0].decision
    found.surrendered += decision == Call.SURRENDER.value
    found.split += decision in _SPLITS
