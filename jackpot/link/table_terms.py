"""What the House may change of a table while it runs: its limits, its boxes and the name it is shown by.

A round goes by the terms with which it began; what is changed holds from the next round on.
"""

from __future__ import annotations

from dataclasses import field

from jackpot.core.records import SPARSE, frozen
from jackpot.games.blackjack import SideLimits


@frozen(kw_only=True)
class TableTerms:
    boxes: int
    minimum: int | None = None
    maximum: int | None = None
    name: str = field(default="", metadata=SPARSE)
    side: dict[str, SideLimits] = field(default_factory=dict, metadata=SPARSE)


@frozen(kw_only=True)
class TableChanges:
    """New values for some of the terms; the others stay as they are."""

    boxes: int | None = None
    minimum: int | None = None
    no_minimum: bool = False
    maximum: int | None = None
    no_maximum: bool = False
    side: dict[str, SideLimits] = field(default_factory=dict)
    """Those named are to be so; the others stay."""
    name: str | None = None

    def applied_to(self, terms: TableTerms) -> TableTerms:
        return TableTerms(
            boxes=terms.boxes if self.boxes is None else self.boxes,
            minimum=_new(terms.minimum, self.minimum, gone=self.no_minimum),
            maximum=_new(terms.maximum, self.maximum, gone=self.no_maximum),
            name=terms.name if self.name is None else self.name,
            side=terms.side | self.side,
        )


def _new(was: int | None, now: int | None, *, gone: bool) -> int | None:
    return None if gone else was if now is None else now
