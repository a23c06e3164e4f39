"""What the House says: bodies of its acts, and the parts of commands they become."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from jackpot.commands import DeclareIrregularity, DeclareMalfunction
from jackpot.desk import LONGEST_TEXT
from jackpot.instants import parse_instant
from jackpot.irregularities import Choice, Irregularity, Resolution
from jackpot.money import LARGEST_AMOUNT, PARTS_PER_MILLION, Account
from jackpot.parameters import Changes
from jackpot.proposals import Adjustment, ParameterChange, PoolTransfer, Retirement
from jackpot.state import Scope, Then
from jackpot.wins import ClaimOutcome

Reason = Annotated[
    StrictStr, Field(min_length=1, max_length=LONGEST_TEXT, description="Why: it is kept in the journal.")
]
Note = Annotated[StrictStr, Field(max_length=LONGEST_TEXT)]
Name = Annotated[StrictStr, Field(min_length=1, max_length=120)]
LinkName = Annotated[StrictStr, Field(pattern="^[A-Za-z0-9_-]{1,40}$")]
Amount = Annotated[StrictInt, Field(ge=0, le=LARGEST_AMOUNT)]
Share = Annotated[StrictInt, Field(ge=0, le=PARTS_PER_MILLION)]
When = Literal["next_reset", "now"]
BoxNumber = Annotated[StrictInt, Field(ge=1, le=20)]
Boxes = Annotated[list[BoxNumber], Field(max_length=20)]


class Said(BaseModel):
    # A misspelt field must not pass for one that was left out.
    model_config = ConfigDict(extra="forbid", frozen=True)


class Nothing(Said):
    pass


class Noted(Said):
    note: Note = ""


NOTHING_NOTED = Noted()


class Reasoned(Said):
    reason: Reason


class OrderSaid(Said):
    wins: Annotated[list[Name], Field(min_length=1, max_length=200)]
    reason: Reason


class SeedSaid(Said):
    seed: Amount
    reason: Reason
    when: When = "next_reset"

    def change(self) -> ParameterChange:
        return ParameterChange(changes=Changes(seed=self.seed), now=self.when == "now")


class ParametersSaid(Said):
    """Only what is to change. `ceiling` null takes the ceiling away."""

    seed: Amount | None = None
    meter_ppm: Share | None = None
    reserve_ppm: Share | None = None
    ceiling: Amount | None = None
    reason: Reason
    when: When = "next_reset"

    def change(self) -> ParameterChange:
        changes = Changes(
            seed=self.seed,
            meter_ppm=self.meter_ppm,
            reserve_ppm=self.reserve_ppm,
            ceiling=self.ceiling,
            no_ceiling="ceiling" in self.model_fields_set and self.ceiling is None,
        )
        return ParameterChange(changes=changes, now=self.when == "now")


class AdjustmentSaid(Said):
    amount: Annotated[
        StrictInt,
        Field(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT, description="Above zero it raises the meter."),
    ]
    account: Literal["house", "reserve", "overflow"] = Field(alias="from")
    reason: Reason

    def change(self) -> Adjustment:
        return Adjustment(amount=self.amount, account=Account(self.account))


class TransferSaid(Said):
    to: LinkName
    amount: Annotated[StrictInt, Field(ge=1, le=LARGEST_AMOUNT)]
    account: Literal["meter", "overflow", "reserve"] = Field(alias="from", default="meter")
    reason: Reason

    def change(self) -> PoolTransfer:
        return PoolTransfer(to=self.to, amount=self.amount, account=Account(self.account))


class RetirementSaid(Said):
    to: LinkName | None = Field(description="The link that takes the whole pool; null for the house.")
    reason: Reason

    def change(self) -> Retirement:
        return Retirement(to=self.to)


class ScopeSaid(Said):
    """`link`, or `table`, or `table` and `box`."""

    link: Name | None = None
    table: Name | None = None
    box: BoxNumber | None = None


class MalfunctionSaid(Said):
    scope: ScopeSaid
    observed_at: Annotated[StrictStr, Field(max_length=40, json_schema_extra={"format": "date-time"})]
    cards_seen: Annotated[dict[Name, StrictBool], Field(max_length=1000)] = {}
    then: Then
    note: Note = ""

    def declared(self, *, person: str, act_id: str | None, by_table: str | None = None) -> DeclareMalfunction:
        return DeclareMalfunction(
            person=person,
            act_id=act_id,
            by_table=by_table,
            scope=Scope(table=self.scope.table, box=self.scope.box),
            observed_at=parse_instant(self.observed_at, field="observed_at"),
            cards_seen=self.cards_seen,
            then=self.then,
            note=self.note,
        )


class IrregularitySaid(Said):
    paragraph: Annotated[
        StrictStr,
        Field(max_length=20, description="Its number in the table's own game, as 5.8.1."),
    ]
    cards_seen: StrictBool | None = Field(default=None, description="Whether any player has seen cards.")
    reconstructed: StrictBool | None = Field(
        default=None, description="Whether the cards can be put back into the order intended."
    )
    boxes: Boxes = Field(default=[], description="The boxes it happened to.")
    others: Boxes = Field(default=[], description="Boxes that 5.15 affects besides.")
    choices: Annotated[
        dict[Annotated[StrictStr, Field(pattern="^[1-9][0-9]?$")], Choice], Field(max_length=20)
    ] = Field(default={}, description="By box, what its player chose where 5.10 gives the options.")
    resolution: Resolution | None = Field(
        default=None, description="Where the House resolves it (S 5.24, H 5.23)."
    )
    note: Note = ""

    def declared(self, *, person: str, act_id: str | None, table: str, round: int) -> DeclareIrregularity:
        return DeclareIrregularity(
            person=person,
            act_id=act_id,
            table=table,
            round=round,
            said=Irregularity(
                paragraph=self.paragraph,
                cards_seen=self.cards_seen,
                reconstructed=self.reconstructed,
                boxes=tuple(self.boxes),
                others=tuple(self.others),
                choices={int(box): choice for box, choice in self.choices.items()},
                resolution=self.resolution,
                note=self.note,
            ),
        )


class DecisionSaid(Said):
    outcome: ClaimOutcome
    reason: Reason
