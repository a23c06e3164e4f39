"""What a dry run has found: both sides beside each other."""

from __future__ import annotations

from jackpot.cards.evaluator import Hand
from jackpot.core.money import Account
from jackpot.core.records import frozen
from jackpot.link.parameters import Changes, Parameters


@frozen(kw_only=True)
class Paid:
    """A payment on one side. Of a late claim there is only the amount."""

    at: int
    sequence: int
    amount: int
    reading: int | None = None
    """The value that the percentage is of: what was displayed, or registered before a malfunction."""
    percent: int | None = None


@frozen(kw_only=True)
class Payment:
    """A win or a late claim, as it was paid then and would have been so."""

    win: str
    table: str
    round: int
    box: int
    hand: Hand | None
    """None: of a claim from before the dry run began."""
    claim: bool
    then: Paid | None
    so: Paid | None

    @property
    def difference(self) -> int:
        then, so = self.then, self.so
        return (0 if so is None else so.amount) - (0 if then is None else then.amount)

    @property
    def at(self) -> int:
        return min([one.at for one in (self.then, self.so) if one is not None], default=0)


@frozen()
class Point:
    """Displayed values at a moment."""

    at: int
    then: int
    so: int


@frozen(kw_only=True)
class Crossing:
    """The displayed value has passed the point at which a bet favours its player, or has come back."""

    at: int
    sequence: int
    value: int
    break_even: int
    above: bool


@frozen(kw_only=True)
class Outcome:
    """What one side came to."""

    parameters: Parameters
    """At the end."""
    break_even: int
    """By them."""
    began: dict[Account, int]
    ended: dict[Account, int]
    highest: int
    highest_at: int
    resets: int
    majors: int
    """Paid to majors and late claims."""
    minors: int
    waiting: tuple[str, ...]
    """Wins not paid at the end."""
    crossings: tuple[Crossing, ...]


@frozen(kw_only=True)
class Findings:
    link: str
    name: str
    currency: str
    since: int
    until: int
    """Journal times of the first and the last entry."""
    first: int
    last: int
    overrides: Changes
    then: Outcome
    so: Outcome
    payments: tuple[Payment, ...]
    curve: tuple[Point, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    """What it cannot know, and what it had to assume."""
    proved: bool
    """Nothing was other than recorded: every fact came out as it was written."""
