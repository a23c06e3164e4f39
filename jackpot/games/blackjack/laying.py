"""What lies on the layout, counted from what was told: a settlement must account for exactly this."""

from __future__ import annotations

from jackpot.games.blackjack.closing import BET, Layout, close_box
from jackpot.games.blackjack.lines import Place
from jackpot.games.blackjack.play import INSURANCE, LAYS_MORE, box_play
from jackpot.games.blackjack.told import Bets, BoxHand, Report

_Laid = dict[Place, int]


def laid(layout: Layout, bets: Bets, report: Report) -> dict[Place, int]:
    """Whatever the limits and the outcome. A marker is no stake."""
    found: _Laid = {}
    for bet in bets.boxes:
        box, name = bet.box, bet.name
        found[box, name, 1, BET] = bet.bet
        for wager, amount in bet.side.items():
            found[box, name, None, wager] = amount
    table = layout.rules.table_bet
    if table is not None:
        for boom in bets.boom_busted:
            found[None, boom.player, None, table.name] = boom.bet
    for hand in report.hands:
        for said in hand.wagers:
            if said.insurance:
                found[hand.box, said.name(hand.box), None, INSURANCE] = said.insurance
        if hand.decision in LAYS_MORE:
            _add_to_hands(layout, bets, hand, found)
    return found


def _add_to_hands(layout: Layout, bets: Bets, hand: BoxHand, found: _Laid) -> None:
    """Splits and doubles: who follows, and how."""
    closed = close_box(layout, hand.box, [bet for bet in bets.boxes if bet.box == hand.box and bet.bet])
    box = box_play(layout.rules.paragraphs, closed, hand, {})
    for name, stakes in box.stakes.items():
        for leaf, wager, placed, _ in stakes:
            found[hand.box, name, leaf.number, wager] = placed.laid
