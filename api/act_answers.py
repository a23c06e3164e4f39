"""What an act of the House is answered."""

from __future__ import annotations

from pydantic import Field

from api.house_answers import Cents, Told
from jackpot.answers import Meter


class MeterNow(Told):
    value: Cents
    sequence: int

    @classmethod
    def of(cls, meter: Meter) -> MeterNow:
        return cls(value=meter.value, sequence=meter.sequence)


class Done(Told):
    meter: MeterNow


class Approved(Done):
    win: str
    state: str
    approvals_given: int


class Proposed(Done):
    proposal: str = Field(description="Another person has to confirm it.")


class Decided(Done):
    proposal: str
    state: str = Field(description="confirmed or withdrawn.")


class DeclaredMalfunction(Done):
    id: str
