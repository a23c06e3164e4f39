"""What two people agree on: one proposes, another confirms, and it is carried out."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Body, Path, Request

from api import examples
from api.act_answers import Decided, MeterNow, Proposed
from api.auth import guarded_router
from api.examples import example
from api.house_wire import (
    AdjustmentSaid,
    DecisionSaid,
    Nothing,
    ParametersSaid,
    Reasoned,
    RetirementSaid,
    SeedSaid,
    TransferSaid,
)
from api.identity import Caller
from api.routes.acting import Key, Operator, Supervisor, carried_out, on_its_link
from api.routes.house import LinkId
from api.service import service_of
from jackpot import commands
from jackpot.book.batch import LinkUnknown
from jackpot.book.breaks import first_link
from jackpot.book.roles import Role
from jackpot.proposals import Change, ClockSetting, LinkOpening
from jackpot.refusals import ClaimUnknown, ProposalUnknown, TableUnknown

router = guarded_router(prefix="/v1", tags=["acts of two people"])
ProposalId = Annotated[str, Path(examples=["main.p814"])]
ClaimId = Annotated[str, Path(examples=["stud-01.6.2.straight_flush"])]
_PROPOSED: dict[str, Any] = {"status_code": 202, "responses": examples.PROPOSED}


async def proposed(
    request: Request, link: str, caller: Caller, change: Change, reason: str, key: str | None
) -> Proposed:
    command = commands.Propose(person=caller.person, act_id=key, change=change, reason=reason)
    answer = await carried_out(request, link, command)
    return Proposed(proposal=answer.proposal, meter=MeterNow.of(answer.meter))


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


@router.post("/house/clock", summary="Propose to set the house clock", **_PROPOSED)
async def set_clock(
    request: Request,
    caller: Operator,
    said: Annotated[
        Reasoned, Body(openapi_examples=example({"reason": "the server's clock was an hour slow"}))
    ],
    key: Key = None,
) -> Proposed:
    """To the clock of the database server, at every link at once. It needs no open round and no pending win
    anywhere, and a clock that is not behind any journal."""
    link = await first_link(service_of(request.app).book.store)
    if link is None:
        raise LinkUnknown("any")
    return await proposed(request, link, caller, ClockSetting(), said.reason, key)


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
    return Decided(proposal=proposal, state="confirmed", meter=MeterNow.of(answer.meter))


@router.post("/proposals/{proposal}/withdraw", summary="Withdraw a proposal", responses=examples.DECIDED)
async def withdraw(
    request: Request, proposal: ProposalId, caller: Operator, _said: Nothing | None = None, key: Key = None
) -> Decided:
    """An operator withdraws only what that person has proposed (403 `proposed_by_another`), a supervisor any:
    like a confirmation, it decides about another's proposal."""
    own_only = caller.role is not Role.SUPERVISOR
    command = commands.Withdraw(person=caller.person, act_id=key, proposal=proposal, own_only=own_only)
    answer = await on_its_link(request, proposal, command, ProposalUnknown)
    return Decided(proposal=proposal, state="withdrawn", meter=MeterNow.of(answer.meter))


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
    return Proposed(proposal=answer.proposal, meter=MeterNow.of(answer.meter))
