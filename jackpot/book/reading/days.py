"""The closings of gaming days that a journal has."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.pages import entries_of, recorded
from jackpot.book.stores.schema import SELDOM, journal
from jackpot.link.facts import DayClosed


class Closing(NamedTuple):
    sequence: int
    at: int
    fact: DayClosed


async def closings_since(connection: AsyncConnection, link: str, at: int) -> dict[str, Closing]:
    """Of days that were closed at some time or later, by day."""
    kind = entries_of(link).where(text(SELDOM), journal.c.kind == DayClosed.__name__)
    found = await recorded(connection, kind.where(journal.c.at >= at))
    several = [
        Closing(one.sequence, one.at, fact) for one in found if isinstance(fact := one.fact(link), DayClosed)
    ]
    return {one.fact.day: one for one in several}
