"""What bodies of acts have in common: their parts, and those that several acts share."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from jackpot.core.money import LARGEST_AMOUNT, PARTS_PER_MILLION
from jackpot.link.execution import LONGEST_TEXT

Reason = Annotated[
    StrictStr, Field(min_length=1, max_length=LONGEST_TEXT, description="Why: it is kept in the journal.")
]
Note = Annotated[StrictStr, Field(max_length=LONGEST_TEXT)]
Name = Annotated[StrictStr, Field(min_length=1, max_length=120)]
LinkName = Annotated[StrictStr, Field(pattern="^[A-Za-z0-9_-]{1,40}$")]
Amount = Annotated[StrictInt, Field(ge=0, le=LARGEST_AMOUNT)]
Share = Annotated[StrictInt, Field(ge=0, le=PARTS_PER_MILLION)]


class Said(BaseModel):
    # A misspelt field must not pass for one that was left out.
    model_config = ConfigDict(extra="forbid", frozen=True)


def taken_away(said: Said, name: str) -> bool:
    """Said to be null, which is another thing than left out."""
    return name in said.model_fields_set and getattr(said, name) is None


class Nothing(Said):
    pass


class Noted(Said):
    note: Note = ""


class Reasoned(Said):
    reason: Reason
