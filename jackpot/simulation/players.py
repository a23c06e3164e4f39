"""What simulated players stake and decide in the main game, seldom wisely and not always as they should."""

from __future__ import annotations

from random import Random
from typing import assert_never

from jackpot.games.lines import Decision
from jackpot.games.rulebook import Game
from jackpot.link.rounds import MainGame

MAXIMUM = 10_000
ANTES = (2500, 2500, 2500, 300, MAXIMUM + 2500)


def decided(rng: Random, game: Game, ante: int, *, folded: bool, whole: bool = False) -> MainGame | None:
    """What a table says of a box's main game; None if it says nothing. `whole`: every decision is made."""
    if rng.random() < 0.3 and not whole:
        return None
    if folded:
        return MainGame(decision=Decision.FOLD)
    if rng.random() < 0.1:
        return MainGame(decision=Decision.WALK_AWAY)
    match game:
        case Game.CASINO_STUD:
            return _stud(rng, ante)
        case Game.TEXAS_HOLDEM:
            return _holdem(rng, ante, whole=whole)
        case _:
            assert_never(game)


def _stud(rng: Random, ante: int) -> MainGame:
    bet = _size(rng, 2 * ante)
    walked = rng.random() < 0.1 and bet is not None
    return MainGame(bet=bet, decision=Decision.WALK_AWAY if walked else Decision.BET, player="seat 1")


def _holdem(rng: Random, ante: int, *, whole: bool) -> MainGame:
    turn, river = (rng.choice((0 if whole else None, 0, _size(rng, ante))) for _ in range(2))
    if whole:
        turn, river = turn or 0, river or 0
    river = None if turn is None else river
    flop = _size(rng, 2 * ante)
    if flop is not None and rng.random() < 0.3:
        decision = rng.choice((Decision.CHECK, Decision.WALK_AWAY))
        return MainGame(flop=flop, turn=turn, river=river, decision=decision)
    return MainGame(flop=flop, turn=turn, river=river, decision=Decision.BET)


def _size(rng: Random, right: int) -> int | None:
    """Mostly what it should be, said or understood; now and then more or less."""
    return rng.choice((None, right or 1, right or 1, right + 700, right // 2 or 1))
