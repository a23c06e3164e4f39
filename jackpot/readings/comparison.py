"""How the meters of each table's controller stand beside the House's own."""

from __future__ import annotations

from enum import StrEnum

from jackpot.core.records import frozen
from jackpot.link.meters import Difference, Meters
from jackpot.link.state import TableOfPlay
from jackpot.play.reconciliation import agreed, expected, house_after, last_over


class MetersState(StrEnum):
    TELLS_NONE = "tells_none"
    AGREES = "agrees"
    DIFFERS = "differs"


@frozen(kw_only=True)
class Comparison:
    table: str
    state: MetersState
    round: int | None
    """The last that is over; None before there was one."""
    house: Meters
    """The House's own after it."""
    agreed: int | None
    """The round after which both last agreed."""
    told: Meters | None
    """What the controller told after that round, or after the one of the difference; None if that is too long
    ago to be remembered."""
    difference: Difference | None


def comparison(table: TableOfPlay) -> Comparison:
    state = MetersState.TELLS_NONE if table.baseline is None else MetersState.AGREES
    return Comparison(
        table=table.setup.id,
        state=state if table.difference is None else MetersState.DIFFERS,
        round=last_over(table) or None,
        house=table.meters,
        agreed=_agreed(table),
        told=_told(table),
        difference=table.difference,
    )


def _agreed(table: TableOfPlay) -> int | None:
    if table.difference is not None:
        return table.difference.after
    return None if table.baseline is None else agreed(table, table.baseline)


def _told(table: TableOfPlay) -> Meters | None:
    if table.difference is not None:
        return table.difference.told
    baseline = table.baseline
    house = None if baseline is None else house_after(table, agreed(table, baseline))
    return None if baseline is None or house is None else expected(table, baseline, house)
