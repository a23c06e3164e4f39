"""Others who listen: who they are, what they want to hear, and whether they are paused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.lookup import storable
from jackpot.book.stores.schema import webhook_lanes, webhook_tries, webhooks
from jackpot.book.webhooks import secrets
from jackpot.book.webhooks.secrets import Secret
from jackpot.machine.event import Topic

MOST = 50
"""Each costs a look every second."""


class Paused(StrEnum):
    """Why nothing is sent."""

    PERSON = "person"
    GONE = "gone"
    """Its receiver said so (410)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Webhook:
    id: str
    name: str
    url: str
    secrets: tuple[Secret, ...]
    topics: frozenset[Topic]
    links: frozenset[str] | None
    """None: every link and pit, also those to come."""
    made_by: str
    made_at: int
    paused: Paused | None = None
    paused_by: str | None = None
    paused_at: int | None = None

    def hears(self, link: str) -> bool:
        return self.links is None or link in self.links


class WebhookUnknown(Exception):
    """The book has no such webhook."""


async def all_webhooks(connection: AsyncConnection) -> list[Webhook]:
    found = await connection.execute(select(webhooks).order_by(webhooks.c.made_at, webhooks.c.id))
    return [_read(row) for row in found]


async def find_webhook(connection: AsyncConnection, id: str, *, locked: bool = False) -> Webhook:
    """With `locked` nobody pauses, changes or deletes it until the transaction ends."""
    found = select(webhooks).where(webhooks.c.id == id)
    if locked:
        found = found.with_for_update()
    row = (await connection.execute(found)).one_or_none() if storable(id) else None
    if row is None:
        raise WebhookUnknown(id[:40])
    return _read(row)


def _read(row: Any) -> Webhook:
    return Webhook(
        id=row.id,
        name=row.name,
        url=row.url,
        secrets=tuple(secrets.read(row.secrets)),
        topics=frozenset(Topic(one) for one in row.topics.split()),
        links=None if row.links is None else frozenset(row.links.split()),
        made_by=row.made_by,
        made_at=row.made_at,
        paused=None if row.paused is None else Paused(row.paused),
        paused_by=row.paused_by,
        paused_at=row.paused_at,
    )


async def add_webhook(connection: AsyncConnection, one: Webhook) -> None:
    await connection.execute(insert(webhooks).values(_row(one)))


def _row(one: Webhook) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "url": one.url,
        "secrets": secrets.written(one.secrets),
        "topics": " ".join(sorted(one.topics)),
        "links": None if one.links is None else " ".join(sorted(one.links)),
        "paused": one.paused,
        "paused_by": one.paused_by,
        "paused_at": one.paused_at,
        "made_by": one.made_by,
        "made_at": one.made_at,
    }


async def pause(connection: AsyncConnection, id: str, why: Paused, *, by: str | None, at: int) -> None:
    """From the end of the transaction on nobody begins to send; what is under way has to be waited for. The
    first reason stays."""
    here = webhooks.c.id == id, webhooks.c.paused.is_(None)
    await connection.execute(update(webhooks).where(*here).values(paused=why, paused_by=by, paused_at=at))


async def resume(connection: AsyncConnection, id: str) -> None:
    """What waited for its next attempt is tried at once."""
    gone = {"paused": None, "paused_by": None, "paused_at": None}
    await connection.execute(update(webhooks).where(webhooks.c.id == id).values(gone))
    lanes = update(webhook_lanes).where(webhook_lanes.c.webhook == id)
    await connection.execute(lanes.values(due=0, attempts=0))


async def keep_secrets(connection: AsyncConnection, id: str, several: Sequence[Secret]) -> None:
    kept = secrets.written(several)
    await connection.execute(update(webhooks).where(webhooks.c.id == id).values(secrets=kept))


async def delete_webhook(connection: AsyncConnection, id: str) -> None:
    for table, column in (
        (webhook_tries, webhook_tries.c.webhook),
        (webhook_lanes, webhook_lanes.c.webhook),
        (webhooks, webhooks.c.id),
    ):
        await connection.execute(delete(table).where(column == id))
