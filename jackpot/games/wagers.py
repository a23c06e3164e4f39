"""A box's bets as they lie on the layout, and the part of each that plays (5.1, 5.3)."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.core.records import frozen
from jackpot.games.lines import LOSE, RETURNED, WIN, Decision, Limits, Line, Outcome, Stakes, Wager
from jackpot.games.paytables import Odds

OVER_MAXIMUM = "5.1.1"
WRONG_SIZE = "5.3.1"
NOT_REVEALED = "4.3"
WALKED_AWAY = "5.5"


ANTE, BET, FLOP, TURN, RIVER, BONUS = Wager
_FOLD, _STAY, _, _WALK_AWAY = Decision


Laid = tuple[Wager, int, int | None]
"""A wager as it lies on the layout: which, how much, and how many times the Ante it may be; None if the
table's maximum is its limit."""


@frozen()
class Placed:
    """A wager: the stake that plays, and the excess that goes back whatever happens."""

    box: int
    wager: Wager
    stake: int
    excess: int
    excess_rule: str


def raised(box: Stakes, said: int | None) -> int:
    """The BET or Flop: unless an amount is said, exactly twice the Ante (S 3.12.2, H 1.11)."""
    if said is not None:
        return said
    return 2 * box.ante if box.decision is _STAY else 0


def playing(limits: Limits, box: Stakes, laid: Iterable[Laid]) -> list[Placed]:
    """Ante and Bonus play up to the table's maximum, the others up to their share of the Ante that plays.
    What is less stands as it is (5.2.1, 5.3.2)."""
    ante = box.ante if limits.maximum is None else min(box.ante, limits.maximum)
    found = []
    for wager, amount, antes in laid:
        most = limits.maximum if antes is None else antes * ante
        stake = amount if most is None or amount <= most else most
        rule = OVER_MAXIMUM if antes is None else WRONG_SIZE
        found.append(Placed(box.box, wager, stake, amount - stake, rule))
    return found


def forfeited(box: Stakes, *, fold: str, undecided: bool) -> str | None:
    """The paragraph by which the box has lost all its bets before any hand is compared. Of a box that is not
    reported, or no longer, nothing is known. A player may give up twice, as by a fold and by not revealing
    his cards: what was told first stays the reason."""
    if not box.known:
        return None
    folds = box.folded or box.decision is _FOLD or _stayed_out(box)
    leaves = undecided and box.decision is _WALK_AWAY
    hides = not box.cards and not box.awaited
    if not (folds or leaves or hides):
        return None
    reasons = {fold: folds, WALKED_AWAY: leaves, NOT_REVEALED: hides}
    if box.lost_by is not None and reasons.get(box.lost_by):
        return box.lost_by
    return next(rule for rule, holds in reasons.items() if holds)


def _stayed_out(box: Stakes) -> bool:
    """Who has decided and placed no BET or Flop has folded: there is no third way (S 3.12, H 3.11.2)."""
    return box.decision is None and (box.bet == 0 or box.flop == 0)


def returned(box: int, wager: Wager, amount: int, rule: str) -> Line:
    return Line(box, wager, RETURNED, amount, amount, rule)


def returned_all(box: Stakes, laid: Iterable[Laid], rule: str) -> list[Line]:
    return [returned(box.box, wager, amount, rule) for wager, amount, _antes in laid]


def lost_all(placed: Iterable[Placed], rule: str) -> list[Line]:
    return [line for one in placed for line in ended(one, LOSE, rule)]


def ended(placed: Placed, outcome: Outcome, rule: str) -> list[Line]:
    """A wager that wins nothing."""
    stake = placed.stake
    payout = 0 if outcome is LOSE else stake
    return _after_excess(placed, Line(placed.box, placed.wager, outcome, stake, payout, rule))


def won(placed: Placed, odds: Odds, rule: str, *, most: int | None = None) -> list[Line]:
    """`most`: no more than 4.1.1 allows is won; the stake goes back on top."""
    stake = placed.stake
    winnings = stake * odds.times
    if most is not None and winnings > most:
        winnings, rule = most, "4.1.1"
    return _after_excess(
        placed, Line(placed.box, placed.wager, WIN, stake, stake + winnings, rule, odds.text)
    )


def _after_excess(placed: Placed, line: Line) -> list[Line]:
    if not placed.excess:
        return [line]
    return [returned(placed.box, placed.wager, placed.excess, placed.excess_rule), line]
