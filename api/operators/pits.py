"""What the House looks at in pits: tables without a jackpot, their journal, their figures."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body, Request, Response

from api.auditors.pit_report_answers import PitReportTold
from api.auditors.record_answers import PitEntryTold, PitJournal
from api.auditors.records import Auditor, Filtered, journal_csv, journal_of
from api.auditors.spans import Asked
from api.operators import examples
from api.operators.console import Previewer, previewed
from api.operators.examples import example
from api.operators.house import PitId, Reader, alerts_now, all_places, looking, pit_now, pit_table
from api.operators.house_answers import HouseClockTold
from api.operators.pit_answers import Pits, PitTables, PitTableTold, PitTold
from api.operators.previews import PitPreview, PreviewSaid
from api.routing.auth import guarded_router
from api.routing.tabular import csv_response, wants_csv
from api.service import service_of
from jackpot.book.reading.report import report
from jackpot.link.state import Link

router = guarded_router(prefix="/v1", tags=["pits"])


@router.get("/pits", summary="All pits: tables without a jackpot", responses=examples.PITS)
async def pits(request: Request, _caller: Reader) -> Pits:
    """Each with its tables counted; and the house clock."""
    service = service_of(request.app)
    stopped = service.check.stopped
    found = [one for one in await all_places(request) if not isinstance(one, Link)]
    return Pits(
        pits=[PitTold.of(one, stopped.get(one.id)) for one in found],
        clock=HouseClockTold.of(service.book.clock),
    )


@router.get("/pits/{pit}", summary="A pit", responses=examples.PIT)
async def one_pit(request: Request, pit: PitId, _caller: Reader) -> PitTold:
    """As the list of all pits tells it."""
    async with looking(request) as connection:
        found = await pit_now(request, connection, pit)
    return PitTold.of(found, service_of(request.app).check.stopped.get(pit))


@router.get(
    "/pits/{pit}/tables",
    summary="The tables of a pit: game, limits, state, open round, last seen, alerts",
    responses=examples.PIT_TABLES,
)
async def tables_of_pit(request: Request, pit: PitId, _caller: Reader) -> PitTables:
    """As those of a link, without anything of a jackpot."""
    async with looking(request) as connection:
        found = await pit_now(request, connection, pit)
    raised, now = alerts_now(request, found)
    return PitTables(
        tables=[PitTableTold.of(found, pit_table(found, name), raised, now=now) for name in found.tables]
    )


@router.get(
    "/pits/{pit}/journal",
    summary="The journal of a pit, page by page",
    responses=examples.PIT_JOURNAL,
    response_model=PitJournal,
)
async def journal_of_pit(
    request: Request, pit: PitId, _caller: Auditor, asked: Filtered
) -> PitJournal | Response:
    """As that of a link; nothing in it moves money between accounts."""
    async with looking(request) as connection:
        page = await journal_of(connection, await pit_now(request, connection, pit), asked)
    told = [PitEntryTold.of(one) for one in page.entries]
    if wants_csv(request):
        return journal_csv(request, page, told, ("sequence", "at", "kind", "table", "round", "hash"), asked)
    return PitJournal(pit=pit, entries=told, next=page.next)


@router.get(
    "/pits/{pit}/report",
    summary="Rounds by table, and by wager what was laid, won, collected and returned between two times",
    responses=examples.PIT_REPORT,
    response_model=PitReportTold,
)
async def report_of_pit(
    request: Request, pit: PitId, _caller: Reader, asked: Asked
) -> PitReportTold | Response:
    """Of the last 24 hours, unless other times, gaming days or a shift are asked for, of any length. A wager
    counts when its outcome is told; what is corrected or voided later is taken out again then, so that the
    reports of two days add up."""
    async with looking(request) as connection:
        found = await pit_now(request, connection, pit)
        span = await asked.of(request, connection, found)
        figures = await report(connection, pit, since=span.since, until=span.until)
    told = PitReportTold.of(found, span, figures)
    return csv_response(PitReportTold.COLUMNS, told.rows()) if wants_csv(request) else told


@router.post(
    "/pits/{pit}/previews",
    summary="What an act would do in a pit, without doing it",
    responses=examples.PIT_PREVIEW,
)
async def preview_in_pit(
    request: Request,
    pit: PitId,
    caller: Previewer,
    said: Annotated[
        PreviewSaid,
        Body(
            openapi_examples=example(
                {
                    "act": "irregularity",
                    "id": "bj-01",
                    "round": 7,
                    "said": {"paragraph": "5.5.1", "note": "a card of another set"},
                }
            )
        ),
    ],
) -> PitPreview:
    """Played on the pit as it stands now; refused as the act itself would be. Nothing is written."""
    async with looking(request) as connection:
        await pit_now(request, connection, pit)
    return PitPreview.of(await previewed(request, pit, said, caller, in_pit=True))
