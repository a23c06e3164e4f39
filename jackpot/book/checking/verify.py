"""Is the book what its journal says, and the journal what the rules give? The first difference tells."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.anchors import Anchor
from jackpot.book.checking.cross_journal import Pairs
from jackpot.book.stores.base import Store
from jackpot.book.stores.rows import Kept, Unreadable, column_that_differs, read_pit, read_row
from jackpot.book.stores.schema import claims, journal, links, wins
from jackpot.link.answers import read_said
from jackpot.link.fact import Fact
from jackpot.link.facts import Entry, ForeignEntry, UnknownVersion, read_entry
from jackpot.link.state import Link, Pit
from jackpot.link.wins import WinState
from jackpot.machine.applying import apply, unborn
from jackpot.machine.auditing import Denied, audit
from jackpot.machine.invariants import Before, InvariantBroken, check, check_step
from jackpot.machine.kind import ClaimBegan, ClaimEnded, WinBegan, WinEnded
from jackpot.machine.kinds import remembered
from jackpot.pools.payout import registered

PAGE = 2_000
Progress = Callable[[int], None]


class Difference(Exception):
    """Where the book denies itself."""

    def __init__(self, link: str, sequence: int | None, message: str) -> None:
        where = f"link {link}" if sequence is None else f"link {link}, entry {sequence}"
        super().__init__(f"{where}: {message}")
        self.link, self.sequence = link, sequence


@dataclass(slots=True)
class _History:
    """What the journal says of wins and of claims."""

    wins: dict[str, tuple[object, ...]] = field(default_factory=dict)
    claims: dict[str, tuple[object, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, link: Pit | None) -> _History:
        """What is still open there: whatever ends later was open, or has come since."""
        if not isinstance(link, Link):
            return cls()
        pending = (WinState.PENDING.value, None, None)
        return cls(
            wins={
                win: (one.table, one.round, one.box, one.hand.value, one.sequence, *pending)
                for win, one in link.queue.items()
            },
            claims={
                claim: (one.table, one.round, one.box, one.sequence, None, None, None)
                for claim, one in link.claims.items()
            },
        )

    def hear(self, fact: Fact, sequence: int) -> None:
        match remembered(fact):
            case WinBegan(win, table, number, box, hand):
                place = (table, number, box, hand.value, sequence)
                self.wins[win] = (*place, WinState.PENDING.value, None, None)
            case WinEnded(win, state, amount):
                self.wins[win] = (*self.wins[win][:5], state.value, amount, sequence)
            case ClaimBegan(claim, table, number, box):
                self.claims[claim] = (table, number, box, sequence, None, None, None)
            case ClaimEnded(claim, decided, amount):
                ending = (None, sequence, amount) if decided else (sequence, None, None)
                self.claims[claim] = (*self.claims[claim][:4], *ending)


@dataclass(frozen=True, slots=True)
class Picture:
    """A link in the store at one moment, whatever is written meanwhile."""

    link: Pit
    row: Any
    last: int
    """The last entry of its journal."""
    wins: dict[str, tuple[object, ...]]
    claims: dict[str, tuple[object, ...]]


async def picture(store: Store, link: str, *, since: int = 0, past: bool = True) -> Picture:
    """With `since`, of wins and claims only those that were open after that entry; without `past` none."""
    async with store.snapshot() as connection:
        found = (await connection.execute(select(links).where(links.c.id == link))).one_or_none()
        if found is None:
            raise Difference(link, None, "it has a journal but no row")
        row, tables = await store.load(connection, link)
        try:
            state = read_pit(row, tables)
        except Unreadable as denied:
            raise Difference(link, None, f"{denied}") from denied
        return Picture(
            state,
            found,
            await last_entry(connection, link),
            await stored_wins(connection, link, since) if past else {},
            await stored_claims(connection, link, since) if past else {},
        )


async def last_entry(connection: AsyncConnection, link: str) -> int:
    found = select(func.max(journal.c.sequence)).where(journal.c.link == link)
    return (await connection.execute(found)).scalar() or 0


async def stored_wins(
    connection: AsyncConnection, link: str, since: int = 0
) -> dict[str, tuple[object, ...]]:
    place = (wins.c.id, wins.c.tbl, wins.c.round, wins.c.box, wins.c.hand, wins.c.registered)
    ends = (wins.c.state, wins.c.amount, wins.c.ended)
    open_then = or_(wins.c.ended.is_(None), wins.c.ended > since)
    found = await connection.execute(select(*place, *ends).where(wins.c.link == link, open_then))
    return {row[0]: tuple(row[1:]) for row in found}


async def stored_claims(
    connection: AsyncConnection, link: str, since: int = 0
) -> dict[str, tuple[object, ...]]:
    case = (claims.c.id, claims.c.tbl, claims.c.round, claims.c.box, claims.c.raised)
    ends = (claims.c.withdrawn, claims.c.decided, claims.c.amount)
    still_open = and_(claims.c.withdrawn.is_(None), claims.c.decided.is_(None))
    open_then = or_(still_open, claims.c.withdrawn > since, claims.c.decided > since)
    found = await connection.execute(select(*case, *ends).where(claims.c.link == link, open_then))
    return {row[0]: tuple(row[1:]) for row in found}


def compare_state(found: Picture, link: Pit) -> None:
    """Whether the store's state is the one that the journal implies."""
    row = found.row
    if (row.sequence, row.at, row.head) != (link.sequence, link.time, link.head):
        raise Difference(link.id, None, "the link's row is not at the end of its journal")
    stored = found.link
    for name in sorted(stored.tables.keys() | link.tables.keys()):
        if stored.tables.get(name) != link.tables.get(name):
            raise Difference(link.id, None, f"the state of table {name} is not what the journal implies")
    if stored != link:
        raise Difference(link.id, None, "the link's state is not what the journal implies")


