"""Rounds settled as at a table, one box a round, for what a player loses by chance and not by count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import sqrt

from jackpot.edge.strategies import bets_stud, folds_holdem, later_bets
from jackpot.games import settle
from jackpot.games.lines import Decision, Limits, Stakes, Wager
from jackpot.rulebook import Game

ANTE = BONUS = 100
"""Cents. No cap is near."""
NORMAL_999 = 3.2905
"""So many standard errors either side hold the mean in 999 samples of 1,000."""
CARDS = {Game.CASINO_STUD: 10, Game.TEXAS_HOLDEM: 9}
"""Of the deck, in a round of one box."""
_TELL_EVERY = 10_000
_UNLIMITED = Limits()

Deck = Sequence[int]


@dataclass(slots=True)
class Sample:
    """Results in cents, on stakes that are a hundred times one."""

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
    """Of the Bonus, which only Hold'em has."""


def sampled(game: Game, decks: Iterable[Deck], rounds: int, progress: Callable[[int], None]) -> Sampled:
    """So many rounds from decks of which the first cards are the round's."""
    found = Sampled(Sample(ANTE), Sample(BONUS))
    play = _stud if game is Game.CASINO_STUD else _holdem
    for number, deck in enumerate(islice(decks, rounds), 1):
        play(deck, found)
        if number % _TELL_EVERY == 0:
            progress(number)
    return found


def _stud(deck: Deck, found: Sampled) -> None:
    own, dealer = tuple(deck[:5]), tuple(deck[5:10])
    decision = Decision.BET if bets_stud(own) else Decision.FOLD
    box = Stakes(box=1, ante=ANTE, cards=own, known=True, decision=decision)
    _settled(Game.CASINO_STUD, box, dealer, (), found)


def _holdem(deck: Deck, found: Sampled) -> None:
    own, dealer, community = tuple(deck[:2]), tuple(deck[2:4]), tuple(deck[4:9])
    if folds_holdem(own):
        box = Stakes(box=1, ante=ANTE, bonus=BONUS, cards=own, known=True, decision=Decision.FOLD)
    else:
        later = later_bets(own, community)
        box = Stakes(
            box=1,
            ante=ANTE,
            bonus=BONUS,
            cards=own,
            known=True,
            decision=Decision.BET,
            turn=ANTE * later.turn,
            river=ANTE * later.river,
        )
    _settled(Game.TEXAS_HOLDEM, box, dealer, community, found)


def _settled(
    game: Game, box: Stakes, dealer: tuple[int, ...], community: tuple[int, ...], found: Sampled
) -> None:
    main = bonus = 0
    for line in settle(game, _UNLIMITED, (box,), dealer=dealer, community=community):
        if line.wager is Wager.BONUS:
            bonus += line.payout - line.stake
        else:
            main += line.payout - line.stake
    found.main.add(main)
    if box.bonus:
        found.bonus.add(bonus)
