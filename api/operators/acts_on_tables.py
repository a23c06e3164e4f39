"""Acts on tables, each with its body: in play or not, their limits, boxes and the name they are shown by."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Request
from pydantic import Field, StrictInt, StrictStr

from api.operators.act import DESK, SUPERVISOR, Act, Asked, People, Place, Target
from api.operators.act_answers import DONE
from api.operators.wire import Amount, Reason, Reasoned, Said, taken_away
from api.service import service_of
from jackpot.games.blackjack import SideLimits
from jackpot.link.commands import ChangeTable, CloseTable, OpenTable
from jackpot.link.table_terms import TableChanges
from jackpot.play.setup import LONGEST_NAME, MOST_BOXES

Boxes = Annotated[StrictInt, Field(ge=1, le=MOST_BOXES)]
TableName = Annotated[StrictStr, Field(max_length=LONGEST_NAME)]


async def link_of_table(request: Request, asked: Asked[object]) -> Target:
    return Target(await service_of(request.app).link_of(asked.id))


class SideSaid(Said):
    """Of a side bet, per box; of Boom Busted for the table. Null, or left out: no limit."""

    minimum: Amount | None = None
    maximum: Amount | None = None


class ChangeSaid(Said):
    """What every change of a table says."""

    reason: Reason
    known: StrictInt | None = Field(
        default=None,
        ge=0,
        description="`changed` of the table as the person saw it: 409 `terms_changed` if somebody else has"
        " changed it since. Left out: whatever it is.",
    )


class LimitsSaid(ChangeSaid):
    """Only what is to change; null takes a limit away."""

    minimum: Amount | None = None
    maximum: Amount | None = None
    side: Annotated[dict[StrictStr, SideSaid], Field(max_length=20)] = Field(
        default={}, description="At blackjack: the side bets whose limits change, both limits of each."
    )

    def changes(self) -> TableChanges:
        side = {name: SideLimits(minimum=one.minimum, maximum=one.maximum) for name, one in self.side.items()}
        return TableChanges(
            minimum=self.minimum,
            no_minimum=taken_away(self, "minimum"),
            maximum=self.maximum,
            no_maximum=taken_away(self, "maximum"),
            side=side,
        )


class BoxesSaid(ChangeSaid):
    boxes: Boxes

    def changes(self) -> TableChanges:
        return TableChanges(boxes=self.boxes)


class NameSaid(ChangeSaid):
    name: TableName = Field(description="Empty: the table is shown by its id.")

    def changes(self) -> TableChanges:
        return TableChanges(name=self.name.strip())


def _changing(asked: Asked[Any]) -> ChangeTable:
    said = asked.said
    return ChangeTable(
        person=asked.person,
        act_id=asked.key,
        table=asked.id,
        changes=said.changes(),
        reason=said.reason,
        known=said.known,
    )


CLOSE_TABLE = Act(
    name="close_table",
    path="/tables/{table}/close",
    people=People.ONE,
    roles=DESK,
    body=Reasoned,
    example={"reason": "controller silent"},
    place=Place(link_of_table),
    command=lambda asked: CloseTable(
        person=asked.person, act_id=asked.key, table=asked.id, reason=asked.said.reason
    ),
    preview="close_table",
    reply=DONE,
    summary="Take a table out of play",
    description="At once, even with a round open: a silent table then holds no win back.",
)

OPEN_TABLE = Act(
    name="open_table",
    path="/tables/{table}/open",
    people=People.ONE,
    roles=DESK,
    body=Reasoned,
    example={"reason": "controller replaced"},
    place=Place(link_of_table),
    command=lambda asked: OpenTable(
        person=asked.person, act_id=asked.key, table=asked.id, reason=asked.said.reason
    ),
    preview="open_table",
    reply=DONE,
    summary="Put a closed table back in play",
    description="""
    In play at once if it has been heard, else from its next message; it may number its messages anew.
    """,
)

CHANGE_LIMITS = Act(
    name="change_limits",
    path="/tables/{table}/limits",
    people=People.ONE,
    roles=DESK,
    body=LimitsSaid,
    example={"minimum": 5000, "maximum": 200000, "reason": "Friday night"},
    place=Place(link_of_table),
    command=_changing,
    preview="limits",
    reply=DONE,
    summary="Change the limits of a table",
    description="""
    From its next round on: a round that has begun is judged by the limits with which it began (5.1 to 5.3).
    Only what is to change is named; null takes a limit away.
    """,
)

CHANGE_NAME = Act(
    name="change_name",
    path="/tables/{table}/name",
    people=People.ONE,
    roles=DESK,
    body=NameSaid,
    example={"name": "Dragon room 1", "reason": "the new floor plan"},
    place=Place(link_of_table),
    command=_changing,
    preview="name",
    reply=DONE,
    summary="Change the name by which people are shown a table",
    description="Its id stays: credentials, journal and addresses go by that.",
)

CHANGE_BOXES = Act(
    name="change_boxes",
    path="/tables/{table}/boxes",
    people=People.ONE,
    roles=SUPERVISOR,
    body=BoxesSaid,
    example={"boxes": 6, "reason": "another layout"},
    place=Place(link_of_table),
    command=_changing,
    preview="boxes",
    reply=DONE,
    summary="Change the number of a table's boxes",
    description="""
    From its next round on. 409 `box_in_use` while a box that would be gone is blocked, or in play.
    """,
)
