"""What a link's hands win, and how wins that meet are paid: the pay table and the award policy, as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum

from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.records import Kept, frozen
from jackpot.core.refusals import ParameterWrong
from jackpot.games.progressive import ALL_OF_IT, RULE_BOOK_LEVELS, Level, Prize
from jackpot.link.clocks import CLOCK_ERROR

HIGHEST_ODDS = 1_000_000
LONGEST_WINDOW = 60 * SECOND


class Policy(StrEnum):
    """How the wins of one cluster are paid: `jackpot.pools.policies` says what each means."""

    ORDERED = "ordered"
    """One after the other in the order of the deal (4.5)."""
    SPLIT = "split"
    """Together: those of a level share its amount."""
    FULL_EACH = "full_each"
    """Together: each the whole amount of its level."""


def _rule_book() -> dict[Hand, Prize]:
    return dict(RULE_BOOK_LEVELS)


@frozen(kw_only=True)
class Awards(Kept):
    levels: dict[Hand, Prize] = field(default_factory=_rule_book)
    policy: Policy = Policy.ORDERED
    window: int | None = None
    """Microseconds: wins whose intervals lie no further apart are simultaneous; None: those that overlap."""
    cap: int | None = None
    """The most that the fixed odds of one round pay together."""

    @property
    def together(self) -> bool:
        """Whether the wins of a cluster are paid of one reading, so that their order does not matter."""
        return self.policy is not Policy.ORDERED

    @property
    def of_rounds(self) -> Awards | None:
        """What a round has to say of them; None if its hands win what the rule book says, in the order of the
        deal."""
        usual = self.cap is None and self.levels == RULE_BOOK_LEVELS and not self.together
        return None if usual else self

    def share_of(self, hand: Hand) -> int:
        """Percent of the displayed value; of a hand that is no major, none."""
        prize = self.levels.get(hand)
        return 0 if prize is None else prize.share or 0

    def level_of(self, hand: Hand) -> Level | None:
        prize = self.levels.get(hand)
        return None if prize is None else prize.level

    def minor_award(self, hand: Hand, bet: int) -> int:
        """Odds are "for 1": the stake is not returned on top of them."""
        prize = self.levels.get(hand)
        return 0 if prize is None or prize.odds is None else prize.odds * bet

    def within_cap(self, awards: Mapping[int, int]) -> Mapping[int, int]:
        """The minors of one round by box. If they come to more than the cap they share it pro rata, each down
        to the minor unit."""
        total = sum(awards.values())
        if self.cap is None or total <= self.cap:
            return awards
        return {box: award * self.cap // total for box, award in awards.items()}


RULE_BOOK = Awards()


def levels_of(told: Iterable[tuple[Hand, int | None, int | None]]) -> dict[Hand, Prize]:
    """A pay table from a list of hand, share and odds."""
    levels: dict[Hand, Prize] = {}
    for hand, share, odds in told:
        if hand in levels:
            raise ParameterWrong(f"there are two levels for {hand.value}", field="level")
        levels[hand] = Prize(share=share, odds=odds)
    return levels


def check_awards(awards: Awards) -> Awards:
    """The awards, if a link can run on them."""
    for hand, prize in awards.levels.items():
        name = hand.value
        if (prize.share is None) == (prize.odds is None):
            raise ParameterWrong(f"{name} wins either a share or odds", field="level")
        if prize.share is not None and not 1 <= prize.share <= ALL_OF_IT:
            raise ParameterWrong(
                f"the share of {name} must be from 1 to 100 percent, not {prize.share}", field="level"
            )
        if prize.odds is not None and not 1 <= prize.odds <= HIGHEST_ODDS:
            raise ParameterWrong(
                f"the odds of {name} must be from 1 to {HIGHEST_ODDS}, not {prize.odds}", field="level"
            )
    if not any(prize.share == ALL_OF_IT for prize in awards.levels.values()):
        raise ParameterWrong("one level wins 100 percent: there the pool resets", field="level")
    if awards.window is not None and not 0 <= awards.window <= LONGEST_WINDOW:
        raise ParameterWrong("a window is from 0 to 60,000 ms", field="window_ms")
    if awards.cap is not None and not 1 <= awards.cap <= LARGEST_AMOUNT:
        raise ParameterWrong(f"cap must be from 1 to {LARGEST_AMOUNT}, not {awards.cap}", field="cap")
    return awards


def window_warning(awards: Awards) -> str | None:
    """What the House should hear of a window that the error of clocks makes useless."""
    if awards.window is None or awards.window >= CLOCK_ERROR:
        return None
    return (
        f"the window of {awards.window // MILLISECOND} ms is below the error of clocks,"
        f" {CLOCK_ERROR // MILLISECOND} ms: intervals of that width overlap anyway"
    )
