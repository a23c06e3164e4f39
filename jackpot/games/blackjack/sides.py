"""Insurance and side bets: each apart from the hand on its box."""

from __future__ import annotations

from collections.abc import Iterator

from jackpot.games.blackjack.closing import Placed, went_back
from jackpot.games.blackjack.lines import LOSE, WIN, Line
from jackpot.games.blackjack.play import INSURANCE, Back, BoxPlay, Play, bounded
from jackpot.games.blackjack.rules import INSURED, CardBet
from jackpot.games.blackjack.writing import all_back, line_of


def insurance(play: Play, box: BoxPlay, name: str, back: Back | None) -> list[Line]:
    """With the dealer's second card, apart from everything else. At most half of what plays."""
    number, own, one = box.closed.box, play.closing.rules.paragraphs, box.closed.players.get(name)
    placed = bounded(name, box.insurance[name], one.plays // 2 if one else 0, own.insurance)
    if back is not None:
        return [all_back(number, None, INSURANCE, placed, back.rule)]
    if not play.dealer.has_drawn:
        return []
    if play.dealer.blackjack:
        return line_of(number, None, INSURANCE, placed, WIN, own.insurance, odds=INSURED)
    return line_of(number, None, INSURANCE, placed, LOSE, own.insurance)


def card_bet(box: BoxPlay, bet: CardBet, placed: Placed, back: Back | None) -> list[Line]:
    number = box.closed.box
    if not placed.plays:
        return went_back(number, None, bet.name, placed)
    if back is not None and not back.side_stands:
        return [all_back(number, None, bet.name, placed, back.rule)]
    two = box.first_two
    if not two:
        return []
    pays = bet.won_with(*two)
    if pays is None:
        return line_of(number, None, bet.name, placed, LOSE, bet.lost)
    return line_of(number, None, bet.name, placed, WIN, pays.rule, odds=pays.odds)


def marker_bet(play: Play, box: BoxPlay, name: str, back: Back | None) -> list[Line]:
    """When the box is played out; with an invalid hand it always goes back (A20)."""
    bet, number = play.closing.rules.marker_bet, box.closed.box
    placed = None if bet is None else box.closed.placed.get(bet.name, {}).get(name)
    if bet is None or placed is None:
        return []
    if not placed.plays:
        return went_back(number, None, bet.name, placed)
    if back is not None:
        return [all_back(number, None, bet.name, placed, back.rule)]
    if not (play.dealer.has_drawn or all(leaf.ended for leaf in box.leaves)):
        return []
    pays = bet.won_with(box.markers(name))
    if pays is None:
        return line_of(number, None, bet.name, placed, LOSE, bet.lost)
    return line_of(number, None, bet.name, placed, WIN, pays.rule, odds=pays.odds)


def table_bet(play: Play) -> Iterator[Line]:
    bet, dealer = play.closing.rules.table_bet, play.dealer
    if bet is None:
        return
    pays = bet.won_with(len(dealer.cards)) if dealer.bust else None
    for placed in play.closing.table:
        back = play.returned.get((None, placed.player))
        if not placed.plays:
            yield from went_back(None, None, bet.name, placed)
        elif back is not None:
            yield all_back(None, None, bet.name, placed, back.rule)
        elif dealer.finished and pays is not None:
            yield from line_of(None, None, bet.name, placed, WIN, pays.rule, odds=pays.odds)
        elif dealer.finished:
            yield from line_of(None, None, bet.name, placed, LOSE, bet.lost)
