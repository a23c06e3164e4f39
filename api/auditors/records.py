"""What the book remembers: journal, report, readings of the past, receipts of signs, audit. JSON or CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Literal, NamedTuple

from fastapi import Depends, Query, Request, Response
from sqlalchemy.ext.asyncio import AsyncConnection

from api.auditors.record_answers import (
    ActTold,
    Audit,
    CurveTold,
    EntryTold,
    Journal,
    PitEntryTold,
    ReadingTold,
    Receipts,
    ReceiptTold,
)
from api.auditors.report_answers import ReportTold
from api.auditors.spans import DATE_TIME, Asked, From, To, asked_span
from api.callers.identity import Caller
from api.http.describing import problems
from api.http.errors import SOON, Invalid, Problem, TooMany
from api.operators import examples
from api.operators.house import Before, Limit, LinkId, Reader, Sequence, link_now, looking
from api.routing.auth import PastReading, allowed, guarded_router
from api.routing.tabular import csv_response, next_link, wants_csv
from api.service import Service, service_of
from jackpot.book.beside.roles import Role
from jackpot.book.reading.audit_pages import audit_page, receipts_page
from jackpot.book.reading.history import reading_at
from jackpot.book.reading.meter_chart import curve
from jackpot.book.reading.pages import Page, Wanted, journal_page, journal_page_before
from jackpot.book.reading.report import report
from jackpot.core.instants import SECOND, parse_instant
from jackpot.core.refusals import TableUnknown, TimeInFuture
from jackpot.link.facts import KINDS
from jackpot.link.state import Pit

router = guarded_router(prefix="/v1", tags=["records"])
Anyone = Annotated[Caller | None, PastReading]
Auditor = Annotated[Caller, allowed(Role.SUPERVISOR, Role.AUDITOR)]
MOST_STRANGERS = 4
"""At once: a reading of the past is open to all like the meter, but costs the book a search."""


def moment(text: str | None, *, field: str) -> int | None:
    return None if text is None else parse_instant(text, field=field)


class Filters(NamedTuple):
    """Which page of a journal is asked for."""

    wanted: Wanted
    order: Literal["oldest", "latest"]


def filters(
    after: Sequence = 0,
    kind: Annotated[
        str | None, Query(max_length=40, description="Of one kind.", examples=["WinPaid"])
    ] = None,
    table: Annotated[str | None, Query(max_length=40)] = None,
    start: From = None,
    end: To = None,
    says: Annotated[
        str | None, Query(min_length=1, max_length=80, description="Entries in which this text stands.")
    ] = None,
    order: Annotated[Literal["oldest", "latest"], Query(description="Which comes first.")] = "oldest",
    before: Before = None,
    limit: Limit = 100,
) -> Filters:
    wanted = Wanted(
        after=after,
        before=before,
        says=says,
        kind=kind,
        table=table,
        since=moment(start, field="from"),
        until=moment(end, field="to"),
        limit=limit,
    )
    return Filters(wanted, order)


Filtered = Annotated[Filters, Depends(filters)]


async def journal_of(connection: AsyncConnection, place: Pit, asked: Filters) -> Page:
    """A page of the journal of a link or a pit."""
    _check_filters(place, asked.wanted)
    turned = journal_page if asked.order == "oldest" else journal_page_before
    return await turned(connection, place.id, asked.wanted)


def journal_csv(
    request: Request, page: Page, told: Iterable[PitEntryTold], columns: tuple[str, ...], asked: Filters
) -> Response:
    """The entry itself stands in the last column, as its bytes were hashed."""
    rows = [
        (*(getattr(one, name) for name in columns), entry.data.decode())
        for one, entry in zip(told, page.entries, strict=True)
    ]
    following = next_link(request, "after" if asked.order == "oldest" else "before", page.next)
    return csv_response((*columns, "entry"), rows, following)


@router.get(
    "/links/{link}/journal",
    summary="The journal, page by page",
    responses=examples.JOURNAL,
    response_model=Journal,
)
async def journal(request: Request, link: LinkId, _caller: Auditor, asked: Filtered) -> Journal | Response:
    """In order, from the entry after `after`; or the latest first, from the one before `before`. A page may
    be empty although `next` says there is more: only so many entries are looked through at a time."""
    async with looking(request) as connection:
        page = await journal_of(connection, await link_now(request, connection, link), asked)
    told = [EntryTold.of(one) for one in page.entries]
    if wants_csv(request):
        columns = ("sequence", "at", "kind", "table", "round", "value", "hash")
        return journal_csv(request, page, told, columns, asked)
    return Journal(link=link, entries=told, next=page.next)


def _check_filters(place: Pit, wanted: Wanted) -> None:
    if wanted.kind is not None and wanted.kind not in KINDS:
        raise Invalid(f"the journal knows no {wanted.kind[:40]!r}", "kind", "kind_unknown")
    if wanted.table is not None and wanted.table not in place.tables:
        raise TableUnknown(f"{place.id} has no table {wanted.table[:40]!r}")


@router.get(
    "/links/{link}/report",
    summary="Wins, contributions, meter movements and accounts between two times",
    responses=examples.REPORT,
    response_model=ReportTold,
)
async def report_of_link(
    request: Request, link: LinkId, _caller: Reader, asked: Asked
) -> ReportTold | Response:
    """Of the last 24 hours, unless other times, gaming days or a shift are asked for, of any length."""
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
        span = await asked.of(request, connection, found)
        figures = await report(connection, link, since=span.since, until=span.until)
    told = ReportTold.of(found, span, figures)
    return csv_response(("section", "name", "figure", "value"), told.rows()) if wants_csv(request) else told


@router.get("/links/{link}/history", summary="How the meter went between two times", responses=examples.CURVE)
async def history(
    request: Request,
    link: LinkId,
    _caller: Reader,
    start: From = None,
    end: To = None,
    points: Annotated[int, Query(ge=2, le=500, description="About how many.")] = 200,
) -> CurveTold:
    """Of the last 24 hours, unless other times are given: evenly chosen entries, and those at which the meter
    moved by more than a bet's share."""
    async with looking(request) as connection:
        found = await link_now(request, connection, link)
        since, until = asked_span(request, found, start, end)
        drawn = await curve(connection, link, since=since, until=until, points=points)
    return CurveTold.of(found, since, until, drawn)


