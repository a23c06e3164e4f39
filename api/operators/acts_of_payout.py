"""Acts about what was paid, each with its body: a slip is printed, money is handed over, or nobody comes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictStr

from api.operators.act import DESK, NAMED_LINK, SUPERVISOR, Act, Asked, People
from api.operators.act_answers import HANDED_OVER, PRINTED, UNCLAIMED
from api.operators.wire import Note, Nothing, Reasoned, Said
from jackpot.link.commands import HandOver, LeaveUnclaimed, PrintSlip
from jackpot.link.execution import LONGEST_TEXT
from jackpot.link.handovers import Method


class HandingOverSaid(Said):
    reference: Annotated[
        StrictStr,
        Field(
            max_length=LONGEST_TEXT,
            description="Under which another system knows who was paid, as the number of the identity check:"
            " letters, digits, - / . and _, with a digit. Never a name or the number of a document.",
        ),
    ]
    method: Method
    note: Note = Field(default="", description="Of `several` methods: how much by which.")


def _hand_over(asked: Asked[HandingOverSaid]) -> HandOver:
    said = asked.said
    return HandOver(
        person=asked.person,
        act_id=asked.key,
        win=asked.id,
        reference=said.reference,
        method=said.method,
        note=said.note,
    )


PRINT_SLIP = Act(
    name="print_slip",
    path="/links/{link}/wins/{win}/slip",
    people=People.ONE,
    roles=DESK,
    body=Nothing,
    example={},
    place=NAMED_LINK,
    command=lambda asked: PrintSlip(person=asked.person, act_id=asked.key, win=asked.id),
    preview=None,
    reply=PRINTED,
    summary="Count a print of a slip",
    description="""
    Of a paid win or late claim until it is handed over. The first is the original (`copy` 1); what is printed
    again says which copy it is.
    """,
)

HAND_OVER = Act(
    name="hand_over",
    path="/links/{link}/wins/{win}/hand-over",
    people=People.ONE,
    roles=DESK,
    body=HandingOverSaid,
    example={"reference": "IDC-2026-004711", "method": "cheque", "note": "cheque 100871"},
    place=NAMED_LINK,
    command=_hand_over,
    preview="hand_over",
    reply=HANDED_OVER,
    summary="Hand over what was paid",
    description="""
    What one person approves, one hands over, and who has approved it alone may not be that person (403
    `same_person`). What takes two to approve, as a royal flush, takes two to hand over: a proposal, which
    another person confirms. Unclaimed money that is handed over goes back to the prizes first.
    """,
)

LEAVE_UNCLAIMED = Act(
    name="leave_unclaimed",
    path="/links/{link}/wins/{win}/unclaimed",
    people=People.ONE,
    roles=SUPERVISOR,
    body=Reasoned,
    example={"reason": "nobody came within the year"},
    place=NAMED_LINK,
    command=lambda asked: LeaveUnclaimed(
        person=asked.person, act_id=asked.key, win=asked.id, reason=asked.said.reason
    ),
    preview="unclaimed",
    reply=UNCLAIMED,
    summary="Move what nobody came for to the unclaimed money",
    description="""
    Not before the time that the floor file sets (`unclaimed_after_days`) is over: 409 `not_overdue` says when
    that is. It can still be handed over later.
    """,
)
