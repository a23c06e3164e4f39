"""Acts of one person, each with its body: wins, links, malfunctions, irregularities."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Request
from pydantic import Field, StrictBool, StrictInt, StrictStr

from api.callers.identity import Caller
from api.http.errors import Forbidden, Invalid
from api.operators.act import (
    DESK,
    NAMED_LINK,
    SUPERVISOR,
    Act,
    Asked,
    People,
    Place,
    Target,
    a_link,
    link_in_id,
)
from api.operators.act_answers import APPROVED, DECLARED, DONE, REJECTED
from api.operators.house import looking
from api.operators.irregularity_answers import IRREGULAR
from api.operators.wire import Name, Note, Noted, Reason, Reasoned, Said
from api.service import service_of
from jackpot.book.beside.roles import Role
from jackpot.book.reading.pages import current
from jackpot.core.instants import parse_instant
from jackpot.core.refusals import DifferenceUnknown, MalfunctionUnknown, ScopeWrong
from jackpot.games import blackjack
from jackpot.games.irregularities import Choice, Irregularity, Resolution
from jackpot.link.commands import (
    ApproveWin,
    ClearMalfunction,
    CloseLink,
    DecideOrder,
    DeclareIrregularity,
    DeclareMalfunction,
    MendMeters,
    RejectWin,
)
from jackpot.link.state import Scope, Then

_BOX = re.compile(r"^[1-9][0-9]?$")
_CHOOSER = r"^([1-9][0-9]?(/.+)?|boom_busted/.+)$"
BoxNumber = Annotated[StrictInt, Field(ge=1, le=20)]
Boxes = Annotated[list[BoxNumber], Field(max_length=20)]


# Wins


APPROVE = Act(
    name="approve",
    path="/links/{link}/wins/{win}/approve",
    people=People.ONE,
    roles=DESK,
    body=Noted,
    example={"note": "hand and box seen on camera"},
    place=NAMED_LINK,
    command=lambda asked: ApproveWin(
        person=asked.person, act_id=asked.key, win=asked.id, note=asked.said.note
    ),
    preview="approve",
    reply=APPROVED,
    summary="One person's approval of a win",
    description="""
    It attests hand, box and bet. When enough different people have approved, and the win is ordered and
    first in line, it is paid.
    """,
)

REJECT = Act(
    name="reject",
    path="/links/{link}/wins/{win}/reject",
    people=People.ONE,
    roles=SUPERVISOR,
    body=Reasoned,
    example={"reason": "a marked card"},
    place=NAMED_LINK,
    command=lambda asked: RejectWin(
        person=asked.person, act_id=asked.key, win=asked.id, reason=asked.said.reason
    ),
    preview="reject",
    reply=REJECTED,
    summary="Reject a win",
    description="A straight flush one person may reject; a royal flush takes two.",
)


class OrderSaid(Said):
    wins: Annotated[list[Name], Field(min_length=1, max_length=200)]
    reason: Reason


ORDER = Act(
    name="order",
    path="/links/{link}/order",
    people=People.ONE,
    roles=SUPERVISOR,
    body=OrderSaid,
    example={"wins": ["stud-02.9.1.1", "stud-01.4.3.1"], "reason": "camera 3"},
    place=NAMED_LINK,
    command=lambda asked: DecideOrder(
        person=asked.person, act_id=asked.key, wins=tuple(asked.said.wins), reason=asked.said.reason
    ),
    preview="order",
    reply=DONE,
    summary="The House's order of an ambiguous cluster (4.5.2)",
    description="One sequence of the whole cluster, which keeps every pair whose order is certain.",
)


# Links


CLOSE_LINK = Act(
    name="close_link",
    path="/links/{link}/close",
    people=People.ONE,
    roles=DESK,
    body=Reasoned,
    example={"reason": "end of business"},
    place=NAMED_LINK,
    command=lambda asked: CloseLink(person=asked.person, act_id=asked.key, reason=asked.said.reason),
    preview="close",
    reply=DONE,
    summary="Close a link",
    description="One person may. Progressive bets are returned until two people open it again.",
)


# Malfunctions


class ScopeSaid(Said):
    """`link`, or `table`, or `table` and `box`."""

    link: Name | None = None
    table: Name | None = None
    box: BoxNumber | None = None


class MalfunctionSaid(Said):
    scope: ScopeSaid
    observed_at: Annotated[StrictStr, Field(max_length=40, json_schema_extra={"format": "date-time"})]
    cards_seen: Annotated[dict[Name, StrictBool], Field(max_length=1000)] = Field(default={})
    then: Then
    note: Note = ""


async def _link_in_scope(request: Request, asked: Asked[MalfunctionSaid]) -> Target:
    scope = asked.said.scope
    _check_own(asked.caller, scope)
    if (scope.link is None) == (scope.table is None):
        raise ScopeWrong("a scope names a link, or a table, or a table and a box", field="scope")
    if scope.link is not None:
        return Target(a_link(request, scope.link))
    return Target(await service_of(request.app).link_of(scope.table or ""))


def _check_own(caller: Caller, scope: ScopeSaid) -> None:
    if caller.role is Role.TABLE and (scope.table != caller.table or scope.link is not None):
        raise Forbidden("a table declares a malfunction of itself only", "other_table")


def _malfunction(asked: Asked[MalfunctionSaid]) -> DeclareMalfunction:
    said = asked.said
    return DeclareMalfunction(
        person=asked.person,
        act_id=asked.key,
        by_table=asked.caller.table,
        scope=Scope(table=said.scope.table, box=said.scope.box),
        observed_at=parse_instant(said.observed_at, field="observed_at"),
        cards_seen=said.cards_seen,
        then=said.then,
        note=said.note,
    )


DECLARE_MALFUNCTION = Act(
    name="declare_malfunction",
    path="/malfunctions",
    people=People.ONE,
    roles=(Role.SUPERVISOR, Role.TABLE),
    body=MalfunctionSaid,
    example={
        "scope": {"table": "stud-01"},
        "observed_at": "2026-01-01T20:15:00+08:00",
        "cards_seen": {"stud-01": True},
        "then": "progressive_off",
        "note": "bet sensors dead",
    },
    place=Place(_link_in_scope),
    command=_malfunction,
    preview="malfunctions",
    reply=DECLARED,
    summary="Declare a malfunction (S 5.17 to 5.18, H 5.16 to 5.17)",
    description="""
    A round whose cards nobody has seen is voided; one whose cards were seen goes on, and its wins are paid
    from the amount registered before. A table may declare a malfunction of itself.
    """,
)

CLEAR_MALFUNCTION = Act(
    name="clear_malfunction",
    path="/malfunctions/{malfunction}/clear",
    people=People.ONE,
    roles=SUPERVISOR,
    body=Noted,
    example={"note": "sensor replaced"},
    place=Place(link_in_id, MalfunctionUnknown),
    command=lambda asked: ClearMalfunction(
        person=asked.person, act_id=asked.key, malfunction=asked.id, note=asked.said.note
    ),
    preview="clear",
    reply=DONE,
    summary="Back in play after a malfunction",
    description="What was chosen for later rounds ends: the table, the box or the link plays on as before.",
)


# Irregularities (5.7 to 5.16, S 5.19, H 5.18, S 5.24, H 5.23; at blackjack 5.4 to 5.20)


class IrregularitySaid(Said):
    paragraph: Annotated[
        StrictStr,
        Field(max_length=20, description="Its number in the table's own game, as 5.8.1."),
    ]
    cards_seen: StrictBool | None = Field(
        default=None, description="Poker: whether any player has seen cards."
    )
    reconstructed: StrictBool | None = Field(
        default=None, description="Whether the cards can be put back into the order intended."
    )
    interim_settled: StrictBool | None = Field(
        default=None,
        description="Blackjack: whether side bets, naturals and surrenders were settled before it.",
    )
    boxes: Boxes = Field(default=[], description="Poker: the boxes it happened to.")
    others: Boxes = Field(default=[], description="Poker: boxes that 5.15 affects besides.")
    choices: Annotated[
        dict[Annotated[StrictStr, Field(pattern=_CHOOSER, max_length=100)], Choice], Field(max_length=300)
    ] = Field(
        default={},
        description="What each player chose where he has the options (5.10; at blackjack 5.7): by box, `1`;"
        " at blackjack also by box and player, `1/B`, or `boom_busted/X`.",
    )
    resolution: Resolution | None = Field(
        default=None, description="Where the House resolves it (S 5.24, H 5.23, blackjack 5.19 or 5.20)."
    )
    note: Note = ""


async def _link_and_currency(request: Request, asked: Asked[object]) -> Target:
    """Read before the act: once it is durable, nothing may fail."""
    service = service_of(request.app)
    link = await service.link_of(asked.id)
    async with looking(request) as connection:
        currency = (await current(service.book.store, connection, link)).currency
    return Target(link, currency, await service.in_pit(asked.id))


def _irregularity(asked: Asked[IrregularitySaid]) -> DeclareIrregularity:
    said = _of_blackjack(asked.said) if asked.in_pit else _of_poker(asked.said)
    return DeclareIrregularity(
        person=asked.person, act_id=asked.key, table=asked.id, round=asked.round, said=said
    )


def _of_poker(said: IrregularitySaid) -> Irregularity:
    if said.interim_settled is not None:
        raise Invalid("interim_settled is said of blackjack", "interim_settled")
    for key in said.choices:
        if not _BOX.match(key):
            raise Invalid("a choice is named by its box", f"choices.{key}")
    return Irregularity(
        paragraph=said.paragraph,
        cards_seen=said.cards_seen,
        reconstructed=said.reconstructed,
        boxes=tuple(said.boxes),
        others=tuple(said.others),
        choices={int(box): choice for box, choice in said.choices.items()},
        resolution=said.resolution,
        note=said.note,
    )


def _of_blackjack(said: IrregularitySaid) -> blackjack.Irregularity:
    of_poker = {"cards_seen": said.cards_seen is not None, "boxes": said.boxes, "others": said.others}
    for name, told in of_poker.items():
        if told:
            raise Invalid(f"{name} is said of the poker games", name)
    return blackjack.Irregularity(
        paragraph=said.paragraph,
        reconstructed=said.reconstructed,
        interim_settled=said.interim_settled,
        choices=said.choices,
        resolution=said.resolution,
        note=said.note,
    )


DECLARE_IRREGULARITY = Act(
    name="declare_irregularity",
    path="/tables/{table}/rounds/{round}/irregularities",
    people=People.ONE,
    roles=SUPERVISOR,
    body=IrregularitySaid,
    example={
        "paragraph": "5.10",
        "reconstructed": False,
        "boxes": [1, 2],
        "choices": {"1": "continue", "2": "return"},
        "note": "box 2 was dealt before box 1",
    },
    place=Place(_link_and_currency),
    command=_irregularity,
    preview="irregularity",
    reply=IRREGULAR,
    summary="Declare an irregularity of the current round, and have the rules' consequence carried out",
    description="""
    By the paragraph, and what is said of seen and reconstructed cards, the round is voided, or continues,
    or affected players choose between continuing and having their bets returned (5.10; at blackjack all
    players by 5.7). Their choices belong into the same call: 422 `choice_missing` names the `boxes`, or the
    `players` as `1/B`, that have none. A preview of the act `irregularity` tells the same consequence
    without carrying it out. A field of the other games is refused.
    """,
)


# Meters of table controllers

MEND_METERS = Act(
    name="mend_meters",
    path="/differences/{difference}/mend",
    people=People.ONE,
    roles=SUPERVISOR,
    body=Reasoned,
    example={"reason": "round 17 was voided while the controller was restarted"},
    place=Place(link_in_id, DifferenceUnknown),
    command=lambda asked: MendMeters(
        person=asked.person, act_id=asked.key, difference=asked.id, reason=asked.said.reason
    ),
    preview="mend_meters",
    reply=DONE,
    summary="Settle a difference between a controller's meters and the House's",
    description="""
    It moves no money. From the round of the difference on both are compared anew; what went wrong in later
    rounds is reported again.
    """,
)
