"""The mathematics of a Progressive Jackpot Bet, exact: return and edge by the meter, and the long run.

Amounts are minor units, and fractions of one are kept. The meter meant is the one that a bet plays for, its
own contribution included. Payments are taken as unrounded, ceiling and top-ups as absent: `forecast`
simulates those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, expm1, isqrt, log1p

from jackpot.cards.chances import Chances, MadeOf, chances, five_cards
from jackpot.cards.evaluator import Hand
from jackpot.core.money import PARTS_PER_MILLION, spoken
from jackpot.core.refusals import UnequalOdds
from jackpot.games.progressive import ALL_OF_IT, odds, shares
from jackpot.link.parameters import Parameters


@dataclass(frozen=True, kw_only=True, slots=True)
class Wager:
    """One Progressive Jackpot Bet: what it costs, what it feeds and what it can win."""

    parameters: Parameters
    chances: Chances = field(default_factory=five_cards)

    @property
    def percent_of_pool(self) -> Mapping[Hand, int]:
        return shares(self.parameters.awards.levels)

    @property
    def times_the_bet(self) -> Mapping[Hand, int]:
        return odds(self.parameters.awards.levels)

    @property
    def taking_all(self) -> tuple[Hand, ...]:
        """After these the pool resets."""
        return tuple(hand for hand, percent in self.percent_of_pool.items() if percent == ALL_OF_IT)

    # One bet

    @property
    def minors_return(self) -> Fraction:
        """The part of the bet that comes back as minors, on average."""
        return sum((times * self.chances.of(hand) for hand, times in self.times_the_bet.items()), Fraction(0))

    @property
    def pool_share(self) -> Fraction:
        """The part of the meter that a bet wins, on average."""
        return self._over_majors({hand: Fraction(part, 100) for hand, part in self.percent_of_pool.items()})

    def return_at(self, meter: Fraction | int) -> Fraction:
        return self.minors_return + self.pool_share * meter / self.parameters.progressive_bet

    def edge_at(self, meter: Fraction | int) -> Fraction:
        """The part of the bet that its player loses on average; below zero the bet favours the player."""
        return 1 - self.return_at(meter)

    @property
    def break_even(self) -> Fraction:
        """The meter at which a bet is worth what it costs."""
        return (1 - self.minors_return) * self.parameters.progressive_bet / self.pool_share

    # The meter in the long run

    @property
    def contribution(self) -> Fraction:
        return self._part_of_bet(self.parameters.meter_ppm)

    @property
    def mean_meter(self) -> Fraction:
        """What bets add and seeds restore is, in the long run, what the majors take."""
        return (self.contribution + self.seed_cost) / self.pool_share

    @property
    def meter_variance(self) -> Fraction:
        """From the square of the meter, which one more bet leaves the same on average."""
        left = {hand: 1 - Fraction(part, 100) for hand, part in self.percent_of_pool.items()}
        fall = self._over_majors({hand: 1 - part**2 for hand, part in left.items()})
        added = 2 * self.contribution * self.mean_meter - self.contribution**2
        return (added + self.seed_cost * self.parameters.seed) / fall - self.mean_meter**2

    @property
    def meter_deviation(self) -> int:
        """The standard deviation, floored to the minor unit."""
        return isqrt(int(self.meter_variance))

    def bets_between(self, *hands: Hand) -> Fraction:
        """The mean number of bets from one of these hands to the next; without any named, of all majors."""
        return 1 / sum((self.chances.of(hand) for hand in hands or self.percent_of_pool), Fraction(0))

    # The house in the long run

    @property
    def reset_chance(self) -> Fraction:
        return sum((self.chances.of(hand) for hand in self.taking_all), Fraction(0))

    @property
    def seed_cost(self) -> Fraction:
        """The minor units per bet that new seeds cost, out of reserve or house."""
        return self.reset_chance * self.parameters.seed

    @property
    def house_share(self) -> Fraction:
        """The part of a bet that house and reserve keep: what enters the meter leaves it for players."""
        bet = self.parameters.progressive_bet
        return 1 - self.minors_return - (self.contribution + self.seed_cost) / bet

    @property
    def reserve_cover(self) -> Fraction:
        """What the reserve takes in, for 1 that the seeds cost."""
        return self._part_of_bet(self.parameters.reserve_ppm) / self.seed_cost

    def uncovered_chance(self, reserve: int = 0) -> float:
        """The chance that the next reset comes before the reserve holds the seed."""
        income, missing = self._part_of_bet(self.parameters.reserve_ppm), self.parameters.seed - reserve
        if missing <= 0:
            return 0.0
        if not income:
            return 1.0
        too_early = ceil(missing / income) - 1
        return -expm1(too_early * log1p(-float(self.reset_chance)))

    def _part_of_bet(self, ppm: int) -> Fraction:
        return Fraction(self.parameters.progressive_bet * ppm, PARTS_PER_MILLION)

    def _over_majors(self, parts: Mapping[Hand, Fraction]) -> Fraction:
        return sum((self.chances.of(hand) * part for hand, part in parts.items()), Fraction(0))


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """How fast a floor bets. Hands of one round depend on each other, but means do not mind that."""

    tables: int
    bets_per_round: Fraction
    rounds_per_hour: Fraction
    """Of one table."""
    hours_per_day: Fraction

    @property
    def bets_per_day(self) -> Fraction:
        return self.tables * self.bets_per_round * self.rounds_per_hour * self.hours_per_day

    def rounds_for(self, bets: Fraction) -> Fraction:
        """How many rounds of play, at all tables together, place so many bets."""
        return bets / self.bets_per_round

    def days_for(self, bets: Fraction) -> Fraction:
        return bets / self.bets_per_day


def house_warning(wager: Wager) -> str | None:
    """What the House should hear before it opens a link on which it loses."""
    share = wager.house_share
    if share >= 0:
        return None
    bet = wager.parameters.progressive_bet
    return (
        f"in the long run the house loses {_percent(-share)} of each bet: minors return"
        f" {_percent(wager.minors_return)}, the meter takes {_percent(wager.contribution / bet)}"
        f" and seeds cost {_percent(wager.seed_cost / bet)}"
    )


def check_equal_odds(tables: Mapping[str, MadeOf], parameters: Parameters, currency: str) -> None:
    """Games share a pool only at equal odds, and the pay table (4.2) is made for five cards."""
    for table, made_of in tables.items():
        if made_of is not MadeOf.FIVE_CARDS and chances(made_of) != five_cards():
            raise _unequal(table, made_of, parameters, currency)


def check_five_cards(table: str, made_of: MadeOf) -> None:
    """The same of one table, wherever it is to play."""
    if made_of is not MadeOf.FIVE_CARDS and chances(made_of) != five_cards():
        theirs, ours = (one.one_in(Hand.ROYAL_FLUSH) for one in (chances(made_of), five_cards()))
        raise UnequalOdds(
            f"table {table} cannot share a jackpot: with {made_of.replace('_', ' ')} its royal flush is"
            f" 1 in {round(theirs):,}, and 1 in {round(ours):,} with five cards",
            field="progressive_hand",
            table=table,
            one_in=round(theirs),
            instead_of=round(ours),
        )


def _unequal(table: str, made_of: MadeOf, parameters: Parameters, currency: str) -> UnequalOdds:
    fair, other = Wager(parameters=parameters), Wager(parameters=parameters, chances=chances(made_of))
    bet, meter = parameters.progressive_bet, fair.mean_meter
    due, paid = (round(wager.return_at(meter) * bet) for wager in (fair, other))
    ours, theirs = (wager.chances.one_in(Hand.ROYAL_FLUSH) for wager in (fair, other))
    return UnequalOdds(
        f"table {table} cannot share this jackpot: with {made_of.replace('_', ' ')} its royal flush is"
        f" 1 in {round(theirs):,}, and 1 in {round(ours):,} with five cards; at the mean meter of"
        f" {spoken(round(meter), currency)} a bet of {spoken(bet, currency)} would return"
        f" {spoken(paid, currency)} there and {spoken(due, currency)} elsewhere,"
        f" {spoken(paid - due, currency)} a bet at the cost of the others and of the house",
        field="progressive_hand",
        table=table,
        one_in=round(theirs),
        instead_of=round(ours),
        price=paid - due,
    )


def _percent(part: Fraction) -> str:
    return f"{float(part * 100):.2f} %"
