"""The audit and what signs told, in pages, the latest first."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.audit import first_id
from jackpot.book.reading.lookup import storable
from jackpot.book.stores.schema import audit, receipts


class Audited(NamedTuple):
    id: str
    at: int
    actor: str
    act: str
    outcome: str
    detail: bytes | None

    def told(self) -> dict[str, Any]:
        return {} if self.detail is None else dict(json.loads(self.detail))


async def audit_page(
    connection: AsyncConnection, *, after: str | None, since: int | None, until: int | None, limit: int
) -> list[Audited]:
    """Ids rise with time, so that one index finds and sorts them."""
    found = select(*(audit.c[name] for name in Audited._fields))
    if after is not None:
        found = found.where(audit.c.id < after)
    if since is not None:
        found = found.where(audit.c.id >= first_id(since))
    if until is not None:
        found = found.where(audit.c.id < first_id(until))
    rows = await connection.execute(found.order_by(audit.c.id.desc()).limit(limit))
    return [Audited(*row) for row in rows]


class Shown(NamedTuple):
    """What a sign told it showed."""

    id: str
    sign: str
    sequence: int
    value: int
    shown_at: int
    received_at: int
    verified: bool


async def receipts_page(
    connection: AsyncConnection, link: str, sign: str, *, at: int, after: tuple[int, str] | None, limit: int
) -> list[Shown]:
    """The first is what was on the screen at that time."""
    if not storable(sign):
        return []
    found = select(*(receipts.c[name] for name in Shown._fields)).where(
        receipts.c.link == link, receipts.c.sign == sign, receipts.c.shown_at <= at
    )
    place = tuple_(receipts.c.shown_at, receipts.c.id)
    if after is not None:
        found = found.where(place < after)
    rows = await connection.execute(
        found.order_by(receipts.c.shown_at.desc(), receipts.c.id.desc()).limit(limit)
    )
    return [Shown(*row) for row in rows]
