"""What the House does. Each act is one command, carried out and durable before it is answered."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Body, Header, Path, Request
from fastapi.responses import JSONResponse

from api import examples
from api.auth import allowed, guarded_router
from api.errors import Forbidden
from api.examples import example
from api.house_answers import Approved, Decided, Declared, Done, MeterNow, Proposed
from api.house_wire import (
    AdjustmentSaid,
    DecisionSaid,
    MalfunctionSaid,
    Noted,
    Nothing,
    OrderSaid,
    ParametersSaid,
    Reasoned,
    RetirementSaid,
    ScopeSaid,
    SeedSaid,
    TransferSaid,
)
from api.identity import Caller
from api.routes.house import LinkId, TableId, WinId
from api.service import service_of
from jackpot import answers, commands
from jackpot.book.batch import LinkUnknown
from jackpot.book.identities import Role
from jackpot.book.recall import storable
from jackpot.refusals import (
    ClaimUnknown,
    MalfunctionUnknown,
    ProposalUnknown,
    ScopeWrong,
    TableUnknown,
    Unknown,
)
from jackpot.state import Change, LinkOpening

router = guarded_router(prefix="/v1", tags=["acts of the House"])
Operator = Annotated[Caller, allowed(Role.OPERATOR, Role.SUPERVISOR)]
Supervisor = Annotated[Caller, allowed(Role.SUPERVISOR)]
Declarer = Annotated[Caller, allowed(Role.SUPERVISOR, Role.TABLE)]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="The same act again with the same key is answered as the first time.",
    ),
]
ProposalId = Annotated[str, Path(examples=["main.p814"])]
ClaimId = Annotated[str, Path(examples=["stud-01.6.2.straight_flush"])]
MalfunctionId = Annotated[str, Path(examples=["main.m815"])]
_PROPOSED: dict[str, Any] = {"status_code": 202, "responses": examples.PROPOSED}


def _meter(answer: answers.Answer) -> MeterNow:
    return MeterNow.of(answer.meter)


async def carried_out(request: Request, link: str, command: commands.HouseAct) -> Any:
    """Its answer, once what it did is durable."""
    if not storable(link):
        raise LinkUnknown(link)
    return (await service_of(request.app).book.submit(link, command)).answer


async def on_its_link(
    request: Request, id: str, command: commands.HouseAct, unknown: type[Unknown]
) -> answers.Answer:
    """Ids of proposals and malfunctions begin with their link's."""
    try:
        answer = await carried_out(request, id.rpartition(".")[0], command)
    except LinkUnknown:
        raise unknown(f"there is no {id[:80]!r}") from None
    assert isinstance(answer, answers.Answer)  # noqa: S101
    return answer


async def proposed(
    request: Request, link: str, caller: Caller, change: Change, reason: str, key: str | None
) -> Proposed:
    command = commands.Propose(person=caller.person, act_id=key, change=change, reason=reason)
    answer = await carried_out(request, link, command)
    return Proposed(proposal=answer.proposal, meter=_meter(answer))


# Wins


@router.post(
    "/links/{link}/wins/{win}/approve", summary="One person's approval of a win", responses=examples.APPROVED
)
async def approve(
    request: Request,
    link: LinkId,
    win: WinId,
    caller: Operator,
    said: Annotated[Noted, Body(openapi_examples=example({"note": "hand and box seen on camera"}))],
    key: Key = None,
) -> Approved:
    """It attests hand, box and bet. When enough different people have approved, and the win is ordered and
    first in line, it is paid."""
    command = commands.ApproveWin(person=caller.person, act_id=key, win=win, note=said.note)
    answer = await carried_out(request, link, command)
    return Approved(
        win=answer.win, state=answer.state, approvals_given=answer.approvals, meter=_meter(answer)
    )


@router.post(
    "/links/{link}/wins/{win}/reject",
    summary="Reject a win",
    response_model=Approved,
    responses=examples.APPROVED
    | {202: {"model": Proposed, "description": "A royal flush: another person has to confirm it"}},
)
async def reject(
    request: Request,
    link: LinkId,
    win: WinId,
    caller: Supervisor,
    said: Annotated[Reasoned, Body(openapi_examples=example({"reason": "a marked card"}))],
    key: Key = None,
) -> Approved | JSONResponse:
    """A straight flush one person may reject; a royal flush takes two."""
    command = commands.RejectWin(person=caller.person, act_id=key, win=win, reason=said.reason)
    answer = await carried_out(request, link, command)
    if isinstance(answer, answers.ProposalAnswer):
        told = Proposed(proposal=answer.proposal, meter=_meter(answer))
        return JSONResponse(told.model_dump(), 202)
    return Approved(
        win=answer.win, state=answer.state, approvals_given=answer.approvals, meter=_meter(answer)
    )


