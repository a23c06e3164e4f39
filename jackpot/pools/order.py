"""Who was dealt first (4.5): certain order, honest ambiguity, and the line in which wins are paid.

Cards are dealt after the bets were answered, so a hand was dealt between the journal time of its round's bets
and the receipt of the hand: that interval the House has *witnessed*, whatever anybody stamps. A table's stamp
may narrow it, by the bounds that the House has measured of the table's clock, and never reach beyond it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from jackpot.core.instants import SECOND
from jackpot.core.records import frozen
from jackpot.link.parameters import Basis
from jackpot.link.wins import DealEvidence, Decision, Interval

STAMPS_MAY_CROSS = 2 * SECOND
"""How far a table's stamps may deny their own order: they are cut to what is possible, not refused."""


class Dealt(Protocol):
    @property
    def table(self) -> str: ...
    @property
    def round(self) -> int: ...
    @property
    def box(self) -> int: ...
    @property
    def interval(self) -> Interval: ...
    @property
    def witnessed(self) -> Interval: ...


class Deal(NamedTuple):
    """A hand with the one interval that counts."""

    id: str
    table: str
    round: int
    box: int
    interval: Interval


@frozen()
class Simultaneous:
    """What counts as simultaneous: intervals that overlap, or lie no further apart than the window."""

    window: int = 0
    together: bool = False
    """Simultaneous wins are paid together: then also those of one table."""

    def meet(self, one: Deal, other: Deal) -> bool:
        """Whether these, of one table, are told apart by their intervals alone, like those of two."""
        return self.together and (one.round == other.round or self.window > 0)

    def apart(self, one: Deal, other: Deal) -> bool:
        return one.interval.end + self.window < other.interval.start


OVERLAPPING = Simultaneous()


class Cluster(NamedTuple):
    """Wins whose order only the House can know (4.5.2), or a single win; in line order."""

    wins: tuple[str, ...]
    end: int
    """No hand that is dealt later is simultaneous with them."""
    decided: bool
    together: bool = False

    @property
    def ambiguous(self) -> bool:
        """Whether the House has to say an order."""
        return len(self.wins) > 1 and not self.together


def witnessed_interval(evidence: DealEvidence, *, dealt_from: int) -> Interval:
    """From the bets, as they were journalled, to the receipt of the hand."""
    return Interval(start=dealt_from, end=max(dealt_from, evidence.received_at + evidence.error))


def stamped_interval(evidence: DealEvidence, witnessed: Interval) -> Interval | None:
    """The stamp in house time, cut to what was witnessed; None if it lies wholly outside. A stamp of no live
    message says nothing, and without an echo the offset has only one end, as has the deal."""
    if evidence.dealt_at is None or not evidence.live or evidence.offset.most is None:
        return witnessed
    start, end = witnessed.start, min(witnessed.end, evidence.dealt_at + evidence.offset.most)
    if evidence.offset.least is not None:
        start = max(start, evidence.dealt_at + evidence.offset.least)
    return Interval(start=start, end=end) if start <= end else None


def clockwise(intervals: Sequence[Interval]) -> list[Interval]:
    """Intervals of one round's boxes in the order dealt, widened where their stamps deny that order."""
    starts = [one.start for one in intervals]
    ends = [one.end for one in intervals]
    for index in range(len(intervals) - 2, -1, -1):
        starts[index] = min(starts[index], starts[index + 1])
    for index in range(1, len(intervals)):
        ends[index] = max(ends[index], ends[index - 1])
    return [Interval(start=start, end=end) for start, end in zip(starts, ends, strict=True)]


def fitted(interval: Interval, place: tuple[int, int], others: Iterable[Dealt]) -> Interval:
    """Made to agree with the wins its table has in line already: a later deal does not start earlier."""
    start = interval.start
    for other in others:
        if (other.round, other.box) < place:
            start = max(start, other.interval.start)
    for other in others:
        if (other.round, other.box) > place:
            start = min(start, other.interval.start)
    return Interval(start=start, end=max(interval.end, start))


def counting(one: Dealt, basis: Basis, id: str = "") -> Deal:
    """With the interval that counts: what was stamped, or only what was witnessed."""
    interval = one.witnessed if basis is Basis.WITNESSED else one.interval
    return Deal(id, one.table, one.round, one.box, interval)


def certainly_before(one: Deal, other: Deal, simultaneous: Simultaneous = OVERLAPPING) -> bool:
    """At one table rounds follow each other and a round is dealt clockwise; across tables only intervals
    that do not touch tell which was first. Where simultaneous wins are paid together, those of one table are
    so too, but of different rounds only within a window: without one the House knows their order."""
    if one.table == other.table and not simultaneous.meet(one, other):
        return (one.round, one.box) < (other.round, other.box)
    return simultaneous.apart(one, other)


