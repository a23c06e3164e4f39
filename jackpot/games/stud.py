"""Casino Stud: Ante and BET against a dealer who must hold Ace-King or better (S 3.12 to 3.14, 4.1, 4.3)."""

from __future__ import annotations

from jackpot.cards import RANKS
from jackpot.evaluator import MIXED, hand_of, rank_key, strength
from jackpot.games.lines import Limits, Line, Stakes
from jackpot.games.paytables import EVEN, STUD_BET
from jackpot.games.wagers import (
    BONUS,
    RETURNED,
    STAND_OFF,
    Laid,
    Placed,
    ended,
    forfeited,
    lost_all,
    on_layout,
    playing,
    returned_all,
    won,
    won_capped,
)
from jackpot.rulebook import Game

QUALIFYING = MIXED[rank_key([RANKS.index(rank) for rank in "AK432"])]
"""The weakest hand with which the dealer plays (1.14)."""
DEALT = 5
FOLDED = "3.12.1"
NO_ANTE = "3.6"
NO_BONUS_HERE = "2.1.1"
NOT_QUALIFIED = "3.13"


def shown(dealer: tuple[int, ...]) -> int | None:
    """The strength of the dealer's hand, once all of it is known."""
    return strength(dealer) if len(dealer) == DEALT else None


def settle_box(limits: Limits, box: Stakes, dealer: int | None) -> list[Line]:
    laid = on_layout(Game.CASINO_STUD, box)
    if box.invalidated is not None:
        return returned_all(box, laid, box.invalidated)
    main = [one for one in laid if one[0] is not BONUS]
    astray = returned_all(box, laid[len(main) :], NO_BONUS_HERE)
    if not box.ante:
        return returned_all(box, main, NO_ANTE) + astray
    return _main(limits, box, main, dealer) + astray


def _main(limits: Limits, box: Stakes, laid: list[Laid], dealer: int | None) -> list[Line]:
    stays = len(laid) > 1
    rule = forfeited(box, fold=FOLDED, undecided=not stays)
    if rule is not None:
        return lost_all(playing(limits, box, laid), rule)
    if not stays or not box.cards or dealer is None:
        return []
    ante, bet = playing(limits, box, laid)
    if dealer < QUALIFYING:
        return won(ante, EVEN, NOT_QUALIFIED) + ended(bet, RETURNED, NOT_QUALIFIED)
    return _compared(ante, bet, strength(box.cards), dealer)


def _compared(ante: Placed, bet: Placed, player: int, dealer: int) -> list[Line]:
    if player > dealer:
        return won(ante, EVEN, "3.14.1") + won_capped(bet, STUD_BET[hand_of(player)], "3.14.1")
    if player < dealer:
        return lost_all((ante, bet), "3.14.2")
    return ended(ante, STAND_OFF, "3.14.3") + ended(bet, STAND_OFF, "3.14.3")
