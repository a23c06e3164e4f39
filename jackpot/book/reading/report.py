"""What a link or pit did between two times: figures from the roll-ups, and the wins that ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.meters import figures_between
from jackpot.book.reading.pages import entries_of_kinds, span
from jackpot.core.money import Account
from jackpot.figures.meters import Figures
from jackpot.link.facts import ClaimDecided, WinPaid, WinRejected, WinWithdrawn, names_of

_METER = f"account.{Account.METER}.units"
_ENDINGS = names_of(WinPaid | WinRejected | WinWithdrawn | ClaimDecided)


@dataclass(frozen=True, slots=True)
class Report:
    first: int
    last: int
    figures: Figures
    endings: list[dict[str, Any]]
    """Wins paid, rejected or withdrawn and claims decided, as the journal says it; none in a pit."""

    @property
    def opening_units(self) -> int:
        return self.figures.before.whole.get(_METER, 0)

    @property
    def closing_units(self) -> int:
        return self.figures.after.whole.get(_METER, 0)


async def report(connection: AsyncConnection, name: str, *, since: int, until: int) -> Report:
    """From `since` on and before `until`."""
    first, last = await span(connection, name, since, until)
    figures = await figures_between(connection, name, first, last)
    return Report(first + 1, last, figures, await _endings(connection, name, first, last))


async def _endings(connection: AsyncConnection, name: str, first: int, last: int) -> list[dict[str, Any]]:
    found = await entries_of_kinds(connection, name, _ENDINGS, first=first + 1, last=last)
    return [{"sequence": one.sequence, "at": one.at, **one.told()["fact"]} for one in found]
