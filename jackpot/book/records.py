"""State as rows, and rows as state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from jackpot.answers import Said
from jackpot.codec import encoder_without, from_bytes, to_bytes
from jackpot.facts import Entry
from jackpot.state import Contact, Link, Registered, Table

_encode_link = encoder_without(Link, frozenset({"tables"}))
_encode_table = encoder_without(Table, frozenset({"contact"}))


class LinkRow(NamedTuple):
    version: int
    state: bytes


class TableRow(NamedTuple):
    id: str
    version: int
    state: bytes
    contact: bytes


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
    content: str | None


def link_bytes(link: Link) -> bytes:
    return _encode_link(link).encode()


def table_bytes(table: Table) -> bytes:
    return _encode_table(table).encode()


def read_link(row: LinkRow, tables: Iterable[TableRow]) -> Link:
    link = from_bytes(Link, row.state)
    link.tables = {one.id: read_table(one) for one in tables}
    return link


def read_table(row: TableRow) -> Table:
    table = from_bytes(Table, row.state)
    table.contact = from_bytes(Contact, row.contact)
    return table


def journal_row(entry: Entry, reading: Registered, submission: str | None, said: Said | None) -> JournalRow:
    fact: Any = entry.fact
    return JournalRow(
        sequence=entry.sequence,
        at=entry.at,
        kind=type(fact).__name__,
        tbl=getattr(fact, "table", None),
        round=getattr(fact, "round", None),
        data=entry.data,
        hash=entry.hash,
        value=reading.value,
        reading=to_bytes(reading),
        submission=submission,
        key=None if said is None else said.key,
        content=None if said is None else said.content,
    )


def read_reading(data: bytes) -> Registered:
    return from_bytes(Registered, data)
