"""Texas Hold'em: Ante, Flop, Turn and River against the dealer, the Bonus by the hole cards
(H 3.9, 3.11 to 3.15, 4.1, 4.3, 5.5)."""

from __future__ import annotations

from typing import NamedTuple

from jackpot.cards import RANKS, rank_of, suit_of
from jackpot.evaluator import Board, Hand, hand_of
from jackpot.games.lines import Limits, Line, Stakes, Wager
from jackpot.games.paytables import ACES, ANTE_FROM, BOTH_ACES, EVEN, HOLDEM_BONUS
from jackpot.games.wagers import (
    BONUS,
    FLOP,
    LOSE,
    RETURNED,
    STAND_OFF,
    Placed,
    ended,
    forfeited,
    lost_all,
    on_layout,
    playing,
    returned,
    returned_all,
    won,
    won_capped,
)
from jackpot.rulebook import Game

DEALT = 2
COMMUNITY = 5
FOLDED = "3.11.2"
NO_ANTE = "3.6"
NO_ANTE_FOR_BONUS = "3.9"
BONUS_TABLE = "4.1"
_PAID_ANTE = frozenset(list(Hand)[list(Hand).index(ANTE_FROM) :])


class Shown(NamedTuple):
    """The dealer's side once all of it is known: the community cards, and the strength of the best five."""

    board: Board
    dealer: int


def shown(dealer: tuple[int, ...], community: tuple[int, ...]) -> Shown | None:
    if len(dealer) != DEALT or len(community) != COMMUNITY:
        return None
    board = Board(community)
    return Shown(board, board.best_with(dealer))


def settle_box(limits: Limits, box: Stakes, known: Shown | None, hole: tuple[int, ...]) -> list[Line]:
    """`hole` are the dealer's own cards."""
    laid = on_layout(Game.TEXAS_HOLDEM, box)
    if box.invalidated is not None:
        return returned_all(box, laid, box.invalidated)
    if not box.ante:
        return [returned(box.box, wager, amount, _without_ante(wager)) for wager, amount, _ in laid]
    stays = len(laid) > 1 and laid[1][0] is FLOP
    # Who walks away before all is decided has folded (5.5): until then nothing is won, the Bonus included.
    undecided = not stays or box.turn is None or box.river is None
    rule = forfeited(box, fold=FOLDED, undecided=undecided)
    if rule is not None:
        return lost_all(playing(limits, box, laid), rule)
    if undecided or not box.cards:
        return []
    stakes = playing(limits, box, laid)
    main = [one for one in stakes if one.wager is not BONUS]
    lines = [] if known is None else _compared(main, known.board.best_with(box.cards), known.dealer)
    for bonus in stakes[len(main) :]:
        lines += _bonus(bonus, box.cards, hole)
    return lines


def _without_ante(wager: Wager) -> str:
    return NO_ANTE_FOR_BONUS if wager is BONUS else NO_ANTE


def _compared(main: list[Placed], player: int, dealer: int) -> list[Line]:
    if player < dealer:
        return lost_all(main, "3.14")
    if player == dealer:
        return [line for one in main for line in ended(one, STAND_OFF, "3.15")]
    ante, *rest = main
    paid = hand_of(player) in _PAID_ANTE
    lines = won(ante, EVEN, "3.13") if paid else ended(ante, RETURNED, "3.13")
    return lines + [line for one in rest for line in won(one, EVEN, "3.13")]


def _bonus(bonus: Placed, own: tuple[int, ...], hole: tuple[int, ...]) -> list[Line]:
    """Of two aces the dealer's cards decide what they pay; any other holding is known at once."""
    held = holding(own)
    if held == ACES and len(hole) != DEALT:
        return []
    odds = BOTH_ACES if held == ACES == holding(hole) else HOLDEM_BONUS.get(held)
    return ended(bonus, LOSE, BONUS_TABLE) if odds is None else won_capped(bonus, odds, BONUS_TABLE)


def holding(cards: tuple[int, ...]) -> str:
    """Two hole cards as the pay table names them.

    >>> from jackpot.cards import parse_all
    >>> holding(parse_all(["Jd", "Ad"])), holding(parse_all(["Ks", "Ac"])), holding(parse_all(["2c", "2h"]))
    ('AJs', 'AKo', '22')
    """
    low, high = sorted(cards)
    ranks = RANKS[rank_of(high)] + RANKS[rank_of(low)]
    if rank_of(high) == rank_of(low):
        return ranks
    return ranks + ("s" if suit_of(high) == suit_of(low) else "o")
