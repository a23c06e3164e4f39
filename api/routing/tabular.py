"""Pages as CSV for spreadsheets, which must not take a cell for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from fastapi import Request, Response

from jackpot.core.texts import cell as cell

CSV = "text/csv"


def wants_csv(request: Request) -> bool:
    """CSV is said to be wanted, and not JSON before it."""
    for part in request.headers.get("accept", "").split(","):
        kind, *qualities = (one.strip().lower() for one in part.split(";"))
        if kind in ("application/json", "application/*", "*/*"):
            return False
        if kind in (CSV, "text/*") and "q=0" not in qualities:
            return True
    return False


def csv_response(
    columns: Sequence[str], rows: Iterable[Sequence[object]], headers: dict[str, str] | None = None
) -> Response:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([cell(value) for value in row] for row in rows)
    return Response(written.getvalue(), headers=headers, media_type=f"{CSV}; charset=utf-8")


def next_link(request: Request, parameter: str, value: object | None) -> dict[str, str]:
    """Where the next page is (RFC 8288), for those who read no JSON."""
    if value is None:
        return {}
    following = request.url.include_query_params(**{parameter: str(value)})
    return {"Link": f'<{following.path}?{following.query}>; rel="next"'}
