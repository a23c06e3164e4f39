"""The house edge of a main game, by counting every deal of it. Needs NumPy (the extra `math`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never

from jackpot.games import Game
from jackpot.maths import holdem, stud
from jackpot.maths.bonus import bonus_edge

Progress = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Exact:
    """Over every deal. What a strategy loses, as a part of the stake."""

    main: Fraction
    optimal: Fraction | None = None
    bonus: Fraction | None = None
    hands: Mapping[str, Fraction] = field(default_factory=dict)
    """Hold'em: what hole cards win with optimal play, unless they fold."""


def counted(game: Game, progress: Progress) -> Exact:
    match game:
        case Game.CASINO_STUD:
            return Exact(main=stud.meetings(progress).played().edge)
        case Game.TEXAS_HOLDEM:
            return _holdem(progress)
        case _:
            assert_never(game)


def _holdem(progress: Progress) -> Exact:
    found = holdem.enumerated(progress)
    return Exact(
        main=found.simple_edge, optimal=found.optimal_edge, bonus=bonus_edge(), hands=dict(found.hands)
    )
