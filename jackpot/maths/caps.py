"""What the cap of a round costs: the fixed odds of its boxes together pay no more than the cap.

Exact, but for two simplifications. Payments are taken as unrounded, and the boxes of a table as independent:
where boxes share a flop, as in Hold'em, good hands come together, and the cap costs more than is said here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from jackpot.core.currencies import decimals_of
from jackpot.core.money import in_currency, spoken
from jackpot.maths.odds import Wager

Weights = Mapping[int, int]
"""Of each amount, in how many equally likely cases it is the award."""


def awards_of_a_box(wager: Wager) -> Weights:
    weights = defaultdict[int, int](int)
    awards = wager.parameters.awards
    for hand, ways in wager.chances.ways.items():
        weights[awards.minor_award(hand, wager.parameters.progressive_bet)] += ways
    return weights


def awards_together(one: Weights, boxes: int) -> Weights:
    """Of the sum over so many boxes that know nothing of each other."""
    together: Weights = {0: 1}
    for _ in range(boxes):
        longer = defaultdict[int, int](int)
        for so_far, cases in together.items():
            for award, ways in one.items():
                longer[so_far + award] += cases * ways
        together = longer
    return together


def cap_cost(wager: Wager, boxes: int) -> Fraction:
    """The minor units that a bet loses to the cap on average, at a table where so many boxes bet."""
    cap, one = wager.parameters.awards.cap, awards_of_a_box(wager)
    if cap is None or cap >= boxes * max(one):
        return Fraction(0)
    lost = sum(cases * max(0, total - cap) for total, cases in awards_together(one, boxes).items())
    return Fraction(lost, sum(one.values()) ** boxes * boxes)


def cap_costs(wager: Wager, boxes: Iterable[int]) -> dict[int, Fraction]:
    """By the number of boxes of a full table, smallest table first."""
    return {count: cap_cost(wager, count) for count in sorted(set(boxes))}


def cap_warning(wager: Wager, boxes: Iterable[int], currency: str) -> str | None:
    """What the House should hear of a cap before it opens a link with tables of so many boxes."""
    cap = wager.parameters.awards.cap
    if cap is None:
        return None
    costs = cap_costs(wager, boxes)
    if not any(costs.values()):
        return None
    told = [f"{finely(cost, currency)} at a full table of {_boxes(many)}" for many, cost in costs.items()]
    warning = f"the cap of {spoken(cap, currency)} a round costs a bet on average {' and '.join(told)}"
    if len(costs) == 1:
        return warning
    least, *_, most = costs.values()  # the more boxes there are, the more each of them loses
    return f"{warning}: the odds there are not equal, by {finely(most - least, currency)} a bet"


def _boxes(count: int) -> str:
    return f"{count} box{'es' if count > 1 else ''}"


def finely(amount: Fraction | float, currency: str) -> str:
    """A small amount to three figures at least, but for what is next to nothing."""
    if not amount:
        return "nothing"
    digits = decimals_of(currency) + (4 if amount * 100 >= 1 else 6)
    if amount * 1_000_000 < 1:
        return f"less than {currency} {in_currency(1, currency) / 1_000_000:.{digits}f}"
    return f"{currency} {in_currency(float(amount), currency):.{digits}f}"
