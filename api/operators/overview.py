"""The whole house at a glance: for the head of every page of the console, and for its first page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from fastapi import Request

from api.operators import examples
from api.operators.house import Reader
from api.operators.house_answers import HouseClockTold, MalfunctionTold, ProposalTold
from api.operators.overview_answers import DaysTold, OverviewTold, PlaceTold, WaitingTold, seen_by
from api.routing.auth import guarded_router
from api.service import Service, service_of
from api.watching.last_day import STEP
from jackpot.book.reading.floor_now import Seen
from jackpot.core.instants import SECOND
from jackpot.link.state import Link, Pit
from jackpot.readings.alerts import Alert, alerts, clock_alerts
from jackpot.readings.attention import Waiting, stopped_at, waiting_at, waiting_for_house

router = guarded_router(prefix="/v1/overview", tags=["the House"])


@router.get("", summary="Every link and pit, and what waits for a person", responses=examples.OVERVIEW)
async def overview(request: Request, caller: Reader) -> OverviewTold:
    """What the caller's role may not look at is neither listed nor counted."""
    service = service_of(request.app)
    seen = await service.floor_now.now()
    stopped = {name: str(wrong) for name, wrong in seen.unreadable.items()} | service.check.stopped
    found = {
        name: seen_by(caller.role, waiting) for name, waiting in _waiting(service, seen, stopped).items()
    }
    links = [one for one in seen.places if isinstance(one, Link)]
    everything = sorted(
        (one for several in found.values() for one in several), key=lambda one: (one.since, one.id)
    )
    return OverviewTold(
        places=[PlaceTold.of(one, found[one.id], stopped.get(one.id)) for one in _in_order(seen.places)],
        waiting=[WaitingTold.of(one) for one in everything],
        proposals=[ProposalTold.of(link.id, one) for link in links for one in link.proposals.values()],
        malfunctions=[
            MalfunctionTold.of(link.id, one) for link in links for one in link.malfunctions.values()
        ],
        clock=HouseClockTold.of(service.book.clock),
    )


def _in_order(places: list[Pit]) -> list[Pit]:
    """Links, then pits."""
    return sorted(places, key=lambda one: (not isinstance(one, Link), one.id))


def _waiting(service: Service, seen: Seen, stopped: Mapping[str, str]) -> dict[str | None, list[Waiting]]:
    """By link or pit; under None what is about the whole house."""
    now, suspected = service.book.clock.now(), _suspected(service)
    found: dict[str | None, list[Waiting]] = {
        one.id: waiting_at(
            one,
            [*alerts(one, now=now), *(alert for name in one.tables for alert in suspected.get(name, ()))],
            stopped=stopped.get(one.id),
        )
        for one in seen.places
    }
    unread = stopped.keys() - found.keys()  # of these nothing was ever read
    found |= {name: [stopped_at(name, stopped[name], since=now)] for name in unread}
    return found | {None: waiting_for_house(clock_alerts(service.book.clock.differs_since))}


def _suspected(service: Service) -> dict[str | None, list[Alert]]:
    found = defaultdict[str | None, list[Alert]](list)
    for one in [] if service.suspicions is None else service.suspicions.alerts():
        found[one.table].append(one)
    return found


@router.get(
    "/last-day", summary="How the last 24 hours went at every link and pit", responses=examples.LAST_DAY
)
async def last_day(request: Request, _caller: Reader) -> DaysTold:
    """The meter and the rounds in steps of half an hour, the last of which is still going on."""
    service = service_of(request.app)
    places = _in_order((await service.floor_now.now()).places)
    days = await service.last_day.of(places)
    start = service.last_day.start_of(service.book.clock.now())
    return DaysTold.of(places, days, start, STEP // SECOND)
