"""What comes next for a listener: facts from the journal and alerts between them, in one order per link."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.lookup import last_before
from jackpot.book.reading.pages import WINDOW, Recorded, entries_of, recorded
from jackpot.book.stores.schema import SELDOM, journal, links, told_alerts
from jackpot.book.webhooks.lanes import Cursor
from jackpot.book.webhooks.told_alerts import ToldAlert, alerts_after, last_alert
from jackpot.core.instants import spoken_instant
from jackpot.link.facts import LinkCreated
from jackpot.link.pit_facts import PitCreated
from jackpot.machine.event import Topic
from jackpot.machine.kinds import EVERY_KIND, event_of, told
from jackpot.machine.telling import Telling, spaced

PAGE = 100
"""Events read at once."""
RAISED, ENDED = "alert.raised", "alert.ended"
Topics = frozenset[Topic]


@dataclass(frozen=True, kw_only=True, slots=True)
class Outgoing:
    """An event on its way: what is sent, and where the lane stands once it was taken."""

    id: str
    type: str
    at: int
    cursor: Cursor
    body: bytes


def kinds_of(topics: Topics) -> list[str]:
    """The journal's names of the facts that they want to hear of."""
    every = EVERY_KIND.values()
    return sorted(
        kind.fact.__name__ for kind in every if kind.event is not None and kind.event.topic in topics
    )


EVERY_TOPIC: Topics = frozenset(Topic)


class Outbox:
    """Reads on where it found nothing the last time."""

    def __init__(self) -> None:
        self._currencies: dict[str, str] = {}
        self._passed: dict[tuple[str, Topics, int], int] = {}
        """By link, topics and cursor: up to which entry the journal has nothing for them."""
        self._newest: dict[str, tuple[int, int]] = {}
        """By link: the last entry that anybody may hear of, and up to which it was looked for."""

    async def newest(self, connection: AsyncConnection, link: str, head: Cursor) -> Cursor:
        """The last entry that any listener may hear of, and the last alert."""
        found, looked = self._newest.get(link, (0, 0))
        if head.sequence > looked:
            here = journal.c.link == link, text(SELDOM), journal.c.kind.in_(kinds_of(EVERY_TOPIC))
            last = select(func.max(journal.c.sequence)).where(*here, journal.c.sequence > looked)
            found = int((await connection.execute(last)).scalar() or found)
            self._newest[link] = found, head.sequence
        return Cursor(found, head.alert)

    async def after(
        self, connection: AsyncConnection, link: str, cursor: Cursor, topics: Topics, limit: int = PAGE
    ) -> list[Outgoing]:
        """The next events, in order; none if there is none."""
        facts, end = await self._facts(connection, link, cursor, topics, limit)
        alerts: list[ToldAlert] = []
        if Topic.ALERTS in topics:
            alerts = await alerts_after(connection, link, cursor.alert, limit)
        currency = await self._currency(connection, link)
        several: list[Recorded | ToldAlert] = [*facts, *(one for one in alerts if one.sequence <= end)]
        going, stands = [], cursor
        for one in sorted(several, key=_place):
            if isinstance(one, ToldAlert):
                stands = stands._replace(alert=one.number)
                going.append(_of_alert(link, one, stands))
            else:
                stands = stands._replace(sequence=one.sequence)
                going.append(_of_fact(link, one, currency, stands))
        return going[:limit]

    async def _facts(
        self, connection: AsyncConnection, link: str, cursor: Cursor, topics: Topics, limit: int
    ) -> tuple[list[Recorded], int]:
        """And up to which entry these are all."""
        kinds, known = kinds_of(topics), (link, topics, cursor.sequence)
        head = int(
            (await connection.execute(select(links.c.sequence).where(links.c.id == link))).scalar() or 0
        )
        after = self._passed.pop(known, cursor.sequence)
        while after < head:
            found = entries_of(link).where(text(SELDOM), journal.c.kind.in_(kinds))
            within = journal.c.sequence > after, journal.c.sequence <= after + WINDOW
            page = await recorded(connection, found.where(*within).order_by(journal.c.sequence).limit(limit))
            if page:
                self._remember(known, after)
                full = len(page) == limit
                return page, page[-1].sequence if full else min(head, after + WINDOW)
            after = min(head, after + WINDOW)
        self._remember(known, after)
        return [], head

    def _remember(self, known: tuple[str, Topics, int], passed: int) -> None:
        if len(self._passed) > 10_000:  # of lanes that moved on meanwhile
            self._passed.clear()
        self._passed[known] = passed

    async def _currency(self, connection: AsyncConnection, link: str) -> str:
        if link not in self._currencies:
            first = (await recorded(connection, entries_of(link).where(journal.c.sequence == 1)))[0]
            made = first.fact(link)
            assert isinstance(made, LinkCreated | PitCreated)  # noqa: S101  each journal begins so
            self._currencies[link] = made.currency
        return self._currencies[link]


