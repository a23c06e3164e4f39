"""What play has come to after an entry, and between two: from the roll-ups, and the entries since them.

A roll-up has the meters of a link or pit after one of its entries, kept as the journal grows; it follows from
the journal, and `verify` counts it again. Whoever asks between two of them reads the few entries in between.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.happenings import happened
from jackpot.book.stores.packing import unpack
from jackpot.book.stores.rows import entry_bytes
from jackpot.book.stores.schema import journal, rollups
from jackpot.figures.meters import LAYOUT, Figures, Meters

PAGE = 2_000
MOST_READ = 250_000
"""Entries that are read for want of a roll-up. There is none so long only while those of an older book are
being made."""


class RollUpsBehind(Exception):
    """The roll-ups do not reach that far yet: they are being made."""

    def __init__(self, link: str, reached: int, wanted: int) -> None:
        super().__init__(
            f"the figures of {link} are being rolled up: {reached:,} of {wanted:,} entries are done"
        )


class Counted(NamedTuple):
    """The meters after an entry."""

    sequence: int
    meters: Meters


class Row(NamedTuple):
    sequence: int
    at: int
    kind: str
    data: bytes

    def counted(self, onto: Meters) -> None:
        onto.hear(self.kind, happened(self.kind, entry_bytes(self.data)))


async def figures_between(connection: AsyncConnection, link: str, first: int, last: int) -> Figures:
    """What happened after one entry, up to another."""
    before = await meters_at(connection, link, first)
    beginning = await rolled_up(connection, link, last)
    if beginning.sequence < first:
        beginning = Counted(first, before.copied())
    return Figures.between(before, await _counted_to(connection, link, beginning, last))


async def meters_at(
    connection: AsyncConnection, link: str, sequence: int, *, most: int | None = None
) -> Meters:
    begin = await rolled_up(connection, link, sequence)
    return await _counted_to(connection, link, begin, sequence, most=most)


async def rolled_up(connection: AsyncConnection, link: str, upto: int) -> Counted:
    """The last roll-up that does not reach beyond an entry; that of nothing, if there is none."""
    here = *of_link(link), rollups.c.sequence <= upto
    found = select(rollups.c.sequence, rollups.c.figures).where(*here)
    row = (await connection.execute(found.order_by(rollups.c.sequence.desc()).limit(1))).one_or_none()
    return Counted(0, Meters()) if row is None else Counted(row.sequence, read_meters(row.figures))


def of_link(link: str) -> tuple[ColumnElement[bool], ...]:
    """The roll-ups of a link or pit that this release can go on from."""
    return rollups.c.link == link, rollups.c.layout == LAYOUT


async def reached(connection: AsyncConnection, link: str) -> int:
    """The entry of the last roll-up; 0 for none."""
    last = select(func.max(rollups.c.sequence)).where(*of_link(link))
    return (await connection.execute(last)).scalar() or 0


async def check_reach(connection: AsyncConnection, link: str) -> None:
    """Refused while the figures of now would take long."""
    last = select(func.max(journal.c.sequence)).where(journal.c.link == link)
    known, wanted = await reached(connection, link), (await connection.execute(last)).scalar() or 0
    if wanted - known > MOST_READ:
        raise RollUpsBehind(link, known, wanted)


def read_meters(kept: bytes) -> Meters:
    return Meters.from_bytes(unpack(bytes(kept)))


async def _counted_to(
    connection: AsyncConnection, link: str, begin: Counted, last: int, *, most: int | None = None
) -> Meters:
    if last - begin.sequence > (MOST_READ if most is None else most):
        raise RollUpsBehind(link, begin.sequence, last)
    async for page in entries_between(connection, link, begin.sequence, last):
        for row in page:
            row.counted(begin.meters)
    return begin.meters


async def entries_between(
    connection: AsyncConnection, link: str, first: int, last: int, page: int = PAGE
) -> AsyncIterator[list[Row]]:
    """After one entry, up to another, in pages."""
    columns: Any = select(*(journal.c[name] for name in Row._fields)).where(journal.c.link == link)
    for start in range(first, last, page):
        here = columns.where(journal.c.sequence > start, journal.c.sequence <= min(last, start + page))
        yield [Row(*row) for row in await connection.execute(here.order_by(journal.c.sequence))]
