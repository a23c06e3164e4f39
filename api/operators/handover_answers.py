"""What people are told of slips: what was paid, to be handed over, handed over, or unclaimed."""

from __future__ import annotations

from pydantic import Field

from api.operators.house_answers import Instant, MinorUnits, Told, maybe
from jackpot.book.reading.handovers import Slip
from jackpot.core.instants import spoken_instant
from jackpot.core.money import spoken
from jackpot.core.numerals import Language, in_words
from jackpot.link.facts import WinHandedOver, WinPaid, WinUnclaimed
from jackpot.link.handovers import Handover, HandoverState, Method
from jackpot.link.state import Link
from jackpot.link.wins import percent_of
from jackpot.pools.handovers import overdue_from, people_needed


class SignedOff(Told):
    """An approval, or one of the two people who decided a late claim."""

    person: str
    at: Instant


class HandedOver(Told):
    at: Instant
    persons: list[str]
    reference: str = Field(description="Under which another system knows who was paid.")
    method: Method
    note: str


class Unclaimed(Told):
    at: Instant
    person: str
    reason: str


class HandoverTold(Told):
    slip: int = Field(description="Its number: per link, from 1, without gaps.")
    win: str = Field(description="The win, or the late claim.")
    claim: bool = Field(description="It is a late claim that was decided to be paid.")
    state: HandoverState
    amount: MinorUnits
    display: str
    table: str
    round: int
    box: int
    hand: str
    cards: list[str]
    percent: int = Field(description="The share of the displayed value that its level wins.")
    paid_at: Instant
    sequence: int = Field(description="The journal sequence of the payment.")
    approved_by: list[SignedOff]
    printed: int | None = Field(description="How often its slip was printed; null once it is handed over.")
    people_needed: int | None = Field(description="How many hand it over; null once that is done.")
    overdue_from: Instant | None = Field(
        description="From when it may go to the unclaimed money; null once it is handed over."
    )
    overdue: bool
    handed_over: HandedOver | None
    unclaimed: Unclaimed | None

    @classmethod
    def of(cls, link: Link, one: Slip, now: int) -> HandoverTold:
        waiting = link.handovers.get(one.win)
        overdue = None if waiting is None else overdue_from(link, waiting)
        return cls(
            slip=one.number,
            win=one.win,
            claim=not isinstance(one.payment, WinPaid),
            state=one.state,
            amount=one.payment.amount,
            display=spoken(one.payment.amount, link.currency),
            table=one.payment.table,
            round=one.payment.round,
            box=one.payment.box,
            hand=one.begun.hand,
            cards=list(one.begun.cards),
            percent=percent_of(one.begun.hand, one.begun.percent),
            paid_at=spoken_instant(one.paid.at),
            sequence=one.paid.sequence,
            approved_by=_approved_by(one),
            printed=None if waiting is None else waiting.printed,
            people_needed=None if waiting is None else people_needed(link, waiting),
            overdue_from=maybe(overdue),
            overdue=_is_overdue(waiting, overdue, now),
            handed_over=_handed_over(one),
            unclaimed=_unclaimed(one),
        )


def _is_overdue(waiting: Handover | None, overdue: int | None, now: int) -> bool:
    return waiting is not None and waiting.unclaimed is None and overdue is not None and overdue <= now


def _approved_by(one: Slip) -> list[SignedOff]:
    if isinstance(one.payment, WinPaid):
        return [
            SignedOff(person=approval.person, at=spoken_instant(approval.at))
            for approval in one.payment.approvals
        ]
    return [SignedOff(person=person, at=spoken_instant(one.paid.at)) for person in one.payment.persons]


def _handed_over(one: Slip) -> HandedOver | None:
    ending, changed = one.ending, one.changed
    if changed is None or not isinstance(ending, WinHandedOver):
        return None
    return HandedOver(
        at=spoken_instant(changed.at),
        persons=list(ending.persons),
        reference=ending.reference,
        method=ending.method,
        note=ending.note,
    )


def _unclaimed(one: Slip) -> Unclaimed | None:
    ending, changed = one.ending, one.changed
    if changed is None or not isinstance(ending, WinUnclaimed):
        return None
    return Unclaimed(at=spoken_instant(changed.at), person=ending.person, reason=ending.reason)


class Handovers(Told):
    handovers: list[HandoverTold] = Field(description="The latest slip first.")
    counts: dict[HandoverState, int] = Field(
        description="How many are due, and how many are unclaimed, on all pages."
    )
    amounts: dict[HandoverState, MinorUnits] = Field(description="What they come to.")
    overdue: int = Field(description="How many of those that are due may go to the unclaimed money.")
    next: int | None = Field(description="`before` of the next page; null on the last.")


WAITING = (HandoverState.DUE, HandoverState.UNCLAIMED)


def counted(link: Link, page: list[HandoverTold], following: int | None, now: int) -> Handovers:
    several = list(link.handovers.values())
    return Handovers(
        handovers=page,
        counts={state: sum(one.state is state for one in several) for state in WAITING},
        amounts={state: sum(one.amount for one in several if one.state is state) for state in WAITING},
        overdue=sum(_is_overdue(one, overdue_from(link, one), now) for one in several),
        next=following,
    )


class SlipTold(HandoverTold):
    link: str
    link_name: str
    currency: str
    game: str | None = Field(description="What the table plays; null once it was moved away.")
    amount_in_words: dict[Language, str] = Field(description="By language.")
    reading: MinorUnits | None = Field(description="What the percentage is of; null for a late claim.")
    tax_line: str | None = Field(description="As the floor file says it; null for a line to be filled in.")

    @classmethod
    def printed_of(cls, link: Link, one: Slip, *, now: int, tax_line: str | None) -> SlipTold:
        told = HandoverTold.of(link, one, now)
        amount, table = one.payment.amount, link.tables.get(told.table)
        return cls(
            **dict(told),
            link=link.id,
            link_name=link.name,
            currency=link.currency,
            game=None if table is None else table.setup.game,
            amount_in_words={name: in_words(amount, link.currency, name) for name in Language},
            reading=_reading(one),
            tax_line=tax_line,
        )


def _reading(one: Slip) -> int | None:
    if not isinstance(one.payment, WinPaid):
        return None
    return one.payment.before if one.payment.proof is None else one.payment.proof.reading
