"""State as rows, and rows as state."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from jackpot.answers import KINDS, Answer
from jackpot.codec import decoder, from_bytes, names_of, to_bytes
from jackpot.facts import Entry
from jackpot.state import Contact, Link, Registered, Round, Table

_LINK_FIELDS = tuple(name for name in names_of(Link) if name != "tables")
_TABLE_FIELDS = tuple(name for name in names_of(Table) if name != "contact")


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
    contributed: int
    pending: bytes | None
    submission: str | None
    key: str | None
    content: str | None
    answer: bytes | None


@dataclass(frozen=True, slots=True)
class Label:
    """Which message an entry came from, and what it was answered."""

    submission: str
    key: str | None
    content: str | None
    answer: Answer


def link_bytes(link: Link) -> bytes:
    return to_bytes({name: getattr(link, name) for name in _LINK_FIELDS})


def table_bytes(table: Table) -> bytes:
    return to_bytes({name: getattr(table, name) for name in _TABLE_FIELDS})


def read_link(row: LinkRow, tables: Iterable[TableRow]) -> Link:
    link = from_bytes(Link, row.state)
    link.tables = {one.id: read_table(one) for one in tables}
    return link


def read_table(row: TableRow) -> Table:
    table = from_bytes(Table, row.state)
    table.contact = from_bytes(Contact, row.contact)
    return table


def journal_row(entry: Entry, reading: Registered, label: Label | None) -> JournalRow:
    fact: Any = entry.fact
    shown = {"next": reading.next, "pending": reading.pending}
    return JournalRow(
        sequence=entry.sequence,
        at=entry.at,
        kind=type(fact).__name__,
        tbl=getattr(fact, "table", None),
        round=getattr(fact, "round", None),
        data=entry.data,
        hash=entry.hash,
        value=reading.value,
        contributed=reading.contributed,
        pending=to_bytes(shown) if reading.pending else None,
        submission=None if label is None else label.submission,
        key=None if label is None else label.key,
        content=None if label is None else label.content,
        answer=None if label is None else to_bytes(label.answer),
    )


def read_reading(row: Any) -> Registered:
    shown = {"next": None, "pending": {}} if row.pending is None else json.loads(row.pending)
    return Registered(
        sequence=row.sequence,
        value=row.value,
        contributed=row.contributed,
        next=shown["next"],
        pending=shown["pending"],
    )


def read_answer(data: bytes) -> Answer:
    plain = json.loads(data)
    answer: Answer = decoder(KINDS[plain["kind"]])(plain)
    return answer


def read_round(data: bytes) -> Round:
    return from_bytes(Round, data)
