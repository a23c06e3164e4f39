"""Snapshots: the whole state of a link after an entry, kept beside its journal.

Nothing serves from them. Whoever verifies from one proves it: the entries before must lead to it, to the
byte, or its hash was signed. What tables say of themselves is not in it, since no journal has that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.base import Store
from jackpot.book.stores.inserting import insert_new
from jackpot.book.stores.packing import Unpackable, unpack
from jackpot.book.stores.rows import Unreadable, canonical_link, canonical_table, with_tables
from jackpot.book.stores.schema import snapshots
from jackpot.core.codec import decoder
from jackpot.core.versions import LAYOUT
from jackpot.link.state import Link, Pit, PitTable, Table

LEAST = 5_000
EACH_TABLE = 100
"""Entries between two snapshots: so many, and more at a wide link, so that they stay small beside them."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """As the rows of a commit have it: bytes that nobody changes any more."""

    link: str
    sequence: int
    at: int
    head: str
    state: bytes
    tables: Mapping[str, bytes]

    def whole(self) -> bytes:
        return _joined(unpack(self.state), {name: unpack(one) for name, one in self.tables.items()})


def is_due(before: int, after: int, tables: int) -> bool:
    """Whether these entries cross the rhythm of a link with so many tables."""
    rhythm = max(LEAST, EACH_TABLE * tables)
    return before // rhythm != after // rhythm


def whole_of(pit: Pit) -> bytes:
    return _joined(canonical_link(pit), {name: canonical_table(one) for name, one in pit.tables.items()})


def _joined(state: bytes, tables: Mapping[str, bytes]) -> bytes:
    of_tables = b",".join(tables[name] for name in sorted(tables))
    return b'{"state":%b,"tables":[%b]}' % (state, of_tables)


def digest(whole: bytes) -> str:
    """What is signed, and compared where two stretches of a journal meet."""
    return sha256(b"%d\n%b" % (LAYOUT, whole)).hexdigest()


def read_state(whole: bytes) -> Pit:
    try:
        told = json.loads(whole)
        of_link = "pool" in told["state"]
        pit: Pit = decoder(Link if of_link else Pit)(told["state"])
        tables = [decoder(Table if of_link else PitTable)(one) for one in told["tables"]]
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise Unreadable(f"{type(wrong).__name__}: {wrong}"[:300]) from wrong
    return with_tables(pit, {one.setup.id: one for one in tables})


async def keep(store: Store, link: str, sequence: int, packed: bytes) -> None:
    row = {"link": link, "sequence": sequence, "layout": LAYOUT, "state": packed}
    async with store.transaction() as connection:
        await insert_new(connection, snapshots, [row])


async def kept(connection: AsyncConnection, link: str) -> list[int]:
    """The entries after which there is one that this release can read."""
    here = snapshots.c.link == link, snapshots.c.layout == LAYOUT
    found = select(snapshots.c.sequence).where(*here).order_by(snapshots.c.sequence)
    return list((await connection.execute(found)).scalars())


async def load(connection: AsyncConnection, link: str, sequence: int) -> bytes:
    """The whole, as it was hashed."""
    here = snapshots.c.link == link, snapshots.c.sequence == sequence
    packed = (await connection.execute(select(snapshots.c.state).where(*here))).scalar()
    try:
        return unpack(bytes(packed or b""))
    except Unpackable as wrong:
        raise Unreadable(f"{wrong}") from wrong
