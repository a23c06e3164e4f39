"""All links and pits as their rows say now. They are kept decoded: a look reads those rows only that have
changed since the last one, so that it costs what has happened, not what there is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.base import Store
from jackpot.book.stores.rows import (
    LinkRow,
    Stand,
    TableRow,
    Unreadable,
    Versions,
    read_contact,
    read_pit,
    read_table,
    with_tables,
)
from jackpot.book.stores.schema import links, tables
from jackpot.link.state import Pit, TableOfPlay

AT_ONCE = 500
"""Rows that one statement names."""
_HEADS = select(links.c.id, links.c.version, links.c.heard, links.c.head)
_MARKS = select(tables.c.id, tables.c.link, tables.c.version, tables.c.heard)
_LINKS = select(links.c.id, *(links.c[name] for name in LinkRow._fields))
_TABLES = select(*(tables.c[name] for name in TableRow._fields))


@dataclass(slots=True)
class _Known:
    stand: Stand
    pit: Pit


@dataclass(frozen=True, slots=True)
class Seen:
    places: list[Pit]
    """In the order of their names."""
    unreadable: dict[str, Unreadable] = field(default_factory=dict)
    """Links and pits whose rows cannot be read, and why. What was last read of them is among the places."""


class FloorNow:
    """What it tells is never changed later, so that everybody may keep it; nobody may change it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = asyncio.Lock()
        self._next: asyncio.Task[Seen] | None = None
        self._generation = store.generation
        self._known: dict[str, _Known] = {}
        self._tables: dict[str, tuple[Versions, TableOfPlay]] = {}

    async def now(self) -> Seen:
        """As they were at one moment after this was asked. Those who ask while others wait share one look."""
        if self._next is None:
            self._next = asyncio.create_task(self._look_in_turn(), name="floor now")
        return await asyncio.shield(self._next)

    async def _look_in_turn(self) -> Seen:
        async with self._turn:
            self._next = None  # whoever asks from here on wants a later moment
            async with self._store.snapshot() as connection:
                return await self._look(connection)

    async def _look(self, connection: AsyncConnection) -> Seen:
        self._forget_another_server()
        heads = {row.id: row for row in await connection.execute(_HEADS)}
        moved = {name: row for name, row in heads.items() if self._moved(row)}
        unreadable: dict[str, Unreadable] = {}
        if moved:
            links_now = await _rows(connection, _LINKS, links.c.id, moved)
            tables_now = await self._changed_tables(connection, moved)
            for row in links_now:
                try:
                    self._read(moved[row.id], row, tables_now[row.id])
                except Unreadable as wrong:
                    unreadable[row.id] = wrong
        return Seen([self._known[name].pit for name in sorted(heads.keys() & self._known)], unreadable)

    def _forget_another_server(self) -> None:
        """It may have other rows of the same version."""
        if self._generation != self._store.generation:
            self._known.clear()
            self._tables.clear()
            self._generation = self._store.generation

    def _moved(self, head: Any) -> bool:
        known = self._known.get(head.id)
        return known is None or known.stand != _stand(head)

    async def _changed_tables(
        self, connection: AsyncConnection, moved: Iterable[str]
    ) -> dict[str, dict[str, TableRow | None]]:
        """Of each link that has moved, its tables by name: their row if it is another one, else None."""
        found: dict[str, dict[str, TableRow | None]] = {name: {} for name in moved}
        marks = [row for row in await connection.execute(_MARKS) if row.link in found]
        newer = [row.id for row in marks if self._is_newer(row)]
        rows = {row.id: TableRow(*row) for row in await _rows(connection, _TABLES, tables.c.id, newer)}
        for mark in marks:
            found[mark.link][mark.id] = rows.get(mark.id)
        return found

    def _is_newer(self, mark: Any) -> bool:
        known = self._tables.get(mark.id)
        return known is None or known[0] != _versions(mark)

    def _read(self, head: Any, row: Any, here: dict[str, TableRow | None]) -> None:
        pit = read_pit(LinkRow(*row[1:]), ())
        for name, changed in here.items():
            if changed is not None:
                self._tables[name] = _versions(changed), self._table(pit, changed)
        found: dict[str, Any] = {name: self._tables[name][1] for name in sorted(here)}
        self._known[head.id] = _Known(_stand(head), with_tables(pit, found))

    def _table(self, pit: Pit, row: TableRow) -> TableOfPlay:
        """Of a table that was only heard, the rest is as it was."""
        known = self._tables.get(row.id)
        if known is None or known[0].version != row.version:
            return read_table(pit, row)
        return replace(known[1], contact=read_contact(row))


async def _rows(connection: AsyncConnection, found: Any, column: Any, names: Iterable[str]) -> list[Any]:
    wanted, rows = list(names), list[Any]()
    for start in range(0, len(wanted), AT_ONCE):
        some = column.in_(wanted[start : start + AT_ONCE])
        rows += (await connection.execute(found.where(some))).all()
    return rows


def _versions(row: Any) -> Versions:
    return Versions(row.version, row.heard)


def _stand(row: Any) -> Stand:
    return Stand(_versions(row), row.head)
