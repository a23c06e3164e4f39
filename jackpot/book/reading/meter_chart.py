"""How the meter went between two times: as many points as a chart has room for, and every fall."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.pages import span
from jackpot.book.stores.schema import SELDOM, journal
from jackpot.link import facts

MOST_STEPS = 200
STEPS = facts.names_of(
    facts.WinPaid
    | facts.RoundVoided
    | facts.HandsInvalidated
    | facts.MeterAdjusted
    | facts.ParametersChanged
    | facts.PoolDeparted
    | facts.PoolArrived
)
"""Facts at which the meter moves by more than a bet's share."""
LOOKED_AT_ONCE = 20_000
"""Entries of which the values are read in one query."""


class Point(NamedTuple):
    sequence: int
    at: int
    value: int
    kind: str


async def curve(
    connection: AsyncConnection, link: str, *, since: int, until: int, points: int
) -> list[Point]:
    """In order; the first is what the meter read when that time began."""
    first, last = await span(connection, link, since, until)
    first = max(1, first)
    wanted = {first + (last - first) * number // points for number in range(points + 1)}
    wanted |= await _around_steps(connection, link, first, last)
    columns = select(journal.c.sequence, journal.c.at, journal.c.value, journal.c.kind)
    found = columns.where(journal.c.link == link, journal.c.sequence.in_(wanted))
    return sorted(Point(*row) for row in await connection.execute(found))


async def _around_steps(connection: AsyncConnection, link: str, first: int, last: int) -> set[int]:
    """The latest steps, each with the entry before it: between the two the line falls upright."""
    found = (
        select(journal.c.sequence)
        .where(journal.c.link == link, text(SELDOM), journal.c.kind.in_(STEPS))
        .where(journal.c.sequence.between(first + 1, last))
        .order_by(journal.c.sequence.desc())
        .limit(MOST_STEPS)
    )
    steps = set((await connection.execute(found)).scalars())
    return steps | {one - 1 for one in steps}


async def last_at_or_below(
    connection: AsyncConnection, link: str, value: int, *, after: int, upto: int
) -> int | None:
    """The last entry, of those after one and up to another, at which the meter read no more than this."""
    for end in range(upto, after, -LOOKED_AT_ONCE):
        among = journal.c.sequence.between(max(after, end - LOOKED_AT_ONCE) + 1, end)
        found = select(func.max(journal.c.sequence)).where(
            journal.c.link == link, among, journal.c.value <= value
        )
        last = (await connection.execute(found)).scalar()
        if last is not None:
            return int(last)
    return None


async def time_of(connection: AsyncConnection, link: str, sequence: int) -> int | None:
    """None if there is no such entry."""
    here = journal.c.link == link, journal.c.sequence == sequence
    return (await connection.execute(select(journal.c.at).where(*here))).scalar()
