"""What the House looks at: links, tables, wins and their proof, claims, proposals, malfunctions, rounds.

Every answer is read from the book, so that each replica tells the same.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Path, Query, Request
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auditors.pit_round_answers import PitRoundTold
from api.auditors.round_answers import RoundTold
from api.callers.identity import Caller
from api.operators import examples
from api.operators.claim_answers import Claims, ClaimTold
from api.operators.house_answers import (
    BreakEvenTold,
    HouseClockTold,
    Links,
    LinkTold,
    Malfunctions,
    MalfunctionTold,
    Proposals,
    ProposalTold,
    Tables,
    TableTold,
    maybe,
)
from api.operators.win_answers import WinProof, Wins, WinTold, win_proof
from api.routing.auth import allowed, guarded_router
from api.service import Service, service_of
from jackpot.book.beside.roles import Role
from jackpot.book.reading.evidence import pit_round_evidence, round_evidence
from jackpot.book.reading.history import ended_wins, past_claims, proof, times_read
from jackpot.book.reading.pages import current, current_link, current_pit, place_of_round
from jackpot.core.money import spoken
from jackpot.link.state import Link, Pit, PitTable
from jackpot.link.wins import WinState
from jackpot.readings.alerts import Alert, alerts
from jackpot.readings.waiting import waiting_wins

router = guarded_router(prefix="/v1", tags=["the House"])
Reader = Annotated[Caller, allowed(Role.OPERATOR, Role.SUPERVISOR, Role.AUDITOR)]
LinkId = Annotated[str, Path(examples=["main"])]
PitId = Annotated[str, Path(examples=["pit-3"])]
TableId = Annotated[str, Path(examples=["stud-01"])]
WinId = Annotated[str, Path(examples=["stud-01.7.1.1"])]
Limit = Annotated[int, Query(ge=1, le=500, description="How many to a page.")]
Before = Annotated[int | None, Query(ge=1, le=2**62, description="`next` of the page before.")]
Sequence = Annotated[int, Query(ge=0, le=2**62)]


@asynccontextmanager
async def looking(request: Request) -> AsyncIterator[AsyncConnection]:
    async with service_of(request.app).book.store.snapshot() as connection:
        yield connection


async def link_now(request: Request, connection: AsyncConnection, link: str) -> Link:
    return await current_link(service_of(request.app).book.store, connection, link)


async def pit_now(request: Request, connection: AsyncConnection, pit: str) -> Pit:
    return await current_pit(service_of(request.app).book.store, connection, pit)


async def all_places(request: Request) -> list[Pit]:
    """Links and pits."""
    seen = await service_of(request.app).floor_now.now()
    for wrong in seen.unreadable.values():
        raise wrong
    return seen.places


async def all_links(request: Request) -> list[Link]:
    return [one for one in await all_places(request) if isinstance(one, Link)]


def pit_table(pit: Pit, table: str) -> PitTable:
    found = pit.tables[table]
    assert isinstance(found, PitTable)  # noqa: S101  a pit has no others
    return found


def alerts_now(request: Request, place: Pit) -> tuple[list[Alert], int]:
    """Of its tables, and when it was looked at."""
    service = service_of(request.app)
    now = service.book.clock.now()
    suspected = [] if service.suspicions is None else service.suspicions.alerts()
    return alerts(place, now=now) + suspected, now


@router.get("/links", summary="All links, with meter, parameters and accounts", responses=examples.LINKS)
async def links(request: Request, _caller: Reader) -> Links:
    """The displayed value in minor units, the accounts in millionths of them, what waits there, and the house
    clock."""
    service = service_of(request.app)
    stopped = service.check.stopped
    found = await all_links(request)
    passed_at = await _passed_at(request, found)
    told = [
        LinkTold.of(link, _break_even(service, link, passed_at.get(link.id)), stopped.get(link.id))
        for link in found
    ]
    return Links(links=told, clock=HouseClockTold.of(service.book.clock))


@router.get("/links/{link}", summary="A link, with meter, parameters and accounts", responses=examples.LINK)
async def one_link(request: Request, link: LinkId, _caller: Reader) -> LinkTold:
    """As the list of all links tells it."""
    service = service_of(request.app)
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
    passed_at = await _passed_at(request, [found])
    break_even = _break_even(service, found, passed_at.get(link))
    return LinkTold.of(found, break_even, service.check.stopped.get(link))


async def _passed_at(request: Request, links: list[Link]) -> dict[str, int | None]:
    """When they passed the break-even, of those that have. Of the others the book need not be asked."""
    break_even = service_of(request.app).break_even
    passed = [link for link in links if break_even.is_passed(link)]
    if not passed:
        return {}
    async with looking(request) as connection:
        return {link.id: await break_even.passed_at(connection, link) for link in passed}


def _break_even(service: Service, link: Link, passed_at: int | None) -> BreakEvenTold:
    value = service.break_even.value(link)
    return BreakEvenTold(
        value=value,
        display=spoken(value, link.currency),
        passed=service.break_even.is_passed(link),
        passed_at=maybe(passed_at),
        edge_ppm=service.break_even.edge_ppm(link),
    )


@router.get(
    "/links/{link}/tables",
    summary="The tables of a link: state, open round, last seen, clock, alerts",
    responses=examples.TABLES,
)
async def tables(request: Request, link: LinkId, _caller: Reader) -> Tables:
    """A win waits for rounds that are open, never for a table that is idle, whether it is heard or not."""
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
    raised, now = alerts_now(request, found)
    return Tables(tables=[TableTold.of(found, table, raised, now=now) for table in found.tables.values()])


@router.get(
    "/links/{link}/wins",
    summary="Wins in line and wins that left it, with why each waits",
    responses=examples.WINS,
)
async def wins(
    request: Request,
    link: LinkId,
    _caller: Reader,
    before: Before = None,
    limit: Limit = 100,
    state: WinState | None = None,
) -> Wins:
    """The first page begins with the whole line; those that left it follow, the latest registered first."""
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
        past = await ended_wins(connection, link, before=before, limit=limit + 1, state=state)
        read_at = await times_read(connection, found, past)
    line = waiting_wins(found) if before is None else []
    waiting = [WinTold.waiting(one, read_at) for one in line if state in (None, one.win.state)]
    following = past[limit - 1].sequence if len(past) > limit else None
    return Wins(wins=waiting + [WinTold.ended(one, read_at) for one in past[:limit]], next=following)


@router.get("/links/{link}/wins/{win}", summary="The proof of a win", responses=examples.PROOF)
async def win(request: Request, link: LinkId, win: WinId, _caller: Reader) -> WinProof:
    """The deal's evidence, its order with the rounds that were open, the values before and after, who
    approved it, and every entry of the journal about it, with its hash."""
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
        proved = await proof(connection, found, win)
        read_at = await times_read(connection, found, [] if proved.ended is None else [proved.ended])
    if proved.ended is not None:
        ended = WinTold.ended(proved.ended, read_at)
        return win_proof(ended, proved.ended.registered.evidence, proved, found.currency)
    waiting = next(one for one in waiting_wins(found) if one.win.id == win)
    return win_proof(WinTold.waiting(waiting, read_at), waiting.win.evidence, proved, found.currency)


@router.get(
    "/links/{link}/claims",
    summary="Late claims: open ones, and those that were decided or withdrawn",
    responses=examples.CLAIMS,
)
async def claims(
    request: Request, link: LinkId, _caller: Reader, before: Before = None, limit: Limit = 100
) -> Claims:
    """Each with its evidence and the two amounts that were worked out."""
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
        past = await past_claims(connection, link, before=before, limit=limit + 1)
    waiting = [ClaimTold.open(found, one) for one in found.claims.values()] if before is None else []
    following = past[limit - 1].sequence if len(past) > limit else None
    return Claims(claims=waiting + [ClaimTold.past(one) for one in past[:limit]], next=following)


@router.get("/proposals", summary="What waits for a second person", responses=examples.PROPOSALS)
async def proposals(request: Request, _caller: Reader) -> Proposals:
    """On every link, with who proposed it and why."""
    return Proposals(
        proposals=[
            ProposalTold.of(link.id, one)
            for link in await all_links(request)
            for one in link.proposals.values()
        ]
    )


@router.get("/malfunctions", summary="Malfunctions that are not cleared", responses=examples.MALFUNCTIONS)
async def malfunctions(request: Request, _caller: Reader) -> Malfunctions:
    """On every link, with what was chosen for later rounds. The journal has those that were cleared."""
    return Malfunctions(
        malfunctions=[
            MalfunctionTold.of(link.id, one)
            for link in await all_links(request)
            for one in link.malfunctions.values()
        ]
    )


@router.get("/tables/{table}/rounds/{round}", summary="All evidence of a round", responses=examples.ROUND)
async def round_of_play(
    request: Request, table: TableId, round: int, _caller: Reader
) -> RoundTold | PitRoundTold:
    """As it stands, or stood when the next one began; and every entry of the journal about it. Of a table in
    a pit: a round of blackjack, with hands as they were split."""
    store = service_of(request.app).book.store
    async with looking(request) as connection:
        found = await current(store, connection, await place_of_round(connection, table, round))
        if isinstance(found, Link):
            evidence = await round_evidence(connection, found, table, round)
            return RoundTold.of(found, evidence.seat, evidence)
        of_pit = await pit_round_evidence(connection, found, table, round)
        return PitRoundTold.evidence(found, of_pit.seat, of_pit)