@dataclass(frozen=True, slots=True)
class Pace:
    """How many entries at a time, and how long to leave the process to others after them."""

    page: int = PAGE
    pause: float = 0.0


class Verifier:
    """Replays one link's journal beside the book: from its beginning, or from a state that was verified."""

    def __init__(
        self,
        store: Store,
        link: str,
        *,
        progress: Progress | None = None,
        base: Pit | None = None,
        pace: Pace = Pace(),  # noqa: B008  it is frozen
    ) -> None:
        self._store, self._name = store, link
        self._progress, self._pace = progress, pace
        self.link = base
        self._from = self.entries = 0 if base is None else base.sequence
        self._history = _History.of(base)
        self._pairs = Pairs(link)
        self._anchored: dict[int, set[str]] = {}
        """Every head that was signed for an entry: after a tail was cut off, its numbers come again."""

    async def verify(self, anchors: list[Anchor] | None = None) -> Pit:
        """The state that the journal implies, if nothing in the book denies it."""
        for one in anchors or []:
            if one.link == self._name:
                self._anchored.setdefault(one.sequence, set()).add(one.head)
        found = await picture(self._store, self._name, since=self._from)
        async for row in self._rows(found.last):
            self._read(row)
        if self.link is None:
            raise Difference(self._name, None, "it has no journal")
        missing = [sequence for sequence in self._anchored if sequence > self.entries]
        if missing:
            raise Difference(self._name, max(missing), "an anchor was signed for it, but it is not there")
        compare_state(found, self.link)
        if (found.wins, found.claims) != (self._history.wins, self._history.claims):
            raise Difference(self._name, None, "the record of wins and claims is not what the journal says")
        denied = await self._pairs.difference(self._store)
        if denied is not None:
            raise Difference(self._name, *denied)
        return self.link

    async def replay(self, to: int) -> Pit:
        """The state after one entry."""
        async for row in self._rows(to):
            self._read(row)
        if self.link is None:
            raise Difference(self._name, None, "it has no journal")
        return self.link

    async def _rows(self, to: int) -> AsyncIterator[Any]:
        columns = select(journal).where(journal.c.link == self._name, journal.c.sequence <= to)
        last, size = self._from, self._pace.page
        while True:
            wanted = columns.where(journal.c.sequence > last).order_by(journal.c.sequence).limit(size)
            async with self._store.reading() as connection:
                page = (await connection.execute(wanted)).all()
            for row in page:
                last = row.sequence
                yield row
            if self._progress is not None:
                self._progress(len(page))
            if len(page) < size:
                return
            await asyncio.sleep(self._pace.pause)

    def _read(self, row: Any) -> None:
        self.entries += 1
        if row.sequence != self.entries:
            raise Difference(self._name, self.entries, f"the journal goes on with {row.sequence}")
        try:
            kept = read_row(row)
            entry = read_entry(self._name, kept.data, "" if self.link is None else self.link.head)
            self._apply(entry)
        except Difference:
            raise
        except (
            Denied,
            InvariantBroken,
            ForeignEntry,
            UnknownVersion,
            ValueError,
            KeyError,
            TypeError,
        ) as denied:
            raise Difference(self._name, self.entries, f"{denied}") from denied
        self._compare_row(kept, entry)

    def _apply(self, entry: Entry) -> None:
        fact, link = entry.fact, unborn(entry) if self.link is None else self.link
        audit(link, fact)
        before = Before.of(link)
        apply(link, fact, entry.stamp)
        link.head = entry.hash
        check_step(link, fact, before)
        if self.link is None:
            check(link)
        self.link = link
        self._history.hear(fact, entry.sequence)
        self._pairs.hear(fact, entry.sequence)

    def _compare_row(self, kept: Kept, entry: Entry) -> None:
        if self.link is None:
            return
        said = read_said(entry.data)
        column = column_that_differs(kept, entry, registered(self.link), said.key if said else None)
        if column is not None:
            raise Difference(self._name, entry.sequence, f"the column {column} is not what the entry says")
        if self._anchored.get(entry.sequence, set()) - {entry.hash}:
            raise Difference(self._name, entry.sequence, "its hash is not the one that was signed")
        if said is not None:
            check(self.link)
