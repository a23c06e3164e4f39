"""What a round pays, collects and hands back, as far as it is certain (sections 3 and 4 of the documents).

A wager is told whole or not at all: what of it goes back for a limit comes with its outcome.
"""

from __future__ import annotations

from jackpot.games.blackjack.closing import BET, went_back
from jackpot.games.blackjack.lines import LOSE, RETURNED, STAND_OFF, WIN, Line
from jackpot.games.blackjack.play import ACE, DOUBLE, TEN, Back, BoxPlay, Dealer, Leaf, Play, Stake
from jackpot.games.blackjack.rules import EVEN, NATURAL, Paragraphs
from jackpot.games.blackjack.sides import card_bet, insurance, marker_bet, table_bet
from jackpot.games.blackjack.told import Decision
from jackpot.games.blackjack.writing import ended, laid_back, line_of, part_of
from jackpot.games.lines import Outcome

SURRENDER = Decision.SURRENDER


def settle(play: Play) -> tuple[Line, ...]:
    found: list[Line] = []
    for box in play.boxes.values():
        for name in box.closed.bettors:
            _settle_player(play, box, name, found)
    found += table_bet(play)
    return tuple(found)


def _settle_player(play: Play, box: BoxPlay, name: str, found: list[Line]) -> None:
    back, placed, rules = box.back.get(name), box.closed.placed, play.closing.rules
    if name in box.insurance:
        found += insurance(play, box, name, back)
    if len(placed) > 1 or not box.closed.players:
        side_back = back or box.all_back
        for bet in rules.card_bets:
            if bet.name in placed and name in placed[bet.name]:
                found += card_bet(box, bet, placed[bet.name][name], side_back)
        if rules.marker_bet is not None:
            found += marker_bet(play, box, name, side_back)
    if name in box.closed.players:
        found += _returned_hands(play, box, name, back) if back is not None else _hands(play, box, name)
    elif BET in placed and name in placed[BET]:
        found += went_back(box.closed.box, 1, BET, placed[BET][name])


def _hands(play: Play, box: BoxPlay, name: str) -> list[Line]:
    """In order of precedence: what is decided between deals, busts, the dealer's blackjack, comparison."""
    first = box.leaves[0]
    if first.blackjack or first.decision == SURRENDER:
        decided = _interim(play, box, name)
        if decided is not None:
            return decided
        if first.blackjack:
            return _waiting_natural(play, box, name)
    lying, dealer, own = box.stakes[name], play.dealer, play.closing.rules.paragraphs
    if dealer.blackjack:
        return _against_blackjack(play, box, name, lying)
    found: list[Line] = []
    for stake in lying:
        if stake.leaf.total > 21:
            found += ended(box, stake, LOSE, lost_by(play, stake.leaf))
        elif dealer.finished:
            outcome, rule = _compared(own, dealer, stake.leaf.total)
            found += ended(box, stake, outcome, rule, marker_rule=own.marker if outcome is WIN else None)
    return found


def _interim(play: Play, box: BoxPlay, name: str) -> list[Line] | None:
    """Even money, a natural against 2 to 9, a surrender: decided before anybody gets a third card."""
    leaf, own, up = box.leaves[0], play.closing.rules.paragraphs, play.dealer.up
    if leaf.decision == SURRENDER and len(leaf.cards) > 1 and up and up != ACE:
        return _surrendered(box, Stake(leaf, BET, box.closed.players[name]), own.surrender)
    if not up or not leaf.blackjack:
        return None
    number, one = box.closed.box, box.closed.players[name]
    if up == ACE and name in box.even_money:
        return line_of(number, 1, BET, one, WIN, own.even_money, odds=EVEN)
    if up < TEN:
        return line_of(number, 1, BET, one, WIN, own.natural, odds=NATURAL)
    return None


def _waiting_natural(play: Play, box: BoxPlay, name: str) -> list[Line]:
    """Against a ten or an ace the dealer's second card decides."""
    dealer, own = play.dealer, play.closing.rules.paragraphs
    if not dealer.has_drawn:
        return []
    number, one = box.closed.box, box.closed.players[name]
    rule = own.even_money if dealer.up == ACE else own.natural
    if dealer.blackjack:
        return line_of(number, 1, BET, one, STAND_OFF, rule)
    return line_of(number, 1, BET, one, WIN, rule, odds=NATURAL)


def _surrendered(box: BoxPlay, stake: Stake, rule: str) -> list[Line]:
    """Half a minor unit goes to the player."""
    lost = stake.placed.plays // 2
    found = went_back(box.closed.box, 1, BET, stake.placed)
    if lost:
        found.append(part_of(box, stake, LOSE, lost, rule))
    found.append(part_of(box, stake, RETURNED, stake.placed.plays - lost, rule))
    return found


def lost_by(play: Play, leaf: Leaf, plain: str | None = None) -> str:
    """The paragraph by which a hand loses that is bust or meets a blackjack: of a split one, else of a
    doubled one, else `plain`, if not that of a bust."""
    own = play.closing.rules.paragraphs
    if leaf.split:
        return own.split_lost
    return own.double_lost if leaf.doubled else plain or own.bust


def _against_blackjack(play: Play, box: BoxPlay, name: str, lying: list[Stake]) -> list[Line]:
    """Of the money on hands that are not bust the player loses his Initial Bet once, first from bets and
    splits, then from doubles; what was bust before is lost besides."""
    left = box.closed.players[name].plays
    taken: dict[tuple[int, str], int] = {}
    for stake in sorted(lying, key=lambda one: one.wager == DOUBLE):  # stable: in the order of the hands
        if not stake.leaf.bust:
            part = min(stake.placed.plays, left)
            taken[stake.leaf.number, stake.wager] = part
            left -= part
    found: list[Line] = []
    for stake in lying:
        rule = lost_by(play, stake.leaf, play.closing.rules.paragraphs.lower)
        if stake.leaf.bust or stake.marker is not None:
            found += ended(box, stake, LOSE, lost_by(play, stake.leaf) if stake.leaf.bust else rule)
            continue
        found += went_back(box.closed.box, stake.leaf.number, stake.wager, stake.placed)
        lost = taken[stake.leaf.number, stake.wager]
        kept = stake.placed.plays - lost
        found += [part_of(box, stake, LOSE, lost, rule)] if lost else []
        found += [part_of(box, stake, RETURNED, kept, rule)] if kept else []
    return found


def _compared(own: Paragraphs, dealer: Dealer, total: int) -> tuple[Outcome, str]:
    if dealer.bust:
        return WIN, own.dealer_bust
    if dealer.total > 21 and own.dealer_22 is not None:
        return STAND_OFF, own.dealer_22
    if total > dealer.total:
        return WIN, own.higher
    if total < dealer.total:
        return LOSE, own.lower
    return STAND_OFF, own.equal


def _returned_hands(play: Play, box: BoxPlay, name: str, back: Back) -> list[Line]:
    """All that lies on his hands goes back as it was laid. What was settled before stands (A20)."""
    settled = _interim(play, box, name) if back.interim_stands else None
    if settled is not None:
        return settled
    found: list[Line] = []
    for stake in box.stakes[name]:
        if stake.leaf.number in back.busted and stake.leaf.bust:
            found += ended(box, stake, LOSE, lost_by(play, stake.leaf))
        else:
            found.append(laid_back(box, stake, back.rule))
    return found
