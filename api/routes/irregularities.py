"""Irregularities of a round, declared by the House (5.7 to 5.16, S 5.19, H 5.18, S 5.24, H 5.23)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body, Request

from api import examples
from api.auth import guarded_router
from api.examples import example
from api.house_wire import IrregularitySaid
from api.irregularity_answers import DeclaredIrregularity
from api.question_answers import Forms, forms
from api.routes.acting import Key, Supervisor, carried_out
from api.routes.house import Reader, TableId, link_now, looking
from api.service import service_of

router = guarded_router(prefix="/v1", tags=["acts of the House"])


@router.get(
    "/irregularities",
    summary="The paragraphs that resolve an irregularity, and what each asks",
    responses=examples.IRREGULARITIES,
)
async def irregularities(_caller: Reader) -> Forms:
    """By game, in words, with what has to be said of it: a form to be drawn, question after question."""
    return forms()


@router.post(
    "/tables/{table}/rounds/{round}/irregularities",
    status_code=201,
    summary="Declare an irregularity of the current round, and have the rules' consequence carried out",
    responses=examples.IRREGULAR,
)
async def declare_irregularity(
    request: Request,
    table: TableId,
    round: int,
    caller: Supervisor,
    said: Annotated[
        IrregularitySaid,
        Body(
            openapi_examples=example(
                {
                    "paragraph": "5.10",
                    "reconstructed": False,
                    "boxes": [1, 2],
                    "choices": {"1": "continue", "2": "return"},
                    "note": "box 2 was dealt before box 1",
                }
            )
        ),
    ],
    key: Key = None,
) -> DeclaredIrregularity:
    """By the paragraph, and what is said of seen and reconstructed cards, the round is voided, or continues,
    or affected players choose between continuing and having their bets returned (5.10). Their choices belong
    into the same call: 422 `choice_missing` names the `boxes` that have none. A preview of the act
    `irregularity` tells the same consequence without carrying it out."""
    link = await service_of(request.app).link_of(table)
    async with looking(request) as connection:  # before the act: once it is durable, nothing may fail
        currency = (await link_now(request, connection, link)).currency
    command = said.declared(person=caller.person, act_id=key, table=table, round=round)
    return DeclaredIrregularity.of(await carried_out(request, link, command), currency)
