"""Casino Stud: Ante and BET against a dealer who must hold Ace-King or better (S 3.12 to 3.14, 4.1, 4.3)."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.cards.cards import RANKS
from jackpot.cards.chances import MadeOf
from jackpot.cards.evaluator import MIXED, hand_of, rank_key, strength
from jackpot.games.irregularities import poker_provisions
from jackpot.games.lines import RETURNED, STAND_OFF, Decision, Limits, Line, Stakes, Wager
from jackpot.games.paragraphs import Paragraphs
from jackpot.games.paytables import EVEN, STUD_BET
from jackpot.games.progressive import Progressive
from jackpot.games.rulebook import CardCounts, Game, Rulebook
from jackpot.games.strategies import Strategy, bets_stud
from jackpot.games.wagers import (
    ANTE,
    BET,
    BONUS,
    Laid,
    Placed,
    ended,
    forfeited,
    lost_all,
    playing,
    raised,
    returned_all,
    won,
)

QUALIFYING = MIXED[rank_key([RANKS.index(rank) for rank in "AK432"])]
"""The weakest hand with which the dealer plays (1.14)."""
DEALT = 5
FOLDED = "3.12.1"
NO_ANTE = "3.6"
NO_BONUS_HERE = "2.1.1"
NOT_QUALIFIED = "3.13"


def laid(box: Stakes) -> list[Laid]:
    """A Bonus that lies on this layout goes back."""
    placed: list[Laid] = [(ANTE, box.ante, None)] if box.ante else []
    if bet := raised(box, box.bet):
        placed.append((BET, bet, 2))
    if box.bonus:
        placed.append((BONUS, box.bonus, None))
    return placed


def settle_boxes(
    limits: Limits, boxes: Sequence[Stakes], dealer: tuple[int, ...], _community: tuple[int, ...]
) -> list[Line]:
    strength_of_dealer = shown(dealer)
    return [line for box in boxes for line in settle_box(limits, box, strength_of_dealer)]


def shown(dealer: tuple[int, ...]) -> int | None:
    """The strength of the dealer's hand, once all of it is known."""
    return strength(dealer) if len(dealer) == DEALT else None


def settle_box(limits: Limits, box: Stakes, dealer: int | None) -> list[Line]:
    placed = laid(box)
    if box.invalidated is not None:
        return returned_all(box, placed, box.invalidated)
    main = placed
    astray: list[Line] = []
    if box.bonus:
        main, astray = placed[:-1], returned_all(box, placed[-1:], NO_BONUS_HERE)
    if not box.ante:
        return returned_all(box, main, NO_ANTE) + astray
    return _main(limits, box, main, dealer) + astray


def _main(limits: Limits, box: Stakes, main: list[Laid], dealer: int | None) -> list[Line]:
    stays = len(main) > 1
    rule = forfeited(box, fold=FOLDED, undecided=not stays)
    if rule is not None:
        return lost_all(playing(limits, box, main), rule)
    if not stays or not box.cards or dealer is None:
        return []
    ante, bet = playing(limits, box, main)
    if dealer < QUALIFYING:
        return won(ante, EVEN, NOT_QUALIFIED) + ended(bet, RETURNED, NOT_QUALIFIED)
    return _compared(limits, ante, bet, strength(box.cards), dealer)


def _compared(limits: Limits, ante: Placed, bet: Placed, player: int, dealer: int) -> list[Line]:
    if player > dealer:
        odds, most = STUD_BET[hand_of(player)], limits.most_won
        return won(ante, EVEN, "3.14.1") + won(bet, odds, "3.14.1", most=most)
    if player < dealer:
        return lost_all((ante, bet), "3.14.2")
    return ended(ante, STAND_OFF, "3.14.3") + ended(bet, STAND_OFF, "3.14.3")


_PARAGRAPHS = Paragraphs(
    round_ends="1.16",
    community_cards="2.2.1",
    not_seen_voids="5.17",
    registered_amount="5.18.1",
    then_close="5.18.2a",
    then_block_box="5.18.2b",
    then_progressive_off="5.18.2c",
    dealers_card_exposed="5.16",
    examined_additional_hand="5.19",
    earlier_rounds_stand="5.20",
    void_returns_all="5.22",
    house_resolves="5.24",
)
STUD = Rulebook(
    game=Game.CASINO_STUD,
    name="Casino Stud",
    short="stud",
    decks=1,
    boxes=7,
    dealt=CardCounts(own=DEALT, dealer=DEALT, community=0),
    community_told=frozenset({0}),
    wagers=frozenset({Wager.ANTE, Wager.BET}),
    further=(Wager.BET,),
    decisions=frozenset({Decision.FOLD, Decision.BET, Decision.WALK_AWAY}),
    paragraphs=_PARAGRAPHS,
    pay_tables={Wager.BET: STUD_BET},
    progressive=Progressive(community=0, could_be=frozenset({MadeOf.FIVE_CARDS})),
    laid=laid,
    settle_boxes=settle_boxes,
    irregularities=poker_provisions(_PARAGRAPHS, dealers_cards="the dealer"),
    strategy=Strategy(
        words="BET with a pair or better, or with A-K-J-8-3 or better; else fold",
        stays=bets_stud,
        later=lambda _own, _community: (),
    ),
)
