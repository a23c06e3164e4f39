"""What holds of every legal round of blackjack, whatever is bet and drawn: tried on random ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from random import Random

import pytest

from jackpot.games.blackjack import (
    BLACKJACK_GAMES,
    FREE_BET,
    PERFECT_PAIRS,
    Closing,
    Judged,
    Line,
    OpenWager,
    PitGame,
    check_bets,
    close,
    judge,
    laid,
    playing,
    shown,
    void_lines,
)
from jackpot.games.blackjack.lines import Place
from jackpot.games.blackjack.points import points
from tests import naive_blackjack
from tests.blackjack import Json, bets_of, layout, report_of
from tests.effort import times
from tests.random_blackjack import RandomRound, random_round

ROUNDS = times(100)
"""Of each game and kind of table; `JACKPOT_EFFORT=50` tries 5,000."""
pytestmark = pytest.mark.untraced
EVERY_TABLE = pytest.mark.parametrize("plain", [False, True], ids=["players", "no players"])
EVERY_GAME = pytest.mark.parametrize("game", BLACKJACK_GAMES)
Laid = Counter[tuple[int | None, str, str]]


@cache
def rounds(game: str, plain: bool) -> tuple[RandomRound, ...]:
    rng = Random(f"properties of {game} {plain}")
    return tuple(random_round(rng, game, plain=plain) for _ in range(ROUNDS))


def closed(table: Json, bets: Json, game: str | None = None) -> Closing:
    limits = {name: value for name, value in table.items() if name != "game"}
    at = layout(BLACKJACK_GAMES[PitGame(game or table["game"])], **limits)
    check_bets(at, bets_of(bets))
    return close(at, bets_of(bets))


def settled(each: RandomRound) -> Judged:
    return judge(closed(each.table, each.bets), report_of(each.hands))


def staked(lines: Iterable[Line]) -> Laid:
    found: Laid = Counter()
    for line in lines:
        found[line.box, line.player, line.wager] += line.stake
    return +found


def without_side_bets(each: RandomRound) -> Json:
    side = {wager for wagers in naive_blackjack.SIDE_BETS.values() for wager in wagers}
    boxes = [{name: value for name, value in one.items() if name not in side} for one in each.bets["boxes"]]
    return {"boxes": boxes}


@EVERY_GAME
@EVERY_TABLE
def test_money_is_kept_and_every_stake_is_told_once(game: str, plain: bool) -> None:
    for each in rounds(game, plain):
        last = settled(each)
        assert staked(last.lines) == +Counter(each.laid), each
        for line in last.lines:
            assert line.stake + line.won == line.payout + line.collected
            assert min(line.stake, line.won, line.payout, line.collected) >= 0
            assert (line.pays is not None) is (line.won > 0) is (line.outcome == "win"), each


@EVERY_GAME
@EVERY_TABLE
def test_what_plays_is_a_part_of_what_was_laid(game: str, plain: bool) -> None:
    """And no more than the limits allow, where no minimum protects a bet."""
    for each in rounds(game, plain):
        closing = closed(each.table, each.bets)
        boxes: Counter[int | None] = Counter()
        for one in playing(closing):
            assert 0 < one.stake <= each.laid[one.box, one.player, one.wager]
            boxes[one.box] += one.stake if one.wager == "bet" else 0
        if "minimum" not in each.table:
            assert max(boxes.values(), default=0) <= each.table["maximum"], each


@EVERY_GAME
@EVERY_TABLE
def test_without_side_bets_the_hands_are_settled_alike(game: str, plain: bool) -> None:
    of_hands = {"bet", "split", "double", "free_split", "free_double", "insurance"}
    for each in rounds(game, plain):
        bare = judge(closed(each.table, without_side_bets(each)), report_of(each.hands)).lines
        assert bare == tuple(line for line in settled(each).lines if line.wager in of_hands), each


@EVERY_TABLE
def test_free_bet_without_markers_22_and_soft_17_is_perfect_pairs(plain: bool) -> None:
    """But for the number of the paragraph on doubles that are lost."""
    tried = 0
    for each in rounds(PERFECT_PAIRS.game, plain):
        dealer = [card.replace("10", "T") for card in each.hands["dealer"]["cards"]]
        total = points(dealer)
        if total.total == 22 or total == (17, True):
            continue
        tried += 1
        bets, report = without_side_bets(each), report_of(each.hands)
        here = judge(closed(each.table, bets), report).lines
        there = judge(closed(each.table, bets, FREE_BET.game), report).lines
        renumbered = [shown(line) | {"rule": line.rule.replace("3.23.2", "3.23.3")} for line in here]
        assert [shown(line) for line in there] == renumbered, each
    assert tried > ROUNDS // 2


@EVERY_GAME
@EVERY_TABLE
def test_a_void_after_any_prefix_hands_back_exactly_what_was_laid(game: str, plain: bool) -> None:
    for each in rounds(game, plain)[: ROUNDS // 5]:
        closing = closed(each.table, each.bets)
        rule = "5.18" if game == FREE_BET.game else "5.17"
        for message in each.prefixes:
            undone = void_lines(judge(closing, report_of(message)).play)
            naive = naive_blackjack.void(each.table, each.bets, message)
            expected: Laid = Counter()
            for line in naive:
                expected[line["box"], line["player"], line["wager"]] += line["stake"]
            assert staked(undone) == +expected, each
            assert {(line.outcome, line.payout - line.stake, line.rule) for line in undone} <= {
                ("returned", 0, rule)
            }
        assert staked(undone) == +Counter(each.laid), each


@EVERY_GAME
@EVERY_TABLE
def test_what_lies_is_counted_from_the_messages_as_a_void_hands_it_back(game: str, plain: bool) -> None:
    """By which each settlement is proved when it is written."""
    for each in rounds(game, plain)[: ROUNDS // 5]:
        closing = closed(each.table, each.bets)
        for message in ({"hands": []}, *each.prefixes, each.hands):
            play = judge(closing, report_of(message)).play
            counted = laid(closing.layout, bets_of(each.bets), play.report)
            staked_there = {line.place: line.stake for line in void_lines(play) if line.stake}
            assert {place: stake for place, stake in counted.items() if stake} == staked_there, each


@EVERY_GAME
@EVERY_TABLE
def test_a_wager_is_told_whole_or_named_as_open(game: str, plain: bool) -> None:
    """After each message: what lies on the layout is told once, or is open, never both."""
    for each in rounds(game, plain)[: ROUNDS // 5]:
        closing = closed(each.table, each.bets)
        for message in each.prefixes:
            step = judge(closing, report_of(message))
            lying = {line.place: line.stake for line in void_lines(step.play)}
            still_open = {_place(one) for one in step.open}
            told: Counter[Place] = Counter()
            for line in step.lines:
                told[line.place] += line.stake
            assert told.keys() | still_open == lying.keys(), each
            assert not told.keys() & still_open
            assert all(lying[place] == stake for place, stake in told.items()), each


def _place(one: OpenWager) -> Place:
    return one.box, one.player, one.hand, one.wager
