"""On random legal rounds the rules of blackjack settle as a plain settlement written apart from them does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from jackpot.core.refusals import Refused
from jackpot.games.blackjack import (
    BLACKJACK_GAMES,
    Closing,
    Judged,
    Line,
    check_bets,
    close,
    judge,
    shown,
    void_lines,
)
from tests import naive_blackjack
from tests.blackjack import bets_of, layout, report_of
from tests.effort import times
from tests.random_blackjack import RandomRound, random_round

ROUNDS = times(400)
"""Of each game and kind of table; `JACKPOT_EFFORT=50` tries 20,000."""
pytestmark = pytest.mark.untraced
LIMITS = ("boxes", "decks", "minimum", "maximum", "side")
EVERY_TABLE = pytest.mark.parametrize("plain", [False, True], ids=["players", "no players"])
EVERY_GAME = pytest.mark.parametrize("game", BLACKJACK_GAMES)


def rounds(game: str, *, plain: bool, count: int = ROUNDS) -> Iterator[RandomRound]:
    rng = Random(f"{game} {plain}")
    for _ in range(count):
        yield random_round(rng, game, plain=plain)


def closed(each: RandomRound) -> Closing:
    limits = {name: value for name, value in each.table.items() if name in LIMITS}
    at, bets = layout(BLACKJACK_GAMES[each.table["game"]], **limits), bets_of(each.bets)
    check_bets(at, bets)
    return close(at, bets)


def told(closing: Closing, each: RandomRound) -> list[Judged]:
    """Message by message."""
    found: list[Judged] = []
    for message in each.prefixes:
        found.append(judge(closing, report_of(message), before=found[-1].report if found else None))
    return found


def on_the_wire(lines: tuple[Line, ...]) -> list[dict[str, object]]:
    return [shown(line) for line in lines]


@EVERY_GAME
@EVERY_TABLE
def test_a_round_is_settled_line_for_line_as_by_the_plain_settlement(game: str, plain: bool) -> None:
    for each in rounds(game, plain=plain):
        last = judge(closed(each), report_of(each.hands))
        assert on_the_wire(last.lines) == naive_blackjack.settle(each.table, each.bets, each.hands), each
        assert last.open == ()


@EVERY_GAME
@EVERY_TABLE
def test_told_step_by_step_no_line_is_taken_back_and_a_void_hands_back_what_was_laid(
    game: str, plain: bool
) -> None:
    for each in rounds(game, plain=plain, count=ROUNDS // 4):
        before: Counter[str] = Counter()
        for step in told(closed(each), each):
            now = Counter(str(line) for line in on_the_wire(step.lines))
            assert not before - now, each
            before = now
            for line in step.lines:
                assert line.stake + line.won == line.payout + line.collected
            undone = void_lines(step.play)
            assert all(line.payout == line.stake for line in undone)
        laid: Counter[tuple[int | None, str, str]] = Counter()
        for line in undone:
            laid[line.box, line.player, line.wager] += line.stake
        assert {place: amount for place, amount in laid.items() if amount} == {
            place: amount for place, amount in each.laid.items() if amount
        }


@EVERY_GAME
def test_two_unlike_cards_exchanged_in_what_was_drawn_are_refused(game: str) -> None:
    rng, tried = Random(7), 0
    for each in rounds(game, plain=True, count=ROUNDS // 4):
        drawn = each.hands["shoe"]["drawn"]
        if each.hands.get("discarded") or len(set(drawn)) < 2:
            continue
        one = rng.randrange(len(drawn))
        other = rng.choice([place for place, card in enumerate(drawn) if card != drawn[one]])
        exchanged = list(drawn)
        exchanged[one], exchanged[other] = drawn[other], drawn[one]
        wrong = each.hands | {"shoe": {"drawn": exchanged}}
        with pytest.raises(Refused) as refused:
            judge(closed(each), report_of(wrong))
        assert refused.value.code == "shoe_differs"
        tried += 1
    assert tried > ROUNDS // 10
