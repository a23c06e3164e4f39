"""The profile in force: its values with their paragraphs, and what this floor tightens and loosens."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request
from pydantic import Field

from api.floor.bounds import differences, profile_named, values_of
from api.floor.telling import difference_told, profile_told
from api.operators import examples
from api.operators.house import Reader, all_links
from api.operators.house_answers import Told
from api.routing.auth import guarded_router
from api.service import service_of

router = guarded_router(prefix="/v1", tags=["the House"])
AsValue = Annotated[
    str | int | None, Field(description="As the floor file writes it; null where it says none.")
]


class SettingTold(Told):
    setting: str = Field(description="Its key in the floor file.")
    what: str
    value: AsValue
    unit: str
    scope: str = Field(description="link, floor, or always: what no floor file sets.")
    paragraph: str | None
    confirmed: bool = Field(description="Whether the paragraph says so. If not, the value is our default.")
    note: str


class DifferenceTold(Told):
    setting: str
    link: str | None
    asked: AsValue
    given: AsValue
    standing: str = Field(description="tightened or loosened")
    reason: str | None = Field(description="Of what is loosened, as the floor file says it.")


class ProfileTold(Told):
    name: str
    title: str
    settings: list[SettingTold]
    differences: list[DifferenceTold] = Field(
        description="Where the links or the floor are otherwise than the profile, as they are now."
    )


@router.get(
    "/profile",
    summary="The profile of the jurisdiction, and what this floor tightens and loosens",
    responses=examples.PROFILE,
)
async def profile(request: Request, _caller: Reader) -> ProfileTold:
    """Each value with the paragraph it comes from. Links are compared as they are in force, not as the floor
    file first said them: what two people have changed since has its reason in the journal."""
    service = service_of(request.app)
    links = {link.id: values_of(link.parameters) for link in await all_links(request)}
    named, floor = profile_named(service.floor.profile), service.floor
    found = differences(named, floor.values, links, floor.loosenings)
    told = profile_told(named)
    return ProfileTold(**told, differences=[DifferenceTold(**difference_told(one)) for one in found])
