"""Lines of blackjack: of a wager the excess first, then the part that plays."""

from __future__ import annotations

from jackpot.games.blackjack.closing import Placed, went_back
from jackpot.games.blackjack.lines import LOSE, RETURNED, WIN, Line
from jackpot.games.blackjack.play import BoxPlay, Stake
from jackpot.games.blackjack.rules import EVEN, Odds
from jackpot.games.lines import Outcome


def line_of(
    box: int | None,
    hand: int | None,
    wager: str,
    placed: Placed,
    outcome: Outcome,
    rule: str,
    *,
    odds: Odds | None = None,
) -> list[Line]:
    """The excess first, then the part that plays."""
    found = went_back(box, hand, wager, placed) if placed.back else []
    stake = placed.plays
    if not stake:
        return found
    winnings = 0 if odds is None else odds.winnings(stake)
    line = Line(
        box=box,
        player=placed.player,
        hand=hand,
        wager=wager,
        outcome=outcome,
        stake=stake,
        payout=0 if outcome is LOSE else stake + winnings,
        rule=rule,
        pays=None if odds is None else odds.text,
    )
    found.append(line)
    return found


def all_back(
    box: int | None, hand: int | None, wager: str, placed: Placed, rule: str, *, marker: int | None = None
) -> Line:
    """As it was laid."""
    return Line(
        box=box,
        player=placed.player,
        hand=hand,
        wager=wager,
        outcome=RETURNED,
        stake=placed.laid,
        payout=placed.laid,
        rule=rule,
        marker=marker,
    )


def part_of(box: BoxPlay, stake: Stake, outcome: Outcome, amount: int, rule: str) -> Line:
    """A part of what plays."""
    return Line(
        box=box.closed.box,
        player=stake.placed.player,
        hand=stake.leaf.number,
        wager=stake.wager,
        outcome=outcome,
        stake=amount,
        payout=0 if outcome is LOSE else amount,
        rule=rule,
    )


def laid_back(box: BoxPlay, stake: Stake, rule: str) -> Line:
    """A wager on a hand, or a marker, that is taken off the layout."""
    number, wager = stake.leaf.number, stake.wager
    return all_back(box.closed.box, number, wager, stake.placed, rule, marker=stake.marker)


def ended(
    box: BoxPlay, stake: Stake, outcome: Outcome, rule: str, *, marker_rule: str | None = None
) -> list[Line]:
    """A wager with the hand it lies on; of a winning marker another paragraph speaks."""
    leaf, wager, placed, marker = stake
    if marker is None:
        odds = EVEN if outcome is WIN else None
        return line_of(box.closed.box, leaf.number, wager, placed, outcome, rule, odds=odds)
    return [_marker(box.closed.box, stake, outcome, marker_rule or rule)]


def _marker(box: int, stake: Stake, outcome: Outcome, rule: str) -> Line:
    """It has no stake to return; what it wins is the value of the Initial Bet (F 1.11.1)."""
    won = outcome is WIN
    return Line(
        box=box,
        player=stake.placed.player,
        hand=stake.leaf.number,
        wager=stake.wager,
        outcome=outcome,
        stake=0,
        payout=(stake.marker or 0) if won else 0,
        rule=rule,
        pays=EVEN.text if won else None,
        marker=stake.marker,
    )
