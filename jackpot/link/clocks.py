"""What the House knows of a table's clock: measured from its own receipts and echoes, never believed.

House time is table time plus an offset. A message stamped `sent_at` and received at R was sent before it was
received: the offset is at most R - sent_at. The table heard an answer after the House gave it: the offset is
at least replied_at - heard_at. What a table claims of its clock is kept as its word and used for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.core.instants import SECOND
from jackpot.core.records import Kept, frozen

LOOSENS_PPM = 1_500
"""Both clocks run at their own pace, and either may be slewed while it is set right."""
COUNTS_FOR = 60 * SECOND
CLOCK_ERROR = COUNTS_FOR * LOOSENS_PPM // 1_000_000
"""What a bound may have loosened by before it no longer counts: 90 ms."""
LIVE_WITHIN = 2 * SECOND
"""A message received later than this after it was sent tells no deal times."""
BOUNDS_KEPT = 8
ANSWERS_KEPT = 8


@frozen(kw_only=True)
class Bound(Kept):
    """A limit of the offset, exact at one house time and looser the further from it."""

    at: int
    limit: int


@frozen(kw_only=True)
class Offset:
    """Between these; None where nothing is known."""

    least: int | None = None
    most: int | None = None

    def or_looser(self, other: Offset) -> Offset:
        """Whatever either allows."""
        least = None if self.least is None or other.least is None else min(self.least, other.least)
        most = None if self.most is None or other.most is None else max(self.most, other.most)
        return Offset(least=least, most=most)


@frozen(kw_only=True)
class Echo:
    """An answer that the table heard: when the House gave it, and when by the table's clock it came."""

    replied_at: int
    heard_at: int


@frozen(kw_only=True)
class Told(Kept):
    """An answer that the House gave a table, and the reading that came with it."""

    replied_at: int
    error: int
    """Of the replica that made the stamp."""
    sequence: int
    era: int
    """When house time had last broken: an echo across a break measures nothing."""


@frozen(kw_only=True)
class Bounds:
    """The tightest bounds of the last minute, oldest first: those that a later one does not make useless."""

    most: tuple[Bound, ...] = ()
    least: tuple[Bound, ...] = ()

    def offset(self, at: int) -> Offset:
        """At a moment of house time."""
        return Offset(least=self.least_at(at), most=self.most_at(at))

    def most_at(self, at: int) -> int | None:
        tightest = None
        for one in self.most:
            limit = one.limit - (-abs(at - one.at) * LOOSENS_PPM // 1_000_000)
            if tightest is None or limit < tightest:
                tightest = limit
        return tightest

    def least_at(self, at: int) -> int | None:
        tightest = None
        for one in self.least:
            limit = one.limit + (-abs(at - one.at) * LOOSENS_PPM // 1_000_000)
            if tightest is None or limit > tightest:
                tightest = limit
        return tightest

    def contradictory(self, at: int) -> bool:
        least, most = self.least_at(at), self.most_at(at)
        return least is not None and most is not None and least > most

    @property
    def echoed_at(self) -> int | None:
        """When the newest echo that counts was received."""
        return max((one.at for one in self.least), default=None)

    def since(self, earliest: int) -> Bounds:
        """Without those that are older."""
        for bound in (*self.most, *self.least):
            if bound.at < earliest:
                break
        else:
            return self
        return Bounds(
            most=tuple([one for one in self.most if one.at >= earliest]),
            least=tuple([one for one in self.least if one.at >= earliest]),
        )

    def and_at_most(self, bound: Bound) -> Bounds:
        tighter = [one for one in self.most if one.limit + _loosened(one, bound.at) < bound.limit]
        return Bounds(most=(*tighter[: BOUNDS_KEPT - 1], bound), least=self.least)

    def and_at_least(self, bound: Bound) -> Bounds:
        tighter = [one for one in self.least if one.limit - _loosened(one, bound.at) > bound.limit]
        return Bounds(most=self.most, least=(*tighter[: BOUNDS_KEPT - 1], bound))


def _loosened(one: Bound, at: int) -> int:
    return -(-abs(at - one.at) * LOOSENS_PPM // 1_000_000)


@frozen()
class Measured:
    """A table's clock after one more message."""

    bounds: Bounds
    contradiction: bool = False
    """What it says now and what it said before cannot both be: its clock was set."""


def measured(
    known: Bounds, *, sent_at: int, received_at: int, error: int, echoed: tuple[Echo, Told] | None
) -> Measured:
    """`error` is the receiving replica's. The bound of an echo is as old as the answer that it is of."""
    upper = Bound(at=received_at, limit=received_at + error - sent_at)
    lower = None
    if echoed is not None:
        echo, answer = echoed
        lower = Bound(at=answer.replied_at, limit=answer.replied_at - answer.error - echo.heard_at)
    found = known.since(received_at - COUNTS_FOR).and_at_most(upper)
    found = found if lower is None else found.and_at_least(lower)
    if not found.contradictory(received_at):
        return Measured(found)
    alone = Bounds(most=(upper,))
    with_echo = alone if lower is None else alone.and_at_least(lower)
    return Measured(alone if with_echo.contradictory(received_at) else with_echo, contradiction=True)


def echoed(
    echo: Echo | None, told: Iterable[Told], *, sent_at: int, received_at: int, era: int
) -> tuple[Echo, Told] | None:
    """An echo with the answer that it is of. It counts only of an answer that the House gave this table since
    house time last broke and within the last minute, and if it was heard before the message was sent."""
    if echo is None or echo.heard_at > sent_at:
        return None
    for one in told:
        if one.replied_at == echo.replied_at >= received_at - COUNTS_FOR and one.era == era:
            return echo, one
    return None
