"""A gaming day as its closing has it: its bounds, what it came to, and what a person counted otherwise."""

from __future__ import annotations

from jackpot.core.records import frozen


@frozen(kw_only=True)
class ClosedDay:
    """The last one that was closed."""

    day: str
    end: int


@frozen(kw_only=True)
class Played:
    """What happened between two times, from one on and before the other."""

    first: int
    """The journal sequence of its first entry; one more than `last` if nothing happened."""
    last: int
    figures: dict[str, int]
    lifetime: dict[str, int]
    """What had happened since the link or pit began."""


@frozen(kw_only=True)
class Counted:
    """What a person counted of a figure, and why it differs, if it does."""

    figure: str
    counted: int
    note: str


@frozen(kw_only=True)
class Compared:
    """The same beside what the journal comes to."""

    figure: str
    recorded: int
    counted: int
    note: str
