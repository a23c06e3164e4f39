"""How far a webhook has come with each link, and who may send it the next event.

A lane is one webhook's events of one link, in order. Whoever sends takes the lane first, until a time at
which no send of his can still be under way, and moves its cursor only when the receiver has taken the event.
So no event is sent before the one in front of it was taken, whoever sends; and once a pause is committed and
nobody holds a lane, nothing is sent. Two processes can at most both send the same event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.inserting import insert_new, inserting
from jackpot.book.stores.schema import webhook_lanes, webhook_tries, webhooks
from jackpot.core.instants import SECOND

KEPT = 50
"""Attempts of a lane that are remembered."""
LONGEST = 3600 * SECOND
"""No lane is taken for so long: if it seems to be, house time was set."""
TESTS = ""
"""The lane of test events, which are of no link."""
_lane, _try = webhook_lanes.c, webhook_tries.c


class Cursor(NamedTuple):
    """The last entry of the journal, and the last alert, that the receiver has taken."""

    sequence: int = 0
    alert: int = 0


class Key(NamedTuple):
    webhook: str
    link: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Lane:
    key: Key
    cursor: Cursor
    owner: str
    until: int
    attempts: int
    """That failed, one after the other."""
    due: int
    """House time of the next one."""
    failing_since: int | None
    error: str | None
    delivered_at: int | None

    def free(self, now: int) -> bool:
        return not now < self.until <= now + LONGEST

    def is_due(self, now: int) -> bool:
        return not now < self.due <= now + LONGEST


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """One attempt to hand over an event."""

    at: int
    event: str
    type: str
    attempt: int
    status: int | None
    error: str | None
    """None if the receiver took it."""
    took: int
    """Microseconds."""


async def all_lanes(connection: AsyncConnection, webhook: str | None = None) -> list[Lane]:
    found = select(webhook_lanes).order_by(_lane.webhook, _lane.link)
    if webhook is not None:
        found = found.where(_lane.webhook == webhook)
    return [
        Lane(
            key=Key(row.webhook, row.link),
            cursor=Cursor(row.sequence, row.alert),
            owner=row.owner,
            until=row.until,
            attempts=row.attempts,
            due=row.due,
            failing_since=row.failing_since,
            error=row.error,
            delivered_at=row.delivered_at,
        )
        for row in await connection.execute(found)
    ]


async def add_lanes(connection: AsyncConnection, webhook: str, begin: Mapping[str, Cursor]) -> None:
    """Those that are there already stay where they are."""
    empty = {"owner": "", "until": 0, "attempts": 0, "tries": 0, "due": 0}
    unset = {"failing_since": None, "error": None, "delivered_at": None}
    rows = [
        {"webhook": webhook, "link": link, **cursor._asdict(), **empty, **unset}
        for link, cursor in begin.items()
    ]
    await insert_new(connection, webhook_lanes, rows)


def _at(key: Key) -> ColumnElement[bool]:
    return and_(_lane.webhook == key.webhook, _lane.link == key.link)


def _stands(cursor: Cursor) -> ColumnElement[bool]:
    return and_(_lane.sequence == cursor.sequence, _lane.alert == cursor.alert)


def _taken(now: int) -> ColumnElement[bool]:
    return and_(_lane.until > now, _lane.until <= now + LONGEST)


async def _sends(connection: AsyncConnection, webhook: str) -> bool:
    """Whether it is not paused. Until the transaction ends nobody can pause it: a pause then waits for what
    was taken here."""
    mine = select(webhooks.c.paused).where(webhooks.c.id == webhook).with_for_update(read=True)
    row = (await connection.execute(mine)).one_or_none()
    return row is not None and row.paused is None


async def take(
    connection: AsyncConnection, key: Key, cursor: Cursor, *, owner: str, now: int, until: int
) -> bool:
    """False if the webhook is paused, somebody else is sending, or the lane stands elsewhere."""
    if not await _sends(connection, key.webhook):
        return False
    free = or_(_lane.owner == owner, ~_taken(now))
    taking = update(webhook_lanes).where(_at(key), _stands(cursor), free)
    return (await connection.execute(taking.values(owner=owner, until=until))).rowcount == 1


async def moved(
    connection: AsyncConnection, key: Key, cursor: Cursor, to: Cursor, tried: Tried, *, owner: str, until: int
) -> bool:
    """The receiver has taken the event: whether the next one may be sent, until then."""
    goes_on = until > 0 and await _sends(connection, key.webhook)
    well = {"attempts": 0, "due": 0, "failing_since": None, "error": None, "delivered_at": tried.at}
    moving = update(webhook_lanes).where(_at(key), _stands(cursor), _lane.owner == owner)
    values = {**to._asdict(), **well, "until": until if goes_on else 0, "tries": _lane.tries + 1}
    return await _settled(connection, key, moving.values(values), tried) and goes_on


async def failed(
    connection: AsyncConnection, key: Key, cursor: Cursor, tried: Tried, *, owner: str, due: int
) -> None:
    ill = {"attempts": _lane.attempts + 1, "due": due, "error": tried.error, "until": 0}
    since = {"failing_since": func.coalesce(_lane.failing_since, tried.at), "tries": _lane.tries + 1}
    failing = update(webhook_lanes).where(_at(key), _stands(cursor), _lane.owner == owner)
    await _settled(connection, key, failing.values({**ill, **since}), tried)


async def _settled(connection: AsyncConnection, key: Key, settling: Any, tried: Tried) -> bool:
    """False if the lane was moved by somebody else meanwhile."""
    found = (await connection.execute(settling.returning(_lane.tries))).scalar_one_or_none()
    if found is None:
        return False
    row = {**key._asdict(), "slot": found % KEPT, **asdict(tried)}
    await connection.execute(_KEEP, row)
    return True


_COLUMNS = [one.name for one in webhook_tries.c if not one.primary_key]
_KEEP = inserting(
    webhook_tries,
    "(webhook, link, slot) DO UPDATE SET " + ", ".join(f"{one} = excluded.{one}" for one in _COLUMNS),
)


async def let_go(connection: AsyncConnection, owner: str, key: Key | None = None) -> None:
    """What this process was sending it sends no longer."""
    mine = update(webhook_lanes).where(_lane.owner == owner, _lane.until > 0)
    await connection.execute((mine if key is None else mine.where(_at(key))).values(until=0))


async def under_way(connection: AsyncConnection, webhook: str, now: int) -> bool:
    """Whether anybody may still be sending to it."""
    found = select(func.count()).select_from(webhook_lanes).where(_lane.webhook == webhook, _taken(now))
    return bool((await connection.execute(found)).scalar_one())


async def rewind(connection: AsyncConnection, key: Key, to: Cursor) -> None:
    """Back, never forward: nothing is left out."""
    for column, value in ((_lane.sequence, to.sequence), (_lane.alert, to.alert)):
        back = update(webhook_lanes).where(_at(key), column > value)
        await connection.execute(back.values({column.name: value, "due": 0, "attempts": 0}))


async def tries(connection: AsyncConnection, webhook: str, most: int) -> list[tuple[str, Tried]]:
    """The latest first, each with its link."""
    names = [one.name for one in fields(Tried)]
    found = select(webhook_tries).where(_try.webhook == webhook).order_by(_try.at.desc(), _try.event.desc())
    rows = await connection.execute(found.limit(most))
    return [(row.link, Tried(**{name: getattr(row, name) for name in names})) for row in rows]
