"""The main game as a table settles it without the service, by the same rules."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.client.messages import Adjusted, Line
from jackpot.games.adjustments import adjusted
from jackpot.games.lines import Line as Settled
from jackpot.games.lines import Outcome, Wager


def told(lines: Iterable[Settled]) -> tuple[Line, ...]:
    return tuple(
        Line(
            box=line.box,
            wager=line.wager.value,
            outcome=line.outcome.value,
            stake=line.stake,
            payout=line.payout,
            won=line.won,
            collected=line.collected,
            rule=line.rule,
            pays=line.pays,
        )
        for line in lines
    )


def told_adjusted(before: Iterable[Line], after: Iterable[Settled]) -> tuple[Adjusted, ...]:
    """What changes in what the latest answer of the round handed out, whoever gave it."""
    return tuple(
        Adjusted(
            box=one.box,
            wager=one.wager.value,
            before=one.before,
            after=one.after,
            difference=one.difference,
        )
        for one in adjusted(settled_lines(before), tuple(after))
    )


def settled_lines(lines: Iterable[Line]) -> tuple[Settled, ...]:
    """What a table was told, as the rules read it."""
    return tuple(_settled(line) for line in lines)


def _settled(line: Line) -> Settled:
    return Settled(
        box=line.box,
        wager=Wager(line.wager),
        outcome=Outcome(line.outcome),
        stake=line.stake,
        payout=line.payout,
        rule=line.rule,
        pays=line.pays,
    )
