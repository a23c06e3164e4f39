"""The lines of a settlement: one for each wager of a player, or for a part of it that ends on its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jackpot.core.records import frozen
from jackpot.games.lines import Outcome

WIN, LOSE, STAND_OFF, RETURNED = Outcome
_WORDS = {one: one.value for one in Outcome}

Place = tuple[int | None, str, int | None, str]
"""Box, player, hand, wager: what a wager is known by."""


@frozen(kw_only=True)
class Line:
    box: int | None
    """None: it lies on no box (Boom Busted)."""
    player: str
    hand: int | None
    """None for side bets and insurance."""
    wager: str
    outcome: Outcome
    stake: int
    payout: int
    """All that the player is handed: the stake and what it won, the stake alone, or nothing."""
    rule: str
    pays: str | None = None
    """The odds of a win: "3 to 2"."""
    marker: int | None = None
    """Of a Free Bet Marker, which is no stake: the value it pays on."""

    @property
    def won(self) -> int:
        """What the house adds to the stake."""
        return self.payout - self.stake if self.outcome is WIN else 0

    @property
    def collected(self) -> int:
        return self.stake if self.outcome is LOSE else 0

    @property
    def place(self) -> Place:
        return self.box, self.player, self.hand, self.wager


@frozen(kw_only=True)
class OpenWager:
    """A wager that lies on the layout and whose outcome is not known."""

    box: int | None
    player: str
    hand: int | None
    wager: str


@frozen(kw_only=True)
class Adjusted:
    """A wager whose payout is another now: `before` plus `difference` is `after`."""

    box: int | None
    player: str
    hand: int | None
    wager: str
    before: int
    after: int

    @property
    def place(self) -> Place:
        return self.box, self.player, self.hand, self.wager

    @property
    def difference(self) -> int:
        """Above zero the player is handed more, below zero it is taken back."""
        return self.after - self.before


def adjusted(before: Sequence[Line], after: Sequence[Line]) -> tuple[Adjusted, ...]:
    """For each wager told before whose payout has changed, in the order in which they were told. One that is
    told for the first time changes nothing: it is handed out as the new settlement says."""
    if not before:
        return ()
    old, new = _payouts(before), _payouts(after)
    return tuple(
        [
            Adjusted(
                box=place[0],
                player=place[1],
                hand=place[2],
                wager=place[3],
                before=handed,
                after=new.get(place, 0),
            )
            for place, handed in old.items()
            if handed != new.get(place, 0)
        ]
    )


def _payouts(lines: Iterable[Line]) -> dict[Place, int]:
    found: dict[Place, int] = {}
    for line in lines:
        place = line.place
        found[place] = found.get(place, 0) + line.payout
    return found


def established(lines: Iterable[Line]) -> bool:
    """Some bet has conclusively won or lost (5.4.1). A marker that wins nothing is no bet."""
    return any(line.won or line.collected for line in lines)


def shown(line: Line) -> dict[str, object]:
    """As on the wire."""
    fields: dict[str, object] = {
        "box": line.box,
        "player": line.player,
        "hand": line.hand,
        "wager": line.wager,
        "outcome": _WORDS[line.outcome],
        "stake": line.stake,
        "pays": line.pays,
        "payout": line.payout,
        "won": line.won,
        "collected": line.collected,
        "rule": line.rule,
    }
    return fields if line.marker is None else {**fields, "marker": line.marker}
