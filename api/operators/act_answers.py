"""What an act of the House is answered: the model, with its status and its example."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pydantic import Field

from api.http.describing import ACT, Responses, answered, problems
from api.operators.house_answers import MinorUnits, Told
from jackpot.link.answers import Meter, ProposalAnswer

_METER = {"value": 5012345, "sequence": 812}


class MeterNow(Told):
    value: MinorUnits
    sequence: int

    @classmethod
    def of(cls, meter: Meter) -> MeterNow:
        return cls(value=meter.value, sequence=meter.sequence)


class Done(Told):
    meter: MeterNow | None = Field(description="Null in a pit, which has no jackpot.")


class Approved(Done):
    win: str
    state: str
    approvals_given: int


class SlipPrinted(Done):
    win: str
    slip: int
    copy_number: int = Field(serialization_alias="copy", description="1 is the original.")


class Moved(Done):
    win: str
    slip: int
    state: str = Field(description="handed_over or unclaimed.")


class Proposed(Done):
    proposal: str = Field(description="Another person has to confirm it.")


class Decided(Done):
    proposal: str
    state: str = Field(description="confirmed or withdrawn.")


class DeclaredMalfunction(Done):
    id: str


class Carried(NamedTuple):
    """An act that is durable."""

    answer: Any
    """Of the link: which of `jackpot.link.answers` depends on the act."""
    id: str
    """The win, claim, proposal, table, malfunction or difference that it was about."""
    currency: str

    @property
    def meter(self) -> MeterNow | None:
        return None if self.answer.meter is None else MeterNow.of(self.answer.meter)

    @property
    def is_proposed(self) -> bool:
        return isinstance(self.answer, ProposalAnswer)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    model: type[Done]
    status: int
    description: str
    example: Mapping[str, Any]
    """Besides the meter."""
    tell: Callable[[Carried], Done]
    proposes: str | None
    """When it is answered as proposed instead; None for never."""

    @property
    def responses(self) -> Responses:
        found = problems(*ACT) | answered(self.status, self.description, {**self.example, "meter": _METER})
        if self.proposes is not None:
            found[PROPOSED.status] = {"model": PROPOSED.model, "description": self.proposes}
        return found


def _approved(carried: Carried) -> Approved:
    answer = carried.answer
    return Approved(win=answer.win, state=answer.state, approvals_given=answer.approvals, meter=carried.meter)


def _moved(carried: Carried) -> Moved:
    answer = carried.answer
    return Moved(win=answer.win, slip=answer.slip, state=answer.state, meter=carried.meter)


DONE = Reply(
    model=Done,
    status=200,
    description="Done and durable",
    example={},
    tell=lambda carried: Done(meter=carried.meter),
    proposes=None,
)
PROPOSED = Reply(
    model=Proposed,
    status=202,
    description="Another person has to confirm it",
    example={"proposal": "main.p814"},
    tell=lambda carried: Proposed(proposal=carried.answer.proposal, meter=carried.meter),
    proposes=None,
)
APPROVED = Reply(
    model=Approved,
    status=200,
    description="Approved and durable",
    example={"win": "stud-01.7.1.1", "state": "ordered", "approvals_given": 1},
    tell=_approved,
    proposes=None,
)
REJECTED = replace(APPROVED, proposes="A royal flush: another person has to confirm it")
CONFIRMED = Reply(
    model=Decided,
    status=200,
    description="Done and durable",
    example={"proposal": "main.p814", "state": "confirmed"},
    tell=lambda carried: Decided(proposal=carried.id, state="confirmed", meter=carried.meter),
    proposes=None,
)
WITHDRAWN = replace(
    CONFIRMED, tell=lambda carried: Decided(proposal=carried.id, state="withdrawn", meter=carried.meter)
)
DECLARED = Reply(
    model=DeclaredMalfunction,
    status=201,
    description="Declared and durable",
    example={"id": "main.m815"},
    tell=lambda carried: DeclaredMalfunction(id=carried.answer.malfunction, meter=carried.meter),
    proposes=None,
)
PRINTED = Reply(
    model=SlipPrinted,
    status=200,
    description="Counted and durable",
    example={"win": "stud-01.7.1.1", "slip": 12, "copy": 1},
    tell=lambda carried: SlipPrinted(
        win=carried.answer.win,
        slip=carried.answer.slip,
        copy_number=carried.answer.copy,
        meter=carried.meter,
    ),
    proposes=None,
)
UNCLAIMED = Reply(
    model=Moved,
    status=200,
    description="Moved and durable",
    example={"win": "stud-01.7.1.1", "slip": 12, "state": "unclaimed"},
    tell=_moved,
    proposes=None,
)
HANDED_OVER = replace(
    UNCLAIMED,
    description="Handed over and durable",
    example={"win": "stud-01.7.1.1", "slip": 12, "state": "handed_over"},
    proposes="What takes two to approve: another person has to confirm it",
)
