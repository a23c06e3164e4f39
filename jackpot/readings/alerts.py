"""What the House is alerted to: tables, clocks and rounds that somebody should look at."""

from __future__ import annotations

from jackpot.core.instants import SECOND
from jackpot.core.records import frozen
from jackpot.link.state import Contact, Link, Pit, Table

SILENT = "table_silent"
ALERTS = (
    SILENT,
    "clock_set",
    "dealt_outside",
    "promise_denied",
    "wagers_open",
    "void_denied",
    "meters_differ",
)
"""Of tables."""
ALERTED_FOR = 600 * SECOND
"""What a table did at one moment is said for so long."""
SILENT_IN_PIT = 10 * SECOND
HOUSE_CLOCK = "house_clock"


@frozen(kw_only=True)
class Alert:
    code: str
    table: str | None
    """None: it is about the whole house."""
    since: int
    detail: str | None = None
    """What the code alone does not tell, in words."""


def clock_alerts(differs_since: int | None) -> list[Alert]:
    """House time is not the server's clock: that was set, or is wrong."""
    return [] if differs_since is None else [Alert(code=HOUSE_CLOCK, table=None, since=differs_since)]


def alerts(pit: Pit, *, now: int) -> list[Alert]:
    """Tables in play that have been silent for too long; clocks that were set and deals that cannot have been
    when their table says; values promised by a table alone that the journal denies; rounds that did not end
    whole; and meters of controllers that differ from the House's."""
    silent_after = pit.parameters.silent_after if isinstance(pit, Link) else SILENT_IN_PIT
    silent = [
        Alert(code=SILENT, table=name, since=seen)
        for name, table in pit.tables.items()
        if pit.in_play(table) and (seen := table.contact.seen_at or pit.created_at) < now - silent_after
    ]
    lately = [
        Alert(code=code, table=name, since=since)
        for name, table in pit.tables.items()
        for code, since in _of_time(table.contact)
        if since is not None and since > now - ALERTED_FOR
    ]
    denied = _denied(pit) if isinstance(pit, Link) else []
    return silent + lately + denied + _not_whole(pit) + _differing(pit)


def _denied(link: Link) -> list[Alert]:
    return [
        Alert(code="promise_denied", table=name, since=table.round.dealt_from)
        for name, table in link.tables.items()
        if table.round is not None and table.round.promised is not None
    ]


def _of_time(contact: Contact) -> tuple[tuple[str, int | None], ...]:
    return ("clock_set", contact.clock_set_at), ("dealt_outside", contact.dealt_outside_at)


def _not_whole(pit: Pit) -> list[Alert]:
    """Rounds left with wagers open, and rounds that a table voided alone though cards had been seen."""
    found = []
    for name, table in pit.tables.items():
        if table.wagers_open is not None:
            found.append(Alert(code="wagers_open", table=name, since=table.wagers_open))
        if isinstance(table, Table) and table.round is not None and table.round.void_denied:
            found.append(Alert(code="void_denied", table=name, since=table.round.dealt_from))
    return found


def _differing(pit: Pit) -> list[Alert]:
    return [
        Alert(code="meters_differ", table=name, since=found.at, detail=f"It began in {found.where}")
        for name, table in pit.tables.items()
        if (found := table.difference) is not None
    ]
