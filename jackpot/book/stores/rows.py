"""State as rows, and rows as state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from jackpot.book.stores.packing import Unpackable, pack, unpack
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
    """As this release writes it: the entry and its reading are packed together, hash and submission are
    bytes, and a key is left out that says nothing but table, round and kind again."""

    sequence: int
    at: int
    kind: str
    tbl: str | None
    round: int | None
    data: bytes
    digest: bytes
    value: int
    submitted: bytes | None
    key: str | None

    @property
    def hash(self) -> str:
        return self.digest.hex()


class Kept(NamedTuple):
    """What a row of the journal says, whichever release wrote it."""

    sequence: int
    at: int
    kind: str
    tbl: str | None
    round: int | None
    data: bytes
    hash: str
    value: int
    reading: bytes
    key: str | None
    """As the column has it."""
    packed: bool


def link_bytes(pit: Pit) -> bytes:
    return pack(canonical_link(pit))


def canonical_link(pit: Pit) -> bytes:
    return _encode[type(pit)](pit).encode()


def table_bytes(table: TableOfPlay) -> bytes:
    return pack(canonical_table(table))


def canonical_table(table: TableOfPlay) -> bytes:
    return _encode_table[type(table)](table).encode()


def contact_bytes(contact: Contact) -> bytes:
    return pack(to_bytes(contact))


def read_pit(row: LinkRow, tables: Iterable[TableRow]) -> Pit:
    what = "a link's state"
    told = _unpacked(row.state, row.layout, what)
    kind: type[Pit] = Link if _POOL in told else Pit
    pit = _read(kind, told, what)
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
    what = f"the state of table {row.id}"
    table = _read(kind, _unpacked(row.state, row.layout, what), what)
    table.contact = read_contact(row)
    return table


def read_contact(row: TableRow) -> Contact:
    what = f"the contact of table {row.id}"
    return _read(Contact, _unpacked(row.contact, row.layout, what), what)


def _unpacked(kept: bytes, layout: int, what: str) -> bytes:
    if layout != LAYOUT:
        raise Unreadable(f"{what} has layout {layout}, and this release reads {LAYOUT}")
    try:
        return unpack(bytes(kept))
    except Unpackable as wrong:
        raise Unreadable(f"{what} cannot be read: {wrong}") from wrong


def _read(kind: type[T], data: bytes, what: str) -> T:
    try:
        return from_bytes(kind, data)
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise Unreadable(f"{what} cannot be read: {type(wrong).__name__}: {wrong}"[:300]) from wrong


# The journal

_WORDS = {
    "BetsClosed": "bets",
    "PitBetsClosed": "bets",
    "HandsReported": "hands",
    "PitHandsReported": "hands",
}
"""What each round brings, and how a key names it."""
_OF_ROUND = re.compile(r"(.+)/(-?[0-9]{1,18})/(bets|hands)", re.DOTALL)
_BETWEEN = b"\n"
"""No canonical bytes have one: an entry ends there, and its reading begins."""


def journal_row(entry: Entry, reading: Registered, submission: str | None, key: str | None) -> JournalRow:
    kind, table, number = _place(entry)
    return JournalRow(
        entry.sequence,
        entry.at,
        kind,
        table,
        number,
        pack(entry_and_reading(entry.data, reading)),
        bytes.fromhex(entry.hash),
        reading.value,
        None if submission is None else bytes.fromhex(submission),
        None if key == implied_key(kind, table, number) else key,
    )


def _place(entry: Entry) -> tuple[str, str | None, int | None]:
    fact: Any = entry.fact
    return type(fact).__name__, getattr(fact, "table", None), getattr(fact, "round", None)


def entry_and_reading(data: bytes, reading: Registered) -> bytes:
    return data + _BETWEEN + to_bytes(reading)


def implied_key(kind: str, table: str | None, number: int | None) -> str | None:
    """The key of a table's message, by the row of what it reported."""
    return f"{table}/{number}/{_WORDS[kind]}" if kind in _WORDS else None


def round_of_key(key: str) -> tuple[str, int] | None:
    """Where to look for a key that its row may imply."""
    found = _OF_ROUND.fullmatch(key)
    return None if found is None else (found[1], int(found[2]))


def entry_bytes(kept: bytes) -> bytes:
    """The canonical bytes of an entry, from the column `data`."""
    return unpack(bytes(kept)).partition(_BETWEEN)[0]


def hash_of(row: Any) -> str:
    """Of a row with `hash` and `digest`, of which one says it: what both say is no hash."""
    return f"{row.hash}{bytes(row.digest or b'').hex()}"


def reading_of(row: Any) -> Registered:
    """Of a row with `reading` and `data`."""
    return from_bytes(Registered, bytes(row.reading) or unpack(bytes(row.data)).partition(_BETWEEN)[2])


def read_row(row: Any) -> Kept:
    """Of a whole row."""
    place = row.sequence, row.at, row.kind, row.tbl, row.round
    data, _, reading = unpack(bytes(row.data)).partition(_BETWEEN)
    reading = bytes(row.reading) + reading  # of which one is empty, or this is none
    return Kept(*place, data, hash_of(row), row.value, reading, row.key, packed=row.digest is not None)


def column_that_differs(kept: Kept, entry: Entry, reading: Registered, key: str | None) -> str | None:
    """The first that is not what the entry, with its key, says; None if all are."""
    place = kind, table, number = _place(entry)
    if kept.packed and key == implied_key(kind, table, number):
        key = None
    told = to_bytes(reading)
    expected = Kept(
        entry.sequence, entry.at, *place, entry.data, entry.hash, reading.value, told, key, kept.packed
    )
    return next((name for name in Kept._fields if getattr(kept, name) != getattr(expected, name)), None)


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
