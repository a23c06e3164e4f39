"""Roll-ups counted again while a journal is replayed: each must be what the entries up to it come to.

A stretch begins from the last roll-up before it, which the stretch before has counted. From a signed
checkpoint on, where nobody has, it is taken as it is: what was rolled up after it must follow from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import select

from jackpot.book.checking.difference import Difference
from jackpot.book.reading.meters import meters_at, of_link, read_meters
from jackpot.book.stores.base import Store
from jackpot.book.stores.packing import Unpackable
from jackpot.book.stores.schema import rollups
from jackpot.figures.meters import Meters
from jackpot.link.fact import Fact


class _Kept(NamedTuple):
    sequence: int
    figures: bytes


class Rolled:
    """Of a stretch of one journal."""

    def __init__(self, link: str, meters: Meters, kept: list[_Kept]) -> None:
        self._link, self._meters = link, meters
        self._kept: Iterator[_Kept] = iter(kept)
        self._next = next(self._kept, None)

    @classmethod
    async def begun(cls, store: Store, link: str, since: int, to: int) -> Rolled:
        here = *of_link(link), rollups.c.sequence > since, rollups.c.sequence <= to
        found = select(rollups.c.sequence, rollups.c.figures).where(*here).order_by(rollups.c.sequence)
        async with store.reading() as connection:
            kept = [_Kept(*row) for row in await connection.execute(found)]
            try:
                meters = await meters_at(connection, link, since, most=since) if kept else Meters()
            except (ValueError, KeyError, TypeError) as wrong:
                raise Difference(link, since, f"the roll-up before it cannot be read: {wrong}") from wrong
        return cls(link, meters, kept)

    def hear(self, fact: Fact, sequence: int) -> None:
        if self._next is None:
            return  # nothing is left to compare
        self._meters.hear(type(fact).__name__, fact)
        if self._next.sequence == sequence:
            self._compare(self._next)
            self._next = next(self._kept, None)

    def _compare(self, kept: _Kept) -> None:
        try:
            same = read_meters(kept.figures).to_bytes() == self._meters.to_bytes()
        except (Unpackable, ValueError, KeyError, TypeError, AttributeError):
            same = False
        if not same:
            raise Difference(
                self._link, kept.sequence, "the roll-up after it is not what the journal comes to"
            )