def basis_of(one: Dealt, others: Iterable[Dealt], simultaneous: Simultaneous = OVERLAPPING) -> Basis:
    """What it rests on that it stands before or after these, if it does so certainly."""
    ours = counting(one, Basis.WITNESSED)
    for other in others:
        theirs = counting(other, Basis.WITNESSED)
        if not (certainly_before(ours, theirs, simultaneous) or certainly_before(theirs, ours, simultaneous)):
            return Basis.STAMPED
    return Basis.WITNESSED


def proposed_before(one: Deal, other: Deal, simultaneous: Simultaneous = OVERLAPPING) -> bool:
    """Certain, or else the proposal of the service."""
    if certainly_before(one, other, simultaneous) or certainly_before(other, one, simultaneous):
        return certainly_before(one, other, simultaneous)
    return _middle_first(one) < _middle_first(other)


def _middle_first(one: Deal) -> tuple[int, str]:
    # Twice the middle, so that it stays an integer.
    return one.interval.start + one.interval.end, one.table


def line(
    wins: Iterable[tuple[str, Dealt]],
    decisions: Sequence[Decision],
    basis: Basis,
    simultaneous: Simultaneous = OVERLAPPING,
) -> tuple[Cluster, ...]:
    """Clusters in the order in which they are paid, each with its wins in order."""
    deals = [counting(one, basis, win) for win, one in wins]
    return _line(tuple(sorted(deals)), tuple(decision.wins for decision in decisions), simultaneous)


@lru_cache(maxsize=4096)
def _line(
    deals: tuple[Deal, ...], decisions: tuple[tuple[str, ...], ...], simultaneous: Simultaneous
) -> tuple[Cluster, ...]:
    after = _followers(deals, simultaneous)
    arranged = _clockwise if simultaneous.together else _arranged
    clusters = [
        Cluster(wins, _end(deals, members) + simultaneous.window, decided, simultaneous.together)
        for members in _components(len(deals), after)
        for wins, decided in [arranged(deals, members, after, decisions)]
    ]
    # Clusters never interleave: one that is certainly before some win of another is before all of them.
    index = {deal.id: number for number, deal in enumerate(deals)}
    return tuple(sorted(clusters, key=lambda one: -len(after[index[one.wins[0]]])))


def _followers(deals: tuple[Deal, ...], simultaneous: Simultaneous) -> list[set[int]]:
    """For each deal all that certainly come after it, also by way of others."""
    after: list[set[int]] = [
        {number for number, other in enumerate(deals) if certainly_before(deal, other, simultaneous)}
        for deal in deals
    ]
    for middle in range(len(deals)):
        for followers in after:
            if middle in followers:
                followers |= after[middle]
    return after


def _components(count: int, after: list[set[int]]) -> list[list[int]]:
    """Connected sets of deals of which neither is certainly first."""
    left, found = set(range(count)), []
    while left:
        reached, members = [left.pop()], []
        while reached:
            one = reached.pop()
            members.append(one)
            near = {other for other in left if other not in after[one] and one not in after[other]}
            left -= near
            reached += near
        found.append(sorted(members))
    return found


Decided = tuple[tuple[str, ...], ...]


def _end(deals: tuple[Deal, ...], members: list[int]) -> int:
    return max(deals[number].interval.end for number in members)


def _clockwise(
    deals: tuple[Deal, ...], members: list[int], _after: list[set[int]], _decisions: Decided
) -> tuple[tuple[str, ...], bool]:
    """Wins that are paid together: clockwise, then by table, which decides the last minor units alone."""
    there = sorted((deals[number] for number in members), key=lambda one: (one.box, one.table, one.round))
    return tuple(one.id for one in there), True


def _arranged(
    deals: tuple[Deal, ...], members: list[int], after: list[set[int]], decisions: Decided
) -> tuple[tuple[str, ...], bool]:
    """Its wins in order, and whether that order is beyond doubt."""
    ids = {deals[number].id for number in members}
    for decision in reversed(decisions):
        if ids <= set(decision):
            return tuple(win for win in decision if win in ids), True
    left, arranged = list(members), []
    while left:
        free = [one for one in left if not any(one in after[other] for other in left)]
        first = min(free, key=lambda n: (*_middle_first(deals[n]), deals[n].round, deals[n].box))
        left.remove(first)
        arranged.append(deals[first].id)
    return tuple(arranged), len(members) == 1


def contradicted(
    order: Sequence[str],
    wins: Iterable[tuple[str, Dealt]],
    basis: Basis,
    simultaneous: Simultaneous = OVERLAPPING,
) -> tuple[str, str] | None:
    """A pair that this order turns round although the deal leaves no doubt."""
    found = {win: counting(one, basis) for win, one in wins}
    for place, later in enumerate(order):
        for earlier in order[:place]:
            if certainly_before(found[later], found[earlier], simultaneous):
                return earlier, later
    return None
