"""Acts on tables, each with its body: in play or not, their limits, boxes and the name they are shown by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Request
from pydantic import Field, StrictInt, StrictStr

from api.operators.act import DESK, NAMED_LINK, SUPERVISOR, Act, Asked, People, Place, Target
from api.operators.act_answers import DONE
from api.operators.wire import Amount, LinkName, Reason, Reasoned, Said, taken_away
from api.service import service_of
from jackpot.book.stores.committed import PitUnknown
from jackpot.cards.chances import MadeOf
from jackpot.core.refusals import ParameterWrong
from jackpot.games import GAMES, Game
from jackpot.games.blackjack import PitGame, SideLimits
from jackpot.link.commands import AddTable, ChangeTable, CloseTable, MoveTable, OpenTable
from jackpot.link.execution import reasoned
from jackpot.link.state import PitSetup, TableSetup
from jackpot.link.table_terms import TableChanges
from jackpot.maths.odds import check_five_cards
from jackpot.play.setup import LONGEST_NAME, MOST_BOXES

Boxes = Annotated[StrictInt, Field(ge=1, le=MOST_BOXES)]
TableName = Annotated[StrictStr, Field(max_length=LONGEST_NAME)]


TableIdSaid = Annotated[StrictStr, Field(pattern="^[A-Za-z0-9_-]{1,40}$")]


async def _named_pit(request: Request, asked: Asked[object]) -> Target:
    if not service_of(request.app).hub.is_pit(asked.link):
        raise PitUnknown(asked.link)
    return Target(asked.link)


async def link_of_table(request: Request, asked: Asked[object]) -> Target:
    return Target(await service_of(request.app).link_of(asked.id))


class SideSaid(Said):
    """Of a side bet, per box; of Boom Busted for the table. Null, or left out: no limit."""

    minimum: Amount | None = None
    maximum: Amount | None = None


def _side(said: Mapping[str, SideSaid]) -> dict[str, SideLimits]:
    return {name: SideLimits(minimum=one.minimum, maximum=one.maximum) for name, one in said.items()}


class ChangeSaid(Said):
    """What every change of a table says."""

    reason: Reason
    known: StrictInt | None = Field(
        default=None,
        ge=0,
        le=2**62,
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
        return TableChanges(
            minimum=self.minimum,
            no_minimum=taken_away(self, "minimum"),
            maximum=self.maximum,
            no_maximum=taken_away(self, "maximum"),
            side=_side(self.side),
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


# Moving one


class MoveSaid(Said):
    to: LinkName = Field(description="The link or pit that it goes to.")
    reason: Reason


MOVE_TABLE = Act(
    name="move_table",
    path="/tables/{table}/move",
    people=People.ONE,
    roles=SUPERVISOR,
    body=MoveSaid,
    example={"to": "high", "reason": "the big game"},
    place=Place(link_of_table),
    command=lambda asked: MoveTable(
        person=asked.person, act_id=asked.key, table=asked.id, to=asked.said.to, reason=asked.said.reason
    ),
    preview="move",
    reply=DONE,
    summary="Move a table to another link or pit",
    description="""
    Its last round stands, and no win, late claim or malfunction of it is open (409 `table_busy`); both places
    have one currency (409 `currency_differs`). Blackjack goes to pits, the games with a jackpot to links. It
    keeps id, terms, credentials and its count of rounds; what it played stays where it was played.
    """,
)


# Adding one


class NewTableSaid(Said):
    """What a table on a link and one in a pit have in common."""

    id: TableIdSaid
    boxes: Boxes
    minimum: Amount | None = None
    maximum: Amount | None = None
    name: TableName = ""
    reason: Reason


class LinkTableSaid(NewTableSaid):
    game: Game
    progressive_hand: MadeOf = MadeOf.FIVE_CARDS
    most_won: Amount | None = Field(
        default=None,
        description="The most that a box wins with a wager (4.1.1), where the rule book does not say it.",
    )

    def setup(self) -> TableSetup:
        rulebook = GAMES[self.game]
        if rulebook.progressive is not None and self.progressive_hand not in rulebook.progressive.could_be:
            raise ParameterWrong(f"{rulebook.name} deals five cards", field="progressive_hand")
        check_five_cards(self.id, self.progressive_hand)
        return TableSetup(
            id=self.id,
            game=self.game,
            boxes=self.boxes,
            minimum=self.minimum,
            maximum=self.maximum,
            name=self.name.strip(),
            most_won=self.most_won,
        )


class PitTableSaid(NewTableSaid):
    game: PitGame
    decks: Annotated[StrictInt, Field(ge=1, le=20)]
    side: Annotated[dict[StrictStr, SideSaid], Field(max_length=20)] = Field(default={})

    def setup(self) -> PitSetup:
        return PitSetup(
            id=self.id,
            game=self.game,
            decks=self.decks,
            boxes=self.boxes,
            minimum=self.minimum,
            maximum=self.maximum,
            name=self.name.strip(),
            side=_side(self.side),
        )


def _adding(asked: Asked[Any]) -> AddTable:
    said = asked.said
    return AddTable(person=asked.person, act_id=asked.key, setup=said.setup(), reason=reasoned(said.reason))


ADD_TABLE = Act(
    name="add_table",
    path="/links/{link}/tables",
    people=People.ONE,
    roles=SUPERVISOR,
    body=LinkTableSaid,
    example={"id": "stud-09", "game": "casino_stud", "boxes": 7, "maximum": 200000, "reason": "a new table"},
    place=NAMED_LINK,
    command=_adding,
    preview="add_table",
    reply=DONE,
    summary="Add a table to a link",
    description="""
    It plays as soon as its controller is heard, which needs a credential: `jackpot token create`. A table of
    that id anywhere is 409 `table_already_known`; odds that differ from the others' are 422 `unequal_odds`.
    """,
)

ADD_PIT_TABLE = Act(
    name="add_pit_table",
    path="/pits/{pit}/tables",
    people=People.ONE,
    roles=SUPERVISOR,
    body=PitTableSaid,
    example={"id": "bj-09", "game": "blackjack", "boxes": 7, "decks": 8, "reason": "a new table"},
    place=Place(_named_pit),
    command=_adding,
    preview="add_pit_table",
    reply=DONE,
    summary="Add a blackjack table to a pit",
    description="As to a link.",
)
