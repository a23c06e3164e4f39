"""The last entries of a journal and the state they led to, checked without reading all that was before.

The first of them is taken as it is. From there on the chain, every column and the money in the pool must
follow, and the state must stand where the journal ends. What a fact did to a round is not computed again:
that is `verify`'s work, which needs a state to begin from.
"""

from __future__ import annotations

from itertools import pairwise

from sqlalchemy import select

from jackpot.book.checking.difference import Difference
from jackpot.book.checking.picture import Picture, picture
from jackpot.book.checking.replaying import compare_row, read
from jackpot.book.reading.entries import read_whole
from jackpot.book.stores.base import Store
from jackpot.book.stores.rows import Kept
from jackpot.book.stores.schema import journal
from jackpot.core.codec import from_bytes, to_bytes
from jackpot.core.money import Account
from jackpot.link.facts import Entry, ForeignEntry, Posted, UnknownVersion
from jackpot.link.state import Pit, Registered
from jackpot.machine.invariants import InvariantBroken, check
from jackpot.pools.payout import registered

Money = tuple[int, int, int]
_SHOWN = (Account.METER, Account.OVERFLOW, Account.CARRYOVER)


async def verify_recent(store: Store, link: str, entries: int) -> Pit:
    """The state as stored, if its last entries do not deny it."""
    found = await picture(store, link, past=False)
    here = journal.c.link == link, journal.c.sequence.between(found.last - entries, found.last)
    async with store.reading() as connection:
        rows = (await connection.execute(select(journal).where(*here).order_by(journal.c.sequence))).all()
    kept = [read(link, row) for row in rows]
    for before, row in pairwise(kept):
        _compare(link, before, row)
    _compare_end(found, kept[-1])
    return found.link


def _compare(link: str, before: Kept, row: Kept) -> None:
    try:
        entry, said = read_whole(link, row.data, before.hash)
        reading = from_bytes(Registered, row.reading)
        compare_row(link, row, entry, reading, said)
        _compare_money(link, entry, _money(from_bytes(Registered, before.reading)), _money(reading))
    except (ForeignEntry, UnknownVersion, ValueError, KeyError, TypeError) as denied:
        raise Difference(link, row.sequence, f"{denied}") from denied
    if (row.sequence, reading.sequence) != (before.sequence + 1, row.sequence):
        raise Difference(link, before.sequence + 1, f"the journal goes on with {row.sequence}")
    if row.at < before.at:
        raise Difference(link, row.sequence, "journal time fell")


def _compare_money(link: str, entry: Entry, before: Money, after: Money) -> None:
    moves = entry.fact.moves if isinstance(entry.fact, Posted) else {}
    if sum(moves.values()) != 0:
        raise Difference(link, entry.sequence, "it does not balance")
    moved = tuple(was + moves.get(account, 0) for was, account in zip(before, _SHOWN, strict=True))
    if moved != after:
        raise Difference(link, entry.sequence, "the reading is not what the entry moved")


def _money(reading: Registered) -> Money:
    return reading.meter, reading.overflow, sum(one.amount for one in reading.segments)


def _compare_end(found: Picture, last: Kept) -> None:
    link, row = found.link, found.row
    if not last.sequence == row.sequence == link.sequence or not last.hash == row.head == link.head:
        raise Difference(link.id, None, "the link's row is not at the end of its journal")
    try:
        check(link)
    except (InvariantBroken, ValueError, KeyError, TypeError, AttributeError) as broken:
        raise Difference(link.id, None, f"{broken}") from broken
    if to_bytes(registered(link)) != last.reading:
        raise Difference(link.id, last.sequence, "the pool is not what the journal's last reading says")