def _place(one: Recorded | ToldAlert) -> tuple[int, int]:
    """An alert comes after the last entry that the journal had then."""
    return (one.sequence, one.number) if isinstance(one, ToldAlert) else (one.sequence, 0)


def _of_fact(link: str, one: Recorded, currency: str, cursor: Cursor) -> Outgoing:
    fact = one.fact(link)
    event = event_of(fact)
    assert event is not None  # noqa: S101  only kinds that have one are asked for
    body = {
        "kind": one.kind,
        "data": dict(event.data(fact)),
        "sentence": told(fact, Telling(currency)),
    }
    return _outgoing(
        f"{link}.{one.sequence}.{one.hash[:8]}", event.type, link, one.sequence, one.at, cursor, body
    )


def _of_alert(link: str, one: ToldAlert, cursor: Cursor) -> Outgoing:
    place = f"{link}.alert.{one.number}"
    mark = sha256(f"{place} {one.at} {one.code} {one.tbl} {one.raised}".encode()).hexdigest()[:8]
    data = {"code": one.code, "table": one.tbl, "since": spoken_instant(one.since), "detail": one.detail}
    body = {"kind": None, "data": data, "sentence": _sentence(one)}
    kind = RAISED if one.raised else ENDED
    return _outgoing(f"{place}.{mark}", kind, link, one.sequence, one.at, cursor, body)


def _sentence(one: ToldAlert) -> str:
    where = "The link" if one.tbl is None else f"Table {one.tbl}"
    return f"{where}: {spaced(one.code)}." if one.raised else f"{where}: no longer {spaced(one.code)}."


def trial_event(at: int) -> Outgoing:
    """Of no link, and of nothing that has happened."""
    body: dict[str, Any] = {"kind": None, "data": {}, "sentence": "A test: nothing has happened."}
    return _outgoing(f"test.{uuid4().hex[:16]}", "webhook.test", None, None, at, Cursor(), body)


def _outgoing(
    id: str,
    type: str,
    link: str | None,
    sequence: int | None,
    at: int,
    cursor: Cursor,
    body: Mapping[str, Any],
) -> Outgoing:
    place = {"id": id, "type": type, "link": link, "sequence": sequence, "at": spoken_instant(at)}
    return Outgoing(id=id, type=type, at=at, cursor=cursor, body=encoded({**place, **body}))


def encoded(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


# Where lanes begin, and where they go back to


async def heads(connection: AsyncConnection) -> dict[str, Cursor]:
    """Of every link and pit: what is there now is not sent."""
    last = select(told_alerts.c.link, func.max(told_alerts.c.number)).group_by(told_alerts.c.link)
    alerts = {row[0]: row[1] for row in await connection.execute(last)}
    found = await connection.execute(select(links.c.id, links.c.sequence))
    return {row.id: Cursor(row.sequence, alerts.get(row.id, 0)) for row in found}


async def before_entry(connection: AsyncConnection, link: str, sequence: int) -> Cursor:
    """So that this entry comes next."""
    return Cursor(sequence - 1, await last_alert(connection, link, sequence=sequence))


async def before_time(connection: AsyncConnection, link: str, at: int) -> Cursor:
    return Cursor(await last_before(connection, link, at), await last_alert(connection, link, before=at))
