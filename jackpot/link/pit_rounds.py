"""A round of play in a pit as it stands: the bets as they lay, what was last told of the play, and what is
known of the wagers."""

from __future__ import annotations

from dataclasses import dataclass, field

from jackpot.core.records import frozen
from jackpot.games.blackjack import Adjusted, Back, Bets, Consequence, Line, Report
from jackpot.games.blackjack.play import Whose
from jackpot.link.rounds import RoundOfPlay


@frozen(kw_only=True)
class ShoeCount:
    """How often each card has left a shoe since it was shuffled."""

    id: str
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(kw_only=True, slots=True)
class PitRound(RoundOfPlay):
    bets: Bets
    """As they lay when they were closed; none of a table that was closed."""
    report: Report | None = None
    """The round so far, as it was last told."""
    settlement: tuple[Line, ...] = ()
    """What is known of the wagers; provisional until the round stands."""
    adjustments: tuple[Adjusted, ...] = ()
    """What the latest report, or the void, changed in what the settlement before it had handed out."""
    handed_back: tuple[Line, ...] = ()
    """By a table that was closed: with the bets, of which none plays."""
    consequences: tuple[Consequence, ...] = ()
    """Of the irregularities that were declared, in their order."""
    voided_by_house: bool = False

    @property
    def returned(self) -> dict[Whose, Back]:
        """Whose bets the House has given back."""
        found: dict[Whose, Back] = {}
        for one in self.consequences:
            found |= one.returned
        return found

    @property
    def irregular(self) -> bool:
        return bool(self.consequences)
