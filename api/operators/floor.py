"""The floor as it is in force, beside what the floor file says."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from pydantic import Field

from api.floor.comparing import Departure, departures
from api.operators import examples
from api.operators.house import Reader, all_places
from api.operators.house_answers import Told
from api.routing.auth import guarded_router
from api.service import service_of

router = guarded_router(prefix="/v1", tags=["the House"])


class DepartureTold(Told):
    kind: str = Field(description="link or table")
    id: str
    place: str = Field(description="The link or pit where it is in force.")
    currency: str
    setting: str = Field(
        description="As the floor file writes it; `table` for one that the file does not have."
    )
    file: Any = Field(description="What the floor file says; null where it says none.")
    in_force: Any = Field(description="What holds for what is to come; null for none.")

    @classmethod
    def of(cls, one: Departure, currency: str) -> DepartureTold:
        return cls(
            kind=one.kind,
            id=one.id,
            place=one.place,
            currency=currency,
            setting=one.setting,
            file=one.file,
            in_force=one.in_force,
        )


class FloorTold(Told):
    differences: list[DepartureTold]


@router.get(
    "/floor",
    summary="What is in force and the floor file does not say so",
    responses=examples.FLOOR,
)
async def floor(request: Request, _caller: Reader) -> FloorTold:
    """The floor file is the first word. What people have changed since stays in force at later starts, and so
    does what the file says otherwise by then: neither is overwritten. Here both are told."""
    places = await all_places(request)
    currencies = {one.id: one.currency for one in places}
    found = departures(service_of(request.app).floor, places)
    return FloorTold(differences=[DepartureTold.of(one, currencies[one.place]) for one in found])
