"""Slips of what was paid: the entries that made each, and what became of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.lookup import ended_without_slip, storable
from jackpot.book.reading.pages import Recorded, entries_at
from jackpot.book.stores.schema import claims, handovers, wins
from jackpot.house.handovers import why_not
from jackpot.link import facts
from jackpot.link.handovers import HandoverState
from jackpot.link.state import Link


@dataclass(frozen=True, kw_only=True, slots=True)
class Slip:
    number: int
    win: str
    """Or a late claim."""
    state: HandoverState
    begun: facts.WinRegistered | facts.ClaimRaised
    paid: Recorded
    payment: facts.WinPaid | facts.ClaimDecided
    changed: Recorded | None
    """When it was handed over, or became unclaimed."""
    ending: facts.WinHandedOver | facts.WinUnclaimed | None


async def slips(
    connection: AsyncConnection, link: str, *, state: HandoverState | None, before: int | None, limit: int
) -> list[Slip]:
    """The latest first; `before` is the number of a slip."""
    found = select(handovers).where(handovers.c.link == link)
    if state is not None:
        found = found.where(handovers.c.state == state.value)
    if before is not None:
        found = found.where(handovers.c.slip < before)
    rows = (await connection.execute(found.order_by(handovers.c.slip.desc()).limit(limit))).all()
    return await _slips(connection, link, rows)


async def slip_of(connection: AsyncConnection, link: Link, win: str) -> Slip:
    """Refused if the win, or late claim, has none."""
    here = handovers.c.link == link.id, handovers.c.win == win
    row = (await connection.execute(select(handovers).where(*here))).one_or_none() if storable(win) else None
    if row is None:
        raise why_not(link, win, await ended_without_slip(connection, link.id, win))
    return (await _slips(connection, link.id, [row]))[0]


async def states_of(
    connection: AsyncConnection, link: str, several: Collection[str]
) -> dict[str, HandoverState]:
    """Of those wins and late claims that have a slip."""
    if not several:
        return {}
    here = handovers.c.link == link, handovers.c.win.in_(several)
    rows = await connection.execute(select(handovers.c.win, handovers.c.state).where(*here))
    return {row.win: HandoverState(row.state) for row in rows}


async def _slips(connection: AsyncConnection, link: str, rows: Sequence[Any]) -> list[Slip]:
    begun = await _begun(connection, link, [row.win for row in rows])
    wanted = {*begun.values(), *(row.paid for row in rows)}
    wanted |= {row.changed for row in rows if row.changed is not None}
    entries = await entries_at(connection, link, sorted(wanted))
    return [_slip(link, row, entries[begun[row.win]], entries) for row in rows]


async def _begun(connection: AsyncConnection, link: str, several: Collection[str]) -> dict[str, int]:
    """The entry with which each was registered or raised."""
    found: dict[str, int] = {}
    for history, began in ((wins, wins.c.registered), (claims, claims.c.raised)):
        here = history.c.link == link, history.c.id.in_(several)
        rows = await connection.execute(select(history.c.id, began).where(*here))
        found |= {row[0]: row[1] for row in rows}
    return found


def _slip(link: str, row: Any, begun: Recorded, entries: dict[int, Recorded]) -> Slip:
    first: Any = begun.fact(link)
    payment: Any = entries[row.paid].fact(link)
    changed = None if row.changed is None else entries[row.changed]
    ending: Any = None if changed is None else changed.fact(link)
    return Slip(
        number=row.slip,
        win=row.win,
        state=HandoverState(row.state),
        begun=first,
        paid=entries[row.paid],
        payment=payment,
        changed=changed,
        ending=ending,
    )