@router.post(
    "/links/{link}/order",
    summary="The House's order of an ambiguous cluster (4.5.2)",
    responses=examples.DONE,
)
async def order(
    request: Request,
    link: LinkId,
    caller: Supervisor,
    said: Annotated[
        OrderSaid,
        Body(openapi_examples=example({"wins": ["stud-02.9.1.1", "stud-01.4.3.1"], "reason": "camera 3"})),
    ],
    key: Key = None,
) -> Done:
    """One sequence of the whole cluster, which keeps every pair whose order is certain."""
    command = commands.DecideOrder(
        person=caller.person, act_id=key, wins=tuple(said.wins), reason=said.reason
    )
    return Done(meter=_meter(await carried_out(request, link, command)))


# What two people agree on


@router.post("/links/{link}/seed", summary="Propose another seed", **_PROPOSED)
async def seed(
    request: Request,
    link: LinkId,
    caller: Operator,
    said: Annotated[
        SeedSaid,
        Body(openapi_examples=example({"seed": 6000000, "reason": "new season", "when": "next_reset"})),
    ],
    key: Key = None,
) -> Proposed:
    """`now` needs a closed link without pending wins, and moves the meter by the difference."""
    return await proposed(request, link, caller, said.change(), said.reason, key)


@router.post("/links/{link}/parameters", summary="Propose other rates, ceiling or seed", **_PROPOSED)
async def parameters(
    request: Request,
    link: LinkId,
    caller: Operator,
    said: Annotated[
        ParametersSaid,
        Body(openapi_examples=example({"meter_ppm": 300000, "reserve_ppm": 100000, "reason": "new season"})),
    ],
    key: Key = None,
) -> Proposed:
    """Only what is to change is named. It holds from the next reset on, or `now` while the link is closed."""
    return await proposed(request, link, caller, said.change(), said.reason, key)


@router.post("/links/{link}/adjustments", summary="Propose an adjustment of the meter", **_PROPOSED)
async def adjust(
    request: Request,
    link: LinkId,
    caller: Operator,
    said: Annotated[
        AdjustmentSaid,
        Body(openapi_examples=example({"amount": -500, "from": "house", "reason": "a bet counted twice"})),
    ],
    key: Key = None,
) -> Proposed:
    """Above zero it raises the meter from that account, below zero it lowers the meter into it."""
    return await proposed(request, link, caller, said.change(), said.reason, key)


@router.post("/links/{link}/open", summary="Propose to open a closed link", **_PROPOSED)
async def open_link(
    request: Request,
    link: LinkId,
    caller: Operator,
    said: Annotated[Reasoned, Body(openapi_examples=example({"reason": "start of business"}))],
    key: Key = None,
) -> Proposed:
    """Its tables take progressive bets again once another person has confirmed."""
    return await proposed(request, link, caller, LinkOpening(), said.reason, key)


@router.post("/links/{link}/transfer", summary="Propose to move money to another link", **_PROPOSED)
async def transfer(
    request: Request,
    link: LinkId,
    caller: Operator,
    said: Annotated[
        TransferSaid,
        Body(openapi_examples=example({"to": "main", "amount": 100000, "reason": "one pool too many"})),
    ],
    key: Key = None,
) -> Proposed:
    """It leaves meter, overflow or reserve here and arrives in the account of the same name there, both or
    neither."""
    return await proposed(request, link, caller, said.change(), said.reason, key)


@router.post("/links/{link}/retire", summary="Propose to retire a closed link", **_PROPOSED)
async def retire(
    request: Request,
    link: LinkId,
    caller: Operator,
    said: Annotated[
        RetirementSaid, Body(openapi_examples=example({"to": "main", "reason": "end of the game"}))
    ],
    key: Key = None,
) -> Proposed:
    """The whole pool goes to another link, or to the house; afterwards the link can only be read."""
    return await proposed(request, link, caller, said.change(), said.reason, key)


@router.post("/links/{link}/close", summary="Close a link", responses=examples.DONE)
async def close_link(
    request: Request,
    link: LinkId,
    caller: Operator,
    said: Annotated[Reasoned, Body(openapi_examples=example({"reason": "end of business"}))],
    key: Key = None,
) -> Done:
    """One person may. Progressive bets are returned until two people open it again."""
    command = commands.CloseLink(person=caller.person, act_id=key, reason=said.reason)
    return Done(meter=_meter(await carried_out(request, link, command)))


@router.post(
    "/proposals/{proposal}/confirm",
    summary="Confirm what another person proposed",
    responses=examples.DECIDED,
)
async def confirm(
    request: Request, proposal: ProposalId, caller: Supervisor, _said: Nothing | None = None, key: Key = None
) -> Decided:
    """It is carried out at once, if it is still possible."""
    command = commands.Confirm(person=caller.person, act_id=key, proposal=proposal)
    answer = await on_its_link(request, proposal, command, ProposalUnknown)
    return Decided(proposal=proposal, state="confirmed", meter=_meter(answer))


