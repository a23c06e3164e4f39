"""What waits for a person, wherever it is: wins, claims, payouts, proposals, malfunctions and alerts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from jackpot.core.records import frozen
from jackpot.link.state import Link, Pit
from jackpot.readings.alerts import Alert

STOPPED = "stopped"
"""The alert of a link or pit whose book was found to deny itself: nothing is taken for it."""


class Matter(StrEnum):
    WIN = "win"
    CLAIM = "claim"
    HANDOVER = "handover"
    """What was paid, and is to be handed over."""
    PROPOSAL = "proposal"
    MALFUNCTION = "malfunction"
    ALERT = "alert"


@frozen(kw_only=True)
class Waiting:
    """One thing that waits for a person."""

    id: str
    """The same for as long as it waits, and never that of something else."""
    matter: Matter
    place: str | None
    """The link or pit; None: the whole house."""
    table: str | None
    since: int
    what: str
    """Which hand, which change, what a malfunction does, or the code of the alert."""
    detail: str | None = None
    """Who proposed it, or what the code of an alert alone does not tell."""


def waiting_at(pit: Pit, raised: Sequence[Alert], *, stopped: str | None = None) -> list[Waiting]:
    """What waits at a link or pit, with the alerts that were raised there; what is oldest first."""
    found = list(_alerts(pit.id, raised))
    if stopped is not None:
        found.append(stopped_at(pit.id, stopped, since=pit.time))
    if isinstance(pit, Link):
        found += [*_money(pit), *_house(pit)]
    return sorted(found, key=lambda one: (one.since, one.id))


def stopped_at(place: str, why: str, *, since: int) -> Waiting:
    return Waiting(
        id=f"alert/{place}/{STOPPED}",
        matter=Matter.ALERT,
        place=place,
        table=None,
        since=since,
        what=STOPPED,
        detail=why,
    )


def waiting_for_house(raised: Sequence[Alert]) -> list[Waiting]:
    """Alerts about the whole house."""
    return list(_alerts(None, raised))


def _alerts(place: str | None, raised: Sequence[Alert]) -> Iterator[Waiting]:
    for one in raised:
        yield Waiting(
            id=f"alert/{place or ''}/{one.table or ''}/{one.code}/{one.since}",
            matter=Matter.ALERT,
            place=place,
            table=one.table,
            since=one.since,
            what=one.code,
            detail=one.detail,
        )


def _money(link: Link) -> Iterator[Waiting]:
    for major in link.queue.values():
        yield _waiting(link, Matter.WIN, major.id, major.table, major.registered_at, major.hand)
    for claim in link.claims.values():
        yield _waiting(link, Matter.CLAIM, claim.id, claim.table, claim.evidence.received_at, claim.hand)
    for win, one in link.handovers.items():
        if one.unclaimed is None:
            yield _waiting(link, Matter.HANDOVER, win, one.table, one.paid_at, one.hand)


def _house(link: Link) -> Iterator[Waiting]:
    for one in link.proposals.values():
        yield _waiting(link, Matter.PROPOSAL, one.id, None, one.at, type(one.change).__name__, one.person)
    for malfunction in link.malfunctions.values():
        table, since = malfunction.scope.table, malfunction.declared_at
        yield _waiting(link, Matter.MALFUNCTION, malfunction.id, table, since, malfunction.then)


def _waiting(
    pit: Pit, matter: Matter, id: str, table: str | None, since: int, what: str, detail: str | None = None
) -> Waiting:
    return Waiting(
        id=f"{matter}/{pit.id}/{id}",
        matter=matter,
        place=pit.id,
        table=table,
        since=since,
        what=what,
        detail=detail,
    )
