"""A dry run: the recorded side and the alternative one walk through the journal together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from jackpot.cards.evaluator import Hand
from jackpot.dryrun.alternative import Alternative, Recorded
from jackpot.dryrun.course import Course
from jackpot.dryrun.findings import Findings, Paid, Payment, Point
from jackpot.dryrun.notes import notes_of, warnings_of
from jackpot.dryrun.overrides import NOTHING
from jackpot.dryrun.playing import check_the_same, play
from jackpot.link.fact import Fact
from jackpot.link.facts import (
    ClaimDecided,
    ClaimRaised,
    Entry,
    HandoverFact,
    LinkCreated,
    ParametersChanged,
    Posted,
    RoundContinued,
    Stamp,
    WinPaid,
    WinRegistered,
    WinRejected,
    WinWithdrawn,
)
from jackpot.link.parameters import Changes
from jackpot.link.state import Link
from jackpot.machine.applying import unborn

POINTS = 600
"""Of the curve, beside those at payments."""

_OF_PAYMENTS = frozenset((WinPaid, ClaimRaised, ClaimDecided))


def commands(several: Iterable[Recorded]) -> Iterator[list[Recorded]]:
    """The facts of one command together; the last of each says so."""
    command: list[Recorded] = []
    for one in several:
        command.append(one)
        if one.ends:
            yield command
            command = []
    if command:
        yield command


def readings_asked_for(several: Iterable[Fact]) -> frozenset[int]:
    """The entries to whose reading a malfunction falls back."""
    return frozenset([one.registered.sequence for one in several if isinstance(one, RoundContinued)])


def _reading_of(fact: WinPaid) -> int:
    """Wins that are paid together are paid of one reading."""
    if fact.proof is not None:
        return fact.proof.reading
    return fact.before if fact.registered is None else fact.registered.value


class RecordedSide:
    """What the journal itself says: its moves are posted, and its parameters followed."""

    def __init__(self, link: Link) -> None:
        self.accounts = dict(link.pool.accounts)
        self.parameters = link.parameters
        self.waiting = dict.fromkeys(link.queue)

    def hear(self, fact: Fact) -> None:
        if isinstance(fact, Posted) and not isinstance(fact, HandoverFact):
            for account, units in fact.moves.items():
                self.accounts[account] += units
        match fact:
            case WinRegistered():
                self.waiting[fact.win] = None
            case WinWithdrawn() | WinRejected():
                del self.waiting[fact.win]
            case WinPaid():
                del self.waiting[fact.win]
                self.parameters = fact.parameters or self.parameters
            case LinkCreated() | ParametersChanged():
                self.parameters = fact.parameters


class DryRun:
    """Hears the journal command by command, and says at any time what it has found."""

    def __init__(
        self,
        overrides: Changes,
        *,
        entries: int,
        begin: Link | None = None,
        readings: Collection[int] = (),
    ) -> None:
        """Over so many entries: from the creation of the link, or from the state it had (`begin`)."""
        self.overrides = overrides
        self._readings, self._stride = readings, max(1, entries // POINTS)
        self._payments: dict[str, Payment] = {}
        self._claimed: dict[str, Hand] = {}
        self._curve: list[Point] = []
        self._first: Stamp | None = None
        self._drawn = 0
        if begin is not None:
            self._begin(begin)

    def _begin(self, link: Link) -> None:
        parameters = link.parameters if link.sequence else None
        self.recorded = RecordedSide(link)
        self._then = Course(self.recorded.accounts, parameters, link.time)
        self._so = Course(link.pool.accounts, parameters, link.time)
        self.side = Alternative(link, self.overrides, readings=self._readings)
        self._claimed = {one.id: one.hand for one in link.claims.values()}

    def hear(self, command: Sequence[Recorded]) -> None:
        first, last = command[0], command[-1].stamp
        if self._first is None:
            self._first = first.stamp
            if isinstance(first.fact, LinkCreated):
                link = unborn(Entry(first.stamp.sequence, first.stamp.at, first.fact, b"", ""))
                assert isinstance(link, Link)  # noqa: S101  what a LinkCreated creates
                self._begin(link)
        before = Point(last.at, self._then.value, self._so.value)
        for one in command:
            self.recorded.hear(one.fact)
        made = play(self.side, command)
        if self.overrides == NOTHING:
            check_the_same(command, made)
        self._then.look(self.recorded.parameters, last.at, last.sequence)
        self._so.look(self.side.link.parameters, last.at, last.sequence)
        recorded = [one.fact for one in command]
        if any(type(fact) in _OF_PAYMENTS for fact in [*recorded, *made]):
            self._compare(recorded, made, last, before)
        if last.sequence >= self._drawn:
            self._draw(last)

    def _draw(self, at: Stamp, before: Point | None = None) -> None:
        """With the point before it where the meter falls upright."""
        if before is not None:
            self._curve.append(before)
        self._curve.append(Point(at.at, self._then.value, self._so.value))
        self._drawn = at.sequence + self._stride

    def _compare(self, recorded: Sequence[Fact], made: Sequence[Fact], at: Stamp, before: Point) -> None:
        """The payments of a command, then and so."""
        for facts, course, then in ((recorded, self._then, True), (made, self._so, False)):
            for fact in facts:
                match fact:
                    case WinPaid():
                        self._paid(fact, course, at, then=then)
                    case ClaimDecided() if fact.amount:
                        self._claim(fact, course, at, then=then)
                    case ClaimRaised():
                        self._claimed[fact.claim] = fact.hand
        if any(isinstance(fact, WinPaid) for fact in [*recorded, *made]):
            self._draw(at, before)

    def _paid(self, fact: WinPaid, course: Course, at: Stamp, *, then: bool) -> None:
        course.majors += fact.amount
        course.resets += fact.parameters is not None
        paid = Paid(
            at=at.at,
            sequence=at.sequence,
            amount=fact.amount,
            reading=_reading_of(fact),
            percent=fact.percent,
        )
        new = Payment(
            win=fact.win,
            table=fact.table,
            round=fact.round,
            box=fact.box,
            hand=fact.hand,
            claim=False,
            then=None,
            so=None,
        )
        self._beside(new, paid, then=then)

    def _claim(self, fact: ClaimDecided, course: Course, at: Stamp, *, then: bool) -> None:
        course.majors += fact.amount
        new = Payment(
            win=fact.claim,
            table=fact.table,
            round=fact.round,
            box=fact.box,
            hand=self._claimed.get(fact.claim),
            claim=True,
            then=None,
            so=None,
        )
        self._beside(new, Paid(at=at.at, sequence=at.sequence, amount=fact.amount), then=then)

    def _beside(self, new: Payment, paid: Paid, *, then: bool) -> None:
        known = self._payments.get(new.win, new)
        self._payments[new.win] = replace(known, then=paid) if then else replace(known, so=paid)

    def findings(self) -> Findings:
        """What has come of it as far as it was heard."""
        first, side = self._first, self.side
        if first is None:
            raise ValueError("nothing was played")
        link = side.link
        self._draw(Stamp(link.sequence, link.time))
        then = self._then.outcome(tuple(self.recorded.waiting))
        so = self._so.outcome(tuple(link.queue))
        payments = tuple(sorted(self._payments.values(), key=lambda one: (one.at, one.win)))
        return Findings(
            link=link.id,
            name=link.name,
            currency=link.currency,
            since=first.at,
            until=link.time,
            first=first.sequence,
            last=link.sequence,
            overrides=self.overrides,
            then=then,
            so=so,
            payments=payments,
            curve=tuple(self._curve),
            warnings=warnings_of(side),
            notes=notes_of(side, payments, mid_journal=first.sequence > 1),
            proved=self.overrides == NOTHING,
        )
