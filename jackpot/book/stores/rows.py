"""State as rows, and rows as state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import select

from jackpot.book.stores.schema import journal
from jackpot.core.codec import Encoder, encoder_without, from_bytes, to_bytes
from jackpot.core.versions import LAYOUT
from jackpot.link.facts import Entry
from jackpot.link.state import Contact, Link, Pit, PitTable, Registered, Table, TableOfPlay
from jackpot.machine.invariants import InvariantBroken

T = TypeVar("T")
P = TypeVar("P", bound=Pit)
_encode = {kind: encoder_without(kind, frozenset({"tables"})) for kind in (Link, Pit)}
_encode_table: dict[type[TableOfPlay], Encoder] = {
    kind: encoder_without(kind, frozenset({"contact"})) for kind in (Table, PitTable)
}


class Unreadable(InvariantBroken):
    """A row of state that this release did not write; `jackpot rebuild` makes it anew from the journal."""


class Versions(NamedTuple):
    """Which state of a link: how often journal and state were changed, and what tables say of themselves."""

    version: int
    heard: int


class Stand(NamedTuple):
    """Where a link stands in its store. Versions may come again when an older copy of the store has gone on
    in its place; the last entry's hash does not."""

    versions: Versions
    head: str


class LinkRow(NamedTuple):
    version: int
    heard: int
    state: bytes
    layout: int = LAYOUT

    @property
    def versions(self) -> Versions:
        return Versions(self.version, self.heard)


class TableRow(NamedTuple):
    id: str
    version: int
    heard: int
    state: bytes
    contact: bytes
    layout: int = LAYOUT


class JournalRow(NamedTuple):
    sequence: int
    at: int
    kind: str
    tbl: str | None
    round: int | None
    data: bytes
    hash: str
    value: int
    reading: bytes
    submission: str | None
    key: str | None


def link_bytes(pit: Pit) -> bytes:
    return _encode[type(pit)](pit).encode()


def table_bytes(table: TableOfPlay) -> bytes:
    return _encode_table[type(table)](table).encode()


def read_pit(row: LinkRow, tables: Iterable[TableRow]) -> Pit:
    kind: type[Pit] = Link if _POOL in row.state else Pit
    pit = _read(kind, row.state, row.layout, "a link's state")
    return with_tables(pit, {one.id: read_table(pit, one) for one in tables})


def read_link(row: LinkRow, tables: Iterable[TableRow]) -> Link:
    found = read_pit(row, tables)
    if not isinstance(found, Link):
        raise Unreadable(f"{found.id} is a pit")
    return found


_POOL = b'"pool":{'
"""Whoever has no pool is a pit. Names are quoted in the bytes, so that none can be taken for it."""


def with_tables(pit: P, tables: Mapping[str, Any]) -> P:
    pit.tables = dict(tables)
    return pit


def read_table(pit: Pit, row: TableRow) -> TableOfPlay:
    kind: type[TableOfPlay] = Table if isinstance(pit, Link) else PitTable
    table = _read(kind, row.state, row.layout, f"the state of table {row.id}")
    table.contact = _read(Contact, row.contact, row.layout, f"the contact of table {row.id}")
    return table


def _read(kind: type[T], data: bytes, layout: int, what: str) -> T:
    if layout != LAYOUT:
        raise Unreadable(f"{what} has layout {layout}, and this release reads {LAYOUT}")
    try:
        return from_bytes(kind, data)
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise Unreadable(f"{what} cannot be read: {type(wrong).__name__}: {wrong}"[:300]) from wrong


def journal_row(entry: Entry, reading: Registered, submission: str | None, key: str | None) -> JournalRow:
    fact: Any = entry.fact
    return JournalRow(
        entry.sequence,
        entry.at,
        type(fact).__name__,
        getattr(fact, "table", None),
        getattr(fact, "round", None),
        entry.data,
        entry.hash,
        reading.value,
        to_bytes(reading),
        submission,
        key,
    )


JOURNAL_ROWS = select(*(journal.c[name] for name in JournalRow._fields)).order_by(journal.c.sequence)
"""Journals, for `read_journal_row`."""


def read_journal_row(row: Any) -> JournalRow:
    """As it was written."""
    return JournalRow._make(row)


def read_reading(data: bytes) -> Registered:
    return from_bytes(Registered, data)


class Writing(NamedTuple):
    """Everything a batch changes in the rows of a link, worked out from the state that stood there."""

    known: Stand
    row: LinkRow
    entries: list[JournalRow]
    """Empty if only contacts have changed; the link's state is then as it was."""
    added: list[TableRow]
    changed: list[TableRow]
    contacts: dict[str, bytes]

    @property
    def empty(self) -> bool:
        return not self.entries and not self.contacts
