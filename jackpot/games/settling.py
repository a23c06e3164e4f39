"""The settlement of a round, in whichever game."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.games import holdem, stud
from jackpot.games.lines import Limits, Line, Stakes
from jackpot.games.wagers import on_layout, returned_all
from jackpot.rulebook import Game


def settle(
    game: Game,
    limits: Limits,
    boxes: Sequence[Stakes],
    *,
    dealer: tuple[int, ...],
    community: tuple[int, ...] = (),
) -> tuple[Line, ...]:
    """Every wager whose outcome is conclusively known from this, by box and wager, and no other.

    A bet that cannot play (no Ante, no such bet in this game) goes back at once. Of a box that plays nothing
    is told before its decisions, all of them: who walks away before has folded, and loses what seemed won
    (5.5). A fold, or a hand that is not revealed, loses before the dealer shows.
    """
    lines: list[Line] = []
    in_order = sorted(boxes, key=lambda box: box.box)
    if game is Game.CASINO_STUD:
        strength = stud.shown(dealer)
        for box in in_order:
            lines += stud.settle_box(limits, box, strength)
    else:
        known = holdem.shown(dealer, community)
        for box in in_order:
            lines += holdem.settle_box(limits, box, known, dealer)
    return tuple(lines)


def give_back(game: Game, boxes: Sequence[Stakes], rule: str) -> tuple[Line, ...]:
    """All bets of a round that is void (S 5.22, H 5.21)."""
    return tuple([line for box in boxes for line in returned_all(box, on_layout(game, box), rule)])
