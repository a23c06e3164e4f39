"""What the House should hear before it plays by these terms, though they are possible."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.link.awards import window_warning
from jackpot.link.parameters import Parameters
from jackpot.maths.caps import cap_warning
from jackpot.maths.odds import Wager, house_warning


def warnings(parameters: Parameters, boxes: Iterable[int], currency: str) -> list[str]:
    """At tables with so many boxes."""
    wager = Wager(parameters=parameters)
    found = (
        house_warning(wager),
        window_warning(parameters.awards),
        cap_warning(wager, boxes, currency),
    )
    return [one for one in found if one is not None]