@router.get(
    "/links/{link}/readings",
    summary="What the meter read at a time",
    responses=examples.READING | problems(429),
    response_model=ReadingTold,
)
async def reading(
    request: Request,
    link: LinkId,
    caller: Anyone,
    at: Annotated[
        str, Query(max_length=40, description="RFC 3339, not in the future.", json_schema_extra=DATE_TIME)
    ],
) -> ReadingTold | Response:
    """The reading after the last entry that was in the journal then. Open to all where the meter is; of those
    without a token only a few are served at once."""
    when = _not_in_future(request, parse_instant(at, field="at"))
    with _admitted(service_of(request.app), caller):
        async with looking(request) as connection:
            found = await link_now(request, connection, link)
            then = await reading_at(connection, link, when)
    if then is None:
        raise Problem(404, "reading_unknown", f"link {link} was made after that time")
    told = ReadingTold.of(found, when, then)
    return csv_response(tuple(ReadingTold.model_fields), [told.row()]) if wants_csv(request) else told


@contextmanager
def _admitted(service: Service, caller: Caller | None) -> Iterator[None]:
    if caller is None and service.strangers_looking_back >= MOST_STRANGERS:
        raise TooMany("many ask for the past just now; with a token it is told at once", SOON)
    service.strangers_looking_back += caller is None
    try:
        yield
    finally:
        service.strangers_looking_back -= caller is None


def _not_in_future(request: Request, when: int) -> int:
    if when > service_of(request.app).book.clock.now() + SECOND:
        raise TimeInFuture("nobody knows yet what the meter will read", field="at")
    return when


@router.get(
    "/links/{link}/receipts",
    summary="What a sign told it showed",
    responses=examples.RECEIPTS,
    response_model=Receipts,
)
async def receipts(
    request: Request,
    link: LinkId,
    _caller: Reader,
    sign: Annotated[str, Query(min_length=1, max_length=80)],
    at: Annotated[
        str | None,
        Query(max_length=40, description="RFC 3339; now, if it is left out.", json_schema_extra=DATE_TIME),
    ] = None,
    after: Annotated[str | None, Query(max_length=60, description="`next` of the page before.")] = None,
    limit: Limit = 100,
) -> Receipts | Response:
    """The first is what was on its screen at that time; those before it follow."""
    when = service_of(request.app).book.clock.now() if at is None else parse_instant(at, field="at")
    place = None if after is None else _place(after)
    async with looking(request) as connection:
        await link_now(request, connection, link)
        found = await receipts_page(connection, link, sign, at=when, after=place, limit=limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    following = None if last is None else f"{last.shown_at}.{last.id}"
    told = [ReceiptTold.of(one) for one in found[:limit]]
    if wants_csv(request):
        columns = tuple(ReceiptTold.model_fields)
        rows = [tuple(one.model_dump().values()) for one in told]
        return csv_response(columns, rows, next_link(request, "after", following))
    return Receipts(receipts=told, next=following)


def _place(after: str) -> tuple[int, str]:
    shown_at, _, row = after.partition(".")
    if not (shown_at.isascii() and shown_at.isdigit() and len(shown_at) <= 18 and row.isalnum()):
        raise Invalid("`after` is the `next` of a page", "after")
    return int(shown_at), row


@router.get(
    "/audit", summary="Who did what, allowed or refused", responses=examples.AUDIT, response_model=Audit
)
async def audit(
    request: Request,
    _caller: Auditor,
    after: Annotated[
        str | None, Query(pattern="^[0-9a-f]{32}$", description="`next` of the page before.")
    ] = None,
    start: From = None,
    end: To = None,
    limit: Limit = 100,
) -> Audit | Response:
    """The latest first. It is on record within a second."""
    since, until = moment(start, field="from"), moment(end, field="to")
    async with looking(request) as connection:
        found = await audit_page(connection, after=after, since=since, until=until, limit=limit + 1)
    following = found[limit - 1].id if len(found) > limit else None
    if wants_csv(request):
        columns = ("id", "at", "actor", "act", "outcome", "detail")
        told = [ActTold.of(one) for one in found[:limit]]
        rows = [
            (*(getattr(one, name) for name in columns[:-1]), (row.detail or b"").decode())
            for one, row in zip(told, found, strict=False)
        ]
        return csv_response(columns, rows, next_link(request, "after", following))
    return Audit(acts=[ActTold.of(one) for one in found[:limit]], next=following)
