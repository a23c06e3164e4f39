"""Which bets a table cannot have closed: the message is refused whole."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.refusals import (
    AmountNegative,
    AmountTooLarge,
    BoxUnknown,
    PlayerRepeated,
    SeatTaken,
    TextInvisible,
    TextMalformed,
    TextTooLong,
    WagerNotInGame,
)
from jackpot.core.texts import unseen
from jackpot.games.blackjack.closing import Layout
from jackpot.games.blackjack.told import Bets, BoomBet, BoxBet

LONGEST_NAME = 80


def check_bets(layout: Layout, bets: Bets) -> None:
    seen: set[tuple[int, str]] = set()
    seated: set[int] = set()
    for place, bet in enumerate(bets.boxes):
        field = f"boxes[{place}]"
        _check_entry(layout, bet, field)
        whose = bet.box, bet.name
        if whose in seen:
            raise PlayerRepeated(f"{bet.name} is named twice on box {bet.box}", field=f"{field}.player")
        seen.add(whose)
        if bet.standing or not (bet.bet or any(bet.side.values())):
            continue
        if bet.box in seated:
            raise SeatTaken(f"another player is seated at box {bet.box}", field=f"{field}.standing")
        seated.add(bet.box)
    if bets.boom_busted:
        _check_table(layout, bets.boom_busted)


def _check_entry(layout: Layout, bet: BoxBet, field: str) -> None:
    check_box(layout, bet.box, field)
    if bet.player is not None:
        check_name(bet.player, field)
    check_amount(bet.bet, field, "bet")
    for wager, amount in bet.side.items():
        if wager not in layout.rules.bounds:
            raise _no_such_wager(layout, wager, f"{field}.{wager}")
        check_amount(amount, field, wager)


def _check_table(layout: Layout, bets: Sequence[BoomBet]) -> None:
    if layout.rules.table_bet is None:
        raise _no_such_wager(layout, "boom_busted", "boom_busted")
    seen: set[str] = set()
    for place, bet in enumerate(bets):
        field = f"boom_busted[{place}]"
        check_name(bet.player, field)
        check_amount(bet.bet, field, "bet")
        if bet.player in seen:
            raise PlayerRepeated(f"{bet.player} is named twice", field=f"{field}.player")
        seen.add(bet.player)


def _no_such_wager(layout: Layout, wager: str, field: str) -> WagerNotInGame:
    return WagerNotInGame(f"{layout.rules.name} has no {wager[:20]}", field=field)


# What bets and reports have in common. `field` is the entry of the message in which it stands.


def check_box(layout: Layout, box: int, field: str) -> None:
    if not 1 <= box <= layout.boxes:
        raise BoxUnknown(f"the layout has boxes 1 to {layout.boxes}", field=f"{field}.box")


def check_amount(amount: int, field: str, wager: str) -> None:
    if amount < 0:
        raise AmountNegative("an amount is not below zero", field=f"{field}.{wager}")
    if amount > LARGEST_AMOUNT:
        raise AmountTooLarge(f"an amount is at most {LARGEST_AMOUNT}", field=f"{field}.{wager}")


def check_name(name: str, field: str) -> None:
    if not name.strip():
        raise TextMalformed("a player has a name", field=f"{field}.player")
    if len(name) > LONGEST_NAME:
        raise TextTooLong(f"a player's name has at most {LONGEST_NAME} characters", field=f"{field}.player")
    hidden = unseen(name)
    if hidden is not None:
        raise TextInvisible(f"{hidden} shows nothing", field=f"{field}.player")
