"""What one person of the House does: approve, reject, order, close and open tables, malfunctions."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body, Path, Request
from fastapi.responses import JSONResponse

from api import examples
from api.act_answers import Approved, DeclaredMalfunction, Done, MeterNow, Proposed
from api.auth import allowed, guarded_router
from api.errors import Forbidden
from api.examples import example
from api.house_wire import NOTHING_NOTED, MalfunctionSaid, Noted, OrderSaid, Reasoned, ScopeSaid
from api.identity import Caller
from api.routes.acting import Key, Operator, Supervisor, carried_out, on_its_link
from api.routes.house import LinkId, TableId, WinId
from api.service import service_of
from jackpot import answers, commands
from jackpot.book.roles import Role
from jackpot.refusals import MalfunctionUnknown, ScopeWrong

router = guarded_router(prefix="/v1", tags=["acts of the House"])
Declarer = Annotated[Caller, allowed(Role.SUPERVISOR, Role.TABLE)]
MalfunctionId = Annotated[str, Path(examples=["main.m815"])]


# Wins


@router.post(
    "/links/{link}/wins/{win}/approve", summary="One person's approval of a win", responses=examples.APPROVED
)
async def approve(
    request: Request,
    link: LinkId,
    win: WinId,
    caller: Operator,
    said: Annotated[
        Noted, Body(openapi_examples=example({"note": "hand and box seen on camera"}))
    ] = NOTHING_NOTED,
    key: Key = None,
) -> Approved:
    """It attests hand, box and bet. When enough different people have approved, and the win is ordered and
    first in line, it is paid."""
    command = commands.ApproveWin(person=caller.person, act_id=key, win=win, note=said.note)
    answer = await carried_out(request, link, command)
    return Approved(
        win=answer.win, state=answer.state, approvals_given=answer.approvals, meter=MeterNow.of(answer.meter)
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
        told = Proposed(proposal=answer.proposal, meter=MeterNow.of(answer.meter))
        return JSONResponse(told.model_dump(), 202)
    return Approved(
        win=answer.win, state=answer.state, approvals_given=answer.approvals, meter=MeterNow.of(answer.meter)
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
    answer = await carried_out(request, link, command)
    return Done(meter=MeterNow.of(answer.meter))


# Links, tables and malfunctions


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
    answer = await carried_out(request, link, command)
    return Done(meter=MeterNow.of(answer.meter))


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
    answer = await carried_out(request, await service_of(request.app).link_of(table), command)
    return Done(meter=MeterNow.of(answer.meter))


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
    answer = await carried_out(request, await service_of(request.app).link_of(table), command)
    return Done(meter=MeterNow.of(answer.meter))


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
) -> DeclaredMalfunction:
    """A round whose cards nobody has seen is voided; one whose cards were seen goes on, and its wins are paid
    from the amount registered before. A table may declare a malfunction of itself."""
    _check_own(caller, said.scope)
    link = await _link_in(request, said.scope)
    declared = said.declared(person=caller.person, act_id=key, by_table=caller.table)
    answer = await carried_out(request, link, declared)
    return DeclaredMalfunction(id=answer.malfunction, meter=MeterNow.of(answer.meter))


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
    said: Annotated[Noted, Body(openapi_examples=example({"note": "sensor replaced"}))] = NOTHING_NOTED,
    key: Key = None,
) -> Done:
    """What was chosen for later rounds ends: the table, the box or the link plays on as before."""
    command = commands.ClearMalfunction(
        person=caller.person, act_id=key, malfunction=malfunction, note=said.note
    )
    answer = await on_its_link(request, malfunction, command, MalfunctionUnknown)
    return Done(meter=MeterNow.of(answer.meter))
