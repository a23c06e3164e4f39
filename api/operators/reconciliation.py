"""What the House looks at of the meters that table controllers keep, table by table."""

from __future__ import annotations

from fastapi import Request
from sqlalchemy.ext.asyncio import AsyncConnection

from api.operators import examples
from api.operators.house import LinkId, PitId, Reader, link_now, looking, pit_now
from api.operators.reconciliation_answers import Reconciliation
from api.routing.auth import guarded_router
from jackpot.book.reading.differences import mended
from jackpot.link.state import Pit

SETTLED = 100
router = guarded_router(prefix="/v1")


@router.get(
    "/links/{link}/reconciliation",
    tags=["the House"],
    summary="Controllers' meters beside the House's, table by table",
    responses=examples.RECONCILIATION,
)
async def reconciliation(request: Request, link: LinkId, _caller: Reader) -> Reconciliation:
    """What each controller has told of bets, returned bets, awards and rounds, and where it differs."""
    async with looking(request) as connection:
        return await _told(connection, await link_now(request, connection, link))


@router.get(
    "/pits/{pit}/reconciliation",
    tags=["pits"],
    summary="The same of the tables of a pit",
    responses=examples.PIT_RECONCILIATION,
)
async def reconciliation_of_pit(request: Request, pit: PitId, _caller: Reader) -> Reconciliation:
    """Bets and awards are those of every wager."""
    async with looking(request) as connection:
        return await _told(connection, await pit_now(request, connection, pit))


async def _told(connection: AsyncConnection, place: Pit) -> Reconciliation:
    return Reconciliation.of(place, await mended(connection, place.id, limit=SETTLED))
