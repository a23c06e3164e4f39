"""Who was dealt first (4.5): certain order, honest ambiguity, and the line in which wins are paid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from jackpot.wins import Clock, DealEvidence, Decision, Interval

DRIFT_PPM = 200
"""How fast a measurement of a clock loses its worth."""
SUSPECT_AFTER = 2_000_000
"""A live message further than this from its receipt has a clock that nobody knows."""
STAMPS_MAY_CROSS = SUSPECT_AFTER
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


class Deal(NamedTuple):
    id: str
    table: str
    round: int
    box: int
    interval: Interval


class Cluster(NamedTuple):
    """Wins whose order only the House can know (4.5.2), or a single win; in line order."""

    wins: tuple[str, ...]
    end: int
    decided: bool

    @property
    def ambiguous(self) -> bool:
        return len(self.wins) > 1


def house_time(stamp: int, clock: Clock) -> tuple[int, int]:
    """A table's stamp in house time, and its error: it grows with the measurement's age."""
    moment = stamp + clock.offset
    age = 0 if clock.measured_at is None else abs(moment - clock.measured_at)
    return moment, clock.error - (-age * DRIFT_PPM // 1_000_000)


def deal_interval(evidence: DealEvidence) -> Interval:
    """The stamp give or take its error, cut to what is possible: not before the bets closed, not after
    the message came."""
    possible = Interval(start=min(evidence.closed_from, evidence.received_at), end=evidence.received_at)
    if evidence.dealt_at is None or evidence.suspect:
        return possible
    moment = evidence.dealt_at + evidence.offset
    start = max(possible.start, moment - evidence.error)
    end = min(possible.end, moment + evidence.error)
    return Interval(start=start, end=end) if start <= end else possible


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


def certainly_before(one: Dealt, other: Dealt) -> bool:
    """At one table rounds follow each other and a round is dealt clockwise; across tables only intervals
    that do not touch tell which was first."""
    if one.table == other.table:
        return (one.round, one.box) < (other.round, other.box)
    return one.interval.end < other.interval.start


def proposed_before(one: Dealt, other: Dealt) -> bool:
    """Certain, or else the proposal of the service."""
    if certainly_before(one, other) or certainly_before(other, one):
        return certainly_before(one, other)
    return _middle_first(one) < _middle_first(other)


def _middle_first(one: Dealt) -> tuple[int, str]:
    # Twice the middle, so that it stays an integer.
    return one.interval.start + one.interval.end, one.table


def line(wins: Iterable[tuple[str, Dealt]], decisions: Sequence[Decision]) -> tuple[Cluster, ...]:
    """Clusters in the order in which they are paid, each with its wins in order."""
    deals = [Deal(win, one.table, one.round, one.box, one.interval) for win, one in wins]
    return _line(tuple(sorted(deals)), tuple(decision.wins for decision in decisions))


@lru_cache(maxsize=4096)
def _line(deals: tuple[Deal, ...], decisions: tuple[tuple[str, ...], ...]) -> tuple[Cluster, ...]:
    after = _followers(deals)
    clusters = [_arranged(deals, members, after, decisions) for members in _components(len(deals), after)]
    # Clusters never interleave: one that is certainly before some win of another is before all of them.
    index = {deal.id: number for number, deal in enumerate(deals)}
    return tuple(sorted(clusters, key=lambda one: -len(after[index[one.wins[0]]])))


def _followers(deals: tuple[Deal, ...]) -> list[set[int]]:
    """For each deal all that certainly come after it, also by way of others."""
    after: list[set[int]] = [
        {number for number, other in enumerate(deals) if certainly_before(deal, other)} for deal in deals
    ]
    # The latest start first: everything after a deal starts no earlier, so its followers are complete.
    latest_first = sorted(
        range(len(deals)), key=lambda n: (deals[n].interval.start, deals[n].round, deals[n].box), reverse=True
    )
    for number in latest_first:
        for follower in tuple(after[number]):
            after[number] |= after[follower]
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


def _arranged(
    deals: tuple[Deal, ...], members: list[int], after: list[set[int]], decisions: tuple[tuple[str, ...], ...]
) -> Cluster:
    ids = {deals[number].id for number in members}
    end = max(deals[number].interval.end for number in members)
    for decision in reversed(decisions):
        if ids <= set(decision):
            return Cluster(tuple(win for win in decision if win in ids), end, decided=True)
    left, arranged = list(members), []
    while left:
        free = [one for one in left if not any(one in after[other] for other in left)]
        first = min(free, key=lambda n: (*_middle_first(deals[n]), deals[n].round, deals[n].box))
        left.remove(first)
        arranged.append(deals[first].id)
    return Cluster(tuple(arranged), end, decided=len(members) == 1)


def contradicted(order: Sequence[str], wins: Iterable[tuple[str, Dealt]]) -> tuple[str, str] | None:
    """A pair that this order turns round although the deal leaves no doubt."""
    found = dict(wins)
    for place, later in enumerate(order):
        for earlier in order[:place]:
            if certainly_before(found[later], found[earlier]):
                return earlier, later
    return None
