"""From which displayed value on a bet returns more than it costs, and since when a link's is above it.

Worked out when somebody asks, and only anew when the link's parameters are others.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.meter_chart import last_at_or_below, time_of
from jackpot.link.parameters import Parameters
from jackpot.link.state import Link
from jackpot.maths.odds import Wager

MOST_ENTRIES = 200_000
"""How far back it is looked for the moment at which the displayed value passed it."""
PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class _Worked:
    parameters: Parameters
    wager: Wager
    value: Fraction


@dataclass(slots=True)
class _Passed:
    value: int
    """The largest number of minor units that is not above it."""
    looked_to: int
    """The last entry that was looked at: the value was above in all of them since."""
    at: int | None


class BreakEven:
    def __init__(self) -> None:
        self._worked: dict[str, _Worked] = {}
        self._passed: dict[str, _Passed] = {}

    def value(self, link: Link) -> int:
        """The least number of minor units at which a bet returns what it costs."""
        return ceil(self._of(link).value)

    def is_passed(self, link: Link) -> bool:
        return link.pool.value > self._of(link).value

    def edge_ppm(self, link: Link) -> int:
        """Of a bet, what its player loses on average; below zero, what he gains."""
        return floor(self._of(link).wager.edge_at(link.pool.value) * PER_MILLION)

    def _of(self, link: Link) -> _Worked:
        known = self._worked.get(link.id)
        if known is None or known.parameters != link.parameters:
            wager = Wager(parameters=link.parameters)
            known = self._worked[link.id] = _Worked(link.parameters, wager, wager.break_even)
        return known

    async def passed_at(self, connection: AsyncConnection, link: Link) -> int | None:
        """Of a link that is above it. None if that was too many entries ago. What was looked at once is not
        looked at again."""
        value, known = floor(self._of(link).value), self._passed.get(link.id)
        if known is None or known.value != value or known.looked_to > link.sequence:
            known = _Passed(value, max(0, link.sequence - MOST_ENTRIES), None)
        first = known.looked_to
        below = await last_at_or_below(connection, link.id, value, after=first, upto=link.sequence)
        if below is None and first == 0:
            below = 0  # it was above from the beginning
        if below is not None:
            known.at = await time_of(connection, link.id, below + 1)
        known.looked_to = link.sequence
        self._passed[link.id] = known
        return known.at
