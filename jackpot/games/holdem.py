"""Texas Hold'em: Ante, Flop, Turn and River against the dealer, the Bonus by the hole cards
(H 3.9, 3.11 to 3.15, 4.1, 4.3, 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jackpot.cards.cards import RANKS, rank_of, suit_of
from jackpot.cards.chances import MadeOf
from jackpot.cards.evaluator import Board, Hand, hand_of
from jackpot.games.irregularities import poker_provisions
from jackpot.games.lines import LOSE, RETURNED, STAND_OFF, Decision, Limits, Line, Stakes, Wager
from jackpot.games.paragraphs import Paragraphs
from jackpot.games.paytables import ACES, ANTE_FROM, BOTH_ACES, EVEN, HOLDEM_BONUS
from jackpot.games.progressive import Progressive
from jackpot.games.rulebook import CardCounts, Game, Rulebook
from jackpot.games.strategies import Strategy, folds_holdem, later_bets
from jackpot.games.wagers import (
    ANTE,
    BONUS,
    FLOP,
    RIVER,
    TURN,
    Laid,
    Placed,
    ended,
    forfeited,
    lost_all,
    playing,
    raised,
    returned,
    returned_all,
    won,
)

DEALT = 2
COMMUNITY = 5
FLOP_CARDS = 3
FOLDED = "3.11.2"
NO_ANTE = "3.6"
NO_ANTE_FOR_BONUS = "3.9"
BONUS_TABLE = "4.1"
_PAID_ANTE = frozenset(list(Hand)[list(Hand).index(ANTE_FROM) :])


def laid(box: Stakes) -> list[Laid]:
    placed: list[Laid] = [(ANTE, box.ante, None)] if box.ante else []
    if flop := raised(box, box.flop):
        placed.append((FLOP, flop, 2))
    if box.turn:
        placed.append((TURN, box.turn, 1))
    if box.river:
        placed.append((RIVER, box.river, 1))
    if box.bonus:
        placed.append((BONUS, box.bonus, None))
    return placed


def settle_boxes(
    limits: Limits, boxes: Sequence[Stakes], dealer: tuple[int, ...], community: tuple[int, ...]
) -> list[Line]:
    known = shown(dealer, community)
    return [line for box in boxes for line in settle_box(limits, box, known, dealer)]


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
    placed = laid(box)
    if box.invalidated is not None:
        return returned_all(box, placed, box.invalidated)
    if not box.ante:
        return [returned(box.box, wager, amount, _without_ante(wager)) for wager, amount, _ in placed]
    stays = len(placed) > 1 and placed[1][0] is FLOP
    # Who walks away before all is decided has folded (5.5): until then nothing is won, the Bonus included.
    undecided = not stays or box.turn is None or box.river is None
    rule = forfeited(box, fold=FOLDED, undecided=undecided)
    if rule is not None:
        return lost_all(playing(limits, box, placed), rule)
    if undecided or not box.cards:
        return []
    stakes = playing(limits, box, placed)
    main = stakes[:-1] if box.bonus else stakes
    lines = [] if known is None else _compared(main, known.board.best_with(box.cards), known.dealer)
    for bonus in stakes[len(main) :]:
        lines += _bonus(limits, bonus, box.cards, hole)
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


def _bonus(limits: Limits, bonus: Placed, own: tuple[int, ...], hole: tuple[int, ...]) -> list[Line]:
    """Of two aces the dealer's cards decide what they pay; any other holding is known at once."""
    held = holding(own)
    if held == ACES and len(hole) != DEALT:
        return []
    odds = BOTH_ACES if held == ACES == holding(hole) else HOLDEM_BONUS.get(held)
    if odds is None:
        return ended(bonus, LOSE, BONUS_TABLE)
    return won(bonus, odds, BONUS_TABLE, most=limits.most_won)


def holding(cards: tuple[int, ...]) -> str:
    """Two hole cards as the pay table names them.

    >>> from jackpot.cards.cards import parse_all
    >>> holding(parse_all(["Jd", "Ad"])), holding(parse_all(["Ks", "Ac"])), holding(parse_all(["2c", "2h"]))
    ('AJs', 'AKo', '22')
    """
    low, high = sorted(cards)
    ranks = RANKS[rank_of(high)] + RANKS[rank_of(low)]
    if rank_of(high) == rank_of(low):
        return ranks
    return ranks + ("s" if suit_of(high) == suit_of(low) else "o")


_PARAGRAPHS = Paragraphs(
    round_ends="1.25",
    community_cards="5.8.7",
    not_seen_voids="5.16",
    registered_amount="5.17.1",
    then_close="5.17.2a",
    then_block_box="5.17.2b",
    then_progressive_off="5.17.2c",
    dealers_card_exposed=None,
    examined_additional_hand="5.18",
    earlier_rounds_stand="5.19",
    void_returns_all="5.21",
    house_resolves="5.23",
)
HOLDEM = Rulebook(
    game=Game.TEXAS_HOLDEM,
    name="Texas Hold'em",
    short="holdem",
    decks=1,
    boxes=6,
    dealt=CardCounts(own=DEALT, dealer=DEALT, community=COMMUNITY),
    community_told=frozenset({0, FLOP_CARDS, FLOP_CARDS + 1, COMMUNITY}),
    wagers=frozenset({Wager.ANTE, Wager.FLOP, Wager.TURN, Wager.RIVER, Wager.BONUS}),
    further=(Wager.FLOP, Wager.TURN, Wager.RIVER),
    decisions=frozenset(Decision),
    paragraphs=_PARAGRAPHS,
    pay_tables={Wager.BONUS: HOLDEM_BONUS},
    progressive=Progressive(community=FLOP_CARDS, could_be=frozenset(MadeOf)),
    laid=laid,
    settle_boxes=settle_boxes,
    irregularities=poker_provisions(_PARAGRAPHS, dealers_cards="the dealer or the community"),
    strategy=Strategy(
        words="fold a deuce with 3 to 7 of another suit; bet Turn and River once a hole card has a pair",
        stays=lambda own: not folds_holdem(own),
        later=later_bets,
    ),
)
