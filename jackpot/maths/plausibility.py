"""Whether the hands that a table reported can have been dealt: the chance of so many of them, or more.

Every round is dealt from a shuffled deck, so rounds are independent. The boxes of one round are not: they
share the deck, and in Hold'em the flop, which makes three flushes at once sixteen times as likely. So a round
is taken as a whole. `_all_of` bounds the chance that given boxes of a round all have such a hand; from it
each round gets a distribution in which many are at least as likely as in truth, and these are added up
exactly. The chance told is therefore the true one or more: no table is suspected for the ways of its game.

A hand counts as itself or better: whoever reports straights and flushes in turn is found out as well as who
keeps to one of them. All boxes of a round count as dealt, also those whose cards nobody showed: players show
the good ones.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, comb, exp, log, sqrt

from jackpot.cards.chances import MadeOf, chances
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import SECOND
from jackpot.games import GAMES
from jackpot.games.progressive import RULE_BOOK_LEVELS
from jackpot.games.rulebook import Game

SUSPECT = Fraction(1, 10**6)
"""A chance below this is an alert."""
PAID = tuple(hand for hand in Hand if hand in RULE_BOOK_LEVELS)
"""From straight to royal flush."""
SPAN = 300 * SECOND
"""Rounds are counted together that were reported within such a span: a window ends with its last."""
WINDOWS = {"hour": 12, "day": 288}
"""The spans that each has before the one under way."""
LIKELY = Fraction(1)

_FLOPS: dict[Hand, dict[int, int]] = {
    Hand.STRAIGHT: {
        0: 13320,
        10: 3744,
        16: 2160,
        32: 1200,
        45: 888,
        48: 480,
        60: 144,
        75: 80,
        90: 32,
        120: 52,
    },
    Hand.FLUSH: {0: 17160, 10: 3744, 45: 1144, 120: 52},
    Hand.FULL_HOUSE: {0: 18048, 1: 144, 2: 80, 3: 32, 10: 3744, 120: 52},
    Hand.FOUR_OF_A_KIND: {0: 18048, 1: 3888, 2: 80, 3: 32, 48: 52},
    Hand.STRAIGHT_FLUSH: {0: 21844, 1: 144, 2: 80, 3: 32},
    Hand.ROYAL_FLUSH: {0: 22060, 1: 40},
}
"""Of the 22,100 flops, how many let so many of the 1,176 pairs of hole cards make this hand or better."""
_ONE = 1 << 256
"""Chances are added up in whole parts of this."""
_MANY = 150
"""More hands of a kind are not expected in a day; beyond that their chance is a bound."""


@cache
def _all_of(game: Game, hand: Hand, boxes: int) -> Fraction:
    """At most so likely do these boxes of one round all have it. Whatever those before it were dealt, a box
    has no more ways to such a hand than the whole deck had, or all cards but the flop."""
    rulebook = GAMES[game]
    cases, dealt, cards = _ways(hand, rulebook.shared), rulebook.dealt.own, 52 - rulebook.shared
    total = Fraction(0)
    for ways, many in cases.items():
        together = Fraction(many)
        for box in range(boxes):
            deals = comb(cards - dealt * box, dealt) if cards >= dealt * (box + 1) else 0
            together *= Fraction(ways, deals) if deals > ways else 1
        total += together
    return total / sum(cases.values())


def _ways(hand: Hand, shared: int) -> dict[int, int]:
    """How many ways a box's own cards have to make it, and of how many boards each is true."""
    if shared:
        return _FLOPS[hand]
    five = chances(MadeOf.FIVE_CARDS)
    return {sum(five.ways[one] for one in PAID[PAID.index(hand) :]): 1}


@cache
def _spread(game: Game, hand: Hand, boxes: int) -> tuple[int, ...]:
    """The chances that none, one, two ... of so many boxes have it, together `_ONE`; many are at least as
    likely as in truth: of `comb(boxes, n)` choices of `n` boxes each is as likely as `_all_of` at most."""
    at_least = [_ONE]
    for number in range(1, boxes + 1):
        bound = ceil(comb(boxes, number) * _all_of(game, hand, number) * _ONE)
        at_least.append(min(bound, at_least[-1]))
    return tuple(more - most for more, most in zip(at_least, [*at_least[1:], 0], strict=True))


def chance(game: Game, hand: Hand, rounds: Mapping[int, int], count: int) -> Fraction:
    """Of so many hands like this or better in these rounds, counted by how many boxes each had. What lies
    within three standard deviations is not worked out: it is `LIKELY`, and never below one in a million."""
    mean, variance = _moments(game, hand, rounds)
    if count <= mean + 3 * sqrt(variance):
        return LIKELY
    if mean > _MANY:
        return chernoff(game, hand, rounds, count)
    # Of many more than that the chance is told as of that many: it is not lower, and the work has an end.
    return exact_chance(game, hand, rounds, min(count, ceil(mean + 12 * sqrt(variance)) + 20))


def exact_chance(game: Game, hand: Hand, rounds: Mapping[int, int], count: int) -> Fraction:
    return _exact_chance(game, hand, tuple(sorted(rounds.items())), count)


