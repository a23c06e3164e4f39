"""Differences of controllers' meters that people have settled, each with the entries that say so."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.pages import Recorded, entries_of, entries_of_kinds, recorded
from jackpot.book.stores.schema import SELDOM, journal
from jackpot.link.facts import MetersDiffered, MetersMended


class Mended(NamedTuple):
    began: Recorded
    difference: MetersDiffered
    ended: Recorded
    mending: MetersMended


async def mended(connection: AsyncConnection, place: str, *, limit: int) -> list[Mended]:
    """The latest settled first."""
    wanted = entries_of(place).where(text(SELDOM), journal.c.kind == MetersMended.__name__)
    ends = await recorded(connection, wanted.order_by(journal.c.sequence.desc()).limit(limit))
    told = [(one, _mending(place, one)) for one in reversed(ends)]
    began = await _begun(connection, place, [mending.difference for _, mending in told])
    return [Mended(*began[mending.difference], one, mending) for one, mending in told]


def _mending(place: str, entry: Recorded) -> MetersMended:
    fact = entry.fact(place)
    assert isinstance(fact, MetersMended)  # noqa: S101  what was asked for
    return fact


async def _begun(
    connection: AsyncConnection, place: str, ids: list[str]
) -> dict[str, tuple[Recorded, MetersDiffered]]:
    """By its id, which ends with the sequence of the entry that made it."""
    if not ids:
        return {}
    sequences = [int(one.removeprefix(f"{place}.d")) for one in ids]
    kinds = (MetersDiffered.__name__,)
    entries = await entries_of_kinds(connection, place, kinds, first=min(sequences), last=max(sequences))
    found = [(one, one.fact(place)) for one in entries if one.sequence in sequences]
    return {fact.difference: (one, fact) for one, fact in found if isinstance(fact, MetersDiffered)}
