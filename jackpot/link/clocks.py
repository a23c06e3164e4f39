"""What the House knows of a table's clock: measured from its own receipts and echoes, never believed.

House time is table time plus an offset. A message stamped `sent_at` and received at R was sent before it was
received: the offset is at most R - sent_at. The table heard an answer after the House gave it: the offset is
at least replied_at - heard_at. What a table claims of its clock is kept as its word and used for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.core.instants import SECOND
from jackpot.core.records import Kept, frozen, maker

LOOSENS_PPM = 1_500
"""Both clocks run at their own pace, and either may be slewed while it is set right."""
COUNTS_FOR = 60 * SECOND
CLOCK_ERROR = COUNTS_FOR * LOOSENS_PPM // 1_000_000
"""What a bound may have loosened by before it no longer counts: 90 ms."""
LIVE_WITHIN = 2 * SECOND
"""A message received later than this after it was sent tells no deal times."""
BOUNDS_KEPT = 8
ANSWERS_KEPT = 8
_MILLION = 1_000_000


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
            limit = one.limit - (-abs(at - one.at) * LOOSENS_PPM // _MILLION)
            if tightest is None or limit < tightest:
                tightest = limit
        return tightest

    def least_at(self, at: int) -> int | None:
        tightest = None
        for one in self.least:
            limit = one.limit + (-abs(at - one.at) * LOOSENS_PPM // _MILLION)
            if tightest is None or limit > tightest:
                tightest = limit
        return tightest

    def may_exceed(self, limit: int, at: int) -> bool:
        """Whether the offset may be more than that."""
        for one in self.most:  # noqa: SIM110  a generator would cost more than what it goes through
            if one.limit - (-abs(at - one.at) * LOOSENS_PPM // _MILLION) <= limit:
                return False
        return True

    def needs_more(self, limit: int, at: int) -> bool:
        """Whether the offset must be more than that."""
        for one in self.least:
            if one.limit > limit and one.limit + (-abs(at - one.at) * LOOSENS_PPM // _MILLION) > limit:
                return True
        return False

    @property
    def echoed_at(self) -> int | None:
        """When the newest echo that counts was received."""
        return max((one.at for one in self.least), default=None)

    def since(self, earliest: int) -> Bounds:
        """Without those that are older."""
        most, least = _since(self.most, earliest), _since(self.least, earliest)
        return self if most is self.most and least is self.least else Bounds(most=most, least=least)


def _since(bounds: tuple[Bound, ...], earliest: int) -> tuple[Bound, ...]:
    for bound in bounds:
        if bound.at < earliest:
            return tuple([one for one in bounds if one.at >= earliest])
    return bounds


_new_bound, _new_bounds = maker(Bound), maker(Bounds)


@frozen()
class Measured:
    """A table's clock after one more message."""

    bounds: Bounds
    most: int | None
    """What the offset may be at most when the message is received; None where nobody has measured it."""
    contradiction: bool = False
    """What it says now and what it said before cannot both be: its clock was set."""


def measured(
    known: Bounds, *, sent_at: int, received_at: int, error: int, echoed: tuple[Echo, Told] | None
) -> Measured:
    """`known` are the bounds that count when it is received, `error` is the receiving replica's. The bound
    of an echo is as old as the answer that it is of."""
    upper = _new_bound(at=received_at, limit=received_at + error - sent_at)
    most, tightest = _and_at_most(known.most, upper)
    least, lower = known.least, None
    if echoed is not None:
        echo, answer = echoed
        lower = _new_bound(at=answer.replied_at, limit=answer.replied_at - answer.error - echo.heard_at)
        least = _and_at_least(least, lower)
    found = _new_bounds(most=most, least=least)
    if not found.needs_more(tightest, received_at):
        return Measured(found, tightest)
    newest = Bounds(most=(upper,), least=() if lower is None else (lower,))
    if newest.needs_more(upper.limit, received_at):
        newest = Bounds(most=(upper,))
    return Measured(newest, upper.limit, contradiction=True)


def _and_at_most(bounds: tuple[Bound, ...], new: Bound) -> tuple[tuple[Bound, ...], int]:
    """And how tight they are when the new one is."""
    at, tightest = new.at, new.limit
    tighter: list[Bound] = []
    for one in bounds:
        if one.limit >= new.limit:
            continue
        limit = one.limit - (-abs(at - one.at) * LOOSENS_PPM // _MILLION)
        if limit < new.limit and len(tighter) < BOUNDS_KEPT - 1:
            tighter.append(one)
            if limit < tightest:
                tightest = limit
    return (*tighter, new), tightest


def _and_at_least(bounds: tuple[Bound, ...], new: Bound) -> tuple[Bound, ...]:
    at, limit = new.at, new.limit
    tighter = [
        one
        for one in bounds
        if one.limit > limit and one.limit + (-abs(at - one.at) * LOOSENS_PPM // _MILLION) > limit
    ]
    return (*tighter[: BOUNDS_KEPT - 1], new)


def echoed(
    echo: Echo | None, told: Iterable[Told], *, sent_at: int, received_at: int, era: int
) -> tuple[Echo, Told] | None:
    """An echo with the answer that it is of. It counts only of an answer that the House gave this table since
    house time last broke and within the last minute, and if it was heard before the message was sent."""
    if echo is None or echo.heard_at > sent_at:
        return None
    replied_at = echo.replied_at
    for one in told:
        if one.replied_at == replied_at and one.era == era and replied_at >= received_at - COUNTS_FOR:
            return echo, one
    return None
