"""What was paid and where it is: the list of slips, and each slip with all that stands on it."""

from __future__ import annotations

from fastapi import Request

from api.operators import examples
from api.operators.handover_answers import Handovers, HandoverTold, SlipTold, counted
from api.operators.house import Before, Limit, LinkId, Reader, WinId, link_now, looking
from api.routing.auth import guarded_router
from api.service import service_of
from jackpot.book.reading.handovers import slip_of, slips
from jackpot.link.handovers import HandoverState

router = guarded_router(prefix="/v1", tags=["the House"])


@router.get(
    "/links/{link}/handovers",
    summary="What was paid: due to be handed over, handed over, or unclaimed",
    responses=examples.HANDOVERS,
)
async def handovers(
    request: Request,
    link: LinkId,
    _caller: Reader,
    state: HandoverState | None = None,
    before: Before = None,
    limit: Limit = 100,
) -> Handovers:
    """The latest slip first; `before` is the number of a slip. What an earlier release paid has none."""
    now = service_of(request.app).book.clock.now()
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
        several = await slips(connection, link, state=state, before=before, limit=limit + 1)
    page = [HandoverTold.of(found, one, now) for one in several[:limit]]
    following = page[-1].slip if len(several) > limit else None
    return counted(found, page, following, now)


@router.get(
    "/links/{link}/wins/{win}/slip", summary="The slip of a paid win or late claim", responses=examples.SLIP
)
async def slip(request: Request, link: LinkId, win: WinId, _caller: Reader) -> SlipTold:
    """All that stands on it, with the amount in words. To look at it counts as no print."""
    service = service_of(request.app)
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
        one = await slip_of(connection, found, win)
    return SlipTold.printed_of(found, one, now=service.book.clock.now(), tax_line=service.floor.tax_line)
