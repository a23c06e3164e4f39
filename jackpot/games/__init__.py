"""The games that are played at a link's tables, one object each: cards and wagers, what is paid, collected
and handed back, and what follows when something goes wrong. `GAMES` is the only place that lists them. No
other room asks which game it is: it asks that game's rule book. Rounds of play live in `jackpot.play`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from jackpot.games.holdem import HOLDEM
from jackpot.games.rulebook import Game, Rulebook
from jackpot.games.stud import STUD

__all__ = ["GAMES", "Game", "Rulebook"]


def _rulebook_of(game: Game) -> Rulebook:
    match game:
        case Game.CASINO_STUD:
            return STUD
        case Game.TEXAS_HOLDEM:
            return HOLDEM
        case _:
            assert_never(game)


GAMES: Mapping[Game, Rulebook] = {game: _rulebook_of(game) for game in Game}
