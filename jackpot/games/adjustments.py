"""What a later settlement of the same round changes in what the players have been handed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jackpot.core.records import frozen
from jackpot.games.lines import Line, Wager


@frozen(kw_only=True)
class Adjusted:
    """A box's wager whose payout is another now: `before` plus `difference` is `after`."""

    box: int
    wager: Wager
    before: int
    after: int

    @property
    def difference(self) -> int:
        """Above zero the player is handed more, below zero it is taken back."""
        return self.after - self.before


def adjusted(before: Sequence[Line], after: Sequence[Line]) -> tuple[Adjusted, ...]:
    """By box and wager, for each told before that has changed. One that is told for the first time changes
    nothing: it is handed out as the new settlement says."""
    if not before:
        return ()
    old, new = _payouts(before), _payouts(after)
    return tuple(
        [
            Adjusted(box=box, wager=wager, before=old[box, wager], after=new.get((box, wager), 0))
            for box, wager in sorted(old, key=_place)
            if old[box, wager] != new.get((box, wager), 0)
        ]
    )


def _payouts(lines: Iterable[Line]) -> dict[tuple[int, Wager], int]:
    found: dict[tuple[int, Wager], int] = {}
    for line in lines:
        place = line.box, line.wager
        found[place] = found.get(place, 0) + line.payout
    return found


_ORDER = list(Wager)


def _place(place: tuple[int, Wager]) -> tuple[int, int]:
    box, wager = place
    return box, _ORDER.index(wager)
