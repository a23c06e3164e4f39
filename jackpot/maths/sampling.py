"""Rounds settled as at a table, one box a round, for what a player loses by chance and not by count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import sqrt
from typing import Any

from jackpot.games import GAMES, Game, Rulebook
from jackpot.games.lines import Decision, Limits, Stakes, Wager

ANTE = BONUS = 100
"""Minor units. No cap is near."""
NORMAL_999 = 3.2905
"""So many standard errors either side hold the mean in 999 samples of 1,000."""
_TELL_EVERY = 10_000
_UNLIMITED = Limits()

Deck = Sequence[int]


@dataclass(slots=True)
class Sample:
    """Results in minor units, on stakes that are a hundred times one."""

    stake: int
    rounds: int = 0
    total: int = 0
    squares: int = 0

    def add(self, result: int) -> None:
        self.rounds += 1
        self.total += result
        self.squares += result * result

    @property
    def edge(self) -> Fraction:
        """The part of the stake that was lost, on average."""
        return Fraction(-self.total, self.rounds * self.stake)

    @property
    def error(self) -> float:
        """The standard error of the edge."""
        mean = Fraction(self.total, self.rounds)
        variance = Fraction(self.squares, self.rounds) - mean**2
        return sqrt(variance / (self.rounds - 1)) / self.stake

    @property
    def interval(self) -> tuple[float, float]:
        """That holds the true edge in 999 samples of 1,000."""
        half = NORMAL_999 * self.error
        return float(self.edge) - half, float(self.edge) + half


@dataclass(frozen=True, slots=True)
class Sampled:
    main: Sample
    """Of the Ante: all that is won and lost but the Bonus."""
    bonus: Sample
    """Of the Bonus, in a game that has one."""


def sampled(game: Game, decks: Iterable[Deck], rounds: int, progress: Callable[[int], None]) -> Sampled:
    """So many rounds from decks of which the first cards are the round's."""
    found = Sampled(Sample(ANTE), Sample(BONUS))
    for number, deck in enumerate(islice(decks, rounds), 1):
        _play(GAMES[game], deck, found)
        if number % _TELL_EVERY == 0:
            progress(number)
    return found


def _play(rulebook: Rulebook, deck: Deck, found: Sampled) -> None:
    """One box, by the game's simple strategy."""
    many = rulebook.dealt
    own, dealer = tuple(deck[: many.own]), tuple(deck[many.own : many.own + many.dealer])
    community = tuple(deck[many.own + many.dealer : many.to_one_box])
    box = Stakes(
        box=1,
        ante=ANTE,
        bonus=BONUS if Wager.BONUS in rulebook.wagers else 0,
        cards=own,
        known=True,
        decision=Decision.FOLD,
    )
    if rulebook.strategy.stays(own):
        bets = zip(rulebook.further[1:], rulebook.strategy.later(own, community), strict=True)
        later: dict[str, Any] = {wager.value: ANTE * placed for wager, placed in bets}
        box = replace(box, decision=Decision.BET, **later)
    _settled(rulebook, box, dealer, community, found)


def _settled(
    rulebook: Rulebook, box: Stakes, dealer: tuple[int, ...], community: tuple[int, ...], found: Sampled
) -> None:
    main = bonus = 0
    for line in rulebook.settle(_UNLIMITED, (box,), dealer=dealer, community=community):
        if line.wager is Wager.BONUS:
            bonus += line.payout - line.stake
        else:
            main += line.payout - line.stake
    found.main.add(main)
    if box.bonus:
        found.bonus.add(bonus)
