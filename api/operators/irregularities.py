"""The paragraphs that resolve an irregularity, as a form that the console draws."""

from __future__ import annotations

from api.operators import examples
from api.operators.act import People
from api.operators.form_answers import Forms, forms
from api.operators.house import Reader
from api.routing.auth import guarded_router

router = guarded_router(prefix="/v1", tags=[People.ONE.value])


@router.get(
    "/irregularities",
    summary="The paragraphs that resolve an irregularity, and what each asks",
    responses=examples.IRREGULARITIES,
)
async def irregularities(_caller: Reader) -> Forms:
    """By game, in words, with what has to be said of it: a form to be drawn, question after question."""
    return forms()