@lru_cache(maxsize=4096)
def _exact_chance(game: Game, hand: Hand, rounds: tuple[tuple[int, int], ...], count: int) -> Fraction:
    fewer = [_ONE]
    """How likely 0, 1, 2 ... are, up to one less than `count`; each rounded down, so that what is left for
    `count` and more is rounded up."""
    for boxes, many in rounds:
        fewer = _times(fewer, _power(list(_spread(game, hand, boxes)), many, count), count)
    return Fraction(_ONE - sum(fewer), _ONE)


def chernoff(game: Game, hand: Hand, rounds: Mapping[int, int], count: int) -> Fraction:
    """Not less than the exact chance, whichever exponent it is taken from, and quick however many rounds
    there were: for a table that reports more in a day than can be played."""
    least = min(_exponent(game, hand, rounds, step / 20) - step / 20 * count for step in range(1, 101))
    return Fraction(exp(max(least, -170.0)) * 1.0001)


def _exponent(game: Game, hand: Hand, rounds: Mapping[int, int], at: float) -> float:
    """The logarithm of the mean of `exp(at * sum)`."""
    spreads = [(many, _spread(game, hand, boxes)) for boxes, many in rounds.items()]
    return sum(
        many * log(sum(exp(at * number) * (part / _ONE) for number, part in enumerate(spread)))
        for many, spread in spreads
    )


def _moments(game: Game, hand: Hand, rounds: Mapping[int, int]) -> tuple[float, float]:
    found = [(many, *_moments_of_one(game, hand, boxes)) for boxes, many in rounds.items()]
    return sum(many * mean for many, mean, _ in found), sum(many * spread for many, _, spread in found)


@cache
def _moments_of_one(game: Game, hand: Hand, boxes: int) -> tuple[float, float]:
    spread = [part / _ONE for part in _spread(game, hand, boxes)]
    mean = sum(number * part for number, part in enumerate(spread))
    return mean, sum(number * number * part for number, part in enumerate(spread)) - mean * mean


def _power(of: list[int], exponent: int, length: int) -> list[int]:
    result = [_ONE]
    while exponent:
        if exponent & 1:
            result = _times(result, of, length)
        exponent >>= 1
        if exponent:
            of = _times(of, of, length)
    return result


def _times(one: list[int], other: list[int], length: int) -> list[int]:
    """The distribution of a sum, as far as it is less than `length`, rounded down."""
    product = [0] * min(length, len(one) + len(other) - 1)
    for place, part in enumerate(one[:length]):
        for more, factor in enumerate(other[: length - place]):
            product[place + more] += part * factor
    return [part // _ONE for part in product]


def in_words(found: Fraction) -> str:
    """
    >>> in_words(Fraction(1, 4_000_000_000))
    '1 in 4,000,000,000'
    >>> in_words(Fraction(1, 3 * 10**20))
    'less than 1 in 10^20'
    """
    one_in = int(1 / found)
    return f"1 in {one_in:,}" if one_in < 10**15 else f"less than 1 in 10^{len(str(one_in)) - 1}"


# What a table reported


@dataclass(slots=True)
class _Span:
    """What was reported within five minutes."""

    begin: int
    rounds: Counter[int] = field(default_factory=Counter)
    """How many had so many boxes."""
    hands: Counter[Hand] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Reported:
    """A round as its table reported it last."""

    round: int
    at: int
    boxes: int
    hands: tuple[Hand, ...]
    """Of those boxes whose cards were shown."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    hand: Hand
    window: str
    chance: Fraction
    count: int
    since: int
    """When the last such hand was reported."""


@dataclass(slots=True)
class Record:
    """What one table reported in the last day, round after round."""

    game: Game
    _spans: deque[_Span] = field(default_factory=deque)
    _last: Reported | None = None
    """It may still be corrected."""
    _paid_at: int = 0

    def report(self, told: Reported) -> None:
        if self._last is not None and self._last.round == told.round:
            self._count(self._last, -1)
        self._last = told
        self._count(told, 1)
        if any(hand in PAID for hand in told.hands):
            self._paid_at = told.at

    def _count(self, told: Reported, by: int) -> None:
        begin = told.at - told.at % SPAN
        if not self._spans or self._spans[-1].begin < begin:
            self._spans.append(_Span(begin))
        span = next((one for one in reversed(self._spans) if one.begin == begin), None)
        if span is not None and told.boxes:
            span.rounds[told.boxes] += by
            for hand in told.hands:
                span.hands[hand] += by

    def suspicions(self, now: int) -> Iterator[Suspicion]:
        """Of every hand and window, also where nothing is suspicious."""
        begin = now - now % SPAN
        while self._spans and self._spans[0].begin < begin - max(WINDOWS.values()) * SPAN:
            self._spans.popleft()
        for window, spans in WINDOWS.items():
            rounds, hands = self._within(begin - spans * SPAN)
            count = 0
            for hand in reversed(PAID):
                count += hands[hand]
                found = chance(self.game, hand, rounds, count)
                yield Suspicion(hand, window, found, count, self._paid_at)

    def _within(self, begin: int) -> tuple[Counter[int], Counter[Hand]]:
        rounds: Counter[int] = Counter()
        hands: Counter[Hand] = Counter()
        for span in self._spans:
            if span.begin >= begin:
                rounds.update(span.rounds)
                hands.update(span.hands)
        return rounds, hands
