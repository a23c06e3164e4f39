"""Alerts as others hear of them: each that is raised and each that ends gets a number in its link.

Alerts are worked out from the state and are no facts. Every process works them out; the first to write what
has changed tells it, and the number keeps a second from doing so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.base import Store
from jackpot.book.stores.schema import links, told_alerts
from jackpot.core.instants import SECOND

KEPT = 30 * 24 * 3600 * SECOND
"""For so long they can be sent again; those that still stand for as long as they do."""


class Cause(NamedTuple):
    code: str
    table: str | None
    """None: it is about the whole link."""


class Standing(NamedTuple):
    since: int
    detail: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldAlert:
    number: int
    at: int
    sequence: int
    """Of the last entry that the journal had then."""
    code: str
    tbl: str | None
    since: int
    detail: str | None
    raised: bool
    """Otherwise it has ended."""

    @property
    def cause(self) -> Cause:
        return Cause(self.code, self.tbl)


_NAMES = [one.name for one in fields(ToldAlert)]


async def alerts_after(
    connection: AsyncConnection, link: str, number: int, limit: int | None = None
) -> list[ToldAlert]:
    here = told_alerts.c.link == link, told_alerts.c.number > number
    found = select(*(told_alerts.c[name] for name in _NAMES)).where(*here).order_by(told_alerts.c.number)
    rows = await connection.execute(found if limit is None else found.limit(limit))
    return [ToldAlert(**row._mapping) for row in rows]


async def last_alert(
    connection: AsyncConnection, link: str, *, sequence: int | None = None, before: int | None = None
) -> int:
    """The number of the last one: of all, of those before an entry, or of those before a time; 0 for none."""
    found = select(func.max(told_alerts.c.number)).where(told_alerts.c.link == link)
    if sequence is not None:
        found = found.where(told_alerts.c.sequence < sequence)
    if before is not None:
        found = found.where(told_alerts.c.at < before)
    return int((await connection.execute(found)).scalar() or 0)


class AlertBook:
    """What was told last of each link, as far as this process knows."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._numbers: dict[str, int] = {}
        self._standing: dict[str, dict[Cause, ToldAlert]] = {}

    async def tell(self, link: str, now: Mapping[Cause, Standing], *, at: int) -> None:
        """Write what has been raised and what has ended since."""
        standing = self._standing.setdefault(link, {})
        if link in self._numbers and standing.keys() == now.keys():
            return
        try:
            async with self._store.transaction() as connection:
                await self._catch_up(connection, link)
                await self._write(connection, link, now, at)
        except IntegrityError:
            return  # another process was first; what it told is read the next time

    async def _catch_up(self, connection: AsyncConnection, link: str) -> None:
        standing: dict[Cause, ToldAlert] = {}
        for one in await alerts_after(connection, link, 0):
            standing.pop(one.cause, None)
            if one.raised:
                standing[one.cause] = one
            self._numbers[link] = one.number
        self._standing[link] = standing

    async def _write(
        self, connection: AsyncConnection, link: str, now: Mapping[Cause, Standing], at: int
    ) -> None:
        standing, number = self._standing[link], self._numbers.get(link, 0)
        head = select(links.c.sequence).where(links.c.id == link)
        place = {"at": at, "sequence": (await connection.execute(head)).scalar_one()}
        ended = [(cause, Standing(one.since), False) for cause, one in standing.items() if cause not in now]
        raised = [(cause, one, True) for cause, one in now.items() if cause not in standing]
        rows: list[dict[str, Any]] = []
        for cause, one, is_raised in (*ended, *raised):
            number += 1
            told = ToldAlert(
                number=number,
                code=cause.code,
                tbl=cause.table,
                since=one.since,
                detail=one.detail,
                raised=is_raised,
                **place,
            )
            rows.append({"link": link, **asdict(told)})
        if rows:
            await connection.execute(insert(told_alerts), rows)
            await self._forget(connection, link, at)

    async def _forget(self, connection: AsyncConnection, link: str, at: int) -> None:
        old = told_alerts.c.link == link, told_alerts.c.at < at - KEPT
        kept = [one.number for one in self._standing[link].values()]
        await connection.execute(delete(told_alerts).where(*old, told_alerts.c.number.not_in(kept)))
