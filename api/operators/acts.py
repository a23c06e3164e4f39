"""All acts of the House, and the routes that are made of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, Signature, cleandoc
from typing import Annotated, Any, cast

from fastapi import Body, Header, Path, Request
from fastapi.responses import JSONResponse

from api.callers.identity import Caller
from api.operators import acts_of_one, acts_of_payout, acts_of_two, acts_on_days, acts_on_tables
from api.operators.act import Act, Asked
from api.operators.act_answers import PROPOSED, Done
from api.operators.examples import example
from api.operators.house import LinkId, PitId, TableId, WinId
from api.operators.wire import Nothing
from api.routing.auth import allowed, guarded_router

_DECLARED = (acts_of_one, acts_of_payout, acts_on_tables, acts_on_days, acts_of_two)
ACTS: tuple[Act[Any], ...] = tuple(
    act for module in _DECLARED for act in vars(module).values() if isinstance(act, Act)
)
"""Whatever is declared there, in that order."""
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="The same act again with the same key is answered as the first time.",
    ),
]
_IN_PATHS = {
    "link": LinkId,
    "pit": PitId,
    "day": Annotated[str, Path(max_length=40, examples=["2026-01-31"])],
    "win": WinId,
    "table": TableId,
    "round": int,
    "proposal": Annotated[str, Path(examples=["main.p814"])],
    "claim": Annotated[str, Path(examples=["stud-01.6.2.straight_flush"])],
    "malfunction": Annotated[str, Path(examples=["main.m815"])],
    "difference": Annotated[str, Path(examples=["main.d816"])],
}


def _route(act: Act[Any]) -> Callable[..., Any]:
    async def route(
        request: Request,
        caller: Caller,
        said: Any,
        key: str | None,
        link: str = "",
        pit: str = "",
        round: int = 0,
        **others: str,
    ) -> Done | JSONResponse:
        about = next(iter(others.values()), "")
        asked = Asked(caller=caller, key=key, link=link or pit, id=about, round=round, said=said)
        carried = await act.carry_out(request, asked)
        if act.reply.proposes is not None and carried.is_proposed:
            return JSONResponse(PROPOSED.tell(carried).model_dump(), PROPOSED.status)
        return act.reply.tell(carried)

    cast(Any, route).__signature__ = Signature(_parameters(act))  # from which FastAPI learns what to pass
    return route


def _parameters(act: Act[Any]) -> list[Parameter]:
    names = re.findall(r"{(\w+)}", act.path)
    taken = {
        "request": Request,
        **{name: _IN_PATHS[name] for name in names},
        "caller": Annotated[Caller, allowed(*act.roles)],
    }
    found = [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind) for name, kind in taken.items()]
    key = Parameter("key", Parameter.KEYWORD_ONLY, annotation=Key, default=None)
    return [*found, _body(act), key]


def _body(act: Act[Any]) -> Parameter:
    """A body can be left out if everything in it can."""
    if act.body is Nothing:
        return Parameter("said", Parameter.KEYWORD_ONLY, annotation=Nothing | None, default=None)
    needed = any(field.is_required() for field in act.body.model_fields.values())
    body = Body(... if needed else act.body(), openapi_examples=example(dict(act.example)))
    return Parameter("said", Parameter.KEYWORD_ONLY, annotation=act.body, default=body)


router = guarded_router(prefix="/v1")
for _act in ACTS:
    router.add_api_route(
        _act.path,
        _route(_act),
        methods=["POST"],
        name=_act.name,
        tags=[_act.people.value],
        status_code=_act.reply.status,
        response_model=_act.reply.model,
        responses=_act.reply.responses,
        summary=_act.summary,
        description=cleandoc(_act.description),
    )