@router.post("/proposals/{proposal}/withdraw", summary="Withdraw a proposal", responses=examples.DECIDED)
async def withdraw(
    request: Request, proposal: ProposalId, caller: Operator, _said: Nothing | None = None, key: Key = None
) -> Decided:
    """Whoever proposed it."""
    command = commands.Withdraw(person=caller.person, act_id=key, proposal=proposal)
    answer = await on_its_link(request, proposal, command, ProposalUnknown)
    return Decided(proposal=proposal, state="withdrawn", meter=_meter(answer))


@router.post("/claims/{claim}/decide", summary="Propose how to decide a late claim", **_PROPOSED)
async def decide_claim(
    request: Request,
    claim: ClaimId,
    caller: Operator,
    said: Annotated[
        DecisionSaid, Body(openapi_examples=example({"outcome": "in_order", "reason": "camera footage"}))
    ],
    key: Key = None,
) -> Proposed:
    """Paid as in its order or as registered, from reserve, then house; or refused. Two people decide."""
    try:
        link = await service_of(request.app).link_of(claim.partition(".")[0])
    except TableUnknown:
        raise ClaimUnknown(f"no late claim {claim[:80]!r} is open", claim=claim[:80]) from None
    command = commands.DecideClaim(
        person=caller.person, act_id=key, claim=claim, outcome=said.outcome, reason=said.reason
    )
    answer = await carried_out(request, link, command)
    return Proposed(proposal=answer.proposal, meter=_meter(answer))


# Tables and malfunctions


@router.post("/tables/{table}/close", summary="Take a table out of play", responses=examples.DONE)
async def close_table(
    request: Request,
    table: TableId,
    caller: Operator,
    said: Annotated[Reasoned, Body(openapi_examples=example({"reason": "controller silent"}))],
    key: Key = None,
) -> Done:
    """At once, even with a round open: a silent table then holds no win back."""
    command = commands.CloseTable(person=caller.person, act_id=key, table=table, reason=said.reason)
    return Done(
        meter=_meter(await carried_out(request, await service_of(request.app).link_of(table), command))
    )


@router.post("/tables/{table}/open", summary="Put a closed table back in play", responses=examples.DONE)
async def open_table(
    request: Request,
    table: TableId,
    caller: Operator,
    said: Annotated[Reasoned, Body(openapi_examples=example({"reason": "controller replaced"}))],
    key: Key = None,
) -> Done:
    """In play at once if it has been heard, else from its next message; it may number its messages anew."""
    command = commands.OpenTable(person=caller.person, act_id=key, table=table, reason=said.reason)
    return Done(
        meter=_meter(await carried_out(request, await service_of(request.app).link_of(table), command))
    )


@router.post(
    "/malfunctions",
    status_code=201,
    summary="Declare a malfunction (S 5.17 to 5.18, H 5.16 to 5.17)",
    responses=examples.DECLARED,
)
async def declare_malfunction(
    request: Request,
    caller: Declarer,
    said: Annotated[
        MalfunctionSaid,
        Body(
            openapi_examples=example(
                {
                    "scope": {"table": "stud-01"},
                    "observed_at": "2026-01-01T20:15:00+08:00",
                    "cards_seen": {"stud-01": True},
                    "then": "progressive_off",
                    "note": "bet sensors dead",
                }
            )
        ),
    ],
    key: Key = None,
) -> Declared:
    """A round whose cards nobody has seen is voided; one whose cards were seen goes on, and its wins are paid
    from the amount registered before. A table may declare a malfunction of itself."""
    _check_own(caller, said.scope)
    link = await _link_in(request, said.scope)
    answer = await carried_out(request, link, said.declared(person=caller.person, act_id=key))
    return Declared(id=answer.malfunction, meter=_meter(answer))


def _check_own(caller: Caller, scope: ScopeSaid) -> None:
    if caller.role is Role.TABLE and (scope.table != caller.table or scope.link is not None):
        raise Forbidden("a table declares a malfunction of itself only", "other_table")


async def _link_in(request: Request, scope: ScopeSaid) -> str:
    if (scope.link is None) == (scope.table is None):
        raise ScopeWrong("a scope names a link, or a table, or a table and a box", field="scope")
    return scope.link if scope.link is not None else await service_of(request.app).link_of(scope.table or "")


@router.post(
    "/malfunctions/{malfunction}/clear", summary="Back in play after a malfunction", responses=examples.DONE
)
async def clear_malfunction(
    request: Request,
    malfunction: MalfunctionId,
    caller: Supervisor,
    said: Annotated[Noted, Body(openapi_examples=example({"note": "sensor replaced"}))],
    key: Key = None,
) -> Done:
    """What was chosen for later rounds ends: the table, the box or the link plays on as before."""
    command = commands.ClearMalfunction(
        person=caller.person, act_id=key, malfunction=malfunction, note=said.note
    )
    answer = await on_its_link(request, malfunction, command, MalfunctionUnknown)
    return Done(meter=_meter(answer))
